/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Full keying with the big shared tables [Twofish98, 5.1.3]: the kernel `full`, but key set-up does
 * two layers of q by one lookup. Secrets index its lookup tables.
 */
#include "tables_256k.h"
#include "twofish/full_keying.h"
#include "twofish/kernel.h"

_Static_assert(sizeof(mf_twofish_full_key) <= MF_TWOFISH_EXPANDED_KEY_BYTES, "no room for the key");

MF_INLINE void fill_boxes(uint32_t box[4][256], const uint8_t *big, unsigned k, const uint32_t *S)
{
    for (unsigned j = 0; j < 4; j++) {
        const uint8_t *row = mf_twofish_big_row(big, j, S);
        for (unsigned x = 0; x < 256; x++) {
            box[j][x] = mf_twofish_mds[j][mf_twofish_big_layers(k, row, j, S, x)];
        }
    }
}

MF_INLINE void expand(mf_twofish_full_key *f, const uint8_t *big, const uint8_t *key, unsigned k)
{
    uint32_t S[MF_TWOFISH_MAX_K];

    mf_twofish_big_schedule(f->K, S, big, key, k);
    fill_boxes(f->boxes.box, big, k, S);
    mf_wipe(S, sizeof S);
}

/* A constant k in each call lets the compiler drop the unused layers. */
static void set_key(void *expanded_key, const uint8_t *key, unsigned k)
{
    const uint8_t *big = mf_twofish_shared(MF_TWOFISH_TABLES_BIG);
    if (k == 2) {
        expand(expanded_key, big, key, 2);
    } else if (k == 3) {
        expand(expanded_key, big, key, 3);
    } else {
        expand(expanded_key, big, key, 4);
    }
}

static mf_status check(size_t key_bytes)
{
    (void)key_bytes;
    return mf_twofish_tables_ready(MF_TWOFISH_TABLES_BIG) ? MF_OK : MF_ERROR_TABLES;
}

const mf_twofish_kernel mf_twofish_full_big = {
    .common.name = "full-big",
    .common.summary = "as full; quicker set-up by shared tables of 256 KiB",
    .common.cpu_features = MF_CPU_ANY,
    .common.expanded_key_bytes = sizeof(mf_twofish_full_key),
    .common.lanes = 4,
    .common.constant_time = false,
    .common.shared_bytes = MF_TWOFISH_TABLES_BIG_BYTES,
    .common.check = check,
    .common.encrypt_blocks = mf_twofish_full_encrypt_blocks,
    .common.decrypt_blocks = mf_twofish_full_decrypt_blocks,
    .set_key = set_key,
};
