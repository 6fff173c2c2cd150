/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The system, where it is a POSIX one; see system.h.
 */
#if !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, madvise, and POSIX */
#endif
#if !defined(_FILE_OFFSET_BITS) && !defined(__LP64__)
#define _FILE_OFFSET_BITS 64 /* else systems of 32 bits refuse files whose numbers are larger */
#endif
#if defined(__APPLE__) && !defined(_DARWIN_C_SOURCE)
#define _DARWIN_C_SOURCE /* as _DEFAULT_SOURCE */
#endif

#include "system.h"

#if defined(__unix__) || defined(__APPLE__)

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- Memory ----------------------------------------------------------------------------------- */

/* A large page of the processor: one entry of the TLB serves 2 MiB. */
enum { LARGE_PAGE = 1 << 21 };

static void *map(size_t n_bytes)
{
    void *p = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static void unmap(unsigned char *from, const unsigned char *to)
{
    if (from < to) {
        (void)munmap(from, (size_t)(to - from));
    }
}

/* n_bytes at a multiple of a large page: more is mapped, and the ends are given back. */
static void *map_aligned(size_t n_bytes)
{
    const size_t more = n_bytes + LARGE_PAGE;
    unsigned char *start = map(more);
    if (start == NULL) {
        return NULL;
    }
    unsigned char *aligned = start + (LARGE_PAGE - (uintptr_t)start % LARGE_PAGE) % LARGE_PAGE;
    unmap(start, aligned);
    unmap(aligned + n_bytes, start + more);
    return aligned;
}

void *mf_system_memory_new(size_t n_bytes)
{
    if (n_bytes % LARGE_PAGE != 0) {
        return map(n_bytes);
    }
    void *p = map_aligned(n_bytes);
#if defined(MADV_HUGEPAGE)
    if (p != NULL) {
        (void)madvise(p, n_bytes, MADV_HUGEPAGE); /* if not, it is slower */
    }
#endif
    return p;
}

void mf_system_memory_seal(void *memory, size_t n_bytes)
{
    (void)mprotect(memory, n_bytes, PROT_READ);
}

void mf_system_memory_free(void *memory, size_t n_bytes)
{
    (void)munmap(memory, n_bytes);
}

/* --- Pages ------------------------------------------------------------------------------------ */

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
    return map(n_bytes);
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

/* --- Threads ---------------------------------------------------------------------------------- */

enum { MAX_THREADS = 64 };

static pthread_mutex_t the_lock = PTHREAD_MUTEX_INITIALIZER;

void mf_system_lock(void)
{
    (void)pthread_mutex_lock(&the_lock);
}

void mf_system_unlock(void)
{
    (void)pthread_mutex_unlock(&the_lock);
}

typedef struct job {
    mf_system_task *task;
    void *argument;
} job;

static void *run_job(void *argument)
{
    const job *j = argument;
    j->task(j->argument, false);
    return NULL;
}

static unsigned threads_to_use(unsigned n_threads)
{
    if (n_threads == 0) {
        const long n_cores = sysconf(_SC_NPROCESSORS_ONLN);
        n_threads = n_cores < 1 ? 1 : n_cores < MAX_THREADS ? (unsigned)n_cores : MAX_THREADS;
    }
    return n_threads < MAX_THREADS ? n_threads : MAX_THREADS;
}

/* The signals of a program are not for threads of ours to handle. */
static unsigned start(pthread_t *threads, unsigned n_more, job *j)
{
    sigset_t all;
    sigset_t before;
    unsigned n = 0;

    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_BLOCK, &all, &before);
    while (n < n_more && pthread_create(&threads[n], NULL, run_job, j) == 0) {
        n++;
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return n;
}

void mf_system_run(unsigned n_threads, mf_system_task *task, void *argument)
{
    pthread_t threads[MAX_THREADS];
    job j = {task, argument};

    const unsigned n_started = start(threads, threads_to_use(n_threads) - 1, &j);
    task(argument, true);
    for (unsigned i = 0; i < n_started; i++) {
        (void)pthread_join(threads[i], NULL);
    }
}

/* --- Files ------------------------------------------------------------------------------------ */

/* Anyone who may write it could change the tables after they were checked. */
static bool is_trusted(int file, size_t n_bytes)
{
    struct stat s;
    return fstat(file, &s) == 0 && S_ISREG(s.st_mode) && (s.st_mode & (S_IWGRP | S_IWOTH)) == 0 &&
           (s.st_uid == geteuid() || s.st_uid == 0) && s.st_size >= 0 &&
           (uintmax_t)s.st_size == n_bytes;
}

/* Not blocking: a path may name a pipe. */
bool mf_system_map(mf_system_file *mapped, const char *path, size_t n_bytes)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    void *p = MAP_FAILED;

    if (file < 0) {
        return false;
    }
    if (is_trusted(file, n_bytes)) {
        p = mmap(NULL, n_bytes, PROT_READ, MAP_SHARED, file, 0);
    }
    (void)close(file);
    *mapped = (mf_system_file){p == MAP_FAILED ? NULL : p, n_bytes, NULL};
    return p != MAP_FAILED;
}

void mf_system_unmap(mf_system_file *file)
{
    (void)munmap((void *)file->bytes, file->n_bytes);
    file->bytes = NULL;
}

static bool write_all(int file, const void *data, size_t n_bytes)
{
    const unsigned char *p = data;
    while (n_bytes > 0) {
        const ssize_t n = write(file, p, n_bytes);
        if (n < 0 && errno != EINTR) {
            return false;
        }
        p += n > 0 ? n : 0;
        n_bytes -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* A file to be replaced must be a plain one: else a mistyped path takes away a device. */
static bool may_replace(const char *path)
{
    struct stat s;
    return lstat(path, &s) != 0 || S_ISREG(s.st_mode);
}

static bool write_file(int file, const void *head, size_t head_bytes, const void *body,
                       size_t body_bytes)
{
    const mode_t read_by_all = S_IRUSR | S_IRGRP | S_IROTH;
    const bool written = write_all(file, head, head_bytes) && write_all(file, body, body_bytes) &&
                         fchmod(file, read_by_all) == 0 && fsync(file) == 0;
    return close(file) == 0 && written;
}

bool mf_system_save(const char *path, const void *head, size_t head_bytes, const void *body,
                    size_t body_bytes)
{
    static const char ending[] = ".XXXXXX";
    const size_t path_bytes = strlen(path);
    char *name = may_replace(path) ? malloc(path_bytes + sizeof ending) : NULL;

    if (name == NULL) {
        return false;
    }
    memcpy(name, path, path_bytes);
    memcpy(name + path_bytes, ending, sizeof ending);
    const int file = mkstemp(name);
    const bool saved = file >= 0 && write_file(file, head, head_bytes, body, body_bytes) &&
                       rename(name, path) == 0;
    if (file >= 0 && !saved) {
        (void)unlink(name);
    }
    free(name);
    return saved;
}

#endif
