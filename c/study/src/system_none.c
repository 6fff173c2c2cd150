/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The system, where there is none, or none that is known here; see system.h.
 */
#include "system.h"

#if !defined(__unix__) && !defined(__APPLE__) && !defined(_WIN32)

#include <stdlib.h>

/* --- Memory ----------------------------------------------------------------------------------- */

/* A multiple of 64, as all sizes here are. */
void *mf_system_memory_new(size_t n_bytes)
{
    return aligned_alloc(64, n_bytes);
}

void mf_system_memory_free(void *memory, size_t n_bytes)
{
    (void)n_bytes;
    free(memory);
}

void mf_system_memory_seal(void *memory, size_t n_bytes)
{
    (void)memory;
    (void)n_bytes;
}

/* --- Pages ------------------------------------------------------------------------------------ */

void *mf_pages_new(size_t n_bytes)
{
    return calloc(1, n_bytes);
}

void mf_pages_free(void *pages, size_t n_bytes)
{
    (void)n_bytes;
    free(pages);
}

size_t mf_pages_round(size_t n_bytes)
{
    return n_bytes;
}

void *mf_pages_new_code(size_t n_bytes)
{
    return mf_pages_new(n_bytes);
}

void mf_pages_free_code(void *pages, size_t n_bytes)
{
    mf_pages_free(pages, n_bytes);
}

bool mf_pages_make_code(void *pages, size_t n_bytes)
{
    (void)pages;
    (void)n_bytes;
    return false;
}

bool mf_pages_make_data(void *pages, size_t n_bytes)
{
    (void)pages;
    (void)n_bytes;
    return false;
}

/* --- Threads ---------------------------------------------------------------------------------- */

void mf_system_lock(void)
{
}

void mf_system_unlock(void)
{
}

void mf_system_run(unsigned n_threads, mf_system_task *task, void *argument)
{
    (void)n_threads;
    task(argument, true);
}

/* --- Files ------------------------------------------------------------------------------------ */

bool mf_system_map(mf_system_file *file, const char *path, size_t n_bytes)
{
    (void)file;
    (void)path;
    (void)n_bytes;
    return false;
}

void mf_system_unmap(mf_system_file *file)
{
    (void)file;
}

bool mf_system_save(const char *path, const void *head, size_t head_bytes, const void *body,
                    size_t body_bytes)
{
    (void)path;
    (void)head;
    (void)head_bytes;
    (void)body;
    (void)body_bytes;
    return false;
}

#endif
