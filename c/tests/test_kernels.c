/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Every kernel against the one of its cipher that is nearest to the definition: random keys and
 * texts, more blocks than the kernel takes twice, every misalignment, in place and apart,
 * and nothing written outside. Each block depends on itself alone. With MF_TEST_LONG, ten million
 * blocks more. Argument: the cipher, twofish if there is none.
 */
#include "support.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_BYTES = GUARDED_BYTES - GUARD_BYTES, MISALIGNMENTS = 16 };

static const subject *tested = &twofish_subject;

typedef struct direction {
    const char *name;
    mf_status (*crypt)(const any_key *ctx, void *out, const void *in, size_t n_blocks);
} direction;

/* One key, expanded for the kernel under test and for the one to compare with. */
typedef struct key_pair {
    const char *kernel;
    size_t key_bytes;
    unsigned char key[ANY_MAX_KEY_BYTES];
    any_key tested;
    any_key reference;
} key_pair;

/* Two rounds of a kernel, and a tail that no even number of lanes divides. */
static size_t enough_blocks(const char *kernel)
{
    return 2 * info_of_kernel(tested, kernel).lanes + 15;
}

static guarded in_buffer;
static guarded out_buffer;

static void compare_apart(const key_pair *pair, const direction *d, const unsigned char *text,
                          const unsigned char *expected, size_t n_blocks, size_t in_at,
                          size_t out_at)
{
    unsigned char *in = guarded_place(&in_buffer, in_at, text, n_blocks * tested->block_bytes);
    unsigned char *out = guarded_place(&out_buffer, out_at, NULL, 0);

    test_case("%s, %zu-bit key, %s, %zu blocks, in +%zu, out +%zu", pair->kernel,
              8 * pair->key_bytes, d->name, n_blocks, in_at, out_at);
    CHECK_STATUS(d->crypt(&pair->tested, out, in, n_blocks), MF_OK);
    CHECK_BYTES(out, expected, n_blocks * tested->block_bytes);
    CHECK(guarded_intact(&in_buffer, in, 0));
    CHECK(guarded_intact(&out_buffer, out, n_blocks * tested->block_bytes));
}

static void compare_in_place(const key_pair *pair, const direction *d, const unsigned char *text,
                             const unsigned char *expected, size_t n_blocks, size_t at)
{
    unsigned char *data = guarded_place(&in_buffer, at, text, n_blocks * tested->block_bytes);

    test_case("%s, %zu-bit key, %s, %zu blocks, in place, +%zu", pair->kernel, 8 * pair->key_bytes,
              d->name, n_blocks, at);
    CHECK_STATUS(d->crypt(&pair->tested, data, data, n_blocks), MF_OK);
    CHECK_BYTES(data, expected, n_blocks * tested->block_bytes);
    CHECK(guarded_intact(&in_buffer, data, n_blocks * tested->block_bytes));
}

/* Every misalignment of the input, each with some misalignment of the output. */
static void compare_length(const key_pair *pair, const direction *d, size_t n_blocks)
{
    static unsigned char text[MAX_BYTES];
    static unsigned char expected[MAX_BYTES];

    random_bytes(text, n_blocks * tested->block_bytes);
    CHECK_STATUS(d->crypt(&pair->reference, expected, text, n_blocks), MF_OK);
    for (size_t at = 0; at < MISALIGNMENTS; at++) {
        const size_t out_at = (5 * at + n_blocks) % MISALIGNMENTS;

        compare_apart(pair, d, text, expected, n_blocks, at, out_at);
        compare_in_place(pair, d, text, expected, n_blocks, at);
    }
}

/* Every pair of misalignments, for a few lengths around the usual numbers of lanes. */
static void compare_alignments(const key_pair *pair, const direction *d, size_t n_blocks)
{
    static unsigned char text[MAX_BYTES];
    static unsigned char expected[MAX_BYTES];

    random_bytes(text, n_blocks * tested->block_bytes);
    CHECK_STATUS(d->crypt(&pair->reference, expected, text, n_blocks), MF_OK);
    for (size_t i = 0; i < MISALIGNMENTS * MISALIGNMENTS; i++) {
        compare_apart(pair, d, text, expected, n_blocks, i / MISALIGNMENTS, i % MISALIGNMENTS);
    }
}

/* Both the bulk path and the tail run. */
static void compare_singles(const key_pair *pair, const direction *d)
{
    static unsigned char text[MAX_BYTES], single[MAX_BYTES], at_once[MAX_BYTES];
    const size_t n_blocks = enough_blocks(pair->kernel);
    const size_t n_bytes = n_blocks * tested->block_bytes;

    test_case("%s, %zu-bit key, %s, %zu blocks at once and one by one", pair->kernel,
              8 * pair->key_bytes, d->name, n_blocks);
    random_bytes(text, n_bytes);
    for (size_t i = 0; i < n_bytes; i += tested->block_bytes) {
        CHECK_STATUS(d->crypt(&pair->tested, single + i, text + i, 1), MF_OK);
    }
    CHECK_STATUS(d->crypt(&pair->tested, at_once, text, n_blocks), MF_OK);
    CHECK_BYTES(at_once, single, n_bytes);
}

/* A change of one block changes this block, and no other one: each lane works by itself. */
static void compare_lanes(const key_pair *pair, const direction *d)
{
    static unsigned char text[MAX_BYTES], expected[MAX_BYTES], found[MAX_BYTES];
    const size_t block = tested->block_bytes;
    const size_t n_blocks = enough_blocks(pair->kernel);
    const size_t n_bytes = n_blocks * block;

    random_bytes(text, n_bytes);
    CHECK_STATUS(d->crypt(&pair->tested, expected, text, n_blocks), MF_OK);
    for (size_t at = 0; at < n_bytes; at += block) {
        const size_t changed = at + random_below(block);
        const unsigned char bit = (unsigned char)(1U << random_below(8));

        test_case("%s, %zu-bit key, %s, block %zu of %zu changed", pair->kernel,
                  8 * pair->key_bytes, d->name, at / block, n_blocks);
        text[changed] ^= bit;
        CHECK_STATUS(d->crypt(&pair->tested, found, text, n_blocks), MF_OK);
        text[changed] ^= bit;
        CHECK(memcmp(found + at, expected + at, block) != 0);
        memcpy(found + at, expected + at, block);
        CHECK_BYTES(found, expected, n_bytes);
    }
}

/* A context holds nothing of what it held before, and may be copied. */
static void test_copy(const key_pair *pair, any_key *ctx, const unsigned char *text,
                      const unsigned char *expected)
{
    unsigned char found[ANY_MAX_BLOCK_BYTES];
    any_key copy;

    CHECK_BYTES(ctx, &pair->tested, tested->context_bytes);
    copy = *ctx;
    tested->wipe(ctx);
    CHECK_STATUS(tested->encrypt(&copy, found, text, 1), MF_OK);
    CHECK_BYTES(found, expected, tested->block_bytes);
    tested->wipe(&copy);
}

/* The key may lie anywhere, and the context may hold anything before. */
static void test_contexts(const key_pair *pair)
{
    unsigned char text[ANY_MAX_BLOCK_BYTES], expected[ANY_MAX_BLOCK_BYTES];
    unsigned char found[ANY_MAX_BLOCK_BYTES];
    unsigned char shifted_key[ANY_MAX_KEY_BYTES + MISALIGNMENTS];
    any_key ctx;

    random_bytes(text, sizeof text);
    CHECK_STATUS(tested->encrypt(&pair->tested, expected, text, 1), MF_OK);
    for (size_t at = 0; at < MISALIGNMENTS; at++) {
        test_case("%s, %zu-bit key at +%zu", pair->kernel, 8 * pair->key_bytes, at);
        memcpy(shifted_key + at, pair->key, pair->key_bytes);
        random_bytes(&ctx, sizeof ctx);
        CHECK_STATUS(tested->init(&ctx, pair->kernel, shifted_key + at, pair->key_bytes), MF_OK);
        CHECK_STATUS(tested->encrypt(&ctx, found, text, 1), MF_OK);
        CHECK_BYTES(found, expected, tested->block_bytes);
        if (fits_context(tested, pair->kernel)) {
            test_copy(pair, &ctx, text, expected);
        }
    }
}

enum { ALL_LENGTHS = 200 };

/* Beyond the first ones only what is next to a number of lanes. */
static bool is_telling_length(size_t n_blocks, size_t enough)
{
    const size_t step = n_blocks > ALL_LENGTHS ? 256 : 32;
    const bool is_next_to_lanes = n_blocks % step <= 1 || n_blocks == enough;

    if (n_blocks > ALL_LENGTHS) {
        return is_next_to_lanes || n_blocks % step == step - 1;
    }
    return !test_quick() || n_blocks <= 18 || (n_blocks <= enough && is_next_to_lanes);
}

static void test_key(const key_pair *pair)
{
    const direction directions[] = {{"encrypt", tested->encrypt}, {"decrypt", tested->decrypt}};
    const size_t enough = enough_blocks(pair->kernel);

    for (size_t i = 0; i < sizeof directions / sizeof directions[0]; i++) {
        for (size_t n_blocks = 1; n_blocks <= ALL_LENGTHS || n_blocks <= enough; n_blocks++) {
            if (is_telling_length(n_blocks, enough)) {
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

static bool kernel_takes(const char *kernel, size_t key_bytes)
{
    return key_bytes <= info_of_kernel(tested, kernel).max_key_bytes;
}

static void test_kernel(const char *kernel)
{
    static key_pair pair;

    for (const size_t *key_bytes = tested->key_sizes; *key_bytes != 0; key_bytes++) {
        if (!kernel_takes(kernel, *key_bytes)) {
            continue;
        }
        test_case("%s, %zu-bit key, set-up", kernel, 8 * *key_bytes);
        pair.kernel = kernel;
        pair.key_bytes = *key_bytes;
        random_bytes(pair.key, sizeof pair.key);
        CHECK_STATUS(tested->init(&pair.tested, kernel, pair.key, *key_bytes), MF_OK);
        CHECK_STATUS(tested->init(&pair.reference, tested->reference, pair.key, *key_bytes), MF_OK);
        test_key(&pair);
    }
}

/* --- Ten million blocks, a new key for each batch --------------------------------------------- */

enum { BATCH = 1000, N_BATCHES = 10000, BATCH_BYTES = BATCH * ANY_MAX_BLOCK_BYTES };

static unsigned char batch_key[ANY_MAX_KEY_BYTES];
static size_t batch_key_bytes;
static unsigned char batch_text[BATCH_BYTES], batch_expected[BATCH_BYTES];

static void compare_batch(const char *kernel)
{
    static unsigned char found[BATCH_BYTES];
    const size_t n_bytes = BATCH * tested->block_bytes;
    any_key ctx;

    if (kernel_takes(kernel, batch_key_bytes)) {
        CHECK_STATUS(tested->init(&ctx, kernel, batch_key, batch_key_bytes), MF_OK);
        CHECK_STATUS(tested->encrypt(&ctx, found, batch_text, BATCH), MF_OK);
        CHECK_BYTES(found, batch_expected, n_bytes);
        CHECK_STATUS(tested->decrypt(&ctx, found, found, BATCH), MF_OK);
        CHECK_BYTES(found, batch_text, n_bytes);
        tested->wipe(&ctx);
    }
}

static void test_ten_million_blocks(void)
{
    any_key ctx;

    for (size_t i = 0; i < N_BATCHES; i++) {
        test_case("batch %zu of %d", i, N_BATCHES);
        batch_key_bytes = tested->key_sizes[i % 3];
        random_bytes(batch_key, sizeof batch_key);
        random_bytes(batch_text, sizeof batch_text);
        CHECK_STATUS(tested->init(&ctx, tested->reference, batch_key, batch_key_bytes), MF_OK);
        CHECK_STATUS(tested->encrypt(&ctx, batch_expected, batch_text, BATCH), MF_OK);
        for (size_t k = 0; k < tested->kernel_count(); k++) {
            mf_kernel_info info;
            if (CHECK_STATUS(tested->kernel_info(k, &info), MF_OK) && info.runnable) {
                compare_batch(info.name);
            }
        }
    }
    tested->wipe(&ctx);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], des_subject.name) == 0) {
        tested = &des_subject;
    }
    kernels_of(tested, test_kernel);
    if (test_long()) {
        test_ten_million_blocks();
    }
    return test_end();
}
