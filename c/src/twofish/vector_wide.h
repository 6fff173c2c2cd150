/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The wide layout of vector.h: VEC_BYTES blocks, a word of the state in four registers. For g, the
 * bytes of a position are brought together, so that each S-box works at full width.
 */
#ifndef MF_SRC_TWOFISH_VECTOR_WIDE_H
#define MF_SRC_TWOFISH_VECTOR_WIDE_H

#include "vector.h"

enum { WIDE_BLOCKS = VEC_BYTES };

typedef struct wide_state {
    vec R0[4], R1[4], R2[4], R3[4];
} wide_state;

VEC_FN wide_state wide_load(const uint8_t *in, const uint32_t *K)
{
    wide_state s;
    VEC_UNROLL
    for (size_t i = 0; i < 4; i++, in += sizeof(vec[4])) {
        vec r[4] = {vec_load(in), vec_load(in + VEC_BYTES), vec_load(in + 2 * VEC_BYTES),
                    vec_load(in + 3 * VEC_BYTES)};
        vec_transpose_words(r);
        s.R0[i] = vec_xor(r[0], vec_set32(K[0]));
        s.R1[i] = vec_xor(r[1], vec_set32(K[1]));
        s.R2[i] = vec_xor(r[2], vec_set32(K[2]));
        s.R3[i] = vec_xor(r[3], vec_set32(K[3]));
    }
    return s;
}

/* Undoes the swap of the last round, as mf_twofish_store does. */
VEC_FN void wide_store(uint8_t *out, const wide_state *s, const uint32_t *K)
{
    VEC_UNROLL
    for (size_t i = 0; i < 4; i++, out += sizeof(vec[4])) {
        vec r[4] = {vec_xor(s->R2[i], vec_set32(K[0])), vec_xor(s->R3[i], vec_set32(K[1])),
                    vec_xor(s->R0[i], vec_set32(K[2])), vec_xor(s->R1[i], vec_set32(K[3]))};
        vec_transpose_words(r);
        vec_store(out, r[0]);
        vec_store(out + VEC_BYTES, r[1]);
        vec_store(out + 2 * VEC_BYTES, r[2]);
        vec_store(out + 3 * VEC_BYTES, r[3]);
    }
}

/* T0 = g(A), T1 = g(ROL(B, 8)). Taking the bytes of B in another order is the rotation. */
VEC_FN void wide_g(const vec_table S[4], vec T0[4], vec T1[4], const vec A[4], const vec B[4])
{
    vec a[4] = {A[0], A[1], A[2], A[3]};
    vec b[4] = {B[0], B[1], B[2], B[3]};
    vec_words_to_bytes(a);
    vec_words_to_bytes(b);
    VEC_UNROLL
    for (size_t j = 0; j < 4; j++) {
        T0[j] = vec_lookup(&S[j], a[j]);
        T1[j] = vec_lookup(&S[j], b[(j + 3) & 3]);
    }
    vector_mds(T0);
    vec_bytes_to_words(T0);
    vector_mds(T1);
    vec_bytes_to_words(T1);
}

/* F on (A, B), then its outputs into (C, D); as the rounds of rounds.h. */
VEC_FN void wide_encrypt_round(const vector_key *key, const uint32_t *K, const vec A[4],
                               const vec B[4], vec C[4], vec D[4])
{
    vec T0[4];
    vec T1[4];
    VEC_RELOAD(key);
    wide_g(key->S, T0, T1, A, B);
    VEC_UNROLL
    for (size_t i = 0; i < 4; i++) {
        const vec sum = vec_add32(T0[i], T1[i]);
        const vec F0 = vec_add32(sum, vec_set32(K[0]));
        const vec F1 = vec_add32(vec_add32(sum, T1[i]), vec_set32(K[1]));
        C[i] = vec_rotl32(vec_xor(C[i], F0), 31);
        D[i] = vec_xor(vec_rotl32(D[i], 1), F1);
    }
}

VEC_FN void wide_decrypt_round(const vector_key *key, const uint32_t *K, const vec A[4],
                               const vec B[4], vec C[4], vec D[4])
{
    vec T0[4];
    vec T1[4];
    VEC_RELOAD(key);
    wide_g(key->S, T0, T1, A, B);
    VEC_UNROLL
    for (size_t i = 0; i < 4; i++) {
        const vec sum = vec_add32(T0[i], T1[i]);
        const vec F0 = vec_add32(sum, vec_set32(K[0]));
        const vec F1 = vec_add32(vec_add32(sum, T1[i]), vec_set32(K[1]));
        C[i] = vec_xor(vec_rotl32(C[i], 1), F0);
        D[i] = vec_rotl32(vec_xor(D[i], F1), 31);
    }
}

VEC_ENTRY void wide_encrypt(const vector_key *key, uint8_t *out, const uint8_t *in)
{
    wide_state s = wide_load(in, key->K + INPUT_WHITENING);
    for (size_t r = 0; r < MF_TWOFISH_ROUNDS; r += 2) {
        const uint32_t *K = key->K + ROUND_SUBKEYS + 2 * r;
        wide_encrypt_round(key, K, s.R0, s.R1, s.R2, s.R3);
        wide_encrypt_round(key, K + 2, s.R2, s.R3, s.R0, s.R1);
    }
    wide_store(out, &s, key->K + OUTPUT_WHITENING);
}

VEC_ENTRY void wide_decrypt(const vector_key *key, uint8_t *out, const uint8_t *in)
{
    wide_state s = wide_load(in, key->K + OUTPUT_WHITENING);
    for (size_t r = MF_TWOFISH_ROUNDS; r > 0; r -= 2) {
        const uint32_t *K = key->K + ROUND_SUBKEYS + 2 * (r - 2);
        wide_decrypt_round(key, K + 2, s.R0, s.R1, s.R2, s.R3);
        wide_decrypt_round(key, K, s.R2, s.R3, s.R0, s.R1);
    }
    wide_store(out, &s, key->K + INPUT_WHITENING);
}

#endif
