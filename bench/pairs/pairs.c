/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Measures one kernel in two builds of the library, in alternation. Key, blocks and stack lie at
 * random places in each round, since the same code takes up to a tenth longer at some of them. Each
 * call works on what the call before gave, so it has to wait for it.
 *
 * Usage: pairs PREFIX KERNEL KEY-BYTES ROUNDS BEFORE.so AFTER.so     as in: pairs mf_twofish avx2
 * 16 ... Prints a line each: what was measured, the median before, the median after, in ticks of
 * the clock.
 */
#include <alloca.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <x86intrin.h>

typedef int init_function(void *ctx, const char *kernel, const void *key, size_t key_bytes);
typedef int blocks_function(const void *ctx, void *out, const void *in, size_t n_blocks);

typedef struct build {
    init_function *init;
    blocks_function *crypt[2];
} build;

enum { BUILDS = 2, MAX_ROUNDS = 1000, REPEATS = 3, PAGE = 4096, CONTEXT = 2 * PAGE };

static const size_t n_blocks[] = {1,  2,  4,  7,  8,  9,  12, 15, 16,  17,
                                  20, 24, 27, 31, 32, 33, 40, 64, 128, 512};
enum { CALLS = sizeof n_blocks / sizeof n_blocks[0], FIGURES = 1 + 2 * CALLS };

static build builds[BUILDS];
static const char *kernel;
static size_t key_bytes;
static const uint8_t key[32] = {1,  2,  3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
                                15, 16, 8, 7, 6, 5, 4, 3, 2, 1,  9,  11, 13, 15};
static _Alignas(PAGE) uint8_t contexts[CONTEXT + PAGE];
static _Alignas(PAGE) uint8_t blocks[16 * 512 + PAGE];
static unsigned ticks[BUILDS][FIGURES][MAX_ROUNDS];

static void *look_up(void *library, const char *prefix, const char *name)
{
    char symbol[64];
    snprintf(symbol, sizeof symbol, "%s_%s", prefix, name);
    return dlsym(library, symbol);
}

static int open_build(build *b, const char *path, const char *prefix)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fprintf(stderr, "pairs: error: %s\n", dlerror());
        return 0;
    }
    b->init = (init_function *)look_up(library, prefix, "init_kernel");
    b->crypt[0] = (blocks_function *)look_up(library, prefix, "encrypt_blocks");
    b->crypt[1] = (blocks_function *)look_up(library, prefix, "decrypt_blocks");
    return b->init != NULL && b->crypt[0] != NULL && b->crypt[1] != NULL &&
           b->init(contexts, kernel, key, key_bytes) == 0;
}

static uint64_t clock_now(void)
{
    const uint64_t now = __rdtsc();
    _mm_lfence();
    return now;
}

/* The least of a few: what else runs here only ever adds. */
static unsigned least(unsigned best, uint64_t start)
{
    _mm_lfence();
    const uint64_t taken = __rdtsc() - start;
    return taken < best ? (unsigned)taken : best;
}

static __attribute__((noinline)) unsigned time_init(const build *b, void *ctx, size_t stack)
{
    unsigned best = ~0U;
    *(volatile char *)alloca(stack + 16) = 0;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        const uint64_t start = clock_now();
        for (int i = 0; i < 4; i++) {
            b->init(ctx, kernel, key, key_bytes);
        }
        best = least(best, start);
    }
    return best;
}

static __attribute__((noinline)) unsigned time_blocks(blocks_function *crypt, const void *ctx,
                                                      uint8_t *text, size_t n, size_t stack)
{
    unsigned best = ~0U;
    *(volatile char *)alloca(stack + 16) = 0;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        const uint64_t start = clock_now();
        for (size_t i = 0; i < 1 + 64 / n; i++) {
            crypt(ctx, text, text, n);
        }
        best = least(best, start);
    }
    return best;
}

static size_t random_place(size_t step)
{
    return (size_t)rand() % (PAGE / step) * step;
}

static void measure(size_t round)
{
    uint8_t *const ctx = contexts + random_place(64);
    uint8_t *const text = blocks + random_place(16);
    const size_t stack = random_place(16);

    for (size_t turn = 0; turn < BUILDS; turn++) {
        const size_t which = (turn + round) % BUILDS;
        const build *b = &builds[which];
        ticks[which][0][round] = time_init(b, ctx, stack);
        for (size_t i = 0; i < 2 * CALLS; i++) {
            ticks[which][1 + i][round] =
                time_blocks(b->crypt[i % 2], ctx, text, n_blocks[i / 2], stack);
        }
    }
}

static int compare(const void *a, const void *b)
{
    const unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return (x > y) - (x < y);
}

static unsigned median(unsigned *of, size_t n)
{
    qsort(of, n, sizeof of[0], compare);
    return of[n / 2];
}

static void print(size_t rounds)
{
    for (size_t i = 0; i < FIGURES; i++) {
        if (i == 0) {
            printf("set-up");
        } else {
            printf("%s-%zu", i % 2 == 1 ? "encrypt" : "decrypt", n_blocks[(i - 1) / 2]);
        }
        printf(" %u %u\n", median(ticks[0][i], rounds), median(ticks[1][i], rounds));
    }
}

int main(int argc, char **argv)
{
    if (argc != 7) {
        fprintf(stderr, "usage: pairs PREFIX KERNEL KEY-BYTES ROUNDS BEFORE.so AFTER.so\n");
        return 2;
    }
    kernel = argv[2];
    key_bytes = (size_t)atoi(argv[3]);
    const size_t rounds = (size_t)atoi(argv[4]);
    if (rounds == 0 || rounds > MAX_ROUNDS) {
        fprintf(stderr, "pairs: error: ROUNDS is 1 to %d\n", MAX_ROUNDS);
        return 2;
    }
    for (int i = 0; i < BUILDS; i++) {
        if (!open_build(&builds[i], argv[5 + i], argv[1])) {
            fprintf(stderr, "pairs: error: no %s in %s, or not on this processor\n", kernel,
                    argv[5 + i]);
            return 1;
        }
    }
    for (size_t round = 0; round < rounds; round++) {
        measure(round);
    }
    print(rounds);
    return 0;
}
