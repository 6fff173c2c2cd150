/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Linear maps of bytes on 32-byte registers: the images of both nibbles, looked up.
 */
#ifndef MF_SRC_COMMON_VEC_NIBBLES_AVX2_H
#define MF_SRC_COMMON_VEC_NIBBLES_AVX2_H

#include "vec_avx2.h"

VEC_FN vec vec_high_nibbles(vec x)
{
    return vec_low_nibbles(_mm256_srli_epi32(x, 4));
}

VEC_FN vec vec_map(const mf_byte_map *map, vec x)
{
    return vec_xor(_mm256_shuffle_epi8(vec_load_lanes(map->low), vec_low_nibbles(x)),
                   _mm256_shuffle_epi8(vec_load_lanes(map->high), vec_high_nibbles(x)));
}

#endif
