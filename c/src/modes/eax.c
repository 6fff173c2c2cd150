/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * EAX [EAX04]. OMAC^t of a string is CMAC of the number t, as long as a block, before the string.
 * The tag is OMAC^0 of the nonce, OMAC^1 of the header (our associated data) and OMAC^2 of the
 * ciphertext, added; and OMAC^0 of the nonce is also the first counter block.
 */
#include <manyfish/eax.h>

#include "../common/wipe.h"
#include "check.h"
#include "cmac.h"

enum phase { NO_MESSAGE = 0, STARTED, ENCRYPTING, DECRYPTING };

mf_status mf_eax_init(mf_eax *eax, const mf_cipher *cipher)
{
    if (eax == NULL) {
        return MF_ERROR_NULL;
    }
    mf_eax_wipe(eax);
    const mf_status status = mf_cmac_init(&eax->aad, cipher);
    eax->text = eax->aad;
    return status;
}

static void forget_message(mf_eax *eax)
{
    mf_cmac_begin(&eax->aad);
    mf_cmac_begin(&eax->text);
    mf_ctr_wipe(&eax->ctr);
    mf_wipe(eax->nonce_tag, sizeof eax->nonce_tag);
    eax->phase = NO_MESSAGE;
}

static mf_status check_key(const mf_eax *eax)
{
    return eax == NULL ? MF_ERROR_NULL : mf_check_cipher(&eax->aad.cipher);
}

static size_t block_bytes(const mf_eax *eax)
{
    return eax->aad.cipher.block_bytes;
}

static void begin_omac(mf_cmac *cmac, uint8_t t)
{
    const size_t block = cmac->cipher.block_bytes;
    uint8_t number[MF_MAX_BLOCK_BYTES] = {0};
    number[block - 1] = t;
    mf_cmac_begin(cmac);
    mf_cmac_absorb(cmac, number, block);
}

mf_status mf_eax_start(mf_eax *eax, const void *nonce, size_t nonce_bytes)
{
    mf_status status = check_key(eax);
    if (status != MF_OK) {
        return status;
    }
    forget_message(eax);
    if (nonce == NULL && nonce_bytes > 0) {
        return MF_ERROR_NULL;
    }
    begin_omac(&eax->text, 0);
    mf_cmac_absorb(&eax->text, nonce, nonce_bytes);
    mf_cmac_end(&eax->text, eax->nonce_tag);
    begin_omac(&eax->aad, 1);
    begin_omac(&eax->text, 2);
    status =
        mf_ctr_init(&eax->ctr, &eax->aad.cipher, eax->nonce_tag, 8 * (unsigned)block_bytes(eax));
    eax->phase = STARTED;
    return status;
}

mf_status mf_eax_aad(mf_eax *eax, const void *aad, size_t aad_bytes)
{
    const mf_status status = check_key(eax);
    if (status != MF_OK) {
        return status;
    }
    if (eax->phase == NO_MESSAGE) {
        return MF_ERROR_STATE;
    }
    if (aad == NULL && aad_bytes > 0) {
        return MF_ERROR_NULL;
    }
    mf_cmac_absorb(&eax->aad, aad, aad_bytes);
    return MF_OK;
}

/* Checks a piece in the given direction, and that it may follow the calls before. */
static mf_status check_piece(const mf_eax *eax, enum phase direction, const void *out,
                             const void *in, size_t n_bytes)
{
    const mf_status status = check_key(eax);
    if (status != MF_OK) {
        return status;
    }
    if (eax->phase != STARTED && eax->phase != (unsigned)direction) {
        return MF_ERROR_STATE;
    }
    return mf_check_data(out, in, n_bytes);
}

/* In pieces, so that CMAC finds in the cache what CTR has worked on. All but the first and the last
 * are whole blocks of the key stream. */
static mf_status crypt(mf_eax *eax, enum phase direction, uint8_t *out, const uint8_t *in,
                       size_t n_bytes)
{
    mf_status status = MF_OK;

    eax->phase = direction;
    while (n_bytes > 0 && status == MF_OK) {
        const size_t n = mf_min(n_bytes, MF_PIECE_BYTES + eax->ctr.unused_bytes);
        if (direction == DECRYPTING) {
            mf_cmac_absorb(&eax->text, in, n);
        }
        status = mf_ctr_crypt(&eax->ctr, out, in, n);
        if (direction == ENCRYPTING) {
            mf_cmac_absorb(&eax->text, out, n);
        }
        n_bytes -= n;
        in += n;
        out += n;
    }
    return status;
}

static mf_status update(mf_eax *eax, enum phase direction, void *out, const void *in,
                        size_t n_bytes)
{
    const mf_status status = check_piece(eax, direction, out, in, n_bytes);
    return status == MF_OK ? crypt(eax, direction, out, in, n_bytes) : status;
}

mf_status mf_eax_encrypt_update(mf_eax *eax, void *out, const void *in, size_t n_bytes)
{
    return update(eax, ENCRYPTING, out, in, n_bytes);
}

mf_status mf_eax_decrypt_update(mf_eax *eax, void *out, const void *in, size_t n_bytes)
{
    return update(eax, DECRYPTING, out, in, n_bytes);
}

/* A tag must not lie where the output goes. */
static mf_status check_last_piece(const mf_eax *eax, enum phase direction, const void *out,
                                  const void *in, size_t n_bytes, const void *tag, size_t tag_bytes)
{
    const mf_status status = check_piece(eax, direction, out, in, n_bytes);
    if (status != MF_OK) {
        return status;
    }
    if (tag_bytes < block_bytes(eax) / 4 || tag_bytes > block_bytes(eax)) {
        return MF_ERROR_TAG_LENGTH;
    }
    if (tag == NULL) {
        return MF_ERROR_NULL;
    }
    return mf_overlap(tag, tag_bytes, out, n_bytes) ? MF_ERROR_OVERLAP : MF_OK;
}

/* The last piece and the full tag, in either direction; the message is over. */
static mf_status finish(mf_eax *eax, enum phase direction, uint8_t *out, const uint8_t *in,
                        size_t n_bytes, uint8_t tag[MF_MAX_BLOCK_BYTES])
{
    const size_t block = block_bytes(eax);
    uint8_t aad_tag[MF_MAX_BLOCK_BYTES];
    const mf_status status = crypt(eax, direction, out, in, n_bytes);

    mf_cmac_end(&eax->text, tag);
    mf_cmac_end(&eax->aad, aad_tag);
    mf_xor(tag, tag, aad_tag, block);
    mf_xor(tag, tag, eax->nonce_tag, block);
    mf_wipe(aad_tag, sizeof aad_tag);
    forget_message(eax);
    return status;
}

mf_status mf_eax_encrypt_finish(mf_eax *eax, void *out, const void *in, size_t n_bytes,
                                unsigned char *tag, size_t tag_bytes)
{
    uint8_t computed[MF_MAX_BLOCK_BYTES];
    mf_status status = check_last_piece(eax, ENCRYPTING, out, in, n_bytes, tag, tag_bytes);
    if (status != MF_OK) {
        return status;
    }
    status = finish(eax, ENCRYPTING, out, in, n_bytes, computed);
    memcpy(tag, computed, tag_bytes);
    mf_wipe(computed, sizeof computed);
    return status;
}

mf_status mf_eax_decrypt_finish(mf_eax *eax, void *out, const void *in, size_t n_bytes,
                                const unsigned char *tag, size_t tag_bytes)
{
    uint8_t computed[MF_MAX_BLOCK_BYTES];
    mf_status status = check_last_piece(eax, DECRYPTING, out, in, n_bytes, tag, tag_bytes);
    if (status != MF_OK) {
        return status;
    }
    status = finish(eax, DECRYPTING, out, in, n_bytes, computed);
    if (!mf_equal(computed, tag, tag_bytes)) {
        mf_wipe(out, n_bytes);
        status = MF_ERROR_TAG;
    }
    mf_wipe(computed, sizeof computed); /* the right tag of a forgery is worth money */
    return status;
}

/* Start and associated data of a message in one call. */
static mf_status begin(mf_eax *eax, const void *nonce, size_t nonce_bytes, const void *aad,
                       size_t aad_bytes)
{
    const mf_status status = mf_eax_start(eax, nonce, nonce_bytes);
    return status == MF_OK ? mf_eax_aad(eax, aad, aad_bytes) : status;
}

/* The end of one; nothing of it is left to go on with, whatever the status. */
static mf_status end(mf_eax *eax, mf_status status)
{
    if (check_key(eax) == MF_OK) {
        forget_message(eax);
    }
    return status;
}

mf_status mf_eax_encrypt(mf_eax *eax, const void *nonce, size_t nonce_bytes, const void *aad,
                         size_t aad_bytes, void *out, const void *in, size_t n_bytes,
                         unsigned char *tag, size_t tag_bytes)
{
    mf_status status = begin(eax, nonce, nonce_bytes, aad, aad_bytes);
    if (status == MF_OK) {
        status = mf_eax_encrypt_finish(eax, out, in, n_bytes, tag, tag_bytes);
    }
    return end(eax, status);
}

mf_status mf_eax_decrypt(mf_eax *eax, const void *nonce, size_t nonce_bytes, const void *aad,
                         size_t aad_bytes, void *out, const void *in, size_t n_bytes,
                         const unsigned char *tag, size_t tag_bytes)
{
    mf_status status = begin(eax, nonce, nonce_bytes, aad, aad_bytes);
    if (status == MF_OK) {
        status = mf_eax_decrypt_finish(eax, out, in, n_bytes, tag, tag_bytes);
    }
    return end(eax, status);
}

void mf_eax_wipe(mf_eax *eax)
{
    if (eax != NULL) {
        mf_wipe(eax, sizeof *eax);
    }
}
