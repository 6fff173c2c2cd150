/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Partial keying [Twofish98, 5.1.1]: the four key-dependent S-boxes as 256 bytes each; their last q
 * and the MDS matrix come from fixed tables. g is eight lookups. For some tens of blocks a key.
 * Secrets index its lookup tables.
 */
#include "../h_function.h"
#include "../kernel.h"
#include "../rounds.h"

#include <manyfish/common.h>

typedef struct partial_key {
    uint32_t K[MF_TWOFISH_SUBKEYS];
    uint8_t box[4][256];
} partial_key;

_Static_assert(sizeof(partial_key) <= MF_TWOFISH_EXPANDED_KEY_BYTES, "no room for the key");

MF_INLINE void fill_boxes(uint8_t box[4][256], unsigned k, const uint32_t *S)
{
    for (unsigned j = 0; j < 4; j++) {
        for (unsigned x = 0; x < 256; x++) {
            box[j][x] = (uint8_t)mf_twofish_layers(k, 0, j, S, x);
        }
    }
}

static void set_key(void *expanded_key, const uint8_t *key, unsigned k)
{
    partial_key *p = expanded_key;
    uint32_t S[MF_TWOFISH_MAX_K];

    mf_twofish_schedule(p->K, S, key, k);
    /* A constant k in each call lets the compiler drop the unused layers. */
    if (k == 2) {
        fill_boxes(p->box, 2, S);
    } else if (k == 3) {
        fill_boxes(p->box, 3, S);
    } else {
        fill_boxes(p->box, 4, S);
    }
    mf_wipe(S, sizeof S);
}

static void set_key_ct(void *expanded_key, const uint8_t *key, unsigned k,
                       const mf_twofish_setup *setup)
{
    partial_key *p = expanded_key;
    uint32_t S[MF_TWOFISH_MAX_K];

    setup->schedule(p->K, S, key, k);
    setup->bytes(p->box, S, k, 1);
    mf_wipe(S, sizeof S);
}

MF_INLINE uint32_t g(const void *key, uint32_t X, unsigned turn)
{
    const partial_key *p = key;
    return mf_twofish_mds_multiply(
        p->box[0][mf_twofish_turned(X, 0, turn)], p->box[1][mf_twofish_turned(X, 1, turn)],
        p->box[2][mf_twofish_turned(X, 2, turn)], p->box[3][mf_twofish_turned(X, 3, turn)]);
}

static void encrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                           size_t n_blocks)
{
    const partial_key *p = expanded_key;
    mf_twofish_encrypt_many(g, p, p->K, out, in, n_blocks);
}

static void decrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                           size_t n_blocks)
{
    const partial_key *p = expanded_key;
    mf_twofish_decrypt_many(g, p, p->K, out, in, n_blocks);
}

const mf_twofish_kernel mf_twofish_partial = {
    .common.name = "partial",
    .common.summary = "S-boxes in four tables of 256 bytes, fixed MDS tables",
    .common.cpu_features = MF_CPU_ANY,
    .common.expanded_key_bytes = sizeof(partial_key),
    .common.lanes = 4,
    .common.constant_time = false,
    .common.encrypt_blocks = encrypt_blocks,
    .common.decrypt_blocks = decrypt_blocks,
    .set_key = set_key,
    .set_key_ct = set_key_ct,
};
