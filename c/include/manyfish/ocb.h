/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * OCB3 [RFC7253] over ciphers with 16-byte blocks: authenticated encryption, and of the modes here
 * the one to prefer. All blocks can be worked on at once, so it is nearly as fast as the cipher.
 *
 * Nonce, associated data and tag: <manyfish/aead.h>. Conventions (overlap, NULL, threads, what is
 * undefined): <manyfish/common.h>. Every function here may return MF_ERROR_NULL, MF_ERROR_NO_KEY
 * and MF_ERROR_OVERLAP; others are named.
 */
#ifndef MANYFISH_OCB_H
#define MANYFISH_OCB_H

#include <manyfish/cipher.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MF_OCB_TAG_BYTES 16
#define MF_OCB_MAX_NONCE_BYTES 15
#define MF_OCB_MASKS 48

/* One key made ready for OCB, and the message in work. The members are private. It holds secrets:
 * end its life with mf_ocb_wipe. A copy is an independent message under the same key. */
typedef struct mf_ocb {
    mf_cipher cipher;
    unsigned char l_star[16]; /* the names of [RFC7253, 4] */
    unsigned char l_dollar[16];
    unsigned char l[MF_OCB_MASKS][16];
    unsigned char offset[16]; /* here the message begins */
    unsigned char checksum[16];
    unsigned char rest[16]; /* text that waits for the rest of its block */
    size_t rest_bytes;
    uint64_t n_blocks;
    unsigned char aad_offset[16];
    unsigned char aad_sum[16];
    unsigned char aad_rest[16];
    size_t aad_rest_bytes;
    uint64_t aad_n_blocks;
    unsigned phase;
} mf_ocb;

/* Makes a key ready; once per key.
 *   ocb        is filled; it refers to the cipher's key, which must stay in place
 *   cipher     copied; its blocks must have 16 bytes, else MF_ERROR_BLOCK
 * On an error ocb holds no key. */
MF_API MF_MUST_CHECK mf_status mf_ocb_init(mf_ocb *ocb, const mf_cipher *cipher);

/* A whole message in one call, the way to prefer. Any unfinished message of ocb is forgotten.
 *   nonce        nonce_bytes bytes, 1 to 15, else MF_ERROR_NONCE_LENGTH; never twice under one key
 *   aad          aad_bytes bytes that are authenticated, not encrypted
 *   out, in      n_bytes bytes, any number; the same buffer or disjoint
 *   tag          16 bytes, written when encrypting, compared when decrypting; disjoint from out
 * A wrong tag is MF_ERROR_TAG: all of out is wiped, nothing of the plaintext is released. On the
 * other errors out and tag are untouched. MF_ERROR_TOO_LONG from 2^48 blocks on. [RFC7253, 4] */
MF_API MF_MUST_CHECK mf_status mf_ocb_encrypt(mf_ocb *ocb, const void *nonce, size_t nonce_bytes,
                                              const void *aad, size_t aad_bytes, void *out,
                                              const void *in, size_t n_bytes,
                                              unsigned char tag[MF_OCB_TAG_BYTES]);
MF_API MF_MUST_CHECK mf_status mf_ocb_decrypt(mf_ocb *ocb, const void *nonce, size_t nonce_bytes,
                                              const void *aad, size_t aad_bytes, void *out,
                                              const void *in, size_t n_bytes,
                                              const unsigned char tag[MF_OCB_TAG_BYTES]);

/* A message in pieces: start, then aad and update calls in any order and number, then one finish.
 * After an error other than MF_ERROR_TAG the message goes on as if the call had not been made.
 * mf_ocb_start forgets an unfinished message, also where it fails.
 *   nonce        as above
 * MF_ERROR_NONCE_LENGTH. [RFC7253, 4.2] */
MF_API MF_MUST_CHECK mf_status mf_ocb_start(mf_ocb *ocb, const void *nonce, size_t nonce_bytes);

/* The next aad_bytes of associated data. MF_ERROR_STATE before start or after finish,
 * MF_ERROR_TOO_LONG from 2^48 blocks on. [RFC7253, 4.1] */
MF_API MF_MUST_CHECK mf_status mf_ocb_aad(mf_ocb *ocb, const void *aad, size_t aad_bytes);

/* The next piece of the text, of any length. Only the end of the text may be a partial block, so
 * what comes out lags behind by 0 to 15 bytes: each call writes whole blocks, and its last bytes
 * wait in ocb for the next one. Where pieces are whole blocks, nothing waits.
 *   out          the output; disjoint from in, or in place: where in is, or, if bytes waited, as
 *                many bytes before it, so that all of it lies where its input lay
 *   out_capacity at least the bytes that waited and n_bytes, rounded down to a multiple of 16; else
 *                MF_ERROR_CAPACITY
 *   out_bytes    set to that number, which is written; to 0 on an error. Disjoint from all else
 *   in           n_bytes bytes
 * What decrypt_update writes is not authenticated yet: do not act on it before finish has said
 * MF_OK. MF_ERROR_STATE before start, after finish, with bytes after last, or on a change of
 * direction within a message; MF_ERROR_TOO_LONG from 2^48 blocks on. On an error out is untouched.
 * [RFC7253, 4.2, 4.3] */
MF_API MF_MUST_CHECK mf_status mf_ocb_encrypt_update(mf_ocb *ocb, void *out, size_t out_capacity,
                                                     size_t *out_bytes, const void *in,
                                                     size_t n_bytes);
MF_API MF_MUST_CHECK mf_status mf_ocb_decrypt_update(mf_ocb *ocb, void *out, size_t out_capacity,
                                                     size_t *out_bytes, const void *in,
                                                     size_t n_bytes);

/* The last piece, of any length and possibly none, without the tag: for interfaces that give out
 * the end of the text before they ask for the tag or get it. No text may follow, associated data
 * may; finish ends the message.
 *   out          as above
 *   out_capacity at least the bytes that waited and n_bytes, all of which are written
 * Errors as above. */
MF_API MF_MUST_CHECK mf_status mf_ocb_encrypt_last(mf_ocb *ocb, void *out, size_t out_capacity,
                                                   size_t *out_bytes, const void *in,
                                                   size_t n_bytes);
MF_API MF_MUST_CHECK mf_status mf_ocb_decrypt_last(mf_ocb *ocb, void *out, size_t out_capacity,
                                                   size_t *out_bytes, const void *in,
                                                   size_t n_bytes);

/* The last piece, of any length and possibly none, and the tag. [RFC7253, 4.2, 4.3]
 *   out          as above
 *   out_capacity at least the bytes that waited and n_bytes, all of which are written
 *   tag          16 bytes, written or compared; disjoint from out
 * MF_ERROR_TAG: this piece of out is wiped; the caller must discard what came out before. The other
 * errors are those of update. After MF_OK or MF_ERROR_TAG the message is over. */
MF_API MF_MUST_CHECK mf_status mf_ocb_encrypt_finish(mf_ocb *ocb, void *out, size_t out_capacity,
                                                     size_t *out_bytes, const void *in,
                                                     size_t n_bytes,
                                                     unsigned char tag[MF_OCB_TAG_BYTES]);
MF_API MF_MUST_CHECK mf_status mf_ocb_decrypt_finish(mf_ocb *ocb, void *out, size_t out_capacity,
                                                     size_t *out_bytes, const void *in,
                                                     size_t n_bytes,
                                                     const unsigned char tag[MF_OCB_TAG_BYTES]);

/* Wipes everything; afterwards ocb holds no key. NULL is allowed. Cannot fail. */
MF_API void mf_ocb_wipe(mf_ocb *ocb);

#ifdef __cplusplus
}
#endif

#endif
