/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Two S-boxes at a time, in four tables of 4,096 words, 64 KB in all. The subkeys are those of
 * sp2k: of half XOR subkey, 16 bits have the inputs of two boxes in the high six bits of each byte,
 * and are the offset in tables that lie between each other, see mf_des_pairs. Secrets index
 * its lookup tables.
 */
#include "../rounds.h"
#include "../tables/tables.h"

enum { LANES = 4 };

/* Both S-boxes of a pair, and P, by 16 bits. */
MF_INLINE uint32_t pair(const void *tables, size_t n, size_t bits)
{
    return mf_des_word(tables, bits, 256 * n);
}

MF_INLINE uint32_t f(uint32_t l, uint32_t r, const void *round_key, const void *tables)
{
    const uint32_t *K = round_key;
    const size_t even = mf_opaque((r ^ K[0]) & 0xFCFCFCFC);
    const size_t odd = mf_opaque((mf_rotr32(r, 4) ^ K[1]) & 0xFCFCFCFC);
    uint32_t t = pair(tables, 3, odd & 0xFFFF);

    l ^= pair(tables, 1, even & 0xFFFF);
    t ^= pair(tables, 2, odd >> 16);
    l ^= pair(tables, 0, even >> 16);
    return mf_opaque(l) ^ mf_opaque(t);
}

static void encrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                           size_t n_blocks)
{
    const mf_des_rounds rounds = mf_des_rounds_of(expanded_key, mf_des_pairs);
    mf_des_crypt(f, f, LANES, &rounds, out, in, n_blocks, false);
}

static void decrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                           size_t n_blocks)
{
    const mf_des_rounds rounds = mf_des_rounds_of(expanded_key, mf_des_pairs);
    mf_des_crypt(f, f, LANES, &rounds, out, in, n_blocks, true);
}

const mf_des_kernel mf_des_sp64k = {
    .common.name = "sp64k",
    .common.summary = "two S-boxes and P at a time in tables of 64 KB",
    .common.cpu_features = MF_CPU_ANY,
    .common.expanded_key_bytes = sizeof(mf_des_subkeys),
    .common.lanes = LANES,
    .common.constant_time = false,
    .common.encrypt_blocks = encrypt_blocks,
    .common.decrypt_blocks = decrypt_blocks,
    .one_key_bytes = MF_DES_ONE_KEY_SUBKEYS_BYTES,
    .set_key = mf_des_set_subkeys,
};
