/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * CBC [SP800-38A, 6.2], without padding and with that of PKCS#7 [RFC5652, 6.3] or ISO/IEC 7816-4
 * [SP800-38A, A]. Encryption is serial by nature; decryption hands many blocks to the cipher at
 * once.
 */
#include <manyfish/modes.h>

#include "../common/declassify.h"
#include "cbc.h"
#include "check.h"

static mf_status check_cbc(const mf_cipher *cipher, const void *iv, const void *out, const void *in,
                           size_t n_bytes)
{
    const mf_status status = mf_check_blocks(cipher, out, in, n_bytes);
    if (status != MF_OK) {
        return status;
    }
    if (iv == NULL) {
        return MF_ERROR_NULL;
    }
    if (mf_overlap(iv, cipher->block_bytes, out, n_bytes) ||
        mf_overlap(iv, cipher->block_bytes, in, n_bytes)) {
        return MF_ERROR_OVERLAP;
    }
    return MF_OK;
}

static void encrypt(const mf_cipher *cipher, uint8_t *iv, uint8_t *out, const uint8_t *in,
                    size_t n_bytes)
{
    const size_t block = cipher->block_bytes;
    for (; n_bytes > 0; n_bytes -= block, in += block, out += block) {
        mf_xor(iv, iv, in, block);
        cipher->encrypt_blocks(cipher->key, iv, iv, 1);
        memcpy(out, iv, block);
    }
}

mf_status mf_cbc_encrypt(const mf_cipher *cipher, void *iv, void *out, const void *in,
                         size_t n_bytes)
{
    const mf_status status = check_cbc(cipher, iv, out, in, n_bytes);
    if (status == MF_OK) {
        encrypt(cipher, iv, out, in, n_bytes);
    }
    return status;
}

/* Each plaintext needs the ciphertext before it, which in place is overwritten: so a copy of IV and
 * ciphertexts is kept. It is no secret. */
static void decrypt(const mf_cipher *cipher, uint8_t *iv, uint8_t *out, const uint8_t *in,
                    size_t n_bytes)
{
    const size_t block = cipher->block_bytes;
    uint8_t before[MF_PIECE_BYTES];

    while (n_bytes > 0) {
        const size_t n = mf_min(n_bytes, MF_PIECE_BYTES);
        memcpy(before, iv, block);
        memcpy(before + block, in, n - block);
        memcpy(iv, in + n - block, block);
        cipher->decrypt_blocks(cipher->key, out, in, n / block);
        mf_xor(out, out, before, n);
        n_bytes -= n;
        in += n;
        out += n;
    }
}

mf_status mf_cbc_decrypt(const mf_cipher *cipher, void *iv, void *out, const void *in,
                         size_t n_bytes)
{
    const mf_status status = check_cbc(cipher, iv, out, in, n_bytes);
    if (status == MF_OK) {
        decrypt(cipher, iv, out, in, n_bytes);
    }
    return status;
}

static mf_status begin_padded(const mf_cipher *cipher, size_t *out_bytes)
{
    if (out_bytes == NULL) {
        return MF_ERROR_NULL;
    }
    *out_bytes = 0;
    return mf_check_cipher(cipher);
}

/* The checks of both padded functions; the output takes `needed` bytes. */
static mf_status check_padded(const mf_cipher *cipher, const void *iv, const void *out,
                              size_t out_capacity, size_t needed, const void *in, size_t n_bytes)
{
    if (iv == NULL || out == NULL || (in == NULL && n_bytes > 0)) {
        return MF_ERROR_NULL;
    }
    if (out_capacity < needed) {
        return MF_ERROR_CAPACITY;
    }
    if ((out != in && mf_overlap(out, needed, in, n_bytes)) ||
        mf_overlap(iv, cipher->block_bytes, out, needed) ||
        mf_overlap(iv, cipher->block_bytes, in, n_bytes)) {
        return MF_ERROR_OVERLAP;
    }
    return MF_OK;
}

enum padding { PKCS7, ISO };

enum { ISO_MARK = 0x80 };

/* Fills a last block up, of which `rest` bytes are text. */
static void pad(enum padding padding, uint8_t *last, size_t block, size_t rest)
{
    if (padding == PKCS7) {
        memset(last + rest, (int)(block - rest), block - rest);
    } else {
        memset(last + rest, 0, block - rest);
        last[rest] = ISO_MARK;
    }
}

static mf_status encrypt_padded(enum padding padding, const mf_cipher *cipher, void *iv, void *out,
                                size_t out_capacity, size_t *out_bytes, const void *in,
                                size_t n_bytes)
{
    uint8_t last[MF_MAX_BLOCK_BYTES];

    mf_status status = begin_padded(cipher, out_bytes);
    if (status != MF_OK) {
        return status;
    }
    const size_t block = cipher->block_bytes;
    const size_t rest = n_bytes % block;
    const size_t whole = n_bytes - rest;
    if (whole > SIZE_MAX - block) {
        return MF_ERROR_CAPACITY;
    }
    status = check_padded(cipher, iv, out, out_capacity, whole + block, in, n_bytes);
    if (status != MF_OK) {
        return status;
    }
    if (rest > 0) {
        memcpy(last, (const uint8_t *)in + whole, rest);
    }
    pad(padding, last, block, rest);
    encrypt(cipher, iv, out, in, whole);
    encrypt(cipher, iv, (uint8_t *)out + whole, last, block);
    mf_wipe(last, sizeof last);
    *out_bytes = whole + block;
    return MF_OK;
}

size_t mf_pkcs7_bytes(const uint8_t *last, size_t block)
{
    const uint32_t pad_bytes = last[block - 1];
    uint32_t wrong = ((uint32_t)block - pad_bytes) >> 31;
    for (uint32_t i = 0; i < block; i++) {
        const uint32_t is_padding = ((uint32_t)block - i - pad_bytes - 1) >> 31;
        wrong |= (0 - is_padding) & (last[i] ^ pad_bytes);
    }
    const uint32_t ok = (wrong - 1) >> 31;
    return (0 - ok) & pad_bytes;
}

/* mf_pkcs7_bytes for the mark and the zeros behind it. */
static size_t iso_bytes(const uint8_t *last, size_t block)
{
    uint32_t in_padding = 1;
    uint32_t pad_bytes = 0;
    uint32_t found = 0;

    for (size_t i = block; i-- > 0;) {
        const uint32_t byte = last[i];
        pad_bytes += in_padding;
        found |= in_padding & ((byte ^ ISO_MARK) - 1) >> 31;
        in_padding &= (byte - 1) >> 31;
    }
    return (0 - found) & pad_bytes;
}

static mf_status decrypt_padded(enum padding padding, const mf_cipher *cipher, void *iv, void *out,
                                size_t out_capacity, size_t *out_bytes, const void *in,
                                size_t n_bytes)
{
    mf_status status = begin_padded(cipher, out_bytes);
    if (status != MF_OK) {
        return status;
    }
    const size_t block = cipher->block_bytes;
    if (n_bytes == 0 || n_bytes % block != 0) {
        return MF_ERROR_LENGTH;
    }
    status = check_padded(cipher, iv, out, out_capacity, n_bytes, in, n_bytes);
    if (status != MF_OK) {
        return status;
    }
    decrypt(cipher, iv, out, in, n_bytes);
    const uint8_t *last = (const uint8_t *)out + n_bytes - block;
    const size_t pad_bytes =
        padding == PKCS7 ? mf_pkcs7_bytes(last, block) : iso_bytes(last, block);
    if (mf_public(pad_bytes == 0)) {
        mf_wipe(out, n_bytes);
        return MF_ERROR_PADDING;
    }
    *out_bytes = n_bytes - pad_bytes;
    return MF_OK;
}

mf_status mf_cbc_encrypt_padded(const mf_cipher *cipher, void *iv, void *out, size_t out_capacity,
                                size_t *out_bytes, const void *in, size_t n_bytes)
{
    return encrypt_padded(PKCS7, cipher, iv, out, out_capacity, out_bytes, in, n_bytes);
}

mf_status mf_cbc_decrypt_padded(const mf_cipher *cipher, void *iv, void *out, size_t out_capacity,
                                size_t *out_bytes, const void *in, size_t n_bytes)
{
    return decrypt_padded(PKCS7, cipher, iv, out, out_capacity, out_bytes, in, n_bytes);
}

mf_status mf_cbc_encrypt_iso_padded(const mf_cipher *cipher, void *iv, void *out,
                                    size_t out_capacity, size_t *out_bytes, const void *in,
                                    size_t n_bytes)
{
    return encrypt_padded(ISO, cipher, iv, out, out_capacity, out_bytes, in, n_bytes);
}

mf_status mf_cbc_decrypt_iso_padded(const mf_cipher *cipher, void *iv, void *out,
                                    size_t out_capacity, size_t *out_bytes, const void *in,
                                    size_t n_bytes)
{
    return decrypt_padded(ISO, cipher, iv, out, out_capacity, out_bytes, in, n_bytes);
}
