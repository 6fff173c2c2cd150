/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * GCM and OCB, in pieces. Decrypted text from update is not authenticated until final succeeds:
 * that is how EVP works.
 */
#include "cipher.h"

#include <openssl/evp.h>

#include <string.h>

static int needs_tag(const cipher_context *ctx)
{
    return ctx->encrypt || ctx->tag_is_set ||
           provider_fail(ctx->provider, REASON_NO_TAG, "expected a tag of %zu bytes before final",
                         ctx->tag_bytes);
}

/* --- GCM -------------------------------------------------------------------------------------- */

/* [SP800-38D, 5.2.1.2] */
static bool gcm_takes_tag(size_t n_bytes)
{
    return n_bytes == 4 || n_bytes == 8 || (n_bytes >= 12 && n_bytes <= MF_GCM_MAX_TAG_BYTES);
}

static mf_status gcm_start(cipher_context *ctx)
{
    const mf_cipher cipher = context_cipher(ctx, 0);

    if (!ctx->mode_has_key) {
        const mf_status status = mf_gcm_init(&ctx->state.gcm, &cipher);
        if (status != MF_OK) {
            return status;
        }
    }
    return mf_gcm_start(&ctx->state.gcm, ctx->iv, ctx->iv_bytes);
}

static int gcm_aad(cipher_context *ctx, const unsigned char *aad, size_t n_bytes)
{
    return provider_check(ctx->provider, mf_gcm_aad(&ctx->state.gcm, aad, n_bytes));
}

static mf_status gcm_update(cipher_context *ctx, unsigned char *out, const unsigned char *in,
                            size_t n_bytes)
{
    return ctx->encrypt ? mf_gcm_encrypt_update(&ctx->state.gcm, out, in, n_bytes)
                        : mf_gcm_decrypt_update(&ctx->state.gcm, out, in, n_bytes);
}

/* The full tag when encrypting: how much of it is wanted shows when it is got. */
static int gcm_finish(cipher_context *ctx, unsigned char *out, size_t *n_out)
{
    mf_gcm *gcm = &ctx->state.gcm;

    (void)out;
    (void)n_out;
    if (!needs_tag(ctx)) {
        return 0;
    }
    return provider_check(
        ctx->provider,
        ctx->encrypt ? mf_gcm_encrypt_finish(gcm, NULL, NULL, 0, ctx->tag, MF_GCM_MAX_TAG_BYTES)
                     : mf_gcm_decrypt_finish(gcm, NULL, NULL, 0, ctx->tag, ctx->tag_bytes));
}

/* --- OCB -------------------------------------------------------------------------------------- */

/* The length of the tag is a part of the nonce [RFC7253, 4.2]; the library has the usual one. */
static bool ocb_takes_tag(size_t n_bytes)
{
    return n_bytes == MF_OCB_TAG_BYTES;
}

static mf_status ocb_start(cipher_context *ctx)
{
    const mf_cipher cipher = context_cipher(ctx, 0);

    if (!ctx->mode_has_key) {
        const mf_status status = mf_ocb_init(&ctx->state.ocb, &cipher);
        if (status != MF_OK) {
            return status;
        }
    }
    return mf_ocb_start(&ctx->state.ocb, ctx->iv, ctx->iv_bytes);
}

static int ocb_aad(cipher_context *ctx, const unsigned char *aad, size_t n_bytes)
{
    return provider_check(ctx->provider, mf_ocb_aad(&ctx->state.ocb, aad, n_bytes));
}

/* Bytes that do not fill a block wait in the library. */
static mf_status ocb_update(cipher_context *ctx, unsigned char *out, const unsigned char *in,
                            size_t n_bytes)
{
    size_t n = context_ready(ctx, n_bytes);

    return ctx->encrypt ? mf_ocb_encrypt_update(&ctx->state.ocb, out, n, &n, in, n_bytes)
                        : mf_ocb_decrypt_update(&ctx->state.ocb, out, n, &n, in, n_bytes);
}

static int ocb_finish(cipher_context *ctx, unsigned char *out, size_t *n_out)
{
    mf_ocb *ocb = &ctx->state.ocb;
    const size_t n = ctx->n_waiting;

    if (!needs_tag(ctx)) {
        return 0;
    }
    return provider_check(
        ctx->provider, ctx->encrypt ? mf_ocb_encrypt_finish(ocb, out, n, n_out, NULL, 0, ctx->tag)
                                    : mf_ocb_decrypt_finish(ocb, out, n, n_out, NULL, 0, ctx->tag));
}

/* ---------------------------------------------------------------------------------------------- */

const mode mode_gcm = {
    .evp_mode = EVP_CIPH_GCM_MODE,
    .n_keys = 1,
    .block_bytes = 1,
    .iv_bytes = 12,
    .min_iv_bytes = 1,
    .max_iv_bytes = MAX_IV_BYTES,
    .tag_bytes = MF_GCM_MAX_TAG_BYTES,
    .takes_tag = gcm_takes_tag,
    .start = gcm_start,
    .update = gcm_update,
    .finish = gcm_finish,
    .aad = gcm_aad,
};

const mode mode_ocb = {
    .evp_mode = EVP_CIPH_OCB_MODE,
    .n_keys = 1,
    .block_bytes = BLOCK_BYTES,
    .iv_bytes = 12,
    .min_iv_bytes = 1,
    .max_iv_bytes = MF_OCB_MAX_NONCE_BYTES,
    .tag_bytes = MF_OCB_TAG_BYTES,
    .takes_tag = ocb_takes_tag,
    .start = ocb_start,
    .update = ocb_update,
    .finish = ocb_finish,
    .aad = ocb_aad,
};
