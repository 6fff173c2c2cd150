/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * CCM [SP800-38C] over ciphers with 16-byte blocks: CTR for secrecy, CBC-MAC for authenticity, both
 * under one key. CBC-MAC takes one block at a time, which bounds the speed whatever the kernel. The
 * lengths come first in what is authenticated. CCM is here for data that exists; OCB is several times
 * as fast.
 *
 * Nonce, associated data and tag: <manyfish/aead.h>. Conventions (overlap, NULL, threads, what is
 * undefined): <manyfish/common.h>. Every function here may return MF_ERROR_NULL, MF_ERROR_NO_KEY and
 * MF_ERROR_OVERLAP; others are named.
 */
#ifndef MANYFISH_CCM_H
#define MANYFISH_CCM_H

#include <manyfish/cipher.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A whole message; nothing is computed once per key, so there is no context.
 *   cipher       its blocks must have 16 bytes, else MF_ERROR_BLOCK; a key in use by CCM must be used
 *                by no other mode
 *   nonce        nonce_bytes bytes, 7 to 13, else MF_ERROR_NONCE_LENGTH; never twice under one key
 *   aad          aad_bytes bytes that are authenticated, not encrypted
 *   out, in      n_bytes bytes; the same buffer or disjoint
 *   n_bytes      less than 256^q for the q = 15 - nonce_bytes bytes of its counter, else
 *                MF_ERROR_TOO_LONG: 65,535 bytes after a nonce of 13, 16,777,215 after one of 12
 *   tag          tag_bytes bytes, written when encrypting, compared when decrypting; disjoint from out
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

#ifdef __cplusplus
}
#endif

#endif
