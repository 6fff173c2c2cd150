/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The vector type of kernels, on 32-byte registers. Before it is included, VEC_TARGET names the
 * instruction set for the function attribute. vec.h says what each operation does.
 */
#ifndef MF_SRC_COMMON_VEC_AVX2_H
#define MF_SRC_COMMON_VEC_AVX2_H

#include "x86.h"

#include "vec.h"

#define VEC_BYTES ((size_t)32)

/* Else compilers copy tables to the stack before the loop, or in one round for the next: slower,
 * and more to wipe. */
#define VEC_RELOAD(p) __asm__ volatile("" : "+r"(p))

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

VEC_FN vec vec_set_mask(uint32_t x)
{
    return vec_set32(x);
}

VEC_FN vec vec_xor(vec a, vec b)
{
    return _mm256_xor_si256(a, b);
}

VEC_FN vec vec_xor3(vec a, vec b, vec c)
{
    return vec_xor(vec_xor(a, b), c);
}

VEC_FN vec vec_and(vec a, vec b)
{
    return _mm256_and_si256(a, b);
}

VEC_FN vec vec_or(vec a, vec b)
{
    return _mm256_or_si256(a, b);
}

VEC_FN vec vec_and_not(vec a, vec b)
{
    return _mm256_andnot_si256(b, a);
}

VEC_FN vec vec_shr64(vec x, int n)
{
    return _mm256_srli_epi64(x, n);
}

VEC_FN vec vec_shl64(vec x, int n)
{
    return _mm256_slli_epi64(x, n);
}

/* Interleaves the bytes of those of eight registers whose numbers differ in one bit. The
 * bit that says which half of a lane a byte is in becomes that bit of the number, and that bit
 * becomes the lowest one within the lane. */
VEC_FN void vec_interleave(vec r[8], size_t bit)
{
    VEC_UNROLL_8
    for (size_t i = 0; i < 8; i++) {
        if ((i & bit) == 0) {
            const vec first = _mm256_unpacklo_epi8(r[i], r[i + bit]);
            r[i + bit] = _mm256_unpackhi_epi8(r[i], r[i + bit]);
            r[i] = first;
        }
    }
}

VEC_FN void vec_blocks_to_bytes(vec r[8])
{
    vec_interleave(r, 1);
    vec_interleave(r, 4);
    vec_interleave(r, 2);
    vec_interleave(r, 1);
}

/* Three more steps close the circle, except for the order of the registers. */
VEC_FN void vec_bytes_to_blocks(vec r[8])
{
    vec_interleave(r, 4);
    vec_interleave(r, 2);
    vec_interleave(r, 1);
    const vec r1 = r[1];
    const vec r3 = r[3];
    r[1] = r[4];
    r[4] = r[2];
    r[2] = r1;
    r[3] = r[5];
    r[5] = r[6];
    r[6] = r3;
}

#define vec_exchange(x, y, shift, lower_halves)                                                    \
    do {                                                                                           \
        const vec difference = vec_and(vec_xor(vec_shr64(*(x), shift), *(y)), lower_halves);       \
        *(y) = vec_xor(*(y), difference);                                                          \
        *(x) = vec_xor(*(x), vec_shl64(difference, shift));                                        \
    } while (0)

VEC_FN vec vec_add32(vec a, vec b)
{
    return _mm256_add_epi32(a, b);
}

VEC_FN vec vec_shr32(vec x, int n)
{
    return _mm256_srli_epi32(x, n);
}

/* More ports add than shift. */
VEC_FN vec vec_shl32(vec x, int n)
{
    return n == 1 ? _mm256_add_epi32(x, x) : _mm256_slli_epi32(x, n);
}

VEC_FN vec vec_rotl32(vec x, int n)
{
    return _mm256_or_si256(vec_shl32(x, n), _mm256_srli_epi32(x, 32 - n));
}

/* Shifts by 32 bits give 0. */
VEC_FN vec vec_rotl32_third(vec x, int n)
{
    return _mm256_or_si256(
        _mm256_sllv_epi32(x, _mm256_setr_epi32(0, 0, n, 0, 0, 0, n, 0)),
        _mm256_srlv_epi32(x, _mm256_setr_epi32(32, 32, 32 - n, 32, 32, 32, 32 - n, 32)));
}

VEC_FN vec vec_rotl32_fourth(vec x, int n)
{
    return _mm256_or_si256(
        _mm256_sllv_epi32(x, _mm256_setr_epi32(0, 0, 0, n, 0, 0, 0, n)),
        _mm256_srlv_epi32(x, _mm256_setr_epi32(32, 32, 32, 32 - n, 32, 32, 32, 32 - n)));
}

VEC_FN vec vec_shuffle(vec x, vec pattern)
{
    return _mm256_shuffle_epi8(x, pattern);
}

VEC_FN vec vec_low_nibbles(vec x)
{
    return _mm256_and_si256(x, _mm256_set1_epi8(15));
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

/* A transposition of 4 by 4 bytes in each lane, and the same for words that were to be rotated. */
VEC_FN vec vec_gather_bytes(vec x)
{
    const vec pattern = _mm256_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, 0, 4,
                                         8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    return _mm256_shuffle_epi8(x, pattern);
}

VEC_FN vec vec_gather_bytes_turned(vec x)
{
    const vec pattern = _mm256_setr_epi8(3, 7, 11, 15, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7,
                                         11, 15, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14);
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

VEC_FN void vec_words_to_bytes_turned(vec r[4])
{
    r[0] = vec_gather_bytes(r[0]);
    r[1] = vec_gather_bytes(r[1]);
    r[2] = vec_gather_bytes_turned(r[2]);
    r[3] = vec_gather_bytes_turned(r[3]);
    vec_transpose_words(r);
}

/* 8 instructions, where the other direction takes 12: there is none that undoes an interleaving. */
VEC_FN void vec_bytes_to_words(vec r[4])
{
    const vec low_01 = _mm256_unpacklo_epi8(r[0], r[1]);
    const vec low_23 = _mm256_unpacklo_epi8(r[2], r[3]);
    const vec high_01 = _mm256_unpackhi_epi8(r[0], r[1]);
    const vec high_23 = _mm256_unpackhi_epi8(r[2], r[3]);
    r[0] = _mm256_unpacklo_epi16(low_01, low_23);
    r[1] = _mm256_unpackhi_epi16(low_01, low_23);
    r[2] = _mm256_unpacklo_epi16(high_01, high_23);
    r[3] = _mm256_unpackhi_epi16(high_01, high_23);
}

/* A quarter p of a table T of 256 bytes serves the bytes p * 64 to p * 64 + 63. It has T in 16
 * bytes each, T_0 to T_3, as T_0 ^ T_1, T_1 ^ T_2, T_2 ^ T_3, T_3: what is looked up in row t
 * counts for bytes below 16 (t + 1), because for the others the index has its top bit set, which
 * gives 0. So a selection among four costs three XORs. Row t of the quarters p and p + 2 are
 * neighbours. */
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

/* The indexes into the four rows of a quarter: only the row that has the byte, and those after it,
 * do not give 0. y must be below 64, or have its top bit set where 0 is wanted. */
typedef struct vec_index {
    vec row[4];
} vec_index;

VEC_FN vec_index vec_index_of(vec y)
{
    const vec_index index = {{_mm256_adds_epu8(y, _mm256_set1_epi8(0x70)),
                              _mm256_adds_epu8(y, _mm256_set1_epi8(0x60)),
                              _mm256_adds_epu8(y, _mm256_set1_epi8(0x50)), y}};
    return index;
}

/* The same x, of which gcc knows nothing but that it is needed now. */
VEC_FN vec vec_now(vec x)
{
#if !defined(__clang__)
    VEC_HIDE(x);
#endif
    return x;
}

/* The one of two that bit 7 of each byte of x names. Where x is used twice, gcc would compare it
 * with zero once, and blend by the result: not what the instruction needs. */
VEC_FN vec vec_select(vec x, vec if_0, vec if_1)
{
    return _mm256_blendv_epi8(if_0, if_1, vec_now(x));
}

/* Now, else gcc first makes all that is to be summed, and has too few registers for it. */
VEC_FN vec vec_xor4(vec a, vec b, vec c, vec d)
{
    return vec_now(vec_xor(vec_xor(a, b), vec_xor(c, d)));
}

VEC_FN vec vec_lookup_quarter(const vec_table *table, size_t p, const vec_index *index)
{
    vec found[4];
    VEC_UNROLL
    for (size_t t = 0; t < 4; t++) {
        found[t] =
            _mm256_shuffle_epi8(vec_load_lanes(table->rows[p & 1][t][p >> 1]), index->row[t]);
    }
    return vec_xor4(found[0], found[1], found[2], found[3]);
}

VEC_FN vec vec_lookup(const vec_table *table, vec x)
{
    const vec_index index = vec_index_of(_mm256_and_si256(x, _mm256_set1_epi8(63)));
    const vec bit_6 = _mm256_add_epi8(x, x);
    const vec low = vec_select(bit_6, vec_lookup_quarter(table, 0, &index),
                               vec_lookup_quarter(table, 1, &index));
    const vec high = vec_select(bit_6, vec_lookup_quarter(table, 2, &index),
                                vec_lookup_quarter(table, 3, &index));
    return vec_select(x, low, high);
}

/* Both lanes hold the same block: so one works on the quarters 0 and 1, the other on 2 and 3. */
VEC_FN vec vec_load_blocks(const void *p)
{
    return vec_load_lanes(p);
}

VEC_FN void vec_store_blocks(void *p, vec x)
{
    _mm_storeu_si128(p, _mm256_castsi256_si128(x));
}

/* Quarters p and p + 2 of the four tables, each for its word. y has the bytes of quarter p below 64
 * in the first lane, those of quarter p + 2 in the second; for all others 0 is found. */
VEC_FN vec vec_lookup_quarters_words(const vec_table tables[4], size_t p, vec y)
{
    const vec index[4] = {
        _mm256_adds_epu8(y, _mm256_set1_epi8(0x70)), _mm256_adds_epu8(y, _mm256_set1_epi8(0x60)),
        _mm256_adds_epu8(y, _mm256_set1_epi8(0x50)), _mm256_adds_epu8(y, _mm256_set1_epi8(0x40))};
    vec found[4];
    VEC_UNROLL
    for (size_t j = 0; j < 4; j++) {
        const uint8_t(*rows)[2][16] = tables[j].rows[p];
        found[j] = vec_xor4(_mm256_shuffle_epi8(vec_load(rows[0]), index[0]),
                            _mm256_shuffle_epi8(vec_load(rows[1]), index[1]),
                            _mm256_shuffle_epi8(vec_load(rows[2]), index[2]),
                            _mm256_shuffle_epi8(vec_load(rows[3]), index[3]));
    }
    return _mm256_blend_epi32(_mm256_blend_epi32(found[0], found[1], 0xAA),
                              _mm256_blend_epi32(found[2], found[3], 0xAA), 0xCC);
}

VEC_FN vec vec_set32_lanes(uint32_t first, uint32_t second)
{
    const int a = (int)first;
    const int b = (int)second;
    return _mm256_setr_epi32(a, a, a, a, b, b, b, b);
}

/* One of the four sums has the byte; the others are 0, so no selection is needed. */
VEC_FN vec vec_lookup_words(const vec_table tables[4], vec x)
{
    const vec even =
        vec_lookup_quarters_words(tables, 0, vec_xor(x, vec_set32_lanes(0, 0x80808080)));
    const vec odd =
        vec_lookup_quarters_words(tables, 1, vec_xor(x, vec_set32_lanes(0x40404040, 0xC0C0C0C0)));
    const vec half = vec_xor(even, odd);
    return vec_xor(half, _mm256_permute4x64_epi64(half, 0x4E));
}

VEC_FN vec vec_high_nibbles(vec x)
{
    return vec_low_nibbles(_mm256_srli_epi32(x, 4));
}

/* The images of both nibbles, looked up. */
VEC_FN vec vec_map(const mf_byte_map *map, vec x)
{
    return vec_xor(_mm256_shuffle_epi8(vec_load_lanes(map->low), vec_low_nibbles(x)),
                   _mm256_shuffle_epi8(vec_load_lanes(map->high), vec_high_nibbles(x)));
}

#endif
