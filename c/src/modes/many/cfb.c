/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * CFB [SP800-38A, 6.3] of many messages, with segments of a block.
 */
#include "many.h"

static mf_status check(const void *key, const mf_message *m)
{
    return mf_check_iv_message(m, ((const mf_cipher *)key)->block_bytes, 1);
}

/* C = P ^ E(the C before). */
static void encrypt_rows(const mf_cipher *cipher, uint8_t *chain, uint8_t *rows, size_t row_bytes,
                         size_t n_rows)
{
    const uint8_t *before = chain;

    for (size_t i = 0; i < n_rows; i++, rows += row_bytes) {
        cipher->encrypt_blocks(cipher->key, chain, before, row_bytes / cipher->block_bytes);
        mf_xor(rows, rows, chain, row_bytes);
        before = rows;
    }
    memcpy(chain, before, row_bytes);
}

mf_status mf_cfb_encrypt_many(const mf_cipher *cipher, mf_message *messages, size_t n)
{
    const mf_chains chains = {cipher, cipher, mf_next_text, encrypt_rows};
    return mf_crypt_chains(&chains, check, messages, n);
}

static size_t count(const void *key, const mf_message *m)
{
    return mf_blocks_of(m->n_bytes, ((const mf_cipher *)key)->block_bytes);
}

/* Input block j is the ciphertext of block j - 1. That of the last one waits in `work`, since the
 * output may lie where the ciphertext was. */
static void fill(const void *key, const mf_run *r, uint8_t *blocks)
{
    mf_message *const m = r->message;
    const size_t block = ((const mf_cipher *)key)->block_bytes;
    const uint8_t *const in = (const uint8_t *)m->in + r->first * block;

    memcpy(blocks, r->first == 0 ? m->nonce : m->work, block);
    memcpy(blocks + block, in, (r->n_blocks - 1) * block);
    if (m->n_bytes / block >= r->first + r->n_blocks) {
        memcpy(m->work, in + (r->n_blocks - 1) * block, block);
    }
}

static void drain(const void *key, const mf_run *r, uint8_t *blocks)
{
    mf_xor_text(r, blocks, ((const mf_cipher *)key)->block_bytes);
}

mf_status mf_cfb_decrypt_many(const mf_cipher *cipher, mf_message *messages, size_t n)
{
    const mf_blocks blocks = {cipher, false, cipher, count, fill, drain};
    return mf_crypt_blocks(&blocks, check, messages, n);
}
