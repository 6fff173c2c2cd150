/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The authenticated modes.
 */
#include "mode.h"

#include <stdlib.h>
#include <string.h>

/* --- OCB -------------------------------------------------------------------------------------- */

static mf_status init_ocb(mode *m)
{
    return mf_ocb_init(&m->state.ocb, &m->keys.cipher[0]);
}

static mf_status start_ocb(mode *m, const unsigned char *iv, size_t iv_bytes)
{
    return mf_ocb_start(&m->state.ocb, iv, iv_bytes);
}

static mf_status aad_ocb(mode *m, const unsigned char *aad, size_t n_bytes)
{
    return mf_ocb_aad(&m->state.ocb, aad, n_bytes);
}

static mf_status update_ocb(mode *m, unsigned char *out, const unsigned char *in, size_t n_bytes)
{
    size_t out_bytes; /* the same: Java gives whole blocks */

    return (m->encrypting ? mf_ocb_encrypt_update : mf_ocb_decrypt_update)(
        &m->state.ocb, out, n_bytes, &out_bytes, in, n_bytes);
}

/* Shorter tags are not those of [RFC7253] cut off, and the C library has none. */
static mf_status finish_ocb(mode *m, unsigned char *out, const unsigned char *in, size_t n_bytes,
                            unsigned char *tag, size_t tag_bytes)
{
    mf_ocb *ocb = &m->state.ocb;
    size_t out_bytes;

    if (tag_bytes != MF_OCB_TAG_BYTES) {
        return MF_ERROR_TAG_LENGTH;
    }
    return m->encrypting ? mf_ocb_encrypt_finish(ocb, out, n_bytes, &out_bytes, in, n_bytes, tag)
                         : mf_ocb_decrypt_finish(ocb, out, n_bytes, &out_bytes, in, n_bytes, tag);
}

static mf_status many_ocb(mode *m, mf_message *messages, size_t n)
{
    return (m->encrypting ? mf_ocb_encrypt_many : mf_ocb_decrypt_many)(&m->state.ocb, messages, n);
}

/* --- EAX -------------------------------------------------------------------------------------- */

static mf_status init_eax(mode *m)
{
    return mf_eax_init(&m->state.eax, &m->keys.cipher[0]);
}

static mf_status start_eax(mode *m, const unsigned char *iv, size_t iv_bytes)
{
    return mf_eax_start(&m->state.eax, iv, iv_bytes);
}

static mf_status aad_eax(mode *m, const unsigned char *aad, size_t n_bytes)
{
    return mf_eax_aad(&m->state.eax, aad, n_bytes);
}

static mf_status update_eax(mode *m, unsigned char *out, const unsigned char *in, size_t n_bytes)
{
    return (m->encrypting ? mf_eax_encrypt_update : mf_eax_decrypt_update)(&m->state.eax, out, in,
                                                                           n_bytes);
}

static mf_status finish_eax(mode *m, unsigned char *out, const unsigned char *in, size_t n_bytes,
                            unsigned char *tag, size_t tag_bytes)
{
    return m->encrypting ? mf_eax_encrypt_finish(&m->state.eax, out, in, n_bytes, tag, tag_bytes)
                         : mf_eax_decrypt_finish(&m->state.eax, out, in, n_bytes, tag, tag_bytes);
}

static mf_status many_eax(mode *m, mf_message *messages, size_t n)
{
    return (m->encrypting ? mf_eax_encrypt_many : mf_eax_decrypt_many)(&m->state.eax, messages, n);
}

/* --- GCM -------------------------------------------------------------------------------------- */

static mf_status init_gcm(mode *m)
{
    return mf_gcm_init(&m->state.gcm, &m->keys.cipher[0]);
}

static mf_status start_gcm(mode *m, const unsigned char *iv, size_t iv_bytes)
{
    return mf_gcm_start(&m->state.gcm, iv, iv_bytes);
}

static mf_status aad_gcm(mode *m, const unsigned char *aad, size_t n_bytes)
{
    return mf_gcm_aad(&m->state.gcm, aad, n_bytes);
}

static mf_status update_gcm(mode *m, unsigned char *out, const unsigned char *in, size_t n_bytes)
{
    return (m->encrypting ? mf_gcm_encrypt_update : mf_gcm_decrypt_update)(&m->state.gcm, out, in,
                                                                           n_bytes);
}

static mf_status finish_gcm(mode *m, unsigned char *out, const unsigned char *in, size_t n_bytes,
                            unsigned char *tag, size_t tag_bytes)
{
    return m->encrypting ? mf_gcm_encrypt_finish(&m->state.gcm, out, in, n_bytes, tag, tag_bytes)
                         : mf_gcm_decrypt_finish(&m->state.gcm, out, in, n_bytes, tag, tag_bytes);
}

static mf_status many_gcm(mode *m, mf_message *messages, size_t n)
{
    return (m->encrypting ? mf_gcm_encrypt_many : mf_gcm_decrypt_many)(&m->state.gcm, messages, n);
}

/* --- Modes that want a message at once: what comes before the text is held -------------------- */

/* Puts n_bytes behind what is held, at place. */
static mf_status hold(mode *m, size_t place, const unsigned char *data, size_t n_bytes)
{
    const size_t held_bytes = m->held_bytes + n_bytes;
    unsigned char *held = realloc(m->held, held_bytes + 1); /* not 0, which frees */

    if (held == NULL) {
        return MF_ERROR_MEMORY;
    }
    memmove(held + place + n_bytes, held + place, m->held_bytes - place);
    if (n_bytes != 0) {
        memcpy(held + place, data, n_bytes);
    }
    m->held = held;
    m->held_bytes = held_bytes;
    return MF_OK;
}

static mf_status start_held(mode *m, const unsigned char *iv, size_t iv_bytes)
{
    m->held_bytes = 0;
    m->aad_bytes = 0;
    m->has_aad = false;
    return hold(m, 0, iv, iv_bytes);
}

/* All pieces are one string, which comes before the nonce. */
static mf_status aad_held(mode *m, const unsigned char *aad, size_t n_bytes)
{
    const mf_status status = hold(m, m->aad_bytes, aad, n_bytes);

    if (status == MF_OK) {
        m->aad_bytes += n_bytes;
        m->has_aad = true;
    }
    return status;
}

static const unsigned char *held_nonce(const mode *m)
{
    return m->held == NULL ? NULL : m->held + m->aad_bytes;
}

/* --- CCM -------------------------------------------------------------------------------------- */

enum { CCM_MIN_NONCE_BYTES = 7, CCM_MAX_NONCE_BYTES = 13 };

/* The library computes nothing once per key. */
static mf_status init_ccm(mode *m)
{
    (void)m;
    return MF_OK;
}

static mf_status start_ccm(mode *m, const unsigned char *iv, size_t iv_bytes)
{
    return iv_bytes < CCM_MIN_NONCE_BYTES || iv_bytes > CCM_MAX_NONCE_BYTES
               ? MF_ERROR_NONCE_LENGTH
               : start_held(m, iv, iv_bytes);
}

static mf_status finish_ccm(mode *m, unsigned char *out, const unsigned char *in, size_t n_bytes,
                            unsigned char *tag, size_t tag_bytes)
{
    const mf_cipher *cipher = &m->keys.cipher[0];
    const size_t nonce_bytes = m->held_bytes - m->aad_bytes;

    return m->encrypting ? mf_ccm_encrypt(cipher, held_nonce(m), nonce_bytes, m->held, m->aad_bytes,
                                          out, in, n_bytes, tag, tag_bytes)
                         : mf_ccm_decrypt(cipher, held_nonce(m), nonce_bytes, m->held, m->aad_bytes,
                                          out, in, n_bytes, tag, tag_bytes);
}

static mf_status many_ccm(mode *m, mf_message *messages, size_t n)
{
    return (m->encrypting ? mf_ccm_encrypt_many : mf_ccm_decrypt_many)(&m->keys.cipher[0], messages,
                                                                       n);
}

/* --- SIV -------------------------------------------------------------------------------------- */

static mf_status init_siv(mode *m)
{
    return mf_siv_init(&m->state.siv, &m->keys.cipher[0], &m->keys.cipher[1]);
}

static mf_status finish_siv(mode *m, unsigned char *out, const unsigned char *in, size_t n_bytes,
                            unsigned char *tag, size_t tag_bytes)
{
    const mf_siv_string aad = {m->held, m->aad_bytes};
    const size_t nonce_bytes = m->held_bytes - m->aad_bytes;

    if (tag_bytes != MF_SIV_TAG_BYTES) {
        return MF_ERROR_TAG_LENGTH;
    }
    return m->encrypting ? mf_siv_encrypt(&m->state.siv, &aad, m->has_aad, held_nonce(m),
                                          nonce_bytes, out, in, n_bytes, tag)
                         : mf_siv_decrypt(&m->state.siv, &aad, m->has_aad, held_nonce(m),
                                          nonce_bytes, out, in, n_bytes, tag);
}

static mf_status many_siv(mode *m, mf_message *messages, size_t n)
{
    return (m->encrypting ? mf_siv_encrypt_many : mf_siv_decrypt_many)(&m->state.siv, messages, n);
}

const mode_row aead_modes[] = {
    {"EAX", 1, false, true, init_eax, start_eax, aad_eax, update_eax, finish_eax, many_eax},
    {"OCB", 1, false, true, init_ocb, start_ocb, aad_ocb, update_ocb, finish_ocb, many_ocb},
    {"GCM", 1, false, true, init_gcm, start_gcm, aad_gcm, update_gcm, finish_gcm, many_gcm},
    {"CCM", 1, true, true, init_ccm, start_ccm, aad_held, NULL, finish_ccm, many_ccm},
    {"SIV", 2, true, true, init_siv, start_held, aad_held, NULL, finish_siv, many_siv},
    {0},
};
