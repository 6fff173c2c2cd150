/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Large tables that do not depend on any key, for a quick key set-up [Twofish98, 5.1.3]: built
 * once, on request, and shared by all keys of the process. Without them the kernels that need them
 * answer MF_ERROR_TABLES. For study: a vector unit sets keys up faster (docs/design.md).
 *
 *   tables  size     what they hold                                   kernels that need them
 *   big     256 KiB  two layers of q for each byte of the key         full-big, partial-big
 *   huge    256 MiB  whole S-boxes with the MDS matrix for all pairs  full-huge (keys of 128 bits)
 *                    of bytes of the key
 *
 * Which rows of them are read depends on the key, and tables in a file are memory that other
 * processes have in common with this one: they leak more than other tables do. docs/security.md
 * says what.
 *
 * Many threads at once may call the functions here, except mf_twofish_tables_release; each call
 * waits until the others are done. Unlike the rest of the library they take memory from the system;
 * they open only files that you name. A system other than POSIX has no files here, and one thread.
 */
#ifndef MANYFISH_STUDY_TABLES_H
#define MANYFISH_STUDY_TABLES_H

#include <manyfish/twofish.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mf_twofish_tables {
    MF_TWOFISH_TABLES_BIG = 1, /* another number than these two is MF_ERROR_TABLES everywhere */
    MF_TWOFISH_TABLES_HUGE = 2
} mf_twofish_tables;

#define MF_TWOFISH_TABLES_BIG_BYTES 262144
#define MF_TWOFISH_TABLES_HUGE_BYTES 268435456

/* The kernels that need them, which can be named, too, in a program with libmanyfish-study. */
extern MF_API const mf_twofish_kernel mf_twofish_full_big;
extern MF_API const mf_twofish_kernel mf_twofish_partial_big;
extern MF_API const mf_twofish_kernel mf_twofish_full_huge;

/* Called periodically with the progress, by the calling thread, and at the end; returns false to
 * cancel. Of this header it may call mf_twofish_tables_ready alone. */
typedef bool mf_twofish_tables_progress(void *context, size_t done_bytes, size_t all_bytes);

/* Computes the tables, if they are not ready yet; if another thread is at it, waits for that.
 *   n_threads  how many may work on it, this one included; 0 means one for each core. If the system
 *              gives fewer, those do it. Big tables are done by this thread alone
 *   progress   may be NULL; else it gets context. A thread that waits does not call it
 * On an error nothing has changed. MF_ERROR_MEMORY, MF_ERROR_CANCELLED (progress returned
 * false). */
MF_API MF_MUST_CHECK mf_status mf_twofish_tables_build(mf_twofish_tables which, unsigned n_threads,
                                                       mf_twofish_tables_progress *progress,
                                                       void *context);

/* Maps tables from a file that mf_twofish_tables_save has written, for reading only, so that
 * processes share the memory. If the tables are ready already, the file is not looked at. Each byte
 * of the file is compared with what it must be, by as many threads as above; that takes about as
 * long as to build the tables.
 *   path       of a regular file that belongs to this user or to root, and that nobody else may
 *              write. While it is mapped its owner must not shorten or change it, either: a process
 *              that reads a table which is not there is killed, and a changed one gives wrong
 *              results. On Windows: in UTF-8, of a file that is not open for writing; nobody can
 *              open it so, nor replace it, while it is mapped
 * On an error nothing has changed. MF_ERROR_NULL, MF_ERROR_CANCELLED; MF_ERROR_FILE if it cannot be
 * read or mapped, is not as above, or is of another kind, version or byte order, or damaged. */
MF_API MF_MUST_CHECK mf_status mf_twofish_tables_open(mf_twofish_tables which, const char *path,
                                                      unsigned n_threads,
                                                      mf_twofish_tables_progress *progress,
                                                      void *context);

/* Writes tables that are ready to a file: under another name in the same folder first, which is
 * renamed when all is on the disk. A regular file of that name is replaced, and processes that have
 * it mapped keep the old one; anything else of that name, a link too, is left alone. The file may
 * be read by all and written by nobody; on Windows it has the rights that its folder gives.
 * On an error there is no new file, and an old one is as before. MF_ERROR_NULL, MF_ERROR_FILE,
 * MF_ERROR_TABLES (not ready). */
MF_API MF_MUST_CHECK mf_status mf_twofish_tables_save(mf_twofish_tables which, const char *path);

/* True if the kernels that need the tables can be used. Cannot fail, and waits for nobody. */
MF_API bool mf_twofish_tables_ready(mf_twofish_tables which);

/* Gives the memory back, if the tables are ready. While it runs no other thread may use a kernel
 * that needs them, set a key for one, or call a function of this header: that is undefined
 * behaviour. So is, until tables are built again, the use of a key for full-huge; keys for the
 * other kernels go on, since those need the tables for key set-up only. Cannot fail. */
MF_API void mf_twofish_tables_release(mf_twofish_tables which);

#ifdef __cplusplus
}
#endif

#endif
