/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * EAX [EAX04] over ciphers with blocks of 16 or 8 bytes: CTR for secrecy and CMAC, there called
 * OMAC, for the nonce, the associated data and the ciphertext. CMAC takes one block at a time,
 * which bounds the speed whatever the kernel. EAX is here for data that exists; OCB is several
 * times as fast.
 *
 * Over blocks of 8 bytes encrypt at most 2^21 blocks under one key, 16 MiB with nonces and
 * associated data: their CMAC allows no more [SP800-38B, appendix B].
 *
 * Nonce, associated data and tag: <manyfish/aead.h>. Conventions (overlap, NULL, threads, what is
 * undefined): <manyfish/common.h>. Every function here may return MF_ERROR_NULL, MF_ERROR_NO_KEY
 * and MF_ERROR_OVERLAP; others are named.
 */
#ifndef MANYFISH_EAX_H
#define MANYFISH_EAX_H

#include <manyfish/mac.h>
#include <manyfish/modes.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MF_EAX_MAX_TAG_BYTES 16 /* over blocks of 16 bytes */

/* One key made ready for EAX, and the message in work. The members are private. It holds secrets:
 * end its life with mf_eax_wipe. A copy is an independent message under the same key. */
typedef struct mf_eax {
    mf_cmac aad;  /* OMAC^1 of the associated data; the key is that of its cipher */
    mf_cmac text; /* OMAC^2 of the ciphertext */
    mf_ctr ctr;
    unsigned char nonce_tag[MF_MAX_BLOCK_BYTES]; /* OMAC^0 of the nonce, the first counter block */
    unsigned phase;
} mf_eax;

/* Makes a key ready; once per key.
 *   eax        is filled; it refers to the cipher's key, which must stay in place
 *   cipher     copied; its blocks must have 8 or 16 bytes, else MF_ERROR_BLOCK
 * On an error eax holds no key. */
MF_API MF_MUST_CHECK mf_status mf_eax_init(mf_eax *eax, const mf_cipher *cipher);

/* A whole message in one call, the way to prefer. Any unfinished message of eax is forgotten.
 *   nonce        nonce_bytes bytes, any number; never twice under one key
 *   aad          aad_bytes bytes that are authenticated, not encrypted (the header of the paper)
 *   out, in      n_bytes bytes, any number; the same buffer or disjoint
 *   tag          tag_bytes bytes, the first ones of the full tag, written when encrypting, compared
 *                when decrypting; disjoint from out
 *   tag_bytes    a quarter of a block to all of it (4 to 16 bytes, or 2 to 8), else
 *                MF_ERROR_TAG_LENGTH. Fix it with the key: an attacker who may choose it forges the
 *                shortest one
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

#ifdef __cplusplus
}
#endif

#endif
