/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The calls of the system, on every system that has them: memory, pages, threads, a lock, files.
 * test_system.c has what a POSIX one may refuse.
 */
#include "system.h"
#include "test.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static void test_memory(void)
{
    const size_t sizes[] = {64, 262144, (size_t)1 << 21};

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        test_case("%zu bytes of memory", sizes[i]);
        unsigned char *p = mf_system_memory_new(sizes[i]);
        if (!CHECK(p != NULL && (size_t)p % 64 == 0)) {
            return;
        }
        memset(p, 0xA5, sizes[i]);
        mf_system_memory_seal(p, sizes[i]);
        CHECK(all_bytes_are(p, sizes[i], 0xA5));
        mf_system_memory_free(p, sizes[i]);
    }
}

static void test_pages(void)
{
    const size_t n_bytes = mf_pages_round(1);
    unsigned char *p = mf_pages_new_code(n_bytes);

    test_case("pages that become code and data again");
    if (CHECK(p != NULL && all_bytes_are(p, n_bytes, 0))) {
        memset(p, 0xC3, n_bytes);
        CHECK(mf_pages_make_code(p, n_bytes));
        CHECK(all_bytes_are(p, n_bytes, 0xC3));
        CHECK(mf_pages_make_data(p, n_bytes));
        p[n_bytes - 1] = 0;
        mf_pages_free_code(p, n_bytes);
    }
}

/* --- Threads ---------------------------------------------------------------------------------- */

enum { ADDED = 20000 };

typedef struct work {
    atomic_uint n_tasks, n_callers;
    unsigned sum; /* behind the lock */
} work;

static void task(void *argument, bool is_caller)
{
    work *w = argument;

    atomic_fetch_add(&w->n_callers, is_caller ? 1 : 0);
    atomic_fetch_add(&w->n_tasks, 1);
    for (unsigned i = 0; i < ADDED; i++) {
        mf_system_lock();
        w->sum++;
        mf_system_unlock();
    }
}

static void test_threads(unsigned asked)
{
    work w = {0};

    test_case("%u threads, and the lock", asked);
    mf_system_run(asked, task, &w);
    CHECK(w.n_callers == 1);
    CHECK(asked == 0 || w.n_tasks == asked);
    CHECK(w.sum == w.n_tasks * ADDED);
}

/* --- Files ------------------------------------------------------------------------------------ */

static const char head[] = "head", body[] = "the body";
enum { HEAD = sizeof head - 1, BODY = sizeof body - 1 };

static bool holds(const char *path, const char *expected)
{
    mf_system_file file;
    const size_t n_bytes = strlen(expected);
    const bool mapped = mf_system_map(&file, path, n_bytes);
    const bool equal = mapped && memcmp(file.bytes, expected, n_bytes) == 0;

    if (mapped) {
        mf_system_unmap(&file);
    }
    return equal;
}

static void test_file(const char *path)
{
    mf_system_file file;

    test_case("the file %s", path);
    CHECK(!mf_system_map(&file, path, HEAD + BODY));
    CHECK(mf_system_save(path, head, HEAD, body, BODY));
    CHECK(holds(path, "headthe body"));
    CHECK(!mf_system_map(&file, path, HEAD + BODY - 1));
    CHECK(!mf_system_map(&file, path, HEAD + BODY + 1));
    CHECK(mf_system_save(path, body, BODY, head, HEAD));
    CHECK(holds(path, "the bodyhead"));
    CHECK(!mf_system_save(".", head, HEAD, body, BODY));
    CHECK(!mf_system_save("no such folder/tables", head, HEAD, body, BODY));
}

#if defined(_WIN32)
/* Nobody writes it meanwhile, in either order. */
static void test_writer(const char *path)
{
    mf_system_file mapped;

    test_case("a file that is mapped is not written");
    CHECK(mf_system_map(&mapped, path, HEAD + BODY));
    CHECK(fopen(path, "r+b") == NULL);
    CHECK(!mf_system_save(path, head, HEAD, body, BODY));
    mf_system_unmap(&mapped);
    FILE *writer = fopen(path, "r+b");
    CHECK(writer != NULL && !mf_system_map(&mapped, path, HEAD + BODY));
    if (writer != NULL) {
        (void)fclose(writer);
    }
    CHECK(holds(path, "the bodyhead"));
}
#endif

int main(void)
{
    const char *const ascii = "test_system_use.tmp";

    test_memory();
    test_pages();
    for (unsigned n = 0; n < 6; n++) {
        test_threads(n);
    }
    test_file(ascii);
#if defined(_WIN32)
    test_writer(ascii);
    test_file("gr\xC3\xB6\xC3\x9F"
              "e.tmp");
    (void)_wremove(L"gr\u00F6\u00DFe.tmp");
#endif
    CHECK(remove(ascii) == 0);
    return test_end();
}
