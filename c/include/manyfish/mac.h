/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Message authentication: CMAC [SP800-38B], also known as OMAC1, over any block cipher of 8 or 16
 * byte blocks. Nobody without the key can make the tag of a message that he has not seen tagged. It
 * hides nothing; to encrypt and authenticate take <manyfish/aead.h>.
 *
 * Each block waits for the one before, so CMAC is as slow as single blocks of its cipher, whatever
 * the kernel. Under one key authenticate at most 2^48 blocks of 16 bytes, 2^21 of 8 bytes
 * [SP800-38B, appendix B].
 *
 * <manyfish/common.h> has the conventions: overlap, NULL, threads, undefined behaviour. Every
 * function here may return MF_ERROR_NULL and MF_ERROR_NO_KEY; others are named.
 */
#ifndef MANYFISH_MAC_H
#define MANYFISH_MAC_H

#include <manyfish/cipher.h>
#include <manyfish/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One key made ready for CMAC, and the message in work. The members are private. It holds secrets:
 * end its life with mf_cmac_wipe. A copy is an independent message under the same key. */
typedef struct mf_cmac {
    mf_cipher cipher;
    unsigned char k1[MF_MAX_BLOCK_BYTES]; /* the names of [SP800-38B, 6] */
    unsigned char k2[MF_MAX_BLOCK_BYTES];
    unsigned char chain[MF_MAX_BLOCK_BYTES]; /* C_i */
    unsigned char rest[MF_MAX_BLOCK_BYTES];  /* held back, for the last block is treated apart */
    size_t rest_bytes;
} mf_cmac;

/* Makes a key ready, once per key, and begins a message.
 *   cmac       is filled; it refers to the cipher's key, which must stay in place
 *   cipher     copied; its blocks must have 8 or 16 bytes, else MF_ERROR_BLOCK
 * On an error cmac holds no key. [SP800-38B, 6.1] */
MF_API MF_MUST_CHECK mf_status mf_cmac_init(mf_cmac *cmac, const mf_cipher *cipher);

/* A whole message in one call. A message in pieces that cmac has in work is not touched.
 *   data       n_bytes bytes, any number
 *   tag        tag_bytes bytes: the first ones of the full tag, written or compared; may lie
 *              anywhere, for it is written last
 *   tag_bytes  1 to the bytes of a block, else MF_ERROR_TAG_LENGTH. The caller chooses, once for a
 *              key, and never by what a message says; below 8 a forger may simply guess
 *              [SP800-38B, appendix A]
 * mf_cmac_verify compares in a time that does not tell where tags differ; MF_ERROR_TAG if they do.
 * On an error tag is untouched. [SP800-38B, 6.2, 6.3] */
MF_API MF_MUST_CHECK mf_status mf_cmac_compute(const mf_cmac *cmac, const void *data,
                                               size_t n_bytes, unsigned char *tag,
                                               size_t tag_bytes);
MF_API MF_MUST_CHECK mf_status mf_cmac_verify(const mf_cmac *cmac, const void *data, size_t n_bytes,
                                              const unsigned char *tag, size_t tag_bytes);

/* The next n_bytes of a message in pieces. On an error cmac is untouched. */
MF_API MF_MUST_CHECK mf_status mf_cmac_update(mf_cmac *cmac, const void *data, size_t n_bytes);

/* The tag of all pieces, written or compared as above. After MF_OK and MF_ERROR_TAG the next
 * message under the same key has begun; after the other errors the message goes on. */
MF_API MF_MUST_CHECK mf_status mf_cmac_finish(mf_cmac *cmac, unsigned char *tag, size_t tag_bytes);
MF_API MF_MUST_CHECK mf_status mf_cmac_finish_verify(mf_cmac *cmac, const unsigned char *tag,
                                                     size_t tag_bytes);

/* Wipes everything; afterwards cmac holds no key. NULL is allowed. Cannot fail. */
MF_API void mf_cmac_wipe(mf_cmac *cmac);

#ifdef __cplusplus
}
#endif

#endif
