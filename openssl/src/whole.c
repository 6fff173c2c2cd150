/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * CCM and SIV, whose messages come all at once here: EVP does not tell the length of the associated
 * data before, which CCM wants, so they are kept until the text comes, in one update. Nothing is
 * released that is not authentic.
 */
#include "cipher.h"

#include <openssl/evp.h>

#include <string.h>

static mf_status start(cipher_context *ctx)
{
    const mf_cipher s2v = context_cipher(ctx, 0);

    ctx->text_is_done = false;
    if (ctx->algorithm->mode == &mode_siv) {
        const mf_cipher ctr = context_cipher(ctx, 1);

        return mf_siv_init(&ctx->state.siv, &s2v, &ctr);
    }
    return MF_OK;
}

/* --- associated data -------------------------------------------------------------------------- */

static int keep(cipher_context *ctx, const unsigned char *aad, size_t n_bytes)
{
    saved_string *s = &ctx->aad->string[ctx->aad->n];

    /* A byte more, so that an empty string is memory, too. */
    s->bytes = provider_alloc(ctx->provider, n_bytes + 1);
    if (s->bytes == NULL) {
        return 0;
    }
    memcpy(s->bytes, aad, n_bytes);
    s->n_bytes = n_bytes;
    ctx->aad->n++;
    return 1;
}

static int add_string(cipher_context *ctx, const unsigned char *aad, size_t n_bytes, size_t max)
{
    if (ctx->text_is_done) {
        return provider_fail(ctx->provider, MF_ERROR_STATE,
                             "expected associated data before the text");
    }
    if (ctx->aad == NULL) {
        ctx->aad = provider_alloc(ctx->provider, sizeof *ctx->aad);
    }
    if (ctx->aad == NULL) {
        return 0;
    }
    if (ctx->aad->n == max) {
        return provider_fail(ctx->provider, REASON_ONE_CALL,
                             "expected at most %zu calls with associated data", max);
    }
    return keep(ctx, aad, n_bytes);
}

static int ccm_aad(cipher_context *ctx, const unsigned char *aad, size_t n_bytes)
{
    return add_string(ctx, aad, n_bytes, 1);
}

static int siv_aad(cipher_context *ctx, const unsigned char *aad, size_t n_bytes)
{
    return add_string(ctx, aad, n_bytes, MF_SIV_MAX_STRINGS);
}

void context_forget_aad(cipher_context *ctx)
{
    for (size_t i = 0; ctx->aad != NULL && i < ctx->aad->n; i++) {
        provider_free(ctx->provider, ctx->aad->string[i].bytes, ctx->aad->string[i].n_bytes + 1);
    }
    provider_free(ctx->provider, ctx->aad, sizeof *ctx->aad);
    ctx->aad = NULL;
}

/* --- the text --------------------------------------------------------------------------------- */

static mf_status ccm_crypt(cipher_context *ctx, unsigned char *out, const unsigned char *in,
                           size_t n_bytes)
{
    const mf_cipher cipher = context_cipher(ctx, 0);
    const saved_string none = {NULL, 0};
    const saved_string *aad = ctx->aad == NULL ? &none : &ctx->aad->string[0];

    return ctx->encrypt ? mf_ccm_encrypt(&cipher, ctx->iv, ctx->iv_bytes, aad->bytes, aad->n_bytes,
                                         out, in, n_bytes, ctx->tag, ctx->tag_bytes)
                        : mf_ccm_decrypt(&cipher, ctx->iv, ctx->iv_bytes, aad->bytes, aad->n_bytes,
                                         out, in, n_bytes, ctx->tag, ctx->tag_bytes);
}

static mf_status siv_crypt(cipher_context *ctx, unsigned char *out, const unsigned char *in,
                           size_t n_bytes)
{
    const mf_siv *siv = &ctx->state.siv;
    const size_t n = ctx->aad == NULL ? 0 : ctx->aad->n;
    mf_siv_string aad[MF_SIV_MAX_STRINGS];

    for (size_t i = 0; i < n; i++) {
        aad[i].data = ctx->aad->string[i].bytes;
        aad[i].n_bytes = ctx->aad->string[i].n_bytes;
    }
    return ctx->encrypt ? mf_siv_encrypt(siv, aad, n, NULL, 0, out, in, n_bytes, ctx->tag)
                        : mf_siv_decrypt(siv, aad, n, NULL, 0, out, in, n_bytes, ctx->tag);
}

static int check_calls(const cipher_context *ctx, size_t n_bytes)
{
    if (ctx->text_is_done) {
        return provider_fail(ctx->provider, REASON_ONE_CALL,
                             "expected the whole text in one call; this is a second one");
    }
    if (ctx->is_announced && ctx->announced_bytes != n_bytes) {
        return provider_fail(ctx->provider, REASON_ANNOUNCED, "expected %zu bytes, found %zu",
                             ctx->announced_bytes, n_bytes);
    }
    if (!ctx->encrypt && !ctx->tag_is_set) {
        return provider_fail(ctx->provider, REASON_NO_TAG,
                             "expected a tag of %zu bytes before the text", ctx->tag_bytes);
    }
    return 1;
}

static int whole(cipher_context *ctx, unsigned char *out, const unsigned char *in, size_t n_bytes)
{
    if (!check_calls(ctx, n_bytes)) {
        return 0;
    }
    const mf_status status = ctx->algorithm->mode == &mode_siv ? siv_crypt(ctx, out, in, n_bytes)
                                                               : ccm_crypt(ctx, out, in, n_bytes);
    if (status == MF_OK) {
        ctx->text_is_done = true;
        ctx->tag_is_set = ctx->encrypt;
        ctx->made_tag_bytes = ctx->tag_bytes;
    } else if (status == MF_ERROR_TAG) {
        ctx->phase = PHASE_FINISHED;
    }
    return provider_check(ctx->provider, status);
}

/* A message without text ends here; any other has ended before. */
static int finish(cipher_context *ctx, unsigned char *out, size_t *n_out)
{
    (void)out;
    (void)n_out;
    return ctx->text_is_done || whole(ctx, NULL, NULL, 0);
}

/* ---------------------------------------------------------------------------------------------- */

/* [SP800-38C, A.1] */
static bool ccm_takes_tag(size_t n_bytes)
{
    return n_bytes >= 4 && n_bytes <= MAX_TAG_BYTES && n_bytes % 2 == 0;
}

static bool siv_takes_tag(size_t n_bytes)
{
    return n_bytes == MF_SIV_TAG_BYTES;
}

/* IV and tag have the lengths that OpenSSL's own CCM begins with. */
const mode mode_ccm = {
    .evp_mode = EVP_CIPH_CCM_MODE,
    .n_keys = 1,
    .block_bytes = 1,
    .iv_bytes = 7,
    .min_iv_bytes = 7,
    .max_iv_bytes = 13,
    .tag_bytes = 12,
    .takes_tag = ccm_takes_tag,
    .start = start,
    .finish = finish,
    .aad = ccm_aad,
    .whole = whole,
};

const mode mode_siv = {
    .evp_mode = EVP_CIPH_SIV_MODE,
    .n_keys = 2,
    .block_bytes = 1,
    .tag_bytes = MF_SIV_TAG_BYTES,
    .takes_tag = siv_takes_tag,
    .start = start,
    .finish = finish,
    .aad = siv_aad,
    .whole = whole,
};
