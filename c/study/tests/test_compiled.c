/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Compiled keying, with one view of the code and with two: its results beside those of a kernel,
 * its code (when it is writable, what is left in it), systems that refuse memory or code, threads,
 * children, and bad input. The vectors are in test_vectors.c.
 *
 * This program has its own mprotect and munmap, through which it sees and refuses what the library
 * asks for; not under sanitizers, which have theirs, nor on processors of 32 bits, which have no
 * code.
 */
#define _GNU_SOURCE /* syscall */

#include "support.h"

#include <manyfish/study/compiled.h>
#include <manyfish/study/tables.h>

#include <string.h>

enum { BLOCK = MF_TWOFISH_BLOCK_BYTES, MAX_BLOCKS = 13 };

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WATCHED 0
#endif
#endif
#if defined(WATCHED)
/* no, as above */
#elif defined(__linux__) && defined(__LP64__) && !TEST_SANITIZED && !defined(__SANITIZE_THREAD__)
#define WATCHED 1
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#else
#define WATCHED 0
#endif

static const unsigned char some_key[MF_TWOFISH_MAX_KEY_BYTES] = {1, 2, 3};
static const unsigned char other_key[MF_TWOFISH_MAX_KEY_BYTES] = {4, 5, 6};

/* 0 or MF_COMPILED_TWO_VIEWS: of all objects. */
static unsigned views;

static mf_twofish_compiled *new_object_set_up(unsigned flags)
{
    mf_twofish_compiled *c = NULL;

    CHECK_STATUS(mf_twofish_compiled_new(&c, MF_COMPILED_OR_FULL | views | flags), MF_OK);
    CHECK(c != NULL);
    return c;
}

/* An object that works in any case. */
static mf_twofish_compiled *new_object(void)
{
    return new_object_set_up(0);
}

/* Does the object encrypt and decrypt under this key? True too if it should have none and has
 * none. */
static bool works(const mf_twofish_compiled *c, const unsigned char *key, size_t key_bytes)
{
    unsigned char text[5 * BLOCK], expected[sizeof text], found[sizeof text];
    mf_twofish zero;
    bool good = mf_twofish_init_kernel(&zero, "zero", key, key_bytes) == MF_OK;

    for (size_t i = 0; i < sizeof text; i++) {
        text[i] = (unsigned char)(7 * i);
    }
    good = good && mf_twofish_encrypt_blocks(&zero, expected, text, 5) == MF_OK;
    good = good && mf_twofish_compiled_encrypt_blocks(c, found, text, 5) == MF_OK;
    good = good && memcmp(found, expected, sizeof found) == 0;
    good = good && mf_twofish_compiled_decrypt_blocks(c, found, found, 5) == MF_OK;
    good = good && memcmp(found, text, sizeof found) == 0;
    mf_twofish_wipe(&zero);
    return good;
}

static bool has_no_key(const mf_twofish_compiled *c)
{
    unsigned char block[BLOCK] = {0};

    return mf_twofish_compiled_encrypt_blocks(c, block, block, 1) == MF_ERROR_NO_KEY &&
           mf_twofish_compiled_decrypt_blocks(c, block, block, 1) == MF_ERROR_NO_KEY &&
           all_bytes_are(block, sizeof block, 0);
}

/* --- Results ---------------------------------------------------------------------------------- */

static void check_blocks(const mf_twofish_compiled *c, const mf_twofish *zero, size_t n)
{
    static guarded out;
    unsigned char in[MAX_BLOCKS * BLOCK], expected[MAX_BLOCKS * BLOCK];
    unsigned char *place;

    random_bytes(in, sizeof in);
    CHECK_STATUS(mf_twofish_encrypt_blocks(zero, expected, in, n), MF_OK);
    place = guarded_place(&out, random_below(16), NULL, n * BLOCK);
    CHECK_STATUS(mf_twofish_compiled_encrypt_blocks(c, place, in, n), MF_OK);
    CHECK_BYTES(place, expected, n * BLOCK);
    CHECK(guarded_intact(&out, place, n * BLOCK));

    CHECK_STATUS(mf_twofish_decrypt_blocks(zero, expected, in, n), MF_OK);
    place = guarded_place(&out, random_below(16), in, n * BLOCK);
    CHECK_STATUS(mf_twofish_compiled_decrypt_blocks(c, place, place, n), MF_OK);
    CHECK_BYTES(place, expected, n * BLOCK);
    CHECK(guarded_intact(&out, place, n * BLOCK));
}

/* One object for all keys. */
static void test_results(size_t key_bytes, unsigned set_up)
{
    unsigned char key[MF_TWOFISH_MAX_KEY_BYTES];
    mf_twofish_compiled *c = new_object_set_up(set_up);
    mf_twofish zero;

    for (int i = 0; i < (test_quick() ? 5 : 50); i++) {
        test_case("against zero, set-up %u, %zu bytes of key, key %d", set_up, key_bytes, i);
        random_bytes(key, sizeof key);
        CHECK_STATUS(mf_twofish_init_kernel(&zero, "zero", key, key_bytes), MF_OK);
        CHECK_STATUS(mf_twofish_compiled_set_key(c, key, key_bytes), MF_OK);
        for (size_t n = 1; n <= MAX_BLOCKS; n++) {
            check_blocks(c, &zero, n);
        }
    }
    mf_twofish_wipe(&zero);
    mf_twofish_compiled_free(c);
}

static void test_all_results(void)
{
    for (const size_t *n = key_sizes; *n != 0; n++) {
        test_results(*n, 0);
        test_results(*n, MF_COMPILED_CT_SET_UP);
        test_results(*n, MF_COMPILED_BIG);
    }
    if (mf_twofish_tables_ready(MF_TWOFISH_TABLES_HUGE)) {
        test_results(16, MF_COMPILED_HUGE);
    } else {
        test_skip("set-up by the huge tables: they take long to build here");
    }
}

static void test_cipher(void)
{
    mf_twofish_compiled *c = new_object();
    const mf_cipher cipher = mf_twofish_compiled_cipher(c);
    const mf_cipher none = mf_twofish_compiled_cipher(NULL);
    unsigned char text[6 * BLOCK] = {1}, found[sizeof text], expected[sizeof text];
    mf_twofish zero;

    test_case("as a cipher for modes");
    CHECK(cipher.block_bytes == BLOCK);
    CHECK_STATUS(mf_ecb_encrypt(&cipher, found, text, sizeof text), MF_ERROR_NO_KEY);
    CHECK_STATUS(mf_ecb_encrypt(&none, found, text, sizeof text), MF_ERROR_NO_KEY);
    CHECK_STATUS(mf_twofish_compiled_set_key(c, some_key, 24), MF_OK);
    CHECK_STATUS(mf_twofish_init_kernel(&zero, "zero", some_key, 24), MF_OK);
    CHECK_STATUS(mf_twofish_encrypt_blocks(&zero, expected, text, 6), MF_OK);
    CHECK_STATUS(mf_ecb_encrypt(&cipher, found, text, sizeof text), MF_OK);
    CHECK_BYTES(found, expected, sizeof text);
    CHECK_STATUS(mf_ecb_decrypt(&cipher, found, found, sizeof text), MF_OK);
    CHECK_BYTES(found, text, sizeof text);
    mf_twofish_compiled_free(c);
}

/* Several objects, used in turn, do not disturb each other. */
static void test_two_objects(void)
{
    mf_twofish_compiled *a = new_object();
    mf_twofish_compiled *b = new_object();

    test_case("two objects");
    CHECK_STATUS(mf_twofish_compiled_set_key(a, some_key, 16), MF_OK);
    CHECK_STATUS(mf_twofish_compiled_set_key(b, other_key, 32), MF_OK);
    CHECK(works(a, some_key, 16) && works(b, other_key, 32));
    CHECK_STATUS(mf_twofish_compiled_set_key(a, other_key, 24), MF_OK);
    CHECK(works(a, other_key, 24) && works(b, other_key, 32));
    mf_twofish_compiled_free(a);
    CHECK(works(b, other_key, 32));
    mf_twofish_compiled_free(b);
}

/* --- Bad input -------------------------------------------------------------------------------- */

static void check_key_refused(mf_twofish_compiled *c, const void *key, size_t key_bytes,
                              mf_status expected)
{
    CHECK_STATUS(mf_twofish_compiled_set_key(c, some_key, 16), MF_OK);
    CHECK(works(c, some_key, 16));
    CHECK_STATUS(mf_twofish_compiled_set_key(c, key, key_bytes), expected);
    CHECK(has_no_key(c));
}

static void test_bad_keys(void)
{
    static const size_t bad_lengths[] = {0, 1, 15, 17, 31, 33, SIZE_MAX};
    mf_twofish_compiled *c = new_object();

    test_case("no key yet");
    CHECK(has_no_key(c));
    for (size_t i = 0; i < sizeof bad_lengths / sizeof bad_lengths[0]; i++) {
        test_case("key of %zu bytes", bad_lengths[i]);
        check_key_refused(c, some_key, bad_lengths[i], MF_ERROR_KEY_LENGTH);
    }
    test_case("no key, no object");
    check_key_refused(c, NULL, 16, MF_ERROR_NULL);
    CHECK_STATUS(mf_twofish_compiled_set_key(NULL, some_key, 16), MF_ERROR_NULL);
    test_case("key inside of the object");
    check_key_refused(c, (const unsigned char *)c + 200, 16, MF_ERROR_OVERLAP);
    test_case("a good key after bad ones");
    CHECK_STATUS(mf_twofish_compiled_set_key(c, other_key, 32), MF_OK);
    CHECK(works(c, other_key, 32));
    mf_twofish_compiled_free(c);
    mf_twofish_compiled_free(NULL);
}

static void test_bad_blocks(void)
{
    unsigned char data[7 * BLOCK] = {5, 6}, before[sizeof data];
    mf_twofish_compiled *c = new_object();

    memcpy(before, data, sizeof data);
    test_case("blocks that overlap, overflow or are missing");
    CHECK_STATUS(mf_twofish_compiled_set_key(c, some_key, 16), MF_OK);
    CHECK_STATUS(mf_twofish_compiled_encrypt_blocks(c, data + 1, data, 2), MF_ERROR_OVERLAP);
    CHECK_STATUS(mf_twofish_compiled_decrypt_blocks(c, data, data + BLOCK, 6), MF_ERROR_OVERLAP);
    CHECK_STATUS(mf_twofish_compiled_encrypt_blocks(c, data, data, SIZE_MAX / BLOCK + 1),
                 MF_ERROR_LENGTH);
    CHECK_STATUS(mf_twofish_compiled_decrypt_blocks(c, NULL, data, 1), MF_ERROR_NULL);
    CHECK_STATUS(mf_twofish_compiled_encrypt_blocks(c, data, NULL, 1), MF_ERROR_NULL);
    CHECK_STATUS(mf_twofish_compiled_encrypt_blocks(NULL, data, data, 1), MF_ERROR_NULL);
    CHECK_STATUS(mf_twofish_compiled_encrypt_blocks(c, NULL, NULL, 0), MF_OK);
    CHECK_BYTES(data, before, sizeof data);
    mf_twofish_compiled_free(c);
}

/* Before there are any. */
static void test_no_tables(unsigned set_up)
{
    mf_twofish_compiled *c = new_object_set_up(set_up);

    test_case("shared tables that are not ready, set-up %u", set_up);
    CHECK_STATUS(mf_twofish_compiled_set_key(c, some_key, 16), MF_ERROR_TABLES);
    CHECK(has_no_key(c));
    mf_twofish_compiled_free(c);
}

/* Tables are needed for the set-up only, and a key that cannot be set takes the old one along. */
static void check_without_tables(mf_twofish_tables which, unsigned set_up)
{
    mf_twofish_compiled *c = new_object_set_up(set_up);

    test_case("shared tables that are given back, set-up %u", set_up);
    CHECK_STATUS(mf_twofish_compiled_set_key(c, some_key, 16), MF_OK);
    mf_twofish_tables_release(which);
    CHECK(works(c, some_key, 16));
    CHECK_STATUS(mf_twofish_compiled_set_key(c, other_key, 16), MF_ERROR_TABLES);
    CHECK(has_no_key(c));
    mf_twofish_compiled_free(c);
}

static void check_huge_tables(void)
{
    mf_twofish_compiled *c = new_object_set_up(MF_COMPILED_HUGE);

    test_case("the huge tables are for 128-bit keys");
    CHECK_STATUS(mf_twofish_compiled_set_key(c, some_key, 16), MF_OK);
    CHECK_STATUS(mf_twofish_compiled_set_key(c, some_key, 24), MF_ERROR_KEY_LENGTH);
    CHECK(has_no_key(c));
    CHECK_STATUS(mf_twofish_compiled_set_key(c, some_key, 32), MF_ERROR_KEY_LENGTH);
    CHECK_STATUS(mf_twofish_compiled_set_key(c, other_key, 16), MF_OK);
    CHECK(works(c, other_key, 16));
    mf_twofish_compiled_free(c);
    check_without_tables(MF_TWOFISH_TABLES_HUGE, MF_COMPILED_HUGE);
}

static void test_tables(void)
{
    if (mf_twofish_tables_ready(MF_TWOFISH_TABLES_HUGE)) {
        check_huge_tables();
    }
    check_without_tables(MF_TWOFISH_TABLES_BIG, MF_COMPILED_BIG);
}

static void test_bad_flags(void)
{
    static const unsigned bad[] = {32,
                                   64,
                                   1U << 31,
                                   MF_COMPILED_CT_SET_UP | MF_COMPILED_BIG,
                                   MF_COMPILED_TWO_VIEWS | MF_COMPILED_BIG | MF_COMPILED_HUGE,
                                   MF_COMPILED_OR_FULL | MF_COMPILED_CT_SET_UP | MF_COMPILED_HUGE};
    mf_twofish_compiled *c = NULL;

    test_case("nowhere to put the object, flags that do not exist or are too many");
    CHECK_STATUS(mf_twofish_compiled_new(NULL, 0), MF_ERROR_NULL);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        c = (mf_twofish_compiled *)&c;
        CHECK_STATUS(mf_twofish_compiled_new(&c, bad[i]), MF_ERROR_BLOCK);
        CHECK(c == NULL);
    }
    CHECK(!mf_twofish_compiled_is_code(NULL) && mf_twofish_compiled_bytes(NULL) == 0);
}

/* --- The code: seen through the calls of the system ------------------------------------------- */

#if WATCHED

typedef struct protection {
    void *pages;
    size_t n_bytes;
    int rights;
} protection;

static _Thread_local protection calls[16]; /* of this thread, since forget_calls */
static _Thread_local size_t n_calls;
static _Thread_local size_t refused_call = SIZE_MAX; /* the number of the call that is to fail, and
                                                        all after it */
static _Thread_local bool all_zero_when_freed;
static _Thread_local size_t bytes_freed;

int mprotect(void *pages, size_t n_bytes, int rights)
{
    if (n_calls < sizeof calls / sizeof calls[0]) {
        calls[n_calls].pages = pages;
        calls[n_calls].n_bytes = n_bytes;
        calls[n_calls].rights = rights;
    }
    if (n_calls++ >= refused_call) {
        errno = EACCES;
        return -1;
    }
    return (int)syscall(SYS_mprotect, pages, n_bytes, rights);
}

/* Some of the pages cannot be read. */
int munmap(void *pages, size_t n_bytes)
{
    const bool readable = syscall(SYS_mprotect, pages, n_bytes, PROT_READ) == 0;

    all_zero_when_freed = all_zero_when_freed && readable && all_bytes_are(pages, n_bytes, 0);
    bytes_freed += n_bytes;
    return (int)syscall(SYS_munmap, pages, n_bytes);
}

static void forget_calls(size_t refuse_from)
{
    n_calls = 0;
    refused_call = refuse_from;
    all_zero_when_freed = true;
    bytes_freed = 0;
}

/* _new closes the pages on both sides of the code, and makes code of what lies between; those of
 * views are closed from the start. */
static size_t calls_of_new(void)
{
    return views == 0 ? 3 : 1;
}

/* A key takes away the right to execute and gives it back, if there is one view. */
static size_t calls_of_key(void)
{
    return views == 0 ? 2 : 0;
}

static void check_neighbours(void)
{
    const unsigned char *code = (const unsigned char *)calls[2].pages;

    CHECK(calls[0].rights == PROT_NONE && calls[1].rights == PROT_NONE);
    CHECK((const unsigned char *)calls[0].pages + calls[0].n_bytes == code);
    CHECK((const unsigned char *)calls[1].pages == code + calls[2].n_bytes);
}

/* The code of the object that was made last. */
static const protection *code_of_new(void)
{
    return &calls[calls_of_new() - 1];
}

static void check_calls_of_key(mf_twofish_compiled *c, const void *code)
{
    forget_calls(SIZE_MAX);
    CHECK_STATUS(mf_twofish_compiled_set_key(c, some_key, 16), MF_OK);
    CHECK(n_calls == calls_of_key());
    if (n_calls == 2) {
        CHECK(calls[0].rights == (PROT_READ | PROT_WRITE));
        CHECK(calls[1].rights == (PROT_READ | PROT_EXEC));
        CHECK(calls[0].pages == code && calls[1].pages == code);
        CHECK(calls[0].n_bytes == calls[1].n_bytes);
    }
}

static void test_protection(void)
{
    mf_twofish_compiled *c;
    protection code;

    test_case("code is never writable and executable, views %u", views);
    forget_calls(SIZE_MAX);
    c = new_object();
    code = *code_of_new();
    CHECK(n_calls == calls_of_new() && code.rights == (PROT_READ | PROT_EXEC));
    if (views == 0) {
        check_neighbours();
    }
    check_key_refused(c, code.pages, 16, MF_ERROR_OVERLAP);
    for (int i = 0; i < 3; i++) {
        check_calls_of_key(c, code.pages);
    }
    mf_twofish_compiled_free(c);
}

/* Do the bytes at this place of the code make the word? */
static bool is_constant(const unsigned char *code, uint32_t word)
{
#if defined(__aarch64__)
    uint32_t two[2]; /* MOVZ and MOVK */

    memcpy(two, code, sizeof two);
    return (two[0] & 0xFFE00000) == 0x52800000 && (two[1] & 0xFFE00000) == 0x72A00000 &&
           ((two[1] >> 5 & 0xFFFF) << 16 | (two[0] >> 5 & 0xFFFF)) == word;
#else
    return memcmp(code, &word, sizeof word) == 0;
#endif
}

/* How often a subkey stands in the code. */
static size_t subkeys_in_code(const protection *pages, const unsigned char *key, size_t key_bytes)
{
    const unsigned char *code = (const unsigned char *)pages->pages;
    uint32_t words[sizeof(mf_twofish) / 4];
    mf_twofish full;
    size_t n = 0;

    CHECK_STATUS(mf_twofish_init_kernel(&full, "full", key, key_bytes), MF_OK);
    memcpy(words, &full, sizeof full);
    for (size_t i = 0; i + 8 <= pages->n_bytes; i++) {
        for (size_t k = 0; k < 40; k++) {
            n += is_constant(code + i, words[offsetof(mf_twofish, expanded_key) / 4 + k]);
        }
    }
    mf_twofish_wipe(&full);
    return n;
}

static void test_subkeys_in_code(void)
{
    mf_twofish_compiled *c;
    protection code;

    test_case("the subkeys stand in the code, each once a direction, and leave it");
    forget_calls(SIZE_MAX);
    c = new_object();
    code = *code_of_new();
    CHECK_STATUS(mf_twofish_compiled_set_key(c, some_key, 32), MF_OK);
    CHECK(subkeys_in_code(&code, some_key, 32) == 80);
    CHECK_STATUS(mf_twofish_compiled_set_key(c, other_key, 16), MF_OK);
    CHECK(subkeys_in_code(&code, other_key, 16) == 80);
    CHECK(subkeys_in_code(&code, some_key, 32) == 0);
    CHECK_STATUS(mf_twofish_compiled_set_key(c, NULL, 16), MF_ERROR_NULL);
    CHECK(subkeys_in_code(&code, other_key, 16) == 0);
    mf_twofish_compiled_free(c);
}

static void test_freed_pages(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    mf_twofish_compiled *c;
    size_t n_bytes;

    test_case("nothing is left in what is given back");
    forget_calls(SIZE_MAX);
    c = new_object();
    n_bytes = mf_twofish_compiled_bytes(c) + 2 * page;
    n_bytes += views == 0 ? 0 : code_of_new()->n_bytes + 2 * page;
    CHECK_STATUS(mf_twofish_compiled_set_key(c, some_key, 32), MF_OK);
    forget_calls(SIZE_MAX);
    mf_twofish_compiled_free(c);
    CHECK(all_zero_when_freed && bytes_freed == n_bytes);
    CHECK(n_bytes > (4 * 256 + 40) * sizeof(uint32_t));
}

/* The code cannot become executable again after the subkeys are in it: it is wiped as it goes. */
static void test_freed_after_refusal(void)
{
    mf_twofish_compiled *c = new_object();

    test_case("nothing is left of code that the system refuses");
    forget_calls(1);
    CHECK_STATUS(mf_twofish_compiled_set_key(c, some_key, 32), MF_OK);
    CHECK(!mf_twofish_compiled_is_code(c) && works(c, some_key, 32));
    CHECK(bytes_freed > 0 && all_zero_when_freed);
    forget_calls(SIZE_MAX);
    mf_twofish_compiled_free(c);
}

/* The system begins to refuse at the call of this number, the first ones being those of _new. */
static void check_refusal(size_t call, unsigned or_full)
{
    mf_twofish_compiled *c = NULL;
    const bool at_new = call < calls_of_new();
    const bool at_first_key = call < calls_of_new() + calls_of_key();
    const mf_status refused = or_full == 0 ? MF_ERROR_EXECUTABLE : MF_OK;

    test_case("refused from call %zu on, %s", call, or_full == 0 ? "compiled" : "compiled or full");
    forget_calls(call);
    CHECK_STATUS(mf_twofish_compiled_new(&c, or_full | views), at_new ? refused : MF_OK);
    if (c != NULL) {
        CHECK(mf_twofish_compiled_is_code(c) != at_new);
        CHECK_STATUS(mf_twofish_compiled_set_key(c, some_key, 24), at_first_key ? refused : MF_OK);
        CHECK(at_first_key && or_full == 0 ? has_no_key(c) : works(c, some_key, 24));
        CHECK_STATUS(mf_twofish_compiled_set_key(c, other_key, 16), refused);
        CHECK(or_full == 0 ? has_no_key(c) : works(c, other_key, 16));
        CHECK(!mf_twofish_compiled_is_code(c));
    }
    mf_twofish_compiled_free(c);
    forget_calls(SIZE_MAX);
}

static void test_refusals(void)
{
    for (size_t call = 0; call < calls_of_new() + 2 * calls_of_key(); call++) {
        check_refusal(call, 0);
        check_refusal(call, MF_COMPILED_OR_FULL);
    }
}

typedef struct mapped {
    unsigned n_data, n_code, n_others;
} mapped;

/* The views of all objects, by the list of the system. */
static mapped mapped_views(void)
{
    mapped found = {0, 0, 0};
    char line[512];
    FILE *list = fopen("/proc/self/maps", "r");

    while (CHECK(list != NULL) && fgets(line, sizeof line, list) != NULL) {
        if (strstr(line, "manyfish-code") != NULL) {
            const bool is_data = strstr(line, " rw-s ") != NULL;
            const bool is_code = strstr(line, " r-xs ") != NULL;
            found.n_data += is_data;
            found.n_code += is_code;
            found.n_others += !is_data && !is_code;
        }
    }
    if (list != NULL) {
        (void)fclose(list);
    }
    return found;
}

static void test_views(void)
{
    const int file = dup(0);
    mf_twofish_compiled *c;
    mapped found;

    test_case("the two views, of which one stays executable only, and no descriptor");
    forget_calls(SIZE_MAX);
    c = new_object();
    found = mapped_views();
    CHECK(found.n_data == 1 && found.n_code == 1 && found.n_others == 0);
    CHECK(mprotect(code_of_new()->pages, code_of_new()->n_bytes, PROT_READ | PROT_WRITE) != 0);
    CHECK(errno == EACCES);
    CHECK(close(file) == 0 && dup(0) == file && close(file) == 0);
    CHECK_STATUS(mf_twofish_compiled_set_key(c, some_key, 16), MF_OK);
    CHECK(works(c, some_key, 16));
    mf_twofish_compiled_free(c);
    found = mapped_views();
    CHECK(found.n_data + found.n_code + found.n_others == 0);
}

static void test_watched(void)
{
    test_protection();
    test_subkeys_in_code();
    test_freed_pages();
    test_refusals();
    if (views == 0) {
        test_freed_after_refusal();
    } else {
        test_views();
    }
}

#else

static void test_watched(void)
{
    test_skip("what the library asks of the system: not Linux, or an instrumented build");
}

#endif

/* --- Children: systems that refuse, and fork -------------------------------------------------- */

#if WATCHED

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { CHILD_PASSED = 0, CHILD_FAILED = 1, CHILD_SKIPPED = 77 };

typedef bool child_restriction(void);
typedef bool child_body(mf_twofish_compiled *c);

/* Does a child have of an object with this key: with one view all, with two nothing? */
static bool is_inherited(mf_twofish_compiled *c, const unsigned char *key, size_t key_bytes)
{
    if (views == 0) {
        return works(c, key, key_bytes) && mf_twofish_compiled_is_code(c);
    }
    return has_no_key(c) && !mf_twofish_compiled_is_code(c) &&
           mf_twofish_compiled_set_key(c, other_key, 32) == MF_ERROR_EXECUTABLE && has_no_key(c);
}

/* Runs body on an object with a key that was made before this restriction of the process. */
static int in_child(child_restriction *restrict_self, child_body *body)
{
    mf_twofish_compiled *c = new_object();
    int status = -1;
    pid_t child;

    CHECK_STATUS(mf_twofish_compiled_set_key(c, some_key, 16), MF_OK);
    child = fork();
    if (child == 0) {
        if (!restrict_self()) {
            _exit(CHILD_SKIPPED);
        }
        _exit(body(c) ? CHILD_PASSED : CHILD_FAILED);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
    CHECK(works(c, some_key, 16)); /* whatever the child did */
    mf_twofish_compiled_free(c);
    return WEXITSTATUS(status);
}

static void check_child(const char *name, child_restriction *restrict_self, child_body *body)
{
    int result;

    test_case("%s", name);
    result = in_child(restrict_self, body);
    if (result == CHILD_SKIPPED) {
        test_skip("%s: this system has no such thing", name);
    } else {
        CHECK(result == CHILD_PASSED);
    }
}

static bool no_restriction(void)
{
    return true;
}

/* Where a filter finds the lower half of an argument of a call. */
static uint32_t place_of(uint32_t argument)
{
    const size_t in_it = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? sizeof(uint32_t) : 0;

    return (uint32_t)(offsetof(struct seccomp_data, args) + 8 * argument + in_it);
}

static bool filter_calls(struct sock_filter *filter, unsigned short n)
{
    const struct sock_fprog program = {n, filter};

    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* Neither mmap nor mprotect may make memory executable. */
static bool refuse_code_by_filter(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, place_of(2)),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };

    return filter_calls(filter, sizeof filter / sizeof filter[0]);
}

/* A call that two views need; refused if this argument, masked, has this value. */
typedef struct needed_call {
    const char *name;
    uint32_t number, argument, mask, value;
} needed_call;

static const needed_call needed_calls[] = {
    {"the file", SYS_memfd_create, 0, 0, 0},
    {"its memory", SYS_fallocate, 0, 0, 0},
    {"its seals", SYS_fcntl, 1, UINT32_MAX, 1033},
    {"the view for writing", SYS_mmap, 3, MAP_SHARED, MAP_SHARED},
    {"the view for executing", SYS_mmap, 2, UINT32_MAX, PROT_READ},
    {"views that children lack", SYS_madvise, 2, UINT32_MAX, 10},
    {"an object that children lack", SYS_madvise, 2, UINT32_MAX, 18},
};
static const needed_call *refused_needed;

static bool refuse_needed(void)
{
    const needed_call *r = refused_needed;
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, r->number, 0, 4),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, place_of(r->argument)),
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, r->mask),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, r->value, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };

    return filter_calls(filter, sizeof filter / sizeof filter[0]);
}

/* "Memory deny write execute" of Linux 6.3: what was not executable does not become so. */
static bool refuse_code_by_system(void)
{
    enum { SET_MDWE = 65, REFUSE_EXEC_GAIN = 1 };

    return prctl(SET_MDWE, REFUSE_EXEC_GAIN, 0, 0, 0) == 0;
}

/* Emulators may not pass this on. */
static bool refuse_memory(void)
{
    const struct rlimit none = {0, 0};

    return setrlimit(RLIMIT_AS, &none) == 0 &&
           mmap(NULL, 1, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED;
}

/* New objects cannot have code, and the old one loses its. */
static bool as_full_without_code(mf_twofish_compiled *c)
{
    const unsigned or_full = MF_COMPILED_OR_FULL | views;
    mf_twofish_compiled *new_one = NULL;
    bool good = is_inherited(c, some_key, 16);

    good = good && mf_twofish_compiled_new(&new_one, views) == MF_ERROR_EXECUTABLE;
    good = good && new_one == NULL;
    good = good && mf_twofish_compiled_new(&new_one, or_full) == MF_OK;
    good = good && !mf_twofish_compiled_is_code(new_one);
    good = good && mf_twofish_compiled_set_key(new_one, other_key, 32) == MF_OK;
    good = good && works(new_one, other_key, 32);
    if (views == 0) {
        good = good && mf_twofish_compiled_set_key(c, other_key, 24) == MF_OK;
        good = good && works(c, other_key, 24) && !mf_twofish_compiled_is_code(c);
    }
    mf_twofish_compiled_free(new_one);
    mf_twofish_compiled_free(c);
    return good;
}

/* Nor does it leave a view or a descriptor. */
static bool nothing_left_of_views(mf_twofish_compiled *c)
{
    const int file = dup(0);
    const bool good = close(file) == 0 && as_full_without_code(c);
    const mapped found = mapped_views();

    return good && dup(0) == file && found.n_data + found.n_code + found.n_others == 0;
}

static bool no_memory_for_more(mf_twofish_compiled *c)
{
    mf_twofish_compiled *new_one = c;

    return mf_twofish_compiled_new(&new_one, MF_COMPILED_OR_FULL | views) == MF_ERROR_MEMORY &&
           new_one == NULL && mf_twofish_compiled_new(&new_one, views) == MF_ERROR_MEMORY &&
           is_inherited(c, some_key, 16);
}

/* The child's code is its own, or it makes another object. */
static bool other_key_in_child(mf_twofish_compiled *c)
{
    bool good = is_inherited(c, some_key, 16);

    if (views != 0) {
        mf_twofish_compiled_free(c);
        c = new_object();
    }
    good = good && mf_twofish_compiled_set_key(c, other_key, 32) == MF_OK &&
           works(c, other_key, 32) && mf_twofish_compiled_is_code(c);
    mf_twofish_compiled_free(c);
    return good;
}

static bool under_valgrind(void)
{
    const char *preload = getenv("LD_PRELOAD");

    return preload != NULL && strstr(preload, "vgpreload") != NULL;
}

static void test_children(void)
{
    check_child("a child with another key", no_restriction, other_key_in_child);
    if (under_valgrind()) {
        test_skip("systems that refuse: valgrind itself makes memory executable");
        return;
    }
    check_child("a filter refuses code", refuse_code_by_filter, as_full_without_code);
    check_child("the system refuses code", refuse_code_by_system, as_full_without_code);
    check_child("the system refuses memory", refuse_memory, no_memory_for_more);
    for (size_t i = 0; views != 0 && i < sizeof needed_calls / sizeof needed_calls[0]; i++) {
        refused_needed = &needed_calls[i];
        check_child(needed_calls[i].name, refuse_needed, nothing_left_of_views);
    }
}

#else

static void test_children(void)
{
    test_skip("systems that refuse: not Linux, or an instrumented build");
}

#endif

/* --- Threads ---------------------------------------------------------------------------------- */

#if defined(HAVE_THREADS)

#include <pthread.h>

enum { N_THREADS = 4 };

typedef struct thread_work {
    unsigned char number;
    bool good;
} thread_work;

static mf_twofish_compiled *shared_object;

/* Other keys all the time in an object of its own, and one that all threads read. */
static void *thread_main(void *argument)
{
    thread_work *work = (thread_work *)argument;
    unsigned char key[MF_TWOFISH_MAX_KEY_BYTES] = {work->number};
    mf_twofish_compiled *c = NULL;

    work->good = mf_twofish_compiled_new(&c, MF_COMPILED_OR_FULL | views) == MF_OK;

    for (unsigned i = 0; i < (test_quick() ? 100 : 2000) && work->good; i++) {
        key[1] = (unsigned char)i;
        key[2] = (unsigned char)(i >> 8);
        work->good = mf_twofish_compiled_set_key(c, key, 16 + 8 * (i % 3)) == MF_OK &&
                     works(c, key, 16 + 8 * (i % 3)) && works(shared_object, some_key, 32);
    }
    mf_twofish_compiled_free(c);
    return NULL;
}

static void test_threads(void)
{
    thread_work work[N_THREADS];
    pthread_t threads[N_THREADS];

    test_case("threads");
    shared_object = new_object();
    CHECK_STATUS(mf_twofish_compiled_set_key(shared_object, some_key, 32), MF_OK);
    for (size_t i = 0; i < N_THREADS; i++) {
        work[i].number = (unsigned char)i;
        CHECK(pthread_create(&threads[i], NULL, thread_main, &work[i]) == 0);
    }
    for (size_t i = 0; i < N_THREADS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0 && work[i].good);
    }
    mf_twofish_compiled_free(shared_object);
}

#else

static void test_threads(void)
{
    test_skip("threads: there are none");
}

#endif

/* True if objects have code here; says why not. */
static bool has_code(void)
{
    mf_twofish_compiled *c = NULL;
    const mf_status status = mf_twofish_compiled_new(&c, views);

    mf_twofish_compiled_free(c);
    if (status != MF_OK) {
        test_skip("code, %s: %s", views == 0 ? "one view" : "two views", mf_status_text(status));
    }
    return status == MF_OK;
}

static void test_code(void)
{
    mf_twofish_compiled *c = NULL;

    test_case("an object has code");
    CHECK_STATUS(mf_twofish_compiled_new(&c, views), MF_OK);
    CHECK(mf_twofish_compiled_is_code(c));
    mf_twofish_compiled_free(c);
    test_watched();
    test_children();
}

/* --- The choice ------------------------------------------------------------------------------- */

/* The expected cost of compiled keying, which must be known, beside that of `full`: less? */
static bool costs_less(size_t key_bytes, mf_twofish_expectation expectation)
{
    uint64_t full = 0, compiled = 0;

    CHECK_STATUS(mf_twofish_expected_cost(&full, "full", key_bytes, &expectation), MF_OK);
    CHECK_STATUS(mf_twofish_compiled_cost(&compiled, key_bytes, &expectation), MF_OK);
    CHECK(compiled != UINT64_MAX && compiled > full / 2 && compiled / 100 < full);
    return compiled < full;
}

/* It is for long work block by block, where `full` is allowed. */
static void test_when_it_costs_less(void)
{
    test_case("compiled keying costs less for many blocks, one by one");
    for (const size_t *n = key_sizes; *n != 0; n++) {
        for (int leaks = MF_LEAK_TEXT; leaks <= MF_LEAK_ANY; leaks++) {
            mf_twofish_expectation e = {100, 1, 0, (mf_leaks)leaks, NULL, 0, 0};
            CHECK(!costs_less(*n, e));
            e.n_blocks = 100000;
            CHECK(costs_less(*n, e));
            e.n_blocks = UINT64_MAX;
            e.n_single_blocks = UINT64_MAX;
            CHECK(costs_less(*n, e));
            e.blocks_per_call = 0;
            CHECK(costs_less(*n, e)); /* for the single ones */
            e.n_single_blocks = 0;
            CHECK(!costs_less(*n, e));
            e.n_blocks = 1;
            CHECK(!costs_less(*n, e));
        }
    }
}

/* Bad input is refused, and touches nothing. */
static void test_cost_errors(void)
{
    static mf_twofish_costs nothing = {.struct_bytes = sizeof nothing};
    mf_twofish_expectation e = {100000, 1, 0, MF_LEAK_ANY, NULL, 0, 0};
    mf_twofish_compiled *c = new_object();
    uint64_t cost = 77;

    test_case("the cost of compiled keying: bad input");
    CHECK_STATUS(mf_twofish_compiled_cost(NULL, 16, &e), MF_ERROR_NULL);
    CHECK_STATUS(mf_twofish_compiled_cost(&cost, 16, NULL), MF_ERROR_NULL);
    CHECK_STATUS(mf_twofish_compiled_cost(&cost, 17, &e), MF_ERROR_KEY_LENGTH);
    e.leaks = MF_LEAK_NONE;
    CHECK_STATUS(mf_twofish_compiled_cost(&cost, 16, &e), MF_ERROR_POLICY);
    e.leaks = MF_LEAK_ANY;
    e.max_key_bytes = mf_twofish_compiled_bytes(c) - 1;
    CHECK_STATUS(mf_twofish_compiled_cost(&cost, 16, &e), MF_ERROR_POLICY);
    CHECK(cost == 77);
    e.max_key_bytes++;
    CHECK_STATUS(mf_twofish_compiled_cost(&cost, 16, &e), MF_OK);
    CHECK(cost != 77 && cost != UINT64_MAX);
    e.costs = &nothing;
    CHECK_STATUS(mf_twofish_compiled_cost(&cost, 16, &e), MF_OK);
    CHECK(cost == UINT64_MAX);
    mf_twofish_compiled_free(c);
}

static void test_no_cost(void)
{
    const mf_twofish_expectation e = {100000, 1, 0, MF_LEAK_ANY, NULL, 0, 0};
    uint64_t cost = 77;

    test_case("no code, no cost");
    CHECK_STATUS(mf_twofish_compiled_cost(&cost, 16, &e), MF_ERROR_KERNEL);
    CHECK(cost == 77);
}

static void test_cost(void)
{
    mf_twofish_compiled *c = NULL;
    const mf_status status = mf_twofish_compiled_new(&c, 0);

    if (status == MF_ERROR_KERNEL) {
        test_no_cost();
    } else {
        test_when_it_costs_less();
    }
    if (status == MF_OK) {
        test_cost_errors();
    }
    mf_twofish_compiled_free(c);
}

/* All that does not depend on how often the code is mapped, too. */
static void test_way(unsigned of_all_objects)
{
    views = of_all_objects;
    test_all_results();
    test_cipher();
    test_two_objects();
    test_bad_keys();
    test_bad_blocks();
    test_threads();
    if (has_code()) {
        test_code();
    }
}

int main(void)
{
    test_no_tables(MF_COMPILED_BIG);
    test_no_tables(MF_COMPILED_HUGE);
    CHECK_STATUS(mf_twofish_tables_build(MF_TWOFISH_TABLES_BIG, 0, NULL, NULL), MF_OK);
    if (!test_quick()) {
        CHECK_STATUS(mf_twofish_tables_build(MF_TWOFISH_TABLES_HUGE, 0, NULL, NULL), MF_OK);
    }
    test_bad_flags();
    test_cost();
    test_way(0);
    test_way(MF_COMPILED_TWO_VIEWS);
    test_tables();
    return test_end();
}
