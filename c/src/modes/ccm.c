/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * CCM [SP800-38C] with the formatting of its appendix A, whose names stand here: B_0 holds nonce
 * and lengths and begins the CBC-MAC, over associated data and then plaintext, each filled with
 * zeros to whole blocks. Counter block A_0 masks the tag, the following ones encrypt.
 */
#include "ccm.h"

#include "../common/wipe.h"
#include "check.h"
#include "cmac.h"

enum { BLOCK = 16 };
enum phase { NO_MESSAGE = 0, STARTED, ENCRYPTING, DECRYPTING };

/* --- CBC-MAC of strings that are filled with zeros to whole blocks ---------------------------- */

static void encrypt_block(const mf_ccm *ccm, uint8_t out[BLOCK], const uint8_t in[BLOCK])
{
    ccm->cipher.encrypt_blocks(ccm->cipher.key, out, in, 1);
}

/* Ends a string. */
static void fill(mf_ccm *ccm)
{
    if (ccm->mac_bytes > 0) {
        encrypt_block(ccm, ccm->mac, ccm->mac);
        ccm->mac_bytes = 0;
    }
}

/* The next bytes of a string. Those of a block that is not whole yet wait in the chain. */
static void absorb(mf_ccm *ccm, const uint8_t *data, size_t n_bytes)
{
    const size_t first = ccm->mac_bytes == 0 ? 0 : mf_min(n_bytes, BLOCK - ccm->mac_bytes);

    if (n_bytes == 0) {
        return;
    }
    mf_xor(ccm->mac + ccm->mac_bytes, ccm->mac + ccm->mac_bytes, data, first);
    ccm->mac_bytes += first;
    if (ccm->mac_bytes == BLOCK) {
        fill(ccm);
    }
    const size_t rest = (n_bytes - first) % BLOCK;
    mf_cbc_mac(&ccm->cipher, ccm->mac, data + first, (n_bytes - first) / BLOCK);
    mf_xor(ccm->mac + ccm->mac_bytes, ccm->mac + ccm->mac_bytes, data + n_bytes - rest, rest);
    ccm->mac_bytes += rest;
}

/* --- Messages --------------------------------------------------------------------------------- */

/* B_0, the prefix of the associated data, and the key stream from A_0 on. [SP800-38C, A.2, A.3] */
static mf_status begin(mf_ccm *ccm, const mf_cipher *cipher, const uint8_t *nonce,
                       size_t nonce_bytes, uint64_t aad_bytes, uint64_t n_bytes, size_t tag_bytes)
{
    uint8_t block[BLOCK];
    uint8_t prefix[10];

    ccm->cipher = *cipher;
    ccm->aad_left = aad_bytes;
    ccm->text_left = n_bytes;
    ccm->tag_bytes = tag_bytes;
    ccm->mac_bytes = 0;
    ccm->phase = STARTED;
    mf_ccm_format(block, nonce, nonce_bytes, aad_bytes, n_bytes, tag_bytes);
    encrypt_block(ccm, ccm->mac, block);
    if (aad_bytes > 0) {
        absorb(ccm, prefix, mf_ccm_store_aad_length(prefix, aad_bytes));
    }
    mf_ccm_first_counter(block, nonce, nonce_bytes);
    encrypt_block(ccm, ccm->s_0, block);
    block[BLOCK - 1] = 1;
    return mf_ctr_init(&ccm->ctr, cipher, block, 8 * BLOCK);
}

static void take_aad(mf_ccm *ccm, const uint8_t *aad, size_t aad_bytes)
{
    absorb(ccm, aad, aad_bytes);
    ccm->aad_left -= aad_bytes;
}

/* In pieces, so that CBC-MAC finds in the cache what CTR has worked on. All but the first and the
 * last are whole blocks of the key stream. */
static mf_status crypt(mf_ccm *ccm, enum phase direction, uint8_t *out, const uint8_t *in,
                       size_t n_bytes)
{
    mf_status status = MF_OK;

    if (ccm->phase == STARTED) {
        fill(ccm);
        ccm->phase = direction;
    }
    ccm->text_left -= n_bytes;
    while (n_bytes > 0 && status == MF_OK) {
        const size_t n = mf_min(n_bytes, MF_PIECE_BYTES + ccm->ctr.unused_bytes);
        if (direction == ENCRYPTING) {
            absorb(ccm, in, n);
        }
        status = mf_ctr_crypt(&ccm->ctr, out, in, n);
        if (direction == DECRYPTING) {
            absorb(ccm, out, n);
        }
        n_bytes -= n;
        in += n;
        out += n;
    }
    return status;
}

/* All but the cipher, which comes first: with a key, but with no message. */
static void forget_message(mf_ccm *ccm)
{
    mf_wipe((uint8_t *)ccm + offsetof(mf_ccm, ctr), sizeof *ccm - offsetof(mf_ccm, ctr));
}

/* The last piece and the whole tag; the message is over. */
static mf_status finish(mf_ccm *ccm, enum phase direction, uint8_t *out, const uint8_t *in,
                        size_t n_bytes, uint8_t tag[BLOCK])
{
    const mf_status status = crypt(ccm, direction, out, in, n_bytes);
    fill(ccm);
    mf_xor(tag, ccm->mac, ccm->s_0, BLOCK);
    forget_message(ccm);
    return status;
}

static mf_status finish_encrypting(mf_ccm *ccm, void *out, const void *in, size_t n_bytes,
                                   uint8_t *tag, size_t tag_bytes)
{
    uint8_t whole[BLOCK];
    const mf_status status = finish(ccm, ENCRYPTING, out, in, n_bytes, whole);
    memcpy(tag, whole, tag_bytes);
    mf_wipe(whole, sizeof whole); /* its end may be cut off, and a secret */
    return status;
}

static mf_status finish_decrypting(mf_ccm *ccm, void *out, const void *in, size_t n_bytes,
                                   const uint8_t *tag, size_t tag_bytes)
{
    uint8_t computed[BLOCK];
    mf_status status = finish(ccm, DECRYPTING, out, in, n_bytes, computed);
    if (!mf_equal(computed, tag, tag_bytes)) {
        mf_wipe(out, n_bytes);
        status = MF_ERROR_TAG;
    }
    mf_wipe(computed, sizeof computed); /* the right tag of a forgery is worth money */
    return status;
}

/* --- Checks ----------------------------------------------------------------------------------- */

/* A tag must not lie where the output goes. */
static mf_status check_tag(const void *out, size_t n_bytes, const void *tag, size_t tag_bytes)
{
    if (tag == NULL) {
        return MF_ERROR_NULL;
    }
    return mf_overlap(tag, tag_bytes, out, n_bytes) ? MF_ERROR_OVERLAP : MF_OK;
}

static mf_status check_whole(const mf_cipher *cipher, const void *nonce, size_t nonce_bytes,
                             const void *aad, size_t aad_bytes, const void *out, const void *in,
                             size_t n_bytes, const void *tag, size_t tag_bytes)
{
    mf_status status = mf_check_cipher_16(cipher);
    if (status == MF_OK) {
        status = mf_ccm_check_nonce(nonce, nonce_bytes, n_bytes);
    }
    if (status == MF_OK) {
        status = aad == NULL && aad_bytes > 0 ? MF_ERROR_NULL : mf_check_data(out, in, n_bytes);
    }
    if (status == MF_OK && !mf_ccm_is_tag_length(tag_bytes)) {
        status = MF_ERROR_TAG_LENGTH;
    }
    return status == MF_OK ? check_tag(out, n_bytes, tag, tag_bytes) : status;
}

static mf_status check_key(const mf_ccm *ccm)
{
    return ccm == NULL ? MF_ERROR_NULL : mf_check_cipher(&ccm->cipher);
}

/* Checks a piece in the given direction, and that it may follow the calls before. */
static mf_status check_piece(const mf_ccm *ccm, enum phase direction, const void *out,
                             const void *in, size_t n_bytes)
{
    mf_status status = check_key(ccm);
    if (status != MF_OK) {
        return status;
    }
    if (ccm->phase != STARTED && ccm->phase != (unsigned)direction) {
        return MF_ERROR_STATE;
    }
    status = mf_check_data(out, in, n_bytes);
    if (status != MF_OK) {
        return status;
    }
    if (ccm->aad_left > 0) {
        return MF_ERROR_LENGTH;
    }
    return n_bytes > ccm->text_left ? MF_ERROR_TOO_LONG : MF_OK;
}

static mf_status check_last_piece(const mf_ccm *ccm, enum phase direction, const void *out,
                                  const void *in, size_t n_bytes, const void *tag, size_t tag_bytes)
{
    const mf_status status = check_piece(ccm, direction, out, in, n_bytes);
    if (status != MF_OK) {
        return status;
    }
    if (n_bytes < ccm->text_left) {
        return MF_ERROR_LENGTH;
    }
    return tag_bytes == ccm->tag_bytes ? check_tag(out, n_bytes, tag, tag_bytes)
                                       : MF_ERROR_TAG_LENGTH;
}

/* --- Whole messages --------------------------------------------------------------------------- */

mf_status mf_ccm_encrypt(const mf_cipher *cipher, const void *nonce, size_t nonce_bytes,
                         const void *aad, size_t aad_bytes, void *out, const void *in,
                         size_t n_bytes, unsigned char *tag, size_t tag_bytes)
{
    mf_ccm ccm;
    mf_status status =
        check_whole(cipher, nonce, nonce_bytes, aad, aad_bytes, out, in, n_bytes, tag, tag_bytes);
    if (status != MF_OK) {
        return status;
    }
    status = begin(&ccm, cipher, nonce, nonce_bytes, aad_bytes, n_bytes, tag_bytes);
    if (status == MF_OK) {
        take_aad(&ccm, aad, aad_bytes);
        status = finish_encrypting(&ccm, out, in, n_bytes, tag, tag_bytes);
    }
    mf_ccm_wipe(&ccm);
    return status;
}

mf_status mf_ccm_decrypt(const mf_cipher *cipher, const void *nonce, size_t nonce_bytes,
                         const void *aad, size_t aad_bytes, void *out, const void *in,
                         size_t n_bytes, const unsigned char *tag, size_t tag_bytes)
{
    mf_ccm ccm;
    mf_status status =
        check_whole(cipher, nonce, nonce_bytes, aad, aad_bytes, out, in, n_bytes, tag, tag_bytes);
    if (status != MF_OK) {
        return status;
    }
    status = begin(&ccm, cipher, nonce, nonce_bytes, aad_bytes, n_bytes, tag_bytes);
    if (status == MF_OK) {
        take_aad(&ccm, aad, aad_bytes);
        status = finish_decrypting(&ccm, out, in, n_bytes, tag, tag_bytes);
    }
    mf_ccm_wipe(&ccm);
    return status;
}

/* --- Messages in pieces ----------------------------------------------------------------------- */

mf_status mf_ccm_start(mf_ccm *ccm, const mf_cipher *cipher, const void *nonce, size_t nonce_bytes,
                       uint64_t aad_bytes, uint64_t n_bytes, size_t tag_bytes)
{
    if (ccm == NULL) {
        return MF_ERROR_NULL;
    }
    mf_ccm_wipe(ccm);
    mf_status status = mf_check_cipher_16(cipher);
    if (status == MF_OK) {
        status = mf_ccm_check_nonce(nonce, nonce_bytes, n_bytes);
    }
    if (status == MF_OK && !mf_ccm_is_tag_length(tag_bytes)) {
        status = MF_ERROR_TAG_LENGTH;
    }
    return status == MF_OK ? begin(ccm, cipher, nonce, nonce_bytes, aad_bytes, n_bytes, tag_bytes)
                           : status;
}

mf_status mf_ccm_aad(mf_ccm *ccm, const void *aad, size_t aad_bytes)
{
    const mf_status status = check_key(ccm);
    if (status != MF_OK) {
        return status;
    }
    if (ccm->phase != STARTED) {
        return MF_ERROR_STATE;
    }
    if (aad == NULL && aad_bytes > 0) {
        return MF_ERROR_NULL;
    }
    if (aad_bytes > ccm->aad_left) {
        return MF_ERROR_TOO_LONG;
    }
    take_aad(ccm, aad, aad_bytes);
    return MF_OK;
}

static mf_status update(mf_ccm *ccm, enum phase direction, void *out, const void *in,
                        size_t n_bytes)
{
    const mf_status status = check_piece(ccm, direction, out, in, n_bytes);
    return status == MF_OK ? crypt(ccm, direction, out, in, n_bytes) : status;
}

mf_status mf_ccm_encrypt_update(mf_ccm *ccm, void *out, const void *in, size_t n_bytes)
{
    return update(ccm, ENCRYPTING, out, in, n_bytes);
}

mf_status mf_ccm_decrypt_update(mf_ccm *ccm, void *out, const void *in, size_t n_bytes)
{
    return update(ccm, DECRYPTING, out, in, n_bytes);
}

mf_status mf_ccm_encrypt_finish(mf_ccm *ccm, void *out, const void *in, size_t n_bytes,
                                unsigned char *tag, size_t tag_bytes)
{
    const mf_status status = check_last_piece(ccm, ENCRYPTING, out, in, n_bytes, tag, tag_bytes);
    return status == MF_OK ? finish_encrypting(ccm, out, in, n_bytes, tag, tag_bytes) : status;
}

mf_status mf_ccm_decrypt_finish(mf_ccm *ccm, void *out, const void *in, size_t n_bytes,
                                const unsigned char *tag, size_t tag_bytes)
{
    const mf_status status = check_last_piece(ccm, DECRYPTING, out, in, n_bytes, tag, tag_bytes);
    return status == MF_OK ? finish_decrypting(ccm, out, in, n_bytes, tag, tag_bytes) : status;
}

void mf_ccm_wipe(mf_ccm *ccm)
{
    if (ccm != NULL) {
        mf_wipe(ccm, sizeof *ccm);
    }
}
