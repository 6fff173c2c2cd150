/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The layout "half" of round.h: VEC_BYTES / 2 blocks, a word of the state in two registers. Both g
 * of a round take four registers, whose bytes are brought together by position, so that each S-box
 * works at full width. Two halves in turn make VEC_BYTES blocks. For few registers.
 *
 * With the layout "one" these are all blocks of a kernel.
 */
#ifndef MF_SRC_TWOFISH_VECTOR_HALF_H
#define MF_SRC_TWOFISH_VECTOR_HALF_H

#include "one.h"
#include "round.h"

enum { HALF_REGISTERS = 2, HALF_BLOCKS = VEC_BYTES / 2, TWO_HALVES_BLOCKS = VEC_BYTES };

VEC_FN void half_g_by(vector_s_boxes *s_boxes, const void *key, vec T[2][VECTOR_WORD],
                      const vec A[VECTOR_WORD], const vec B[VECTOR_WORD])
{
    vec y[4] = {A[0], A[1], B[0], B[1]};
    VEC_RELOAD(key);
    vec_words_to_bytes_turned(y);
    s_boxes(key, y);
    vector_mds(y);
    vec_bytes_to_words(y);
    T[0][0] = y[0];
    T[0][1] = y[1];
    T[1][0] = y[2];
    T[1][1] = y[3];
}

VEC_FN void half_g(const void *key, vec T[2][VECTOR_WORD], const vec A[VECTOR_WORD],
                   const vec B[VECTOR_WORD])
{
    half_g_by(vector_s_boxes_by_tables, key, T, A, B);
}

VEC_ENTRY void half_encrypt(const void *key, uint8_t *out, const uint8_t *in)
{
    const vector_key *v = key;
    vector_encrypt(half_g, HALF_REGISTERS, false, v, v->K, out, in);
}

VEC_ENTRY void half_decrypt(const void *key, uint8_t *out, const uint8_t *in)
{
    const vector_key *v = key;
    vector_decrypt(half_g, HALF_REGISTERS, false, v, v->K, out, in);
}

VEC_ENTRY void two_halves_encrypt(const void *key, uint8_t *out, const uint8_t *in)
{
    const vector_key *v = key;
    vector_encrypt(half_g, HALF_REGISTERS, true, v, v->K, out, in);
}

VEC_ENTRY void two_halves_decrypt(const void *key, uint8_t *out, const uint8_t *in)
{
    const vector_key *v = key;
    vector_decrypt(half_g, HALF_REGISTERS, true, v, v->K, out, in);
}

/* The numbers of blocks are those from which on two halves and one half cost less than what is
 * narrower. */
VEC_FN void halves_encrypt_blocks(size_t two_halves_from, size_t half_from, const void *key,
                                  uint8_t *out, const uint8_t *in, size_t n_blocks)
{
    vector_blocks blocks = {out, in, n_blocks};
    vector_crypt_by(two_halves_encrypt, TWO_HALVES_BLOCKS, two_halves_from, key, &blocks);
    vector_crypt_by(half_encrypt, HALF_BLOCKS, half_from, key, &blocks);
    vector_crypt_by(one_encrypt, 1, 1, key, &blocks);
}

VEC_FN void halves_decrypt_blocks(size_t two_halves_from, size_t half_from, const void *key,
                                  uint8_t *out, const uint8_t *in, size_t n_blocks)
{
    vector_blocks blocks = {out, in, n_blocks};
    vector_crypt_by(two_halves_decrypt, TWO_HALVES_BLOCKS, two_halves_from, key, &blocks);
    vector_crypt_by(half_decrypt, HALF_BLOCKS, half_from, key, &blocks);
    vector_crypt_by(one_decrypt, 1, 1, key, &blocks);
}

#endif
