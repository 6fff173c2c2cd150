/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Pages from mmap, or from malloc; see pages.h.
 */
#if !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#endif
#if defined(__APPLE__) && !defined(_DARWIN_C_SOURCE)
#define _DARWIN_C_SOURCE /* the same there */
#endif

#include "pages.h"

#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#include <unistd.h>

static size_t page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

size_t mf_pages_round(size_t n_bytes)
{
    const size_t page = page_bytes();
    return (n_bytes + page - 1) / page * page;
}

void *mf_pages_new(size_t n_bytes)
{
    void *pages = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages == MAP_FAILED ? NULL : pages;
}

void mf_pages_free(void *pages, size_t n_bytes)
{
    (void)munmap(pages, n_bytes);
}

/* Where the neighbours cannot be closed, all works as well, only slower. */
void *mf_pages_new_code(size_t n_bytes)
{
    const size_t page = page_bytes();
    unsigned char *first = mf_pages_new(n_bytes + 2 * page);
    if (first == NULL) {
        return NULL;
    }
    (void)mprotect(first, page, PROT_NONE);
    (void)mprotect(first + page + n_bytes, page, PROT_NONE);
    return first + page;
}

void mf_pages_free_code(void *pages, size_t n_bytes)
{
    const size_t page = page_bytes();
    mf_pages_free((unsigned char *)pages - page, n_bytes + 2 * page);
}

bool mf_pages_make_code(void *pages, size_t n_bytes)
{
    return mprotect(pages, n_bytes, PROT_READ | PROT_EXEC) == 0;
}

bool mf_pages_make_data(void *pages, size_t n_bytes)
{
    return mprotect(pages, n_bytes, PROT_READ | PROT_WRITE) == 0;
}

#else

#include <stdlib.h>

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

#endif
