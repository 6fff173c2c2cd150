/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The vector type of kernels, on 64-byte registers with VBMI and GFNI. vec.h says what each operation
 * does.
 */
#ifndef MF_SRC_COMMON_VEC_AVX512_H
#define MF_SRC_COMMON_VEC_AVX512_H

#include <immintrin.h>

#include "vec.h"

#define VEC_BYTES ((size_t)64)

#define VEC_RELOAD(p) ((void)(p))

typedef __m512i vec;

VEC_FN vec vec_load(const void *p)
{
    return _mm512_loadu_si512(p);
}

VEC_FN void vec_store(void *p, vec x)
{
    _mm512_storeu_si512(p, x);
}

/* The compiler shall not know what is there, nor the values of masks for merging: clang makes of
 * a shuffle that it knows one that chooses from two registers, which is three operations. Predicted for
 * a round of the layout "wide": 92 cycles instead of 128. */
VEC_FN vec vec_load_lanes(const void *p)
{
    __asm__("" : "+r"(p));
    return _mm512_broadcast_i32x4(_mm_loadu_si128(p));
}

VEC_FN __mmask64 vec_mask(uint64_t bytes)
{
    __asm__("" : "+r"(bytes));
    return (__mmask64)bytes;
}

VEC_FN vec vec_set32(uint32_t x)
{
    return _mm512_set1_epi32((int)x);
}

VEC_FN vec vec_xor(vec a, vec b)
{
    return _mm512_xor_si512(a, b);
}

VEC_FN vec vec_xor3(vec a, vec b, vec c)
{
    return _mm512_ternarylogic_epi32(a, b, c, 0x96);
}

VEC_FN vec vec_add32(vec a, vec b)
{
    return _mm512_add_epi32(a, b);
}

/* Macros: compilers want a constant here even before they inline. */
#define vec_rotl32(x, n) _mm512_rol_epi32(x, n)
#define vec_shr32(x, n) _mm512_srli_epi32(x, n)
#define vec_rotl32_third(x, n) _mm512_mask_rol_epi32(x, 0x4444, x, n)
#define vec_rotl32_fourth(x, n) _mm512_mask_rol_epi32(x, 0x8888, x, n)

VEC_FN vec vec_shuffle(vec x, vec pattern)
{
    return _mm512_shuffle_epi8(x, pattern);
}

VEC_FN vec vec_join_halves(vec low, vec high)
{
    return _mm512_alignr_epi8(high, low, 8);
}

VEC_FN void vec_transpose_words(vec r[4])
{
    const vec ab_low = _mm512_unpacklo_epi32(r[0], r[1]);
    const vec ab_high = _mm512_unpackhi_epi32(r[0], r[1]);
    const vec cd_low = _mm512_unpacklo_epi32(r[2], r[3]);
    const vec cd_high = _mm512_unpackhi_epi32(r[2], r[3]);
    r[0] = _mm512_unpacklo_epi64(ab_low, cd_low);
    r[1] = _mm512_unpackhi_epi64(ab_low, cd_low);
    r[2] = _mm512_unpacklo_epi64(ab_high, cd_high);
    r[3] = _mm512_unpackhi_epi64(ab_high, cd_high);
}

/* The odd halves of the words of a and the even ones of b change places. */
VEC_FN void vec_swap_halves(vec *a, vec *b)
{
    static const uint8_t pattern[16] = {2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13};
    const vec turn = vec_load_lanes(pattern);
    const vec x = _mm512_mask_shuffle_epi8(*a, vec_mask(0xCCCCCCCCCCCCCCCC), *b, turn);
    *b = _mm512_mask_shuffle_epi8(*b, vec_mask(0x3333333333333333), *a, turn);
    *a = x;
}

/* The odd bytes of a and the even ones of b change places. */
VEC_FN void vec_swap_bytes(vec *a, vec *b)
{
    static const uint8_t pattern[16] = {1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14};
    const vec turn = vec_load_lanes(pattern);
    const vec x = _mm512_mask_shuffle_epi8(*a, vec_mask(0xAAAAAAAAAAAAAAAA), *b, turn);
    *b = _mm512_mask_shuffle_epi8(*b, vec_mask(0x5555555555555555), *a, turn);
    *a = x;
}

/* A transposition of 4 by 4 bytes, by shuffles that leave half of a register as it is: 8 of them,
 * where shuffles and unpacking take 12. It is its own reverse. */
VEC_FN void vec_words_to_bytes(vec r[4])
{
    vec_swap_halves(&r[0], &r[2]);
    vec_swap_halves(&r[1], &r[3]);
    vec_swap_bytes(&r[0], &r[1]);
    vec_swap_bytes(&r[2], &r[3]);
}

VEC_FN void vec_bytes_to_words(vec r[4])
{
    vec_words_to_bytes(r);
}

VEC_FN vec vec_map(const mf_byte_map *map, vec x)
{
    return _mm512_gf2p8affine_epi64_epi8(x, _mm512_set1_epi64((long long)map->matrix), 0);
}

/* The 256 bytes as they are: four registers. */
typedef struct vec_table {
    uint8_t bytes[256];
} vec_table;

VEC_FN void vec_table_make(vec_table *table, const uint8_t T[256])
{
    VEC_UNROLL
    for (size_t i = 0; i < 256; i += VEC_BYTES) {
        vec_store(table->bytes + i, vec_load(T + i));
    }
}

/* Two lookups among 128 bytes, and a choice by the top bit. */
VEC_FN vec vec_lookup(const vec_table *table, vec x)
{
    const vec low =
        _mm512_permutex2var_epi8(vec_load(table->bytes), x, vec_load(table->bytes + 64));
    const vec high =
        _mm512_permutex2var_epi8(vec_load(table->bytes + 128), x, vec_load(table->bytes + 192));
    return _mm512_mask_blend_epi8(_mm512_movepi8_mask(x), low, high);
}

VEC_FN vec vec_load_blocks(const void *p)
{
    return vec_load(p);
}

VEC_FN void vec_store_blocks(void *p, vec x)
{
    vec_store(p, x);
}

/* By bits: if_1 where mask has ones, else if_0. */
VEC_FN vec vec_select(vec mask, vec if_1, vec if_0)
{
    return _mm512_ternarylogic_epi32(mask, if_1, if_0, 0xCA);
}

/* Quarter q of the four tables, each for the bytes at its position. */
VEC_FN vec vec_lookup_quarter_4(const vec_table tables[4], size_t q, vec x)
{
    vec y = _mm512_permutexvar_epi8(x, vec_load(tables[0].bytes + 64 * q));
    VEC_UNROLL
    for (size_t j = 1; j < 4; j++) {
        const vec position = vec_set32((uint32_t)0xFF << 8 * j);
        y = vec_select(position, _mm512_permutexvar_epi8(x, vec_load(tables[j].bytes + 64 * q)), y);
    }
    return y;
}

/* Masks are vectors here: one operation of logic takes 1 cycle, where merging by a mask register takes 3
 * to 5. Predicted for a round of the layout "lanes": 36 cycles instead of 49. */
VEC_FN vec vec_lookup_4(const vec_table tables[4], vec x)
{
    const vec bit_6 = _mm512_gf2p8affine_epi64_epi8(x, vec_set32(0x40404040), 0);
    const vec bit_7 = _mm512_gf2p8affine_epi64_epi8(x, vec_set32(0x80808080), 0);
    const vec both = _mm512_and_si512(bit_6, bit_7);
    vec y = vec_lookup_quarter_4(tables, 0, x);
    y = vec_select(bit_6, vec_lookup_quarter_4(tables, 1, x), y);
    y = vec_select(bit_7, vec_lookup_quarter_4(tables, 2, x), y);
    return vec_select(both, vec_lookup_quarter_4(tables, 3, x), y);
}

#endif
