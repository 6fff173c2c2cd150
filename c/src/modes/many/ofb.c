/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * OFB [SP800-38A, 6.4] of many messages.
 */
#include "many.h"

static mf_status check(const void *key, const mf_message *m)
{
    return mf_check_iv_message(m, ((const mf_cipher *)key)->block_bytes, 1);
}

/* The chain is the key stream. */
static void crypt_rows(const mf_cipher *cipher, uint8_t *chain, uint8_t *rows, size_t row_bytes,
                       size_t n_rows)
{
    for (size_t i = 0; i < n_rows; i++, rows += row_bytes) {
        cipher->encrypt_blocks(cipher->key, chain, chain, row_bytes / cipher->block_bytes);
        mf_xor(rows, rows, chain, row_bytes);
    }
}

mf_status mf_ofb_crypt_many(const mf_cipher *cipher, mf_message *messages, size_t n)
{
    const mf_chains chains = {cipher, cipher, mf_next_text, crypt_rows};
    return mf_crypt_chains(&chains, check, messages, n);
}
