/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * SIV [RFC5297]: S2V, which is CMAC of several strings, gives V; V without two bits is the first
 * counter block of CTR under the other key.
 */
#include "siv.h"

#include <manyfish/modes.h>

#include "../common/wipe.h"
#include "check.h"
#include "cmac.h"
#include "gf.h"

enum { BLOCK = 16 };

mf_status mf_siv_init(mf_siv *siv, const mf_cipher *s2v, const mf_cipher *ctr)
{
    static const uint8_t zeros[BLOCK];

    if (siv == NULL) {
        return MF_ERROR_NULL;
    }
    mf_siv_wipe(siv);
    mf_status status = mf_check_cipher_16(s2v);
    if (status == MF_OK) {
        status = mf_check_cipher_16(ctr);
    }
    if (status != MF_OK) {
        return status;
    }
    siv->ctr = *ctr;
    status = mf_cmac_init(&siv->s2v, s2v);
    mf_cmac_absorb(&siv->s2v, zeros, BLOCK);
    mf_cmac_end(&siv->s2v, siv->zero_tag);
    return status;
}

/* S2V in work, all that is secret of it in one place, to be wiped by one call. */
typedef struct s2v {
    mf_cmac cmac;
    uint8_t d[BLOCK];
    uint8_t part[BLOCK]; /* CMAC of the current string */
    uint8_t v[BLOCK];
} s2v;

/* D = dbl(D) ^ CMAC(string) */
static void add_string(s2v *m, const uint8_t *data, size_t n_bytes)
{
    mf_cmac_absorb(&m->cmac, data, n_bytes);
    mf_cmac_end(&m->cmac, m->part);
    mf_gf_double(m->d, m->d, BLOCK);
    mf_xor(m->d, m->d, m->part, BLOCK);
}

/* The two parts of S2V, between which decryption makes the text. [RFC5297, 2.4] */
static void begin_s2v(s2v *m, const mf_siv *siv, const mf_siv_string *aad, size_t n_aad,
                      const uint8_t *nonce, size_t nonce_bytes)
{
    m->cmac = siv->s2v;
    memcpy(m->d, siv->zero_tag, BLOCK);
    for (size_t i = 0; i < n_aad; i++) {
        add_string(m, aad[i].data, aad[i].n_bytes);
    }
    if (nonce_bytes > 0) {
        add_string(m, nonce, nonce_bytes);
    }
}

/* The last string: D goes into its end, or into the padded string if it is shorter than a block. */
static void end_s2v(s2v *m, const uint8_t *text, size_t n_bytes)
{
    if (n_bytes >= BLOCK) {
        mf_cmac_absorb(&m->cmac, text, n_bytes - BLOCK);
        mf_xor(m->d, m->d, text + n_bytes - BLOCK, BLOCK);
    } else {
        mf_gf_double(m->d, m->d, BLOCK);
        mf_xor(m->d, m->d, text, n_bytes);
        m->d[n_bytes] ^= 0x80;
    }
    mf_cmac_absorb(&m->cmac, m->d, BLOCK);
    mf_cmac_end(&m->cmac, m->v);
}

/* [RFC5297, 2.5] */
static mf_status crypt(const mf_siv *siv, const uint8_t v[BLOCK], uint8_t *out, const uint8_t *in,
                       size_t n_bytes)
{
    mf_ctr ctr;
    uint8_t q[BLOCK];

    mf_siv_first_counter(q, v);
    mf_status status = mf_ctr_init(&ctr, &siv->ctr, q, 8 * BLOCK);
    if (status == MF_OK) {
        status = mf_ctr_crypt(&ctr, out, in, n_bytes);
    }
    mf_ctr_wipe(&ctr);
    mf_wipe(q, sizeof q);
    return status;
}

static mf_status check_strings(const mf_siv_string *aad, size_t n_aad, const void *nonce,
                               size_t nonce_bytes)
{
    if (n_aad > (size_t)MF_SIV_MAX_STRINGS - (nonce_bytes > 0)) {
        return MF_ERROR_TOO_LONG;
    }
    if ((aad == NULL && n_aad > 0) || (nonce == NULL && nonce_bytes > 0)) {
        return MF_ERROR_NULL;
    }
    for (size_t i = 0; i < n_aad; i++) {
        if (aad[i].data == NULL && aad[i].n_bytes > 0) {
            return MF_ERROR_NULL;
        }
    }
    return MF_OK;
}

static mf_status check_keys(const mf_siv *siv)
{
    if (siv == NULL) {
        return MF_ERROR_NULL;
    }
    const mf_status status = mf_check_cipher(&siv->s2v.cipher);
    return status == MF_OK ? mf_check_cipher(&siv->ctr) : status;
}

static mf_status check(const mf_siv *siv, const mf_siv_string *aad, size_t n_aad, const void *nonce,
                       size_t nonce_bytes, const void *out, const void *in, size_t n_bytes,
                       const void *tag)
{
    mf_status status = check_keys(siv);
    if (status == MF_OK) {
        status = check_strings(aad, n_aad, nonce, nonce_bytes);
    }
    if (status == MF_OK) {
        status = mf_check_data(out, in, n_bytes);
    }
    if (status != MF_OK) {
        return status;
    }
    if (tag == NULL) {
        return MF_ERROR_NULL;
    }
    return mf_overlap(tag, MF_SIV_TAG_BYTES, out, n_bytes) ? MF_ERROR_OVERLAP : MF_OK;
}

mf_status mf_siv_encrypt(const mf_siv *siv, const mf_siv_string *aad, size_t n_aad,
                         const void *nonce, size_t nonce_bytes, void *out, const void *in,
                         size_t n_bytes, unsigned char tag[MF_SIV_TAG_BYTES])
{
    s2v m;
    mf_status status = check(siv, aad, n_aad, nonce, nonce_bytes, out, in, n_bytes, tag);
    if (status != MF_OK) {
        return status;
    }
    begin_s2v(&m, siv, aad, n_aad, nonce, nonce_bytes);
    end_s2v(&m, in, n_bytes);
    status = crypt(siv, m.v, out, in, n_bytes);
    memcpy(tag, m.v, BLOCK); /* only now, for it may lie where the input was */
    mf_wipe(&m, sizeof m);
    return status;
}

mf_status mf_siv_decrypt(const mf_siv *siv, const mf_siv_string *aad, size_t n_aad,
                         const void *nonce, size_t nonce_bytes, void *out, const void *in,
                         size_t n_bytes, const unsigned char tag[MF_SIV_TAG_BYTES])
{
    s2v m;
    mf_status status = check(siv, aad, n_aad, nonce, nonce_bytes, out, in, n_bytes, tag);
    if (status != MF_OK) {
        return status;
    }
    begin_s2v(&m, siv, aad, n_aad, nonce, nonce_bytes);
    status = crypt(siv, tag, out, in, n_bytes);
    end_s2v(&m, out, n_bytes);
    if (!mf_equal(m.v, tag, BLOCK)) {
        mf_wipe(out, n_bytes);
        status = MF_ERROR_TAG;
    }
    mf_wipe(&m, sizeof m); /* the right tag of a forgery is worth money */
    return status;
}

void mf_siv_wipe(mf_siv *siv)
{
    if (siv != NULL) {
        mf_wipe(siv, sizeof *siv);
    }
}
