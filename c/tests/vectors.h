/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Shared by the tests of vector files: each case of each file goes through each kernel of its
 * cipher.
 */
#ifndef MF_TEST_VECTORS_H
#define MF_TEST_VECTORS_H

#include "rsp.h"
#include "support.h"

/* Checks one case with its key, padded and expanded for the kernel under test. */
typedef void vector_body(const mf_cipher *cipher, const rsp_case *v);

typedef struct vector_file {
    const char *name;
    vector_body *body;
    const subject *of;
} vector_file;

/* Expands another key for the kernel under test; a failure is a failed check. Of kernels the key is
 * in ctx; compiled keying has its own place, for four keys at once. */
mf_cipher vector_cipher(any_key *ctx, const rsp_bytes *key);

/* The whole of a test program: its first argument is the folder of the files. Without them all is
 * skipped. Returns test_end(). */
int test_vector_files(int argc, char **argv, const vector_file *files, size_t n_files);

#endif
