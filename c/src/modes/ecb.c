/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * ECB: each block by itself [SP800-38A, 6.1].
 */
#include <manyfish/modes.h>

#include "check.h"

mf_status mf_ecb_encrypt(const mf_cipher *cipher, void *out, const void *in, size_t n_bytes)
{
    const mf_status status = mf_check_blocks(cipher, out, in, n_bytes);
    if (status == MF_OK && n_bytes > 0) {
        cipher->encrypt_blocks(cipher->key, out, in, n_bytes / cipher->block_bytes);
    }
    return status;
}

mf_status mf_ecb_decrypt(const mf_cipher *cipher, void *out, const void *in, size_t n_bytes)
{
    const mf_status status = mf_check_blocks(cipher, out, in, n_bytes);
    if (status == MF_OK && n_bytes > 0) {
        cipher->decrypt_blocks(cipher->key, out, in, n_bytes / cipher->block_bytes);
    }
    return status;
}
