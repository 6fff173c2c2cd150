/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What several tests need: buffers with guards, Twofish contexts as ciphers, and a toy cipher of
 * 8-byte blocks, since the modes are written for those too.
 */
#ifndef MF_TEST_SUPPORT_H
#define MF_TEST_SUPPORT_H

#include <manyfish/modes.h>
#include <manyfish/twofish.h>

#include "test.h"

enum { GUARD_BYTES = 64, GUARDED_BYTES = 4096 };

/* Random bytes in which a call writes, and a copy of them from before the call. */
typedef struct guarded {
    unsigned char bytes[GUARDED_BYTES + 3 * GUARD_BYTES];
    unsigned char before[GUARDED_BYTES + 3 * GUARD_BYTES];
} guarded;

/* Fills the buffer anew, puts the n_bytes at data (if not NULL) at this misalignment from a 64-byte
 * boundary behind the guard, remembers it all, and returns the place. */
unsigned char *guarded_place(guarded *buffer, size_t misalignment, const void *data,
                             size_t n_bytes);

/* True if nothing but the n_bytes at place has changed since guarded_place. */
bool guarded_intact(const guarded *buffer, const unsigned char *place, size_t n_bytes);

/* A key expanded for a kernel, as the modes take it; a failure is a failed check. */
mf_cipher twofish_cipher(mf_twofish *ctx, const char *kernel, const void *key, size_t key_bytes);

typedef struct toy_key {
    bool present;
    unsigned char bytes[8];
} toy_key;

/* The toy cipher: byte-wise, invertible, and of no strength. */
mf_cipher toy_cipher(const toy_key *key);

/* One block, by the functions that the modes call. */
void encrypt_block(const mf_cipher *cipher, unsigned char *out, const unsigned char *in);

void xor_bytes(unsigned char *out, const unsigned char *in, size_t n_bytes);

#endif
