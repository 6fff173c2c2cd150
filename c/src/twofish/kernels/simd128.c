/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * WebAssembly with SIMD128: 32 or 16 blocks at a time, constant-time.
 */
#include "../kernel.h"

#if defined(__wasm_simd128__)

#include "../../common/vec_simd128.h"
#include "../../common/wipe.h"

#include "../vector/key.h"
#include "../vector/one.h"

VEC_FN vec vector_q(size_t which, vec x)
{
    return vector_q_by_steps(which, x);
}

/* --- The layout "loops" of round.h: VEC_BYTES blocks, a word of the state in four registers' worth
 * of memory */

/* The bytes of a position are brought together, but each step is a short loop that loads, works and
 * stores: engines reorder the instructions between two jumps, and in long stretches without one
 * they keep far more values than there are registers. The layout "half", unrolled, takes three
 * times as long. */
enum {
    LOOPS_REGISTERS = 4,
    LOOPS_BLOCKS = VEC_BYTES,
    LOOPS_BYTES = 16 * LOOPS_BLOCKS,
    TWO_LOOPS_BLOCKS = 2 * LOOPS_BLOCKS
};

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

/* The MDS matrix on bytes sorted by position [Twofish98, 4.2]. With D for a division by x, EF is 1
 * + D + D^2 and 5B is 1 + D^2. */
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

VEC_FN void loops_g(const void *key, vec T[2][VECTOR_WORD], const vec A[VECTOR_WORD],
                    const vec B[VECTOR_WORD])
{
    const vector_key *v = key;
    VEC_RELOAD(v);
    loops_to_bytes(T[0], A, 0);
    loops_to_bytes(T[1], B, 1);
    VEC_LOOP
    for (size_t j = 0; j < 4; j += 2) {
        vec_lookup_two(&v->S[j], &T[0][j], &T[1][j]);
    }
    VEC_LOOP
    for (size_t i = 0; i < 2; i++) {
        loops_mds(T[i]);
        vec_bytes_to_words(T[i]);
    }
}

/* One or two groups of blocks, in turn: loops over them, since what is inlined is large. */

VEC_FN void loops_load(vec R[2][4][VECTOR_WORD], size_t groups, const uint8_t *in,
                       const uint32_t *K)
{
    VEC_LOOP
    for (size_t i = 0; i < groups; i++) {
        vector_load(R[i], LOOPS_REGISTERS, in + i * LOOPS_BYTES, K);
    }
}

VEC_FN void loops_store(uint8_t *out, vec R[2][4][VECTOR_WORD], size_t groups, const uint32_t *K)
{
    VEC_LOOP
    for (size_t i = 0; i < groups; i++) {
        vector_store(out + i * LOOPS_BYTES, R[i], LOOPS_REGISTERS, K);
    }
}

static MF_NOINLINE void loops_encrypt_by(const vector_key *v, uint8_t *out, const uint8_t *in,
                                         size_t groups)
{
    vec R[2][4][VECTOR_WORD];
    loops_load(R, groups, in, v->K + INPUT_WHITENING);
    for (size_t r = 0; r < MF_TWOFISH_ROUNDS; r += 2) {
        const uint32_t *K = v->K + ROUND_SUBKEYS + 2 * r;
        VEC_LOOP
        for (size_t i = 0; i < groups; i++) {
            vector_encrypt_round(loops_g, v, K, LOOPS_REGISTERS, R[i][0], R[i][1], R[i][2],
                                 R[i][3]);
        }
        VEC_LOOP
        for (size_t i = 0; i < groups; i++) {
            vector_encrypt_round(loops_g, v, K + 2, LOOPS_REGISTERS, R[i][2], R[i][3], R[i][0],
                                 R[i][1]);
        }
    }
    loops_store(out, R, groups, v->K + OUTPUT_WHITENING);
}

static MF_NOINLINE void loops_decrypt_by(const vector_key *v, uint8_t *out, const uint8_t *in,
                                         size_t groups)
{
    vec R[2][4][VECTOR_WORD];
    loops_load(R, groups, in, v->K + OUTPUT_WHITENING);
    for (size_t r = MF_TWOFISH_ROUNDS; r > 0; r -= 2) {
        const uint32_t *K = v->K + ROUND_SUBKEYS + 2 * (r - 2);
        VEC_LOOP
        for (size_t i = 0; i < groups; i++) {
            vector_decrypt_round(loops_g, v, K + 2, LOOPS_REGISTERS, R[i][0], R[i][1], R[i][2],
                                 R[i][3]);
        }
        VEC_LOOP
        for (size_t i = 0; i < groups; i++) {
            vector_decrypt_round(loops_g, v, K, LOOPS_REGISTERS, R[i][2], R[i][3], R[i][0],
                                 R[i][1]);
        }
    }
    loops_store(out, R, groups, v->K + INPUT_WHITENING);
}

VEC_ENTRY void loops_encrypt(const void *key, uint8_t *out, const uint8_t *in)
{
    loops_encrypt_by(key, out, in, 1);
}

VEC_ENTRY void loops_decrypt(const void *key, uint8_t *out, const uint8_t *in)
{
    loops_decrypt_by(key, out, in, 1);
}

VEC_ENTRY void two_loops_encrypt(const void *key, uint8_t *out, const uint8_t *in)
{
    loops_encrypt_by(key, out, in, 2);
}

VEC_ENTRY void two_loops_decrypt(const void *key, uint8_t *out, const uint8_t *in)
{
    loops_decrypt_by(key, out, in, 2);
}

/* --- All blocks ------------------------------------------------------------------------------- */

/* From this many blocks on a wider layout costs less, only partly filled. Measured with Node 20 on
 * a Zen 4: 16 blocks take 2.8 times as long as one. */
enum { LOOPS_FROM = 3 };

VEC_ENTRY void encrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                              size_t n_blocks)
{
    vector_blocks blocks = {out, in, n_blocks};
    vector_crypt_by(two_loops_encrypt, TWO_LOOPS_BLOCKS, TWO_LOOPS_BLOCKS, expanded_key, &blocks);
    vector_crypt_by(loops_encrypt, LOOPS_BLOCKS, LOOPS_FROM, expanded_key, &blocks);
    vector_crypt_by(one_encrypt, 1, 1, expanded_key, &blocks);
}

VEC_ENTRY void decrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                              size_t n_blocks)
{
    vector_blocks blocks = {out, in, n_blocks};
    vector_crypt_by(two_loops_decrypt, TWO_LOOPS_BLOCKS, TWO_LOOPS_BLOCKS, expanded_key, &blocks);
    vector_crypt_by(loops_decrypt, LOOPS_BLOCKS, LOOPS_FROM, expanded_key, &blocks);
    vector_crypt_by(one_decrypt, 1, 1, expanded_key, &blocks);
}

const mf_twofish_kernel mf_twofish_simd128 = {
    .common.name = "simd128",
    .common.summary = "S-boxes by swizzles of 16 bytes",
    .common.cpu_features = MF_CPU_SIMD128,
    .common.expanded_key_bytes = sizeof(vector_key),
    .common.lanes = TWO_LOOPS_BLOCKS,
    .common.constant_time = true,
    .common.set_key_stack = 1280,
    .common.bulk_stack = 1536,
    .common.encrypt_blocks = encrypt_blocks,
    .common.decrypt_blocks = decrypt_blocks,
    .setup = &vector_setup,
    .set_key = vector_set_key,
};

#endif
