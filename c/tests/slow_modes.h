/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Parts of modes, written as their documents write them, one block at a time, to compare with.
 */
#ifndef MF_TEST_SLOW_MODES_H
#define MF_TEST_SLOW_MODES_H

#include <manyfish/modes.h>

/* Doubles a block of 8 or 16 bytes in place. [SP800-38B, 5.3, 6.1] */
void slow_double(unsigned char *block, size_t block_bytes);

/* The full tag, as long as a block. [SP800-38B, 6.2] */
void slow_cmac(const mf_cipher *cipher, unsigned char *tag, const unsigned char *message,
               size_t n_bytes);

/* CTR from the given counter block, all of which counts. [SP800-38A, 6.5] */
void slow_ctr(const mf_cipher *cipher, const unsigned char *first, unsigned char *out,
              const unsigned char *in, size_t n_bytes);

#endif
