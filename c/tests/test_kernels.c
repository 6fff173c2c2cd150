/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Every kernel against `zero`, the one nearest to the definition: random keys and texts, 1 to 200
 * blocks, every misalignment, in place and apart, and nothing written outside. Each block depends on
 * itself alone. With MF_TEST_LONG, ten million blocks more.
 */
#include "support.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = MF_TWOFISH_BLOCK_BYTES, MAX_BLOCKS = 200, MISALIGNMENTS = 16 };

typedef mf_status crypt_blocks(const mf_twofish *ctx, void *out, const void *in, size_t n_blocks);

typedef struct direction {
    const char *name;
    crypt_blocks *crypt;
} direction;

static const direction directions[] = {
    {"encrypt", mf_twofish_encrypt_blocks},
    {"decrypt", mf_twofish_decrypt_blocks},
};

/* One key, expanded for the kernel under test and for `zero`. */
typedef struct key_pair {
    const char *kernel;
    size_t key_bytes;
    unsigned char key[MF_TWOFISH_MAX_KEY_BYTES];
    mf_twofish tested;
    mf_twofish zero;
} key_pair;

static guarded in_buffer;
static guarded out_buffer;

static void compare_apart(const key_pair *pair, const direction *d, const unsigned char *text,
                          const unsigned char *expected, size_t n_blocks, size_t in_at,
                          size_t out_at)
{
    unsigned char *in = guarded_place(&in_buffer, in_at, text, n_blocks * BLOCK);
    unsigned char *out = guarded_place(&out_buffer, out_at, NULL, 0);

    test_case("%s, %zu-bit key, %s, %zu blocks, in +%zu, out +%zu", pair->kernel,
              8 * pair->key_bytes, d->name, n_blocks, in_at, out_at);
    CHECK_STATUS(d->crypt(&pair->tested, out, in, n_blocks), MF_OK);
    CHECK_BYTES(out, expected, n_blocks * BLOCK);
    CHECK(guarded_intact(&in_buffer, in, 0));
    CHECK(guarded_intact(&out_buffer, out, n_blocks * BLOCK));
}

static void compare_in_place(const key_pair *pair, const direction *d, const unsigned char *text,
                             const unsigned char *expected, size_t n_blocks, size_t at)
{
    unsigned char *data = guarded_place(&in_buffer, at, text, n_blocks * BLOCK);

    test_case("%s, %zu-bit key, %s, %zu blocks, in place, +%zu", pair->kernel, 8 * pair->key_bytes,
              d->name, n_blocks, at);
    CHECK_STATUS(d->crypt(&pair->tested, data, data, n_blocks), MF_OK);
    CHECK_BYTES(data, expected, n_blocks * BLOCK);
    CHECK(guarded_intact(&in_buffer, data, n_blocks * BLOCK));
}

/* Every misalignment of the input, each with some misalignment of the output. */
static void compare_length(const key_pair *pair, const direction *d, size_t n_blocks)
{
    static unsigned char text[MAX_BLOCKS * BLOCK];
    static unsigned char expected[MAX_BLOCKS * BLOCK];

    random_bytes(text, n_blocks * BLOCK);
    CHECK_STATUS(d->crypt(&pair->zero, expected, text, n_blocks), MF_OK);
    for (size_t at = 0; at < MISALIGNMENTS; at++) {
        const size_t out_at = (5 * at + n_blocks) % MISALIGNMENTS;

        compare_apart(pair, d, text, expected, n_blocks, at, out_at);
        compare_in_place(pair, d, text, expected, n_blocks, at);
    }
}

/* Every pair of misalignments, for a few lengths around the usual numbers of lanes. */
static void compare_alignments(const key_pair *pair, const direction *d, size_t n_blocks)
{
    static unsigned char text[MAX_BLOCKS * BLOCK];
    static unsigned char expected[MAX_BLOCKS * BLOCK];

    random_bytes(text, n_blocks * BLOCK);
    CHECK_STATUS(d->crypt(&pair->zero, expected, text, n_blocks), MF_OK);
    for (size_t i = 0; i < MISALIGNMENTS * MISALIGNMENTS; i++) {
        compare_apart(pair, d, text, expected, n_blocks, i / MISALIGNMENTS, i % MISALIGNMENTS);
    }
}

/* 101 is a prime: no number of lanes divides it, so bulk path and tail both run. */
static void compare_singles(const key_pair *pair, const direction *d)
{
    enum { N_BLOCKS = 101 };
    unsigned char text[N_BLOCKS * BLOCK];
    unsigned char single[sizeof text];
    unsigned char at_once[sizeof text];

    test_case("%s, %zu-bit key, %s, 101 blocks at once and one by one", pair->kernel,
              8 * pair->key_bytes, d->name);
    random_bytes(text, sizeof text);
    for (size_t i = 0; i < sizeof text; i += BLOCK) {
        CHECK_STATUS(d->crypt(&pair->tested, single + i, text + i, 1), MF_OK);
    }
    CHECK_STATUS(d->crypt(&pair->tested, at_once, text, N_BLOCKS), MF_OK);
    CHECK_BYTES(at_once, single, sizeof text);
}

/* A change of one block changes this block, and no other one: each lane works by itself. */
static void compare_lanes(const key_pair *pair, const direction *d)
{
    enum { N_BLOCKS = 150 }; /* two rounds of the widest kernel, and a tail */
    static unsigned char text[N_BLOCKS * BLOCK];
    static unsigned char expected[sizeof text];
    static unsigned char found[sizeof text];

    random_bytes(text, sizeof text);
    CHECK_STATUS(d->crypt(&pair->tested, expected, text, N_BLOCKS), MF_OK);
    for (size_t at = 0; at < sizeof text; at += BLOCK) {
        const size_t changed = at + random_below(BLOCK);
        const unsigned char bit = (unsigned char)(1U << random_below(8));

        test_case("%s, %zu-bit key, %s, block %zu of 150 changed", pair->kernel,
                  8 * pair->key_bytes, d->name, at / BLOCK);
        text[changed] ^= bit;
        CHECK_STATUS(d->crypt(&pair->tested, found, text, N_BLOCKS), MF_OK);
        text[changed] ^= bit;
        CHECK(memcmp(found + at, expected + at, BLOCK) != 0);
        memcpy(found + at, expected + at, BLOCK);
        CHECK_BYTES(found, expected, sizeof found);
    }
}

/* The key may lie anywhere, the context may hold anything before, of which nothing is left, and may be
 * copied after. */
static void test_contexts(const key_pair *pair)
{
    unsigned char text[BLOCK], expected[BLOCK], found[BLOCK];
    unsigned char shifted_key[MF_TWOFISH_MAX_KEY_BYTES + MISALIGNMENTS];
    mf_twofish ctx, copy;

    random_bytes(text, sizeof text);
    CHECK_STATUS(mf_twofish_encrypt_blocks(&pair->tested, expected, text, 1), MF_OK);
    for (size_t at = 0; at < MISALIGNMENTS; at++) {
        test_case("%s, %zu-bit key at +%zu", pair->kernel, 8 * pair->key_bytes, at);
        memcpy(shifted_key + at, pair->key, pair->key_bytes);
        random_bytes(&ctx, sizeof ctx);
        CHECK_STATUS(mf_twofish_init_kernel(&ctx, pair->kernel, shifted_key + at, pair->key_bytes),
                     MF_OK);
        CHECK_BYTES(&ctx, &pair->tested, sizeof ctx);
        copy = ctx;
        mf_twofish_wipe(&ctx);
        CHECK_STATUS(mf_twofish_encrypt_blocks(&copy, found, text, 1), MF_OK);
        CHECK_BYTES(found, expected, sizeof found);
        mf_twofish_wipe(&copy);
    }
}

static bool is_telling_length(size_t n_blocks)
{
    return n_blocks <= 18 || n_blocks % 32 <= 1 || n_blocks == MAX_BLOCKS;
}

static void test_key(const key_pair *pair)
{
    for (size_t i = 0; i < sizeof directions / sizeof directions[0]; i++) {
        for (size_t n_blocks = 1; n_blocks <= MAX_BLOCKS; n_blocks++) {
            if (!test_quick() || is_telling_length(n_blocks)) {
                compare_length(pair, &directions[i], n_blocks);
            }
        }
        compare_alignments(pair, &directions[i], 1);
        compare_alignments(pair, &directions[i], 9);
        compare_singles(pair, &directions[i]);
        compare_lanes(pair, &directions[i]);
    }
    test_contexts(pair);
}

static void test_kernel(const char *kernel)
{
    static key_pair pair;

    for (const size_t *key_bytes = key_sizes; *key_bytes != 0; key_bytes++) {
        if (!takes_key(kernel, *key_bytes)) {
            continue;
        }
        test_case("%s, %zu-bit key, set-up", kernel, 8 * *key_bytes);
        pair.kernel = kernel;
        pair.key_bytes = *key_bytes;
        random_bytes(pair.key, sizeof pair.key);
        CHECK_STATUS(mf_twofish_init_kernel(&pair.tested, kernel, pair.key, *key_bytes), MF_OK);
        CHECK_STATUS(mf_twofish_init_kernel(&pair.zero, "zero", pair.key, *key_bytes), MF_OK);
        test_key(&pair);
    }
}

/* --- Ten million blocks, a new key for each batch ----------------------------------------------- */

enum { BATCH = 1000, N_BATCHES = 10000 };

static unsigned char batch_key[MF_TWOFISH_MAX_KEY_BYTES];
static size_t batch_key_bytes;
static unsigned char batch_text[BATCH * BLOCK], batch_expected[BATCH * BLOCK];

static void compare_batch(const char *kernel)
{
    static unsigned char found[BATCH * BLOCK];
    mf_twofish ctx;

    CHECK_STATUS(mf_twofish_init_kernel(&ctx, kernel, batch_key, batch_key_bytes), MF_OK);
    CHECK_STATUS(mf_twofish_encrypt_blocks(&ctx, found, batch_text, BATCH), MF_OK);
    CHECK_BYTES(found, batch_expected, sizeof found);
    CHECK_STATUS(mf_twofish_decrypt_blocks(&ctx, found, found, BATCH), MF_OK);
    CHECK_BYTES(found, batch_text, sizeof found);
    mf_twofish_wipe(&ctx);
}

static void test_ten_million_blocks(void)
{
    mf_twofish zero;

    for (size_t i = 0; i < N_BATCHES; i++) {
        test_case("batch %zu of %d", i, N_BATCHES);
        batch_key_bytes = key_sizes[i % 3];
        random_bytes(batch_key, sizeof batch_key);
        random_bytes(batch_text, sizeof batch_text);
        CHECK_STATUS(mf_twofish_init_kernel(&zero, "zero", batch_key, batch_key_bytes), MF_OK);
        CHECK_STATUS(mf_twofish_encrypt_blocks(&zero, batch_expected, batch_text, BATCH), MF_OK);
        for (size_t k = 0; k < mf_twofish_kernel_count(); k++) {
            mf_kernel_info info;
            if (CHECK_STATUS(mf_twofish_kernel_info(k, &info), MF_OK) && info.runnable &&
                batch_key_bytes <= info.max_key_bytes) {
                compare_batch(info.name);
            }
        }
    }
    mf_twofish_wipe(&zero);
}

int main(void)
{
    every_kernel(test_kernel);
    if (test_long()) {
        test_ten_million_blocks();
    }
    return test_end();
}
