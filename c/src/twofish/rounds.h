/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The rounds of Twofish [Twofish98, 4.1, 4.2], written once. A kernel brings its own g and gets
 * encryption and decryption of one block or of four interleaved ones; after inlining nothing of the
 * function pointer is left.
 */
#ifndef MF_SRC_TWOFISH_ROUNDS_H
#define MF_SRC_TWOFISH_ROUNDS_H

#include "../common/bytes.h"
#include "schedule.h"

/* g of X rotated left by 8 * turn bits, turn being 0 or 1. Taking the bytes of X in another order
 * is free, a rotation is not: 254 cycles a block instead of 279 (full, clang). */
typedef uint32_t mf_twofish_g(const void *key, uint32_t X, unsigned turn);

typedef struct mf_twofish_state {
    uint32_t R0, R1, R2, R3;
} mf_twofish_state;

/* The state is passed by pointer: by value, clang keeps two words in one register and takes them
 * apart in each round, which costs 0.7 cycles a byte (full, Zen 4). */
MF_INLINE void mf_twofish_load(mf_twofish_state *s, const uint8_t *in, const uint32_t *K)
{
    s->R0 = mf_load32_le(in) ^ K[0];
    s->R1 = mf_load32_le(in + 4) ^ K[1];
    s->R2 = mf_load32_le(in + 8) ^ K[2];
    s->R3 = mf_load32_le(in + 12) ^ K[3];
}

/* Swaps the halves, which undoes the swap of the last round, and whitens. */
MF_INLINE void mf_twofish_store(uint8_t *out, const mf_twofish_state *s, const uint32_t *K)
{
    mf_store32_le(out, s->R2 ^ K[0]);
    mf_store32_le(out + 4, s->R3 ^ K[1]);
    mf_store32_le(out + 8, s->R0 ^ K[2]);
    mf_store32_le(out + 12, s->R1 ^ K[3]);
}

/* F on (A, B), then its outputs into (C, D): PHT, round subkeys, one-bit rotations. The swap of the
 * halves is left to the caller, who exchanges the arguments.
 *
 * Each round waits for g in the one before, so what can be done before T1 is known comes first: the
 * rotation of an old word, and T0 plus each subkey. Compilers sort such sums by themselves, and
 * then a block alone costs up to 20 cycles more (full, gcc and clang, Zen 4). */
MF_INLINE void mf_twofish_encrypt_round(mf_twofish_g *g, const void *key, const uint32_t *K,
                                        uint32_t A, uint32_t B, uint32_t *C, uint32_t *D)
{
    const uint32_t turned_D = mf_rotl32(*D, 1);
    const uint32_t T0 = g(key, A, 0);
    const uint32_t T1 = g(key, B, 1);
    const uint32_t F1 = mf_opaque(T0 + K[1]) + 2 * T1;
    const uint32_t F0 = mf_opaque(T0 + K[0]) + T1;
    *C = mf_rotr32(*C ^ F0, 1);
    *D = turned_D ^ F1;
}

MF_INLINE void mf_twofish_decrypt_round(mf_twofish_g *g, const void *key, const uint32_t *K,
                                        uint32_t A, uint32_t B, uint32_t *C, uint32_t *D)
{
    const uint32_t turned_C = mf_rotl32(*C, 1);
    const uint32_t T0 = g(key, A, 0);
    const uint32_t T1 = g(key, B, 1);
    const uint32_t F1 = mf_opaque(T0 + K[1]) + 2 * T1;
    const uint32_t F0 = mf_opaque(T0 + K[0]) + T1;
    *C = turned_C ^ F0;
    *D = mf_rotr32(*D ^ F1, 1);
}

/* Two rounds, after which each half is back in its place. K points to four subkeys. */
MF_INLINE void mf_twofish_encrypt_cycle(mf_twofish_g *g, const void *key, const uint32_t *K,
                                        mf_twofish_state *s)
{
    mf_twofish_encrypt_round(g, key, K, s->R0, s->R1, &s->R2, &s->R3);
    mf_twofish_encrypt_round(g, key, K + 2, s->R2, s->R3, &s->R0, &s->R1);
}

MF_INLINE void mf_twofish_decrypt_cycle(mf_twofish_g *g, const void *key, const uint32_t *K,
                                        mf_twofish_state *s)
{
    mf_twofish_decrypt_round(g, key, K + 2, s->R0, s->R1, &s->R2, &s->R3);
    mf_twofish_decrypt_round(g, key, K, s->R2, s->R3, &s->R0, &s->R1);
}

MF_INLINE void mf_twofish_encrypt_1(mf_twofish_g *g, const void *key, const uint32_t *K,
                                    uint8_t *out, const uint8_t *in)
{
    mf_twofish_state s;
    mf_twofish_load(&s, in, K + INPUT_WHITENING);
    for (size_t r = 0; r < MF_TWOFISH_ROUNDS; r += 2) {
        mf_twofish_encrypt_cycle(g, key, K + ROUND_SUBKEYS + 2 * r, &s);
    }
    mf_twofish_store(out, &s, K + OUTPUT_WHITENING);
}

MF_INLINE void mf_twofish_decrypt_1(mf_twofish_g *g, const void *key, const uint32_t *K,
                                    uint8_t *out, const uint8_t *in)
{
    mf_twofish_state s;
    mf_twofish_load(&s, in, K + OUTPUT_WHITENING);
    for (size_t r = MF_TWOFISH_ROUNDS; r > 0; r -= 2) {
        mf_twofish_decrypt_cycle(g, key, K + ROUND_SUBKEYS + 2 * (r - 2), &s);
    }
    mf_twofish_store(out, &s, K + INPUT_WHITENING);
}

/* Four neighbouring blocks, interleaved so that some compute while others wait for memory. */
MF_INLINE void mf_twofish_encrypt_4(mf_twofish_g *g, const void *key, const uint32_t *K,
                                    uint8_t *out, const uint8_t *in)
{
    mf_twofish_state s, t, u, v;
    mf_twofish_load(&s, in, K + INPUT_WHITENING);
    mf_twofish_load(&t, in + 16, K + INPUT_WHITENING);
    mf_twofish_load(&u, in + 32, K + INPUT_WHITENING);
    mf_twofish_load(&v, in + 48, K + INPUT_WHITENING);
    for (size_t r = 0; r < MF_TWOFISH_ROUNDS; r += 2) {
        const uint32_t *k = K + ROUND_SUBKEYS + 2 * r;
        mf_twofish_encrypt_cycle(g, key, k, &s);
        mf_twofish_encrypt_cycle(g, key, k, &t);
        mf_twofish_encrypt_cycle(g, key, k, &u);
        mf_twofish_encrypt_cycle(g, key, k, &v);
    }
    mf_twofish_store(out, &s, K + OUTPUT_WHITENING);
    mf_twofish_store(out + 16, &t, K + OUTPUT_WHITENING);
    mf_twofish_store(out + 32, &u, K + OUTPUT_WHITENING);
    mf_twofish_store(out + 48, &v, K + OUTPUT_WHITENING);
}

MF_INLINE void mf_twofish_decrypt_4(mf_twofish_g *g, const void *key, const uint32_t *K,
                                    uint8_t *out, const uint8_t *in)
{
    mf_twofish_state s, t, u, v;
    mf_twofish_load(&s, in, K + OUTPUT_WHITENING);
    mf_twofish_load(&t, in + 16, K + OUTPUT_WHITENING);
    mf_twofish_load(&u, in + 32, K + OUTPUT_WHITENING);
    mf_twofish_load(&v, in + 48, K + OUTPUT_WHITENING);
    for (size_t r = MF_TWOFISH_ROUNDS; r > 0; r -= 2) {
        const uint32_t *k = K + ROUND_SUBKEYS + 2 * (r - 2);
        mf_twofish_decrypt_cycle(g, key, k, &s);
        mf_twofish_decrypt_cycle(g, key, k, &t);
        mf_twofish_decrypt_cycle(g, key, k, &u);
        mf_twofish_decrypt_cycle(g, key, k, &v);
    }
    mf_twofish_store(out, &s, K + INPUT_WHITENING);
    mf_twofish_store(out + 16, &t, K + INPUT_WHITENING);
    mf_twofish_store(out + 32, &u, K + INPUT_WHITENING);
    mf_twofish_store(out + 48, &v, K + INPUT_WHITENING);
}

/* All blocks, one after the other. */
MF_INLINE void mf_twofish_encrypt_singly(mf_twofish_g *g, const void *key, const uint32_t *K,
                                         uint8_t *out, const uint8_t *in, size_t n_blocks)
{
    for (; n_blocks > 0; n_blocks--, in += 16, out += 16) {
        mf_twofish_encrypt_1(g, key, K, out, in);
    }
}

MF_INLINE void mf_twofish_decrypt_singly(mf_twofish_g *g, const void *key, const uint32_t *K,
                                         uint8_t *out, const uint8_t *in, size_t n_blocks)
{
    for (; n_blocks > 0; n_blocks--, in += 16, out += 16) {
        mf_twofish_decrypt_1(g, key, K, out, in);
    }
}

/* All blocks, four at a time while they last. Bulk, gcc 12, Sapphire Rapids class: full 7.5 cycles
 * a byte instead of 14 one after the other, partial 9.9 instead of 19, minimal 17 instead of 26. */
MF_INLINE void mf_twofish_encrypt_many(mf_twofish_g *g, const void *key, const uint32_t *K,
                                       uint8_t *out, const uint8_t *in, size_t n_blocks)
{
    for (; n_blocks >= 4; n_blocks -= 4, in += 64, out += 64) {
        mf_twofish_encrypt_4(g, key, K, out, in);
    }
    mf_twofish_encrypt_singly(g, key, K, out, in, n_blocks);
}

MF_INLINE void mf_twofish_decrypt_many(mf_twofish_g *g, const void *key, const uint32_t *K,
                                       uint8_t *out, const uint8_t *in, size_t n_blocks)
{
    for (; n_blocks >= 4; n_blocks -= 4, in += 64, out += 64) {
        mf_twofish_decrypt_4(g, key, K, out, in);
    }
    mf_twofish_decrypt_singly(g, key, K, out, in, n_blocks);
}

#endif
