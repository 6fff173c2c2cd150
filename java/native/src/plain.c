/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The modes without authentication.
 */
#include "mode.h"

#include <string.h>

static mf_status nothing(mode *m)
{
    (void)m;
    return MF_OK;
}

/* The IV of a message, kept as it is. */
static mf_status keep_iv(mode *m, const unsigned char *iv, size_t iv_bytes)
{
    if (iv_bytes != m->keys.cipher[0].block_bytes) {
        return MF_ERROR_NONCE_LENGTH;
    }
    memcpy(m->iv, iv, iv_bytes);
    return MF_OK;
}

/* finish of modes whose last piece is like the others. */
static mf_status last_update(mode *m, unsigned char *out, const unsigned char *in, size_t n_bytes,
                             unsigned char *tag, size_t tag_bytes)
{
    (void)tag;
    (void)tag_bytes;
    return m->row->update(m, out, in, n_bytes);
}

/* --- ECB, CBC --------------------------------------------------------------------------------- */

static mf_status start_ecb(mode *m, const unsigned char *iv, size_t iv_bytes)
{
    (void)m;
    (void)iv;
    return iv_bytes == 0 ? MF_OK : MF_ERROR_NONCE_LENGTH;
}

static mf_status update_ecb(mode *m, unsigned char *out, const unsigned char *in, size_t n_bytes)
{
    return (m->encrypting ? mf_ecb_encrypt : mf_ecb_decrypt)(&m->keys.cipher[0], out, in, n_bytes);
}

static mf_status update_cbc(mode *m, unsigned char *out, const unsigned char *in, size_t n_bytes)
{
    return (m->encrypting ? mf_cbc_encrypt : mf_cbc_decrypt)(&m->keys.cipher[0], m->iv, out, in,
                                                             n_bytes);
}

static mf_status many_cbc(mode *m, mf_message *messages, size_t n)
{
    return (m->encrypting ? mf_cbc_encrypt_many : mf_cbc_decrypt_many)(&m->keys.cipher[0], messages,
                                                                       n);
}

static mf_status many_cbc_padded(mode *m, mf_message *messages, size_t n)
{
    return (m->encrypting ? mf_cbc_encrypt_padded_many
                          : mf_cbc_decrypt_padded_many)(&m->keys.cipher[0], messages, n);
}

/* --- CTR, CFB, OFB ---------------------------------------------------------------------------- */

static mf_status start_ctr(mode *m, const unsigned char *iv, size_t iv_bytes)
{
    const mf_cipher *cipher = &m->keys.cipher[0];

    return iv_bytes != cipher->block_bytes
               ? MF_ERROR_NONCE_LENGTH
               : mf_ctr_init(&m->state.ctr, cipher, iv, 8 * (unsigned)cipher->block_bytes);
}

static mf_status update_ctr(mode *m, unsigned char *out, const unsigned char *in, size_t n_bytes)
{
    return mf_ctr_crypt(&m->state.ctr, out, in, n_bytes);
}

static mf_status start_cfb_segments(mode *m, const unsigned char *iv, size_t iv_bytes,
                                    unsigned segment_bits)
{
    const mf_cipher *cipher = &m->keys.cipher[0];

    return iv_bytes != cipher->block_bytes ? MF_ERROR_NONCE_LENGTH
                                           : mf_cfb_init(&m->state.cfb, cipher, iv, segment_bits);
}

static mf_status start_cfb(mode *m, const unsigned char *iv, size_t iv_bytes)
{
    return start_cfb_segments(m, iv, iv_bytes, 8 * (unsigned)m->keys.cipher[0].block_bytes);
}

static mf_status start_cfb8(mode *m, const unsigned char *iv, size_t iv_bytes)
{
    return start_cfb_segments(m, iv, iv_bytes, 8);
}

static mf_status update_cfb(mode *m, unsigned char *out, const unsigned char *in, size_t n_bytes)
{
    return (m->encrypting ? mf_cfb_encrypt : mf_cfb_decrypt)(&m->state.cfb, out, in, n_bytes);
}

static mf_status start_ofb(mode *m, const unsigned char *iv, size_t iv_bytes)
{
    const mf_cipher *cipher = &m->keys.cipher[0];

    return iv_bytes != cipher->block_bytes ? MF_ERROR_NONCE_LENGTH
                                           : mf_ofb_init(&m->state.ofb, cipher, iv);
}

static mf_status update_ofb(mode *m, unsigned char *out, const unsigned char *in, size_t n_bytes)
{
    return mf_ofb_crypt(&m->state.ofb, out, in, n_bytes);
}

static mf_status many_ctr(mode *m, mf_message *messages, size_t n)
{
    const mf_cipher *cipher = &m->keys.cipher[0];

    return mf_ctr_crypt_many(cipher, 8 * (unsigned)cipher->block_bytes, messages, n);
}

static mf_status many_cfb(mode *m, mf_message *messages, size_t n)
{
    return (m->encrypting ? mf_cfb_encrypt_many : mf_cfb_decrypt_many)(&m->keys.cipher[0], messages,
                                                                       n);
}

static mf_status many_ofb(mode *m, mf_message *messages, size_t n)
{
    return mf_ofb_crypt_many(&m->keys.cipher[0], messages, n);
}

/* --- XTS -------------------------------------------------------------------------------------- */

static mf_status init_xts(mode *m)
{
    return mf_xts_init(&m->state.xts, &m->keys.cipher[0], &m->keys.cipher[1]);
}

static mf_status finish_xts(mode *m, unsigned char *out, const unsigned char *in, size_t n_bytes,
                            unsigned char *tag, size_t tag_bytes)
{
    (void)tag;
    (void)tag_bytes;
    return (m->encrypting ? mf_xts_encrypt : mf_xts_decrypt)(&m->state.xts, m->iv, out, in,
                                                             n_bytes);
}

const mode_row plain_modes[] = {
    {"ECB", 1, false, false, nothing, start_ecb, NULL, update_ecb, last_update, NULL},
    {"CBC", 1, false, false, nothing, keep_iv, NULL, update_cbc, last_update, many_cbc},
    {"CBC_PADDED", 1, false, false, nothing, keep_iv, NULL, update_cbc, last_update,
     many_cbc_padded},
    {"CTR", 1, false, false, nothing, start_ctr, NULL, update_ctr, last_update, many_ctr},
    {"CFB", 1, false, false, nothing, start_cfb, NULL, update_cfb, last_update, many_cfb},
    {"CFB8", 1, false, false, nothing, start_cfb8, NULL, update_cfb, last_update, NULL},
    {"OFB", 1, false, false, nothing, start_ofb, NULL, update_ofb, last_update, many_ofb},
    {"XTS", 2, true, false, init_xts, keep_iv, NULL, NULL, finish_xts, NULL},
    {0},
};
