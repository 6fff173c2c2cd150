/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * GCM [SP800-38D] of many messages: GHASH one after the other, CTR together. The first counter
 * block masks the tag. When decrypting, GHASH comes first, since the output may lie where the
 * ciphertext was.
 */
#include "../gcm.h"

#include "../../common/wipe.h"
#include "many.h"

/* In `work`, after the counter block: GHASH, and then the tag. */
enum { BLOCK = 16, COUNTER = 0, HASH = 16 };

static mf_status check(const void *key, const mf_message *m)
{
    (void)key;
    if (m->nonce_bytes == 0 || mf_gcm_too_long_to_hash(0, m->nonce_bytes)) {
        return MF_ERROR_NONCE_LENGTH;
    }
    if (mf_gcm_too_long_to_encrypt(0, m->n_bytes) || mf_gcm_too_long_to_hash(0, m->aad_bytes)) {
        return MF_ERROR_TOO_LONG;
    }
    return mf_gcm_is_tag_length(m->tag_bytes) ? mf_check_aead_message(m) : MF_ERROR_TAG_LENGTH;
}

/* --- GHASH ------------------------------------------------------------------------------------ */

/* A string that is filled with zeros to whole blocks. */
static void hash_string(const mf_gcm *gcm, uint8_t *hash, const uint8_t *data, size_t n_bytes)
{
    const size_t rest = n_bytes % BLOCK;
    uint8_t last[BLOCK] = {0};

    gcm->ghash->absorb(gcm->hash_key, hash, data, n_bytes / BLOCK);
    if (rest > 0) {
        memcpy(last, data + (n_bytes - rest), rest);
        gcm->ghash->absorb(gcm->hash_key, hash, last, 1);
    }
}

static void hash_lengths(const mf_gcm *gcm, uint8_t *hash, uint64_t bytes_a, uint64_t bytes_b)
{
    uint8_t lengths[BLOCK];
    mf_store64_be(lengths, 8 * bytes_a);
    mf_store64_be(lengths + 8, 8 * bytes_b);
    gcm->ghash->absorb(gcm->hash_key, hash, lengths, 1);
}

/* J0, the first counter block. [SP800-38D, 7.1, step 2] */
static void make_counters(const mf_gcm *gcm, mf_message *messages, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        mf_message *const m = &messages[i];
        uint8_t *const j0 = m->work + COUNTER;
        if (m->status == MF_OK && m->nonce_bytes == MF_GCM_SHORT_IV_BYTES) {
            memcpy(j0, m->nonce, MF_GCM_SHORT_IV_BYTES);
            j0[BLOCK - 1] = 1;
        } else if (m->status == MF_OK) {
            hash_string(gcm, j0, m->nonce, m->nonce_bytes);
            hash_lengths(gcm, j0, 0, m->nonce_bytes);
        }
    }
    mf_wipe_stack();
}

/* The ciphertext is the output or the input. */
static void add_hashes(const mf_gcm *gcm, bool decrypts, mf_message *messages, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        mf_message *const m = &messages[i];
        uint8_t hash[BLOCK] = {0};
        if (m->status == MF_OK) {
            hash_string(gcm, hash, m->aad, m->aad_bytes);
            hash_string(gcm, hash, decrypts ? m->in : m->out, m->n_bytes);
            hash_lengths(gcm, hash, m->aad_bytes, m->n_bytes);
            mf_xor(m->work + HASH, m->work + HASH, hash, BLOCK);
        }
        mf_wipe(hash, sizeof hash);
    }
    mf_wipe_stack();
}

/* ---------------------------------------------------------------------------------------------- */

static mf_status begin(const mf_gcm *gcm, mf_message *messages, size_t n)
{
    if (gcm == NULL) {
        return MF_ERROR_NULL;
    }
    const mf_status status = mf_begin_messages(&gcm->cipher, messages, n, check, gcm);
    if (status == MF_OK) {
        make_counters(gcm, messages, n);
    }
    return status;
}

mf_status mf_gcm_encrypt_many(const mf_gcm *gcm, mf_message *messages, size_t n)
{
    const mf_status status = begin(gcm, messages, n);
    if (status != MF_OK) {
        return status;
    }
    mf_run_ctr_and_mask(&gcm->cipher, 4, messages, n, HASH);
    add_hashes(gcm, false, messages, n);
    mf_write_tags(messages, n, HASH);
    return mf_end_messages(messages, n);
}

mf_status mf_gcm_decrypt_many(const mf_gcm *gcm, mf_message *messages, size_t n)
{
    const mf_status status = begin(gcm, messages, n);
    if (status != MF_OK) {
        return status;
    }
    add_hashes(gcm, true, messages, n);
    mf_run_ctr_and_mask(&gcm->cipher, 4, messages, n, HASH);
    mf_compare_tags(messages, n, HASH);
    return mf_end_messages(messages, n);
}
