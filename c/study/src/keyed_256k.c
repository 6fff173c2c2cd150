/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Tables computed when the key is set, with the key in them, for two neighbouring S-boxes at a
 * time; E. Hughes recalls such as "extremely large" [KarnThread]. The inputs of the boxes overlap
 * by two bits of the half block, and without a subkey to add, ten bits are the index: four tables
 * of 1,024 words a round, 256 KB a key. Secrets index its lookup tables.
 */
#include "keyed.h"

typedef struct keyed_256k_key {
    mf_des_keyed_head head;
    uint32_t pair[3 * MF_DES_ROUNDS][4][1024];
} keyed_256k_key;

enum { ROUND_BYTES = sizeof(uint32_t[4][1024]), LANES = 8 };

/* out = x ^ in, sixteen words. */
MF_INLINE void xor_row(uint32_t out[16], uint32_t x, const uint32_t in[16])
{
    const uint32_t four[4] = {x, x, x, x};

    MF_DES_UNROLL
    for (size_t i = 0; i < 16; i += 4) {
        mf_xor_16((uint8_t *)(out + i), (const uint8_t *)(in + i), (const uint8_t *)four);
    }
}

/* The table for S_(2n+1) and S_(2n+2) in a round, from those of both with the subkey in them. They
 * share two bits of the index, so each word of the first goes to sixteen of the second. */
static void set_pair(uint32_t pair[1024], const uint32_t first[64], const uint32_t second[64])
{
    for (size_t x = 0; x < 64; x++) {
        xor_row(pair + 16 * x, first[x], second + 16 * (x % 4));
    }
}

static void set_key(void *expanded_key, const uint8_t *key, unsigned n_keys)
{
    keyed_256k_key *k = expanded_key;
    mf_des_subkey K[3 * MF_DES_ROUNDS];
    uint32_t box[2][64];

    mf_des_keyed_head_set(&k->head, n_keys);
    mf_des_schedules(K, key, n_keys);
    for (unsigned n = 0; n < 4; n++) {
        mf_des_orders first;
        mf_des_orders second;
        mf_des_orders_of(&first, 2 * n);
        mf_des_orders_of(&second, 2 * n + 1);
        for (unsigned i = 0; i < n_keys * MF_DES_ROUNDS; i++) {
            mf_des_keyed_box(box[0], &first, mf_des_keyed_bits(2 * n, K[i]));
            mf_des_keyed_box(box[1], &second, mf_des_keyed_bits(2 * n + 1, K[i]));
            set_pair(k->pair[i][n], box[0], box[1]);
        }
    }
    mf_wipe(box, sizeof box);
    mf_wipe(K, sizeof K);
}

/* S_(2n+1), S_(2n+2) and P of the bits and of the subkey. */
MF_INLINE uint32_t sp(const void *pair, size_t n, size_t bits)
{
    return mf_des_word(pair, bits, 4096 * n);
}

MF_INLINE uint32_t f(uint32_t l, uint32_t r, const void *pair, const void *tables)
{
    const size_t even = mf_opaque(r & 0x0FFC0FFC);
    const size_t odd = mf_opaque(mf_rotr32(r, 8) & 0x0FFC0FFC);
    uint32_t t = sp(pair, 2, odd & 0xFFFF);

    (void)tables;
    l ^= sp(pair, 3, even & 0xFFFF);
    t ^= sp(pair, 0, odd >> 16);
    l ^= sp(pair, 1, even >> 16);
    return mf_opaque(l) ^ mf_opaque(t);
}

static void encrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                           size_t n_blocks)
{
    const mf_des_rounds rounds = mf_des_keyed_rounds(expanded_key, ROUND_BYTES);
    mf_des_crypt(f, f, LANES, &rounds, out, in, n_blocks, false);
}

static void decrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                           size_t n_blocks)
{
    const mf_des_rounds rounds = mf_des_keyed_rounds(expanded_key, ROUND_BYTES);
    mf_des_crypt(f, f, LANES, &rounds, out, in, n_blocks, true);
}

const mf_des_kernel mf_des_keyed_256k = {
    .common.name = "keyed-256k",
    .common.summary = "two S-boxes and P at a time with the key in them, 256 KB a key",
    .common.cpu_features = MF_CPU_ANY,
    .common.expanded_key_bytes = sizeof(keyed_256k_key),
    .common.lanes = LANES,
    .common.constant_time = false,
    .common.set_key_stack = 4096,
    .common.encrypt_blocks = encrypt_blocks,
    .common.decrypt_blocks = decrypt_blocks,
    .one_key_bytes = offsetof(keyed_256k_key, pair) + sizeof(uint32_t[MF_DES_ROUNDS][4][1024]),
    .set_key = set_key,
};
