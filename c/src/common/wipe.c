/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Wiping and comparing secrets: the two operations that an optimiser must not improve.
 */
#include <manyfish/common.h>

#include <string.h>

#include "declassify.h"
#include "wipe.h"

void mf_wipe(void *data, size_t n_bytes)
{
    if (n_bytes == 0) {
        return;
    }
#if defined(__GNUC__) || defined(__clang__)
    memset(data, 0, n_bytes);
    /* The barrier claims to read what was just written, so the writes must happen. */
    __asm__ __volatile__("" : : "r"(data) : "memory");
#else
    volatile unsigned char *p = data;
    for (size_t i = 0; i < n_bytes; i++) {
        p[i] = 0;
    }
#endif
}

/* Its frame lies where that of the function called before it lay. Not inlined, or it would not. */
MF_NOINLINE void mf_wipe_stack(void)
{
    unsigned char below[MF_STACK_BYTES];
    mf_wipe(below, sizeof below);
}

/* The stack grows down, so the last bytes are those next to the caller. In parts: C libraries clear
 * more than about 2 KB by REP STOSB, which starts so slowly that 16 blocks would take a tenth
 * longer. */
MF_NOINLINE void mf_wipe_deep_stack(size_t n_bytes)
{
    unsigned char below[MF_DEEP_STACK_BYTES];
    unsigned char *p = below + sizeof below - n_bytes;

    for (; n_bytes > MF_STACK_BYTES; n_bytes -= MF_STACK_BYTES, p += MF_STACK_BYTES) {
        mf_wipe(p, MF_STACK_BYTES);
    }
    mf_wipe(p, n_bytes);
}

bool mf_equal(const void *a, const void *b, size_t n_bytes)
{
    const volatile unsigned char *x = a;
    const volatile unsigned char *y = b;
    unsigned difference = 0;
    for (size_t i = 0; i < n_bytes; i++) {
        difference |= (unsigned)(x[i] ^ y[i]);
    }
    return mf_public(difference == 0);
}
