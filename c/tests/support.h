/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Shared by several tests: buffers with guards, the ciphers that have kernels, contexts as ciphers,
 * and a toy cipher of 8-byte blocks, since the modes are written for those too.
 */
#ifndef MF_TEST_SUPPORT_H
#define MF_TEST_SUPPORT_H

#include <manyfish/des.h>
#include <manyfish/modes.h>
#include <manyfish/twofish.h>

#include "test.h"

enum { GUARD_BYTES = 64, GUARDED_BYTES = 8448 };

/* Random bytes in which a call writes, and a copy of them from before the call. */
typedef struct guarded {
    unsigned char bytes[GUARDED_BYTES + 3 * GUARD_BYTES];
    unsigned char before[GUARDED_BYTES + 3 * GUARD_BYTES];
} guarded;

/* Fills the buffer again, puts the n_bytes at data (if not NULL) at this misalignment from a
 * 64-byte boundary behind the guard, remembers it all, and returns the place. */
unsigned char *guarded_place(guarded *buffer, size_t misalignment, const void *data,
                             size_t n_bytes);

/* True if nothing but the n_bytes at place has changed since guarded_place. */
bool guarded_intact(const guarded *buffer, const unsigned char *place, size_t n_bytes);

/* A context of any of the ciphers below. */
typedef union any_key {
    mf_twofish twofish;
    mf_des des;
} any_key;

enum { ANY_MAX_KEY_BYTES = MF_TWOFISH_MAX_KEY_BYTES, ANY_MAX_BLOCK_BYTES = MF_MAX_BLOCK_BYTES };

/* A cipher that has kernels. Its functions are those of its header. */
typedef struct subject {
    const char *name;
    const char *reference; /* the kernel with which the others are compared */
    size_t block_bytes;
    size_t context_bytes;
    const size_t *key_sizes; /* in bytes; ends with 0 */
    mf_status (*init)(any_key *ctx, const char *kernel, const void *key, size_t key_bytes);
    mf_status (*encrypt)(const any_key *ctx, void *out, const void *in, size_t n_blocks);
    mf_status (*decrypt)(const any_key *ctx, void *out, const void *in, size_t n_blocks);
    void (*wipe)(any_key *ctx);
    mf_cipher (*cipher)(const any_key *ctx);
    size_t (*kernel_count)(void);
    mf_status (*kernel_info)(size_t index, mf_kernel_info *info);
    void (*prepare)(void); /* what its kernels need before they can run; NULL: nothing */
} subject;

/* Kernels of DES whose expanded key does not fit into a context get memory, for four keys at once,
 * which live as long as the program. */
extern const subject twofish_subject;
extern const subject des_subject;

/* Calls body with the name of each kernel that can run here; the others count as skipped. */
void kernels_of(const subject *s, void (*body)(const char *kernel));

/* The facts about a kernel; a failed check if there is none of this name. */
mf_kernel_info info_of_kernel(const subject *s, const char *kernel);

/* True if the whole expanded key is inside of the context, which can then be copied. */
bool fits_context(const subject *s, const char *kernel);

/* A key expanded for a kernel, as the modes take it; a failure is a failed check. */
mf_cipher subject_cipher(const subject *s, any_key *ctx, const char *kernel, const void *key,
                         size_t key_bytes);
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
