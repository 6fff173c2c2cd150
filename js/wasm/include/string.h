/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The functions of <string.h> that the library needs, where there is no system's library; memory.c
 * has it.
 */
#ifndef MANYFISH_JS_STRING_H
#define MANYFISH_JS_STRING_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t n_bytes);
void *memmove(void *to, const void *from, size_t n_bytes);
void *memset(void *to, int value, size_t n_bytes);
int memcmp(const void *a, const void *b, size_t n_bytes);

/* -ffreestanding promises nothing about these names, so the compiler has to be told. */
#define memcpy(to, from, n_bytes) __builtin_memcpy(to, from, n_bytes)
#define memmove(to, from, n_bytes) __builtin_memmove(to, from, n_bytes)
#define memset(to, value, n_bytes) __builtin_memset(to, value, n_bytes)

#endif
