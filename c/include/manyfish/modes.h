/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Modes without authentication, written once for any block cipher of 8 or 16 byte blocks:
 * ECB, CBC without padding, with two paddings and with ciphertext stealing, CFB, OFB, CTR
 * [SP800-38A], and for 16-byte blocks XTS [IEEE1619].
 *
 * Anyone who can change such a ciphertext changes the plaintext, unnoticed. For new designs use
 * <manyfish/aead.h>; these modes are for existing data and protocols.
 *
 * <manyfish/common.h> has the conventions: overlap, NULL, threads, undefined behaviour. Every
 * function here may return MF_ERROR_NULL, MF_ERROR_NO_KEY, MF_ERROR_OVERLAP, and MF_ERROR_BLOCK for
 * a cipher whose blocks have neither 8 nor 16 bytes; others are named.
 */
#ifndef MANYFISH_MODES_H
#define MANYFISH_MODES_H

#include <manyfish/cipher.h>

#ifdef __cplusplus
extern "C" {
#endif

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
 * time does not depend on where the padding is wrong. This error is a padding oracle: anyone who
 * can probe it decrypts without the key. Check a MAC over the ciphertext first. On the other errors
 * out and iv are untouched. [RFC5652, 6.3] */
MF_API MF_MUST_CHECK mf_status mf_cbc_encrypt_padded(const mf_cipher *cipher, void *iv, void *out,
                                                     size_t out_capacity, size_t *out_bytes,
                                                     const void *in, size_t n_bytes);
MF_API MF_MUST_CHECK mf_status mf_cbc_decrypt_padded(const mf_cipher *cipher, void *iv, void *out,
                                                     size_t out_capacity, size_t *out_bytes,
                                                     const void *in, size_t n_bytes);

/* The same with the padding of ISO/IEC 7816-4, which smart cards use: a byte 80 (hexadecimal), then
 * zeros up to the end of the block. A message does not say which padding it has: the reader must
 * know. Sizes, errors and the warning about padding oracles are as above. [SP800-38A, A] */
MF_API MF_MUST_CHECK mf_status mf_cbc_encrypt_iso_padded(const mf_cipher *cipher, void *iv,
                                                         void *out, size_t out_capacity,
                                                         size_t *out_bytes, const void *in,
                                                         size_t n_bytes);
MF_API MF_MUST_CHECK mf_status mf_cbc_decrypt_iso_padded(const mf_cipher *cipher, void *iv,
                                                         void *out, size_t out_capacity,
                                                         size_t *out_bytes, const void *in,
                                                         size_t n_bytes);

/* CBC with ciphertext stealing: any message of at least one block keeps its length. The last
 * ciphertext block but one is cut to the length of the last plaintext block; the variants differ in
 * which of these two comes first. A message of one block is CBC in all three. */
typedef enum mf_cts {
    MF_CTS_CS1 = 1, /* the cut block first: with whole blocks the same as CBC */
    MF_CTS_CS2 = 2, /* swapped, but with whole blocks the same as CBC */
    MF_CTS_CS3 = 3  /* always swapped; the form of Kerberos [RFC3962, 5] */
} mf_cts;

/* A whole message.
 *   variant    one of the above, else MF_ERROR_BLOCK
 *   iv         one block, only read; disjoint from out. Must be unpredictable
 *   out, in    n_bytes bytes; the same buffer or disjoint
 *   n_bytes    at least one block, else MF_ERROR_LENGTH
 * On an error out is untouched. [Dworkin10] */
MF_API MF_MUST_CHECK mf_status mf_cts_encrypt(const mf_cipher *cipher, mf_cts variant,
                                              const void *iv, void *out, const void *in,
                                              size_t n_bytes);
MF_API MF_MUST_CHECK mf_status mf_cts_decrypt(const mf_cipher *cipher, mf_cts variant,
                                              const void *iv, void *out, const void *in,
                                              size_t n_bytes);

/* CFB: a key stream that depends on the ciphertext before. A message may be given in pieces of any
 * length. The members are private; it holds secrets: end its life with mf_cfb_wipe. A copy goes on
 * from the same place: never encrypt with both. */
typedef struct mf_cfb {
    mf_cipher cipher;
    /* The input block I_j of [SP800-38A, 6.3]. Within a block of whole-block CFB: the ciphertext so
     * far, then unused_bytes of key stream. */
    unsigned char input[MF_MAX_BLOCK_BYTES];
    size_t unused_bytes;
    unsigned segment_bits;
} mf_cfb;

/* Starts a message.
 *   cfb           is filled; it refers to the cipher's key, which must stay in place
 *   cipher        copied
 *   iv            one block; unpredictable, and never twice under one key
 *   segment_bits  1, 8, or all of the block (64 or 128); else MF_ERROR_BLOCK. One block is
 *                 encrypted for each segment: with 8 bits CFB is 16 times as slow, with 1 bit 128
 *                 times
 * On an error cfb holds no key. [SP800-38A, 6.3] */
MF_API MF_MUST_CHECK mf_status mf_cfb_init(mf_cfb *cfb, const mf_cipher *cipher, const void *iv,
                                           unsigned segment_bits);

/* Encrypts or decrypts the next n_bytes.
 *   out, in    n_bytes bytes; the same buffer or disjoint
 *   n_bytes    any. Whole-block CFB leaves the rest of a block to the next call, so that pieces
 *              give what one call gives; the last block of a message may be short. Segments of 1
 *              bit come in whole bytes, the highest bit first
 * On an error out and cfb are untouched. */
MF_API MF_MUST_CHECK mf_status mf_cfb_encrypt(mf_cfb *cfb, void *out, const void *in,
                                              size_t n_bytes);
MF_API MF_MUST_CHECK mf_status mf_cfb_decrypt(mf_cfb *cfb, void *out, const void *in,
                                              size_t n_bytes);

/* Wipes the key stream. NULL is allowed. Cannot fail. */
MF_API void mf_cfb_wipe(mf_cfb *cfb);

/* OFB: a key stream, the same call for both directions. A message may be given in pieces of any
 * length. The members are private; it holds secrets: end its life with mf_ofb_wipe. A copy repeats
 * the key stream: never use both. */
typedef struct mf_ofb {
    mf_cipher cipher;
    unsigned char keystream[MF_MAX_BLOCK_BYTES]; /* its last unused bytes are still to be used */
    size_t unused_bytes;
} mf_ofb;

/* Starts a key stream.
 *   ofb        is filled; it refers to the cipher's key, which must stay in place
 *   cipher     copied
 *   iv         one block; never twice under one key, and no block that OFB ever encrypts under it
 * On an error ofb holds no key. [SP800-38A, 6.4] */
MF_API MF_MUST_CHECK mf_status mf_ofb_init(mf_ofb *ofb, const mf_cipher *cipher, const void *iv);

/* Encrypts or decrypts the next n_bytes.
 *   out, in    n_bytes bytes; the same buffer or disjoint
 * On an error out and ofb are untouched. */
MF_API MF_MUST_CHECK mf_status mf_ofb_crypt(mf_ofb *ofb, void *out, const void *in, size_t n_bytes);

/* Wipes the key stream. NULL is allowed. Cannot fail. */
MF_API void mf_ofb_wipe(mf_ofb *ofb);

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

#define MF_XTS_TWEAK_BYTES 16
#define MF_XTS_MAX_BYTES ((size_t)1 << 24) /* of a data unit: 2^20 blocks */

/* XTS, for sectors of disks: each data unit (sector) is encrypted by itself under a tweak, its
 * number, and keeps its length. Equal data at an equal place gives equal ciphertext; a change goes
 * unnoticed, but garbles 16 bytes. The members are private: references to the keys, no secrets. One
 * mf_xts may be used by many threads at once. */
typedef struct mf_xts {
    mf_cipher data;
    mf_cipher tweak;
} mf_xts;

/* Joins two keys.
 *   xts        is filled; it refers to both keys, which must stay in place
 *   data       Key1, for the data: copied. Its blocks must have 16 bytes, else MF_ERROR_BLOCK
 *   tweak      Key2, for the tweaks: the same. The two keys must differ, or XTS is not secure
 *              [SP800-38E]; this is not checked, since contexts do not tell. A key of XTS in one
 *              piece is Key1, then Key2, of equal length
 * On an error xts holds no key. [IEEE1619, 5.1] */
MF_API MF_MUST_CHECK mf_status mf_xts_init(mf_xts *xts, const mf_cipher *data,
                                           const mf_cipher *tweak);

/* One data unit; with ciphertext stealing if its length is not a multiple of 16.
 *   tweak      16 bytes, the number of the data unit, little-endian; may lie anywhere, for it is
 *              read before anything is written
 *   out, in    n_bytes bytes; the same buffer or disjoint
 *   n_bytes    at least 16, else MF_ERROR_LENGTH; at most MF_XTS_MAX_BYTES, else MF_ERROR_TOO_LONG
 * On an error out is untouched. [IEEE1619, 5.3, 5.4] */
MF_API MF_MUST_CHECK mf_status mf_xts_encrypt(const mf_xts *xts, const void *tweak, void *out,
                                              const void *in, size_t n_bytes);
MF_API MF_MUST_CHECK mf_status mf_xts_decrypt(const mf_xts *xts, const void *tweak, void *out,
                                              const void *in, size_t n_bytes);

/* Consecutive data units of equal length: sectors. Faster than one by one, for their tweaks are
 * encrypted together, and so are sectors shorter than what a kernel takes at a time.
 *   first_sector  the number of the first one; the others count up from it, in 128 bits
 *   sector_bytes  at least 16, else MF_ERROR_LENGTH; at most MF_XTS_MAX_BYTES, else
 *                 MF_ERROR_TOO_LONG. Multiples of 16 are faster than others
 *   out, in       n_bytes bytes; the same buffer or disjoint
 *   n_bytes       a multiple of sector_bytes, else MF_ERROR_LENGTH
 * On an error out is untouched. [IEEE1619, 5.1] */
MF_API MF_MUST_CHECK mf_status mf_xts_encrypt_sectors(const mf_xts *xts, uint64_t first_sector,
                                                      size_t sector_bytes, void *out,
                                                      const void *in, size_t n_bytes);
MF_API MF_MUST_CHECK mf_status mf_xts_decrypt_sectors(const mf_xts *xts, uint64_t first_sector,
                                                      size_t sector_bytes, void *out,
                                                      const void *in, size_t n_bytes);

/* Forgets the keys; afterwards xts holds none. NULL is allowed. Cannot fail. */
MF_API void mf_xts_wipe(mf_xts *xts);

#ifdef __cplusplus
}
#endif

#endif
