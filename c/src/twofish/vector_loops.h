/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The layout "loops" of vector.h: VEC_BYTES blocks, a word of the state in four registers' worth of memory. The bytes
 * of a position are brought together, as in the layout "wide", but each step is a short loop that loads, works and
 * stores: for WebAssembly, whose engines order the instructions between two jumps anew. In long stretches without one
 * they keep far more values than there are registers: the layout "half", unrolled, takes three times as long.
 */
#ifndef MF_SRC_TWOFISH_VECTOR_LOOPS_H
#define MF_SRC_TWOFISH_VECTOR_LOOPS_H

#include "vector.h"

enum {
    LOOPS_BLOCKS = VEC_BYTES,
    TWO_LOOPS_BLOCKS = 2 * VEC_BYTES,
    LOOPS_GROUP_BYTES = 16 * LOOPS_BLOCKS
};

/* A number of runs that the compiler does not know, or it would unroll the loop. */
MF_INLINE size_t loops_of(size_t n)
{
    __asm__("" : "+r"(n));
    return n;
}

/* VEC_BYTES blocks: a word of the state is four registers, and so is the byte at a position of all words. */
typedef struct loops_group {
    vec R[4][4];
    vec Y[2][4]; /* g(A), g(ROL(B, 8)) */
} loops_group;

VEC_FN void loops_load(loops_group *s, const uint8_t *in, const uint32_t *K)
{
    for (size_t i = 0; i < loops_of(4); i++) {
        vec r[4];
        VEC_UNROLL
        for (size_t j = 0; j < 4; j++) {
            r[j] = vec_load(in + (4 * i + j) * VEC_BYTES);
        }
        vec_transpose_words(r);
        VEC_UNROLL
        for (size_t j = 0; j < 4; j++) {
            s->R[j][i] = vec_xor(r[j], vec_set32(K[j]));
        }
    }
}

/* Undoes the swap of the last round, as mf_twofish_store does. */
VEC_FN void loops_store(uint8_t *out, const loops_group *s, const uint32_t *K)
{
    for (size_t i = 0; i < loops_of(4); i++) {
        vec r[4];
        VEC_UNROLL
        for (size_t j = 0; j < 4; j++) {
            r[j] = vec_xor(s->R[(j + 2) & 3][i], vec_set32(K[j]));
        }
        vec_transpose_words(r);
        VEC_UNROLL
        for (size_t j = 0; j < 4; j++) {
            vec_store(out + (4 * i + j) * VEC_BYTES, r[j]);
        }
    }
}

/* The bytes of four registers of words go to Y; byte j of the words to position j + turn. */
VEC_FN void loops_to_bytes(vec Y[4], const vec X[4], size_t turn)
{
    vec r[4] = {X[0], X[1], X[2], X[3]};
    vec_words_to_bytes(r);
    VEC_UNROLL
    for (size_t j = 0; j < 4; j++) {
        Y[(j + turn) & 3] = r[j];
    }
}

/* In the field of the MDS matrix, which is modulo x^8 + x^6 + x^5 + x^3 + 1 [Twofish98, 4.2]. */
VEC_FN vec loops_divide(vec y)
{
    return vec_divide(y, 0x69);
}

/* The MDS matrix on bytes sorted by position [Twofish98, 4.2]. With D for a division by x, EF is 1 + D + D^2 and 5B is
 * 1 + D^2. */
VEC_FN void loops_mds(vec y[4])
{
    const vec sum = vec_xor3(vec_xor(y[0], y[1]), y[2], y[3]);
    const vec d0 = loops_divide(vec_xor(sum, y[0]));
    const vec d1 = loops_divide(vec_xor(sum, y[1]));
    const vec d2 = loops_divide(vec_xor(sum, y[2]));
    const vec d3 = loops_divide(vec_xor(sum, y[3]));
    const vec z0 = loops_divide(vec_xor(d0, y[1]));
    const vec z1 = loops_divide(vec_xor3(d3, y[1], y[2]));
    const vec z2 = loops_divide(vec_xor3(d2, y[0], y[3]));
    const vec z3 = loops_divide(vec_xor3(d1, y[0], y[2]));
    y[0] = vec_xor(sum, z0);
    y[1] = vec_xor(sum, z1);
    y[2] = vec_xor(sum, z2);
    y[3] = vec_xor(sum, z3);
}

/* Y of each group = g(A), g(ROL(B, 8)), as words; A is word a of the state, B the next one. */
VEC_FN void loops_g(const vector_key *key, loops_group *s, size_t n_groups, size_t a)
{
    for (size_t h = 0; h < loops_of(n_groups); h++) {
        loops_to_bytes(s[h].Y[0], s[h].R[a], 0);
        loops_to_bytes(s[h].Y[1], s[h].R[a + 1], 1);
    }
    for (size_t j = 0; j < loops_of(4); j += 2) {
        for (size_t h = 0; h < loops_of(n_groups); h++) {
            vec_lookup_two(&key->S[j], &s[h].Y[0][j], &s[h].Y[1][j]);
        }
    }
    for (size_t h = 0; h < loops_of(2 * n_groups); h++) {
        vec *Y = s[h / 2].Y[h % 2];
        vec y[4] = {Y[0], Y[1], Y[2], Y[3]};
        loops_mds(y);
        vec_bytes_to_words(y);
        VEC_UNROLL
        for (size_t j = 0; j < 4; j++) {
            Y[j] = y[j];
        }
    }
}

/* F on words a and a + 1, then its outputs into the other two; as the rounds of rounds.h. */
VEC_FN void loops_encrypt_round(const vector_key *key, const uint32_t *K, loops_group *s,
                                size_t n_groups, size_t a)
{
    loops_g(key, s, n_groups, a);
    for (size_t h = 0; h < loops_of(n_groups); h++) {
        for (size_t i = 0; i < loops_of(4); i++) {
            const vec sum = vec_add32(s[h].Y[0][i], s[h].Y[1][i]);
            const vec F0 = vec_add32(sum, vec_set32(K[0]));
            const vec F1 = vec_add32(vec_add32(sum, s[h].Y[1][i]), vec_set32(K[1]));
            vec *C = &s[h].R[2 - a][i];
            vec *D = &s[h].R[3 - a][i];
            *C = vec_rotl32(vec_xor(*C, F0), 31);
            *D = vec_xor(vec_rotl32(*D, 1), F1);
        }
    }
}

VEC_FN void loops_decrypt_round(const vector_key *key, const uint32_t *K, loops_group *s,
                                size_t n_groups, size_t a)
{
    loops_g(key, s, n_groups, a);
    for (size_t h = 0; h < loops_of(n_groups); h++) {
        for (size_t i = 0; i < loops_of(4); i++) {
            const vec sum = vec_add32(s[h].Y[0][i], s[h].Y[1][i]);
            const vec F0 = vec_add32(sum, vec_set32(K[0]));
            const vec F1 = vec_add32(vec_add32(sum, s[h].Y[1][i]), vec_set32(K[1]));
            vec *C = &s[h].R[2 - a][i];
            vec *D = &s[h].R[3 - a][i];
            *C = vec_xor(vec_rotl32(*C, 1), F0);
            *D = vec_rotl32(vec_xor(*D, F1), 31);
        }
    }
}

/* One or two groups. */
static MF_NOINLINE void loops_encrypt_by(const vector_key *key, uint8_t *out, const uint8_t *in,
                                         size_t n_groups)
{
    loops_group s[2];
    for (size_t h = 0; h < loops_of(n_groups); h++) {
        loops_load(&s[h], in + h * LOOPS_GROUP_BYTES, key->K + INPUT_WHITENING);
    }
    for (size_t r = 0; r < loops_of(MF_TWOFISH_ROUNDS); r++) {
        loops_encrypt_round(key, key->K + ROUND_SUBKEYS + 2 * r, s, n_groups, r % 2 * 2);
    }
    for (size_t h = 0; h < loops_of(n_groups); h++) {
        loops_store(out + h * LOOPS_GROUP_BYTES, &s[h], key->K + OUTPUT_WHITENING);
    }
}

static MF_NOINLINE void loops_decrypt_by(const vector_key *key, uint8_t *out, const uint8_t *in,
                                         size_t n_groups)
{
    loops_group s[2];
    for (size_t h = 0; h < loops_of(n_groups); h++) {
        loops_load(&s[h], in + h * LOOPS_GROUP_BYTES, key->K + OUTPUT_WHITENING);
    }
    for (size_t r = loops_of(MF_TWOFISH_ROUNDS); r > 0; r--) {
        loops_decrypt_round(key, key->K + ROUND_SUBKEYS + 2 * (r - 1), s, n_groups, r % 2 * 2);
    }
    for (size_t h = 0; h < loops_of(n_groups); h++) {
        loops_store(out + h * LOOPS_GROUP_BYTES, &s[h], key->K + INPUT_WHITENING);
    }
}

VEC_ENTRY void loops_encrypt(const vector_key *key, uint8_t *out, const uint8_t *in)
{
    loops_encrypt_by(key, out, in, 1);
}

VEC_ENTRY void loops_decrypt(const vector_key *key, uint8_t *out, const uint8_t *in)
{
    loops_decrypt_by(key, out, in, 1);
}

VEC_ENTRY void two_loops_encrypt(const vector_key *key, uint8_t *out, const uint8_t *in)
{
    loops_encrypt_by(key, out, in, 2);
}

VEC_ENTRY void two_loops_decrypt(const vector_key *key, uint8_t *out, const uint8_t *in)
{
    loops_decrypt_by(key, out, in, 2);
}

#endif
