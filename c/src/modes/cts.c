/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * CBC with ciphertext stealing [Dworkin10]: CBC of all blocks, the last filled up with zeros; then
 * the end of the last ciphertext block but one, which decryption finds again, is left out.
 * Ciphertext, that end too, is no secret and is not wiped.
 */
#include <manyfish/modes.h>

#include "check.h"

static mf_status check(const mf_cipher *cipher, mf_cts variant, const void *iv, const void *out,
                       const void *in, size_t n_bytes)
{
    const mf_status status = mf_check_cipher(cipher);
    if (status != MF_OK) {
        return status;
    }
    if (variant != MF_CTS_CS1 && variant != MF_CTS_CS2 && variant != MF_CTS_CS3) {
        return MF_ERROR_BLOCK;
    }
    if (n_bytes < cipher->block_bytes) {
        return MF_ERROR_LENGTH;
    }
    if (iv == NULL) {
        return MF_ERROR_NULL;
    }
    if (mf_overlap(iv, cipher->block_bytes, out, n_bytes)) {
        return MF_ERROR_OVERLAP;
    }
    return mf_check_data(out, in, n_bytes);
}

/* The bytes of the last plaintext block if it and the one before are to be exchanged or cut; 0 if
 * the message is plain CBC. */
static size_t last_bytes(const mf_cipher *cipher, mf_cts variant, size_t n_bytes)
{
    const size_t block = cipher->block_bytes;
    const bool swap_whole = variant == MF_CTS_CS3 && n_bytes > block;
    const size_t rest = n_bytes % block;
    return rest == 0 && swap_whole ? block : rest;
}

/* The last plaintext block of `rest` bytes, at in, after the ciphertext block `before`; the two
 * ciphertext blocks go to out, the cut one having `rest` bytes. */
static void encrypt_last(const mf_cipher *cipher, mf_cts variant, const uint8_t *before,
                         uint8_t *out, const uint8_t *in, size_t rest)
{
    const size_t block = cipher->block_bytes;
    uint8_t last[MF_MAX_BLOCK_BYTES];

    memcpy(last, before, block);
    mf_xor(last, last, in, rest);
    cipher->encrypt_blocks(cipher->key, last, last, 1);
    memcpy(variant == MF_CTS_CS1 ? out + rest : out, last, block);
    memcpy(variant == MF_CTS_CS1 ? out : out + block, before, rest);
}

mf_status mf_cts_encrypt(const mf_cipher *cipher, mf_cts variant, const void *iv, void *out,
                         const void *in, size_t n_bytes)
{
    uint8_t chain[MF_MAX_BLOCK_BYTES];

    mf_status status = check(cipher, variant, iv, out, in, n_bytes);
    if (status != MF_OK) {
        return status;
    }
    const size_t block = cipher->block_bytes;
    const size_t rest = last_bytes(cipher, variant, n_bytes);
    const size_t whole = n_bytes - rest;
    memcpy(chain, iv, block);
    status = mf_cbc_encrypt(cipher, chain, out, in, whole);
    if (status == MF_OK && rest > 0) {
        encrypt_last(cipher, variant, chain, (uint8_t *)out + whole - block,
                     (const uint8_t *)in + whole, rest);
    }
    return status;
}

/* The last two ciphertext blocks, at in, after the ciphertext block `before`. [Dworkin10] */
static void decrypt_last(const mf_cipher *cipher, mf_cts variant, const uint8_t *before,
                         uint8_t *out, const uint8_t *in, size_t rest)
{
    const size_t block = cipher->block_bytes;
    const uint8_t *const last = variant == MF_CTS_CS1 ? in + rest : in;
    const uint8_t *const cut = variant == MF_CTS_CS1 ? in : in + block;
    uint8_t plaintext[2 * MF_MAX_BLOCK_BYTES];
    uint8_t uncut[MF_MAX_BLOCK_BYTES];

    cipher->decrypt_blocks(cipher->key, uncut, last, 1);
    mf_xor(plaintext + block, uncut, cut, rest);
    memcpy(uncut, cut, rest);
    cipher->decrypt_blocks(cipher->key, plaintext, uncut, 1);
    mf_xor(plaintext, plaintext, before, block);
    memcpy(out, plaintext, block + rest);
    mf_wipe(plaintext, sizeof plaintext);
}

mf_status mf_cts_decrypt(const mf_cipher *cipher, mf_cts variant, const void *iv, void *out,
                         const void *in, size_t n_bytes)
{
    uint8_t chain[MF_MAX_BLOCK_BYTES];

    mf_status status = check(cipher, variant, iv, out, in, n_bytes);
    if (status != MF_OK) {
        return status;
    }
    const size_t rest = last_bytes(cipher, variant, n_bytes);
    const size_t whole = rest > 0 ? n_bytes - rest - cipher->block_bytes : n_bytes;
    memcpy(chain, iv, cipher->block_bytes);
    status = mf_cbc_decrypt(cipher, chain, out, in, whole);
    if (status == MF_OK && rest > 0) {
        decrypt_last(cipher, variant, chain, (uint8_t *)out + whole, (const uint8_t *)in + whole,
                     rest);
    }
    return status;
}
