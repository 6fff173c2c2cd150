/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * GCM [SP800-38D] over ciphers with 16-byte blocks: CTR for secrecy, GHASH for authenticity. For
 * protocols that ask for it; new designs take OCB, which is faster here and fails less badly.
 *
 * An IV must never be used twice under one key: a single repetition gives away the hash key, and
 * anyone who has it forges at will. With random IVs of any length, encrypt at most 2^32
 * messages under one key. [SP800-38D, 8; Joux06]
 *
 * A tag of t bits on messages of up to 2^k blocks is forged with chance 2^k / 2^t at each try, and
 * each success helps with the next: tags of 4 and 8 bytes need the limits of [SP800-38D, C].
 *
 * Nonce, associated data and tag: <manyfish/aead.h>. Conventions (overlap, NULL, threads, what is
 * undefined): <manyfish/common.h>. Every function here may return MF_ERROR_NULL, MF_ERROR_NO_KEY
 * and MF_ERROR_OVERLAP; others are named.
 */
#ifndef MANYFISH_GCM_H
#define MANYFISH_GCM_H

#include <manyfish/modes.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MF_GCM_MAX_TAG_BYTES 16
#define MF_GCM_HASH_KEY_WORDS 64

/* One key made ready for GCM, and the message in work. The members are private. It holds secrets:
 * end its life with mf_gcm_wipe. A copy is an independent message under the same key. */
typedef struct mf_gcm {
    mf_cipher cipher;
    const struct mf_ghash *ghash; /* how this machine multiplies in GF(2^128) */
    uint64_t hash_key[MF_GCM_HASH_KEY_WORDS];
    mf_ctr ctr;
    unsigned char hash[16];     /* Y of [SP800-38D, 6.4] */
    unsigned char tag_mask[16]; /* the first block of key stream, E(J0) */
    unsigned char rest[16];     /* a partial block that is still to be hashed */
    uint64_t aad_bytes;
    uint64_t text_bytes;
    unsigned phase;
} mf_gcm;

/* Makes a key ready; once per key.
 *   gcm        is filled; it refers to the cipher's key, which must stay in place
 *   cipher     copied; its blocks must have 16 bytes, else MF_ERROR_BLOCK
 * On an error gcm holds no key. */
MF_API MF_MUST_CHECK mf_status mf_gcm_init(mf_gcm *gcm, const mf_cipher *cipher);

/* A whole message in one call, the way to prefer. Any unfinished message of gcm is forgotten.
 *   iv           iv_bytes bytes, at least 1, else MF_ERROR_NONCE_LENGTH; 12 is the usual and the
 *                fastest length; never twice under one key
 *   aad          aad_bytes bytes that are authenticated, not encrypted; fewer than 2^61
 *   out, in      n_bytes bytes, at most 2^36 - 32; the same buffer or disjoint
 *   tag          tag_bytes bytes, written when encrypting, compared when decrypting; disjoint from
 *                out
 *   tag_bytes    4, 8, or 12 to 16, else MF_ERROR_TAG_LENGTH; a key has one length only
 * No associated data and no text but a tag, or no text at all (GMAC), are messages too. A wrong tag
 * is MF_ERROR_TAG: all of out is wiped, nothing of the plaintext is released. On the other errors
 * out and tag are untouched. MF_ERROR_TOO_LONG. [SP800-38D, 7] */
MF_API MF_MUST_CHECK mf_status mf_gcm_encrypt(mf_gcm *gcm, const void *iv, size_t iv_bytes,
                                              const void *aad, size_t aad_bytes, void *out,
                                              const void *in, size_t n_bytes, unsigned char *tag,
                                              size_t tag_bytes);
MF_API MF_MUST_CHECK mf_status mf_gcm_decrypt(mf_gcm *gcm, const void *iv, size_t iv_bytes,
                                              const void *aad, size_t aad_bytes, void *out,
                                              const void *in, size_t n_bytes,
                                              const unsigned char *tag, size_t tag_bytes);

/* A message in pieces: start, then aad calls, then update calls, any number of each, then one
 * finish. After an error other than MF_ERROR_TAG the message goes on as if the call had not been
 * made. mf_gcm_start forgets an unfinished message, also where it fails.
 *   iv           as above
 * MF_ERROR_NONCE_LENGTH. [SP800-38D, 7.1] */
MF_API MF_MUST_CHECK mf_status mf_gcm_start(mf_gcm *gcm, const void *iv, size_t iv_bytes);

/* The next aad_bytes of associated data. MF_ERROR_STATE before start, after finish, and after the
 * first piece of the text (of no bytes, too); MF_ERROR_TOO_LONG from 2^61 bytes on. [SP800-38D,
 * 7.1] */
MF_API MF_MUST_CHECK mf_status mf_gcm_aad(mf_gcm *gcm, const void *aad, size_t aad_bytes);

/* The next piece of the message, of any length.
 *   out, in      n_bytes bytes; the same buffer or disjoint
 * What decrypt_update writes is not authenticated yet: do not act on it before finish has said
 * MF_OK. MF_ERROR_STATE before start, after finish, or on a change of direction within a message;
 * MF_ERROR_TOO_LONG beyond 2^36 - 32 bytes. On an error out is untouched. [SP800-38D, 7] */
MF_API MF_MUST_CHECK mf_status mf_gcm_encrypt_update(mf_gcm *gcm, void *out, const void *in,
                                                     size_t n_bytes);
MF_API MF_MUST_CHECK mf_status mf_gcm_decrypt_update(mf_gcm *gcm, void *out, const void *in,
                                                     size_t n_bytes);

/* The last piece, of any length and possibly none, and the tag. [SP800-38D, 7]
 *   out, in      n_bytes bytes; the same buffer or disjoint
 *   tag          tag_bytes bytes, written or compared; disjoint from out
 *   tag_bytes    4, 8, or 12 to 16, else MF_ERROR_TAG_LENGTH
 * MF_ERROR_TAG: this piece of out is wiped; the caller must discard what decrypt_update gave. The
 * other errors are those of update. After MF_OK or MF_ERROR_TAG the message is over. */
MF_API MF_MUST_CHECK mf_status mf_gcm_encrypt_finish(mf_gcm *gcm, void *out, const void *in,
                                                     size_t n_bytes, unsigned char *tag,
                                                     size_t tag_bytes);
MF_API MF_MUST_CHECK mf_status mf_gcm_decrypt_finish(mf_gcm *gcm, void *out, const void *in,
                                                     size_t n_bytes, const unsigned char *tag,
                                                     size_t tag_bytes);

/* Wipes everything; afterwards gcm holds no key. NULL is allowed. Cannot fail. */
MF_API void mf_gcm_wipe(mf_gcm *gcm);

#ifdef __cplusplus
}
#endif

#endif
