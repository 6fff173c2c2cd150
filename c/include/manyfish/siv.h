/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * SIV [RFC5297] over ciphers with 16-byte blocks. The tag is CMAC of everything and the IV of CTR
 * at once, hence "synthetic IV". Without a nonce, or with one used twice, an observer learns
 * whether two messages with their associated data are equal, and nothing else. CMAC bounds the
 * speed, and the whole message is needed before the first byte can be encrypted: there are only
 * whole messages.
 *
 * Nonce, associated data and tag: <manyfish/aead.h>. Conventions (overlap, NULL, threads, what is
 * undefined): <manyfish/common.h>. Every function here may return MF_ERROR_NULL, MF_ERROR_NO_KEY
 * and MF_ERROR_OVERLAP; others are named.
 */
#ifndef MANYFISH_SIV_H
#define MANYFISH_SIV_H

#include <manyfish/mac.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MF_SIV_TAG_BYTES 16
#define MF_SIV_MAX_STRINGS 126

/* One string of associated data: n_bytes at data. */
typedef struct mf_siv_string {
    const void *data;
    size_t n_bytes;
} mf_siv_string;

/* One pair of keys made ready for SIV. The members are private. It holds secrets: end its life with
 * mf_siv_wipe. No call for a message changes it. */
typedef struct mf_siv {
    mf_cmac s2v;
    mf_cipher ctr;
    unsigned char zero_tag[16]; /* CMAC of the zero block, with which S2V begins */
} mf_siv;

/* Makes a pair of keys ready.
 *   siv        is filled; it refers to the ciphers' keys, which must stay in place
 *   s2v, ctr   copied; K1 and K2 of the RFC, the first and the second half of its key: independent
 *              of each other. Blocks of 16 bytes, else MF_ERROR_BLOCK
 * On an error siv holds no key. [RFC5297, 2.2] */
MF_API MF_MUST_CHECK mf_status mf_siv_init(mf_siv *siv, const mf_cipher *s2v, const mf_cipher *ctr);

/* A whole message.
 *   aad          n_aad strings that are authenticated, not encrypted; {"ab", "c"} and {"a", "bc"}
 *                differ. NULL is allowed if there are none
 *   nonce        nonce_bytes bytes, any number: the last string of associated data if there is one.
 *                0 means no nonce (deterministic encryption), and not a nonce that is empty
 *   n_aad        at most 126, the nonce counted, else MF_ERROR_TOO_LONG
 *   out, in      n_bytes bytes, any number; the same buffer or disjoint
 *   tag          16 bytes, the synthetic IV, which the RFC puts before the ciphertext; written when
 *                encrypting, compared when decrypting; disjoint from out
 * A wrong tag is MF_ERROR_TAG: all of out is wiped, nothing of the plaintext is released. On the
 * other errors out and tag are untouched. [RFC5297, 2.6, 2.7, 3] */
MF_API MF_MUST_CHECK mf_status mf_siv_encrypt(const mf_siv *siv, const mf_siv_string *aad,
                                              size_t n_aad, const void *nonce, size_t nonce_bytes,
                                              void *out, const void *in, size_t n_bytes,
                                              unsigned char tag[MF_SIV_TAG_BYTES]);
MF_API MF_MUST_CHECK mf_status mf_siv_decrypt(const mf_siv *siv, const mf_siv_string *aad,
                                              size_t n_aad, const void *nonce, size_t nonce_bytes,
                                              void *out, const void *in, size_t n_bytes,
                                              const unsigned char tag[MF_SIV_TAG_BYTES]);

/* Wipes everything; afterwards siv holds no key. NULL is allowed. Cannot fail. */
MF_API void mf_siv_wipe(mf_siv *siv);

#ifdef __cplusplus
}
#endif

#endif
