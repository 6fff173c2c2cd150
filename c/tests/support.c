/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The helpers of support.h.
 */
#include "support.h"

#include <string.h>

unsigned char *guarded_place(guarded *buffer, size_t misalignment, const void *data, size_t n_bytes)
{
    const size_t past_boundary = (uintptr_t)buffer->bytes % GUARD_BYTES;
    unsigned char *place = buffer->bytes + 2 * GUARD_BYTES - past_boundary + misalignment;

    random_bytes(buffer->bytes, sizeof buffer->bytes);
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
