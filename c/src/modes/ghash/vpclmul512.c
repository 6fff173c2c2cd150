/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * GHASH by VPCLMULQDQ on four lanes, 16 blocks a reduction.
 */
#include "../../common/bytes.h"
#include "../../common/cpu.h"
#include "ghash.h"

#if defined(__x86_64__)

#define GHASH_TARGET __attribute__((target("vpclmulqdq,avx512f,avx512bw,pclmul")))
#define GHASH_FN MF_INLINE GHASH_TARGET

enum { GHASH_LANES = 4, GHASH_GROUP = 16 };

#include "x86.h"

typedef __m512i wide;

GHASH_FN wide wide_from_words(const uint64_t *words)
{
    return _mm512_loadu_si512(words);
}

GHASH_FN wide wide_load(const uint8_t *bytes)
{
    const lane reverse = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return _mm512_shuffle_epi8(_mm512_loadu_si512(bytes), _mm512_broadcast_i32x4(reverse));
}

GHASH_FN wide wide_xor(wide a, wide b)
{
    return _mm512_xor_si512(a, b);
}

GHASH_FN wide wide_low(wide a, wide b)
{
    return _mm512_clmulepi64_epi128(a, b, 0x00);
}

GHASH_FN wide wide_high(wide a, wide b)
{
    return _mm512_clmulepi64_epi128(a, b, 0x11);
}

GHASH_FN wide wide_swap(wide a)
{
    return _mm512_shuffle_epi32(a, 0x4E);
}

GHASH_FN wide wide_first(lane a)
{
    return _mm512_inserti32x4(_mm512_setzero_si512(), a, 0);
}

GHASH_FN lane wide_fold(wide a)
{
    const __m256i b = _mm256_xor_si256(_mm512_castsi512_si256(a), _mm512_extracti64x4_epi64(a, 1));
    return _mm_xor_si128(_mm256_castsi256_si128(b), _mm256_extracti128_si256(b, 1));
}

#include "clmul.h"

const mf_ghash mf_ghash_vpclmul512 = {"vpclmul512", MF_CPU_VPCLMUL | MF_CPU_PCLMUL | MF_CPU_AVX512,
                                      ghash_set_key, ghash_absorb};

#endif
