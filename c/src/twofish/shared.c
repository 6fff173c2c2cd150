/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Where the shared tables are. Apart from what builds them, which asks the system for memory and
 * threads: a program that needs no tables does not link that.
 */
#include "shared.h"

#include <stdatomic.h>

static _Atomic(const void *) big;
static _Atomic(const void *) huge;

/* Released and acquired, so that whoever sees the tables sees what is in them. */
const void *mf_twofish_shared(unsigned which)
{
    return which == MF_TWOFISH_TABLES_BIG    ? atomic_load_explicit(&big, memory_order_acquire)
           : which == MF_TWOFISH_TABLES_HUGE ? atomic_load_explicit(&huge, memory_order_acquire)
                                             : NULL;
}

void mf_twofish_set_shared(unsigned which, const void *tables)
{
    atomic_store_explicit(which == MF_TWOFISH_TABLES_BIG ? &big : &huge, tables,
                          memory_order_release);
}

size_t mf_twofish_shared_bytes(unsigned which)
{
    return which == MF_TWOFISH_TABLES_BIG    ? MF_TWOFISH_TABLES_BIG_BYTES
           : which == MF_TWOFISH_TABLES_HUGE ? MF_TWOFISH_TABLES_HUGE_BYTES
                                             : 0;
}

bool mf_twofish_tables_ready(mf_twofish_tables which)
{
    return mf_twofish_shared(which) != NULL;
}
