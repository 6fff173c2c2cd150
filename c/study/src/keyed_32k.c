/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Tables computed when the key is set, with the key in them, as E. Hughes recalls them
 * [KarnThread]: for each round those of sp2k in the order that the subkey gives them, 32 KB a key.
 * The rounds add no subkey, and do as many lookups as sp2k. Secrets index its lookup tables.
 */
#include "keyed.h"

typedef struct keyed_32k_key {
    mf_des_keyed_head head;
    uint32_t box[3 * MF_DES_ROUNDS][8][64];
} keyed_32k_key;

enum { ROUND_BYTES = sizeof(uint32_t[8][64]), LANES = 4 };

static void set_key(void *expanded_key, const uint8_t *key, unsigned n_keys)
{
    keyed_32k_key *k = expanded_key;
    mf_des_subkey K[3 * MF_DES_ROUNDS];

    mf_des_keyed_head_set(&k->head, n_keys);
    mf_des_schedules(K, key, n_keys);
    for (unsigned n = 0; n < 8; n++) {
        mf_des_orders orders;
        mf_des_orders_of(&orders, n);
        for (unsigned i = 0; i < n_keys * MF_DES_ROUNDS; i++) {
            mf_des_keyed_box(k->box[i][n], &orders, mf_des_keyed_bits(n, K[i]));
        }
    }
    mf_wipe(K, sizeof K);
}

/* S_n and P of the six bits in byte i and of the subkey. */
MF_INLINE uint32_t sp(const void *box, size_t n, size_t bytes, unsigned i)
{
    return mf_des_word(box, bytes >> (8 * i) & 0xFF, 256 * (n - 1));
}

MF_INLINE uint32_t f(uint32_t l, uint32_t r, const void *box, const void *tables)
{
    const size_t even = mf_opaque(r & 0xFCFCFCFC);
    const size_t odd = mf_opaque(mf_rotr32(r, 4) & 0xFCFCFCFC);
    uint32_t t = sp(box, 7, odd, 0);

    (void)tables;
    l ^= sp(box, 8, even, 0);
    t ^= sp(box, 5, odd, 1);
    l ^= sp(box, 6, even, 1);
    t ^= sp(box, 3, odd, 2);
    l ^= sp(box, 4, even, 2);
    t ^= sp(box, 1, odd, 3);
    l ^= sp(box, 2, even, 3);
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

const mf_des_kernel mf_des_keyed_32k = {
    .common.name = "keyed-32k",
    .common.summary = "S-boxes and P with the key in them, 32 KB a key",
    .common.cpu_features = MF_CPU_ANY,
    .common.expanded_key_bytes = sizeof(keyed_32k_key),
    .common.lanes = LANES,
    .common.constant_time = false,
    .common.set_key_stack = 2048,
    .common.encrypt_blocks = encrypt_blocks,
    .common.decrypt_blocks = decrypt_blocks,
    .one_key_bytes = offsetof(keyed_32k_key, box) + sizeof(uint32_t[MF_DES_ROUNDS][8][64]),
    .set_key = set_key,
};
