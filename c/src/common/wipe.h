/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Wiping what no variable names: compilers spill registers to the stack, and in them are words of
 * the key. tests/test_wiping.c searches for them.
 */
#ifndef MF_SRC_COMMON_WIPE_H
#define MF_SRC_COMMON_WIPE_H

#if defined(__GNUC__) || defined(__clang__)
#define MF_NOINLINE __attribute__((noinline))
#else
#define MF_NOINLINE
#endif

/* Wipes the part of the stack that the function called just before has used, up to 512 bytes. */
void mf_wipe_stack(void);

/* The same up to 4096 bytes, for what works in vector registers. */
void mf_wipe_deep_stack(void);

#endif
