/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Many messages at once, under one key: records of a database, packets, files, entries of a safe.
 *
 * Where each block waits for the one before (CBC, CFB, OFB, CMAC, EAX, CCM, SIV), a message alone
 * leaves all lanes of a kernel but one idle. These functions put a message into each lane and
 * refill a lane when its message ends. In the other modes they collect the blocks of short
 * messages. The results are those of the functions for one message, bit for bit.
 *
 * Twofish works on 64 messages at a time, DES on 512; any mixture of lengths is fine. For the modes
 * named above the functions use 41 KiB of the stack beside what the kernel uses, but 17 KiB to
 * decrypt by CBC or CFB, as for all other modes. In a library built with MF_SMALL that is 6 and 3
 * KiB, for 8 messages at a time, or 64 of DES.
 *
 * <manyfish/common.h> has the conventions: overlap, NULL, threads. Undefined, beside what is said
 * there: an out or tag that overlaps the array, anything of another message, or the nonce or aad of
 * its own; messages that are changed, or whose buffers are, before the call ends.
 */
#ifndef MANYFISH_MANY_H
#define MANYFISH_MANY_H

#include <manyfish/aead.h>
#include <manyfish/mac.h>
#include <manyfish/modes.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A whole message. Set unused members to zero; each function names those that it uses. Sizes,
 * limits and overlap rules are those of the function for one message.
 *   nonce      nonce_bytes bytes: nonce, IV or first counter block; only read
 *   aad        aad_bytes bytes that are authenticated, not encrypted
 *   out, in    n_bytes bytes; the same buffer or disjoint
 *   tag        tag_bytes bytes; written when encrypting, compared when decrypting
 *   out_bytes  set: by the padded functions to the length of the result, 0 on an error; else to 0
 *   status     set: of this message alone; on an error its out and tag are as the function for one
 *              message leaves them
 *   work       private; holds nothing secret afterwards */
typedef struct mf_message {
    const void *nonce;
    size_t nonce_bytes;
    const void *aad;
    size_t aad_bytes;
    void *out;
    const void *in;
    size_t n_bytes;
    unsigned char *tag;
    size_t tag_bytes;
    size_t out_bytes;
    mf_status status;
    unsigned char work[80];
} mf_message;

/* All functions here take an array of n messages (NULL is allowed if n is 0) and return MF_OK if
 * all messages have that status; else the status of the first one that has not. A message with an
 * error does not touch the others. If the array is NULL or the key is missing, and with
 * MF_ERROR_BLOCK, no message is touched, not even its status: look at what the function returns
 * first. */

/* CBC without padding. nonce is the IV, a block, else MF_ERROR_NONCE_LENGTH; n_bytes is a multiple
 * of the block, else MF_ERROR_LENGTH. mf_cbc_encrypt */
MF_API MF_MUST_CHECK mf_status mf_cbc_encrypt_many(const mf_cipher *cipher, mf_message *messages,
                                                   size_t n);
MF_API MF_MUST_CHECK mf_status mf_cbc_decrypt_many(const mf_cipher *cipher, mf_message *messages,
                                                   size_t n);

/* CBC with PKCS#7 padding. out has room for the padding: n_bytes rounded up to the next larger
 * multiple of the block when encrypting, n_bytes when decrypting. MF_ERROR_PADDING wipes out, and
 * is a padding oracle. mf_cbc_encrypt_padded */
MF_API MF_MUST_CHECK mf_status mf_cbc_encrypt_padded_many(const mf_cipher *cipher,
                                                          mf_message *messages, size_t n);
MF_API MF_MUST_CHECK mf_status mf_cbc_decrypt_padded_many(const mf_cipher *cipher,
                                                          mf_message *messages, size_t n);

/* CFB with segments of a block; a message may end within one. nonce is the IV, a block, else
 * MF_ERROR_NONCE_LENGTH. mf_cfb_encrypt */
MF_API MF_MUST_CHECK mf_status mf_cfb_encrypt_many(const mf_cipher *cipher, mf_message *messages,
                                                   size_t n);
MF_API MF_MUST_CHECK mf_status mf_cfb_decrypt_many(const mf_cipher *cipher, mf_message *messages,
                                                   size_t n);

/* OFB. nonce is the IV, a block, else MF_ERROR_NONCE_LENGTH. mf_ofb_crypt */
MF_API MF_MUST_CHECK mf_status mf_ofb_crypt_many(const mf_cipher *cipher, mf_message *messages,
                                                 size_t n);

/* CTR. nonce is the first counter block, a block, else MF_ERROR_NONCE_LENGTH; counter_bits as
 * mf_ctr_init takes it, else MF_ERROR_BLOCK. MF_ERROR_TOO_LONG. mf_ctr_crypt */
MF_API MF_MUST_CHECK mf_status mf_ctr_crypt_many(const mf_cipher *cipher, unsigned counter_bits,
                                                 mf_message *messages, size_t n);

/* CMAC of in; out is not used. MF_ERROR_TAG_LENGTH; verifying, MF_ERROR_TAG. mf_cmac_compute */
MF_API MF_MUST_CHECK mf_status mf_cmac_compute_many(const mf_cmac *cmac, mf_message *messages,
                                                    size_t n);
MF_API MF_MUST_CHECK mf_status mf_cmac_verify_many(const mf_cmac *cmac, mf_message *messages,
                                                   size_t n);

/* Authenticated encryption with nonce, aad and tag. Errors of a message: MF_ERROR_NONCE_LENGTH,
 * MF_ERROR_TAG_LENGTH, MF_ERROR_TOO_LONG where the mode has such limits; decrypting, MF_ERROR_TAG:
 * all of out is wiped. A message that a context has in work is not touched. */
MF_API MF_MUST_CHECK mf_status mf_ocb_encrypt_many(const mf_ocb *ocb, mf_message *messages,
                                                   size_t n);
MF_API MF_MUST_CHECK mf_status mf_ocb_decrypt_many(const mf_ocb *ocb, mf_message *messages,
                                                   size_t n);
MF_API MF_MUST_CHECK mf_status mf_eax_encrypt_many(const mf_eax *eax, mf_message *messages,
                                                   size_t n);
MF_API MF_MUST_CHECK mf_status mf_eax_decrypt_many(const mf_eax *eax, mf_message *messages,
                                                   size_t n);
MF_API MF_MUST_CHECK mf_status mf_ccm_encrypt_many(const mf_cipher *cipher, mf_message *messages,
                                                   size_t n);
MF_API MF_MUST_CHECK mf_status mf_ccm_decrypt_many(const mf_cipher *cipher, mf_message *messages,
                                                   size_t n);
MF_API MF_MUST_CHECK mf_status mf_gcm_encrypt_many(const mf_gcm *gcm, mf_message *messages,
                                                   size_t n);
MF_API MF_MUST_CHECK mf_status mf_gcm_decrypt_many(const mf_gcm *gcm, mf_message *messages,
                                                   size_t n);

/* SIV. aad is one string of associated data, of which NULL says that there is none; without a nonce
 * (nonce_bytes 0) encryption is deterministic. The tag has 16 bytes. mf_siv_encrypt */
MF_API MF_MUST_CHECK mf_status mf_siv_encrypt_many(const mf_siv *siv, mf_message *messages,
                                                   size_t n);
MF_API MF_MUST_CHECK mf_status mf_siv_decrypt_many(const mf_siv *siv, mf_message *messages,
                                                   size_t n);

#ifdef __cplusplus
}
#endif

#endif
