/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The vector type of kernels, on 64-byte registers with VBMI and GFNI. vec.h says what each
 * operation does.
 */
#ifndef MF_SRC_COMMON_VEC_AVX512_H
#define MF_SRC_COMMON_VEC_AVX512_H

#include "x86.h"

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

/* The compiler shall not know what is there, nor the values of masks for merging: clang makes of a
 * shuffle that it knows one that chooses from two registers, which is three operations. Predicted
 * for a round of the layout "wide": 92 cycles instead of 128. */
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

#ifndef VEC_HIDE_MASK
#define VEC_HIDE_MASK(k) __asm__ volatile("" : "+k"(k))
#endif

VEC_FN vec vec_set32(uint32_t x)
{
    return _mm512_set1_epi32((int)x);
}

VEC_FN vec vec_set_mask(uint32_t x)
{
    return vec_set32(x);
}

VEC_FN vec vec_xor(vec a, vec b)
{
    return _mm512_xor_si512(a, b);
}

VEC_FN vec vec_xor3(vec a, vec b, vec c)
{
    return _mm512_ternarylogic_epi32(a, b, c, 0x96);
}

/* Any function of three bits: bit 4a + 2b + c of code. A macro: compilers want a constant here even
 * before they inline. */
#define vec_ternary(a, b, c, code) _mm512_ternarylogic_epi32(a, b, c, code)

#define vec_shr64(x, n) _mm512_srli_epi64(x, n)
#define vec_shl64(x, n) _mm512_slli_epi64(x, n)

VEC_FN vec vec_add32(vec a, vec b)
{
    return _mm512_add_epi32(a, b);
}

/* Macros: compilers want a constant here even before they inline. */
#define vec_rotl32(x, n) _mm512_rol_epi32(x, n)
#define vec_shr32(x, n) _mm512_srli_epi32(x, n)

VEC_FN vec vec_shuffle(vec x, vec pattern)
{
    return _mm512_shuffle_epi8(x, pattern);
}

VEC_FN vec vec_rotl32_each(vec x, vec n)
{
    return _mm512_rolv_epi32(x, n);
}

VEC_FN vec vec_shl32_each(vec x, vec n)
{
    return _mm512_sllv_epi32(x, n);
}

VEC_FN vec vec_load_pair(const void *p)
{
    return _mm512_broadcastq_epi64(_mm_loadl_epi64(p));
}

VEC_FN vec vec_swap_words(vec x)
{
    return _mm512_shuffle_epi32(x, _MM_PERM_CDAB);
}

VEC_FN vec vec_first_halves(vec a, vec b)
{
    return _mm512_unpacklo_epi64(a, b);
}

VEC_FN vec vec_second_halves(vec a, vec b)
{
    return _mm512_unpackhi_epi64(a, b);
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

/* By bits: if_1 where mask has ones, else if_0. In this order the mask stays in its register. */
VEC_FN vec vec_select(vec mask, vec if_1, vec if_0)
{
    return _mm512_ternarylogic_epi32(if_1, if_0, mask, 0xE4);
}

#define vec_exchange(x, y, shift, lower_halves)                                                    \
    do {                                                                                           \
        const vec new_x = vec_select(lower_halves, *(x), vec_shl64(*(y), shift));                  \
        *(y) = vec_select(lower_halves, vec_shr64(*(x), shift), *(y));                             \
        *(x) = new_x;                                                                              \
    } while (0)

/* The odd words of a and the even ones of b change places. */
VEC_FN void vec_swap_odd_words(vec *a, vec *b)
{
    const vec x = _mm512_mask_shuffle_epi32(*a, 0xAAAA, *b, _MM_PERM_CDAB);
    *b = _mm512_mask_shuffle_epi32(*b, 0x5555, *a, _MM_PERM_CDAB);
    *a = x;
}

/* A transposition of 8 by 8 bytes; it is its own reverse. Shuffles all go through one port; shifts
 * go through the other one, so by those the last step costs less. */
VEC_FN void vec_blocks_to_bytes(vec r[8])
{
    const vec by_8 = vec_set32(0x00FF00FF);

    VEC_UNROLL
    for (size_t i = 0; i < 4; i++) {
        vec_swap_odd_words(&r[i], &r[i + 4]);
    }
    vec_swap_halves(&r[0], &r[2]);
    vec_swap_halves(&r[1], &r[3]);
    vec_swap_halves(&r[4], &r[6]);
    vec_swap_halves(&r[5], &r[7]);
    vec_exchange(&r[0], &r[1], 8, by_8);
    vec_exchange(&r[2], &r[3], 8, by_8);
    vec_exchange(&r[4], &r[5], 8, by_8);
    vec_exchange(&r[6], &r[7], 8, by_8);
}

VEC_FN void vec_bytes_to_blocks(vec r[8])
{
    vec_blocks_to_bytes(r);
}

VEC_FN vec vec_low_nibbles(vec x)
{
    return _mm512_and_si512(x, vec_set32(0x0F0F0F0F));
}

VEC_FN vec vec_high_nibbles(vec x)
{
    return vec_low_nibbles(vec_shr32(x, 4));
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
VEC_FN vec vec_lookup_bytes(const uint8_t T[256], vec x)
{
    const vec low = _mm512_permutex2var_epi8(vec_load(T), x, vec_load(T + 64));
    const vec high = _mm512_permutex2var_epi8(vec_load(T + 128), x, vec_load(T + 192));
    return _mm512_mask_blend_epi8(_mm512_movepi8_mask(x), low, high);
}

VEC_FN vec vec_lookup(const vec_table *table, vec x)
{
    return vec_lookup_bytes(table->bytes, x);
}

/* n of the four blocks; the others are 0. A masked load from a missing page would
 * take long; and 1 is the most frequent number. */
VEC_FN vec vec_load_some(const void *p, size_t n)
{
    if (n <= 1) {
        return n == 0 ? _mm512_setzero_si512() : _mm512_zextsi128_si512(_mm_loadu_si128(p));
    }
    return _mm512_maskz_loadu_epi64((__mmask8)((1U << 2 * n) - 1), p);
}

VEC_FN void vec_store_some(void *p, vec x, size_t n)
{
    if (n > 1) {
        _mm512_mask_storeu_epi64(p, (__mmask8)((1U << 2 * n) - 1), x);
    } else if (n == 1) {
        _mm_storeu_si128(p, _mm512_castsi512_si128(x));
    }
}

/* a, changed by b where mask has ones. */
VEC_FN vec vec_xor_and(vec a, vec b, vec mask)
{
    return _mm512_ternarylogic_epi32(a, b, mask, 0x78);
}

/* Which bytes each of four tables is for. The compiler shall keep that in mask registers: to fill
 * one takes the port of the lookups. */
typedef struct vec_places {
    __mmask64 of[4];
} vec_places;

VEC_FN vec_places vec_places_all(void)
{
    const __mmask64 first = 0x1111111111111111;
    vec_places places;
    VEC_UNROLL
    for (unsigned j = 0; j < 4; j++) {
        places.of[j] = first << j;
        VEC_HIDE_MASK(places.of[j]);
    }
    return places;
}

/* The bytes found in half h of each table, where they are for it, else 0; the last by itself. */
typedef struct vec_found {
    vec most, last;
} vec_found;

VEC_FN vec_found vec_lookup_half(const vec_table tables[4], const vec_places *places, size_t h,
                                 vec x)
{
    vec y[4];
    VEC_UNROLL
    for (size_t j = 0; j < 4; j++) {
        const uint8_t *T = tables[j].bytes + 128 * h;
        y[j] = _mm512_maskz_permutex2var_epi8(places->of[j], vec_load(T), x, vec_load(T + 64));
    }
    const vec_found found = {_mm512_ternarylogic_epi32(y[0], y[1], y[2], 0xFE), y[3]};
    return found;
}

/* The mask by the top bit is a vector: one operation of logic takes 1 cycle, where merging by a
 * mask register takes 3 to 5. After the last lookup there is only one such operation. */
VEC_FN vec vec_lookup_places(const vec_table tables[4], const vec_places *places, vec x)
{
    const vec bit_7 = _mm512_gf2p8affine_epi64_epi8(x, vec_set32(0x80808080), 0);
    const vec_found low = vec_lookup_half(tables, places, 0, x);
    const vec_found high = vec_lookup_half(tables, places, 1, x);
    const vec y = _mm512_ternarylogic_epi32(low.most, low.last, bit_7, 0x54);
    return vec_xor_and(vec_xor_and(y, high.most, bit_7), high.last, bit_7);
}

/* --- Registers of 16 bytes: for few blocks. Some processors work on 64 bytes in two passes ---- */

typedef __m128i vec16;

VEC_FN vec16 vec16_load(const void *p)
{
    return _mm_loadu_si128(p);
}

VEC_FN void vec16_store(void *p, vec16 x)
{
    _mm_storeu_si128(p, x);
}

/* 8 bytes from memory, twice. */
VEC_FN vec16 vec16_load_pair(const void *p)
{
    const vec16 pair = _mm_loadl_epi64(p);
    return _mm_unpacklo_epi64(pair, pair);
}

VEC_FN vec16 vec16_xor(vec16 a, vec16 b)
{
    return _mm_xor_si128(a, b);
}

VEC_FN vec16 vec16_xor3(vec16 a, vec16 b, vec16 c)
{
    return _mm_ternarylogic_epi32(a, b, c, 0x96);
}

VEC_FN vec16 vec16_add32(vec16 a, vec16 b)
{
    return _mm_add_epi32(a, b);
}

#define vec16_rotl32(x, n) _mm_rol_epi32(x, n)
#define vec16_shr32(x, n) _mm_srli_epi32(x, n)

VEC_FN vec16 vec16_rotl32_each(vec16 x, vec16 n)
{
    return _mm_rolv_epi32(x, n);
}

VEC_FN vec16 vec16_shl32_each(vec16 x, vec16 n)
{
    return _mm_sllv_epi32(x, n);
}

/* The compiler shall not know the pattern, as in vec_load_lanes. */
VEC_FN vec16 vec16_shuffle(vec16 x, const uint8_t pattern[16])
{
    __asm__("" : "+r"(pattern));
    return _mm_shuffle_epi8(x, vec16_load(pattern));
}

VEC_FN vec16 vec16_swap_words(vec16 x)
{
    return _mm_shuffle_epi32(x, _MM_SHUFFLE(2, 3, 0, 1));
}

VEC_FN vec16 vec16_first_halves(vec16 a, vec16 b)
{
    return _mm_unpacklo_epi64(a, b);
}

VEC_FN vec16 vec16_second_halves(vec16 a, vec16 b)
{
    return _mm_unpackhi_epi64(a, b);
}

VEC_FN vec16 vec16_map(const mf_byte_map *map, vec16 x)
{
    return _mm_gf2p8affine_epi64_epi8(x, _mm_set1_epi64x((long long)map->matrix), 0);
}

VEC_FN vec16 vec16_lookup_places(const vec_table tables[4], const vec_places *places, vec16 x)
{
    return _mm512_castsi512_si128(vec_lookup_places(tables, places, _mm512_zextsi128_si512(x)));
}

#endif
