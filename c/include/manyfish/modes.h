/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Modes without authentication, written once for any block cipher of 8 or 16 byte blocks:
 * ECB, CBC with and without PKCS#7 padding, CTR [SP800-38A].
 *
 * Whoever can change such a ciphertext changes the plaintext, unnoticed. New designs take
 * <manyfish/aead.h>; these modes are for data and protocols that exist.
 *
 * Conventions (overlap, NULL, threads, what is undefined) stand in <manyfish/common.h>. Every
 * function here may return MF_ERROR_NULL, MF_ERROR_NO_KEY, MF_ERROR_OVERLAP, and MF_ERROR_BLOCK for
 * a cipher whose blocks have neither 8 nor 16 bytes; others are named.
 */
#ifndef MANYFISH_MODES_H
#define MANYFISH_MODES_H

#include <manyfish/common.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MF_MAX_BLOCK_BYTES 16

/* A block cipher with a key, as the modes see it: get one from mf_twofish_cipher. To be called
 * by the modes, which ask has_key first. The functions cannot fail; n_blocks is at least 1; out
 * equals in or is disjoint; any alignment. */
typedef struct mf_cipher {
    size_t block_bytes; /* 8 or 16 */
    const void *key;    /* owned by the caller, passed to each function */
    bool (*has_key)(const void *key);
    void (*encrypt_blocks)(const void *key, unsigned char *out, const unsigned char *in,
                           size_t n_blocks);
    void (*decrypt_blocks)(const void *key, unsigned char *out, const unsigned char *in,
                           size_t n_blocks);
} mf_cipher;

/* ECB: each block by itself; reveals which blocks are equal.
 *   out, in    n_bytes bytes; the same buffer or disjoint
 *   n_bytes    a multiple of the block, else MF_ERROR_LENGTH
 * On an error out is untouched. [SP800-38A, 6.1] */
MF_API MF_MUST_CHECK mf_status mf_ecb_encrypt(const mf_cipher *cipher, void *out, const void *in,
                                              size_t n_bytes);
MF_API MF_MUST_CHECK mf_status mf_ecb_decrypt(const mf_cipher *cipher, void *out, const void *in,
                                              size_t n_bytes);

/* CBC without padding. A message may be given in pieces: iv carries the chain from call to call.
 *   iv         one block, read and written: afterwards the last ciphertext block; disjoint from out
 *              and in. The first one of a message must be unpredictable
 *   out, in    n_bytes bytes; the same buffer or disjoint
 *   n_bytes    a multiple of the block, else MF_ERROR_LENGTH
 * On an error out and iv are untouched. [SP800-38A, 6.2] */
MF_API MF_MUST_CHECK mf_status mf_cbc_encrypt(const mf_cipher *cipher, void *iv, void *out,
                                              const void *in, size_t n_bytes);
MF_API MF_MUST_CHECK mf_status mf_cbc_decrypt(const mf_cipher *cipher, void *iv, void *out,
                                              const void *in, size_t n_bytes);

/* CBC with PKCS#7 padding: the last piece of a message, or all of it.
 *   iv         one block, read and written, as above; disjoint from out and in
 *   out        out_capacity bytes; the same start as in, or disjoint from it
 *   out_capacity  encrypting: at least n_bytes rounded up to the next larger multiple of the
 *              block; decrypting: at least n_bytes; else MF_ERROR_CAPACITY
 *   n_bytes    encrypting: any; decrypting: a positive multiple of the block, else MF_ERROR_LENGTH
 *   out_bytes  set to the length of the result, and to 0 on an error
 * Wrong padding is MF_ERROR_PADDING: the first n_bytes of out are wiped, iv has moved on, and the
 * time does not tell where the padding is wrong. Who may try many ciphertexts and sees this error
 * can decrypt without the key: check a MAC over the ciphertext first. On the other errors out and
 * iv are untouched. [RFC5652, 6.3] */
MF_API MF_MUST_CHECK mf_status mf_cbc_encrypt_padded(const mf_cipher *cipher, void *iv, void *out,
                                                     size_t out_capacity, size_t *out_bytes,
                                                     const void *in, size_t n_bytes);
MF_API MF_MUST_CHECK mf_status mf_cbc_decrypt_padded(const mf_cipher *cipher, void *iv, void *out,
                                                     size_t out_capacity, size_t *out_bytes,
                                                     const void *in, size_t n_bytes);

/* CTR: a key stream, the same call for both directions. A message may be given in pieces of any
 * length. The members are private; it holds secrets: end its life with mf_ctr_wipe. A copy repeats
 * the key stream: never use both. */
typedef struct mf_ctr {
    mf_cipher cipher;
    unsigned char counter[MF_MAX_BLOCK_BYTES];   /* the next block to encrypt, big-endian */
    unsigned char keystream[MF_MAX_BLOCK_BYTES]; /* its last unused bytes are still to be used */
    size_t unused_bytes;
    size_t counter_bytes;
    uint64_t blocks_left;
} mf_ctr;

/* Starts a key stream.
 *   ctr           is filled; it refers to the cipher's key, which must stay in place
 *   cipher        copied
 *   initial       the first counter block, cipher->block_bytes bytes; no counter block may ever be
 *                 used twice under one key
 *   counter_bits  how many low bits count, big-endian, the rest staying as it is: 32, or all of
 *                 the block (64 or 128); else MF_ERROR_BLOCK
 * On an error ctr holds no key. [SP800-38A, 6.5, B.1] */
MF_API MF_MUST_CHECK mf_status mf_ctr_init(mf_ctr *ctr, const mf_cipher *cipher,
                                           const void *initial, unsigned counter_bits);

/* Encrypts or decrypts the next n_bytes.
 *   out, in    n_bytes bytes; the same buffer or disjoint
 * MF_ERROR_TOO_LONG: with 32-bit counters, a stream has at most 2^32 blocks. On an error out and
 * ctr are untouched. */
MF_API MF_MUST_CHECK mf_status mf_ctr_crypt(mf_ctr *ctr, void *out, const void *in, size_t n_bytes);

/* Wipes the key stream. NULL is allowed. Cannot fail. */
MF_API void mf_ctr_wipe(mf_ctr *ctr);

#ifdef __cplusplus
}
#endif

#endif
