/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The test harness: cases with names, checks that say what they expected and found, seeded random
 * bytes, and one loop over the kernels. A test program calls its bodies and returns test_end().
 *
 * Environment: MF_TEST_SEED=N repeats a random run; MF_TEST_QUICK=1 shortens the long loops, for
 * emulators and sanitizers; MF_TEST_LONG=1 adds the longest ones.
 */
#ifndef MF_TEST_H
#define MF_TEST_H

#include <manyfish/common.h>

#include <stdbool.h>
#include <stddef.h>

#if defined(__MINGW32__) && !defined(__clang__)
#define TEST_PRINTF __attribute__((format(gnu_printf, 1, 2))) /* not that of Microsoft */
#elif defined(__GNUC__) || defined(__clang__)
#define TEST_PRINTF __attribute__((format(printf, 1, 2)))
#else
#define TEST_PRINTF
#endif

/* True unless the compiler says that it does not optimise. */
#if defined(__GNUC__) && !defined(__OPTIMIZE__)
#define TEST_OPTIMISED 0
#else
#define TEST_OPTIMISED 1
#endif

/* True when the program was built with a tool that moves, pads or shadows the stack. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) ||                         \
    __has_feature(thread_sanitizer)
#define TEST_SANITIZED 1
#endif
#endif
#ifndef TEST_SANITIZED
#define TEST_SANITIZED 0
#endif

/* Begins a case and ends the one before; the name stands in front of each failure. */
void test_case(const char *format, ...) TEST_PRINTF;

/* Counts a part that cannot run here, and says why. */
void test_skip(const char *format, ...) TEST_PRINTF;

/* Prints "N passed, N failed, N skipped"; returns the exit status. A program in which nothing ran
 * has not passed: it exits with 77 if something was skipped, else with 1. */
int test_end(void);

/* True if long loops are to be shortened; true if the longest ones are wanted. */
bool test_quick(void);
bool test_long(void);

/* Each check returns whether it held, so that a loop can stop at its first failure. */
#define CHECK(condition) test_check((condition), #condition, __FILE__, __LINE__)
#define FAIL(what_should_hold) test_check(false, what_should_hold, __FILE__, __LINE__)
#define CHECK_STATUS(call, expected)                                                               \
    test_check_status((call), (expected), #call, __FILE__, __LINE__)
#define CHECK_BYTES(found, expected, n_bytes)                                                      \
    test_check_bytes((found), (expected), (n_bytes), #found, __FILE__, __LINE__)

bool test_check(bool holds, const char *what, const char *file, int line);
bool test_check_status(mf_status found, mf_status expected, const char *what, const char *file,
                       int line);
bool test_check_bytes(const void *found, const void *expected, size_t n_bytes, const char *what,
                      const char *file, int line);

/* True if each of the n_bytes at data has this value. */
bool all_bytes_are(const void *data, size_t n_bytes, unsigned char value);

/* Fills out with random bytes of the run's seed; the seed is printed at the first use. */
void random_bytes(void *out, size_t n_bytes);

/* A random number from 0 to bound - 1. */
size_t random_below(size_t bound);

/* Calls body with the name of each kernel that can run here and takes keys of every size; those
 * that the CPU cannot run count as skipped. */
void each_kernel(void (*body)(const char *kernel));

/* The same for all kernels: body asks takes_key. Long loops build the huge shared tables for
 * that. */
void every_kernel(void (*body)(const char *kernel));

/* Calls body with the name of the kernel, or counts it as skipped if it cannot run here. */
void call_for_kernel(const mf_kernel_info *info, void (*body)(const char *kernel));

/* True if the kernel takes keys of this size. */
bool takes_key(const char *kernel, size_t key_bytes);

/* The key sizes of Twofish, in bytes; ends with 0. */
extern const size_t key_sizes[];

#endif
