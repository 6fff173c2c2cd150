/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Authenticated encryption over ciphers with 16-byte blocks. Nobody without the key can read the
 * message, or change it or its associated data unnoticed. OCB3 [RFC7253] is the one to prefer; EAX,
 * GCM, CCM and SIV are for data and protocols that exist.
 *
 * A nonce must never be used twice under one key (SIV forgives it). Under one key encrypt at most
 * 2^48 blocks.
 *
 * Nonce and associated data may lie anywhere, in the output too: they are read before anything is
 * written. A tag that is written may lie where one of the inputs was, for that is done last.
 *
 * Conventions (overlap, NULL, threads, what is undefined) stand in <manyfish/common.h>. Every
 * function here may return MF_ERROR_NULL, MF_ERROR_NO_KEY and MF_ERROR_OVERLAP; others are named.
 */
#ifndef MANYFISH_AEAD_H
#define MANYFISH_AEAD_H

#include <manyfish/common.h>
#include <manyfish/mac.h>
#include <manyfish/modes.h>

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
    unsigned char offset[16];
    unsigned char checksum[16];
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

/* The next piece of the message, but not its last.
 *   out, in      n_bytes bytes; the same buffer or disjoint
 *   n_bytes      a multiple of 16, else MF_ERROR_LENGTH
 * What decrypt_update writes is not authenticated yet: do not act on it before finish has said
 * MF_OK. MF_ERROR_STATE before start, after finish, or on a change of direction within a message;
 * MF_ERROR_TOO_LONG from 2^48 blocks on. On an error out is untouched. [RFC7253, 4.2, 4.3] */
MF_API MF_MUST_CHECK mf_status mf_ocb_encrypt_update(mf_ocb *ocb, void *out, const void *in,
                                                     size_t n_bytes);
MF_API MF_MUST_CHECK mf_status mf_ocb_decrypt_update(mf_ocb *ocb, void *out, const void *in,
                                                     size_t n_bytes);

/* The last piece, of any length and possibly none, and the tag. [RFC7253, 4.2, 4.3]
 *   out, in      n_bytes bytes; the same buffer or disjoint
 *   tag          16 bytes, written or compared; disjoint from out
 * MF_ERROR_TAG: this piece of out is wiped; the caller must discard what decrypt_update gave. The
 * other errors are those of update. After MF_OK or MF_ERROR_TAG the message is over. */
MF_API MF_MUST_CHECK mf_status mf_ocb_encrypt_finish(mf_ocb *ocb, void *out, const void *in,
                                                     size_t n_bytes,
                                                     unsigned char tag[MF_OCB_TAG_BYTES]);
MF_API MF_MUST_CHECK mf_status mf_ocb_decrypt_finish(mf_ocb *ocb, void *out, const void *in,
                                                     size_t n_bytes,
                                                     const unsigned char tag[MF_OCB_TAG_BYTES]);

/* Wipes everything; afterwards ocb holds no key. NULL is allowed. Cannot fail. */
MF_API void mf_ocb_wipe(mf_ocb *ocb);

/* EAX [EAX04] over ciphers with 16-byte blocks: CTR for secrecy and CMAC, there called OMAC, for the
 * nonce, the associated data and the ciphertext. CMAC takes one block at a time, which bounds the
 * speed whatever the kernel. EAX is here for data that exists; OCB is several times as fast. */
#define MF_EAX_MIN_TAG_BYTES 4
#define MF_EAX_MAX_TAG_BYTES 16

/* One key made ready for EAX, and the message in work. The members are private. It holds secrets:
 * end its life with mf_eax_wipe. A copy is an independent message under the same key. */
typedef struct mf_eax {
    mf_cmac aad;  /* OMAC^1 of the associated data; the key is that of its cipher */
    mf_cmac text; /* OMAC^2 of the ciphertext */
    mf_ctr ctr;
    unsigned char nonce_tag[16]; /* OMAC^0 of the nonce, with which the counter begins */
    unsigned phase;
} mf_eax;

/* Makes a key ready; once per key.
 *   eax        is filled; it refers to the cipher's key, which must stay in place
 *   cipher     copied; its blocks must have 16 bytes, else MF_ERROR_BLOCK
 * On an error eax holds no key. */
MF_API MF_MUST_CHECK mf_status mf_eax_init(mf_eax *eax, const mf_cipher *cipher);

/* A whole message in one call, the way to prefer. Any unfinished message of eax is forgotten.
 *   nonce        nonce_bytes bytes, any number; never twice under one key
 *   aad          aad_bytes bytes that are authenticated, not encrypted (the header of the paper)
 *   out, in      n_bytes bytes, any number; the same buffer or disjoint
 *   tag          tag_bytes bytes, the first ones of the full tag, written when encrypting, compared
 *                when decrypting; disjoint from out
 *   tag_bytes    4 to 16, else MF_ERROR_TAG_LENGTH. To be fixed with the key, for whoever may choose
 *                it forges the shortest one
 * A wrong tag is MF_ERROR_TAG: all of out is wiped, nothing of the plaintext is released. On the
 * other errors out and tag are untouched. [EAX04, 3] */
MF_API MF_MUST_CHECK mf_status mf_eax_encrypt(mf_eax *eax, const void *nonce, size_t nonce_bytes,
                                              const void *aad, size_t aad_bytes, void *out,
                                              const void *in, size_t n_bytes, unsigned char *tag,
                                              size_t tag_bytes);
MF_API MF_MUST_CHECK mf_status mf_eax_decrypt(mf_eax *eax, const void *nonce, size_t nonce_bytes,
                                              const void *aad, size_t aad_bytes, void *out,
                                              const void *in, size_t n_bytes,
                                              const unsigned char *tag, size_t tag_bytes);

/* A message in pieces: start, then aad and update calls in any order and number, then one finish.
 * After an error other than MF_ERROR_TAG the message goes on as if the call had not been made.
 * mf_eax_start forgets an unfinished message, also where it fails.
 *   nonce        as above */
MF_API MF_MUST_CHECK mf_status mf_eax_start(mf_eax *eax, const void *nonce, size_t nonce_bytes);

/* The next aad_bytes of associated data. MF_ERROR_STATE before start or after finish. */
MF_API MF_MUST_CHECK mf_status mf_eax_aad(mf_eax *eax, const void *aad, size_t aad_bytes);

/* The next piece of the message, of any length.
 *   out, in      n_bytes bytes; the same buffer or disjoint
 * What decrypt_update writes is not authenticated yet: do not act on it before finish has said
 * MF_OK. MF_ERROR_STATE before start, after finish, or on a change of direction within a message.
 * On an error out is untouched. */
MF_API MF_MUST_CHECK mf_status mf_eax_encrypt_update(mf_eax *eax, void *out, const void *in,
                                                     size_t n_bytes);
MF_API MF_MUST_CHECK mf_status mf_eax_decrypt_update(mf_eax *eax, void *out, const void *in,
                                                     size_t n_bytes);

/* The last piece, of any length and possibly none, and the tag.
 *   out, in      n_bytes bytes; the same buffer or disjoint
 *   tag          tag_bytes bytes as above, written or compared; disjoint from out
 * MF_ERROR_TAG: this piece of out is wiped; the caller must discard what decrypt_update gave. The
 * other errors are those of update and MF_ERROR_TAG_LENGTH. After MF_OK or MF_ERROR_TAG the message
 * is over. */
MF_API MF_MUST_CHECK mf_status mf_eax_encrypt_finish(mf_eax *eax, void *out, const void *in,
                                                     size_t n_bytes, unsigned char *tag,
                                                     size_t tag_bytes);
MF_API MF_MUST_CHECK mf_status mf_eax_decrypt_finish(mf_eax *eax, void *out, const void *in,
                                                     size_t n_bytes, const unsigned char *tag,
                                                     size_t tag_bytes);

/* Wipes everything; afterwards eax holds no key. NULL is allowed. Cannot fail. */
MF_API void mf_eax_wipe(mf_eax *eax);

/* CCM [SP800-38C] over ciphers with 16-byte blocks, else MF_ERROR_BLOCK: CTR for secrecy, CBC-MAC for
 * authenticity, both under one key. CBC-MAC takes one block at a time, which bounds the speed
 * whatever the kernel. The lengths come first in what is authenticated, so there are only whole
 * messages; and nothing is computed once per key, so there is no context.
 *   cipher       a key in use by mf_ccm_encrypt must be used by no other mode
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

/* SIV [RFC5297] over ciphers with 16-byte blocks. The tag is CMAC of everything and the IV of CTR at
 * once, hence "synthetic IV". Without a nonce, or with one used twice, an observer learns whether two
 * messages with their associated data are equal, and nothing else. CMAC bounds the speed, and the
 * whole message is needed before the first byte can be encrypted: there are only whole messages. */
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

/* --- GCM [SP800-38D] ---------------------------------------------------------------------------
 *
 * For protocols that ask for it; new designs take OCB, which is faster here and fails less badly.
 *
 * An IV must never be used twice under one key: a single repetition gives away the hash key, and
 * whoever has it forges at will. With IVs drawn at random, of whatever length, encrypt at most 2^32
 * messages under one key. [SP800-38D, 8; Joux06]
 *
 * A tag of t bits on messages of up to 2^k blocks is forged with chance 2^k / 2^t at each try, and
 * each success helps with the next: tags of 4 and 8 bytes need the limits of [SP800-38D, C]. */
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
 * first piece of the text (of no bytes, too); MF_ERROR_TOO_LONG from 2^61 bytes on. [SP800-38D, 7.1] */
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
