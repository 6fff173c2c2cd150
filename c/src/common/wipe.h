/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Wiping what no variable names: compilers spill registers to the stack, and in them are words of
 * the key. tests/test_wiping.c searches for them.
 */
#ifndef MF_SRC_COMMON_WIPE_H
#define MF_SRC_COMMON_WIPE_H

#include <stddef.h>

#if defined(__GNUC__) || defined(__clang__)
#define MF_NOINLINE __attribute__((noinline))
#else
#define MF_NOINLINE
#endif

enum { MF_STACK_BYTES = 1024, MF_DEEP_STACK_BYTES = 6144 };

/* Wipes the part of the stack that the function called just before has used, up to
 * MF_STACK_BYTES. */
void mf_wipe_stack(void);

/* The same for n_bytes, at most MF_DEEP_STACK_BYTES: for what works in vector registers. */
void mf_wipe_deep_stack(size_t n_bytes);

#endif
