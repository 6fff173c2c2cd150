/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The layout "words" of vector.h: VEC_BYTES / 4 blocks, a word of the state in one register.
 */
#ifndef MF_SRC_TWOFISH_VECTOR_WORDS_H
#define MF_SRC_TWOFISH_VECTOR_WORDS_H

#include "vector.h"

enum { WORDS_BLOCKS = VEC_BYTES / 4 };

VEC_FN void words_load(vec R[4], const uint8_t *in, const uint32_t *K)
{
    VEC_UNROLL
    for (size_t i = 0; i < 4; i++) {
        R[i] = vec_load(in + i * VEC_BYTES);
    }
    vec_transpose_words(R);
    VEC_UNROLL
    for (size_t i = 0; i < 4; i++) {
        R[i] = vec_xor(R[i], vec_set32(K[i]));
    }
}

VEC_FN void words_store(uint8_t *out, const vec R[4], const uint32_t *K)
{
    vec r[4] = {R[2], R[3], R[0], R[1]};
    VEC_UNROLL
    for (size_t i = 0; i < 4; i++) {
        r[i] = vec_xor(r[i], vec_set32(K[i]));
    }
    vec_transpose_words(r);
    VEC_UNROLL
    for (size_t i = 0; i < 4; i++) {
        vec_store(out + i * VEC_BYTES, r[i]);
    }
}

/* (F0, F1) of a round. */
typedef struct words_sums {
    vec F0, F1;
} words_sums;

VEC_FN words_sums words_f(const vector_key *key, const vec_places *places, const uint32_t *K, vec A,
                          vec B)
{
    const vec T0 = vector_mds_words(vec_lookup_places(key->S, places, A));
    const vec T1 = vector_mds_words(vec_lookup_places(key->S, places, vec_rotl32(B, 8)));
    const vec sum = vec_add32(T0, T1);
    const words_sums F = {vec_add32(sum, vec_set32(K[0])),
                          vec_add32(vec_add32(sum, T1), vec_set32(K[1]))};
    return F;
}

VEC_FN void words_encrypt_round(words_sums F, vec *C, vec *D)
{
    *C = vec_rotl32(vec_xor(*C, F.F0), 31);
    *D = vec_xor(vec_rotl32(*D, 1), F.F1);
}

VEC_FN void words_decrypt_round(words_sums F, vec *C, vec *D)
{
    *C = vec_xor(vec_rotl32(*C, 1), F.F0);
    *D = vec_rotl32(vec_xor(*D, F.F1), 31);
}

VEC_ENTRY void words_encrypt(const vector_key *key, uint8_t *out, const uint8_t *in)
{
    const vec_places places = vec_places_all();
    vec R[4];
    words_load(R, in, key->K + INPUT_WHITENING);
    for (size_t r = 0; r < MF_TWOFISH_ROUNDS; r += 2) {
        const uint32_t *K = key->K + ROUND_SUBKEYS + 2 * r;
        words_encrypt_round(words_f(key, &places, K, R[0], R[1]), &R[2], &R[3]);
        words_encrypt_round(words_f(key, &places, K + 2, R[2], R[3]), &R[0], &R[1]);
    }
    words_store(out, R, key->K + OUTPUT_WHITENING);
}

VEC_ENTRY void words_decrypt(const vector_key *key, uint8_t *out, const uint8_t *in)
{
    const vec_places places = vec_places_all();
    vec R[4];
    words_load(R, in, key->K + OUTPUT_WHITENING);
    for (size_t r = MF_TWOFISH_ROUNDS; r > 0; r -= 2) {
        const uint32_t *K = key->K + ROUND_SUBKEYS + 2 * (r - 2);
        words_decrypt_round(words_f(key, &places, K + 2, R[0], R[1]), &R[2], &R[3]);
        words_decrypt_round(words_f(key, &places, K, R[2], R[3]), &R[0], &R[1]);
    }
    words_store(out, R, key->K + INPUT_WHITENING);
}

#endif
