/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Shared by test_constant_time.c and constant_time_modes.c: marking secrets for valgrind, counting
 * its reports, and the data to work on.
 */
#ifndef MF_TEST_CONSTANT_TIME_H
#define MF_TEST_CONSTANT_TIME_H

#include <manyfish/aead.h>

#include "support.h"

enum {
    BLOCK = MF_TWOFISH_BLOCK_BYTES,
    MAX_BLOCKS = 280, /* and 560 of 8 bytes: more than the widest kernels take at once */
    MAX_BYTES = MAX_BLOCKS * BLOCK,
    AAD = 2100, /* more than one piece of 128 blocks, and a rest */
};

/* The name of valgrind's log. */
extern const char *log_name;

void mark_secret(void *data, size_t n_bytes);
void mark_public(void *data, size_t n_bytes);

/* True if each of the bytes depends on a secret. */
bool is_secret(const void *data, size_t n_bytes);

/* From here on reports count. */
void watch(void);
unsigned n_reported(void);

/* Fails if there was a report since watch(), and shows it. */
void check_silent(void);

extern unsigned char key[MF_TWOFISH_MAX_KEY_BYTES];
extern unsigned char text[MAX_BYTES + BLOCK], out[MAX_BYTES + BLOCK], back[MAX_BYTES + BLOCK];
extern unsigned char aad[AAD], nonce[MF_OCB_MAX_NONCE_BYTES], iv[BLOCK];

/* New values; key, text and associated data are secret, nonces are not. */
void new_secrets(void);

/* Checks that text has come back; makes both public. */
void check_same_text(size_t n_bytes);

/* All modes, over toy ciphers and over a cipher whose key is set. */
void test_modes_over_toys(void);
void test_modes(const mf_cipher *over, const char *cipher_name);

#endif
