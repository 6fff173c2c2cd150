/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * ECB and CBC, with the padding that OpenSSL adds and takes away unless told otherwise [RFC5652,
 * 6.3].
 */
#include "cipher.h"

#include <openssl/evp.h>

#include <string.h>

static mf_status start(cipher_context *ctx)
{
    (void)ctx;
    return MF_OK;
}

static mf_status blocks_ecb(cipher_context *ctx, unsigned char *out, const unsigned char *in,
                            size_t n_bytes)
{
    const mf_cipher cipher = context_cipher(ctx, 0);

    return ctx->encrypt ? mf_ecb_encrypt(&cipher, out, in, n_bytes)
                        : mf_ecb_decrypt(&cipher, out, in, n_bytes);
}

static mf_status blocks_cbc(cipher_context *ctx, unsigned char *out, const unsigned char *in,
                            size_t n_bytes)
{
    const mf_cipher cipher = context_cipher(ctx, 0);

    return ctx->encrypt ? mf_cbc_encrypt(&cipher, ctx->chain, out, in, n_bytes)
                        : mf_cbc_decrypt(&cipher, ctx->chain, out, in, n_bytes);
}

/* Through the buffer and then directly. */
static mf_status update(cipher_context *ctx, unsigned char *out, const unsigned char *in,
                        size_t n_bytes)
{
    const mode *m = ctx->algorithm->mode;
    size_t n_out = context_ready(ctx, n_bytes), n_waiting = ctx->n_waiting;
    mf_status status = MF_OK;

    if (n_out != 0 && n_waiting != 0) {
        const size_t n_taken = BLOCK_BYTES - n_waiting;

        memcpy(ctx->buffer + n_waiting, in, n_taken);
        status = m->blocks(ctx, out, ctx->buffer, BLOCK_BYTES);
        out += BLOCK_BYTES;
        n_out -= BLOCK_BYTES;
        in += n_taken;
        n_bytes -= n_taken;
        n_waiting = 0;
    }
    if (status == MF_OK && n_out != 0) {
        status = m->blocks(ctx, out, in, n_out);
    }
    memcpy(ctx->buffer + n_waiting, in + n_out, n_bytes - n_out);
    return status;
}

/* The last block, through CBC in both modes: ECB of one block is CBC with a chain of zeros. No more
 * is written than belongs to the text. */
static mf_status last_block(cipher_context *ctx, unsigned char *out, size_t *n_out)
{
    const mf_cipher cipher = context_cipher(ctx, 0);
    unsigned char zeros[BLOCK_BYTES] = {0}, block[BLOCK_BYTES];
    unsigned char *chain = ctx->algorithm->mode == &mode_ecb ? zeros : ctx->chain;
    const mf_status status = ctx->encrypt
                                 ? mf_cbc_encrypt_padded(&cipher, chain, block, sizeof block, n_out,
                                                         ctx->buffer, ctx->n_waiting)
                                 : mf_cbc_decrypt_padded(&cipher, chain, block, sizeof block, n_out,
                                                         ctx->buffer, ctx->n_waiting);

    if (status == MF_OK) {
        memcpy(out, block, *n_out);
    }
    mf_wipe(block, sizeof block);
    return status;
}

/* A whole block waits if padding was switched off after decryption had kept the block for it. */
static int finish_without_padding(cipher_context *ctx, unsigned char *out, size_t *n_out)
{
    *n_out = ctx->n_waiting;
    if (ctx->n_waiting == 0) {
        return 1;
    }
    if (ctx->n_waiting != BLOCK_BYTES) {
        return provider_fail(ctx->provider, REASON_LAST_BLOCK,
                             "without padding, expected whole blocks of 16 bytes; %zu are left",
                             ctx->n_waiting);
    }
    return provider_check(ctx->provider,
                          ctx->algorithm->mode->blocks(ctx, out, ctx->buffer, BLOCK_BYTES));
}

static int finish(cipher_context *ctx, unsigned char *out, size_t *n_out)
{
    if (!ctx->padding) {
        return finish_without_padding(ctx, out, n_out);
    }
    if (!ctx->encrypt && ctx->n_waiting != BLOCK_BYTES) {
        return provider_fail(ctx->provider, REASON_LAST_BLOCK,
                             "expected whole blocks of 16 bytes, at least one; the last has %zu",
                             ctx->n_waiting);
    }
    return provider_check(ctx->provider, last_block(ctx, out, n_out));
}

const mode mode_ecb = {
    .evp_mode = EVP_CIPH_ECB_MODE,
    .n_keys = 1,
    .block_bytes = BLOCK_BYTES,
    .start = start,
    .update = update,
    .blocks = blocks_ecb,
    .finish = finish,
};

const mode mode_cbc = {
    .evp_mode = EVP_CIPH_CBC_MODE,
    .n_keys = 1,
    .block_bytes = BLOCK_BYTES,
    .iv_bytes = BLOCK_BYTES,
    .min_iv_bytes = BLOCK_BYTES,
    .max_iv_bytes = BLOCK_BYTES,
    .keeps_iv = true,
    .start = start,
    .update = update,
    .blocks = blocks_cbc,
    .finish = finish,
};
