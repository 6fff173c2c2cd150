/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The vector type of kernels, on 16-byte registers with SSSE3. Before it is included, VEC_TARGET
 * names the instruction set for the function attribute. vec.h says what each operation does.
 */
#ifndef MF_SRC_COMMON_VEC_SSSE3_H
#define MF_SRC_COMMON_VEC_SSSE3_H

#include <tmmintrin.h>

#include "vec.h"

#define VEC_BYTES ((size_t)16)

/* Else compilers copy tables to the stack before the loop, or in one round for the next: slower,
 * and more to wipe. */
#define VEC_RELOAD(p) __asm__ volatile("" : "+r"(p))

typedef __m128i vec;

VEC_FN vec vec_load(const void *p)
{
    return _mm_loadu_si128(p);
}

VEC_FN void vec_store(void *p, vec x)
{
    _mm_storeu_si128(p, x);
}

VEC_FN vec vec_load_lanes(const void *p)
{
    return _mm_loadu_si128(p);
}

VEC_FN vec vec_set32(uint32_t x)
{
    return _mm_set1_epi32((int)x);
}

VEC_FN vec vec_xor(vec a, vec b)
{
    return _mm_xor_si128(a, b);
}

VEC_FN vec vec_xor3(vec a, vec b, vec c)
{
    return vec_xor(vec_xor(a, b), c);
}

VEC_FN vec vec_add32(vec a, vec b)
{
    return _mm_add_epi32(a, b);
}

VEC_FN vec vec_shr32(vec x, int n)
{
    return _mm_srli_epi32(x, n);
}

/* More ports add than shift. */
VEC_FN vec vec_shl32(vec x, int n)
{
    return n == 1 ? _mm_add_epi32(x, x) : _mm_slli_epi32(x, n);
}

VEC_FN vec vec_rotl32(vec x, int n)
{
    return _mm_or_si128(vec_shl32(x, n), _mm_srli_epi32(x, 32 - n));
}

/* Where mask has ones, b; else a. */
VEC_FN vec vec_merge(vec mask, vec a, vec b)
{
    return _mm_or_si128(_mm_andnot_si128(mask, a), _mm_and_si128(mask, b));
}

VEC_FN vec vec_rotl32_third(vec x, int n)
{
    return vec_merge(_mm_setr_epi32(0, 0, -1, 0), x, vec_rotl32(x, n));
}

VEC_FN vec vec_rotl32_fourth(vec x, int n)
{
    return vec_merge(_mm_setr_epi32(0, 0, 0, -1), x, vec_rotl32(x, n));
}

VEC_FN vec vec_shuffle(vec x, vec pattern)
{
    return _mm_shuffle_epi8(x, pattern);
}

VEC_FN vec vec_join_halves(vec low, vec high)
{
    return _mm_alignr_epi8(high, low, 8);
}

VEC_FN void vec_transpose_words(vec r[4])
{
    const vec ab_low = _mm_unpacklo_epi32(r[0], r[1]);
    const vec ab_high = _mm_unpackhi_epi32(r[0], r[1]);
    const vec cd_low = _mm_unpacklo_epi32(r[2], r[3]);
    const vec cd_high = _mm_unpackhi_epi32(r[2], r[3]);
    r[0] = _mm_unpacklo_epi64(ab_low, cd_low);
    r[1] = _mm_unpackhi_epi64(ab_low, cd_low);
    r[2] = _mm_unpacklo_epi64(ab_high, cd_high);
    r[3] = _mm_unpackhi_epi64(ab_high, cd_high);
}

/* A transposition of 4 by 4 bytes, and the same for words that were to be rotated. */
VEC_FN vec vec_gather_bytes(vec x)
{
    return _mm_shuffle_epi8(x, _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
}

VEC_FN vec vec_gather_bytes_turned(vec x)
{
    return _mm_shuffle_epi8(x, _mm_setr_epi8(3, 7, 11, 15, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14));
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
    const vec low_01 = _mm_unpacklo_epi8(r[0], r[1]);
    const vec low_23 = _mm_unpacklo_epi8(r[2], r[3]);
    const vec high_01 = _mm_unpackhi_epi8(r[0], r[1]);
    const vec high_23 = _mm_unpackhi_epi8(r[2], r[3]);
    r[0] = _mm_unpacklo_epi16(low_01, low_23);
    r[1] = _mm_unpackhi_epi16(low_01, low_23);
    r[2] = _mm_unpacklo_epi16(high_01, high_23);
    r[3] = _mm_unpackhi_epi16(high_01, high_23);
}

/* A table T is four quarters. T in 16 bytes each is T_0 to T_15; of a quarter p, it has T_4p ^
 * T_4p+1, T_4p+1 ^ T_4p+2, T_4p+2 ^ T_4p+3, T_4p+3: what is looked up in row t counts for bytes
 * below 16 (t + 1), because for the others the index has its top bit set, which gives 0. So a
 * selection among four costs three XORs.
 *
 * With Q_p for what quarter p finds, what is wanted is the XOR of Q_0, of Q_0 ^ Q_1 if bit 6 of the
 * byte is set, of Q_0 ^ Q_2 if bit 7 is, and of Q_0 ^ Q_1 ^ Q_2 ^ Q_3 if both are. Those four are
 * stored: then an AND and an XOR are a selection, for which SSSE3 has no instruction. */
typedef struct vec_table {
    uint8_t rows[4][4][16];
} vec_table;

VEC_FN void vec_table_make(vec_table *table, const uint8_t T[256])
{
    for (size_t t = 0; t < 4; t++) {
        vec q[4];
        VEC_UNROLL
        for (size_t p = 0; p < 4; p++) {
            const uint8_t *row = T + 64 * p + 16 * t;
            q[p] = t == 3 ? vec_load(row) : vec_xor(vec_load(row), vec_load(row + 16));
        }
        vec_store(table->rows[0][t], q[0]);
        vec_store(table->rows[1][t], vec_xor(q[0], q[1]));
        vec_store(table->rows[2][t], vec_xor(q[0], q[2]));
        vec_store(table->rows[3][t], vec_xor(vec_xor(q[0], q[1]), vec_xor(q[2], q[3])));
    }
}

/* The indexes into the four rows of a quarter. */
typedef struct vec_index {
    vec row[4];
} vec_index;

/* Of the low 6 bits of each byte. */
VEC_FN vec_index vec_index_of(vec x)
{
    const vec y = _mm_and_si128(x, _mm_set1_epi8(63));
    const vec_index index = {{_mm_adds_epu8(y, _mm_set1_epi8(0x70)),
                              _mm_adds_epu8(y, _mm_set1_epi8(0x60)),
                              _mm_adds_epu8(y, _mm_set1_epi8(0x50)), y}};
    return index;
}

/* Needed now, else gcc first makes all that is to be summed, and has too few registers for it. */
VEC_FN vec vec_now(vec x)
{
#if !defined(__clang__)
    VEC_HIDE(x);
#endif
    return x;
}

VEC_FN vec vec_lookup_quarter(const vec_table *table, size_t p, const vec_index *index)
{
    vec sum = _mm_shuffle_epi8(vec_load(table->rows[p][0]), index->row[0]);
    VEC_UNROLL
    for (size_t t = 1; t < 4; t++) {
        sum = vec_xor(sum, _mm_shuffle_epi8(vec_load(table->rows[p][t]), index->row[t]));
    }
    return vec_now(sum);
}

/* Of the bytes found in four tables, those that the top bits of x select. */
VEC_FN vec vec_choose(vec x, const vec found[4])
{
    const vec bit_6 = _mm_cmpgt_epi8(_mm_setzero_si128(), _mm_add_epi8(x, x));
    const vec bit_7 = _mm_cmpgt_epi8(_mm_setzero_si128(), x);
    const vec if_0 = vec_xor(found[0], _mm_and_si128(found[1], bit_6));
    const vec if_1 = vec_xor(found[2], _mm_and_si128(found[3], bit_6));
    return vec_xor(if_0, _mm_and_si128(if_1, bit_7));
}

VEC_FN vec vec_lookup(const vec_table *table, vec x)
{
    const vec_index index = vec_index_of(x);
    vec found[4];
    VEC_UNROLL
    for (size_t p = 0; p < 4; p++) {
        found[p] = vec_lookup_quarter(table, p, &index);
    }
    return vec_choose(x, found);
}

VEC_FN vec vec_load_blocks(const void *p)
{
    return vec_load(p);
}

VEC_FN void vec_store_blocks(void *p, vec x)
{
    vec_store(p, x);
}

/* Word j of x[j], for each j. */
VEC_FN vec vec_diagonal(const vec x[4])
{
    const __m128 low = _mm_move_ss(_mm_castsi128_ps(x[1]), _mm_castsi128_ps(x[0]));
    const __m128 high =
        _mm_shuffle_ps(_mm_castsi128_ps(x[2]), _mm_castsi128_ps(x[3]), _MM_SHUFFLE(3, 3, 2, 2));
    return _mm_castps_si128(_mm_shuffle_ps(low, high, _MM_SHUFFLE(2, 0, 1, 0)));
}

VEC_FN vec vec_lookup_words(const vec_table tables[4], vec x)
{
    const vec_index index = vec_index_of(x);
    vec found[4];
    VEC_UNROLL
    for (size_t p = 0; p < 4; p++) {
        vec of_table[4];
        VEC_UNROLL
        for (size_t j = 0; j < 4; j++) {
            of_table[j] = vec_lookup_quarter(&tables[j], p, &index);
        }
        found[p] = vec_now(vec_diagonal(of_table));
    }
    return vec_choose(x, found);
}

VEC_FN vec vec_low_nibbles(vec x)
{
    return _mm_and_si128(x, _mm_set1_epi8(15));
}

VEC_FN vec vec_high_nibbles(vec x)
{
    return vec_low_nibbles(_mm_srli_epi32(x, 4));
}

/* The images of both nibbles, looked up. */
VEC_FN vec vec_map(const mf_byte_map *map, vec x)
{
    return vec_xor(_mm_shuffle_epi8(vec_load(map->low), vec_low_nibbles(x)),
                   _mm_shuffle_epi8(vec_load(map->high), vec_high_nibbles(x)));
}

#endif
