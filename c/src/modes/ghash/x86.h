/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * One lane of clmul.h by PCLMULQDQ and SSSE3, for all variants of x86-64. GHASH_FN comes from
 * the file that includes this.
 */
#ifndef MF_SRC_MODES_GHASH_X86_H
#define MF_SRC_MODES_GHASH_X86_H

#include "../../common/x86.h"

#include "../../common/bytes.h"

typedef __m128i lane;

GHASH_FN lane lane_reversed(lane a)
{
    return _mm_shuffle_epi8(a, _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
}

GHASH_FN lane lane_from_words(const uint64_t *words)
{
    return _mm_loadu_si128((const void *)words);
}

GHASH_FN void lane_to_words(uint64_t *words, lane a)
{
    _mm_storeu_si128((void *)words, a);
}

GHASH_FN lane lane_load(const uint8_t *bytes)
{
    return lane_reversed(_mm_loadu_si128((const void *)bytes));
}

GHASH_FN void lane_store(uint8_t *bytes, lane a)
{
    _mm_storeu_si128((void *)bytes, lane_reversed(a));
}

GHASH_FN lane lane_xor(lane a, lane b)
{
    return _mm_xor_si128(a, b);
}

GHASH_FN lane lane_low(lane a, lane b)
{
    return _mm_clmulepi64_si128(a, b, 0x00);
}

GHASH_FN lane lane_high(lane a, lane b)
{
    return _mm_clmulepi64_si128(a, b, 0x11);
}

GHASH_FN lane lane_swap(lane a)
{
    return _mm_shuffle_epi32(a, 0x4E);
}

GHASH_FN lane lane_up(lane a)
{
    return _mm_slli_si128(a, 8);
}

GHASH_FN lane lane_down(lane a)
{
    return _mm_srli_si128(a, 8);
}

#endif
