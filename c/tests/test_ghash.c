/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Each variant of GHASH against a computation bit by bit, as [SP800-38D, 6.3] has it: keys and
 * blocks that are zeros, ones, single bits and random, any number of blocks, any alignment, and the
 * choice of the variant by the features of the CPU.
 */
#include "slow_ghash.h"
#include "support.h"

#include <manyfish/aead.h>

#include "common/cpu.h"
#include "modes/ghash/ghash.h"

#include <string.h>

#if defined(__x86_64__)
#include "emulated_avx512.h"
#define mf_ghash_vpclmul512 emulated_vpclmul512
#include "modes/ghash/vpclmul512.c"
#undef mf_ghash_vpclmul512
#undef target
#endif

enum { BLOCK = MF_GHASH_BLOCK, MAX_BLOCKS = 200 };

static guarded buffer;
static const mf_ghash *tested;
static const char *tested_name;

/* --- A variant against it --------------------------------------------------------------------- */

static void check_one(const unsigned char *h, const unsigned char *start,
                      const unsigned char *blocks, size_t n_blocks)
{
    uint64_t key[MF_GHASH_KEY_WORDS];
    unsigned char y[BLOCK], expected[BLOCK];

    memcpy(y, start, BLOCK);
    memcpy(expected, start, BLOCK);
    tested->set_key(key, h);
    tested->absorb(key, y, blocks, n_blocks);
    slow_ghash(expected, h, blocks, n_blocks);
    CHECK_BYTES(y, expected, BLOCK);
}

/* Products of single bits are all there is: the rest is their sum. */
static void test_single_bits(void)
{
    static const unsigned char zeros[BLOCK];

    test_case("%s, one bit of H times one bit of the block", tested_name);
    for (size_t i = 0; i < 8 * (size_t)BLOCK; i++) {
        for (size_t j = 0; j < 8 * (size_t)BLOCK; j += test_quick() ? 5 : 1) {
            unsigned char h[BLOCK] = {0};
            unsigned char x[BLOCK] = {0};

            h[i / 8] = (unsigned char)(1U << i % 8);
            x[j / 8] = (unsigned char)(1U << j % 8);
            check_one(h, zeros, x, 1);
        }
    }
}

/* All bits at once make the longest carries and sums that there can be. */
static void test_extremes(void)
{
    static unsigned char blocks[MAX_BLOCKS * BLOCK];

    for (unsigned h_value = 0; h_value <= 0xFF; h_value += 0xFF) {
        for (unsigned value = 0; value <= 0xFF; value += 0xFF) {
            unsigned char h[BLOCK];

            test_case("%s, H of bytes %02X, blocks of bytes %02X", tested_name, h_value, value);
            memset(h, (int)h_value, sizeof h);
            memset(blocks, (int)value, sizeof blocks);
            for (size_t n_blocks = 0; n_blocks <= 40; n_blocks++) {
                check_one(h, blocks, blocks, n_blocks);
            }
        }
    }
}

static void test_counts(void)
{
    static unsigned char data[MAX_BLOCKS * BLOCK];
    unsigned char h[BLOCK], y[BLOCK];

    for (size_t n_blocks = 0; n_blocks <= MAX_BLOCKS; n_blocks += n_blocks < 70 ? 1 : 13) {
        const unsigned char *place;

        test_case("%s, %zu blocks", tested_name, n_blocks);
        random_bytes(h, sizeof h);
        random_bytes(y, sizeof y);
        random_bytes(data, sizeof data);
        place = guarded_place(&buffer, n_blocks % 16, data, n_blocks * BLOCK);
        check_one(h, y, place, n_blocks);
        CHECK(guarded_intact(&buffer, place, 0));
    }
}

/* Blocks in two calls are the same as in one, for a key at any address of its words. */
static void test_two_calls(void)
{
    uint64_t keys[MF_GHASH_KEY_WORDS + 1];
    unsigned char h[BLOCK], blocks[40 * BLOCK], whole[BLOCK], parts[BLOCK];

    for (size_t first = 0; first <= 40; first++) {
        uint64_t *key = keys + first % 2;

        test_case("%s, %zu blocks and then %zu", tested_name, first, 40 - first);
        random_bytes(h, sizeof h);
        random_bytes(blocks, sizeof blocks);
        memset(whole, 0, BLOCK);
        memset(parts, 0, BLOCK);
        tested->set_key(key, h);
        tested->absorb(key, whole, blocks, 40);
        tested->absorb(key, parts, blocks, first);
        tested->absorb(key, parts, blocks + first * BLOCK, 40 - first);
        CHECK_BYTES(parts, whole, BLOCK);
    }
}

static void test_variant(const mf_ghash *variant, const char *name)
{
    tested = variant;
    tested_name = name;
    test_single_bits();
    test_extremes();
    test_counts();
    test_two_calls();
}

/* --- All variants, and the choice among them -------------------------------------------------- */

static void test_variants(void)
{
    for (size_t i = 0; mf_ghash_variants[i] != NULL; i++) {
        const mf_ghash *variant = mf_ghash_variants[i];

        if (mf_cpu_has(variant->cpu_features)) {
            test_variant(variant, variant->name);
        } else {
            test_skip("%s: this CPU lacks what it needs", variant->name);
        }
    }
}

static void test_emulated(void)
{
#if defined(__x86_64__)
    if (mf_cpu_has(MF_CPU_AVX2 | MF_CPU_PCLMUL | MF_CPU_SSSE3)) {
        test_variant(&emulated_vpclmul512, "vpclmul512, emulated");
    } else {
        test_skip("vpclmul512, emulated: this CPU lacks avx2 or pclmul");
    }
#endif
}

/* With a feature hidden, only variants that do without it are taken; with none, the portable
 * one. */
static void test_choice(void)
{
    for (unsigned bit = 0; bit < 32; bit++) {
        const uint32_t feature = (uint32_t)1 << bit;

        test_case("choice without feature %u", bit);
        mf_cpu_mask(~feature);
        CHECK((mf_ghash_best()->cpu_features & feature) == 0);
        test_case("choice with no feature but %u", bit);
        mf_cpu_mask(feature);
        CHECK((mf_ghash_best()->cpu_features & ~feature) == 0);
    }
    test_case("choice without features");
    mf_cpu_mask(0);
    CHECK(strcmp(mf_ghash_best()->name, "portable") == 0);
    mf_cpu_mask(UINT32_MAX);
    test_case("choice with all features");
    for (size_t i = 0; mf_ghash_variants[i] != mf_ghash_best(); i++) {
        CHECK(!mf_cpu_has(mf_ghash_variants[i]->cpu_features));
    }
}

/* GCM comes to the same with each variant: that of its set-up, whatever is asked of the CPU
 * later. */
static void test_gcm(void)
{
    static const unsigned char key[16] = {1};
    static const uint32_t masks[] = {UINT32_MAX, ~(uint32_t)MF_CPU_AVX512,
                                     ~(uint32_t)MF_CPU_VPCLMUL, 0};
    static unsigned char text[3000], found[3000], expected[3000];
    unsigned char tag[BLOCK], expected_tag[BLOCK];
    mf_twofish ctx;
    const mf_cipher cipher = twofish_cipher(&ctx, "full", key, sizeof key);
    mf_gcm gcm;

    random_bytes(text, sizeof text);
    for (size_t i = sizeof masks / sizeof masks[0]; i-- > 0;) {
        mf_cpu_mask(masks[i]);
        test_case("GCM with features %08lX: %s", (unsigned long)masks[i], mf_ghash_best()->name);
        CHECK_STATUS(mf_gcm_init(&gcm, &cipher), MF_OK);
        mf_cpu_mask(UINT32_MAX);
        CHECK_STATUS(mf_gcm_encrypt(&gcm, "a long IV of 21 bytes", 21, text, 333, found, text,
                                    sizeof text, tag, BLOCK),
                     MF_OK);
        if (masks[i] == 0) {
            memcpy(expected, found, sizeof expected);
            memcpy(expected_tag, tag, BLOCK);
        }
        CHECK_BYTES(found, expected, sizeof expected);
        CHECK_BYTES(tag, expected_tag, BLOCK);
    }
    mf_gcm_wipe(&gcm);
}

int main(void)
{
    test_variants();
    test_emulated();
    test_choice();
    test_gcm();
    return test_end();
}
