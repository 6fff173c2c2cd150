/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Zero keying [Twofish98, 5.1.1]: nothing of g is computed before it is needed. The quickest key
 * set-up and the least memory a key. Secrets index its lookup tables.
 */
#include "../h_function.h"
#include "../kernel.h"
#include "../rounds.h"

typedef struct zero_key {
    uint32_t K[MF_TWOFISH_SUBKEYS];
    uint32_t S[MF_TWOFISH_MAX_K];
    uint32_t k;
} zero_key;

_Static_assert(sizeof(zero_key) <= MF_TWOFISH_EXPANDED_KEY_BYTES, "no room for the key");

static void set_key(void *expanded_key, const uint8_t *key, unsigned k)
{
    zero_key *z = expanded_key;
    mf_twofish_schedule(z->K, z->S, key, k);
    z->k = k;
}

static void set_key_ct(void *expanded_key, const uint8_t *key, unsigned k,
                       const mf_twofish_setup *setup)
{
    zero_key *z = expanded_key;
    setup->schedule(z->K, z->S, key, k);
    z->k = k;
}

MF_INLINE uint32_t g_128(const void *S, uint32_t X, unsigned turn)
{
    return mf_twofish_h(2, S, X, turn);
}

MF_INLINE uint32_t g_192(const void *S, uint32_t X, unsigned turn)
{
    return mf_twofish_h(3, S, X, turn);
}

MF_INLINE uint32_t g_256(const void *S, uint32_t X, unsigned turn)
{
    return mf_twofish_h(4, S, X, turn);
}

static void encrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                           size_t n_blocks)
{
    const zero_key *z = expanded_key;
    if (z->k == 2) {
        mf_twofish_encrypt_singly(g_128, z->S, z->K, out, in, n_blocks);
    } else if (z->k == 3) {
        mf_twofish_encrypt_singly(g_192, z->S, z->K, out, in, n_blocks);
    } else {
        mf_twofish_encrypt_singly(g_256, z->S, z->K, out, in, n_blocks);
    }
}

static void decrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                           size_t n_blocks)
{
    const zero_key *z = expanded_key;
    if (z->k == 2) {
        mf_twofish_decrypt_singly(g_128, z->S, z->K, out, in, n_blocks);
    } else if (z->k == 3) {
        mf_twofish_decrypt_singly(g_192, z->S, z->K, out, in, n_blocks);
    } else {
        mf_twofish_decrypt_singly(g_256, z->S, z->K, out, in, n_blocks);
    }
}

const mf_twofish_kernel mf_twofish_zero = {
    .common.name = "zero",
    .common.summary = "nothing precomputed; least memory and set-up",
    .common.cpu_features = MF_CPU_ANY,
    .common.expanded_key_bytes = sizeof(zero_key),
    .common.lanes = 1,
    .common.constant_time = false,
    .common.encrypt_blocks = encrypt_blocks,
    .common.decrypt_blocks = decrypt_blocks,
    .set_key = set_key,
    .set_key_ct = set_key_ct,
};
