/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Linear maps of bytes on 32-byte registers, by one instruction.
 */
#ifndef MF_SRC_COMMON_VEC_GFNI_AVX2_H
#define MF_SRC_COMMON_VEC_GFNI_AVX2_H

#include "vec_avx2.h"

VEC_FN vec vec_map(const mf_byte_map *map, vec x)
{
    return _mm256_gf2p8affine_epi64_epi8(x, _mm256_set1_epi64x((long long)map->matrix), 0);
}

/* Bit i of the result is bit i + 4 of x. */
VEC_FN vec vec_high_nibbles(vec x)
{
    return _mm256_gf2p8affine_epi64_epi8(x, _mm256_set1_epi64x(0x1020408000000000), 0);
}

#endif
