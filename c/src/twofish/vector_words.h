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

VEC_FN void words_encrypt_round(const vector_key *key, const uint32_t *K, vec A, vec B, vec *C,
                                vec *D)
{
    const vec T0 = vector_g(key->S, A);
    const vec T1 = vector_g(key->S, vec_rotl32(B, 8));
    const vec sum = vec_add32(T0, T1);
    const vec F0 = vec_add32(sum, vec_set32(K[0]));
    const vec F1 = vec_add32(vec_add32(sum, T1), vec_set32(K[1]));
    *C = vec_rotl32(vec_xor(*C, F0), 31);
    *D = vec_xor(vec_rotl32(*D, 1), F1);
}

VEC_FN void words_decrypt_round(const vector_key *key, const uint32_t *K, vec A, vec B, vec *C,
                                vec *D)
{
    const vec T0 = vector_g(key->S, A);
    const vec T1 = vector_g(key->S, vec_rotl32(B, 8));
    const vec sum = vec_add32(T0, T1);
    const vec F0 = vec_add32(sum, vec_set32(K[0]));
    const vec F1 = vec_add32(vec_add32(sum, T1), vec_set32(K[1]));
    *C = vec_xor(vec_rotl32(*C, 1), F0);
    *D = vec_rotl32(vec_xor(*D, F1), 31);
}

VEC_ENTRY void words_encrypt(const vector_key *key, uint8_t *out, const uint8_t *in)
{
    vec R[4];
    words_load(R, in, key->K + INPUT_WHITENING);
    for (size_t r = 0; r < MF_TWOFISH_ROUNDS; r += 2) {
        const uint32_t *K = key->K + ROUND_SUBKEYS + 2 * r;
        words_encrypt_round(key, K, R[0], R[1], &R[2], &R[3]);
        words_encrypt_round(key, K + 2, R[2], R[3], &R[0], &R[1]);
    }
    words_store(out, R, key->K + OUTPUT_WHITENING);
}

VEC_ENTRY void words_decrypt(const vector_key *key, uint8_t *out, const uint8_t *in)
{
    vec R[4];
    words_load(R, in, key->K + OUTPUT_WHITENING);
    for (size_t r = MF_TWOFISH_ROUNDS; r > 0; r -= 2) {
        const uint32_t *K = key->K + ROUND_SUBKEYS + 2 * (r - 2);
        words_decrypt_round(key, K + 2, R[0], R[1], &R[2], &R[3]);
        words_decrypt_round(key, K, R[2], R[3], &R[0], &R[1]);
    }
    words_store(out, R, key->K + INPUT_WHITENING);
}

#endif
