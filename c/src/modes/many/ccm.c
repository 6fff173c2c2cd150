/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * CCM [SP800-38C] of many messages: CBC-MAC in lanes, and CTR whose first block masks the tag.
 */
#include "../ccm.h"

#include "many.h"

/* In `work`, after the counter block; and there are up to two blocks for the chain. */
enum { BLOCK = 16, COUNTER = 0, MAC = 16, EDGE = 32 };

typedef struct pass {
    bool decrypts;
} pass;

static mf_status check(const void *key, const mf_message *m)
{
    (void)key;
    const mf_status status = mf_ccm_check_nonce(m->nonce, m->nonce_bytes, m->n_bytes);
    if (status != MF_OK) {
        return status;
    }
    return mf_ccm_is_tag_length(m->tag_bytes) ? mf_check_aead_message(m) : MF_ERROR_TAG_LENGTH;
}

/* --- CBC-MAC ---------------------------------------------------------------------------------- */

/* How much of the associated data stands in the block of its length. */
static size_t first_aad_bytes(const mf_message *m)
{
    uint8_t length[10];
    return m->aad_bytes == 0
               ? 0
               : mf_min(m->aad_bytes, BLOCK - mf_ccm_store_aad_length(length, m->aad_bytes));
}

/* B_0, and the block with the length of the associated data and its first bytes. */
static bool first_blocks(mf_lane *lane)
{
    mf_message *const m = lane->message;
    uint8_t *const edge = m->work + EDGE;
    size_t n_blocks = 1;

    memset(edge, 0, 2 * (size_t)BLOCK);
    mf_ccm_format(edge, m->nonce, m->nonce_bytes, m->aad_bytes, m->n_bytes, m->tag_bytes);
    if (m->aad_bytes > 0) {
        const size_t length_bytes = mf_ccm_store_aad_length(edge + BLOCK, m->aad_bytes);
        memcpy(edge + BLOCK + length_bytes, m->aad, first_aad_bytes(m));
        n_blocks = 2;
    }
    mf_give_blocks(lane, 1, NULL, edge, n_blocks);
    return true;
}

/* A string that is filled with zeros to whole blocks, in the steps `step` and the next one. */
static bool string_blocks(mf_lane *lane, unsigned step, const uint8_t *data, size_t n_bytes)
{
    uint8_t *const edge = lane->message->work + EDGE;
    const size_t rest = n_bytes % BLOCK;

    if (lane->step == step) {
        mf_give_blocks(lane, step + 1, NULL, data, n_bytes / BLOCK);
        if (n_bytes >= BLOCK) {
            return true;
        }
    }
    if (lane->step == step + 1) {
        lane->step = step + 2;
        if (rest > 0) {
            memset(edge, 0, BLOCK);
            memcpy(edge, data + (n_bytes - rest), rest);
            mf_give_blocks(lane, step + 2, NULL, edge, 1);
            return true;
        }
    }
    return false;
}

static bool next(const void *key, mf_lane *lane, uint8_t *chain)
{
    const pass *const p = key;
    mf_message *const m = lane->message;
    const size_t first = first_aad_bytes(m);
    const uint8_t *const aad = m->aad;

    if (lane->step == 0) {
        memset(chain, 0, BLOCK);
        return first_blocks(lane);
    }
    if (string_blocks(lane, 1, first == 0 ? aad : aad + first, m->aad_bytes - first) ||
        string_blocks(lane, 3, p->decrypts ? m->out : m->in, m->n_bytes)) {
        return true;
    }
    mf_xor(m->work + MAC, m->work + MAC, chain, BLOCK);
    return false;
}

static void authenticate(const mf_cipher *cipher, const pass *p, mf_message *messages, size_t n)
{
    const mf_chains chains = {cipher, p, next, mf_crypt_cbc_rows};
    mf_run_chains(&chains, messages, n);
}

/* ---------------------------------------------------------------------------------------------- */

static mf_status begin(const mf_cipher *cipher, mf_message *messages, size_t n)
{
    mf_status status = mf_check_cipher_16(cipher);
    if (status == MF_OK) {
        status = mf_begin_messages(cipher, messages, n, check, NULL);
    }
    for (size_t i = 0; i < n && status == MF_OK; i++) {
        const mf_message *const m = &messages[i];
        if (m->status == MF_OK) {
            mf_ccm_first_counter(messages[i].work + COUNTER, m->nonce, m->nonce_bytes);
        }
    }
    return status;
}

mf_status mf_ccm_encrypt_many(const mf_cipher *cipher, mf_message *messages, size_t n)
{
    const pass p = {false};
    const mf_status status = begin(cipher, messages, n);
    if (status != MF_OK) {
        return status;
    }
    authenticate(cipher, &p, messages, n);
    mf_run_ctr_and_mask(cipher, BLOCK, messages, n, MAC);
    mf_write_tags(messages, n, MAC);
    return mf_end_messages(messages, n);
}

mf_status mf_ccm_decrypt_many(const mf_cipher *cipher, mf_message *messages, size_t n)
{
    const pass p = {true};
    const mf_status status = begin(cipher, messages, n);
    if (status != MF_OK) {
        return status;
    }
    mf_run_ctr_and_mask(cipher, BLOCK, messages, n, MAC);
    authenticate(cipher, &p, messages, n);
    mf_compare_tags(messages, n, MAC);
    return mf_end_messages(messages, n);
}
