/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What the shared tables ask of the system: much memory, threads, one lock, files that are mapped.
 * Knows no cipher. Where the system is not a POSIX one, memory comes from malloc, there is one
 * thread and no file.
 */
#ifndef MF_STUDY_SYSTEM_H
#define MF_STUDY_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

/* Memory for reading and writing, at an address that is a multiple of 64; NULL if there is none. */
void *mf_system_memory_new(size_t n_bytes);

/* From now on that memory is for reading only, if the system knows that. */
void mf_system_memory_seal(void *memory, size_t n_bytes);

void mf_system_memory_free(void *memory, size_t n_bytes);

/* The one lock of the library. Not recursive. */
void mf_system_lock(void);
void mf_system_unlock(void);

/* One of several threads at the same work; the calling one is told so. */
typedef void mf_system_task(void *argument, bool is_caller);

/* Runs task in this thread and in others, n_threads in all, or fewer if the system gives no more; 0
 * means one for each core. Returns when all have returned. */
void mf_system_run(unsigned n_threads, mf_system_task *task, void *argument);

/* A file in memory, for reading only; NULL if it cannot be read, has not exactly n_bytes, is not a
 * regular file, or may be written by others than this user and root. */
const void *mf_system_map(const char *path, size_t n_bytes);

void mf_system_unmap(const void *memory, size_t n_bytes);

/* Writes head, then body, to a file that all may read, by way of another name in its folder. False
 * if that cannot be done; then an old file of this name is as before. */
bool mf_system_save(const char *path, const void *head, size_t head_bytes, const void *body,
                    size_t body_bytes);

#endif
