/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Full keying [Twofish98, 5.1.1]: each key-dependent S-box is expanded, together with its column of
 * the MDS matrix, to 256 words; g is four lookups and three XORs. The kernel for many blocks under
 * one key where tables are allowed. Secrets index its lookup tables.
 */
#include "../full_keying.h"
#include "../kernel.h"

#include <manyfish/common.h>

_Static_assert(sizeof(mf_twofish_full_key) <= MF_TWOFISH_EXPANDED_KEY_BYTES, "no room for the key");

static void set_key(void *expanded_key, const uint8_t *key, unsigned k)
{
    mf_twofish_full_key *f = expanded_key;
    uint32_t S[MF_TWOFISH_MAX_K];

    mf_twofish_schedule(f->K, S, key, k);
    mf_twofish_fill_boxes(f->boxes.box, k, S);
    mf_wipe(S, sizeof S);
}

static void set_key_ct(void *expanded_key, const uint8_t *key, unsigned k,
                       const mf_twofish_setup *setup)
{
    mf_twofish_full_key *f = expanded_key;
    uint32_t S[MF_TWOFISH_MAX_K];

    setup->schedule(f->K, S, key, k);
    setup->words(f->boxes.box, S, k);
    mf_wipe(S, sizeof S);
}

const mf_twofish_kernel mf_twofish_full = {
    .common.name = "full",
    .common.summary = "S-boxes and MDS matrix in four tables of 256 words",
    .common.cpu_features = MF_CPU_ANY,
    .common.expanded_key_bytes = sizeof(mf_twofish_full_key),
    .common.lanes = 4,
    .common.constant_time = false,
    .common.encrypt_blocks = mf_twofish_full_encrypt_blocks,
    .common.decrypt_blocks = mf_twofish_full_decrypt_blocks,
    .set_key = set_key,
    .set_key_ct = set_key_ct,
};
