/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Ciphers by the names that Java has for them.
 */
#include "mode.h"

#include <stdlib.h>
#include <string.h>

static void *allocate(keys *k, size_t n_bytes)
{
    k->expanded = calloc(1, n_bytes);
    k->expanded_bytes = n_bytes;
    return k->expanded;
}

static mf_status init_twofish(keys *k, const char *kernel, size_t n_keys, const unsigned char *key,
                              size_t key_bytes)
{
    mf_twofish *twofish = allocate(k, n_keys * sizeof *twofish);
    mf_status status = twofish == NULL ? MF_ERROR_MEMORY : MF_OK;

    for (size_t i = 0; i < n_keys && status == MF_OK; i++) {
        status = mf_twofish_init_kernel(&twofish[i], kernel, key + i * key_bytes, key_bytes);
        k->cipher[i] = mf_twofish_cipher(&twofish[i]);
    }
    return status;
}

static mf_status init_des(keys *k, const char *kernel, const unsigned char *key, size_t key_bytes)
{
    mf_des *des = allocate(k, sizeof *des);

    if (des == NULL) {
        return MF_ERROR_MEMORY;
    }
    k->cipher[0] = mf_des_cipher(des);
    return mf_des_init_kernel(des, kernel, key, key_bytes);
}

mf_status keys_init(keys *k, const char *cipher, const char *kernel, size_t n_keys,
                    const unsigned char *key, size_t key_bytes)
{
    if (key_bytes % n_keys != 0) {
        return MF_ERROR_KEY_LENGTH;
    }
    if (strcmp(cipher, "TWOFISH") == 0) {
        return init_twofish(k, kernel, n_keys, key, key_bytes / n_keys);
    }
    const bool triple = strcmp(cipher, "TRIPLE_DES") == 0;
    if (n_keys != 1 || (!triple && strcmp(cipher, "DES") != 0)) {
        return MF_ERROR_BLOCK;
    }
    /* The C library has one type for both, and tells them by the length of the key. */
    return triple == (key_bytes == MF_DES_BLOCK_BYTES) ? MF_ERROR_KEY_LENGTH
                                                       : init_des(k, kernel, key, key_bytes);
}

void keys_wipe(keys *k)
{
    if (k->expanded != NULL) {
        mf_wipe(k->expanded, k->expanded_bytes);
        free(k->expanded);
    }
    k->expanded = NULL;
}
