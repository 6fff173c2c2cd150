/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Threads that wait for each other: macOS has no barriers of POSIX.
 */
#ifndef MF_TEST_MEET_H
#define MF_TEST_MEET_H

#include <sched.h>
#include <stdatomic.h>

/* Returns when n threads have called it; then n may again. */
static inline void meet(atomic_uint *n_calls, unsigned n)
{
    const unsigned before = atomic_fetch_add(n_calls, 1);
    const unsigned all = (before / n + 1) * n;

    while (atomic_load(n_calls) < all) {
        (void)sched_yield();
    }
}

#endif
