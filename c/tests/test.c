/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The harness of test.h.
 */
#include "test.h"
#include "study.h"

#include <manyfish/twofish.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_PRINTED_FAILURES = 20, EXIT_SKIPPED = 77 };

const size_t key_sizes[] = {16, 24, 32, 0};

static unsigned long n_passed, n_failed, n_skipped;
static bool in_case, case_failed;
static char case_name[200];

static void end_case(void)
{
    if (in_case) {
        if (case_failed) {
            n_failed++;
        } else {
            n_passed++;
        }
    }
    in_case = case_failed = false;
}

void test_case(const char *format, ...)
{
    va_list arguments;

    end_case();
    va_start(arguments, format);
    (void)vsnprintf(case_name, sizeof case_name, format, arguments);
    va_end(arguments);
    in_case = true;
}

void test_skip(const char *format, ...)
{
    va_list arguments;

    end_case();
    n_skipped++;
    printf("skipped: ");
    va_start(arguments, format);
    (void)vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
}

int test_end(void)
{
    end_case();
    printf("%lu passed, %lu failed, %lu skipped\n", n_passed, n_failed, n_skipped);
    if (n_failed != 0) {
        return EXIT_FAILURE;
    }
    if (n_passed == 0) {
        return n_skipped != 0 ? EXIT_SKIPPED : EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}

bool test_quick(void)
{
    const char *value = getenv("MF_TEST_QUICK");

    return value != NULL && strcmp(value, "1") == 0;
}

bool test_long(void)
{
    const char *value = getenv("MF_TEST_LONG");

    return value != NULL && strcmp(value, "1") == 0;
}

/* Starts the report of a failure; false when enough have been printed. A check outside any case
 * makes a case of its own. */
static bool report_failure(const char *file, int line)
{
    if (!in_case) {
        test_case("(no case)");
    }
    case_failed = true;
    if (n_failed >= MAX_PRINTED_FAILURES) {
        return false;
    }
    printf("%s:%d: [%s] ", file, line, case_name);
    return true;
}

bool test_check(bool holds, const char *what, const char *file, int line)
{
    if (!holds && report_failure(file, line)) {
        printf("does not hold: %s\n", what);
    }
    return holds;
}

bool test_check_status(mf_status found, mf_status expected, const char *what, const char *file,
                       int line)
{
    if (found != expected && report_failure(file, line)) {
        printf("%s\n  expected: %d (%s)\n  found:    %d (%s)\n", what, (int)expected,
               mf_status_text(expected), (int)found, mf_status_text(found));
    }
    return found == expected;
}

static void print_hex(const char *label, const unsigned char *bytes, size_t n_bytes)
{
    printf("  %s", label);
    for (size_t i = 0; i < n_bytes; i++) {
        printf("%02X", bytes[i]);
    }
    printf("\n");
}

bool test_check_bytes(const void *found, const void *expected, size_t n_bytes, const char *what,
                      const char *file, int line)
{
    const unsigned char *f = (const unsigned char *)found;
    const unsigned char *e = (const unsigned char *)expected;
    size_t at = 0;

    while (at < n_bytes && f[at] == e[at]) {
        at++;
    }
    if (at < n_bytes && report_failure(file, line)) {
        size_t n_shown = n_bytes - at < 32 ? n_bytes - at : 32;

        printf("%s differs from byte %zu of %zu\n", what, at, n_bytes);
        print_hex("expected: ", e + at, n_shown);
        print_hex("found:    ", f + at, n_shown);
    }
    return at == n_bytes;
}

bool all_bytes_are(const void *data, size_t n_bytes, unsigned char value)
{
    const unsigned char *bytes = (const unsigned char *)data;

    for (size_t i = 0; i < n_bytes; i++) {
        if (bytes[i] != value) {
            return false;
        }
    }
    return true;
}

static uint64_t chosen_seed(void)
{
    const char *value = getenv("MF_TEST_SEED");
    uint64_t seed = value != NULL ? strtoull(value, NULL, 10) : (uint64_t)time(NULL);

    printf("seed %" PRIu64 " (MF_TEST_SEED=%" PRIu64 " repeats this run)\n", seed, seed);
    return seed;
}

/* SplitMix64 [Steele, Lea, Flood 2014]: any seed is good, the state is one number. */
static uint64_t random_word(void)
{
    static bool seeded;
    static uint64_t state;
    uint64_t z;

    if (!seeded) {
        state = chosen_seed();
        seeded = true;
    }
    state += 0x9E3779B97F4A7C15;
    z = state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

/* The bytes are the same on machines of either byte order, so a seed repeats anywhere. Whole words
 * become one store where the compiler sees it: tests draw gigabytes. */
static void store_word(unsigned char *bytes, uint64_t word)
{
    bytes[0] = (unsigned char)word;
    bytes[1] = (unsigned char)(word >> 8);
    bytes[2] = (unsigned char)(word >> 16);
    bytes[3] = (unsigned char)(word >> 24);
    bytes[4] = (unsigned char)(word >> 32);
    bytes[5] = (unsigned char)(word >> 40);
    bytes[6] = (unsigned char)(word >> 48);
    bytes[7] = (unsigned char)(word >> 56);
}

void random_bytes(void *out, size_t n_bytes)
{
    unsigned char *bytes = (unsigned char *)out;
    unsigned char last[sizeof(uint64_t)];

    for (; n_bytes >= sizeof last; n_bytes -= sizeof last) {
        store_word(bytes, random_word());
        bytes += sizeof last;
    }
    if (n_bytes > 0) {
        store_word(last, random_word());
        memcpy(bytes, last, n_bytes);
    }
}

size_t random_below(size_t bound)
{
    return (size_t)(random_word() % bound);
}

/* False if there is no kernel of this name. */
static bool info_of(const char *kernel, mf_kernel_info *info)
{
    for (size_t i = 0; mf_twofish_kernel_info(i, info) == MF_OK; i++) {
        if (strcmp(info->name, kernel) == 0) {
            return true;
        }
    }
    return false;
}

bool takes_key(const char *kernel, size_t key_bytes)
{
    mf_kernel_info info;

    return CHECK(info_of(kernel, &info)) && key_bytes <= info.max_key_bytes;
}

void call_for_kernel(const mf_kernel_info *info, void (*body)(const char *kernel))
{
    if (info->runnable) {
        body(info->name);
    } else if (info->shared_bytes > 0) {
        test_skip("%s: its tables take long to build here", info->name);
    } else {
        test_skip("kernel %s: this CPU lacks one of: %s", info->name, info->cpu_features);
    }
}

static void call_bodies(void (*body)(const char *kernel), size_t min_max_key_bytes)
{
    for (size_t i = 0; i < mf_twofish_kernel_count(); i++) {
        mf_kernel_info info;

        if (CHECK_STATUS(mf_twofish_kernel_info(i, &info), MF_OK) &&
            info.max_key_bytes >= min_max_key_bytes) {
            call_for_kernel(&info, body);
        }
    }
}

void each_kernel(void (*body)(const char *kernel))
{
    build_big_tables();
    call_bodies(body, MF_TWOFISH_MAX_KEY_BYTES);
}

void every_kernel(void (*body)(const char *kernel))
{
    build_tables();
    call_bodies(body, 0);
}
