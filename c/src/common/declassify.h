/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The places where something that was computed from secrets becomes public. They are marked, so
 * that tests/test_constant_time.c can follow secrets through all of the library and report each
 * branch and each address that depends on one: past such a mark it no longer does. In the library
 * itself, which is built without MF_DECLASSIFY, the marks are nothing.
 */
#ifndef MF_SRC_COMMON_DECLASSIFY_H
#define MF_SRC_COMMON_DECLASSIFY_H

#include "bytes.h"

#ifdef MF_DECLASSIFY
#include <valgrind/memcheck.h>
#endif

/* The n_bytes at data are public from here on: what a mode sends in clear, say. */
MF_INLINE void mf_publish(const void *data, size_t n_bytes)
{
#ifdef MF_DECLASSIFY
    VALGRIND_MAKE_MEM_DEFINED(data, n_bytes);
#else
    (void)data;
    (void)n_bytes;
#endif
}

/* A verdict for the caller: tag right or wrong, padding right or wrong. */
MF_INLINE bool mf_public(bool verdict)
{
#ifdef MF_DECLASSIFY
    volatile bool copy = verdict; /* in memory, since registers have no address */
    mf_publish((const void *)&copy, sizeof copy);
    return copy;
#else
    return verdict;
#endif
}

#endif
