/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * CBC [SP800-38A, 6.2] of many messages, without padding and with that of PKCS#7 [RFC5652, 6.3].
 */
#include "../cbc.h"

#include "../../common/declassify.h"
#include "many.h"

/* --- Encryption ------------------------------------------------------------------------------- */

static mf_status check(const void *key, const mf_message *m)
{
    const size_t block = ((const mf_cipher *)key)->block_bytes;
    return mf_check_iv_message(m, block, block);
}

mf_status mf_cbc_encrypt_many(const mf_cipher *cipher, mf_message *messages, size_t n)
{
    const mf_chains chains = {cipher, cipher, mf_next_text, mf_crypt_cbc_rows};
    return mf_crypt_chains(&chains, check, messages, n);
}

/* The output is longer than the input. */
static mf_status check_encrypting_padded(const void *key, const mf_message *m)
{
    const size_t block = ((const mf_cipher *)key)->block_bytes;
    const size_t out_bytes = m->n_bytes - m->n_bytes % block + block;
    const mf_status status = mf_check_iv_message(m, block, 1);

    if (status != MF_OK) {
        return status;
    }
    if (out_bytes < m->n_bytes) {
        return MF_ERROR_CAPACITY;
    }
    if (m->out == NULL) {
        return MF_ERROR_NULL;
    }
    return m->out != m->in && mf_overlap(m->out, out_bytes, m->in, m->n_bytes) ? MF_ERROR_OVERLAP
                                                                               : MF_OK;
}

/* The whole blocks, then one with the padding. */
static bool next_padded(const void *key, mf_lane *lane, uint8_t *chain)
{
    const size_t block = ((const mf_cipher *)key)->block_bytes;
    mf_message *const m = lane->message;
    const size_t rest = m->n_bytes % block;
    const size_t whole = m->n_bytes - rest;

    if (lane->step == 0) {
        mf_copy_block(chain, m->nonce, block);
        mf_give_blocks(lane, 1, m->out, m->in, whole / block);
        if (whole > 0) {
            return true;
        }
    }
    if (lane->step == 1) {
        if (rest > 0) {
            memcpy(m->work, (const uint8_t *)m->in + whole, rest);
        }
        memset(m->work + rest, (int)(block - rest), block - rest);
        mf_give_blocks(lane, 2, (uint8_t *)m->out + whole, m->work, 1);
        return true;
    }
    m->out_bytes = whole + block;
    return false;
}

mf_status mf_cbc_encrypt_padded_many(const mf_cipher *cipher, mf_message *messages, size_t n)
{
    const mf_chains chains = {cipher, cipher, next_padded, mf_crypt_cbc_rows};
    return mf_crypt_chains(&chains, check_encrypting_padded, messages, n);
}

/* --- Decryption ------------------------------------------------------------------------------- */

/* In `work`: the ciphertext block before the blocks in the cipher, and the last one of these, since
 * the output may lie where the ciphertext was. */
enum { BEFORE = 0, LAST = MF_MAX_BLOCK_BYTES };

static size_t count(const void *key, const mf_message *m)
{
    return m->n_bytes / ((const mf_cipher *)key)->block_bytes;
}

static void fill(const void *key, const mf_run *r, uint8_t *blocks)
{
    mf_message *const m = r->message;
    const size_t block = ((const mf_cipher *)key)->block_bytes;
    const uint8_t *const in = (const uint8_t *)m->in + r->first * block;

    memcpy(m->work + BEFORE, r->first == 0 ? m->nonce : m->work + LAST, block);
    memcpy(m->work + LAST, in + (r->n_blocks - 1) * block, block);
    memcpy(blocks, in, r->n_blocks * block);
}

static void drain(const void *key, const mf_run *r, uint8_t *blocks)
{
    mf_message *const m = r->message;
    const size_t block = ((const mf_cipher *)key)->block_bytes;
    const uint8_t *const in = (const uint8_t *)m->in + r->first * block;

    mf_xor(blocks, blocks, m->work + BEFORE, block);
    mf_xor(blocks + block, blocks + block, in, (r->n_blocks - 1) * block);
    memcpy((uint8_t *)m->out + r->first * block, blocks, r->n_blocks * block);
}

mf_status mf_cbc_decrypt_many(const mf_cipher *cipher, mf_message *messages, size_t n)
{
    const mf_blocks blocks = {cipher, true, cipher, count, fill, drain};
    return mf_crypt_blocks(&blocks, check, messages, n);
}

static mf_status check_decrypting_padded(const void *key, const mf_message *m)
{
    const mf_status status = check(key, m);
    return status == MF_OK && m->n_bytes == 0 ? MF_ERROR_LENGTH : status;
}

static void remove_padding(mf_message *m, size_t block)
{
    const uint8_t *const last = (const uint8_t *)m->out + m->n_bytes - block;
    const size_t pad_bytes = mf_pkcs7_bytes(last, block);

    if (mf_public(pad_bytes == 0)) {
        mf_wipe(m->out, m->n_bytes);
        m->status = MF_ERROR_PADDING;
    } else {
        m->out_bytes = m->n_bytes - pad_bytes;
    }
}

mf_status mf_cbc_decrypt_padded_many(const mf_cipher *cipher, mf_message *messages, size_t n)
{
    const mf_blocks blocks = {cipher, true, cipher, count, fill, drain};
    const mf_status status =
        mf_begin_messages(cipher, messages, n, check_decrypting_padded, cipher);
    if (status != MF_OK) {
        return status;
    }
    mf_run_blocks(&blocks, messages, n);
    for (size_t i = 0; i < n; i++) {
        if (messages[i].status == MF_OK) {
            remove_padding(&messages[i], cipher->block_bytes);
        }
    }
    return mf_end_messages(messages, n);
}
