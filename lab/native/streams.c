/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Output of Twofish with any number of rounds, under many keys, for tests of its statistics.
 */
#include "lab.h"

#include <manyfish/study/variant.h>

enum { BLOCK_BYTES = 16 };

mf_status lab_encrypt(uint8_t *out, const uint8_t *in, size_t blocks_per_key, const uint8_t *keys,
                      size_t key_bytes, const uint8_t *family_keys, size_t n_keys, unsigned rounds)
{
    const size_t n_bytes = blocks_per_key * BLOCK_BYTES;
    mf_status status = MF_OK;

    for (size_t i = 0; i < n_keys && status == MF_OK; i++) {
        mf_twofish_variation variation = {.rounds = rounds};
        mf_twofish_variant variant = {0};
        if (family_keys != NULL) {
            variation.family_key = family_keys + i * MF_TWOFISH_FAMILY_KEY_BYTES;
        }
        status = mf_twofish_variant_init(&variant, &variation, keys + i * key_bytes, key_bytes);
        if (status == MF_OK) {
            status = mf_twofish_variant_encrypt_blocks(&variant, out + i * n_bytes,
                                                       in + i * n_bytes, blocks_per_key);
        }
    }
    return status;
}

mf_status lab_chain(uint8_t *out, size_t n_blocks, const uint8_t *first, const uint8_t *key,
                    size_t key_bytes, unsigned rounds)
{
    const mf_twofish_variation variation = {.rounds = rounds};
    mf_twofish_variant variant = {0};
    mf_status status = mf_twofish_variant_init(&variant, &variation, key, key_bytes);
    const uint8_t *in = first;

    for (size_t i = 0; i < n_blocks && status == MF_OK; i++) {
        status = mf_twofish_variant_encrypt_blocks(&variant, out + i * BLOCK_BYTES, in, 1);
        in = out + i * BLOCK_BYTES;
    }
    return status;
}
