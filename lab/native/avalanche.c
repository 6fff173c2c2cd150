/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * How many bits of the output change with one bit of the plaintext or of the key.
 *
 * For each pair of an input and an output bit it counts the changes. The 128 counters of an input
 * bit stand across words, one plane a binary digit, so that one addition counts for all of them;
 * before the planes overflow they are emptied into the numbers of the caller.
 */
#include "lab.h"

#include <manyfish/study/variant.h>

#include <string.h>

enum {
    BLOCK_BYTES = 16,
    BLOCK_BITS = 128,
    MAX_KEY_BYTES = 32,
    PLANES = 8,
    FULL = (1 << PLANES) - 1
};

typedef struct {
    uint64_t half[2]; /* bit n of the block is bit n % 64 of half n / 64 */
} bits;

typedef struct {
    bits plane[8 * MAX_KEY_BYTES][PLANES]; /* by input bit */
    unsigned n; /* additions for each input bit since the planes were empty */
} counters;

/* --- Counting --------------------------------------------------------------------------------- */

static uint64_t load64_le(const uint8_t *bytes)
{
    uint64_t x = 0;
    for (int i = 7; i >= 0; i--) {
        x = x << 8 | bytes[i];
    }
    return x;
}

static bits difference(const uint8_t *a, const uint8_t *b)
{
    const bits d = {{load64_le(a) ^ load64_le(b), load64_le(a + 8) ^ load64_le(b + 8)}};
    return d;
}

static unsigned ones64(uint64_t x)
{
    x -= x >> 1 & 0x5555555555555555U;
    x = (x & 0x3333333333333333U) + (x >> 2 & 0x3333333333333333U);
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FU;
    return (unsigned)(x * 0x0101010101010101U >> 56);
}

static unsigned ones(const bits *x)
{
    return ones64(x->half[0]) + ones64(x->half[1]);
}

static void add(bits plane[PLANES], bits carry)
{
    for (int digit = 0; digit < PLANES; digit++) {
        for (int i = 0; i < 2; i++) {
            const uint64_t next = plane[digit].half[i] & carry.half[i];
            plane[digit].half[i] ^= carry.half[i];
            carry.half[i] = next;
        }
    }
}

static void empty(counters *c, uint32_t *counts, size_t input_bits)
{
    for (size_t in = 0; in < input_bits; in++) {
        for (size_t out = 0; out < BLOCK_BITS; out++) {
            uint32_t n = 0;
            for (int digit = 0; digit < PLANES; digit++) {
                n |= (uint32_t)(c->plane[in][digit].half[out / 64] >> out % 64 & 1) << digit;
            }
            counts[BLOCK_BITS * in + out] += n;
        }
    }
    memset(c, 0, sizeof *c);
}

/* The results for the caller. */
typedef struct {
    uint32_t *counts;
    uint64_t *weights;
    size_t input_bits;
    counters planes;
} tally;

/* Room for n more blocks for each input bit. */
static void make_room(tally *t, size_t n)
{
    if (t->planes.n + n > FULL) {
        empty(&t->planes, t->counts, t->input_bits);
    }
    t->planes.n += (unsigned)n;
}

static unsigned count(tally *t, size_t input_bit, const uint8_t *before, const uint8_t *after)
{
    const bits changed = difference(before, after);
    const unsigned weight = ones(&changed);
    add(t->planes.plane[input_bit], changed);
    t->weights[weight]++;
    return weight;
}

/* --- Bits of the plaintext -------------------------------------------------------------------- */

/* The block, and after it the block with each of its bits changed. */
static void all_changes(uint8_t out[1 + BLOCK_BITS][BLOCK_BYTES], const uint8_t *block)
{
    for (size_t i = 0; i <= BLOCK_BITS; i++) {
        memcpy(out[i], block, BLOCK_BYTES);
        if (i > 0) {
            out[i][(i - 1) / 8] ^= (uint8_t)(1U << (i - 1) % 8);
        }
    }
}

static mf_status change_blocks(tally *t, uint64_t *changed, const mf_twofish_variant *key,
                               const uint8_t *blocks, size_t n_blocks)
{
    uint8_t texts[1 + BLOCK_BITS][BLOCK_BYTES];

    *changed = 0;
    for (size_t b = 0; b < n_blocks; b++) {
        all_changes(texts, blocks + BLOCK_BYTES * b);
        const mf_status status =
            mf_twofish_variant_encrypt_blocks(key, texts, texts, 1 + BLOCK_BITS);
        if (status != MF_OK) {
            return status;
        }
        make_room(t, 1);
        for (size_t i = 0; i < BLOCK_BITS; i++) {
            *changed += count(t, i, texts[0], texts[1 + i]);
        }
    }
    return MF_OK;
}

mf_status lab_avalanche_of_blocks(uint32_t *counts, uint64_t *weights, uint64_t *changed,
                                  unsigned rounds, unsigned whitening, const uint8_t *keys,
                                  size_t key_bytes, size_t n_keys, const uint8_t *blocks,
                                  size_t n_blocks)
{
    const mf_twofish_variation variation = {.rounds = rounds, .no_whitening = !whitening};
    mf_twofish_variant key;
    tally t = {.counts = counts, .weights = weights, .input_bits = BLOCK_BITS};
    mf_status status = MF_OK;

    for (size_t n = 0; n < n_keys && status == MF_OK; n++) {
        status = mf_twofish_variant_init(&key, &variation, keys + key_bytes * n, key_bytes);
        if (status == MF_OK) {
            status =
                change_blocks(&t, &changed[n], &key, blocks + BLOCK_BYTES * n_blocks * n, n_blocks);
        }
    }
    empty(&t.planes, counts, t.input_bits);
    return status;
}

/* --- Bits of the key -------------------------------------------------------------------------- */

static mf_status encrypt_under(uint8_t *out, const mf_twofish_variation *variation,
                               const uint8_t *key_string, size_t key_bytes, const uint8_t *blocks,
                               size_t n_blocks)
{
    mf_twofish_variant key;
    const mf_status status = mf_twofish_variant_init(&key, variation, key_string, key_bytes);
    return status == MF_OK ? mf_twofish_variant_encrypt_blocks(&key, out, blocks, n_blocks)
                           : status;
}

static mf_status change_key(tally *t, uint64_t *changed, const mf_twofish_variation *variation,
                            const uint8_t *key_string, size_t key_bytes, const uint8_t *blocks,
                            size_t n_blocks)
{
    uint8_t other[MAX_KEY_BYTES];
    uint8_t before[BLOCK_BYTES * LAB_AVALANCHE_MAX_BLOCKS];
    uint8_t after[BLOCK_BYTES * LAB_AVALANCHE_MAX_BLOCKS];
    mf_status status = encrypt_under(before, variation, key_string, key_bytes, blocks, n_blocks);

    *changed = 0;
    make_room(t, n_blocks);
    memcpy(other, key_string, key_bytes);
    for (size_t i = 0; i < t->input_bits && status == MF_OK; i++) {
        other[i / 8] ^= (uint8_t)(1U << i % 8);
        status = encrypt_under(after, variation, other, key_bytes, blocks, n_blocks);
        other[i / 8] = key_string[i / 8];
        for (size_t b = 0; b < n_blocks && status == MF_OK; b++) {
            *changed += count(t, i, before + BLOCK_BYTES * b, after + BLOCK_BYTES * b);
        }
    }
    return status;
}

mf_status lab_avalanche_of_keys(uint32_t *counts, uint64_t *weights, uint64_t *changed,
                                unsigned rounds, unsigned whitening, const uint8_t *keys,
                                size_t key_bytes, size_t n_keys, const uint8_t *blocks,
                                size_t n_blocks)
{
    const mf_twofish_variation variation = {.rounds = rounds, .no_whitening = !whitening};
    tally t = {.counts = counts, .weights = weights, .input_bits = 8 * key_bytes};
    mf_status status = MF_OK;

    if (key_bytes > MAX_KEY_BYTES) {
        return MF_ERROR_KEY_LENGTH;
    }
    if (n_blocks > LAB_AVALANCHE_MAX_BLOCKS) {
        return MF_ERROR_LENGTH;
    }
    for (size_t n = 0; n < n_keys && status == MF_OK; n++) {
        status = change_key(&t, &changed[n], &variation, keys + key_bytes * n, key_bytes,
                            blocks + BLOCK_BYTES * n_blocks * n, n_blocks);
    }
    empty(&t.planes, counts, t.input_bits);
    return status;
}
