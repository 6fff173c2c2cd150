/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * CTR [SP800-38A, 6.5] of many messages, by itself and in other modes.
 */
#include "../ctr.h"

#include "many.h"

static mf_status check(const void *key, const mf_message *m)
{
    const mf_counter_form *const form = key;
    const uint64_t n_blocks = mf_blocks_of(m->n_bytes, form->block_bytes);

    if (form->counter_bytes == 4 && n_blocks > (uint64_t)1 << 32) {
        return MF_ERROR_TOO_LONG;
    }
    return mf_check_iv_message(m, form->block_bytes, 1);
}

static size_t count(const void *key, const mf_message *m)
{
    return mf_blocks_of(m->n_bytes, ((const mf_counter_form *)key)->block_bytes);
}

static void fill(const void *key, const mf_run *r, uint8_t *blocks)
{
    mf_message *const m = r->message;
    if (r->first == 0) {
        memcpy(m->work, m->nonce, m->nonce_bytes);
    }
    mf_write_counters(key, m->work, blocks, r->n_blocks);
}

static void drain(const void *key, const mf_run *r, uint8_t *blocks)
{
    mf_xor_text(r, blocks, ((const mf_counter_form *)key)->block_bytes);
}

mf_status mf_ctr_crypt_many(const mf_cipher *cipher, unsigned counter_bits, mf_message *messages,
                            size_t n)
{
    const mf_status status = mf_check_cipher(cipher);
    if (status != MF_OK) {
        return status;
    }
    if (counter_bits != 32 && counter_bits != 8 * cipher->block_bytes) {
        return MF_ERROR_BLOCK;
    }
    const mf_counter_form form = {cipher->block_bytes, counter_bits / 8};
    const mf_blocks blocks = {cipher, false, &form, count, fill, drain};
    return mf_crypt_blocks(&blocks, check, messages, n);
}

/* --- For other modes -------------------------------------------------------------------------- */

static void fill_on(const void *key, const mf_run *r, uint8_t *blocks)
{
    mf_write_counters(key, r->message->work, blocks, r->n_blocks);
}

void mf_run_ctr(const mf_cipher *cipher, size_t counter_bytes, mf_message *messages, size_t n)
{
    const mf_counter_form form = {cipher->block_bytes, counter_bytes};
    const mf_blocks blocks = {cipher, false, &form, count, fill_on, drain};
    mf_run_blocks(&blocks, messages, n);
}

/* As key of the mode: the form first, so that it is one, too. */
typedef struct masked {
    mf_counter_form form;
    size_t at;
} masked;

static size_t count_masked(const void *key, const mf_message *m)
{
    return 1 + count(key, m);
}

static void drain_masked(const void *key, const mf_run *r, uint8_t *blocks)
{
    const masked *const form = key;
    const size_t block = form->form.block_bytes;
    mf_run text = {r->message, r->first - 1, r->n_blocks};

    if (r->first == 0) {
        uint8_t *const mask = r->message->work + form->at;
        mf_xor(mask, mask, blocks, block);
        blocks += block;
        text = (mf_run){r->message, 0, r->n_blocks - 1};
    }
    mf_xor_text(&text, blocks, block);
}

void mf_run_ctr_and_mask(const mf_cipher *cipher, size_t counter_bytes, mf_message *messages,
                         size_t n, size_t at)
{
    const masked form = {{cipher->block_bytes, counter_bytes}, at};
    const mf_blocks blocks = {cipher, false, &form, count_masked, fill_on, drain_masked};
    mf_run_blocks(&blocks, messages, n);
}
