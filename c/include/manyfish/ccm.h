/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * CCM [SP800-38C] over ciphers with 16-byte blocks: CTR for secrecy, CBC-MAC for authenticity, both
 * under one key. CBC-MAC takes one block at a time, which bounds the speed whatever the kernel. The
 * lengths come first in what is authenticated. CCM is here for data that exists; OCB is several
 * times as fast.
 *
 * Nonce, associated data and tag: <manyfish/aead.h>. Conventions (overlap, NULL, threads, what is
 * undefined): <manyfish/common.h>. Every function here may return MF_ERROR_NULL, MF_ERROR_NO_KEY
 * and MF_ERROR_OVERLAP; others are named.
 */
#ifndef MANYFISH_CCM_H
#define MANYFISH_CCM_H

#include <manyfish/modes.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A whole message; nothing is computed once per key, so there is no context.
 *   cipher       its blocks must have 16 bytes, else MF_ERROR_BLOCK; a key in use by CCM must be
 *                used by no other mode
 *   nonce        nonce_bytes bytes, 7 to 13, else MF_ERROR_NONCE_LENGTH; never twice under one key
 *   aad          aad_bytes bytes that are authenticated, not encrypted
 *   out, in      n_bytes bytes; the same buffer or disjoint
 *   n_bytes      less than 256^q for the q = 15 - nonce_bytes bytes of its counter, else
 *                MF_ERROR_TOO_LONG: 65,535 bytes after a nonce of 13, 16,777,215 after one of 12
 *   tag          tag_bytes bytes, written when encrypting, compared when decrypting; disjoint from
 *                out
 *   tag_bytes    4, 6, 8, 10, 12, 14 or 16, else MF_ERROR_TAG_LENGTH
 * A wrong tag is MF_ERROR_TAG: all of out is wiped, nothing of the plaintext is released. On the
 * other errors out and tag are untouched. [SP800-38C, 6, appendix A] */
MF_API MF_MUST_CHECK mf_status mf_ccm_encrypt(const mf_cipher *cipher, const void *nonce,
                                              size_t nonce_bytes, const void *aad, size_t aad_bytes,
                                              void *out, const void *in, size_t n_bytes,
                                              unsigned char *tag, size_t tag_bytes);
MF_API MF_MUST_CHECK mf_status mf_ccm_decrypt(const mf_cipher *cipher, const void *nonce,
                                              size_t nonce_bytes, const void *aad, size_t aad_bytes,
                                              void *out, const void *in, size_t n_bytes,
                                              const unsigned char *tag, size_t tag_bytes);

/* A message in pieces. The members are private. It holds secrets: end its life with mf_ccm_wipe. A
 * copy goes on from the same place: never encrypt with both. */
typedef struct mf_ccm {
    mf_cipher cipher;
    mf_ctr ctr;
    unsigned char s_0[16]; /* the first block of key stream, which masks the tag */
    unsigned char mac[16]; /* the chain of CBC-MAC */
    size_t mac_bytes;      /* bytes of the current block added so far */
    uint64_t aad_left;     /* bytes that were declared and have not come yet */
    uint64_t text_left;
    size_t tag_bytes;
    unsigned phase;
} mf_ccm;

/* Starts a message, whose lengths come first in what is authenticated: then aad calls, then update
 * calls, any number of each, then one finish. More bytes than declared are MF_ERROR_TOO_LONG; less
 * of the associated data when the text begins, or of the text at finish, are MF_ERROR_LENGTH. After
 * an error other than MF_ERROR_TAG the message goes on as if the call had not been made.
 *   ccm          is filled; it refers to the cipher's key, which must stay in place
 *   cipher       copied, as above
 *   nonce        as above
 *   aad_bytes    of all associated data
 *   n_bytes      of the whole text; limits as above
 *   tag_bytes    as above
 * MF_ERROR_BLOCK, MF_ERROR_NONCE_LENGTH, MF_ERROR_TOO_LONG, MF_ERROR_TAG_LENGTH. On an error ccm
 * holds no key. [SP800-38C, A.2] */
MF_API MF_MUST_CHECK mf_status mf_ccm_start(mf_ccm *ccm, const mf_cipher *cipher, const void *nonce,
                                            size_t nonce_bytes, uint64_t aad_bytes,
                                            uint64_t n_bytes, size_t tag_bytes);

/* The next aad_bytes of associated data. MF_ERROR_STATE before start, after finish, and after the
 * first piece of the text (of no bytes, too); MF_ERROR_TOO_LONG. */
MF_API MF_MUST_CHECK mf_status mf_ccm_aad(mf_ccm *ccm, const void *aad, size_t aad_bytes);

/* The next piece of the text, of any length.
 *   out, in      n_bytes bytes; the same buffer or disjoint
 * What decrypt_update writes is not authenticated yet: do not act on it before finish has said
 * MF_OK. MF_ERROR_STATE before start, after finish, or on a change of direction within a message;
 * MF_ERROR_LENGTH, MF_ERROR_TOO_LONG. On an error out is untouched. */
MF_API MF_MUST_CHECK mf_status mf_ccm_encrypt_update(mf_ccm *ccm, void *out, const void *in,
                                                     size_t n_bytes);
MF_API MF_MUST_CHECK mf_status mf_ccm_decrypt_update(mf_ccm *ccm, void *out, const void *in,
                                                     size_t n_bytes);

/* The last piece, of any length and possibly none, and the tag.
 *   out, in      n_bytes bytes; the same buffer or disjoint
 *   tag          tag_bytes bytes, written or compared; disjoint from out
 *   tag_bytes    as declared, else MF_ERROR_TAG_LENGTH
 * MF_ERROR_TAG: this piece of out is wiped; the caller must discard what decrypt_update gave. The
 * other errors are those of update. After MF_OK or MF_ERROR_TAG the message is over. */
MF_API MF_MUST_CHECK mf_status mf_ccm_encrypt_finish(mf_ccm *ccm, void *out, const void *in,
                                                     size_t n_bytes, unsigned char *tag,
                                                     size_t tag_bytes);
MF_API MF_MUST_CHECK mf_status mf_ccm_decrypt_finish(mf_ccm *ccm, void *out, const void *in,
                                                     size_t n_bytes, const unsigned char *tag,
                                                     size_t tag_bytes);

/* Wipes everything; afterwards ccm holds no key. NULL is allowed. Cannot fail. */
MF_API void mf_ccm_wipe(mf_ccm *ccm);

#ifdef __cplusplus
}
#endif

#endif
