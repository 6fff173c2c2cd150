/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Measures the set-ups of table kernels, for `make bench-costs`: the ordinary one, and the
 * constant-time one as each kernel that serves others here would do it. `manyfish tune` knows only
 * that of the best of them, and other machines have another best.
 *
 * Prints CSV of ticks, the least of many runs; of interest are ratios.
 */
#include <manyfish/twofish.h>

#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "twofish/kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>

static uint64_t now(void)
{
    _mm_lfence();
    return __rdtsc();
}
#else
static uint64_t now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}
#endif

enum { ROUNDS = 500, REPEATS = 16, N_TABLES = 4 };

#define ENTRY(name) &mf_twofish_##name,

#define SERVERS(X) VECTOR_KERNELS(X) X(bitslice)
#define TABLES(X) X(full) X(partial) X(minimal) X(zero)

static const mf_twofish_kernel *const servers[] = {SERVERS(ENTRY)};
static const mf_twofish_kernel *const tables[N_TABLES] = {TABLES(ENTRY)};

enum { N_SERVERS = sizeof servers / sizeof servers[0] };

static unsigned char key[MF_TWOFISH_MAX_KEY_BYTES];
static mf_twofish ctx;

typedef mf_status init(mf_twofish *ctx, const char *kernel, const void *key, size_t key_bytes);

/* The least ticks, of the ordinary set-up (the last one), and of that by each server. */
static uint64_t least[N_SERVERS + 1][N_TABLES][3];

/* Another key each time: which entries of tables are read depends on it. */
static bool measure(uint64_t *ticks, init *init_kernel, const char *kernel, size_t key_bytes)
{
    const uint64_t start = now();
    for (int i = 0; i < REPEATS; i++) {
        key[i % MF_TWOFISH_MAX_KEY_BYTES]++;
        if (init_kernel(&ctx, kernel, key, key_bytes) != MF_OK) {
            return false;
        }
    }
    const uint64_t found = (now() - start) / REPEATS;
    if (*ticks == 0 || found < *ticks) {
        *ticks = found;
    }
    return true;
}

static bool measure_all(size_t by, init *init_kernel)
{
    bool good = true;

    for (size_t i = 0; i < N_TABLES && good; i++) {
        for (size_t size = 0; size < 3 && good; size++) {
            good = measure(&least[by][i][size], init_kernel, tables[i]->common.name, 16 + 8 * size);
        }
    }
    return good;
}

/* With no features but those that it needs, a kernel is the first that runs, and so it serves. */
static bool measure_round(void)
{
    bool good = measure_all(N_SERVERS, mf_twofish_init_kernel);

    for (size_t by = 0; by < N_SERVERS && good; by++) {
        const uint32_t features = servers[by]->common.cpu_features;

        if (mf_cpu_has(features)) {
            mf_cpu_mask(features);
            good = measure_all(by, mf_twofish_init_kernel_ct_set_up);
            mf_cpu_mask(UINT32_MAX);
        }
    }
    return good;
}

static void print(const char *by, uint64_t ticks[N_TABLES][3])
{
    for (size_t i = 0; i < N_TABLES; i++) {
        if (ticks[i][0] != 0) {
            printf("%s,%s,%llu,%llu,%llu\n", by, tables[i]->common.name,
                   (unsigned long long)ticks[i][0], (unsigned long long)ticks[i][1],
                   (unsigned long long)ticks[i][2]);
        }
    }
}

int main(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        if (!measure_round()) {
            fprintf(stderr, "a set-up failed\n");
            return 1;
        }
    }
    printf("by,kernel,128,192,256\n");
    print("tables", least[N_SERVERS]);
    for (size_t by = 0; by < N_SERVERS; by++) {
        print(servers[by]->common.name, least[by]);
    }
    return 0;
}
