/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * CFB [SP800-38A, 6.3] with segments of 1 bit, 8 bits or a whole block. Encryption is serial by
 * nature: each segment waits for the one before. Decryption knows all input blocks beforehand,
 * since they are ciphertext, and hands many of them to the cipher at once.
 */
#include <manyfish/modes.h>

#include "check.h"

mf_status mf_cfb_init(mf_cfb *cfb, const mf_cipher *cipher, const void *iv, unsigned segment_bits)
{
    if (cfb == NULL) {
        return MF_ERROR_NULL;
    }
    mf_cfb_wipe(cfb);
    const mf_status status = mf_check_cipher(cipher);
    if (status != MF_OK) {
        return status;
    }
    if (iv == NULL) {
        return MF_ERROR_NULL;
    }
    if (segment_bits != 1 && segment_bits != 8 && segment_bits != 8 * cipher->block_bytes) {
        return MF_ERROR_BLOCK;
    }
    cfb->cipher = *cipher;
    cfb->segment_bits = segment_bits;
    memcpy(cfb->input, iv, cipher->block_bytes);
    return MF_OK;
}

static void encrypt_blocks(const mf_cfb *cfb, uint8_t *out, const uint8_t *in, size_t n_blocks)
{
    cfb->cipher.encrypt_blocks(cfb->cipher.key, out, in, n_blocks);
}

static bool is_whole_block(const mf_cfb *cfb)
{
    return cfb->segment_bits == 8 * cfb->cipher.block_bytes;
}

/* --- Segments of one block ------------------------------------------------------------------- */

/* Where the unused key stream of the present block begins. */
static uint8_t *unused(mf_cfb *cfb)
{
    return cfb->input + cfb->cipher.block_bytes - cfb->unused_bytes;
}

/* Up to the end of the present block: the key stream used becomes ciphertext. Returns the bytes
 * done. */
static size_t encrypt_unused(mf_cfb *cfb, uint8_t *out, const uint8_t *in, size_t n_bytes)
{
    const size_t n = mf_min(n_bytes, cfb->unused_bytes);
    if (n > 0) {
        uint8_t *const keystream = unused(cfb);
        mf_xor(keystream, keystream, in, n);
        memcpy(out, keystream, n);
        cfb->unused_bytes -= n;
    }
    return n;
}

static size_t decrypt_unused(mf_cfb *cfb, uint8_t *out, const uint8_t *in, size_t n_bytes)
{
    const size_t n = mf_min(n_bytes, cfb->unused_bytes);
    if (n > 0) {
        uint8_t ciphertext[MF_MAX_BLOCK_BYTES];
        uint8_t *const keystream = unused(cfb);
        memcpy(ciphertext, in, n);
        mf_xor(out, in, keystream, n);
        memcpy(keystream, ciphertext, n);
        cfb->unused_bytes -= n;
    }
    return n;
}

/* The key stream of a new block. */
static void next_block(mf_cfb *cfb)
{
    encrypt_blocks(cfb, cfb->input, cfb->input, 1);
    cfb->unused_bytes = cfb->cipher.block_bytes;
}

static void encrypt_whole(mf_cfb *cfb, uint8_t *out, const uint8_t *in, size_t n_bytes)
{
    size_t n = encrypt_unused(cfb, out, in, n_bytes);
    while (n < n_bytes) {
        next_block(cfb);
        n += encrypt_unused(cfb, out + n, in + n, n_bytes - n);
    }
}

/* Input block j is the ciphertext of block j - 1. */
static void decrypt_blocks(mf_cfb *cfb, uint8_t *out, const uint8_t *in, size_t n_blocks)
{
    const size_t block = cfb->cipher.block_bytes;
    uint8_t buffer[MF_PIECE_BYTES];
    const size_t piece = mf_piece_blocks(&cfb->cipher);
    const size_t used = mf_min(n_blocks, piece) * block;

    while (n_blocks > 0) {
        const size_t n = mf_min(n_blocks, piece);
        memcpy(buffer, cfb->input, block);
        memcpy(buffer + block, in, (n - 1) * block);
        memcpy(cfb->input, in + (n - 1) * block, block);
        encrypt_blocks(cfb, buffer, buffer, n);
        mf_xor(out, in, buffer, n * block);
        n_blocks -= n;
        in += n * block;
        out += n * block;
    }
    mf_wipe(buffer, used);
}

static void decrypt_whole(mf_cfb *cfb, uint8_t *out, const uint8_t *in, size_t n_bytes)
{
    const size_t done = decrypt_unused(cfb, out, in, n_bytes);
    const size_t rest = (n_bytes - done) % cfb->cipher.block_bytes;
    decrypt_blocks(cfb, out + done, in + done, (n_bytes - done) / cfb->cipher.block_bytes);
    if (rest > 0) {
        next_block(cfb);
        (void)decrypt_unused(cfb, out + n_bytes - rest, in + n_bytes - rest, rest);
    }
}

/* --- Segments of 1 or 8 bits ----------------------------------------------------------------- */

/* The input block is the last block of IV and ciphertext so far: one segment moves in at its
 * end. */
static void shift_in(mf_cfb *cfb, unsigned segment)
{
    const unsigned s = cfb->segment_bits;
    const size_t block = cfb->cipher.block_bytes;
    for (size_t i = 0; i < block; i++) {
        const unsigned here = cfb->input[i];
        const unsigned next = i + 1 < block ? cfb->input[i + 1] : segment << (8 - s);
        cfb->input[i] = (uint8_t)(here << s | next >> (8 - s));
    }
}

static void encrypt_segments(mf_cfb *cfb, uint8_t *out, const uint8_t *in, size_t n_bytes)
{
    const unsigned s = cfb->segment_bits;
    uint8_t output[MF_MAX_BLOCK_BYTES];

    for (size_t i = 0; i < n_bytes; i++) {
        unsigned byte = in[i];
        for (unsigned bit = 0; bit < 8; bit += s) {
            encrypt_blocks(cfb, output, cfb->input, 1);
            byte ^= (unsigned)(output[0] >> (8 - s)) << (8 - s - bit);
            shift_in(cfb, byte >> (8 - s - bit) & (0xFFu >> (8 - s)));
        }
        out[i] = (uint8_t)byte;
    }
    mf_wipe(output, sizeof output);
}

/* The input block that begins at this bit of IV and ciphertext. */
static void window(uint8_t *out, const uint8_t *stream, size_t bit, size_t block)
{
    const uint8_t *const from = stream + bit / 8;
    const unsigned shift = bit % 8;
    for (size_t i = 0; i < block; i++) {
        out[i] = (uint8_t)(from[i] << shift | from[i + 1] >> (8 - shift));
    }
}

/* A piece of at most one segment for each block of the buffer. */
static void decrypt_piece(mf_cfb *cfb, uint8_t *out, const uint8_t *in, size_t n_bytes,
                          uint8_t *buffer)
{
    const unsigned s = cfb->segment_bits;
    const size_t block = cfb->cipher.block_bytes;
    const size_t n_segments = n_bytes * (8 / s);
    uint8_t stream[MF_MAX_BLOCK_BYTES + MF_PIECE_BYTES / 8];

    memcpy(stream, cfb->input, block);
    memcpy(stream + block, in, n_bytes);
    for (size_t i = 0; i < n_segments; i++) {
        window(buffer + i * block, stream, i * s, block);
    }
    memcpy(cfb->input, stream + n_bytes, block);
    encrypt_blocks(cfb, buffer, buffer, n_segments);
    for (size_t i = 0; i < n_bytes; i++) {
        unsigned byte = in[i];
        for (unsigned bit = 0; bit < 8; bit += s, buffer += block) {
            byte ^= (unsigned)(buffer[0] >> (8 - s)) << (8 - s - bit);
        }
        out[i] = (uint8_t)byte;
    }
}

static void decrypt_segments(mf_cfb *cfb, uint8_t *out, const uint8_t *in, size_t n_bytes)
{
    const size_t piece_bytes = mf_piece_blocks(&cfb->cipher) * cfb->segment_bits / 8;
    uint8_t buffer[MF_PIECE_BYTES];

    while (n_bytes > 0) {
        const size_t n = mf_min(n_bytes, piece_bytes);
        decrypt_piece(cfb, out, in, n, buffer);
        n_bytes -= n;
        in += n;
        out += n;
    }
    mf_wipe(buffer, sizeof buffer);
}

/* --- Both ------------------------------------------------------------------------------------ */

static mf_status check(const mf_cfb *cfb, const void *out, const void *in, size_t n_bytes)
{
    if (cfb == NULL) {
        return MF_ERROR_NULL;
    }
    const mf_status status = mf_check_cipher(&cfb->cipher);
    return status == MF_OK ? mf_check_data(out, in, n_bytes) : status;
}

mf_status mf_cfb_encrypt(mf_cfb *cfb, void *out, const void *in, size_t n_bytes)
{
    const mf_status status = check(cfb, out, in, n_bytes);
    if (status == MF_OK && n_bytes > 0) {
        (is_whole_block(cfb) ? encrypt_whole : encrypt_segments)(cfb, out, in, n_bytes);
    }
    return status;
}

mf_status mf_cfb_decrypt(mf_cfb *cfb, void *out, const void *in, size_t n_bytes)
{
    const mf_status status = check(cfb, out, in, n_bytes);
    if (status == MF_OK && n_bytes > 0) {
        (is_whole_block(cfb) ? decrypt_whole : decrypt_segments)(cfb, out, in, n_bytes);
    }
    return status;
}

void mf_cfb_wipe(mf_cfb *cfb)
{
    if (cfb != NULL) {
        mf_wipe(cfb, sizeof *cfb);
    }
}
