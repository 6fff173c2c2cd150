/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Features of the CPU, from its own mouth on x86-64 [IntelSDM, 1, 13.3]; on AArch64 from the
 * compiler's target, Linux or Windows; in WebAssembly from the compiler's target.
 */
#include "cpu.h"

#include <stdatomic.h>
#include <stddef.h>

#if defined(__STDC_HOSTED__) && __STDC_HOSTED__
#include <stdlib.h>
#define HAS_ENVIRONMENT
#if defined(__linux__)
#include <sys/auxv.h>
#define HAS_AUXILIARY_VECTOR
#elif defined(__APPLE__)
#include <unistd.h>
#elif defined(_WIN32) && defined(__aarch64__)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#define HAS_FEATURE_QUESTION
#endif
#endif

#if defined(__x86_64__)
#include <cpuid.h>
#endif

/* In the cached value: the machine has been asked. */
#define ASKED ((uint32_t)1 << 31)

static _Atomic uint32_t found;
static _Atomic uint32_t seen = UINT32_MAX;

enum { XMM_AND_YMM = 0x06, ZMM = 0xE0 }; /* bits of XCR0 */

static uint32_t if_bit(uint32_t word, unsigned bit, uint32_t feature)
{
    return (word >> bit & 1) != 0 ? feature : 0;
}

/* AVX512F, BW and VL are bits of EBX, VBMI is one of ECX. */
static uint32_t avx512(uint32_t ebx, uint32_t ecx)
{
    const uint32_t all = (uint32_t)1 << 16 | (uint32_t)1 << 30 | (uint32_t)1 << 31;
    return (ebx & all) == all ? if_bit(ecx, 1, MF_CPU_AVX512) : 0;
}

uint32_t mf_cpu_of_x86(const mf_cpu_x86 *x86)
{
    const uint32_t ebx = x86->leaf_7_ebx;
    const uint32_t ecx = x86->leaf_7_ecx;
    uint32_t features = if_bit(x86->leaf_1_ecx, 9, MF_CPU_SSSE3) |
                        if_bit(x86->leaf_1_ecx, 1, MF_CPU_PCLMUL) | if_bit(ecx, 8, MF_CPU_GFNI);

    if ((x86->xcr0 & XMM_AND_YMM) == XMM_AND_YMM) {
        features |= if_bit(ebx, 5, MF_CPU_AVX2) | if_bit(ecx, 10, MF_CPU_VPCLMUL);
        features |= (x86->xcr0 & ZMM) == ZMM ? avx512(ebx, ecx) : 0;
    }
    return features;
}

#if defined(__x86_64__)

static uint32_t ask(void)
{
    mf_cpu_x86 x86 = {0};
    uint32_t a;
    uint32_t b;
    uint32_t c;
    uint32_t d;

    if (__get_cpuid(1, &a, &b, &x86.leaf_1_ecx, &d) == 0) {
        return 0;
    }
    if (if_bit(x86.leaf_1_ecx, 27, 1) != 0) { /* OSXSAVE: the system has set XCR0 */
        __asm__ __volatile__("xgetbv" : "=a"(x86.xcr0), "=d"(d) : "c"(0));
    }
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d) != 0) {
        x86.leaf_7_ebx = b;
        x86.leaf_7_ecx = c;
    }
    return mf_cpu_of_x86(&x86);
}

#elif defined(__aarch64__)

static uint32_t ask(void)
{
#if defined(__ARM_FEATURE_AES) /* the compiler was told so; all machines of Apple have it */
    return MF_CPU_NEON | MF_CPU_PMULL;
#elif defined(HAS_AUXILIARY_VECTOR)
    const unsigned long hwcap_pmull = 1UL << 4;
    return MF_CPU_NEON | ((getauxval(AT_HWCAP) & hwcap_pmull) != 0 ? MF_CPU_PMULL : 0);
#elif defined(HAS_FEATURE_QUESTION)
    const bool has_pmull = IsProcessorFeaturePresent(PF_ARM_V8_CRYPTO_INSTRUCTIONS_AVAILABLE) != 0;
    return MF_CPU_NEON | (has_pmull ? MF_CPU_PMULL : 0);
#else
    return MF_CPU_NEON; /* how to ask other systems is not known here: GHASH is the portable one */
#endif
}

#elif defined(__wasm_simd128__)

/* A module with instructions that its engine lacks does not load. */
static uint32_t ask(void)
{
    return MF_CPU_SIMD128;
}

#else

static uint32_t ask(void)
{
    return 0;
}

#endif

/* Two threads may both ask; they get the same answer. */
bool mf_cpu_has(uint32_t features)
{
    uint32_t here = atomic_load_explicit(&found, memory_order_relaxed);
    if (here == 0) {
        here = ask() | ASKED;
        atomic_store_explicit(&found, here, memory_order_relaxed);
    }
    here &= atomic_load_explicit(&seen, memory_order_relaxed);
    return (here & features) == features;
}

const char *mf_cpu_names(uint32_t features)
{
    static const struct {
        uint32_t features;
        const char *names;
    } rows[] = {
        {MF_CPU_ANY, ""},
        {MF_CPU_SSSE3, "ssse3"},
        {MF_CPU_AVX2, "avx2"},
        {MF_CPU_AVX2 | MF_CPU_GFNI, "avx2 gfni"},
        {MF_CPU_AVX512 | MF_CPU_GFNI, "avx512f avx512bw avx512vl avx512vbmi gfni"},
        {MF_CPU_NEON, "neon"},
        {MF_CPU_SIMD128, "simd128"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].features == features) {
            return rows[i].names;
        }
    }
    return NULL;
}

void mf_cpu_mask(uint32_t features)
{
    atomic_store_explicit(&seen, features, memory_order_relaxed);
}

#if defined(HAS_ENVIRONMENT)
const char *mf_getenv(const char *name)
{
#if defined(HAS_AUXILIARY_VECTOR)
    if (getauxval(AT_SECURE) != 0) {
        return NULL;
    }
#elif defined(__APPLE__)
    if (issetugid() != 0) {
        return NULL;
    }
#endif
    return getenv(name);
}
#else
/* Without a system there is no environment. */
const char *mf_getenv(const char *name)
{
    (void)name;
    return NULL;
}
#endif
