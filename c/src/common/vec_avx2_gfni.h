/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The vector type of vec_avx2.h, with linear maps by one instruction in place of those there.
 */
#ifndef MF_SRC_COMMON_VEC_AVX2_GFNI_H
#define MF_SRC_COMMON_VEC_AVX2_GFNI_H

#include "vec_avx2.h"

VEC_FN vec gfni_map(const mf_byte_map *map, vec x)
{
    return _mm256_gf2p8affine_epi64_epi8(x, _mm256_set1_epi64x((long long)map->matrix), 0);
}

/* Bit i of the result is bit i + 4 of x. */
VEC_FN vec gfni_high_nibbles(vec x)
{
    return _mm256_gf2p8affine_epi64_epi8(x, _mm256_set1_epi64x(0x1020408000000000), 0);
}

#define vec_map gfni_map
#define vec_high_nibbles gfni_high_nibbles

#endif
