/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * CTR, CFB and OFB. Besides the key stream they keep what OpenSSL shows of it as "updated IV", with
 * which a stream can be taken up again: the next counter block, or the input of the next block.
 */
#include "cipher.h"

#include <openssl/evp.h>

#include <string.h>

/* --- CTR -------------------------------------------------------------------------------------- */

static mf_status start_ctr(cipher_context *ctx)
{
    const mf_cipher cipher = context_cipher(ctx, 0);

    return mf_ctr_init(&ctx->state.ctr, &cipher, ctx->chain, 8 * BLOCK_BYTES);
}

/* Adds to the counter, big-endian. */
static void add_to_chain(cipher_context *ctx, size_t n_blocks)
{
    for (size_t i = BLOCK_BYTES; i-- > 0 && n_blocks != 0;) {
        n_blocks += ctx->chain[i];
        ctx->chain[i] = (unsigned char)n_blocks;
        n_blocks >>= 8;
    }
}

static mf_status update_ctr(cipher_context *ctx, unsigned char *out, const unsigned char *in,
                            size_t n_bytes)
{
    const mf_status status = mf_ctr_crypt(&ctx->state.ctr, out, in, n_bytes);
    const size_t unused = (BLOCK_BYTES - ctx->num) % BLOCK_BYTES;

    if (status == MF_OK && n_bytes > unused) {
        add_to_chain(ctx, (n_bytes - unused - 1) / BLOCK_BYTES + 1);
    }
    if (status == MF_OK) {
        ctx->num = (ctx->num + n_bytes % BLOCK_BYTES) % BLOCK_BYTES;
    }
    return status;
}

/* --- what CFB and OFB feed back --------------------------------------------------------------- */

/* The last bytes of what was fed back, at their places within the block. */
static void remember(cipher_context *ctx, const unsigned char *tail, size_t n_tail, size_t n_bytes)
{
    const size_t end = (ctx->num + n_bytes % BLOCK_BYTES) % BLOCK_BYTES;

    for (size_t i = 0; i < n_tail; i++) {
        ctx->chain[(end + BLOCK_BYTES - n_tail + i) % BLOCK_BYTES] = tail[i];
    }
    ctx->num = end;
}

/* The same for segments shorter than a block: they are shifted in. */
static void shift_in(cipher_context *ctx, const unsigned char *tail, size_t n_tail)
{
    memmove(ctx->chain, ctx->chain + n_tail, BLOCK_BYTES - n_tail);
    memcpy(ctx->chain + BLOCK_BYTES - n_tail, tail, n_tail);
}

static size_t at_most_a_block(size_t n_bytes)
{
    return n_bytes < BLOCK_BYTES ? n_bytes : BLOCK_BYTES;
}

/* --- CFB -------------------------------------------------------------------------------------- */

static mf_status start_cfb(cipher_context *ctx)
{
    const mf_cipher cipher = context_cipher(ctx, 0);

    return mf_cfb_init(&ctx->state.cfb, &cipher, ctx->chain, ctx->algorithm->mode->segment_bits);
}

static mf_status crypt_cfb(bool encrypt, mf_cfb *cfb, unsigned char *out, const unsigned char *in,
                           size_t n_bytes)
{
    return encrypt ? mf_cfb_encrypt(cfb, out, in, n_bytes) : mf_cfb_decrypt(cfb, out, in, n_bytes);
}

static mf_status update_cfb(cipher_context *ctx, unsigned char *out, const unsigned char *in,
                            size_t n_bytes)
{
    const size_t n_tail = at_most_a_block(n_bytes);
    unsigned char tail[BLOCK_BYTES];

    memcpy(tail, in + n_bytes - n_tail, n_tail); /* before it is overwritten */
    const mf_status status = crypt_cfb(ctx->encrypt, &ctx->state.cfb, out, in, n_bytes);
    if (status == MF_OK && ctx->encrypt) {
        memcpy(tail, out + n_bytes - n_tail, n_tail);
    }
    if (status == MF_OK && ctx->algorithm->mode->segment_bits == 8 * BLOCK_BYTES) {
        remember(ctx, tail, n_tail, n_bytes);
    } else if (status == MF_OK) {
        shift_in(ctx, tail, n_tail);
    }
    mf_wipe(tail, sizeof tail);
    return status;
}

/* --- OFB -------------------------------------------------------------------------------------- */

static mf_status start_ofb(cipher_context *ctx)
{
    const mf_cipher cipher = context_cipher(ctx, 0);

    return mf_ofb_init(&ctx->state.ofb, &cipher, ctx->chain);
}

static mf_status update_ofb(cipher_context *ctx, unsigned char *out, const unsigned char *in,
                            size_t n_bytes)
{
    const size_t n_tail = at_most_a_block(n_bytes);
    const unsigned char *end = out + n_bytes - n_tail;
    unsigned char tail[BLOCK_BYTES];

    memcpy(tail, in + n_bytes - n_tail, n_tail);
    const mf_status status = mf_ofb_crypt(&ctx->state.ofb, out, in, n_bytes);
    if (status == MF_OK) {
        for (size_t i = 0; i < n_tail; i++) {
            tail[i] ^= end[i];
        }
        remember(ctx, tail, n_tail, n_bytes);
    }
    mf_wipe(tail, sizeof tail);
    return status;
}

/* --- what is shown of CFB and OFB ------------------------------------------------------------- */

/* Within a block: the key stream that is left, as a copy gives it. */
static mf_status show_rest(cipher_context *ctx)
{
    const unsigned char zeros[BLOCK_BYTES] = {0};
    cipher_context copy = *ctx;
    mf_status status = MF_OK;

    copy.encrypt = true;
    memcpy(ctx->shown_chain, ctx->chain, BLOCK_BYTES);
    if (ctx->num != 0) {
        status = ctx->algorithm->mode->update(&copy, ctx->shown_chain + ctx->num, zeros,
                                              BLOCK_BYTES - ctx->num);
    }
    mf_wipe(&copy, sizeof copy);
    return status;
}

/* ---------------------------------------------------------------------------------------------- */

const mode mode_ctr = {
    .evp_mode = EVP_CIPH_CTR_MODE,
    .n_keys = 1,
    .block_bytes = 1,
    .iv_bytes = BLOCK_BYTES,
    .min_iv_bytes = BLOCK_BYTES,
    .max_iv_bytes = BLOCK_BYTES,
    .start = start_ctr,
    .update = update_ctr,
};

#define CFB_OF_SEGMENTS(n_bits)                                                                    \
    {                                                                                              \
        .evp_mode = EVP_CIPH_CFB_MODE, .n_keys = 1, .block_bytes = 1, .segment_bits = (n_bits),    \
        .iv_bytes = BLOCK_BYTES, .min_iv_bytes = BLOCK_BYTES, .max_iv_bytes = BLOCK_BYTES,         \
        .keeps_iv = true, .start = start_cfb, .update = update_cfb, .show_chain = show_rest,       \
    }

const mode mode_cfb = CFB_OF_SEGMENTS(8 * BLOCK_BYTES);
const mode mode_cfb8 = CFB_OF_SEGMENTS(8);
const mode mode_cfb1 = CFB_OF_SEGMENTS(1);

const mode mode_ofb = {
    .evp_mode = EVP_CIPH_OFB_MODE,
    .n_keys = 1,
    .block_bytes = 1,
    .iv_bytes = BLOCK_BYTES,
    .min_iv_bytes = BLOCK_BYTES,
    .max_iv_bytes = BLOCK_BYTES,
    .keeps_iv = true,
    .start = start_ofb,
    .update = update_ofb,
    .show_chain = show_rest,
};
