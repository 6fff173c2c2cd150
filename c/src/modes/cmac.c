/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * CMAC [SP800-38B]: CBC-MAC whose last block is masked with a subkey, so that messages of different
 * lengths do not fit together. A full block is held back until it is known whether it is the last.
 */
#include "cmac.h"

#include "../common/wipe.h"
#include "check.h"
#include "gf.h"

void mf_cbc_mac(const mf_cipher *cipher, uint8_t *chain, const uint8_t *blocks, size_t n_blocks)
{
    const size_t block = cipher->block_bytes;
    for (size_t i = 0; i < n_blocks; i++) {
        mf_xor(chain, chain, blocks + i * block, block);
        cipher->encrypt_blocks(cipher->key, chain, chain, 1);
    }
}

void mf_cmac_begin(mf_cmac *cmac)
{
    mf_wipe(cmac->chain, sizeof cmac->chain);
    mf_wipe(cmac->rest, sizeof cmac->rest);
    cmac->rest_bytes = 0;
}

void mf_cmac_absorb(mf_cmac *cmac, const uint8_t *data, size_t n_bytes)
{
    const size_t block = cmac->cipher.block_bytes;
    const size_t first = mf_min(n_bytes, block - cmac->rest_bytes);

    if (n_bytes == 0) {
        return;
    }
    memcpy(cmac->rest + cmac->rest_bytes, data, first);
    cmac->rest_bytes += first;
    if (n_bytes == first) {
        return;
    }
    const size_t n_blocks = (n_bytes - first - 1) / block;
    mf_cbc_mac(&cmac->cipher, cmac->chain, cmac->rest, 1);
    mf_cbc_mac(&cmac->cipher, cmac->chain, data + first, n_blocks);
    cmac->rest_bytes = n_bytes - first - n_blocks * block;
    memcpy(cmac->rest, data + n_bytes - cmac->rest_bytes, cmac->rest_bytes);
}

void mf_cmac_mask_last(const mf_cmac *cmac, uint8_t *last, const uint8_t *data, size_t n_bytes)
{
    const size_t block = cmac->cipher.block_bytes;

    if (n_bytes == block) {
        mf_xor(last, data, cmac->k1, block);
        return;
    }
    mf_xor(last, data, cmac->k2, n_bytes);
    memcpy(last + n_bytes, cmac->k2 + n_bytes, block - n_bytes);
    last[n_bytes] ^= 0x80;
}

void mf_cmac_end(mf_cmac *cmac, uint8_t *tag)
{
    uint8_t last[MF_MAX_BLOCK_BYTES];

    mf_cmac_mask_last(cmac, last, cmac->rest, cmac->rest_bytes);
    mf_cbc_mac(&cmac->cipher, cmac->chain, last, 1);
    memcpy(tag, cmac->chain, cmac->cipher.block_bytes);
    mf_wipe(last, sizeof last);
    mf_cmac_begin(cmac);
}

/* [SP800-38B, 6.1] */
static MF_NOINLINE void make_subkeys(mf_cmac *cmac)
{
    static const uint8_t zeros[MF_MAX_BLOCK_BYTES];
    cmac->cipher.encrypt_blocks(cmac->cipher.key, cmac->k1, zeros, 1);
    mf_gf_double(cmac->k1, cmac->k1, cmac->cipher.block_bytes);
    mf_gf_double(cmac->k2, cmac->k1, cmac->cipher.block_bytes);
}

mf_status mf_cmac_init(mf_cmac *cmac, const mf_cipher *cipher)
{
    if (cmac == NULL) {
        return MF_ERROR_NULL;
    }
    mf_cmac_wipe(cmac);
    const mf_status status = mf_check_cipher(cipher);
    if (status != MF_OK) {
        return status;
    }
    cmac->cipher = *cipher;
    make_subkeys(cmac);
    mf_wipe_stack();
    return MF_OK;
}

static mf_status check_data(const mf_cmac *cmac, const void *data, size_t n_bytes)
{
    if (cmac == NULL) {
        return MF_ERROR_NULL;
    }
    const mf_status status = mf_check_cipher(&cmac->cipher);
    if (status != MF_OK) {
        return status;
    }
    return data == NULL && n_bytes > 0 ? MF_ERROR_NULL : MF_OK;
}

static mf_status check_tag(const mf_cmac *cmac, const void *data, size_t n_bytes, const void *tag,
                           size_t tag_bytes)
{
    const mf_status status = check_data(cmac, data, n_bytes);
    if (status != MF_OK) {
        return status;
    }
    if (tag_bytes < 1 || tag_bytes > cmac->cipher.block_bytes) {
        return MF_ERROR_TAG_LENGTH;
    }
    return tag == NULL ? MF_ERROR_NULL : MF_OK;
}

mf_status mf_cmac_update(mf_cmac *cmac, const void *data, size_t n_bytes)
{
    const mf_status status = check_data(cmac, data, n_bytes);
    if (status == MF_OK) {
        mf_cmac_absorb(cmac, data, n_bytes);
    }
    return status;
}

mf_status mf_cmac_finish(mf_cmac *cmac, unsigned char *tag, size_t tag_bytes)
{
    uint8_t full[MF_MAX_BLOCK_BYTES];
    const mf_status status = check_tag(cmac, NULL, 0, tag, tag_bytes);
    if (status != MF_OK) {
        return status;
    }
    mf_cmac_end(cmac, full);
    memcpy(tag, full, tag_bytes);
    mf_wipe(full, sizeof full);
    return MF_OK;
}

mf_status mf_cmac_finish_verify(mf_cmac *cmac, const unsigned char *tag, size_t tag_bytes)
{
    uint8_t full[MF_MAX_BLOCK_BYTES];
    const mf_status status = check_tag(cmac, NULL, 0, tag, tag_bytes);
    if (status != MF_OK) {
        return status;
    }
    mf_cmac_end(cmac, full);
    const bool equal = mf_equal(full, tag, tag_bytes);
    mf_wipe(full, sizeof full); /* the right tag of a forgery is worth money */
    return equal ? MF_OK : MF_ERROR_TAG;
}

mf_status mf_cmac_compute(const mf_cmac *cmac, const void *data, size_t n_bytes, unsigned char *tag,
                          size_t tag_bytes)
{
    mf_status status = check_tag(cmac, data, n_bytes, tag, tag_bytes);
    if (status != MF_OK) {
        return status;
    }
    mf_cmac message = *cmac;
    mf_cmac_begin(&message);
    mf_cmac_absorb(&message, data, n_bytes);
    status = mf_cmac_finish(&message, tag, tag_bytes);
    mf_cmac_wipe(&message);
    return status;
}

mf_status mf_cmac_verify(const mf_cmac *cmac, const void *data, size_t n_bytes,
                         const unsigned char *tag, size_t tag_bytes)
{
    mf_status status = check_tag(cmac, data, n_bytes, tag, tag_bytes);
    if (status != MF_OK) {
        return status;
    }
    mf_cmac message = *cmac;
    mf_cmac_begin(&message);
    mf_cmac_absorb(&message, data, n_bytes);
    status = mf_cmac_finish_verify(&message, tag, tag_bytes);
    mf_cmac_wipe(&message);
    return status;
}

void mf_cmac_wipe(mf_cmac *cmac)
{
    if (cmac != NULL) {
        mf_wipe(cmac, sizeof *cmac);
    }
}
