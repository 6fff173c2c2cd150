/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Eight tables of 64 words, 2 KB in all, in which each S-box comes with the permutation P behind it
 * [KarnThread]. The subkeys are split into odd and even S-boxes and shifted, so that each byte of
 * half XOR subkey is the offset of a word in its table, and what is found there is XORed into the
 * other half. Secrets index its lookup tables.
 */
#include "../rounds.h"
#include "../tables/tables.h"

enum { LANES = 4 };

/* S_n and P of the six bits in byte i. */
MF_INLINE uint32_t sp(const void *tables, size_t n, size_t bytes, unsigned i)
{
    return mf_des_word(tables, bytes >> (8 * i) & 0xFF, 256 * (n - 1));
}

MF_INLINE size_t even_offsets(uint32_t r, const uint32_t *K)
{
    return mf_opaque((r ^ K[0]) & 0xFCFCFCFC);
}

MF_INLINE size_t odd_offsets(uint32_t r, const uint32_t *K)
{
    return mf_opaque((mf_rotr32(r, 4) ^ K[1]) & 0xFCFCFCFC);
}

/* For several blocks, in the fewest instructions: each lookup is XORed into the half. */
MF_INLINE uint32_t f(uint32_t l, uint32_t r, const void *round_key, const void *tables)
{
    size_t even = even_offsets(r, round_key);
    size_t odd = odd_offsets(r, round_key);

    l ^= sp(tables, 8, even, 0);
    l ^= sp(tables, 6, even, 1);
    l ^= sp(tables, 7, odd, 0);
    l ^= sp(tables, 5, odd, 1);
    even >>= 16;
    odd >>= 16;
    l ^= sp(tables, 4, even, 0);
    l ^= sp(tables, 2, even, 1);
    l ^= sp(tables, 3, odd, 0);
    l ^= sp(tables, 1, odd, 1);
    return mf_opaque(l);
}

/* For one block: two sums, so that no lookup waits for seven others. */
MF_INLINE uint32_t f_one(uint32_t l, uint32_t r, const void *round_key, const void *tables)
{
    const size_t even = even_offsets(r, round_key);
    const size_t odd = odd_offsets(r, round_key);
    uint32_t t = sp(tables, 7, odd, 0);

    l ^= sp(tables, 8, even, 0);
    t ^= sp(tables, 5, odd, 1);
    l ^= sp(tables, 6, even, 1);
    t ^= sp(tables, 3, odd, 2);
    l ^= sp(tables, 4, even, 2);
    t ^= sp(tables, 1, odd, 3);
    l ^= sp(tables, 2, even, 3);
    return mf_opaque(l) ^ mf_opaque(t);
}

static void encrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                           size_t n_blocks)
{
    const mf_des_rounds rounds = mf_des_rounds_of(expanded_key, mf_des_sp);
    mf_des_crypt(f, f_one, LANES, &rounds, out, in, n_blocks, false);
}

static void decrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                           size_t n_blocks)
{
    const mf_des_rounds rounds = mf_des_rounds_of(expanded_key, mf_des_sp);
    mf_des_crypt(f, f_one, LANES, &rounds, out, in, n_blocks, true);
}

const mf_des_kernel mf_des_sp2k = {
    .common.name = "sp2k",
    .common.summary = "S-boxes and P in tables of 2 KB, subkeys as offsets",
    .common.cpu_features = MF_CPU_ANY,
    .common.expanded_key_bytes = sizeof(mf_des_subkeys),
    .common.lanes = LANES,
    .common.constant_time = false,
    .common.encrypt_blocks = encrypt_blocks,
    .common.decrypt_blocks = decrypt_blocks,
    .one_key_bytes = MF_DES_ONE_KEY_SUBKEYS_BYTES,
    .set_key = mf_des_set_subkeys,
};
