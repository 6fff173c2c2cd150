/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * CMAC [SP800-38B] of many messages, and the strings of the modes built on it.
 */
#include "../cmac.h"

#include "many.h"

bool mf_next_cmac(const mf_cmac *cmac, mf_lane *lane, unsigned step, const uint8_t *data,
                  size_t n_bytes, uint8_t *last)
{
    const size_t block = cmac->cipher.block_bytes;
    const size_t n_blocks = n_bytes == 0 ? 0 : (n_bytes - 1) / block;
    const uint8_t *const rest = n_blocks == 0 ? data : data + n_blocks * block;

    if (lane->step == step) {
        mf_give_blocks(lane, step + 1, NULL, data, n_blocks);
        if (n_blocks > 0) {
            return true;
        }
    }
    if (lane->step == step + 1) {
        mf_cmac_mask_last(cmac, last, rest, n_bytes - n_blocks * block);
        mf_give_blocks(lane, step + 2, NULL, last, 1);
        return true;
    }
    return false;
}

static mf_status check(const void *key, const mf_message *m)
{
    const mf_cmac *const cmac = key;
    if (m->tag_bytes < 1 || m->tag_bytes > cmac->cipher.block_bytes) {
        return MF_ERROR_TAG_LENGTH;
    }
    return m->tag == NULL || (m->in == NULL && m->n_bytes > 0) ? MF_ERROR_NULL : MF_OK;
}

static bool next(const mf_cmac *cmac, mf_lane *lane, uint8_t *chain)
{
    mf_message *const m = lane->message;
    if (lane->step == 0) {
        memset(chain, 0, cmac->cipher.block_bytes);
    }
    return mf_next_cmac(cmac, lane, 0, m->in, m->n_bytes, m->work);
}

static bool next_to_compute(const void *key, mf_lane *lane, uint8_t *chain)
{
    if (next(key, lane, chain)) {
        return true;
    }
    memcpy(lane->message->tag, chain, lane->message->tag_bytes);
    return false;
}

static bool next_to_verify(const void *key, mf_lane *lane, uint8_t *chain)
{
    if (next(key, lane, chain)) {
        return true;
    }
    mf_message *const m = lane->message;
    m->status = mf_equal(chain, m->tag, m->tag_bytes) ? MF_OK : MF_ERROR_TAG;
    return false;
}

mf_status mf_cmac_compute_many(const mf_cmac *cmac, mf_message *messages, size_t n)
{
    if (cmac == NULL) {
        return MF_ERROR_NULL;
    }
    const mf_chains chains = {&cmac->cipher, cmac, next_to_compute, mf_crypt_cbc_rows};
    return mf_crypt_chains(&chains, check, messages, n);
}

mf_status mf_cmac_verify_many(const mf_cmac *cmac, mf_message *messages, size_t n)
{
    if (cmac == NULL) {
        return MF_ERROR_NULL;
    }
    const mf_chains chains = {&cmac->cipher, cmac, next_to_verify, mf_crypt_cbc_rows};
    return mf_crypt_chains(&chains, check, messages, n);
}
