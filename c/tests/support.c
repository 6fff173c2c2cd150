/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The helpers of support.h.
 */
#include "support.h"
#include "study.h"

#include <stdlib.h>
#include <string.h>

/* A random part of random bytes that are made once: to make new ones would take half of the time of
 * some tests. */
static void fill(guarded *buffer)
{
    static unsigned char stock[2 * sizeof buffer->bytes];
    static bool made;

    if (!made) {
        random_bytes(stock, sizeof stock);
        made = true;
    }
    memcpy(buffer->bytes, stock + random_below(sizeof buffer->bytes), sizeof buffer->bytes);
}

unsigned char *guarded_place(guarded *buffer, size_t misalignment, const void *data, size_t n_bytes)
{
    const size_t past_boundary = (uintptr_t)buffer->bytes % GUARD_BYTES;
    unsigned char *place = buffer->bytes + 2 * GUARD_BYTES - past_boundary + misalignment;

    fill(buffer);
    if (data != NULL) {
        memcpy(place, data, n_bytes);
    }
    memcpy(buffer->before, buffer->bytes, sizeof buffer->bytes);
    return place;
}

bool guarded_intact(const guarded *buffer, const unsigned char *place, size_t n_bytes)
{
    const size_t start = (size_t)(place - buffer->bytes);
    const size_t end = start + n_bytes;

    return memcmp(buffer->bytes, buffer->before, start) == 0 &&
           memcmp(buffer->bytes + end, buffer->before + end, sizeof buffer->bytes - end) == 0;
}

/* --- Twofish ---------------------------------------------------------------------------------- */

static mf_status twofish_init(any_key *ctx, const char *kernel, const void *key, size_t key_bytes)
{
    return mf_twofish_init_kernel(&ctx->twofish, kernel, key, key_bytes);
}

static mf_status twofish_encrypt(const any_key *ctx, void *out, const void *in, size_t n_blocks)
{
    return mf_twofish_encrypt_blocks(&ctx->twofish, out, in, n_blocks);
}

static mf_status twofish_decrypt(const any_key *ctx, void *out, const void *in, size_t n_blocks)
{
    return mf_twofish_decrypt_blocks(&ctx->twofish, out, in, n_blocks);
}

static void twofish_wipe(any_key *ctx)
{
    mf_twofish_wipe(&ctx->twofish);
}

static mf_cipher twofish_as_cipher(const any_key *ctx)
{
    return mf_twofish_cipher(&ctx->twofish);
}

const subject twofish_subject = {
    .name = "twofish",
    .reference = "zero",
    .block_bytes = MF_TWOFISH_BLOCK_BYTES,
    .context_bytes = sizeof(mf_twofish),
    .key_sizes = key_sizes,
    .init = twofish_init,
    .encrypt = twofish_encrypt,
    .decrypt = twofish_decrypt,
    .wipe = twofish_wipe,
    .cipher = twofish_as_cipher,
    .kernel_count = mf_twofish_kernel_count,
    .kernel_info = mf_twofish_kernel_info,
    .prepare = build_tables,
};

/* --- DES -------------------------------------------------------------------------------------- */

static const size_t des_key_sizes[] = {8, 16, 24, 0};

static mf_status des_init_in(mf_des *ctx, const char *kernel, const void *key, size_t key_bytes)
{
    static struct {
        void *memory;
        size_t n_bytes;
    } places[4];
    static size_t next;
    const size_t i = next++ % (sizeof places / sizeof places[0]);
    size_t n_bytes = 0;

    CHECK_STATUS(mf_des_memory_bytes(kernel, MF_DES_MAX_KEY_BYTES, &n_bytes), MF_OK);
    n_bytes += MF_DES_MEMORY_ALIGNMENT;
    if (places[i].n_bytes < n_bytes) {
        free(places[i].memory);
        places[i].memory = malloc(n_bytes);
        places[i].n_bytes = n_bytes;
    }
    return mf_des_init_in(ctx, kernel, places[i].memory, n_bytes, key, key_bytes);
}

static mf_status des_init(any_key *ctx, const char *kernel, const void *key, size_t key_bytes)
{
    const mf_status status = mf_des_init_kernel(&ctx->des, kernel, key, key_bytes);

    return status == MF_ERROR_CAPACITY ? des_init_in(&ctx->des, kernel, key, key_bytes) : status;
}

static mf_status des_encrypt(const any_key *ctx, void *out, const void *in, size_t n_blocks)
{
    return mf_des_encrypt_blocks(&ctx->des, out, in, n_blocks);
}

static mf_status des_decrypt(const any_key *ctx, void *out, const void *in, size_t n_blocks)
{
    return mf_des_decrypt_blocks(&ctx->des, out, in, n_blocks);
}

static void des_wipe(any_key *ctx)
{
    mf_des_wipe(&ctx->des);
}

static mf_cipher des_as_cipher(const any_key *ctx)
{
    return mf_des_cipher(&ctx->des);
}

const subject des_subject = {
    .name = "des",
    .reference = "sp2k",
    .block_bytes = MF_DES_BLOCK_BYTES,
    .context_bytes = sizeof(mf_des),
    .key_sizes = des_key_sizes,
    .init = des_init,
    .encrypt = des_encrypt,
    .decrypt = des_decrypt,
    .wipe = des_wipe,
    .cipher = des_as_cipher,
    .kernel_count = mf_des_kernel_count,
    .kernel_info = mf_des_kernel_info,
    .prepare = NULL,
};

/* --- Any of them ------------------------------------------------------------------------------ */

void kernels_of(const subject *s, void (*body)(const char *kernel))
{
    if (s->prepare != NULL) {
        s->prepare();
    }
    for (size_t i = 0; i < s->kernel_count(); i++) {
        mf_kernel_info info;

        if (CHECK_STATUS(s->kernel_info(i, &info), MF_OK)) {
            call_for_kernel(&info, body);
        }
    }
}

mf_kernel_info info_of_kernel(const subject *s, const char *kernel)
{
    mf_kernel_info info = {0};

    for (size_t i = 0; s->kernel_info(i, &info) == MF_OK; i++) {
        if (strcmp(info.name, kernel) == 0) {
            return info;
        }
    }
    FAIL("there is a kernel of this name");
    return info;
}

bool fits_context(const subject *s, const char *kernel)
{
    return info_of_kernel(s, kernel).expanded_key_bytes < s->context_bytes;
}

mf_cipher subject_cipher(const subject *s, any_key *ctx, const char *kernel, const void *key,
                         size_t key_bytes)
{
    CHECK_STATUS(s->init(ctx, kernel, key, key_bytes), MF_OK);
    return s->cipher(ctx);
}

mf_cipher twofish_cipher(mf_twofish *ctx, const char *kernel, const void *key, size_t key_bytes)
{
    CHECK_STATUS(mf_twofish_init_kernel(ctx, kernel, key, key_bytes), MF_OK);
    return mf_twofish_cipher(ctx);
}

static bool toy_has_key(const void *key)
{
    return ((const toy_key *)key)->present;
}

static void toy_encrypt(const void *key, unsigned char *out, const unsigned char *in,
                        size_t n_blocks)
{
    const toy_key *toy = (const toy_key *)key;

    for (size_t n = 0; n < n_blocks; n++) {
        unsigned char block[8];

        memcpy(block, in + 8 * n, 8);
        for (size_t i = 0; i < 8; i++) {
            out[8 * n + i] = (unsigned char)((block[(i + 3) % 8] ^ toy->bytes[i]) + 17 * i);
        }
    }
}

static void toy_decrypt(const void *key, unsigned char *out, const unsigned char *in,
                        size_t n_blocks)
{
    const toy_key *toy = (const toy_key *)key;

    for (size_t n = 0; n < n_blocks; n++) {
        unsigned char block[8];

        memcpy(block, in + 8 * n, 8);
        for (size_t i = 0; i < 8; i++) {
            out[8 * n + (i + 3) % 8] =
                (unsigned char)((unsigned char)(block[i] - 17 * i) ^ toy->bytes[i]);
        }
    }
}

mf_cipher toy_cipher(const toy_key *key)
{
    mf_cipher cipher = {8, key, toy_has_key, toy_encrypt, toy_decrypt};

    return cipher;
}

void encrypt_block(const mf_cipher *cipher, unsigned char *out, const unsigned char *in)
{
    cipher->encrypt_blocks(cipher->key, out, in, 1);
}

void xor_bytes(unsigned char *out, const unsigned char *in, size_t n_bytes)
{
    for (size_t i = 0; i < n_bytes; i++) {
        out[i] ^= in[i];
    }
}
