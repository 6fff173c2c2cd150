/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A statistical test of time, for `make timing`: does an operation take as long with a fixed secret
 * as with random ones? Two classes of inputs in random order, a time for each, and Welch's t
 * between the classes, over all times and over those below some percentiles, since long times are
 * mostly those of other programs. [Reparaz17] Before each run the expanded key and the tables are
 * put out of the cache, for then a table kernel shows how many of their lines it reads. These rows
 * are the sanity check.
 *
 * Prints CSV: a row for each kernel and operation. It is no test that passes or fails: times are
 * too noisy for that, and it may miss a leak. With the argument "quick" it shows only that all of
 * it works.
 */
#include <manyfish/twofish.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "test.h"
#include "twofish/kernel.h"
#include "twofish/tables/tables.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum {
    BLOCK = MF_TWOFISH_BLOCK_BYTES,
    MAX_BLOCKS = 64,
    SAMPLES = 40000, /* a multiple of BATCH */
    BATCH = 500,
    RUNS = 3,
    LINE = 64, /* bytes of a line of the cache */
};

/* --- The machine ------------------------------------------------------------------------------ */

#if defined(__x86_64__)
static uint64_t now(void)
{
    _mm_lfence();
    const uint64_t ticks = __rdtsc();
    _mm_lfence();
    return ticks;
}

static void evict(const void *data, size_t n_bytes)
{
    for (size_t i = 0; i < n_bytes; i += LINE) {
        _mm_clflush((const unsigned char *)data + i);
    }
    _mm_mfence();
}
#else
static uint64_t now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

#if defined(__aarch64__) && defined(__linux__) /* which allows programs to clean lines */
static void evict(const void *data, size_t n_bytes)
{
    for (size_t i = 0; i < n_bytes; i += LINE) {
        __asm__ __volatile__("dc civac, %0" ::"r"((const unsigned char *)data + i) : "memory");
    }
    __asm__ __volatile__("dsb ish" ::: "memory");
}
#else
/* By reading more than the first level holds. */
static void evict(const void *data, size_t n_bytes)
{
    static volatile unsigned char large[1 << 20];

    (void)data;
    (void)n_bytes;
    for (size_t i = 0; i < sizeof large; i += LINE) {
        large[i]++;
    }
}
#endif
#endif

/* --- What is measured ------------------------------------------------------------------------- */

static const mf_twofish_kernel *kernel;
static mf_twofish ctx;
static unsigned char input[MAX_BLOCKS * BLOCK];
static unsigned char output[MAX_BLOCKS * BLOCK];

static void set_key(void)
{
    kernel->set_key(ctx.expanded_key, input, 2);
}

static void encrypt_one(void)
{
    kernel->common.encrypt_blocks(ctx.expanded_key, output, input, 1);
}

static void encrypt_many(void)
{
    kernel->common.encrypt_blocks(ctx.expanded_key, output, input, MAX_BLOCKS);
}

/* Input is made of one secret, repeated: so the fixed class is as unlike the random one as can
 * be. */
typedef struct operation {
    const char *name;
    void (*run)(void);
    size_t secret_bytes;
    size_t input_bytes;
} operation;

static const operation operations[] = {
    {"set-up", set_key, 16, 16},
    {"1 block", encrypt_one, BLOCK, BLOCK},
    {"64 blocks", encrypt_many, BLOCK, MAX_BLOCKS *BLOCK},
};

static uint64_t time_of(const operation *op)
{
    evict(&ctx, sizeof ctx);
    evict(mf_twofish_q, sizeof mf_twofish_q);
    evict(mf_twofish_mds, sizeof mf_twofish_mds);
    const uint64_t start = now();
    op->run();
    return now() - start;
}

/* --- Samples ---------------------------------------------------------------------------------- */

typedef struct sample {
    uint64_t time;
    size_t class; /* 0: the fixed secret */
} sample;

static sample samples[SAMPLES];
static size_t n_samples = SAMPLES;

static void fill(unsigned char *to, const operation *op, size_t class, const unsigned char *fixed)
{
    if (class != 0) {
        random_bytes(to, op->input_bytes);
        return;
    }
    for (size_t i = 0; i < op->input_bytes; i += op->secret_bytes) {
        memcpy(to + i, fixed, op->secret_bytes);
    }
}

/* The inputs of a batch are made first, so that making them leaves no trace that differs. */
static void take_samples(const operation *op)
{
    static unsigned char inputs[BATCH][MAX_BLOCKS * BLOCK];
    unsigned char key[16];
    unsigned char fixed[BLOCK];

    random_bytes(key, sizeof key);
    random_bytes(fixed, sizeof fixed);
    kernel->set_key(ctx.expanded_key, key, 2);
    for (size_t start = 0; start < n_samples; start += BATCH) {
        for (size_t i = 0; i < BATCH; i++) {
            samples[start + i].class = random_below(2);
            fill(inputs[i], op, samples[start + i].class, fixed);
        }
        for (size_t i = 0; i < BATCH; i++) {
            memcpy(input, inputs[i], op->input_bytes);
            samples[start + i].time = time_of(op);
        }
    }
}

static int compare_samples(const void *a, const void *b)
{
    const uint64_t x = ((const sample *)a)->time;
    const uint64_t y = ((const sample *)b)->time;

    return (x > y) - (x < y);
}

/* Welch's t of the first n of the sorted samples. [Welch47] */
static double welch(size_t n)
{
    double count[2] = {0, 0}, mean[2] = {0, 0}, square[2] = {0, 0};

    for (size_t i = 0; i < n; i++) {
        const size_t c = samples[i].class;
        const double x = (double)samples[i].time;
        const double difference = x - mean[c];

        count[c] += 1;
        mean[c] += difference / count[c];
        square[c] += difference * (x - mean[c]);
    }
    if (count[0] < 2 || count[1] < 2) {
        return 0;
    }
    const double error =
        square[0] / (count[0] - 1) / count[0] + square[1] / (count[1] - 1) / count[1];
    return error > 0 ? (mean[0] - mean[1]) / sqrt(error) : 0;
}

/* The largest |t| over all samples and over the shorter ones. */
static double largest_t(void)
{
    static const double parts[] = {1, 0.99, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5};
    double largest = 0;

    qsort(samples, n_samples, sizeof samples[0], compare_samples);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const double t = fabs(welch((size_t)(parts[i] * (double)n_samples)));

        largest = t > largest ? t : largest;
    }
    return largest;
}

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Chance does not come three times: of the runs, each with its own secrets, the middle one
 * counts. */
static void measure(const operation *op)
{
    double t[RUNS];

    for (size_t run = 0; run < RUNS; run++) {
        take_samples(op);
        t[run] = largest_t();
    }
    qsort(t, RUNS, sizeof t[0], compare_numbers);
    printf("%s,%s,%s,%zu,%.1f,%.1f,%.1f\n", kernel->common.name,
           kernel->common.constant_time ? "true" : "false", op->name, n_samples, t[0], t[RUNS / 2],
           t[RUNS - 1]);
    (void)fflush(stdout);
}

static void measure_kernel(const char *name)
{
    for (size_t i = 0; mf_twofish_kernels[i] != NULL; i++) {
        kernel = mf_twofish_kernel_of(mf_twofish_kernels[i]);
        if (strcmp(kernel->common.name, name) == 0) {
            for (size_t n = 0; n < sizeof operations / sizeof operations[0]; n++) {
                measure(&operations[n]);
            }
        }
    }
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "quick") == 0) {
        n_samples = BATCH;
    }
#if defined(__clang__)
    printf("# compiler: %s\n", __VERSION__);
#else
    printf("# compiler: gcc %s\n", __VERSION__);
#endif
    printf("kernel,constant_time,operation,samples,t_least,t_middle,t_greatest\n");
    each_kernel(measure_kernel);
    return 0;
}
