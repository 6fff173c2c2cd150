/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * CTR [SP800-38A, 6.5]: a key stream from encrypted counters, with the standard incrementing
 * function of its appendix B.1 on the low 32 bits or on the whole block.
 */
#include <manyfish/modes.h>

#include "../common/block.h"
#include "check.h"
#include "ctr.h"

/* No mode computes more counter blocks at a time than can have one carry out of their last byte. */
_Static_assert(MF_PIECE_BYTES / 16 <= 256, "mf_write_counters needs this");

/* Which of the last 64 bits of a counter block count. */
static uint64_t counting_bits(const mf_counter_form *form)
{
    return form->counter_bytes == 4 ? UINT32_MAX : UINT64_MAX;
}

/* Adds n to a counter block in its last counter_bytes bytes, the rest standing still. EAX and GCM
 * compute the first one from the key: so none decides a branch. */
static void advance(const mf_counter_form *form, uint8_t *counter, size_t n)
{
    uint8_t *low = counter + form->block_bytes - 8;
    const uint64_t counts = counting_bits(form);
    const uint64_t before = mf_load64_be(low);
    const uint64_t after = (before & ~counts) | ((before + n) & counts);

    mf_store64_be(low, after);
    if (form->counter_bytes == 16) {
        mf_store64_be(counter, mf_load64_be(counter) + (after < before));
    }
}

/* mf_write_counters for blocks of 8 bytes. Without mf_opaque64 gcc counts by the block itself,
 * which EAX computes from the key, and ends the loop where it is the last one: a branch on a
 * secret, if not one that tells anything. */
static void write_short_counters(const mf_counter_form *form, uint8_t *counter, uint8_t *blocks,
                                 size_t n_blocks)
{
    const uint64_t counts = counting_bits(form);
    const uint64_t first = mf_load64_be(counter);

    for (size_t i = 0; i < n_blocks; i++) {
        mf_store64_be(blocks + 8 * i, (first & ~counts) | ((first + mf_opaque64(i)) & counts));
    }
    advance(form, counter, n_blocks);
}

void mf_write_counters(const mf_counter_form *form, uint8_t *counter, uint8_t *blocks,
                       size_t n_blocks)
{
    uint8_t carried[MF_MAX_BLOCK_BYTES];

    if (form->block_bytes == 8) {
        write_short_counters(form, counter, blocks, n_blocks);
        return;
    }
    memcpy(carried, counter, sizeof carried);
    advance(form, carried, 256);
    mf_counters counters = mf_counters_from(counter, carried);
    for (size_t i = 0; i < n_blocks; i++) {
        mf_block_store(blocks + 16 * i, mf_counters_next(&counters));
    }
    advance(form, counter, n_blocks);
    mf_wipe(carried, sizeof carried);
}

mf_status mf_ctr_init(mf_ctr *ctr, const mf_cipher *cipher, const void *initial,
                      unsigned counter_bits)
{
    if (ctr == NULL) {
        return MF_ERROR_NULL;
    }
    mf_ctr_wipe(ctr);
    const mf_status status = mf_check_cipher(cipher);
    if (status != MF_OK) {
        return status;
    }
    if (initial == NULL) {
        return MF_ERROR_NULL;
    }
    if (counter_bits != 32 && counter_bits != 8 * cipher->block_bytes) {
        return MF_ERROR_BLOCK;
    }
    ctr->cipher = *cipher;
    ctr->counter_bytes = counter_bits / 8;
    ctr->blocks_left = counter_bits == 32 ? (uint64_t)1 << 32 : UINT64_MAX;
    memcpy(ctr->counter, initial, cipher->block_bytes);
    return MF_OK;
}

/* Writes the next n_blocks blocks of the key stream. */
static void keystream(mf_ctr *ctr, uint8_t *blocks, size_t n_blocks)
{
    const mf_counter_form form = {ctr->cipher.block_bytes, ctr->counter_bytes};
    mf_write_counters(&form, ctr->counter, blocks, n_blocks);
    ctr->cipher.encrypt_blocks(ctr->cipher.key, blocks, blocks, n_blocks);
    ctr->blocks_left -= n_blocks;
}

/* Uses up what the last call left of its last block of key stream; returns the bytes done. */
static size_t crypt_unused(mf_ctr *ctr, uint8_t *out, const uint8_t *in, size_t n_bytes)
{
    const size_t n = mf_min(n_bytes, ctr->unused_bytes);
    if (n > 0) {
        mf_xor(out, in, ctr->keystream + ctr->cipher.block_bytes - ctr->unused_bytes, n);
        ctr->unused_bytes -= n;
    }
    return n;
}

static void crypt_blocks(mf_ctr *ctr, uint8_t *out, const uint8_t *in, size_t n_blocks)
{
    const size_t block = ctr->cipher.block_bytes;
    uint8_t buffer[MF_PIECE_BYTES];
    const size_t piece = mf_piece_blocks(&ctr->cipher);
    const size_t used = mf_min(n_blocks, piece) * block;

    while (n_blocks > 0) {
        const size_t n = mf_min(n_blocks, piece);
        keystream(ctr, buffer, n);
        mf_xor(out, in, buffer, n * block);
        n_blocks -= n;
        in += n * block;
        out += n * block;
    }
    mf_wipe(buffer, used);
}

mf_status mf_ctr_crypt(mf_ctr *ctr, void *out, const void *in, size_t n_bytes)
{
    uint8_t *to = out;
    const uint8_t *from = in;

    if (ctr == NULL) {
        return MF_ERROR_NULL;
    }
    mf_status status = mf_check_cipher(&ctr->cipher);
    if (status == MF_OK) {
        status = mf_check_data(out, in, n_bytes);
    }
    if (status != MF_OK || n_bytes == 0) {
        return status;
    }
    const size_t block = ctr->cipher.block_bytes;
    const size_t new_bytes = n_bytes - mf_min(n_bytes, ctr->unused_bytes);
    const size_t rest = new_bytes % block;
    if (new_bytes / block + (rest > 0) > ctr->blocks_left) {
        return MF_ERROR_TOO_LONG;
    }
    const size_t done = crypt_unused(ctr, to, from, n_bytes);
    crypt_blocks(ctr, to + done, from + done, new_bytes / block);
    if (rest > 0) {
        keystream(ctr, ctr->keystream, 1);
        ctr->unused_bytes = block;
        (void)crypt_unused(ctr, to + n_bytes - rest, from + n_bytes - rest, rest);
    }
    return MF_OK;
}

void mf_ctr_wipe(mf_ctr *ctr)
{
    if (ctr != NULL) {
        mf_wipe(ctr, sizeof *ctr);
    }
}
