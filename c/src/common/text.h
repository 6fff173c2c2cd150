/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Names of kernels. Written out, so that where there is no system the library asks for nothing but
 * memcpy, memmove, memset and memcmp, which compilers ask for by themselves and runtimes without a
 * C library have.
 */
#ifndef MF_SRC_COMMON_TEXT_H
#define MF_SRC_COMMON_TEXT_H

#include "bytes.h"

/* Are two texts equal? Only one of them has to end in a zero byte where the other has room for
 * it. */
MF_INLINE bool mf_same_text(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

#endif
