/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Which inner key bytes of a column of h give sequences of outputs that can be made equal
 * [Twofish99, 8.1.2].
 *
 * The outer permutation is left out, and the outer key byte by differences with the first output;
 * what is left of k key bytes are k - 1, at most 2^24 values. Their sequences are sorted by as many
 * differences of a byte, so that a bucket holds one sequence on average, and those of a bucket are
 * compared further.
 */
#include "column.h"
#include "lab.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_OUTPUTS = 32 };

typedef struct column {
    const uint8_t *t; /* t[256 * i + y] is t_(i+1)[y] */
    const uint8_t *x;
    unsigned k;
    size_t n_outputs;
    size_t n_values;           /* of all inner key bytes; there are as many buckets */
    uint8_t (*w)[MAX_OUTPUTS]; /* for each value of the key bytes above l_1, what l_1 is added to,
                                  by output */
    uint32_t *ends;            /* of each bucket in values */
    uint32_t *values;
    uint32_t *classes; /* 65,536 for count_short */
} column;

static void fill_chains(column *c)
{
    for (size_t upper = 0; upper < c->n_values / 256; upper++) {
        for (size_t i = 0; i < c->n_outputs; i++) {
            c->w[upper][i] = column_inside(c->t, c->k, c->x[i], upper);
        }
    }
}

/* The buckets of all 256 values with the same upper bytes. */
static void buckets_of(uint32_t bucket[256], const column *c, size_t upper)
{
    const uint8_t *t = c->t, *w = c->w[upper];
    for (size_t l = 0; l < 256; l++) {
        uint8_t first = t[w[0] ^ l];
        uint8_t a = t[w[1] ^ l] ^ first, b = t[w[2] ^ l] ^ first, d = t[w[3] ^ l] ^ first;
        bucket[l] = (uint32_t)(a | b << 8 | d << 16) & (uint32_t)(c->n_values - 1);
    }
}

/* Sorts by counting: afterwards values holds the buckets one after the other. */
static void sort_values(column *c)
{
    uint32_t bucket[256], sum = 0;
    for (size_t upper = 0; upper < c->n_values / 256; upper++) {
        buckets_of(bucket, c, upper);
        for (size_t l = 0; l < 256; l++) {
            c->ends[bucket[l]]++;
        }
    }
    for (size_t i = 0; i < c->n_values; i++) {
        uint32_t size = c->ends[i];
        c->ends[i] = sum;
        sum += size;
    }
    for (size_t upper = 0; upper < c->n_values / 256; upper++) {
        buckets_of(bucket, c, upper);
        for (size_t l = 0; l < 256; l++) {
            c->values[c->ends[bucket[l]]++] = (uint32_t)(upper << 8 | l);
        }
    }
}

static uint64_t n_pairs(uint64_t n)
{
    return n * (n - 1) / 2;
}

/* Pairs that agree in the first n outputs at least, for n below k: those of all buckets
 * that agree in their n - 1 lower bytes. */
static void count_short(uint64_t *pairs, const column *c)
{
    pairs[1] = n_pairs(c->n_values);
    for (size_t n = 2; n < c->k; n++) {
        size_t n_classes = (size_t)1 << 8 * (n - 1);
        memset(c->classes, 0, n_classes * sizeof *c->classes);
        for (size_t i = 0; i < c->n_values; i++) {
            c->classes[i & (n_classes - 1)] += c->ends[i] - (i ? c->ends[i - 1] : 0);
        }
        for (size_t i = 0; i < n_classes; i++) {
            pairs[n] += n_pairs(c->classes[i]);
        }
    }
}

static uint8_t difference(const column *c, uint32_t value, size_t i)
{
    const uint8_t *w = c->w[value >> 8];
    return c->t[w[i] ^ (value & 0xFF)] ^ c->t[w[0] ^ (value & 0xFF)];
}

/* How many outputs agree of two values of a bucket. */
static size_t n_equal(const column *c, uint32_t a, uint32_t b)
{
    size_t i = c->k;
    while (i < c->n_outputs && difference(c, a, i) == difference(c, b, i)) {
        i++;
    }
    return i;
}

typedef struct pair_list {
    uint32_t *found;
    size_t capacity, n;
    size_t wanted;
} pair_list;

static void add_pair(pair_list *list, uint32_t a, uint32_t b)
{
    if (list->n < list->capacity) {
        list->found[2 * list->n] = a;
        list->found[2 * list->n + 1] = b;
    }
    list->n++;
}

/* Compares all pairs of each bucket, of which pairs[n] gets those that agree in n outputs and no
 * more. */
static void compare_buckets(uint64_t *pairs, pair_list *list, const column *c)
{
    for (size_t bucket = 0; bucket < c->n_values; bucket++) {
        uint32_t begin = bucket ? c->ends[bucket - 1] : 0, end = c->ends[bucket];
        for (uint32_t i = begin; i < end; i++) {
            for (uint32_t j = i + 1; j < end; j++) {
                size_t n = n_equal(c, c->values[i], c->values[j]);
                pairs[n]++;
                if (n >= list->wanted) {
                    add_pair(list, c->values[i], c->values[j]);
                }
            }
        }
    }
}

static void count_pairs(uint64_t *pairs, pair_list *list, column *c)
{
    fill_chains(c);
    sort_values(c);
    memset(pairs, 0, (c->n_outputs + 1) * sizeof *pairs);
    count_short(pairs, c);
    compare_buckets(pairs, list, c);
    for (size_t n = c->n_outputs; n > c->k; n--) {
        pairs[n - 1] += pairs[n];
    }
}

mf_status lab_key_collisions(uint64_t *pairs, uint32_t *found, size_t *n_found, size_t capacity,
                             size_t wanted, const uint8_t *t, unsigned k, const uint8_t *x,
                             size_t n_outputs)
{
    column c = {.t = t, .x = x, .k = k, .n_outputs = n_outputs};
    pair_list list = {.found = found, .capacity = capacity, .wanted = wanted};
    if (k < 2 || k > 4) {
        return MF_ERROR_KEY_LENGTH;
    }
    if (n_outputs < 4 || n_outputs > MAX_OUTPUTS || wanted < 4) {
        return MF_ERROR_LENGTH;
    }

    c.n_values = (size_t)1 << 8 * (k - 1);
    c.w = malloc(c.n_values / 256 * sizeof *c.w);
    c.ends = calloc(c.n_values, sizeof *c.ends);
    c.values = malloc(c.n_values * sizeof *c.values);
    c.classes = malloc(65536 * sizeof *c.classes);
    bool enough = c.w && c.ends && c.values && c.classes;
    if (enough) {
        count_pairs(pairs, &list, &c);
    }
    *n_found = list.n;
    free(c.w);
    free(c.ends);
    free(c.values);
    free(c.classes);
    return enough ? MF_OK : MF_ERROR_MEMORY;
}
