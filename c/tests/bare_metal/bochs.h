/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Included before all else for Bochs 2.7, whose VGF2P8AFFINEQB gives the complement of what it
 * should: for the identity matrix and 0 it says FF, where the processors say 0 [IntelSDM, 2]. The
 * constant, of which the result is the XOR, is complemented too.
 */
#ifndef MF_TEST_BOCHS_H
#define MF_TEST_BOCHS_H

#include <immintrin.h>

__attribute__((always_inline, target("avx2,gfni"))) static inline __m256i
bochs_affine_256(__m256i x, __m256i matrix)
{
    return _mm256_gf2p8affine_epi64_epi8(x, matrix, 0xFF);
}

__attribute__((always_inline, target("avx512f,avx512bw,gfni"))) static inline __m512i
bochs_affine_512(__m512i x, __m512i matrix)
{
    return _mm512_gf2p8affine_epi64_epi8(x, matrix, 0xFF);
}

#undef _mm256_gf2p8affine_epi64_epi8
#undef _mm512_gf2p8affine_epi64_epi8
#define _mm256_gf2p8affine_epi64_epi8(x, matrix, b)                                                \
    _mm256_xor_si256(bochs_affine_256(x, matrix), _mm256_set1_epi8(b))
#define _mm512_gf2p8affine_epi64_epi8(x, matrix, b)                                                \
    _mm512_xor_si512(bochs_affine_512(x, matrix), _mm512_set1_epi8(b))

#endif
