/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * XTS [IEEE1619, 5]: the IV is the tweak, and one update is one data unit [EVP_EncryptInit(3)].
 */
#include "cipher.h"

#include <openssl/evp.h>

static mf_status start(cipher_context *ctx)
{
    const mf_cipher data = context_cipher(ctx, 0), tweak = context_cipher(ctx, 1);

    ctx->text_is_done = false;
    return mf_xts_init(&ctx->state.xts, &data, &tweak);
}

static int whole(cipher_context *ctx, unsigned char *out, const unsigned char *in, size_t n_bytes)
{
    const mf_xts *xts = &ctx->state.xts;

    if (n_bytes == 0) {
        return 1;
    }
    if (!context_takes_unit(ctx)) {
        return 0;
    }
    const mf_status status = ctx->encrypt ? mf_xts_encrypt(xts, ctx->iv, out, in, n_bytes)
                                          : mf_xts_decrypt(xts, ctx->iv, out, in, n_bytes);
    ctx->text_is_done = status == MF_OK;
    if (status == MF_ERROR_LENGTH || status == MF_ERROR_TOO_LONG) {
        return provider_fail(ctx->provider, (int)status,
                             "expected a data unit of 16 to %zu bytes, found %zu", MF_XTS_MAX_BYTES,
                             n_bytes);
    }
    return provider_check(ctx->provider, status);
}

const mode mode_xts = {
    .evp_mode = EVP_CIPH_XTS_MODE,
    .n_keys = 2,
    .block_bytes = 1,
    .iv_bytes = MF_XTS_TWEAK_BYTES,
    .min_iv_bytes = MF_XTS_TWEAK_BYTES,
    .max_iv_bytes = MF_XTS_TWEAK_BYTES,
    .keeps_iv = true,
    .start = start,
    .whole = whole,
};
