/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "aead.h"

/* OCB */

static mf_status ocb_init(aead_state *state, const mf_cipher *cipher)
{
    return mf_ocb_init(&state->ocb, cipher);
}

static mf_status ocb_whole(aead_state *state, bool decrypt, const aead_case *c, void *out,
                           const void *in, unsigned char *tag)
{
    if (decrypt)
        return mf_ocb_decrypt(&state->ocb, c->nonce, c->nonce_bytes, c->aad, c->aad_bytes, out, in,
                              c->text_bytes, tag);
    return mf_ocb_encrypt(&state->ocb, c->nonce, c->nonce_bytes, c->aad, c->aad_bytes, out, in,
                          c->text_bytes, tag);
}

static mf_status ocb_start(aead_state *state, const aead_case *c)
{
    return mf_ocb_start(&state->ocb, c->nonce, c->nonce_bytes);
}

/* A piece may release bytes that were held back. */
static mf_status ocb_update(aead_state *state, bool decrypt, void *out, size_t *out_bytes,
                            const void *in, size_t n_bytes)
{
    const size_t room = n_bytes + 15;
    if (decrypt)
        return mf_ocb_decrypt_update(&state->ocb, out, room, out_bytes, in, n_bytes);
    return mf_ocb_encrypt_update(&state->ocb, out, room, out_bytes, in, n_bytes);
}

static mf_status ocb_finish(aead_state *state, bool decrypt, void *out, size_t *out_bytes,
                            const void *in, size_t n_bytes, unsigned char *tag, size_t tag_bytes)
{
    const size_t room = n_bytes + 15;
    (void)tag_bytes;
    if (decrypt)
        return mf_ocb_decrypt_finish(&state->ocb, out, room, out_bytes, in, n_bytes, tag);
    return mf_ocb_encrypt_finish(&state->ocb, out, room, out_bytes, in, n_bytes, tag);
}

static mf_status ocb_aad(aead_state *state, const void *aad, size_t n_bytes)
{
    return mf_ocb_aad(&state->ocb, aad, n_bytes);
}

static void ocb_wipe(aead_state *state)
{
    mf_ocb_wipe(&state->ocb);
}

/* EAX */

static mf_status eax_init(aead_state *state, const mf_cipher *cipher)
{
    return mf_eax_init(&state->eax, cipher);
}

static mf_status eax_whole(aead_state *state, bool decrypt, const aead_case *c, void *out,
                           const void *in, unsigned char *tag)
{
    if (decrypt)
        return mf_eax_decrypt(&state->eax, c->nonce, c->nonce_bytes, c->aad, c->aad_bytes, out, in,
                              c->text_bytes, tag, c->tag_bytes);
    return mf_eax_encrypt(&state->eax, c->nonce, c->nonce_bytes, c->aad, c->aad_bytes, out, in,
                          c->text_bytes, tag, c->tag_bytes);
}

static mf_status eax_start(aead_state *state, const aead_case *c)
{
    return mf_eax_start(&state->eax, c->nonce, c->nonce_bytes);
}

static mf_status eax_update(aead_state *state, bool decrypt, void *out, size_t *out_bytes,
                            const void *in, size_t n_bytes)
{
    *out_bytes = n_bytes;
    if (decrypt)
        return mf_eax_decrypt_update(&state->eax, out, in, n_bytes);
    return mf_eax_encrypt_update(&state->eax, out, in, n_bytes);
}

static mf_status eax_finish(aead_state *state, bool decrypt, void *out, size_t *out_bytes,
                            const void *in, size_t n_bytes, unsigned char *tag, size_t tag_bytes)
{
    *out_bytes = n_bytes;
    if (decrypt)
        return mf_eax_decrypt_finish(&state->eax, out, in, n_bytes, tag, tag_bytes);
    return mf_eax_encrypt_finish(&state->eax, out, in, n_bytes, tag, tag_bytes);
}

static mf_status eax_aad(aead_state *state, const void *aad, size_t n_bytes)
{
    return mf_eax_aad(&state->eax, aad, n_bytes);
}

static void eax_wipe(aead_state *state)
{
    mf_eax_wipe(&state->eax);
}

/* GCM */

static mf_status gcm_init(aead_state *state, const mf_cipher *cipher)
{
    return mf_gcm_init(&state->gcm, cipher);
}

static mf_status gcm_whole(aead_state *state, bool decrypt, const aead_case *c, void *out,
                           const void *in, unsigned char *tag)
{
    if (decrypt)
        return mf_gcm_decrypt(&state->gcm, c->nonce, c->nonce_bytes, c->aad, c->aad_bytes, out, in,
                              c->text_bytes, tag, c->tag_bytes);
    return mf_gcm_encrypt(&state->gcm, c->nonce, c->nonce_bytes, c->aad, c->aad_bytes, out, in,
                          c->text_bytes, tag, c->tag_bytes);
}

static mf_status gcm_start(aead_state *state, const aead_case *c)
{
    return mf_gcm_start(&state->gcm, c->nonce, c->nonce_bytes);
}

static mf_status gcm_update(aead_state *state, bool decrypt, void *out, size_t *out_bytes,
                            const void *in, size_t n_bytes)
{
    *out_bytes = n_bytes;
    if (decrypt)
        return mf_gcm_decrypt_update(&state->gcm, out, in, n_bytes);
    return mf_gcm_encrypt_update(&state->gcm, out, in, n_bytes);
}

static mf_status gcm_finish(aead_state *state, bool decrypt, void *out, size_t *out_bytes,
                            const void *in, size_t n_bytes, unsigned char *tag, size_t tag_bytes)
{
    *out_bytes = n_bytes;
    if (decrypt)
        return mf_gcm_decrypt_finish(&state->gcm, out, in, n_bytes, tag, tag_bytes);
    return mf_gcm_encrypt_finish(&state->gcm, out, in, n_bytes, tag, tag_bytes);
}

static mf_status gcm_aad(aead_state *state, const void *aad, size_t n_bytes)
{
    return mf_gcm_aad(&state->gcm, aad, n_bytes);
}

static void gcm_wipe(aead_state *state)
{
    mf_gcm_wipe(&state->gcm);
}

/* CCM */

static mf_status ccm_init(aead_state *state, const mf_cipher *cipher)
{
    memset(&state->ccm, 0, sizeof state->ccm); /* the key comes with each message */
    return cipher->block_bytes == 16 ? MF_OK : MF_ERROR_BLOCK;
}

static mf_status ccm_whole(aead_state *state, bool decrypt, const aead_case *c, void *out,
                           const void *in, unsigned char *tag)
{
    (void)state;
    if (decrypt)
        return mf_ccm_decrypt(c->cipher, c->nonce, c->nonce_bytes, c->aad, c->aad_bytes, out, in,
                              c->text_bytes, tag, c->tag_bytes);
    return mf_ccm_encrypt(c->cipher, c->nonce, c->nonce_bytes, c->aad, c->aad_bytes, out, in,
                          c->text_bytes, tag, c->tag_bytes);
}

static mf_status ccm_start(aead_state *state, const aead_case *c)
{
    return mf_ccm_start(&state->ccm, c->cipher, c->nonce, c->nonce_bytes, c->aad_bytes,
                        c->text_bytes, c->tag_bytes);
}

static mf_status ccm_update(aead_state *state, bool decrypt, void *out, size_t *out_bytes,
                            const void *in, size_t n_bytes)
{
    *out_bytes = n_bytes;
    if (decrypt)
        return mf_ccm_decrypt_update(&state->ccm, out, in, n_bytes);
    return mf_ccm_encrypt_update(&state->ccm, out, in, n_bytes);
}

static mf_status ccm_finish(aead_state *state, bool decrypt, void *out, size_t *out_bytes,
                            const void *in, size_t n_bytes, unsigned char *tag, size_t tag_bytes)
{
    *out_bytes = n_bytes;
    if (decrypt)
        return mf_ccm_decrypt_finish(&state->ccm, out, in, n_bytes, tag, tag_bytes);
    return mf_ccm_encrypt_finish(&state->ccm, out, in, n_bytes, tag, tag_bytes);
}

static mf_status ccm_aad(aead_state *state, const void *aad, size_t n_bytes)
{
    return mf_ccm_aad(&state->ccm, aad, n_bytes);
}

static void ccm_wipe(aead_state *state)
{
    mf_ccm_wipe(&state->ccm);
}

const aead_mode aead_modes[AEAD_MODES] = {
    {"OCB", 16, 1, ocb_init, ocb_whole, ocb_start, ocb_aad, ocb_update, ocb_finish, ocb_wipe},
    {"EAX", 4, 1, eax_init, eax_whole, eax_start, eax_aad, eax_update, eax_finish, eax_wipe},
    {"GCM", 12, 1, gcm_init, gcm_whole, gcm_start, gcm_aad, gcm_update, gcm_finish, gcm_wipe},
    {"CCM", 4, 2, ccm_init, ccm_whole, ccm_start, ccm_aad, ccm_update, ccm_finish, ccm_wipe},
};
