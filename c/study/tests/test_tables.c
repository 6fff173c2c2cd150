/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The shared tables: what is in them, who may build them and when, cancelling, refused memory,
 * files that are damaged, too short, of another kind, or cannot be written; and the kernels before,
 * with and after them. The huge ones are left out where long loops are.
 */
#define _DEFAULT_SOURCE   /* MAP_ANONYMOUS */
#define _XOPEN_SOURCE 700 /* mkdtemp, setrlimit */
#if defined(__APPLE__) && !defined(_DARWIN_C_SOURCE)
#define _DARWIN_C_SOURCE /* as _DEFAULT_SOURCE */
#endif
#if !defined(_FILE_OFFSET_BITS) && !defined(__LP64__)
#define _FILE_OFFSET_BITS 64 /* as in system_posix.c */
#endif

#include "meet.h"
#include "support.h"

#include <manyfish/study/tables.h>

#ifdef INTERNAL
#include "tables.h"
#endif

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = MF_TWOFISH_BLOCK_BYTES };

static const mf_twofish_tables BIG = MF_TWOFISH_TABLES_BIG;
static const mf_twofish_tables HUGE = MF_TWOFISH_TABLES_HUGE;

static const size_t bytes_of[] = {0, MF_TWOFISH_TABLES_BIG_BYTES, MF_TWOFISH_TABLES_HUGE_BYTES};
static const char *const name_of[] = {"", "big", "huge"};

static unsigned char key[MF_TWOFISH_MAX_KEY_BYTES], text[5 * BLOCK];

static mf_status build(mf_twofish_tables which)
{
    return mf_twofish_tables_build(which, 0, NULL, NULL);
}

/* --- The kernels ------------------------------------------------------------------------------ */

/* The answers of the kernels that need these tables, while these are ready and while not. */
static void check_kernels(mf_twofish_tables which, bool ready)
{
    size_t n_kernels = 0;

    CHECK(mf_twofish_tables_ready(which) == ready);
    for (size_t i = 0; i < mf_twofish_kernel_count(); i++) {
        mf_kernel_info info;
        mf_twofish ctx;

        CHECK_STATUS(mf_twofish_kernel_info(i, &info), MF_OK);
        if (info.shared_bytes == bytes_of[which]) {
            n_kernels++;
            CHECK(info.runnable == ready && !info.is_default && !info.constant_time);
            CHECK_STATUS(mf_twofish_init_kernel(&ctx, info.name, key, 16),
                         ready ? MF_OK : MF_ERROR_TABLES);
            CHECK((mf_twofish_kernel_name(&ctx) != NULL) == ready);
            CHECK_STATUS(mf_twofish_selftest(info.name), ready ? MF_OK : MF_ERROR_TABLES);
        }
    }
    CHECK(n_kernels == (which == BIG ? 2 : 1));
}

static void test_absent(mf_twofish_tables which)
{
    test_case("%s tables, not built", name_of[which]);
    check_kernels(which, false);
    mf_twofish_tables_release(which);
    CHECK_STATUS(mf_twofish_tables_save(which, "tables"), MF_ERROR_TABLES);
    CHECK_STATUS(mf_twofish_tables_save(which, NULL), MF_ERROR_NULL);
    CHECK_STATUS(mf_twofish_tables_open(which, NULL, 0, NULL, NULL), MF_ERROR_NULL);
    check_kernels(which, false);
}

static void test_unknown(void)
{
    const unsigned numbers[] = {0, 3, 4, 1000};

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        const mf_twofish_tables which = (mf_twofish_tables)numbers[i];

        test_case("tables of number %u", numbers[i]);
        CHECK_STATUS(build(which), MF_ERROR_TABLES);
        CHECK_STATUS(mf_twofish_tables_open(which, "tables", 0, NULL, NULL), MF_ERROR_TABLES);
        CHECK_STATUS(mf_twofish_tables_save(which, "tables"), MF_ERROR_TABLES);
        CHECK(!mf_twofish_tables_ready(which));
        mf_twofish_tables_release(which);
    }
}

/* Keys go on after the tables are gone, but those of full-huge wait for new ones. */
static void check_outlives(const char *kernel, mf_twofish_tables which)
{
    unsigned char before[sizeof text], after[sizeof text];
    mf_twofish ctx;

    test_case("%s, after its tables", kernel);
    CHECK_STATUS(build(which), MF_OK);
    CHECK_STATUS(mf_twofish_init_kernel(&ctx, kernel, key, 16), MF_OK);
    CHECK_STATUS(mf_twofish_encrypt_blocks(&ctx, before, text, sizeof text / BLOCK), MF_OK);
    mf_twofish_tables_release(which);
    check_kernels(which, false);
    if (which == HUGE) {
        CHECK_STATUS(build(which), MF_OK);
    }
    CHECK_STATUS(mf_twofish_encrypt_blocks(&ctx, after, text, sizeof text / BLOCK), MF_OK);
    CHECK_BYTES(after, before, sizeof after);
    CHECK_STATUS(mf_twofish_decrypt_blocks(&ctx, after, after, sizeof text / BLOCK), MF_OK);
    CHECK_BYTES(after, text, sizeof after);
    mf_twofish_wipe(&ctx);
    mf_twofish_tables_release(which);
}

/* A kernel that takes short keys only. */
static void test_long_keys(void)
{
    static const mf_twofish nothing;
    mf_twofish ctx;

    CHECK_STATUS(build(HUGE), MF_OK);
    for (size_t n_bytes = 17; n_bytes <= sizeof key; n_bytes++) {
        test_case("full-huge, key of %zu bytes", n_bytes);
        CHECK_STATUS(mf_twofish_init_kernel(&ctx, "full-huge", key, 16), MF_OK);
        CHECK_STATUS(mf_twofish_init_kernel(&ctx, "full-huge", key, n_bytes), MF_ERROR_KEY_LENGTH);
        CHECK_BYTES(&ctx, &nothing, sizeof ctx);
    }
    mf_twofish_tables_release(HUGE);
}

/* --- What is in them -------------------------------------------------------------------------- */

#ifdef INTERNAL

/* Every entry against the layers of h that `zero` works with; of the huge tables all, or some
 * rows. */
static void test_big_entries(void)
{
    test_case("big tables, entry by entry");
    CHECK_STATUS(build(BIG), MF_OK);
    const uint8_t *big = mf_twofish_shared(BIG);
    for (size_t at = 0; at < MF_TWOFISH_TABLES_BIG_BYTES; at++) {
        const unsigned j = (unsigned)(at >> 16);
        const uint32_t L[2] = {0, (uint32_t)(at >> 8 & 0xFF) << 8 * j};

        if (!CHECK(big[at] == mf_twofish_layers(2, 0, j, L, at & 0xFF))) {
            break;
        }
    }
    mf_twofish_tables_release(BIG);
}

static void test_huge_entries(void)
{
    const size_t step = test_long() ? 1 : 7;

    test_case("huge tables, entry by entry, each row in %zu", step);
    CHECK_STATUS(build(HUGE), MF_OK);
    const uint32_t *huge = mf_twofish_shared(HUGE);
    bool right = true;
    for (size_t row = 0; row < 4 * 0x10000; row += step) {
        const unsigned j = (unsigned)(row >> 16);
        const uint32_t L[2] = {(uint32_t)(row & 0xFF) << 8 * j, (uint32_t)(row >> 8 & 0xFF)
                                                                    << 8 * j};
        for (uint32_t x = 0; x < 256; x++) {
            right &= huge[256 * row + x] == mf_twofish_mds[j][mf_twofish_layers(2, 0, j, L, x)];
        }
    }
    CHECK(right);
    mf_twofish_tables_release(HUGE);
}

#endif

#ifdef INTERNAL
/* The system refuses to write there, as it does to each function that would. */
static void test_sealed(void)
{
    test_case("tables are for reading only");
    CHECK_STATUS(build(BIG), MF_OK);
    const int zeros = open("/dev/zero", O_RDONLY);
    if (CHECK(zeros >= 0)) {
        const ssize_t n = read(zeros, (void *)mf_twofish_shared(BIG), BLOCK);
        CHECK(n == -1 && errno == EFAULT);
        CHECK(close(zeros) == 0);
    }
    mf_twofish_tables_release(BIG);
}
#endif

/* --- Building --------------------------------------------------------------------------------- */

/* The calls that a progress function got. */
typedef struct told {
    size_t n_calls;
    size_t cancel_at; /* this call returns false; 0: none */
    size_t done_bytes, all_bytes;
    bool in_order;
} told;

static bool listen(void *context, size_t done_bytes, size_t all_bytes)
{
    told *t = (told *)context;

    t->n_calls++;
    t->in_order = t->in_order && done_bytes > t->done_bytes && done_bytes <= all_bytes;
    t->done_bytes = done_bytes;
    t->all_bytes = all_bytes;
    return t->n_calls != t->cancel_at;
}

static void test_progress(mf_twofish_tables which, unsigned n_threads)
{
    told t = {.in_order = true};

    test_case("%s tables, progress, %u threads", name_of[which], n_threads);
    CHECK_STATUS(mf_twofish_tables_build(which, n_threads, listen, &t), MF_OK);
    /* Where threads outnumber cores, the others may have done all before this one runs again. */
    CHECK(t.in_order && t.n_calls >= (n_threads == 1 ? 64 : 1) && t.n_calls <= 64);
    CHECK(t.done_bytes == bytes_of[which] && t.all_bytes == bytes_of[which]);
    check_kernels(which, true);

    test_case("%s tables, ready already", name_of[which]);
    const size_t n_calls = t.n_calls;
    CHECK_STATUS(mf_twofish_tables_build(which, n_threads, listen, &t), MF_OK);
    CHECK_STATUS(mf_twofish_tables_open(which, "no such file", n_threads, listen, &t), MF_OK);
    CHECK(t.n_calls == n_calls);
    mf_twofish_tables_release(which);
    check_kernels(which, false);
}

static void test_cancelling(mf_twofish_tables which, size_t cancel_at)
{
    told t = {.cancel_at = cancel_at, .in_order = true};

    test_case("%s tables, cancelled at call %zu", name_of[which], cancel_at);
    const unsigned n_threads = cancel_at == 1 ? 3 : 1; /* one call comes in any case */
    CHECK_STATUS(mf_twofish_tables_build(which, n_threads, listen, &t), MF_ERROR_CANCELLED);
    CHECK(t.n_calls == cancel_at && t.in_order);
    check_kernels(which, false);
}

/* Emulators that run in the address space themselves pretend to limit it. */
static bool limit_holds(const struct rlimit *limit)
{
    struct rlimit found;

    return getrlimit(RLIMIT_AS, &found) == 0 && found.rlim_cur == limit->rlim_cur;
}

/* An address space in which nothing more has room. */
static void test_no_memory(mf_twofish_tables which)
{
    struct rlimit before, none;

    test_case("%s tables, no memory", name_of[which]);
    CHECK(getrlimit(RLIMIT_AS, &before) == 0);
    none = before;
    none.rlim_cur = 1 << 20;
    if (!CHECK(setrlimit(RLIMIT_AS, &none) == 0)) {
        return;
    }
    if (!limit_holds(&none)) {
        CHECK(setrlimit(RLIMIT_AS, &before) == 0);
        test_skip("%s tables, no memory: this system does not limit it", name_of[which]);
        return;
    }
    const mf_status status = build(which);
    CHECK(setrlimit(RLIMIT_AS, &before) == 0);
    CHECK_STATUS(status, MF_ERROR_MEMORY);
    check_kernels(which, false);
}

/* --- Many threads ----------------------------------------------------------------------------- */

enum { N_THREADS = 12 };

static atomic_uint n_met;

typedef struct builder {
    mf_twofish_tables which;
    told heard;
    mf_status status, set_up;
    mf_twofish ctx;
} builder;

static void *build_and_use(void *argument)
{
    builder *b = (builder *)argument;
    const char *kernel = b->which == BIG ? "full-big" : "full-huge";

    meet(&n_met, N_THREADS);
    b->status = mf_twofish_tables_build(b->which, 2, listen, &b->heard);
    b->set_up = mf_twofish_init_kernel(&b->ctx, kernel, key, 16);
    return NULL;
}

/* One builds; the others find what it has built. */
static void test_many_builders(mf_twofish_tables which)
{
    static builder builders[N_THREADS];
    pthread_t threads[N_THREADS];
    size_t n_told = 0;

    test_case("%s tables, wanted by %d threads at once", name_of[which], (int)N_THREADS);
    for (size_t i = 0; i < N_THREADS; i++) {
        const builder fresh = {.which = which, .heard = {.in_order = true}};
        builders[i] = fresh;
        CHECK(pthread_create(&threads[i], NULL, build_and_use, &builders[i]) == 0);
    }
    for (size_t i = 0; i < N_THREADS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
        CHECK_STATUS(builders[i].status, MF_OK);
        CHECK_STATUS(builders[i].set_up, MF_OK);
        CHECK_BYTES(&builders[i].ctx, &builders[0].ctx, sizeof builders[i].ctx);
        n_told += builders[i].heard.n_calls > 0;
    }
    CHECK(n_told == 1);
    check_kernels(which, true);
    mf_twofish_tables_release(which);
}

/* --- Files ------------------------------------------------------------------------------------ */

static char folder[] = "/tmp/manyfish-tables-XXXXXX";

/* Each thread has its own. */
static const char *path_of(const char *name)
{
    static _Thread_local char path[sizeof folder + 100];

    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

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

/* An open that must fail and leave nothing behind. */
static void check_refused(const char *path)
{
    CHECK_STATUS(mf_twofish_tables_open(BIG, path, 1, NULL, NULL), MF_ERROR_FILE);
    check_kernels(BIG, false);
}

static void check_accepted(const char *path)
{
    CHECK_STATUS(mf_twofish_tables_open(BIG, path, 1, NULL, NULL), MF_OK);
    check_kernels(BIG, true);
    mf_twofish_tables_release(BIG);
    check_kernels(BIG, false);
}

static void save(mf_twofish_tables which, const char *path)
{
    CHECK_STATUS(build(which), MF_OK);
    CHECK_STATUS(mf_twofish_tables_save(which, path), MF_OK);
    mf_twofish_tables_release(which);
}

/* A file is for reading only, so that tests, too, have to make it writable. */
static void flip(const char *path, long at)
{
    CHECK(chmod(path, 0600) == 0);
    FILE *file = fopen(path, "r+b");

    if (CHECK(file != NULL)) {
        CHECK(fseek(file, at, SEEK_SET) == 0);
        const int byte = fgetc(file);
        CHECK(byte != EOF && fseek(file, at, SEEK_SET) == 0);
        CHECK(fputc(byte ^ 0x40, file) != EOF);
        CHECK(fclose(file) == 0);
    }
}

static void test_damage(void)
{
    const long size = MF_TWOFISH_TABLES_BIG_BYTES + 4096;
    const long places[] = {0, 15, 16, 20, 24, 28, 100, 4095, 4096, size / 2, size - 1};
    const char *path = path_of("damaged");

    save(BIG, path);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        test_case("file, byte %ld damaged", places[i]);
        flip(path, places[i]);
        check_refused(path);
        flip(path, places[i]);
        check_accepted(path);
    }
    const long sizes[] = {0, 1, 4095, 4096, 4097, size - 1, size + 1};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        test_case("file of %ld bytes", sizes[i]);
        save(BIG, path);
        CHECK(chmod(path, 0600) == 0 && truncate(path, sizes[i]) == 0);
        check_refused(path);
    }
    CHECK(unlink(path) == 0);
}

static void test_permissions(void)
{
    const char *path = path_of("writable");
    const mode_t modes[] = {0464, 0446, 0666};

    save(BIG, path);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        test_case("file that may be written by others, mode %o", (unsigned)modes[i]);
        CHECK(chmod(path, modes[i]) == 0);
        check_refused(path);
    }
    test_case("file for its owner only");
    CHECK(chmod(path, 0600) == 0);
    check_accepted(path);
    CHECK(unlink(path) == 0);
}

static void test_no_file(void)
{
    const char *pipe = path_of("pipe");

    test_case("a pipe, a folder, nothing at all");
    CHECK(mkfifo(pipe, 0600) == 0);
    check_refused(pipe);
    CHECK(unlink(pipe) == 0);
    check_refused(folder);
    check_refused(path_of("missing"));
    check_refused("");
}

static void test_saving(void)
{
    const char *path = path_of("big");
    struct stat s;

    test_case("a file is replaced, and readable by all");
    save(BIG, path);
    save(BIG, path);
    CHECK(stat(path, &s) == 0 && (s.st_mode & 07777) == 0444 && n_files() == 1);
    check_accepted(path);

    test_case("tables from a file, saved again while it is mapped");
    CHECK_STATUS(mf_twofish_tables_open(BIG, path, 0, NULL, NULL), MF_OK);
    CHECK_STATUS(mf_twofish_tables_save(BIG, path), MF_OK);
    check_kernels(BIG, true);
    mf_twofish_tables_release(BIG);
    check_accepted(path);

    test_case("opening, cancelled");
    told t = {.cancel_at = 2, .in_order = true};
    CHECK_STATUS(mf_twofish_tables_open(BIG, path, 1, listen, &t), MF_ERROR_CANCELLED);
    CHECK(t.n_calls == 2);
    check_kernels(BIG, false);
    CHECK(unlink(path) == 0);
}

/* Nothing new may be there, and the old file as it was. */
static void check_not_saved(const char *path)
{
    CHECK_STATUS(build(BIG), MF_OK);
    CHECK_STATUS(mf_twofish_tables_save(BIG, path), MF_ERROR_FILE);
    mf_twofish_tables_release(BIG);
}

/* Root may write everywhere, so it is somebody else for a while. */
static void test_unwritable_folder(void)
{
    const uid_t user = geteuid();
    const uid_t nobody = 65534;

    if (user == 0 && seteuid(nobody) != 0) {
        test_skip("a folder that may not be written: root may, and cannot be another user");
        return;
    }
    test_case("a folder that may not be written");
    CHECK(user == 0 || chmod(folder, 0500) == 0);
    check_not_saved(path_of("big"));
    CHECK(user == 0 ? seteuid(user) == 0 : chmod(folder, 0700) == 0);
    CHECK(n_files() == 0);
}

static void test_not_saved(void)
{
    const char *path = path_of("old");
    struct rlimit before, small;

    test_case("no room on the disk");
    save(BIG, path);
    CHECK(getrlimit(RLIMIT_FSIZE, &before) == 0);
    small = before;
    small.rlim_cur = 100000;
    (void)signal(SIGXFSZ, SIG_IGN);
    CHECK(setrlimit(RLIMIT_FSIZE, &small) == 0);
    check_not_saved(path);
    CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
    CHECK(n_files() == 1);
    check_accepted(path);
    CHECK(unlink(path) == 0);

    test_case("where no file can be");
    check_not_saved(folder);
    check_not_saved("/dev/null");
    check_not_saved("");
    check_not_saved(path_of("no/folder"));
    CHECK(n_files() == 0);
    test_unwritable_folder();
}

/* The head, in the machine's own order of bytes, and the tables as they are in memory. */
static void test_format(void)
{
    static const char name[] = "manyfish tables\n";
    static unsigned char bytes[4096 + MF_TWOFISH_TABLES_BIG_BYTES + 1];
    const uint32_t numbers[] = {1, 0x01020304, (uint32_t)BIG};
    const char *path = path_of("format");

    test_case("what is in a file");
    save(BIG, path);
    FILE *file = fopen(path, "rb");
    if (!CHECK(file != NULL)) {
        return;
    }
    CHECK(fread(bytes, 1, sizeof bytes, file) == sizeof bytes - 1);
    CHECK(fclose(file) == 0 && unlink(path) == 0);
    CHECK_BYTES(bytes, name, sizeof name - 1);
    CHECK_BYTES(bytes + sizeof name - 1, numbers, sizeof numbers);
    CHECK(all_bytes_are(bytes + 28, 4096 - 28, 0));
#ifdef INTERNAL
    CHECK_STATUS(build(BIG), MF_OK);
    CHECK_BYTES(bytes + 4096, mf_twofish_shared(BIG), MF_TWOFISH_TABLES_BIG_BYTES);
    mf_twofish_tables_release(BIG);
#endif
}

/* A link is followed to be read, and never replaced: it may be there for a reason. */
static void test_links(void)
{
    char target[sizeof folder + 100], link[sizeof folder + 100];
    struct stat s;

    (void)snprintf(target, sizeof target, "%s", path_of("target"));
    (void)snprintf(link, sizeof link, "%s", path_of("link"));
    test_case("a symbolic link that leads nowhere");
    CHECK(symlink(target, link) == 0);
    check_refused(link);
    check_not_saved(link);
    test_case("a symbolic link to a file");
    save(BIG, target);
    check_accepted(link);
    check_not_saved(link);
    CHECK(lstat(link, &s) == 0 && S_ISLNK(s.st_mode) && n_files() == 2);
    CHECK(unlink(link) == 0 && unlink(target) == 0);
}

/* Only root can give files away. */
static void test_owners(void)
{
    const uid_t nobody = 65534;
    const char *path = path_of("foreign");

    if (geteuid() != 0 || chmod(folder, 0711) != 0 || seteuid(nobody) != 0) {
        test_skip("files of other users: only root can make them");
        return;
    }
    CHECK(seteuid(0) == 0);
    save(BIG, path);
    test_case("a file of root, for another user");
    CHECK(seteuid(nobody) == 0);
    check_accepted(path);
    CHECK(seteuid(0) == 0);
    test_case("a file of another user, for root");
    CHECK(chown(path, nobody, (gid_t)-1) == 0);
    check_refused(path);
    test_case("a file of another user, for its owner");
    CHECK(seteuid(nobody) == 0);
    check_accepted(path);
    CHECK(seteuid(0) == 0 && chmod(folder, 0700) == 0 && unlink(path) == 0);
}

/* Pages of address space that are mapped, or 0 where that cannot be known. Of the lists of the
 * system this is the one in which an emulator shows the memory of the program, not its own. */
static unsigned long pages(void)
{
    FILE *file = fopen("/proc/self/maps", "r");
    unsigned long n = 0, from = 0, to = 0;

    if (file != NULL) {
        while (fscanf(file, "%lx-%lx%*[^\n]", &from, &to) == 2) {
            n += to - from;
        }
        (void)fclose(file);
    }
    return n / (unsigned long)sysconf(_SC_PAGESIZE);
}

/* The next file to be opened gets the least number that is free. */
static int free_number(void)
{
    const int file = open("/dev/null", O_RDONLY);
    (void)close(file);
    return file;
}

static void open_and_cancel(const char *good, const char *bad)
{
    told t = {.cancel_at = 2, .in_order = true};

    CHECK_STATUS(mf_twofish_tables_build(BIG, 1, listen, &t), MF_ERROR_CANCELLED);
    CHECK_STATUS(mf_twofish_tables_build(BIG, 1, NULL, NULL), MF_OK);
    CHECK_STATUS(mf_twofish_tables_save(BIG, good), MF_OK);
    mf_twofish_tables_release(BIG);
    CHECK_STATUS(mf_twofish_tables_open(BIG, good, 1, NULL, NULL), MF_OK);
    mf_twofish_tables_release(BIG);
    CHECK_STATUS(mf_twofish_tables_open(BIG, bad, 1, NULL, NULL), MF_ERROR_FILE);
}

/* Of what is cancelled, refused and released no page and no file stays. */
static void test_given_back(void)
{
    enum { TIMES = 60 };
    char good[sizeof folder + 100], bad[sizeof folder + 100];

    (void)snprintf(good, sizeof good, "%s", path_of("good"));
    (void)snprintf(bad, sizeof bad, "%s", path_of("bad"));
    save(BIG, bad);
    flip(bad, MF_TWOFISH_TABLES_BIG_BYTES);
    test_case("what is given back");
    open_and_cancel(good, bad);
    const unsigned long before = pages();
    const int number = free_number();
    for (size_t i = 0; i < TIMES; i++) {
        open_and_cancel(good, bad);
    }
    CHECK(free_number() == number);
    if (before == 0 || TEST_SANITIZED) {
        test_skip("pages that are given back: they cannot be counted here");
    } else {
        CHECK(pages() < before + TIMES);
    }
    CHECK(unlink(good) == 0 && unlink(bad) == 0);
}

/* Memory of somebody else where tables from a file were: it is not given back with later ones. */
static void test_taken_place(void)
{
    enum { PLACES = 4 };
    const size_t n_bytes = 4096 + MF_TWOFISH_TABLES_BIG_BYTES;
    const char *path = path_of("place");
    void *places[PLACES];

    save(BIG, path);
    test_case("tables are built after those of a file were released");
    check_accepted(path);
    for (size_t i = 0; i < PLACES; i++) {
        places[i] = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        CHECK(places[i] != MAP_FAILED);
    }
    CHECK_STATUS(build(BIG), MF_OK);
    mf_twofish_tables_release(BIG);
    for (size_t i = 0; i < PLACES; i++) {
        memset(places[i], 1, n_bytes);
        CHECK(munmap(places[i], n_bytes) == 0);
    }
    CHECK(unlink(path) == 0);
}

static void test_huge_given_back(void)
{
    enum { FEW = 16 };
    told t = {.cancel_at = 1, .in_order = true};
    const unsigned long before = pages();
    const unsigned long huge_pages =
        MF_TWOFISH_TABLES_HUGE_BYTES / (unsigned long)sysconf(_SC_PAGESIZE);

    test_case("huge tables, given back");
    if (before == 0 || TEST_SANITIZED) {
        return;
    }
    CHECK_STATUS(mf_twofish_tables_build(HUGE, 1, NULL, NULL), MF_OK);
    CHECK(pages() >= before + huge_pages && pages() < before + huge_pages + FEW);
    mf_twofish_tables_release(HUGE);
    CHECK_STATUS(mf_twofish_tables_build(HUGE, 1, listen, &t), MF_ERROR_CANCELLED);
    CHECK(pages() < before + FEW);
}

static void *build_open_or_save(void *argument)
{
    const size_t i = *(const size_t *)argument;
    const char *path = path_of("by-many");
    mf_status status = MF_OK;

    meet(&n_met, N_THREADS);
    for (size_t n = 0; n < 4 && status == MF_OK; n++) {
        switch ((i + n) % 3) {
        case 0:
            status = mf_twofish_tables_build(BIG, 0, NULL, NULL);
            break;
        case 1:
            status = mf_twofish_tables_open(BIG, path, 0, NULL, NULL);
            break;
        default:
            status = mf_twofish_tables_save(BIG, path);
            status = status == MF_ERROR_TABLES ? MF_OK : status;
            break;
        }
    }
    return status == MF_OK ? argument : NULL;
}

/* In any order, all find tables, and a whole file. */
static void test_many_users(void)
{
    const char *path = path_of("by-many");
    pthread_t threads[N_THREADS];
    size_t numbers[N_THREADS];

    save(BIG, path);
    test_case("tables built, opened and saved by %d threads at once", (int)N_THREADS);
    for (size_t i = 0; i < N_THREADS; i++) {
        numbers[i] = i;
        CHECK(pthread_create(&threads[i], NULL, build_open_or_save, &numbers[i]) == 0);
    }
    for (size_t i = 0; i < N_THREADS; i++) {
        void *good = NULL;
        CHECK(pthread_join(threads[i], &good) == 0 && good != NULL);
    }
    check_kernels(BIG, true);
    mf_twofish_tables_release(BIG);
    check_accepted(path);
    CHECK(n_files() == 1 && unlink(path) == 0);
}

static void test_huge_file(void)
{
    const char *path = path_of("huge");

    test_case("huge tables in a file");
    save(HUGE, path);
    CHECK_STATUS(mf_twofish_tables_open(HUGE, path, 0, NULL, NULL), MF_OK);
    check_kernels(HUGE, true);
    mf_twofish_tables_release(HUGE);
    flip(path, 200000001);
    CHECK_STATUS(mf_twofish_tables_open(HUGE, path, 0, NULL, NULL), MF_ERROR_FILE);
    check_kernels(HUGE, false);
    CHECK(unlink(path) == 0);
}

static void test_files(void)
{
    if (!CHECK(mkdtemp(folder) != NULL)) {
        return;
    }
    test_damage();
    test_permissions();
    test_no_file();
    test_saving();
    test_not_saved();
    test_format();
    test_links();
    test_owners();
    test_given_back();
    test_taken_place();
    test_many_users();
    if (test_long()) {
        test_huge_file();
    }
    CHECK(n_files() == 0 && rmdir(folder) == 0);
}

static void test_big(void)
{
    test_absent(BIG);
#ifdef INTERNAL
    test_big_entries();
    test_sealed();
#endif
    test_progress(BIG, 1);
    test_progress(BIG, 0);
    for (size_t cancel_at = 1; cancel_at <= 64; cancel_at += 21) {
        test_cancelling(BIG, cancel_at);
    }
    check_outlives("full-big", BIG);
    check_outlives("partial-big", BIG);
    test_many_builders(BIG);
}

static void test_huge(void)
{
    test_absent(HUGE);
    test_cancelling(HUGE, 1);
    if (test_quick()) {
        test_skip("huge tables: they take long to build here");
        return;
    }
#ifdef INTERNAL
    test_huge_entries();
#endif
    test_huge_given_back();
    test_progress(HUGE, 1);
    test_progress(HUGE, 5);
    test_progress(HUGE, 10000);
    test_cancelling(HUGE, 2);
    check_outlives("full-huge", HUGE);
    test_long_keys();
    test_many_builders(HUGE);
}

int main(void)
{
    random_bytes(key, sizeof key);
    random_bytes(text, sizeof text);
    test_unknown();
    test_big();
    test_huge();
    if (TEST_SANITIZED) {
        test_skip("no memory: this build needs more than other ones");
    } else {
        test_no_memory(BIG);
        test_no_memory(HUGE);
    }
    test_files();
    return test_end();
}
