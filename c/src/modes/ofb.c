/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * OFB [SP800-38A, 6.4]: a key stream in which each block is the encryption of the one before.
 * Serial by nature.
 */
#include <manyfish/modes.h>

#include "check.h"

mf_status mf_ofb_init(mf_ofb *ofb, const mf_cipher *cipher, const void *iv)
{
    if (ofb == NULL) {
        return MF_ERROR_NULL;
    }
    mf_ofb_wipe(ofb);
    const mf_status status = mf_check_cipher(cipher);
    if (status != MF_OK) {
        return status;
    }
    if (iv == NULL) {
        return MF_ERROR_NULL;
    }
    ofb->cipher = *cipher;
    memcpy(ofb->keystream, iv, cipher->block_bytes);
    return MF_OK;
}

mf_status mf_ofb_crypt(mf_ofb *ofb, void *out, const void *in, size_t n_bytes)
{
    uint8_t *to = out;
    const uint8_t *from = in;

    if (ofb == NULL) {
        return MF_ERROR_NULL;
    }
    mf_status status = mf_check_cipher(&ofb->cipher);
    if (status == MF_OK) {
        status = mf_check_data(out, in, n_bytes);
    }
    if (status != MF_OK) {
        return status;
    }
    const size_t block = ofb->cipher.block_bytes;
    while (n_bytes > 0) {
        if (ofb->unused_bytes == 0) {
            ofb->cipher.encrypt_blocks(ofb->cipher.key, ofb->keystream, ofb->keystream, 1);
            ofb->unused_bytes = block;
        }
        const size_t n = mf_min(n_bytes, ofb->unused_bytes);
        mf_xor(to, from, ofb->keystream + block - ofb->unused_bytes, n);
        ofb->unused_bytes -= n;
        n_bytes -= n;
        from += n;
        to += n;
    }
    return MF_OK;
}

void mf_ofb_wipe(mf_ofb *ofb)
{
    if (ofb != NULL) {
        mf_wipe(ofb, sizeof *ofb);
    }
}
