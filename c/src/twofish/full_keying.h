/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Full keying [Twofish98, 5.1.1]: each key-dependent S-box is expanded, together with its column of
 * the MDS matrix, to 256 words; g is four lookups and three XORs.
 */
#ifndef MF_SRC_TWOFISH_FULL_KEYING_H
#define MF_SRC_TWOFISH_FULL_KEYING_H

#include "h_function.h"
#include "rounds.h"
#include "schedule.h"

typedef struct mf_twofish_boxes {
    uint32_t box[4][256];
} mf_twofish_boxes;

/* The expanded key of kernel `full`, and of compiled.c. */
typedef struct mf_twofish_full_key {
    uint32_t K[MF_TWOFISH_SUBKEYS];
    mf_twofish_boxes boxes;
} mf_twofish_full_key;

MF_INLINE void mf_twofish_fill_boxes_of(uint32_t box[4][256], unsigned k, const uint32_t *S)
{
    for (unsigned j = 0; j < 4; j++) {
        for (unsigned x = 0; x < 256; x++) {
            box[j][x] = mf_twofish_mds_column(j, mf_twofish_layers(k, 0, j, S, x));
        }
    }
}

/* From the k words S, which index its lookups. */
static inline void mf_twofish_fill_boxes(uint32_t box[4][256], unsigned k, const uint32_t *S)
{
    /* A constant k in each call lets the compiler drop the unused layers. */
    if (k == 2) {
        mf_twofish_fill_boxes_of(box, 2, S);
    } else if (k == 3) {
        mf_twofish_fill_boxes_of(box, 3, S);
    } else {
        mf_twofish_fill_boxes_of(box, 4, S);
    }
}

/* Byte i of X through its table, which is the next one if X is to be rotated. The byte is cut out
 * of a size_t: gcc gives an instruction to the widening of a narrower one. */
MF_INLINE uint32_t mf_twofish_boxes_lookup(const mf_twofish_boxes *b, uint32_t X, unsigned i,
                                           unsigned turn)
{
    return b->box[(i + turn) & 3][(size_t)X >> (8 * i) & 0xFF];
}

/* g of X rotated left by 8 * turn bits; key points to the boxes. Byte 2 takes two instructions to
 * cut out, so it comes last. */
MF_INLINE uint32_t mf_twofish_boxes_g(const void *key, uint32_t X, unsigned turn)
{
    return (mf_twofish_boxes_lookup(key, X, 0, turn) ^ mf_twofish_boxes_lookup(key, X, 3, turn)) ^
           (mf_twofish_boxes_lookup(key, X, 1, turn) ^ mf_twofish_boxes_lookup(key, X, 2, turn));
}

/* The blocks of each kernel with such a key. */
static inline void mf_twofish_full_encrypt_blocks(const void *expanded_key, uint8_t *out,
                                                  const uint8_t *in, size_t n_blocks)
{
    const mf_twofish_full_key *f = expanded_key;
    mf_twofish_encrypt_many(mf_twofish_boxes_g, &f->boxes, f->K, out, in, n_blocks);
}

static inline void mf_twofish_full_decrypt_blocks(const void *expanded_key, uint8_t *out,
                                                  const uint8_t *in, size_t n_blocks)
{
    const mf_twofish_full_key *f = expanded_key;
    mf_twofish_decrypt_many(mf_twofish_boxes_g, &f->boxes, f->K, out, in, n_blocks);
}

#endif
