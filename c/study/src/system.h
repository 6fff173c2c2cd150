/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Calls of the system. Shared tables take much memory, threads, one lock and mapped files; compiled
 * keying takes pages, some of which become code. Knows no cipher.
 *
 * One file for each kind of system: system_posix.c, system_windows.c, and system_none.c for all
 * others, where memory comes from malloc and never becomes code, and there is one thread and no
 * file.
 */
#ifndef MF_STUDY_SYSTEM_H
#define MF_STUDY_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- Memory ----------------------------------------------------------------------------------- */

/* Memory for reading and writing, at an address that is a multiple of 64; NULL if there is none. */
void *mf_system_memory_new(size_t n_bytes);

/* From now on that memory is for reading only, if the system knows that. */
void mf_system_memory_seal(void *memory, size_t n_bytes);

void mf_system_memory_free(void *memory, size_t n_bytes);

/* --- Pages ------------------------------------------------------------------------------------ */

/* No page is ever writable and executable at once: it is written first and made executable then. Or
 * the same memory lies at two addresses, writable at the one and executable at the other. */

/* n_bytes rounded up to whole pages; n_bytes is far below SIZE_MAX. */
size_t mf_pages_round(size_t n_bytes);

/* Zeroed memory of n_bytes, whole pages, readable and writable; NULL if there is none. */
void *mf_pages_new(size_t n_bytes);

/* Gives that back. */
void mf_pages_free(void *pages, size_t n_bytes);

/* As mf_pages_new, for pages that are to become code. They lie between two that nobody can touch:
 * neighbours with other rights, or with the same, would make the system divide or join mappings
 * whenever rights change, which takes longer than the change itself: 16,200 ticks of the time-stamp
 * counter for both ways instead of 7,200 (Zen 4, Linux 6.18 in a virtual machine). */
void *mf_pages_new_code(size_t n_bytes);

/* All that mf_pages_new_code gave: readable, and either executable or writable. False if the system
 * refuses; the pages are then as before. */
bool mf_pages_make_code(void *pages, size_t n_bytes);
bool mf_pages_make_data(void *pages, size_t n_bytes);

/* Gives that back, and what lies around it. */
void mf_pages_free_code(void *pages, size_t n_bytes);

/* Memory at two addresses. Each view lies between two pages that nobody can touch. */
typedef struct mf_pages_views {
    uint8_t *data; /* readable and writable */
    uint8_t *code; /* readable and executable; it can never be made writable */
} mf_pages_views;

/* Zeroed memory of n_bytes, whole pages. Where a child of this process begins, it has neither view,
 * unless another thread makes that child before this returns. False if the system refuses or knows
 * no such thing. For Linux from 5.1 on; views_linux.c, and views_none.c for all other systems. */
bool mf_pages_new_views(mf_pages_views *views, size_t n_bytes);

/* Gives back both. */
void mf_pages_free_views(const mf_pages_views *views, size_t n_bytes);

/* From now on a child of this process begins with zeros in these pages of mf_pages_new. False if
 * the system knows no such thing. */
bool mf_pages_hide_from_children(void *pages, size_t n_bytes);

/* --- Threads ---------------------------------------------------------------------------------- */

/* The one lock of the library. Not recursive. */
void mf_system_lock(void);
void mf_system_unlock(void);

/* A number that no other living thread has, where there are views; else 0. */
uintptr_t mf_system_thread(void);

/* One of several threads at the same work; is_caller in the calling one. */
typedef void mf_system_task(void *argument, bool is_caller);

/* Runs task in this thread and in others, n_threads in all, or fewer if the system gives no more; 0
 * means one for each core. Returns when all have returned. */
void mf_system_run(unsigned n_threads, mf_system_task *task, void *argument);

/* --- Files ------------------------------------------------------------------------------------ */

/* Paths are in UTF-8 on Windows. */

/* A file in memory, for reading only. */
typedef struct mf_system_file {
    const void *bytes; /* NULL: none */
    size_t n_bytes;
    void *handle; /* of Windows */
} mf_system_file;

/* False if the file cannot be read, has not exactly n_bytes, is not a regular file, or others could
 * change it: on POSIX systems, if others than this user and root may write it; on Windows, if it is
 * open for writing, which nobody can do as long as it is mapped. */
bool mf_system_map(mf_system_file *file, const char *path, size_t n_bytes);

void mf_system_unmap(mf_system_file *file);

/* Writes head, then body, to a file that all may read, by way of another name in its folder. False
 * if that cannot be done; then an old file of this name is as before. */
bool mf_system_save(const char *path, const void *head, size_t head_bytes, const void *body,
                    size_t body_bytes);

#endif
