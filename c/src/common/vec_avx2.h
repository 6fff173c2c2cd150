/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The vector type of kernels, on 32-byte registers. Before it is included, VEC_TARGET names the
 * instruction set for the function attribute. vec.h says what each operation does.
 */
#ifndef MF_SRC_COMMON_VEC_AVX2_H
#define MF_SRC_COMMON_VEC_AVX2_H

#include <immintrin.h>

#include "vec.h"

#define VEC_BYTES 32

/* Else compilers copy tables to the stack before the loop: slower, and more to wipe. */
#define VEC_RELOAD(p) __asm__("" : "+r"(p))

typedef __m256i vec;

VEC_FN vec vec_load(const void *p)
{
    return _mm256_loadu_si256(p);
}

VEC_FN void vec_store(void *p, vec x)
{
    _mm256_storeu_si256(p, x);
}

VEC_FN vec vec_load_lanes(const void *p)
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128(p));
}

VEC_FN vec vec_set32(uint32_t x)
{
    return _mm256_set1_epi32((int)x);
}

VEC_FN vec vec_xor(vec a, vec b)
{
    return _mm256_xor_si256(a, b);
}

VEC_FN vec vec_xor3(vec a, vec b, vec c)
{
    return vec_xor(vec_xor(a, b), c);
}

VEC_FN vec vec_add32(vec a, vec b)
{
    return _mm256_add_epi32(a, b);
}

VEC_FN vec vec_rotl32(vec x, int n)
{
    return _mm256_or_si256(_mm256_slli_epi32(x, n), _mm256_srli_epi32(x, 32 - n));
}

VEC_FN vec vec_rotl32_third(vec x, int n)
{
    return _mm256_blend_epi32(x, vec_rotl32(x, n), 0x44);
}

VEC_FN vec vec_rotl32_fourth(vec x, int n)
{
    return _mm256_blend_epi32(x, vec_rotl32(x, n), 0x88);
}

VEC_FN vec vec_shuffle(vec x, vec pattern)
{
    return _mm256_shuffle_epi8(x, pattern);
}

VEC_FN vec vec_join_halves(vec low, vec high)
{
    return _mm256_alignr_epi8(high, low, 8);
}

VEC_FN void vec_transpose_words(vec r[4])
{
    const vec ab_low = _mm256_unpacklo_epi32(r[0], r[1]);
    const vec ab_high = _mm256_unpackhi_epi32(r[0], r[1]);
    const vec cd_low = _mm256_unpacklo_epi32(r[2], r[3]);
    const vec cd_high = _mm256_unpackhi_epi32(r[2], r[3]);
    r[0] = _mm256_unpacklo_epi64(ab_low, cd_low);
    r[1] = _mm256_unpackhi_epi64(ab_low, cd_low);
    r[2] = _mm256_unpacklo_epi64(ab_high, cd_high);
    r[3] = _mm256_unpackhi_epi64(ab_high, cd_high);
}

/* A transposition of 4 by 4 bytes in 16. */
VEC_FN vec vec_gather_bytes(vec x)
{
    const vec pattern = _mm256_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, 0, 4,
                                         8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    return _mm256_shuffle_epi8(x, pattern);
}

VEC_FN void vec_words_to_bytes(vec r[4])
{
    VEC_UNROLL
    for (size_t i = 0; i < 4; i++) {
        r[i] = vec_gather_bytes(r[i]);
    }
    vec_transpose_words(r);
}

VEC_FN void vec_bytes_to_words(vec r[4])
{
    vec_transpose_words(r);
    VEC_UNROLL
    for (size_t i = 0; i < 4; i++) {
        r[i] = vec_gather_bytes(r[i]);
    }
}

/* A quarter p of a table T of 256 bytes serves the bytes p * 64 to p * 64 + 63. It has T in 16 bytes
 * each, T_0 to T_3, as T_0 ^ T_1, T_1 ^ T_2, T_2 ^ T_3, T_3: what is looked up in row t counts for
 * bytes below 16 (t + 1), because for the others the index has its top bit set, which gives 0. So a
 * selection among four costs three XORs. Row t of the quarters p and p + 2 are neighbours. */
typedef struct vec_table {
    uint8_t rows[2][4][2][16];
} vec_table;

VEC_FN void vec_table_make(vec_table *table, const uint8_t T[256])
{
    for (size_t p = 0; p < 4; p++) {
        const uint8_t *t = T + 64 * p;
        const __m128i t0 = _mm_loadu_si128((const void *)t);
        const __m128i t1 = _mm_loadu_si128((const void *)(t + 16));
        const __m128i t2 = _mm_loadu_si128((const void *)(t + 32));
        const __m128i t3 = _mm_loadu_si128((const void *)(t + 48));
        uint8_t(*row)[2][16] = table->rows[p & 1];
        _mm_storeu_si128((void *)row[0][p >> 1], _mm_xor_si128(t0, t1));
        _mm_storeu_si128((void *)row[1][p >> 1], _mm_xor_si128(t1, t2));
        _mm_storeu_si128((void *)row[2][p >> 1], _mm_xor_si128(t2, t3));
        _mm_storeu_si128((void *)row[3][p >> 1], t3);
    }
}

/* The indexes into the four rows of a quarter. */
typedef struct vec_index {
    vec row[4];
} vec_index;

/* y must be below 64, or have its top bit set where 0 is wanted. */
VEC_FN vec_index vec_index_of(vec y)
{
    const vec_index index = {{_mm256_adds_epu8(y, _mm256_set1_epi8(0x70)),
                              _mm256_adds_epu8(y, _mm256_set1_epi8(0x60)),
                              _mm256_adds_epu8(y, _mm256_set1_epi8(0x50)), y}};
    return index;
}

/* The one of two that bit 7 of each byte of x names. */
VEC_FN vec vec_select(vec x, vec if_0, vec if_1)
{
    return _mm256_blendv_epi8(if_0, if_1, x);
}

/* Quarter p for a and b: each row is loaded once for both. */
VEC_FN void vec_lookup_quarter_2(const vec_table *table, size_t p, const vec_index *a,
                                 const vec_index *b, vec *found_a, vec *found_b)
{
    vec row = vec_load_lanes(table->rows[p & 1][0][p >> 1]);
    *found_a = _mm256_shuffle_epi8(row, a->row[0]);
    *found_b = _mm256_shuffle_epi8(row, b->row[0]);
    VEC_UNROLL
    for (size_t t = 1; t < 4; t++) {
        row = vec_load_lanes(table->rows[p & 1][t][p >> 1]);
        *found_a = vec_xor(*found_a, _mm256_shuffle_epi8(row, a->row[t]));
        *found_b = vec_xor(*found_b, _mm256_shuffle_epi8(row, b->row[t]));
    }
}

VEC_FN void vec_lookup_2(const vec_table *table, vec *a, vec *b)
{
    const vec low_6 = _mm256_set1_epi8(63);
    const vec_index index_a = vec_index_of(_mm256_and_si256(*a, low_6));
    const vec_index index_b = vec_index_of(_mm256_and_si256(*b, low_6));
    vec found_a[4];
    vec found_b[4];
    VEC_UNROLL
    for (size_t p = 0; p < 4; p++) {
        vec_lookup_quarter_2(table, p, &index_a, &index_b, &found_a[p], &found_b[p]);
    }
    const vec bit_6_a = _mm256_add_epi8(*a, *a);
    const vec bit_6_b = _mm256_add_epi8(*b, *b);
    *a = vec_select(*a, vec_select(bit_6_a, found_a[0], found_a[1]),
                    vec_select(bit_6_a, found_a[2], found_a[3]));
    *b = vec_select(*b, vec_select(bit_6_b, found_b[0], found_b[1]),
                    vec_select(bit_6_b, found_b[2], found_b[3]));
}

/* Both lanes hold the same block: so one works on the quarters 0 and 1, the other on 2 and 3. */
#define VEC_LANES_BLOCKS 1

VEC_FN vec vec_load_blocks(const void *p)
{
    return vec_load_lanes(p);
}

VEC_FN void vec_store_blocks(void *p, vec x)
{
    _mm_storeu_si128(p, _mm256_castsi256_si128(x));
}

/* The quarters p and p + 2 of a table, for the bytes at position j; 0 for the others. */
VEC_FN vec vec_lookup_halves(const vec_table *table, size_t p, const vec_index *index)
{
    vec found[4];
    VEC_UNROLL
    for (size_t t = 0; t < 4; t++) {
        found[t] = _mm256_shuffle_epi8(vec_load(table->rows[p][t]), index->row[t]);
    }
    return vec_xor(vec_xor(found[0], found[1]), vec_xor(found[2], found[3]));
}

VEC_FN vec vec_lookup_4(const vec_table tables[4], vec x)
{
    const vec y = _mm256_and_si256(x, _mm256_set1_epi8(63));
    vec even[4];
    vec odd[4];
    VEC_UNROLL
    for (size_t j = 0; j < 4; j++) {
        const vec others = vec_set32(~((uint32_t)0xFF << 8 * j) & 0x80808080);
        const vec_index index = vec_index_of(_mm256_or_si256(y, others));
        even[j] = vec_lookup_halves(&tables[j], 0, &index);
        odd[j] = vec_lookup_halves(&tables[j], 1, &index);
    }
    const vec half = vec_select(_mm256_add_epi8(x, x),
                                vec_xor(vec_xor(even[0], even[1]), vec_xor(even[2], even[3])),
                                vec_xor(vec_xor(odd[0], odd[1]), vec_xor(odd[2], odd[3])));
    return vec_select(x, _mm256_permute2x128_si256(half, half, 0x00),
                      _mm256_permute2x128_si256(half, half, 0x11));
}

#endif
