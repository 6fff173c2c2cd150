/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Linear maps of bytes on 32-byte registers: the images of both nibbles, looked up.
 */
#ifndef MF_SRC_COMMON_VEC_NIBBLES_AVX2_H
#define MF_SRC_COMMON_VEC_NIBBLES_AVX2_H

#include "vec_avx2.h"

VEC_FN vec vec_map(const mf_byte_map *map, vec x)
{
    const vec low_bits = _mm256_set1_epi8(15);
    const vec low = _mm256_and_si256(x, low_bits);
    const vec high = _mm256_and_si256(_mm256_srli_epi32(x, 4), low_bits);
    return vec_xor(_mm256_shuffle_epi8(vec_load_lanes(map->low), low),
                   _mm256_shuffle_epi8(vec_load_lanes(map->high), high));
}

#endif
