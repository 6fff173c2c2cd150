/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Checks and ends of messages, the same for all modes.
 */
#include "many.h"

mf_status mf_begin_messages(const mf_cipher *cipher, mf_message *messages, size_t n,
                            mf_message_check *check, const void *key)
{
    const mf_status status = mf_check_cipher(cipher);
    if (status != MF_OK) {
        return status;
    }
    if (messages == NULL && n > 0) {
        return MF_ERROR_NULL;
    }
    for (size_t i = 0; i < n; i++) {
        messages[i].status = check(key, &messages[i]);
        messages[i].out_bytes = 0;
        memset(messages[i].work, 0, sizeof messages[i].work);
    }
    return MF_OK;
}

mf_status mf_end_messages(mf_message *messages, size_t n)
{
    mf_status status = MF_OK;

    for (size_t i = n; i-- > 0;) {
        mf_wipe(messages[i].work, sizeof messages[i].work);
        if (messages[i].status != MF_OK) {
            status = messages[i].status;
        }
    }
    return status;
}

mf_status mf_check_iv_message(const mf_message *m, size_t block, size_t multiple)
{
    if (m->nonce_bytes != block) {
        return MF_ERROR_NONCE_LENGTH;
    }
    if (m->nonce == NULL) {
        return MF_ERROR_NULL;
    }
    return m->n_bytes % multiple != 0 ? MF_ERROR_LENGTH : mf_check_data(m->out, m->in, m->n_bytes);
}

mf_status mf_check_aead_message(const mf_message *m)
{
    if ((m->nonce == NULL && m->nonce_bytes > 0) || (m->aad == NULL && m->aad_bytes > 0) ||
        m->tag == NULL) {
        return MF_ERROR_NULL;
    }
    const mf_status status = mf_check_data(m->out, m->in, m->n_bytes);
    if (status != MF_OK) {
        return status;
    }
    return mf_overlap(m->tag, m->tag_bytes, m->out, m->n_bytes) ? MF_ERROR_OVERLAP : MF_OK;
}

void mf_write_tags(mf_message *messages, size_t n, size_t at)
{
    for (size_t i = 0; i < n; i++) {
        const mf_message *const m = &messages[i];
        if (m->status == MF_OK) {
            memcpy(m->tag, m->work + at, m->tag_bytes);
        }
    }
}

void mf_compare_tags(mf_message *messages, size_t n, size_t at)
{
    for (size_t i = 0; i < n; i++) {
        mf_message *const m = &messages[i];
        if (m->status == MF_OK && !mf_equal(m->work + at, m->tag, m->tag_bytes)) {
            m->status = MF_ERROR_TAG;
            mf_wipe(m->out, m->n_bytes);
        }
    }
}
