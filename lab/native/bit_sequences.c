/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Whether two S-boxes of a position give the same sequence of one output bit [Twofish99, 8.3].
 *
 * The S-boxes of a part are found without trying all: for given inner key bytes, the outer key
 * bytes with the wanted first bits are an intersection of rows of 256 bits, one row for each value
 * that the outer key byte is added to.
 */
#include "column.h"
#include "lab.h"

#include <stdlib.h>

enum {
    BITS = 64, /* of a sequence that are kept */
    MAX_PART_BITS = 8,
    INPUTS = 1 + MAX_PART_BITS + BITS,
    BUCKETS = 1 << 24
};

typedef struct row {
    uint64_t bit[4];
} row;

typedef struct search {
    const uint8_t *b, *t;
    unsigned k, part, part_bits;
    row outer[256];           /* bit l of outer[z] is b[z ^ l] */
    uint8_t middle[256][256]; /* middle[w][l] = t_1[w ^ l] */
    uint64_t *found;
    size_t n_found, capacity;
} search;

static void fill_tables(search *s)
{
    for (unsigned z = 0; z < 256; z++) {
        for (unsigned l = 0; l < 256; l++) {
            uint64_t bit = s->b[z ^ l];
            s->outer[z].bit[l / 64] |= bit << l % 64;
            s->middle[z][l] = s->t[z ^ l];
        }
    }
}

/* The outer key bytes with which the S-box is in this part; z[i][l] is what stands before the outer
 * key byte for the input i. */
static row boxes_in_part(const search *s, const uint8_t *const z[INPUTS], size_t l)
{
    const row *first = &s->outer[z[0][l]];
    row in = {{~UINT64_C(0), ~UINT64_C(0), ~UINT64_C(0), ~UINT64_C(0)}};
    for (unsigned i = 0; i < s->part_bits; i++) {
        const row *next = &s->outer[z[i + 1][l]];
        uint64_t equal = s->part >> i & 1 ? 0 : ~UINT64_C(0);
        for (unsigned j = 0; j < 4; j++) {
            in.bit[j] &= first->bit[j] ^ next->bit[j] ^ equal;
        }
    }
    return in;
}

/* The differences of further bits with the first one. */
static uint64_t sequence(const search *s, const uint8_t *const z[INPUTS], size_t l, uint8_t outer)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < BITS; i++) {
        bits |= (uint64_t)s->b[z[1 + s->part_bits + i][l] ^ outer] << i;
    }
    return s->b[z[0][l] ^ outer] ? ~bits : bits;
}

/* Keeps the sequences of all boxes of row in; false if there are more than there is room for. */
static bool keep(search *s, const uint8_t *const z[INPUTS], size_t l, const row *in)
{
    for (unsigned j = 0; j < 4; j++) {
        for (uint64_t rest = in->bit[j]; rest; rest &= rest - 1) {
            if (s->n_found == s->capacity) {
                return false;
            }
            unsigned outer = 64 * j + (unsigned)__builtin_ctzll(rest);
            s->found[s->n_found++] = sequence(s, z, l, (uint8_t)outer);
        }
    }
    return true;
}

static bool find_boxes(search *s)
{
    const uint8_t *z[INPUTS];
    for (size_t upper = 0; upper < (size_t)1 << 8 * (s->k - 2); upper++) {
        for (unsigned i = 0; i < INPUTS; i++) {
            z[i] = s->middle[column_inside(s->t, s->k, (uint8_t)i, upper)];
        }
        for (size_t l = 0; l < 256; l++) {
            row in = boxes_in_part(s, z, l);
            if (!keep(s, z, l, &in)) {
                return false;
            }
        }
    }
    return true;
}

/* How many numbers of a bucket are equal to one before them. */
static uint64_t repeats_in(const uint64_t *numbers, size_t n)
{
    uint64_t repeats = 0;
    for (size_t i = 1; i < n; i++) {
        size_t j = 0;
        while (j < i && numbers[j] != numbers[i]) {
            j++;
        }
        repeats += j < i;
    }
    return repeats;
}

/* Sorts by counting the low bits, into buckets of one sequence on average, and compares within
 * them. */
static uint64_t count_repeats(const search *s, uint64_t *sorted, uint32_t *ends)
{
    uint64_t repeats = 0;
    uint32_t sum = 0, begin = 0;
    for (size_t i = 0; i < s->n_found; i++) {
        ends[s->found[i] % BUCKETS]++;
    }
    for (size_t bucket = 0; bucket < BUCKETS; bucket++) {
        uint32_t size = ends[bucket];
        ends[bucket] = sum;
        sum += size;
    }
    for (size_t i = 0; i < s->n_found; i++) {
        sorted[ends[s->found[i] % BUCKETS]++] = s->found[i];
    }
    for (size_t bucket = 0; bucket < BUCKETS; bucket++) {
        repeats += repeats_in(sorted + begin, ends[bucket] - begin);
        begin = ends[bucket];
    }
    return repeats;
}

/* A part has 2^(8k - part_bits) boxes on average; there is room for half as many more. */
static size_t capacity_of(unsigned k, unsigned part_bits)
{
    size_t average = (size_t)1 << (8 * k - part_bits);
    return average + average / 2 + 256;
}

static mf_status search_part(uint64_t *n_boxes, uint64_t *n_repeats, search *s)
{
    uint64_t *sorted = malloc(s->capacity * sizeof *sorted);
    uint32_t *ends = calloc(BUCKETS, sizeof *ends);
    mf_status status = sorted && ends ? MF_OK : MF_ERROR_MEMORY;
    if (status == MF_OK && !find_boxes(s)) {
        status = MF_ERROR_CAPACITY;
    }
    if (status == MF_OK) {
        *n_boxes = s->n_found;
        *n_repeats = count_repeats(s, sorted, ends);
    }
    free(sorted);
    free(ends);
    return status;
}

mf_status lab_bit_sequences(uint64_t *n_boxes, uint64_t *n_repeats, const uint8_t *b,
                            const uint8_t *t, unsigned k, unsigned part, unsigned part_bits)
{
    if (k < 2 || k > 4) {
        return MF_ERROR_KEY_LENGTH;
    }
    if (part_bits > MAX_PART_BITS || part >> part_bits || (k == 4 && part_bits < 8)) {
        return MF_ERROR_LENGTH;
    }
    search *s = calloc(1, sizeof *s);
    if (!s) {
        return MF_ERROR_MEMORY;
    }
    *s = (search){.b = b, .t = t, .k = k, .part = part, .part_bits = part_bits};
    s->capacity = capacity_of(k, part_bits);
    s->found = malloc(s->capacity * sizeof *s->found);
    fill_tables(s);
    mf_status status = s->found ? search_part(n_boxes, n_repeats, s) : MF_ERROR_MEMORY;
    free(s->found);
    free(s);
    return status;
}
