/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Calls that the system may refuse while shared tables are built and saved: threads, and each call
 * that writes a file. This program has its own of these calls, which pass on what they do not
 * refuse; not under sanitizers, which have theirs.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#if !defined(_FILE_OFFSET_BITS) && !defined(__LP64__)
#define _FILE_OFFSET_BITS 64 /* as in system_posix.c */
#endif

#include "support.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WATCHED 0
#endif
#endif
#if defined(WATCHED)
/* no, as above */
#elif defined(__linux__) && !TEST_SANITIZED && !defined(__SANITIZE_THREAD__)
#define WATCHED 1
#else
#define WATCHED 0
#endif

#if WATCHED

#include <manyfish/study/tables.h>

#include "system.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* --- The calls -------------------------------------------------------------------------------- */

static const char *refused = ""; /* the call that fails */
static bool interrupted;         /* each second write is; the others write a part */
static unsigned max_threads = 1000;
static unsigned n_threads;
static unsigned n_writes;

/* The next definition of a function; through memory, since there is no cast from data to
 * functions. */
static void real(void *function, const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    memcpy(function, &found, sizeof found);
}

static bool fails(const char *name)
{
    const bool found = strcmp(refused, name) == 0;
    errno = found ? EIO : errno;
    return found;
}

ssize_t write(int file, const void *data, size_t n_bytes)
{
    ssize_t (*next)(int, const void *, size_t);
    const size_t part = interrupted && n_bytes > 1000 ? 1000 : n_bytes;

    real(&next, "write");
    n_writes++;
    if (fails("write") && n_writes > 1) {
        errno = ENOSPC;
        return -1;
    }
    if (interrupted && n_writes % 2 == 0) {
        errno = EINTR;
        return -1;
    }
    return next(file, data, part);
}

int fchmod(int file, mode_t mode)
{
    int (*next)(int, mode_t);
    real(&next, "fchmod");
    return fails("fchmod") ? -1 : next(file, mode);
}

int fsync(int file)
{
    int (*next)(int);
    real(&next, "fsync");
    return fails("fsync") ? -1 : next(file);
}

/* As a file system does that notices only now that there is no room: the file is closed
 * nevertheless. */
int close(int file)
{
    int (*next)(int);
    real(&next, "close");
    const int closed = next(file);
    return fails("close") ? -1 : closed;
}

int rename(const char *from, const char *to)
{
    int (*next)(const char *, const char *);
    real(&next, "rename");
    return fails("rename") ? -1 : next(from, to);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *argument)
{
    int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    real(&next, "pthread_create");
    if (n_threads >= max_threads) {
        return EAGAIN;
    }
    n_threads++;
    return next(thread, attributes, run, argument);
}

/* --- Files ------------------------------------------------------------------------------------ */

static const mf_twofish_tables BIG = MF_TWOFISH_TABLES_BIG;
static char folder[] = "/tmp/manyfish-system-XXXXXX";
static char path[sizeof folder + 10];

static size_t n_files(void)
{
    DIR *d = opendir(folder);
    size_t n = 0;

    while (d != NULL && readdir(d) != NULL) {
        n++;
    }
    if (d != NULL) {
        (void)closedir(d);
    }
    return n - 2; /* . and .. */
}

/* The next file to be opened gets the least number that is free. */
static int free_number(void)
{
    const int file = open("/dev/null", O_RDONLY);
    (void)close(file);
    return file;
}

static bool file_is_good(void)
{
    mf_twofish_tables_release(BIG);
    const bool good = mf_twofish_tables_open(BIG, path, 1, NULL, NULL) == MF_OK;
    mf_twofish_tables_release(BIG);
    return good && mf_twofish_tables_build(BIG, 1, NULL, NULL) == MF_OK;
}

static mf_status save_refused(const char *call)
{
    refused = call;
    n_writes = 0;
    const mf_status status = mf_twofish_tables_save(BIG, path);
    refused = "";
    return status;
}

/* Without an old file, and with one: it is as before, and nothing else is there. */
static void test_refused(const char *call)
{
    struct stat before, after;
    const int number = free_number();

    test_case("%s fails while tables are saved", call);
    CHECK_STATUS(save_refused(call), MF_ERROR_FILE);
    CHECK(n_files() == 0);
    CHECK_STATUS(mf_twofish_tables_save(BIG, path), MF_OK);
    CHECK(stat(path, &before) == 0);
    CHECK_STATUS(save_refused(call), MF_ERROR_FILE);
    CHECK(stat(path, &after) == 0 && after.st_ino == before.st_ino);
    CHECK(n_files() == 1 && file_is_good());
    CHECK(unlink(path) == 0);
    CHECK(free_number() == number);
}

static void test_interrupted(void)
{
    test_case("writes that are interrupted, and write a part");
    interrupted = true;
    n_writes = 0;
    CHECK_STATUS(mf_twofish_tables_save(BIG, path), MF_OK);
    interrupted = false;
    CHECK(n_writes > MF_TWOFISH_TABLES_BIG_BYTES / 1000);
    CHECK(n_files() == 1 && file_is_good());
    CHECK(unlink(path) == 0);
}

static void test_files(void)
{
    static const char *const calls[] = {"write", "fchmod", "fsync", "close", "rename"};

    if (!CHECK(mkdtemp(folder) != NULL)) {
        return;
    }
    (void)snprintf(path, sizeof path, "%s/tables", folder);
    CHECK_STATUS(mf_twofish_tables_build(BIG, 1, NULL, NULL), MF_OK);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        test_refused(calls[i]);
    }
    test_interrupted();
    mf_twofish_tables_release(BIG);
    CHECK(rmdir(folder) == 0);
}

/* --- Threads ---------------------------------------------------------------------------------- */

typedef struct seen {
    atomic_uint n_tasks, n_callers, n_unmasked;
} seen;

/* The others take longer than the caller, who has to wait for them. */
static void task(void *argument, bool is_caller)
{
    const struct timespec a_while = {0, 20 * 1000 * 1000};
    seen *s = (seen *)argument;
    sigset_t blocked;

    (void)pthread_sigmask(SIG_BLOCK, NULL, &blocked);
    if (is_caller) {
        atomic_fetch_add(&s->n_callers, 1);
    } else {
        (void)nanosleep(&a_while, NULL);
    }
    if (sigismember(&blocked, SIGUSR1) != 1) {
        atomic_fetch_add(&s->n_unmasked, 1);
    }
    atomic_fetch_add(&s->n_tasks, 1);
}

/* Asks for `asked` tasks while the system gives `given` threads beside the caller; returns how many
 * ran. */
static unsigned run_tasks(unsigned asked, unsigned given)
{
    seen s = {0};
    sigset_t before, after;

    test_case("%u threads, of which the system gives %u", asked, given);
    max_threads = given;
    n_threads = 0;
    CHECK(pthread_sigmask(SIG_BLOCK, NULL, &before) == 0);
    mf_system_run(asked, task, &s);
    CHECK(pthread_sigmask(SIG_BLOCK, NULL, &after) == 0);
    CHECK(sigismember(&before, SIGUSR1) == 0 && sigismember(&after, SIGUSR1) == 0);
    CHECK(s.n_callers == 1 && s.n_unmasked == 1);
    CHECK(s.n_tasks == n_threads + 1);
    return s.n_tasks;
}

static void test_threads(void)
{
    CHECK(run_tasks(1, 1000) == 1);
    CHECK(run_tasks(5, 1000) == 5);
    CHECK(run_tasks(5, 2) == 3);
    CHECK(run_tasks(5, 0) == 1);
    const unsigned n = run_tasks(10000, 1000);
    CHECK(n > 5 && n < 1000);
    CHECK(run_tasks((unsigned)-1, 1000) == n);
    const unsigned n_cores = run_tasks(0, 1000);
    CHECK(n_cores >= 1 && n_cores <= n);
}

int main(void)
{
    test_files();
    test_threads();
    return test_end();
}

#else

int main(void)
{
    test_skip(
        "what the system refuses: this build has calls of its own, or the system is another one");
    return test_end();
}

#endif
