/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A block cipher with a key, as the modes see it: the whole border between ciphers and modes.
 */
#ifndef MANYFISH_CIPHER_H
#define MANYFISH_CIPHER_H

#include <manyfish/common.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MF_MAX_BLOCK_BYTES 16

/* mf_twofish_cipher and mf_des_cipher return one. Only the modes call its functions, and call
 * has_key first. The functions cannot fail; n_blocks is at least 1; out equals in or is disjoint;
 * any alignment. */
typedef struct mf_cipher {
    size_t block_bytes; /* 8 or 16 */
    const void *key;    /* owned by the caller, passed to each function */
    bool (*has_key)(const void *key);
    void (*encrypt_blocks)(const void *key, unsigned char *out, const unsigned char *in,
                           size_t n_blocks);
    void (*decrypt_blocks)(const void *key, unsigned char *out, const unsigned char *in,
                           size_t n_blocks);
} mf_cipher;

#ifdef __cplusplus
}
#endif

#endif
