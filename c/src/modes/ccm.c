/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * CCM [SP800-38C] with the formatting of its appendix A, whose names stand here: B_0 holds nonce and
 * lengths and begins the CBC-MAC, over associated data and then plaintext, each filled with zeros to
 * whole blocks. Counter block A_0 masks the tag, the following ones encrypt.
 */
#include <manyfish/ccm.h>
#include <manyfish/modes.h>

#include "../common/wipe.h"
#include "check.h"
#include "cmac.h"

enum { BLOCK = 16, MIN_NONCE = 7, MAX_NONCE = 13, MIN_TAG = 4 };
enum direction { ENCRYPTING, DECRYPTING };

/* What one call works with. */
typedef struct ccm {
    const mf_cipher *cipher;
    mf_ctr ctr;
    uint8_t s_0[BLOCK];
    uint8_t mac[BLOCK];
} ccm;

/* The lowest n_bytes bytes of x, big-endian. */
static void store_number(uint8_t *p, size_t n_bytes, uint64_t x)
{
    for (size_t i = n_bytes; i-- > 0;) {
        p[i] = (uint8_t)x;
        x >>= 8;
    }
}

/* CBC-MAC of a string filled with zeros to whole blocks. */
static void mac_string(ccm *m, const uint8_t *data, size_t n_bytes)
{
    const size_t rest = n_bytes % BLOCK;
    uint8_t last[BLOCK] = {0};

    mf_cbc_mac(m->cipher, m->mac, data, n_bytes / BLOCK);
    if (rest > 0) {
        memcpy(last, data + n_bytes - rest, rest);
        mf_cbc_mac(m->cipher, m->mac, last, 1);
        mf_wipe(last, sizeof last);
    }
}

/* The length of the associated data as its prefix; returns the bytes written. [SP800-38C, A.2.2] */
static size_t store_aad_length(uint8_t p[10], uint64_t a)
{
    if (a < 0xFF00) {
        store_number(p, 2, a);
        return 2;
    }
    p[0] = 0xFF;
    p[1] = a <= UINT32_MAX ? 0xFE : 0xFF;
    const size_t n_bytes = a <= UINT32_MAX ? 4 : 8;
    store_number(p + 2, n_bytes, a);
    return 2 + n_bytes;
}

static void mac_aad(ccm *m, const uint8_t *aad, size_t aad_bytes)
{
    uint8_t first[BLOCK] = {0};

    if (aad_bytes == 0) {
        return;
    }
    const size_t prefix = store_aad_length(first, aad_bytes);
    const size_t in_first = mf_min(aad_bytes, BLOCK - prefix);
    memcpy(first + prefix, aad, in_first);
    mf_cbc_mac(m->cipher, m->mac, first, 1);
    mf_wipe(first, sizeof first);
    mac_string(m, aad + in_first, aad_bytes - in_first);
}

/* B_0, A_0 and the associated data; m is ready for the message. [SP800-38C, A.2, A.3] */
static mf_status begin(ccm *m, const mf_cipher *cipher, const uint8_t *nonce, size_t nonce_bytes,
                       const uint8_t *aad, size_t aad_bytes, size_t n_bytes, size_t tag_bytes)
{
    const size_t q = BLOCK - 1 - nonce_bytes;
    uint8_t block[BLOCK] = {0};

    m->cipher = cipher;
    block[0] = (uint8_t)((aad_bytes > 0 ? 0x40 : 0) | (tag_bytes - 2) / 2 << 3 | (q - 1));
    memcpy(block + 1, nonce, nonce_bytes);
    store_number(block + 1 + nonce_bytes, q, n_bytes);
    cipher->encrypt_blocks(cipher->key, m->mac, block, 1);
    mac_aad(m, aad, aad_bytes);

    block[0] = (uint8_t)(q - 1);
    store_number(block + 1 + nonce_bytes, q, 0);
    cipher->encrypt_blocks(cipher->key, m->s_0, block, 1);
    block[BLOCK - 1] = 1;
    return mf_ctr_init(&m->ctr, cipher, block, 8 * BLOCK);
}

/* In pieces, so that CBC-MAC finds in the cache what CTR has worked on. */
static mf_status crypt(ccm *m, enum direction direction, uint8_t *out, const uint8_t *in,
                       size_t n_bytes)
{
    mf_status status = MF_OK;

    while (n_bytes > 0 && status == MF_OK) {
        const size_t n = mf_min(n_bytes, MF_PIECE_BYTES);
        if (direction == ENCRYPTING) {
            mac_string(m, in, n);
        }
        status = mf_ctr_crypt(&m->ctr, out, in, n);
        if (direction == DECRYPTING) {
            mac_string(m, out, n);
        }
        n_bytes -= n;
        in += n;
        out += n;
    }
    return status;
}

static mf_status check_nonce(const void *nonce, size_t nonce_bytes, size_t n_bytes)
{
    if (nonce_bytes < MIN_NONCE || nonce_bytes > MAX_NONCE) {
        return MF_ERROR_NONCE_LENGTH;
    }
    if (nonce == NULL) {
        return MF_ERROR_NULL;
    }
    const size_t q = BLOCK - 1 - nonce_bytes;
    return q < 8 && (uint64_t)n_bytes >> 8 * q != 0 ? MF_ERROR_TOO_LONG : MF_OK;
}

static mf_status check_tag(const void *out, size_t n_bytes, const void *tag, size_t tag_bytes)
{
    if (tag_bytes < MIN_TAG || tag_bytes > BLOCK || tag_bytes % 2 != 0) {
        return MF_ERROR_TAG_LENGTH;
    }
    if (tag == NULL) {
        return MF_ERROR_NULL;
    }
    return mf_overlap(tag, tag_bytes, out, n_bytes) ? MF_ERROR_OVERLAP : MF_OK;
}

static mf_status check_cipher(const mf_cipher *cipher)
{
    const mf_status status = mf_check_cipher(cipher);
    if (status != MF_OK) {
        return status;
    }
    return cipher->block_bytes == BLOCK ? MF_OK : MF_ERROR_BLOCK;
}

static mf_status check(const mf_cipher *cipher, const void *nonce, size_t nonce_bytes,
                       const void *aad, size_t aad_bytes, const void *out, const void *in,
                       size_t n_bytes, const void *tag, size_t tag_bytes)
{
    mf_status status = check_cipher(cipher);
    if (status == MF_OK) {
        status = check_nonce(nonce, nonce_bytes, n_bytes);
    }
    if (status == MF_OK) {
        status = aad == NULL && aad_bytes > 0 ? MF_ERROR_NULL : mf_check_data(out, in, n_bytes);
    }
    return status == MF_OK ? check_tag(out, n_bytes, tag, tag_bytes) : status;
}

mf_status mf_ccm_encrypt(const mf_cipher *cipher, const void *nonce, size_t nonce_bytes,
                         const void *aad, size_t aad_bytes, void *out, const void *in,
                         size_t n_bytes, unsigned char *tag, size_t tag_bytes)
{
    ccm m;
    mf_status status =
        check(cipher, nonce, nonce_bytes, aad, aad_bytes, out, in, n_bytes, tag, tag_bytes);
    if (status != MF_OK) {
        return status;
    }
    status = begin(&m, cipher, nonce, nonce_bytes, aad, aad_bytes, n_bytes, tag_bytes);
    if (status == MF_OK) {
        status = crypt(&m, ENCRYPTING, out, in, n_bytes);
        mf_xor(tag, m.mac, m.s_0, tag_bytes);
    }
    mf_wipe(&m, sizeof m);
    return status;
}

mf_status mf_ccm_decrypt(const mf_cipher *cipher, const void *nonce, size_t nonce_bytes,
                         const void *aad, size_t aad_bytes, void *out, const void *in,
                         size_t n_bytes, const unsigned char *tag, size_t tag_bytes)
{
    ccm m;
    mf_status status =
        check(cipher, nonce, nonce_bytes, aad, aad_bytes, out, in, n_bytes, tag, tag_bytes);
    if (status != MF_OK) {
        return status;
    }
    status = begin(&m, cipher, nonce, nonce_bytes, aad, aad_bytes, n_bytes, tag_bytes);
    if (status == MF_OK) {
        status = crypt(&m, DECRYPTING, out, in, n_bytes);
        mf_xor(m.mac, m.mac, m.s_0, BLOCK);
        if (!mf_equal(m.mac, tag, tag_bytes)) {
            mf_wipe(out, n_bytes);
            status = MF_ERROR_TAG;
        }
    }
    mf_wipe(&m, sizeof m); /* the right tag of a forgery is worth money */
    return status;
}
