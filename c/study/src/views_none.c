/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Memory at two addresses, where the system is not Linux: there is none; see system.h.
 */
#include "system.h"

#if !defined(__linux__)

bool mf_pages_new_views(mf_pages_views *views, size_t n_bytes)
{
    (void)views;
    (void)n_bytes;
    return false;
}

void mf_pages_free_views(const mf_pages_views *views, size_t n_bytes)
{
    (void)views;
    (void)n_bytes;
}

bool mf_pages_hide_from_children(void *pages, size_t n_bytes)
{
    (void)pages;
    (void)n_bytes;
    return false;
}

uintptr_t mf_system_thread(void)
{
    return 0;
}

#endif
