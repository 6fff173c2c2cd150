/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The tricks of [KarnThread] one by one: each kernel of this folder adds one to the kernel before,
 * and the last one is what sp2k does with one block. One block at a time, a round after the other.
 *
 *   karn-plain    S-boxes of 4 bits; results are ORed, P goes bit by bit; E by eight rotations
 *   karn-sp       tables have P behind each S-box
 *   karn-xor      what is looked up is XORed into the block at once, not ORed first
 *   karn-turns    even S-boxes, then odd ones: a rotation in place of eight, two words of subkeys
 *   karn-offsets  subkeys are shifted, so that each byte is the offset of a word
 *   karn-ip       IP and its inverse as by R. Outerbridge, not bit by bit
 *
 * In all of them the halves are kept rotated left by 3. Secrets index their lookup tables.
 */
#ifndef MF_STUDY_DES_LADDER_H
#define MF_STUDY_DES_LADDER_H

#include <manyfish/study/des.h>

#include "des/rounds.h"
#include "des/tables/tables.h"

/* IP or its inverse of the words of a block, between their form in the text and that in the
 * rounds. */
typedef void mf_des_ladder_permutation(uint32_t *l, uint32_t *r);

/* --- The steps that are taken later ----------------------------------------------------------- */

/* The eight rotations: the six bits of a half that go into S_n. */
MF_INLINE uint32_t mf_des_ladder_six(uint32_t r, unsigned n)
{
    return mf_rotl32(r, 4 * n - 2) & 63;
}

/* As the kernels before karn-turns have the subkeys: the byte of S_1 .. S_4 in the first word. */
void mf_des_ladder_set_in_order(void *expanded_key, const uint8_t *key, unsigned n_keys);

/* The six bits of a subkey for S_n, from there. */
MF_INLINE uint32_t mf_des_ladder_subkey(const uint32_t *K, unsigned n)
{
    return K[n > 4] >> (24 - 8 * ((n - 1) % 4)) & 63;
}

/* Bit by bit. [FIPS46-3] */
void mf_des_ladder_ip(uint32_t *l, uint32_t *r);
void mf_des_ladder_inverse_ip(uint32_t *l, uint32_t *r);

/* f with all tricks; of sp2k it differs in that lookups are XORed one after the other. */
MF_INLINE uint32_t mf_des_ladder_sp(const void *tables, size_t n, size_t bytes, unsigned i)
{
    return mf_des_word(tables, bytes >> (8 * i) & 0xFF, 256 * (n - 1));
}

MF_INLINE uint32_t mf_des_ladder_f(uint32_t l, uint32_t r, const void *round_key,
                                   const void *tables)
{
    const uint32_t *K = round_key;
    const size_t even = mf_opaque((r ^ K[0]) & 0xFCFCFCFC);
    const size_t odd = mf_opaque((mf_rotr32(r, 4) ^ K[1]) & 0xFCFCFCFC);

    l ^= mf_des_ladder_sp(tables, 8, even, 0);
    l ^= mf_des_ladder_sp(tables, 6, even, 1);
    l ^= mf_des_ladder_sp(tables, 4, even, 2);
    l ^= mf_des_ladder_sp(tables, 2, even, 3);
    l ^= mf_des_ladder_sp(tables, 7, odd, 0);
    l ^= mf_des_ladder_sp(tables, 5, odd, 1);
    l ^= mf_des_ladder_sp(tables, 3, odd, 2);
    l ^= mf_des_ladder_sp(tables, 1, odd, 3);
    return mf_opaque(l);
}

/* --- What all have in common ------------------------------------------------------------------ */

MF_INLINE void mf_des_ladder_block(mf_des_f *f, mf_des_ladder_permutation *ip,
                                   mf_des_ladder_permutation *inverse_ip, const mf_des_rounds *k,
                                   uint8_t *out, const uint8_t *in, bool decrypt)
{
    const ptrdiff_t step = (decrypt ? -1 : 1) * (ptrdiff_t)k->round_bytes;
    const uint8_t *K = (const uint8_t *)k->K + (decrypt ? (k->n_rounds - 1) * k->round_bytes : 0);
    const uint64_t block = mf_load64_be(in);
    uint32_t l = (uint32_t)(block >> 32);
    uint32_t r = (uint32_t)block;

    ip(&l, &r);
    for (size_t pass = 0; pass < k->n_rounds; pass += MF_DES_ROUNDS) {
        for (size_t i = 0; i < MF_DES_ROUNDS; i += 2, K += 2 * step) {
            l = f(l, r, K, k->tables);
            r = f(r, l, K + step, k->tables);
        }
        const uint32_t old_l = l;
        l = r;
        r = old_l;
    }
    inverse_ip(&l, &r);
    mf_store64_be(out, (uint64_t)l << 32 | r);
}

MF_INLINE void mf_des_ladder_crypt(mf_des_f *f, mf_des_ladder_permutation *ip,
                                   mf_des_ladder_permutation *inverse_ip, const void *expanded_key,
                                   uint8_t *out, const uint8_t *in, size_t n_blocks, bool decrypt)
{
    const mf_des_rounds k = mf_des_rounds_of(expanded_key, mf_des_sp);

    for (; n_blocks > 0; n_blocks--, out += MF_DES_BLOCK_BYTES, in += MF_DES_BLOCK_BYTES) {
        mf_des_ladder_block(f, ip, inverse_ip, &k, out, in, decrypt);
    }
}

/* The kernel of a file: from its f, its permutations and its set_key. */
#define MF_DES_LADDER_KERNEL(NAME, TITLE, SUMMARY, IP, INVERSE_IP, SET_KEY)                        \
    static void encrypt_blocks(const void *key, uint8_t *out, const uint8_t *in, size_t n_blocks)  \
    {                                                                                              \
        mf_des_ladder_crypt(f, IP, INVERSE_IP, key, out, in, n_blocks, false);                     \
    }                                                                                              \
    static void decrypt_blocks(const void *key, uint8_t *out, const uint8_t *in, size_t n_blocks)  \
    {                                                                                              \
        mf_des_ladder_crypt(f, IP, INVERSE_IP, key, out, in, n_blocks, true);                      \
    }                                                                                              \
    const mf_des_kernel NAME = {                                                                   \
        .common.name = TITLE,                                                                      \
        .common.summary = SUMMARY,                                                                 \
        .common.cpu_features = MF_CPU_ANY,                                                         \
        .common.expanded_key_bytes = sizeof(mf_des_subkeys),                                       \
        .common.lanes = 1,                                                                         \
        .common.constant_time = false,                                                             \
        .common.encrypt_blocks = encrypt_blocks,                                                   \
        .common.decrypt_blocks = decrypt_blocks,                                                   \
        .one_key_bytes = MF_DES_ONE_KEY_SUBKEYS_BYTES,                                             \
        .set_key = SET_KEY,                                                                        \
    }

#endif
