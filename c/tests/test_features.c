/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Machines that lack something, made from this one: each feature of the CPU masked in turn, and all
 * of them. Kernels that need it are refused, everything else computes what it did, and the default
 * remains constant-time. Then machines that are made up, whose processor or system lacks a single
 * thing.
 */
#include "support.h"

#include <manyfish/aead.h>

#include "common/cpu.h"
#include "twofish/kernel.h"

#include <string.h>

enum { BLOCK = MF_TWOFISH_BLOCK_BYTES, N_BLOCKS = 150, DATA = N_BLOCKS * BLOCK };

static const struct {
    uint32_t bit;
    const char *name;
} features[] = {
    {MF_CPU_SSSE3, "ssse3"},   {MF_CPU_AVX2, "avx2"},     {MF_CPU_GFNI, "gfni"},
    {MF_CPU_AVX512, "avx512"}, {MF_CPU_PCLMUL, "pclmul"}, {MF_CPU_VPCLMUL, "vpclmul"},
    {MF_CPU_NEON, "neon"},     {MF_CPU_PMULL, "pmull"},
};

static unsigned char key[MF_TWOFISH_MAX_KEY_BYTES];
static unsigned char text[DATA], expected[DATA], expected_gcm[DATA];
static unsigned char expected_tag[MF_GCM_MAX_TAG_BYTES];

static void encrypt_gcm(unsigned char *out, unsigned char tag[MF_GCM_MAX_TAG_BYTES])
{
    mf_twofish twofish;
    mf_gcm gcm;

    CHECK_STATUS(mf_twofish_init(&twofish, key, sizeof key), MF_OK);
    const mf_cipher cipher = mf_twofish_cipher(&twofish);
    CHECK_STATUS(mf_gcm_init(&gcm, &cipher), MF_OK);
    CHECK_STATUS(mf_gcm_encrypt(&gcm, "twelve bytes", 12, text, 100, out, text, DATA, tag,
                                MF_GCM_MAX_TAG_BYTES),
                 MF_OK);
    mf_gcm_wipe(&gcm);
    mf_twofish_wipe(&twofish);
}

static void make_expected(void)
{
    mf_twofish zero;

    random_bytes(key, sizeof key);
    random_bytes(text, sizeof text);
    CHECK_STATUS(mf_twofish_init_kernel(&zero, "zero", key, sizeof key), MF_OK);
    CHECK_STATUS(mf_twofish_encrypt_blocks(&zero, expected, text, N_BLOCKS), MF_OK);
    encrypt_gcm(expected_gcm, expected_tag);
    mf_twofish_wipe(&zero);
}

/* A kernel that runs computes Twofish; one that does not is refused. */
static void test_kernel(const mf_twofish_kernel *kernel, uint32_t seen)
{
    static unsigned char found[DATA];
    const bool lacks_something = (kernel->common.cpu_features & ~seen) != 0;
    mf_twofish ctx;

    const mf_status status = mf_twofish_init_kernel(&ctx, kernel->common.name, key, sizeof key);
    CHECK(status == MF_OK || status == MF_ERROR_CPU);
    CHECK(!(lacks_something && status == MF_OK));
    CHECK(mf_cpu_has(kernel->common.cpu_features) == (status == MF_OK));
    if (status == MF_OK) {
        CHECK_STATUS(mf_twofish_encrypt_blocks(&ctx, found, text, N_BLOCKS), MF_OK);
        CHECK_BYTES(found, expected, sizeof found);
    }
    mf_twofish_wipe(&ctx);
}

static void test_default(void)
{
    size_t n_defaults = 0;

    for (size_t i = 0; i < mf_twofish_kernel_count(); i++) {
        mf_kernel_info info;
        CHECK_STATUS(mf_twofish_kernel_info(i, &info), MF_OK);
        if (info.is_default) {
            n_defaults++;
            CHECK(info.runnable && info.constant_time);
            CHECK_STATUS(mf_twofish_selftest(info.name), MF_OK);
        }
    }
    CHECK(n_defaults == 1);
}

static void test_with(uint32_t seen)
{
    static unsigned char found[DATA];
    unsigned char tag[MF_GCM_MAX_TAG_BYTES];

    mf_cpu_mask(seen);
    for (size_t i = 0; mf_twofish_kernels[i] != NULL; i++) {
        if (mf_twofish_kernels[i]->shared_bytes == 0) { /* else it is the same everywhere */
            test_kernel(mf_twofish_kernel_of(mf_twofish_kernels[i]), seen);
        }
    }
    test_default();
    encrypt_gcm(found, tag);
    CHECK_BYTES(found, expected_gcm, sizeof found);
    CHECK_BYTES(tag, expected_tag, sizeof tag);
    mf_cpu_mask(UINT32_MAX);
}

/* --- Machines made up ------------------------------------------------------------------------ */

/* A processor that has all, and a system that saves all. */
static const mf_cpu_x86 full_x86 = {
    .leaf_1_ecx = 1U << 9 | 1U << 1 | 1U << 27,
    .leaf_7_ebx = 1U << 5 | 1U << 16 | 1U << 30 | 1U << 31,
    .leaf_7_ecx = 1U << 1 | 1U << 8 | 1U << 10,
    .xcr0 = 0xE7,
};

/* The features that a system without YMM takes away, and all features. */
enum {
    NO_YMM = MF_CPU_AVX2 | MF_CPU_VPCLMUL | MF_CPU_AVX512,
    ALL_X86 = NO_YMM | MF_CPU_SSSE3 | MF_CPU_GFNI | MF_CPU_PCLMUL
};

/* That machine without one bit of a word: what it lacks then, and nothing else. */
static void check_without(size_t word, unsigned bit, uint32_t lacks)
{
    mf_cpu_x86 x86 = full_x86;
    uint32_t words[4];

    memcpy(words, &x86, sizeof words);
    words[word] &= ~((uint32_t)1 << bit);
    memcpy(&x86, words, sizeof words);
    test_case("x86 without bit %u of word %zu", bit, word);
    CHECK(mf_cpu_of_x86(&x86) == (ALL_X86 & ~lacks));
}

static void test_x86(void)
{
    static const struct {
        size_t word;
        unsigned bit;
        uint32_t lacks;
    } bits[] = {
        {0, 9, MF_CPU_SSSE3},   {0, 1, MF_CPU_PCLMUL},  {1, 5, MF_CPU_AVX2},
        {1, 16, MF_CPU_AVX512}, {1, 30, MF_CPU_AVX512}, {1, 31, MF_CPU_AVX512},
        {2, 1, MF_CPU_AVX512},  {2, 8, MF_CPU_GFNI},    {2, 10, MF_CPU_VPCLMUL},
        {3, 1, NO_YMM},         {3, 2, NO_YMM},         {3, 5, MF_CPU_AVX512},
        {3, 6, MF_CPU_AVX512},  {3, 7, MF_CPU_AVX512},  {3, 0, MF_CPU_ANY},
    };
    const mf_cpu_x86 nothing = {0};

    test_case("x86 with everything");
    CHECK(mf_cpu_of_x86(&full_x86) == ALL_X86);
    test_case("x86 with nothing");
    CHECK(mf_cpu_of_x86(&nothing) == 0);
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++) {
        check_without(bits[i].word, bits[i].bit, bits[i].lacks);
    }
}

int main(void)
{
    make_expected();
    test_x86();
    for (size_t i = 0; i < sizeof features / sizeof features[0]; i++) {
        test_case("without %s", features[i].name);
        if (!mf_cpu_has(features[i].bit)) {
            test_skip("without %s: this CPU lacks it anyway", features[i].name);
            continue;
        }
        test_with(~features[i].bit);
    }
    test_case("without any of them");
    test_with(MF_CPU_ANY);
    test_case("with all that this CPU has");
    test_with(UINT32_MAX);
    return test_end();
}
