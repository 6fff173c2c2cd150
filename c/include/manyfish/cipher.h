/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A block cipher with a key, as the modes see it: all that ciphers and modes know of each other.
 */
#ifndef MANYFISH_CIPHER_H
#define MANYFISH_CIPHER_H

#include <manyfish/common.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MF_MAX_BLOCK_BYTES 16

/* Get one from mf_twofish_cipher or mf_des_cipher. To be called by the modes, which ask has_key
 * first. The functions cannot fail; n_blocks is at least 1; out equals in or is disjoint; any
 * alignment. */
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
