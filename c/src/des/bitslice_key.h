/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The expanded key of the bit-slice kernels: each bit is a word, all zeros or all ones, which a
 * vector register takes in every lane. bitslice.h says why they are sums of bits of subkeys. No
 * address depends on the key. Before it is included: s_negated_... of tables/s_boxes_*.h.
 */
#ifndef MF_SRC_DES_BITSLICE_KEY_H
#define MF_SRC_DES_BITSLICE_KEY_H

#include "../common/wipe.h"
#include "kernel.h"
#include "tables/round_bits.h"
#include "tables/slices.h"

#include <manyfish/common.h>

enum {
    HALF_BITS = 32,
    SHARED_BITS = 16,                      /* two that each S-box shares with its neighbours */
    ROUND_MASKS = HALF_BITS + SHARED_BITS, /* those for the bits that S-boxes give come first */
    PASS_MASKS = HALF_BITS + MF_DES_ROUNDS * ROUND_MASKS
};

/* Each pass of sixteen rounds has what is added before it to the half that goes into the S-boxes
 * first, then its rounds; after the last one stands what is added to the same half at the end. */
typedef struct bitslice_key {
    uint32_t n_passes;
    uint32_t masks[3 * PASS_MASKS + HALF_BITS];
} bitslice_key;

#define BITSLICE_ONE_KEY_BYTES                                                                     \
    (offsetof(bitslice_key, masks) + sizeof(uint32_t[PASS_MASKS + HALF_BITS]))

_Static_assert(sizeof(bitslice_key) <= MF_DES_EXPANDED_KEY_BYTES, "no room for the key");

/* Intermediate values of one key. */
typedef struct pass_key {
    uint32_t bits[64]; /* of the key, as masks */
    /* Added to the slices in each round; nothing before the first and after the last. */
    uint32_t kept[2 + MF_DES_ROUNDS][HALF_BITS];
} pass_key;

/* Of which bits of the key the masks of round i, 1 to 16, are made; the second key decrypts, so its
 * rounds run backwards. */
MF_INLINE const uint8_t *bits_of_round(size_t i, bool backwards)
{
    return mf_des_round_bits[backwards ? MF_DES_ROUNDS - i : i - 1];
}

static void pass_key_make(pass_key *k, const uint8_t *key, bool backwards)
{
    for (size_t i = 0; i < 64; i++) {
        k->bits[i] = 0 - ((uint32_t)key[i / 8] >> i % 8 & 1);
    }
    memset(k->kept[0], 0, sizeof k->kept[0]);
    for (size_t i = 1; i <= MF_DES_ROUNDS; i++) {
        const uint8_t *from = bits_of_round(i, backwards);
        for (size_t j = 0; j < HALF_BITS; j++) {
            k->kept[i][j] = k->bits[from[j]] ^ s_negated_kept[j];
        }
    }
    memset(k->kept[MF_DES_ROUNDS + 1], 0, sizeof k->kept[0]);
}

/* The masks of round i, 1 to 16, for which the key's bits are those of `from`. */
static void round_masks(uint32_t masks[ROUND_MASKS], const pass_key *k, size_t i,
                        const uint8_t from[64])
{
    for (size_t j = 0; j < HALF_BITS; j++) {
        masks[j] = k->kept[i - 1][j] ^ k->kept[i + 1][j] ^ s_negated_given[j];
    }
    for (size_t j = 0; j < SHARED_BITS; j++) {
        const uint8_t *pair = from + HALF_BITS + 2 * j;
        masks[HALF_BITS + j] = k->bits[pair[0]] ^ k->bits[pair[1]] ^ s_negated_shared[j];
    }
}

/* Adds what the slices are kept with in a round, slice by slice. */
static void half_masks(uint32_t masks[HALF_BITS], const uint32_t kept[HALF_BITS])
{
    for (size_t j = 0; j < HALF_BITS; j++) {
        masks[mf_des_gives[j / 4][j % 4] / 2] ^= kept[j];
    }
}

/* The masks of a pass, the first of which are added to what the pass before it has left there; then
 * those after it. In a function of its own, apart from the array k, for the sake of
 * tests/machine_code. */
static MF_NOINLINE void pass_masks(uint32_t masks[PASS_MASKS + HALF_BITS], pass_key *k,
                                   const uint8_t *key, bool backwards)
{
    pass_key_make(k, key, backwards);
    half_masks(masks, k->kept[1]);
    masks += HALF_BITS;
    for (size_t i = 1; i <= MF_DES_ROUNDS; i++, masks += ROUND_MASKS) {
        round_masks(masks, k, i, bits_of_round(i, backwards));
    }
    memset(masks, 0, HALF_BITS * sizeof *masks);
    half_masks(masks, k->kept[MF_DES_ROUNDS]);
}

static void set_key(void *expanded_key, const uint8_t *key, unsigned n_keys)
{
    bitslice_key *e = expanded_key;
    pass_key k;

    e->n_passes = n_keys;
    memset(e->masks, 0, HALF_BITS * sizeof *e->masks);
    for (size_t n = 0; n < n_keys; n++) {
        pass_masks(e->masks + n * PASS_MASKS, &k, key + 8 * n, n == 1);
    }
    mf_wipe(&k, sizeof k);
}

#endif
