/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Memory at two addresses, of Linux; see system.h. It is a file without a name, whose descriptor is
 * closed before this returns.
 *
 * The executable view is asked for in two steps, as all executable memory here: so each policy that
 * keeps written memory from becoming executable refuses this too.
 */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* syscall, fcntl of sealed files, madvise */
#endif

#include "system.h"

#if defined(__linux__)

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Of the system; older headers lack some of them. */
enum {
    FILE_CLOSED_BY_EXEC = 1,
    FILE_MAY_BE_SEALED = 2,
    FILE_IS_NO_PROGRAM = 8, /* Linux 6.3 */
    SEAL_THE_SEALS = 1,
    SEAL_SIZE = 2 | 4,
    SEAL_NEW_WRITERS = 16, /* Linux 5.1: none but the views that there are */
    ADD_SEALS = 1033,
    NOT_IN_CHILDREN = 10,
    ZERO_IN_CHILDREN = 18,
};

/* By number: older libraries have no function for it. -1 if there is none. */
static int new_file(void)
{
#if defined(SYS_memfd_create)
    const unsigned flags = FILE_CLOSED_BY_EXEC | FILE_MAY_BE_SEALED;
    const long file = syscall(SYS_memfd_create, "manyfish-code", flags | FILE_IS_NO_PROGRAM);
    return (int)(file >= 0 ? file : syscall(SYS_memfd_create, "manyfish-code", flags));
#else
    return -1;
#endif
}

static size_t page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static void free_view(uint8_t *view, size_t n_bytes)
{
    if (view != NULL) {
        (void)munmap(view - page_bytes(), n_bytes + 2 * page_bytes());
    }
}

/* Closed pages, and the file in their midst; NULL if the system refuses. */
static uint8_t *new_view(int file, size_t n_bytes, int rights)
{
    const size_t page = page_bytes();
    const size_t all = n_bytes + 2 * page;
    void *first = mmap(NULL, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (first == MAP_FAILED) {
        return NULL;
    }
    uint8_t *view = (uint8_t *)first + page;
    if (mmap(view, n_bytes, rights, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED ||
        madvise(first, all, NOT_IN_CHILDREN) != 0) {
        free_view(view, n_bytes);
        return NULL;
    }
    return view;
}

/* The file gets its memory now, so that no write can fail. The second view comes after the seals,
 * so that nobody can make it writable. */
static bool map_views(mf_pages_views *views, int file, size_t n_bytes)
{
    if (posix_fallocate(file, 0, (off_t)n_bytes) != 0) {
        return false;
    }
    views->data = new_view(file, n_bytes, PROT_READ | PROT_WRITE);
    if (views->data == NULL ||
        fcntl(file, ADD_SEALS, SEAL_THE_SEALS | SEAL_SIZE | SEAL_NEW_WRITERS) != 0) {
        return false;
    }
    views->code = new_view(file, n_bytes, PROT_READ);
    return views->code != NULL && mf_pages_make_code(views->code, n_bytes);
}

bool mf_pages_new_views(mf_pages_views *views, size_t n_bytes)
{
    const int file = new_file();

    *views = (mf_pages_views){NULL, NULL};
    if (file < 0) {
        return false;
    }
    const bool mapped = map_views(views, file, n_bytes);
    (void)close(file);
    if (!mapped) {
        mf_pages_free_views(views, n_bytes);
    }
    return mapped;
}

void mf_pages_free_views(const mf_pages_views *views, size_t n_bytes)
{
    free_view(views->code, n_bytes);
    free_view(views->data, n_bytes);
}

bool mf_pages_hide_from_children(void *pages, size_t n_bytes)
{
    return madvise(pages, n_bytes, ZERO_IN_CHILDREN) == 0;
}

uintptr_t mf_system_thread(void)
{
    static _Thread_local char of_this_thread;
    return (uintptr_t)&of_this_thread;
}

#endif
