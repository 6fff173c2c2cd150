/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The tests' view of libmanyfish-study: ../study/tests/study.c, or no_study.c where it is not
 * built.
 */
#ifndef MF_TEST_STUDY_H
#define MF_TEST_STUDY_H

#include <manyfish/cipher.h>

/* Builds the big shared tables, which kernels need that take keys of every size. */
void build_big_tables(void);

/* Builds all shared tables; the huge ones only if long loops are wanted. */
void build_tables(void);

bool has_compiled_keying(void);

/* A key by compiled keying, set up without an address from it if ct. A program has up to four such
 * keys at once, which live as long as it runs. */
mf_cipher compiled_cipher(bool ct, const void *key, size_t key_bytes);

#endif
