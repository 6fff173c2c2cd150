/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * GHASH by VPCLMULQDQ on two lanes, 16 blocks a reduction.
 */
#include "../../common/bytes.h"
#include "../../common/cpu.h"
#include "ghash.h"

#if defined(__x86_64__)

#define GHASH_TARGET __attribute__((target("vpclmulqdq,avx2,pclmul")))
#define GHASH_FN MF_INLINE GHASH_TARGET

enum { GHASH_LANES = 2, GHASH_GROUP = 16 };

#include "x86.h"

typedef __m256i wide;

GHASH_FN wide wide_from_words(const uint64_t *words)
{
    return _mm256_loadu_si256((const void *)words);
}

GHASH_FN wide wide_load(const uint8_t *bytes)
{
    const lane reverse = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return _mm256_shuffle_epi8(_mm256_loadu_si256((const void *)bytes),
                               _mm256_broadcastsi128_si256(reverse));
}

GHASH_FN wide wide_xor(wide a, wide b)
{
    return _mm256_xor_si256(a, b);
}

GHASH_FN wide wide_low(wide a, wide b)
{
    return _mm256_clmulepi64_epi128(a, b, 0x00);
}

GHASH_FN wide wide_high(wide a, wide b)
{
    return _mm256_clmulepi64_epi128(a, b, 0x11);
}

GHASH_FN wide wide_swap(wide a)
{
    return _mm256_shuffle_epi32(a, 0x4E);
}

GHASH_FN wide wide_first(lane a)
{
    return _mm256_inserti128_si256(_mm256_setzero_si256(), a, 0);
}

GHASH_FN lane wide_fold(wide a)
{
    return _mm_xor_si128(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
}

#include "clmul.h"

const mf_ghash mf_ghash_vpclmul = {"vpclmul",
                                   MF_CPU_VPCLMUL | MF_CPU_PCLMUL | MF_CPU_AVX2 | MF_CPU_SSSE3,
                                   ghash_set_key, ghash_absorb};

#endif
