/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * OCB3 [RFC7253] of many messages, in passes over all of them: associated data, nonces, whole
 * blocks of the texts, the partial ones, tags.
 */
#include "../ocb.h"

#include "many.h"

/* In `work`: the offset before the cipher, which the associated data uses first, and after it. */
enum { BLOCK = MF_OCB_BLOCK, OFFSET = 0, AFTER = 16, CHECKSUM = 32, AAD_SUM = 48 };

static bool is_too_long(uint64_t n_bytes)
{
    return n_bytes / BLOCK + 1 >= MF_OCB_MAX_BLOCKS;
}

static mf_status check(const void *key, const mf_message *m)
{
    (void)key;
    if (m->nonce_bytes < 1 || m->nonce_bytes > MF_OCB_MAX_NONCE_BYTES) {
        return MF_ERROR_NONCE_LENGTH;
    }
    if (m->tag_bytes != MF_OCB_TAG_BYTES) {
        return MF_ERROR_TAG_LENGTH;
    }
    if (is_too_long(m->aad_bytes) || is_too_long(m->n_bytes)) {
        return MF_ERROR_TOO_LONG;
    }
    return mf_check_aead_message(m);
}

static size_t count_one(const void *key, const mf_message *m)
{
    (void)key;
    (void)m;
    return 1;
}

/* --- HASH of the associated data [RFC7253, 4.1] ----------------------------------------------- */

static size_t count_aad(const void *key, const mf_message *m)
{
    (void)key;
    return mf_blocks_of(m->aad_bytes, BLOCK);
}

static void fill_aad(const void *key, const mf_run *r, uint8_t *blocks)
{
    mf_message *const m = r->message;
    const mf_ocb *const ocb = key;
    uint8_t *const offset = m->work + OFFSET;
    const uint8_t *const aad = (const uint8_t *)m->aad + r->first * BLOCK;
    const size_t n = mf_min(r->n_blocks, m->aad_bytes / BLOCK - r->first);
    const size_t rest = m->aad_bytes % BLOCK;

    mf_ocb_mask(ocb, offset, offset, r->first, blocks, aad, n, m->work + AAD_SUM, MF_OCB_NOTHING);
    if (n < r->n_blocks) {
        uint8_t *const last = blocks + n * BLOCK;
        mf_xor(last, offset, ocb->l_star, BLOCK);
        mf_xor(last, last, aad + n * BLOCK, rest);
        last[rest] ^= 0x80;
    }
}

static void drain_aad(const void *key, const mf_run *r, uint8_t *blocks)
{
    (void)key;
    mf_ocb_add_blocks(r->message->work + AAD_SUM, blocks, r->n_blocks);
}

/* --- The first offset ------------------------------------------------------------------------- */

static void fill_nonce(const void *key, const mf_run *r, uint8_t *blocks)
{
    (void)key;
    (void)mf_ocb_top(blocks, r->message->nonce, r->message->nonce_bytes);
}

static void drain_nonce(const void *key, const mf_run *r, uint8_t *blocks)
{
    mf_message *const m = r->message;
    uint8_t top[BLOCK];
    const unsigned bottom = mf_ocb_top(top, m->nonce, m->nonce_bytes);

    (void)key;
    mf_ocb_first_offset(m->work + OFFSET, blocks, bottom);
    memcpy(m->work + AFTER, m->work + OFFSET, BLOCK);
}

/* --- Whole blocks [RFC7253, 4.2, 4.3] --------------------------------------------------------- */

static size_t count_whole(const void *key, const mf_message *m)
{
    (void)key;
    return m->n_bytes / BLOCK;
}

/* The checksum is one of the plaintext, so encryption takes it before the cipher. */
static void fill_to_encrypt(const void *key, const mf_run *r, uint8_t *blocks)
{
    mf_message *const m = r->message;
    uint8_t *const offset = m->work + OFFSET;
    mf_ocb_mask(key, offset, offset, r->first, blocks, (const uint8_t *)m->in + r->first * BLOCK,
                r->n_blocks, m->work + CHECKSUM, MF_OCB_INPUT);
}

static void fill_to_decrypt(const void *key, const mf_run *r, uint8_t *blocks)
{
    mf_message *const m = r->message;
    uint8_t *const offset = m->work + OFFSET;
    mf_ocb_mask(key, offset, offset, r->first, blocks, (const uint8_t *)m->in + r->first * BLOCK,
                r->n_blocks, m->work + CHECKSUM, MF_OCB_NOTHING);
}

static void drain_encrypted(const void *key, const mf_run *r, uint8_t *blocks)
{
    mf_message *const m = r->message;
    uint8_t *const offset = m->work + AFTER;
    mf_ocb_mask(key, offset, offset, r->first, (uint8_t *)m->out + r->first * BLOCK, blocks,
                r->n_blocks, m->work + CHECKSUM, MF_OCB_NOTHING);
}

static void drain_decrypted(const void *key, const mf_run *r, uint8_t *blocks)
{
    mf_message *const m = r->message;
    uint8_t *const offset = m->work + AFTER;
    mf_ocb_mask(key, offset, offset, r->first, (uint8_t *)m->out + r->first * BLOCK, blocks,
                r->n_blocks, m->work + CHECKSUM, MF_OCB_OUTPUT);
}

/* --- Partial blocks --------------------------------------------------------------------------- */

static size_t count_rest(const void *key, const mf_message *m)
{
    (void)key;
    return m->n_bytes % BLOCK != 0;
}

static void fill_rest(const void *key, const mf_run *r, uint8_t *blocks)
{
    const mf_ocb *const ocb = key;
    uint8_t *const offset = r->message->work + AFTER;

    mf_xor(offset, offset, ocb->l_star, BLOCK);
    memcpy(blocks, offset, BLOCK);
}

/* The plaintext goes into the checksum, padded with a one bit. */
static void add_rest(mf_message *m, const uint8_t *plaintext, size_t rest)
{
    uint8_t *const checksum = m->work + CHECKSUM;
    mf_xor(checksum, checksum, plaintext, rest);
    checksum[rest] ^= 0x80;
}

static void drain_rest(mf_message *m, bool decrypts, const uint8_t *block)
{
    const size_t rest = m->n_bytes % BLOCK;
    const uint8_t *const in = (const uint8_t *)m->in + (m->n_bytes - rest);
    uint8_t *const out = (uint8_t *)m->out + (m->n_bytes - rest);

    if (!decrypts) {
        add_rest(m, in, rest);
    }
    mf_xor(out, in, block, rest);
    if (decrypts) {
        add_rest(m, out, rest);
    }
}

static void drain_encrypted_rest(const void *key, const mf_run *r, uint8_t *blocks)
{
    (void)key;
    drain_rest(r->message, false, blocks);
}

static void drain_decrypted_rest(const void *key, const mf_run *r, uint8_t *blocks)
{
    (void)key;
    drain_rest(r->message, true, blocks);
}

/* --- Tags ------------------------------------------------------------------------------------- */

static void fill_tag(const void *key, const mf_run *r, uint8_t *blocks)
{
    const mf_ocb *const ocb = key;

    mf_xor(blocks, r->message->work + CHECKSUM, r->message->work + AFTER, BLOCK);
    mf_xor(blocks, blocks, ocb->l_dollar, BLOCK);
}

static void drain_tag(const void *key, const mf_run *r, uint8_t *blocks)
{
    (void)key;
    mf_xor(r->message->work + CHECKSUM, blocks, r->message->work + AAD_SUM, BLOCK);
}

/* ---------------------------------------------------------------------------------------------- */

static mf_status crypt(const mf_ocb *ocb, bool decrypts, mf_message *messages, size_t n)
{
    if (ocb == NULL) {
        return MF_ERROR_NULL;
    }
    const mf_cipher *const cipher = &ocb->cipher;
    const mf_blocks passes[] = {
        {cipher, false, ocb, count_aad, fill_aad, drain_aad},
        {cipher, false, ocb, count_one, fill_nonce, drain_nonce},
        {cipher, decrypts, ocb, count_whole, decrypts ? fill_to_decrypt : fill_to_encrypt,
         decrypts ? drain_decrypted : drain_encrypted},
        {cipher, false, ocb, count_rest, fill_rest,
         decrypts ? drain_decrypted_rest : drain_encrypted_rest},
        {cipher, false, ocb, count_one, fill_tag, drain_tag},
    };
    const mf_status status = mf_begin_messages(cipher, messages, n, check, ocb);

    for (size_t i = 0; i < sizeof passes / sizeof passes[0] && status == MF_OK; i++) {
        mf_run_blocks(&passes[i], messages, n);
    }
    return status;
}

mf_status mf_ocb_encrypt_many(const mf_ocb *ocb, mf_message *messages, size_t n)
{
    const mf_status status = crypt(ocb, false, messages, n);
    if (status != MF_OK) {
        return status;
    }
    mf_write_tags(messages, n, CHECKSUM);
    return mf_end_messages(messages, n);
}

mf_status mf_ocb_decrypt_many(const mf_ocb *ocb, mf_message *messages, size_t n)
{
    const mf_status status = crypt(ocb, true, messages, n);
    if (status != MF_OK) {
        return status;
    }
    mf_compare_tags(messages, n, CHECKSUM);
    return mf_end_messages(messages, n);
}
