/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The layout "half" of vector.h: VEC_BYTES / 2 blocks, a word of the state in two registers. Both g of a
 * round take four registers, whose bytes are brought together by position, so that each S-box works
 * at full width. Two halves in turn make VEC_BYTES blocks: while one waits for the last results of its
 * round, the other one has work to do.
 */
#ifndef MF_SRC_TWOFISH_VECTOR_HALF_H
#define MF_SRC_TWOFISH_VECTOR_HALF_H

#include "vector.h"

enum { HALF_BLOCKS = VEC_BYTES / 2, HALF_BYTES = 16 * HALF_BLOCKS, TWO_HALVES_BLOCKS = VEC_BYTES };

typedef struct half_state {
    vec R[4][2];
} half_state;

VEC_FN void half_load(half_state *s, const uint8_t *in, const uint32_t *K)
{
    VEC_UNROLL
    for (size_t i = 0; i < 2; i++, in += sizeof(vec[4])) {
        vec r[4] = {vec_load(in), vec_load(in + VEC_BYTES), vec_load(in + 2 * VEC_BYTES),
                    vec_load(in + 3 * VEC_BYTES)};
        vec_transpose_words(r);
        VEC_UNROLL
        for (size_t j = 0; j < 4; j++) {
            s->R[j][i] = vec_xor(r[j], vec_set32(K[j]));
        }
    }
}

/* Undoes the swap of the last round, as mf_twofish_store does. */
VEC_FN void half_store(uint8_t *out, const half_state *s, const uint32_t *K)
{
    VEC_UNROLL
    for (size_t i = 0; i < 2; i++, out += sizeof(vec[4])) {
        vec r[4];
        VEC_UNROLL
        for (size_t j = 0; j < 4; j++) {
            r[j] = vec_xor(s->R[(j + 2) & 3][i], vec_set32(K[j]));
        }
        vec_transpose_words(r);
        VEC_UNROLL
        for (size_t j = 0; j < 4; j++) {
            vec_store(out + j * VEC_BYTES, r[j]);
        }
    }
}

/* T[0], T[1] = g(A); T[2], T[3] = g(ROL(B, 8)). */
VEC_FN void half_g(vector_s_boxes *s_boxes, const vector_key *key, vec T[4], const vec A[2],
                   const vec B[2])
{
    T[0] = A[0];
    T[1] = A[1];
    T[2] = B[0];
    T[3] = B[1];
    vec_words_to_bytes_turned(T);
    s_boxes(key, T);
    vector_mds(T);
    vec_bytes_to_words(T);
}

/* F on (A, B), then its outputs into (C, D); as the rounds of rounds.h. */
VEC_FN void half_encrypt_round(vector_s_boxes *s_boxes, const vector_key *key, const uint32_t *K,
                               const vec A[2], const vec B[2], vec C[2], vec D[2])
{
    vec T[4];
    VEC_RELOAD(key);
    half_g(s_boxes, key, T, A, B);
    VEC_UNROLL
    for (size_t i = 0; i < 2; i++) {
        const vec sum = vec_add32(T[i], T[2 + i]);
        const vec F0 = vec_add32(sum, vec_set32(K[0]));
        const vec F1 = vec_add32(vec_add32(sum, T[2 + i]), vec_set32(K[1]));
        C[i] = vec_rotl32(vec_xor(C[i], F0), 31);
        D[i] = vec_xor(vec_rotl32(D[i], 1), F1);
    }
}

VEC_FN void half_decrypt_round(vector_s_boxes *s_boxes, const vector_key *key, const uint32_t *K,
                               const vec A[2], const vec B[2], vec C[2], vec D[2])
{
    vec T[4];
    VEC_RELOAD(key);
    half_g(s_boxes, key, T, A, B);
    VEC_UNROLL
    for (size_t i = 0; i < 2; i++) {
        const vec sum = vec_add32(T[i], T[2 + i]);
        const vec F0 = vec_add32(sum, vec_set32(K[0]));
        const vec F1 = vec_add32(vec_add32(sum, T[2 + i]), vec_set32(K[1]));
        C[i] = vec_xor(vec_rotl32(C[i], 1), F0);
        D[i] = vec_rotl32(vec_xor(D[i], F1), 31);
    }
}

VEC_FN void half_encrypt_by(vector_s_boxes *s_boxes, const vector_key *key, uint8_t *out,
                            const uint8_t *in)
{
    half_state s;
    half_load(&s, in, key->K + INPUT_WHITENING);
    for (size_t r = 0; r < MF_TWOFISH_ROUNDS; r += 2) {
        const uint32_t *K = key->K + ROUND_SUBKEYS + 2 * r;
        half_encrypt_round(s_boxes, key, K, s.R[0], s.R[1], s.R[2], s.R[3]);
        half_encrypt_round(s_boxes, key, K + 2, s.R[2], s.R[3], s.R[0], s.R[1]);
    }
    half_store(out, &s, key->K + OUTPUT_WHITENING);
}

VEC_FN void half_decrypt_by(vector_s_boxes *s_boxes, const vector_key *key, uint8_t *out,
                            const uint8_t *in)
{
    half_state s;
    half_load(&s, in, key->K + OUTPUT_WHITENING);
    for (size_t r = MF_TWOFISH_ROUNDS; r > 0; r -= 2) {
        const uint32_t *K = key->K + ROUND_SUBKEYS + 2 * (r - 2);
        half_decrypt_round(s_boxes, key, K + 2, s.R[0], s.R[1], s.R[2], s.R[3]);
        half_decrypt_round(s_boxes, key, K, s.R[2], s.R[3], s.R[0], s.R[1]);
    }
    half_store(out, &s, key->K + INPUT_WHITENING);
}

VEC_FN void two_halves_encrypt_by(vector_s_boxes *s_boxes, const vector_key *key, uint8_t *out,
                                  const uint8_t *in)
{
    half_state s;
    half_state t;
    half_load(&s, in, key->K + INPUT_WHITENING);
    half_load(&t, in + HALF_BYTES, key->K + INPUT_WHITENING);
    for (size_t r = 0; r < MF_TWOFISH_ROUNDS; r += 2) {
        const uint32_t *K = key->K + ROUND_SUBKEYS + 2 * r;
        half_encrypt_round(s_boxes, key, K, s.R[0], s.R[1], s.R[2], s.R[3]);
        half_encrypt_round(s_boxes, key, K, t.R[0], t.R[1], t.R[2], t.R[3]);
        half_encrypt_round(s_boxes, key, K + 2, s.R[2], s.R[3], s.R[0], s.R[1]);
        half_encrypt_round(s_boxes, key, K + 2, t.R[2], t.R[3], t.R[0], t.R[1]);
    }
    half_store(out, &s, key->K + OUTPUT_WHITENING);
    half_store(out + HALF_BYTES, &t, key->K + OUTPUT_WHITENING);
}

VEC_FN void two_halves_decrypt_by(vector_s_boxes *s_boxes, const vector_key *key, uint8_t *out,
                                  const uint8_t *in)
{
    half_state s;
    half_state t;
    half_load(&s, in, key->K + OUTPUT_WHITENING);
    half_load(&t, in + HALF_BYTES, key->K + OUTPUT_WHITENING);
    for (size_t r = MF_TWOFISH_ROUNDS; r > 0; r -= 2) {
        const uint32_t *K = key->K + ROUND_SUBKEYS + 2 * (r - 2);
        half_decrypt_round(s_boxes, key, K + 2, s.R[0], s.R[1], s.R[2], s.R[3]);
        half_decrypt_round(s_boxes, key, K + 2, t.R[0], t.R[1], t.R[2], t.R[3]);
        half_decrypt_round(s_boxes, key, K, s.R[2], s.R[3], s.R[0], s.R[1]);
        half_decrypt_round(s_boxes, key, K, t.R[2], t.R[3], t.R[0], t.R[1]);
    }
    half_store(out, &s, key->K + INPUT_WHITENING);
    half_store(out + HALF_BYTES, &t, key->K + INPUT_WHITENING);
}

VEC_ENTRY void half_encrypt(const vector_key *key, uint8_t *out, const uint8_t *in)
{
    half_encrypt_by(vector_tables, key, out, in);
}

VEC_ENTRY void half_decrypt(const vector_key *key, uint8_t *out, const uint8_t *in)
{
    half_decrypt_by(vector_tables, key, out, in);
}

VEC_ENTRY void two_halves_encrypt(const vector_key *key, uint8_t *out, const uint8_t *in)
{
    two_halves_encrypt_by(vector_tables, key, out, in);
}

VEC_ENTRY void two_halves_decrypt(const vector_key *key, uint8_t *out, const uint8_t *in)
{
    two_halves_decrypt_by(vector_tables, key, out, in);
}

#endif
