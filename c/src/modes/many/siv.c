/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * SIV [RFC5297] of many messages: S2V in lanes, where a lane goes through the strings of its
 * message one after the other, and CTR from the tag.
 */
#include "../siv.h"

#include "../cmac.h"
#include "../gf.h"
#include "many.h"

/* In `work`, after the counter block; D of the RFC, and up to two blocks for the chain. */
enum { BLOCK = 16, COUNTER = 0, D = 16, EDGE = 32 };
enum { AAD, NONCE, TEXT };

typedef struct pass {
    const mf_siv *siv;
    bool decrypts;
} pass;

static mf_status check(const void *key, const mf_message *m)
{
    (void)key;
    return m->tag_bytes == MF_SIV_TAG_BYTES ? mf_check_aead_message(m) : MF_ERROR_TAG_LENGTH;
}

/* The last string, from step `step` on: D goes into its end, so its last 16 to 31 bytes, one or two
 * blocks, are made from both. A shorter string is padded first. [RFC5297, 2.4] */
static bool next_of_text(const mf_cmac *cmac, mf_lane *lane, unsigned step, const uint8_t *text)
{
    mf_message *const m = lane->message;
    uint8_t *const edge = m->work + EDGE;
    uint8_t *const d = m->work + D;
    const size_t whole = m->n_bytes < BLOCK ? 0 : m->n_bytes / BLOCK - 1;
    const size_t rest = m->n_bytes - whole * BLOCK;

    if (lane->step == step) {
        mf_give_blocks(lane, step + 1, NULL, text, whole);
        if (whole > 0) {
            return true;
        }
    }
    if (lane->step != step + 1) {
        return false;
    }
    mf_give_blocks(lane, step + 2, NULL, edge, rest > BLOCK ? 2 : 1);
    if (rest < BLOCK) {
        mf_gf_double(d, d, BLOCK);
        mf_xor(d, d, text, rest);
        d[rest] ^= 0x80;
        mf_cmac_mask_last(cmac, edge, d, BLOCK);
        return true;
    }
    uint8_t *const last = rest > BLOCK ? edge + BLOCK : edge;
    memcpy(edge, text + whole * BLOCK, rest);
    mf_xor(edge + (rest - BLOCK), edge + (rest - BLOCK), d, BLOCK);
    mf_cmac_mask_last(cmac, last, last, (size_t)(edge + rest - last));
    return true;
}

/* D = dbl(D) ^ CMAC(string) */
static void end_string(mf_message *m, uint8_t *chain)
{
    uint8_t *const d = m->work + D;
    mf_gf_double(d, d, BLOCK);
    mf_xor(d, d, chain, BLOCK);
    memset(chain, 0, BLOCK);
}

/* One of the strings before the text, where there is one. */
static bool next_of_string(const mf_cmac *cmac, mf_lane *lane, unsigned t, unsigned step)
{
    mf_message *const m = lane->message;
    const void *const data = t == AAD ? m->aad : m->nonce;
    const size_t n_bytes = t == AAD ? m->aad_bytes : m->nonce_bytes;
    return mf_next_cmac(cmac, lane, step, data, n_bytes, m->work + EDGE);
}

static bool is_there(const mf_message *m, unsigned t)
{
    return t == AAD ? m->aad != NULL : m->nonce_bytes > 0;
}

static bool next(const void *key, mf_lane *lane, uint8_t *chain)
{
    enum { STEPS = 3 }; /* of a string */
    const pass *const p = key;
    const mf_cmac *const cmac = &p->siv->s2v;
    mf_message *const m = lane->message;

    if (lane->step == 0) {
        memset(chain, 0, BLOCK);
        memcpy(m->work + D, p->siv->zero_tag, BLOCK);
    }
    for (unsigned t = lane->step / STEPS; t < TEXT; t++, lane->step = t * STEPS) {
        if (!is_there(m, t)) {
            continue;
        }
        if (next_of_string(cmac, lane, t, t * STEPS)) {
            return true;
        }
        end_string(m, chain);
    }
    if (next_of_text(cmac, lane, TEXT * STEPS, p->decrypts ? m->out : m->in)) {
        return true;
    }
    memcpy(m->work + D, chain, BLOCK);
    return false;
}

/* From here on D is the tag. */
static void run_s2v(const pass *p, mf_message *messages, size_t n)
{
    const mf_chains chains = {&p->siv->s2v.cipher, p, next, mf_crypt_cbc_rows};
    mf_run_chains(&chains, messages, n);
}

static mf_status begin(const mf_siv *siv, mf_message *messages, size_t n)
{
    if (siv == NULL) {
        return MF_ERROR_NULL;
    }
    const mf_status status = mf_check_cipher(&siv->ctr);
    return status == MF_OK ? mf_begin_messages(&siv->s2v.cipher, messages, n, check, siv) : status;
}

mf_status mf_siv_encrypt_many(const mf_siv *siv, mf_message *messages, size_t n)
{
    const pass p = {siv, false};
    const mf_status status = begin(siv, messages, n);
    if (status != MF_OK) {
        return status;
    }
    run_s2v(&p, messages, n);
    for (size_t i = 0; i < n; i++) {
        mf_siv_first_counter(messages[i].work + COUNTER, messages[i].work + D);
    }
    mf_run_ctr(&siv->ctr, BLOCK, messages, n);
    mf_write_tags(messages, n, D);
    return mf_end_messages(messages, n);
}

mf_status mf_siv_decrypt_many(const mf_siv *siv, mf_message *messages, size_t n)
{
    const pass p = {siv, true};
    const mf_status status = begin(siv, messages, n);
    if (status != MF_OK) {
        return status;
    }
    for (size_t i = 0; i < n; i++) {
        if (messages[i].status == MF_OK) {
            mf_siv_first_counter(messages[i].work + COUNTER, messages[i].tag);
        }
    }
    mf_run_ctr(&siv->ctr, BLOCK, messages, n);
    run_s2v(&p, messages, n);
    mf_compare_tags(messages, n, D);
    return mf_end_messages(messages, n);
}
