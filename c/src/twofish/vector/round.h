/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The rounds of Twofish on vector units, in the order of the paper and written once. A kernel
 * includes the vector type of its instruction set (common/vec_*.h) before. No branch and no address
 * depends on a secret.
 *
 * All of a table of 256 bytes is read for each lookup, from registers or by loads in a fixed order;
 * what makes that fast is that it serves many bytes at once. Where the state of the blocks lies is
 * a layout:
 *
 *   wide   VEC_BYTES blocks, a word of the state in four registers       kernels/avx512.c
 *   loops  VEC_BYTES blocks, a word in four registers' worth of memory   kernels/simd128.c
 *   half   VEC_BYTES / 2 blocks, a word in two registers                 half.h
 *   words  VEC_BYTES / 4 blocks, a word in one register                  kernels/avx512.c
 *   pairs  VEC_BYTES / 8 blocks, half of the state in one register       kernels/avx512.c
 *   narrow two blocks, as pairs in a register of 16 bytes                kernels/avx512.c
 *   one    one block, the same in every lane                             one.h
 *
 * The first four bring n registers a word and a g. They get the rounds and, except for `loops`,
 * which has loops of its own around them, encryption and decryption of their blocks, or of two such
 * groups in turn; after inlining nothing of the function pointer is left. The last three have two
 * words in one register, so the lines of F are other ones there.
 */
#ifndef MF_SRC_TWOFISH_VECTOR_ROUND_H
#define MF_SRC_TWOFISH_VECTOR_ROUND_H

#include "../kernel.h"
#include "../tables/tables.h"

typedef struct vector_key {
    uint32_t K[MF_TWOFISH_SUBKEYS];
    uint32_t s_words[MF_TWOFISH_MAX_K];
    vec_table S[4]; /* the key-dependent S-boxes, without the MDS matrix */
} vector_key;

_Static_assert(sizeof(vector_key) <= MF_TWOFISH_EXPANDED_KEY_BYTES, "no room for the key");

/* In each lane byte i becomes byte pattern[i]; VECTOR_NONE gives 0. */
enum { VECTOR_NONE = 0x80 };

VEC_FN vec vector_shuffle(vec x, const uint8_t pattern[16])
{
    return vec_shuffle(x, vec_load_lanes(pattern));
}

/* --- g on bytes sorted by position ------------------------------------------------------------ */

/* The four S-boxes, each on all bytes of its position. */
typedef void vector_s_boxes(const void *key, vec y[4]);

VEC_FN void vector_s_boxes_by_tables(const void *key, vec y[4])
{
    const vector_key *v = key;
    VEC_UNROLL
    for (size_t j = 0; j < 4; j++) {
        y[j] = vec_lookup(&v->S[j], y[j]);
    }
}

/* The MDS matrix. [Twofish98, 4.2] */
VEC_FN void vector_mds(vec y[4])
{
    const vec y0 = y[0];
    const vec y1 = y[1];
    const vec y2 = y[2];
    const vec y3 = y[3];
    const vec ef0 = vec_map(&mf_twofish_times_ef, y0);
    const vec ef1 = vec_map(&mf_twofish_times_ef, y1);
    const vec ef2 = vec_map(&mf_twofish_times_ef, y2);
    const vec ef3 = vec_map(&mf_twofish_times_ef, y3);
    const vec s0 = vec_map(&mf_twofish_times_5b, y0);
    const vec s1 = vec_map(&mf_twofish_times_5b, y1);
    const vec s2 = vec_map(&mf_twofish_times_5b, y2);
    const vec s3 = vec_map(&mf_twofish_times_5b, y3);
    y[0] = vec_xor(vec_xor3(y0, ef1, s2), s3);
    y[1] = vec_xor(vec_xor3(s0, ef1, ef2), y3);
    y[2] = vec_xor(vec_xor3(ef0, s1, y2), ef3);
    y[3] = vec_xor(vec_xor3(ef0, y1, ef2), s3);
}

/* --- F and the rounds ------------------------------------------------------------------------- */

/* The most registers that a word of the state takes. A layout of fewer leaves the others alone. */
enum { VECTOR_WORD = 4 };

/* T[0] = g(A), T[1] = g(ROL(B, 8)). */
typedef void vector_g(const void *key, vec T[2][VECTOR_WORD], const vec A[VECTOR_WORD],
                      const vec B[VECTOR_WORD]);

typedef struct vector_f {
    vec F0, F1;
} vector_f;

/* PHT and subkeys of a round. [Twofish98, 4.1] */
VEC_FN vector_f vector_pht(vec T0, vec T1, const uint32_t K[2])
{
    const vec sum = vec_add32(T0, T1);
    const vector_f F = {vec_add32(sum, vec_set32(K[0])),
                        vec_add32(vec_add32(sum, T1), vec_set32(K[1]))};
    return F;
}

/* F on (A, B), then its outputs into (C, D). The swap of the halves is left to the caller, who
 * exchanges the arguments. */
VEC_FN void vector_encrypt_round(vector_g *g, const void *key, const uint32_t K[2], size_t n,
                                 const vec *A, const vec *B, vec *C, vec *D)
{
    vec T[2][VECTOR_WORD];
    g(key, T, A, B);
    VEC_EACH
    for (size_t i = 0; i < n; i++) {
        const vector_f F = vector_pht(T[0][i], T[1][i], K);
        C[i] = vec_rotl32(vec_xor(C[i], F.F0), 31);
        D[i] = vec_xor(vec_rotl32(D[i], 1), F.F1);
    }
}

VEC_FN void vector_decrypt_round(vector_g *g, const void *key, const uint32_t K[2], size_t n,
                                 const vec *A, const vec *B, vec *C, vec *D)
{
    vec T[2][VECTOR_WORD];
    g(key, T, A, B);
    VEC_EACH
    for (size_t i = 0; i < n; i++) {
        const vector_f F = vector_pht(T[0][i], T[1][i], K);
        C[i] = vec_xor(vec_rotl32(C[i], 1), F.F0);
        D[i] = vec_rotl32(vec_xor(D[i], F.F1), 31);
    }
}

/* --- The cipher ------------------------------------------------------------------------------- */

/* Word j of the state of a group of blocks is R[j]. */
VEC_FN void vector_load(vec R[4][VECTOR_WORD], size_t n, const uint8_t *in, const uint32_t *K)
{
    VEC_EACH
    for (size_t i = 0; i < n; i++, in += sizeof(vec[4])) {
        vec r[4] = {vec_load(in), vec_load(in + VEC_BYTES), vec_load(in + 2 * VEC_BYTES),
                    vec_load(in + 3 * VEC_BYTES)};
        vec_transpose_words(r);
        VEC_UNROLL
        for (size_t j = 0; j < 4; j++) {
            R[j][i] = vec_xor(r[j], vec_set32(K[j]));
        }
    }
}

/* Undoes the swap of the last round, as mf_twofish_store does. */
VEC_FN void vector_store(uint8_t *out, vec R[4][VECTOR_WORD], size_t n, const uint32_t *K)
{
    VEC_EACH
    for (size_t i = 0; i < n; i++, out += sizeof(vec[4])) {
        vec r[4];
        VEC_UNROLL
        for (size_t j = 0; j < 4; j++) {
            r[j] = vec_xor(R[(j + 2) & 3][i], vec_set32(K[j]));
        }
        vec_transpose_words(r);
        VEC_UNROLL
        for (size_t j = 0; j < 4; j++) {
            vec_store(out + j * VEC_BYTES, r[j]);
        }
    }
}

/* A group of n * VEC_BYTES / 4 blocks, or two in turn: while one waits for the last results of its
 * round, the other one has work to do. */
VEC_FN void vector_encrypt(vector_g *g, size_t n, bool two, const void *key, const uint32_t *K,
                           uint8_t *out, const uint8_t *in)
{
    const size_t group_bytes = n * sizeof(vec[4]);
    vec R[4][VECTOR_WORD], Q[4][VECTOR_WORD]; /* one array would be kept in memory */
    vector_load(R, n, in, K + INPUT_WHITENING);
    if (two) {
        vector_load(Q, n, in + group_bytes, K + INPUT_WHITENING);
    }
    for (size_t r = 0; r < MF_TWOFISH_ROUNDS; r += 2) {
        const uint32_t *k = K + ROUND_SUBKEYS + 2 * r;
        vector_encrypt_round(g, key, k, n, R[0], R[1], R[2], R[3]);
        if (two) {
            vector_encrypt_round(g, key, k, n, Q[0], Q[1], Q[2], Q[3]);
        }
        vector_encrypt_round(g, key, k + 2, n, R[2], R[3], R[0], R[1]);
        if (two) {
            vector_encrypt_round(g, key, k + 2, n, Q[2], Q[3], Q[0], Q[1]);
        }
    }
    vector_store(out, R, n, K + OUTPUT_WHITENING);
    if (two) {
        vector_store(out + group_bytes, Q, n, K + OUTPUT_WHITENING);
    }
}

VEC_FN void vector_decrypt(vector_g *g, size_t n, bool two, const void *key, const uint32_t *K,
                           uint8_t *out, const uint8_t *in)
{
    const size_t group_bytes = n * sizeof(vec[4]);
    vec R[4][VECTOR_WORD], Q[4][VECTOR_WORD];
    vector_load(R, n, in, K + OUTPUT_WHITENING);
    if (two) {
        vector_load(Q, n, in + group_bytes, K + OUTPUT_WHITENING);
    }
    for (size_t r = MF_TWOFISH_ROUNDS; r > 0; r -= 2) {
        const uint32_t *k = K + ROUND_SUBKEYS + 2 * (r - 2);
        vector_decrypt_round(g, key, k + 2, n, R[0], R[1], R[2], R[3]);
        if (two) {
            vector_decrypt_round(g, key, k + 2, n, Q[0], Q[1], Q[2], Q[3]);
        }
        vector_decrypt_round(g, key, k, n, R[2], R[3], R[0], R[1]);
        if (two) {
            vector_decrypt_round(g, key, k, n, Q[2], Q[3], Q[0], Q[1]);
        }
    }
    vector_store(out, R, n, K + INPUT_WHITENING);
    if (two) {
        vector_store(out + group_bytes, Q, n, K + INPUT_WHITENING);
    }
}

/* --- Any number of blocks --------------------------------------------------------------------- */

typedef void vector_crypt(const void *key, uint8_t *out, const uint8_t *in);

/* The blocks left to do. */
typedef struct vector_blocks {
    uint8_t *out;
    const uint8_t *in;
    size_t n;
} vector_blocks;

/* Fewer blocks than crypt takes, through a buffer. Their number is hidden from gcc: where it knows
 * that a size is small it copies by REP MOVS, and the call takes up to 8 % longer. */
VEC_FN void vector_crypt_partly(vector_crypt *crypt, size_t lanes, const void *key,
                                const vector_blocks *blocks)
{
    const size_t n_bytes = (size_t)mf_opaque64(16 * blocks->n);
    uint8_t buffer[16 * VEC_BYTES];
    memcpy(buffer, blocks->in, n_bytes);
    memset(buffer + n_bytes, 0, 16 * lanes - n_bytes);
    crypt(key, buffer, buffer);
    memcpy(blocks->out, buffer, n_bytes);
    mf_wipe(buffer, 16 * lanes);
}

/* By `crypt`, which takes `lanes` blocks, as long as at least `from` are left: from this number on
 * it costs less, only partly filled, than several calls of the next narrower one. How many are left
 * is hidden from gcc, too, or it keeps both addresses on the stack beside the buffer, where the
 * check of machine code (tests/machine_code) loses sight of them. */
VEC_FN void vector_crypt_by(vector_crypt *crypt, size_t lanes, size_t from, const void *key,
                            vector_blocks *blocks)
{
    for (; blocks->n >= lanes; blocks->n = (size_t)mf_opaque64(blocks->n - lanes)) {
        crypt(key, blocks->out, blocks->in);
        blocks->in += 16 * lanes;
        blocks->out += 16 * lanes;
    }
    if (from < lanes && blocks->n >= from) {
        vector_crypt_partly(crypt, lanes, key, blocks);
        blocks->n = 0;
    }
}

#endif
