/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The vector type of kernels, on the 16-byte vectors of WebAssembly (SIMD128). A module either has
 * them or does not load, so there is nothing to ask for when it runs. vec.h says what each
 * operation does.
 */
#ifndef MF_SRC_COMMON_VEC_SIMD128_H
#define MF_SRC_COMMON_VEC_SIMD128_H

#include <wasm_simd128.h>

#define VEC_HIDE(x) __asm__("" : "+r"(x))
#define VEC_EACH VEC_LOOP
#include "vec.h"

#define VEC_BYTES ((size_t)16)

/* Else tables are loaded before the loop, into more variables than any machine has registers. */
#define VEC_RELOAD(p) __asm__("" : "+r"(p))

typedef v128_t vec;

VEC_FN vec vec_load(const void *p)
{
    return wasm_v128_load(p);
}

VEC_FN void vec_store(void *p, vec x)
{
    wasm_v128_store(p, x);
}

VEC_FN vec vec_load_lanes(const void *p)
{
    return vec_load(p);
}

VEC_FN vec vec_load_blocks(const void *p)
{
    return vec_load(p);
}

VEC_FN void vec_store_blocks(void *p, vec x)
{
    vec_store(p, x);
}

VEC_FN vec vec_set32(uint32_t x)
{
    return wasm_u32x4_splat(x);
}

VEC_FN vec vec_xor(vec a, vec b)
{
    return wasm_v128_xor(a, b);
}

VEC_FN vec vec_xor3(vec a, vec b, vec c)
{
    return vec_xor(vec_xor(a, b), c);
}

VEC_FN vec vec_add32(vec a, vec b)
{
    return wasm_i32x4_add(a, b);
}

VEC_FN vec vec_shr32(vec x, int n)
{
    return wasm_u32x4_shr(x, (uint32_t)n);
}

VEC_FN vec vec_rotl32(vec x, int n)
{
    return wasm_v128_or(wasm_i32x4_shl(x, (uint32_t)n), wasm_u32x4_shr(x, (uint32_t)(32 - n)));
}

VEC_FN vec vec_rotl32_third(vec x, int n)
{
    return wasm_i32x4_shuffle(x, vec_rotl32(x, n), 0, 1, 6, 3);
}

VEC_FN vec vec_rotl32_fourth(vec x, int n)
{
    return wasm_i32x4_shuffle(x, vec_rotl32(x, n), 0, 1, 2, 7);
}

VEC_FN vec vec_shuffle(vec x, vec pattern)
{
    return wasm_i8x16_swizzle(x, pattern);
}

VEC_FN vec vec_join_halves(vec low, vec high)
{
    return wasm_i64x2_shuffle(low, high, 1, 2);
}

VEC_FN void vec_transpose_words(vec r[4])
{
    const vec ab_low = wasm_i32x4_shuffle(r[0], r[1], 0, 4, 1, 5);
    const vec ab_high = wasm_i32x4_shuffle(r[0], r[1], 2, 6, 3, 7);
    const vec cd_low = wasm_i32x4_shuffle(r[2], r[3], 0, 4, 1, 5);
    const vec cd_high = wasm_i32x4_shuffle(r[2], r[3], 2, 6, 3, 7);
    r[0] = wasm_i64x2_shuffle(ab_low, cd_low, 0, 2);
    r[1] = wasm_i64x2_shuffle(ab_low, cd_low, 1, 3);
    r[2] = wasm_i64x2_shuffle(ab_high, cd_high, 0, 2);
    r[3] = wasm_i64x2_shuffle(ab_high, cd_high, 1, 3);
}

/* Of two registers, the bytes or pairs of bytes of their first halves in turn; of their second
 * halves. */
#define VEC_ZIP_FIRST(a, b)                                                                        \
    wasm_i8x16_shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define VEC_ZIP_SECOND(a, b)                                                                       \
    wasm_i8x16_shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define VEC_ZIP_FIRST_PAIRS(a, b) wasm_i16x8_shuffle(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define VEC_ZIP_SECOND_PAIRS(a, b) wasm_i16x8_shuffle(a, b, 4, 12, 5, 13, 6, 14, 7, 15)

/* The number of a byte has six bits: two for the register, two for the word and two for the byte.
 * Interleaving the first two registers with the last two brings the highest bit to the lowest
 * place. */
VEC_FN void vec_turn_numbers(vec r[4])
{
    const vec even_first = VEC_ZIP_FIRST(r[0], r[2]);
    const vec even_second = VEC_ZIP_SECOND(r[0], r[2]);
    const vec odd_first = VEC_ZIP_FIRST(r[1], r[3]);
    const vec odd_second = VEC_ZIP_SECOND(r[1], r[3]);
    r[0] = even_first;
    r[1] = even_second;
    r[2] = odd_first;
    r[3] = odd_second;
}

/* After four turns the bits for the byte are those for the register. Engines have an instruction of
 * x86 for each of these interleavings, and none for a gathering of bytes as in vec_ssse3.h, whose
 * pattern they make again each time. */
VEC_FN void vec_words_to_bytes(vec r[4])
{
    VEC_UNROLL
    for (size_t i = 0; i < 4; i++) {
        vec_turn_numbers(r);
    }
}

/* Two more turns, of pairs of bytes. */
VEC_FN void vec_bytes_to_words(vec r[4])
{
    const vec low_01 = VEC_ZIP_FIRST(r[0], r[1]);
    const vec low_23 = VEC_ZIP_FIRST(r[2], r[3]);
    const vec high_01 = VEC_ZIP_SECOND(r[0], r[1]);
    const vec high_23 = VEC_ZIP_SECOND(r[2], r[3]);
    r[0] = VEC_ZIP_FIRST_PAIRS(low_01, low_23);
    r[1] = VEC_ZIP_SECOND_PAIRS(low_01, low_23);
    r[2] = VEC_ZIP_FIRST_PAIRS(high_01, high_23);
    r[3] = VEC_ZIP_SECOND_PAIRS(high_01, high_23);
}

/* The 256 bytes as they are, in 16 rows. Row t counts for the bytes from 16 t to 16 t + 15: less 16
 * t they are 0 to 15, and all others are more, modulo 256, which finds 0. So each row is looked up
 * in by an index that is 16 less than for the row before. A selection among four rows, as
 * vec_ssse3.h has it, would save three of four subtractions; but it needs four times as many
 * registers, and on x86 most of the work is in the swizzle: to get 0 for all from 16 on, engines
 * add 0x70 with saturation. */
enum { VEC_ROWS = 16 };

typedef struct vec_table {
    uint8_t rows[VEC_ROWS][16];
} vec_table;

VEC_FN void vec_table_make(vec_table *table, const uint8_t T[256])
{
    for (size_t t = 0; t < VEC_ROWS; t++) {
        vec_store(table->rows[t], vec_load(T + 16 * t));
    }
}

/* 16 in all bytes. Loaded, since V8 would make a constant again in each run of a loop. */
VEC_FN vec vec_sixteen(void)
{
    static const uint8_t sixteen[16] = {16, 16, 16, 16, 16, 16, 16, 16,
                                        16, 16, 16, 16, 16, 16, 16, 16};
    const uint8_t *p = sixteen;
    VEC_RELOAD(p);
    return vec_load(p);
}

/* Adds the bytes that x selects in a row to sum, and makes x ready for the next row. */
VEC_FN void vec_lookup_row(vec *sum, vec row, vec *x, vec sixteen)
{
    *sum = vec_xor(*sum, wasm_i8x16_swizzle(row, *x));
    *x = wasm_i8x16_sub(*x, sixteen);
}

VEC_FN vec vec_lookup(const vec_table *table, vec x)
{
    const vec sixteen = vec_sixteen();
    vec sum = wasm_i8x16_splat(0);
    VEC_LOOP
    for (size_t t = 0; t < VEC_ROWS; t++) {
        vec_lookup_row(&sum, vec_load(table->rows[t]), &x, sixteen);
    }
    return sum;
}

VEC_FN void vec_lookup_two(const vec_table tables[2], vec x[2], vec y[2])
{
    const vec sixteen = vec_sixteen();
    vec index[4] = {x[0], x[1], y[0], y[1]};
    vec sum[4] = {wasm_i8x16_splat(0), wasm_i8x16_splat(0), wasm_i8x16_splat(0),
                  wasm_i8x16_splat(0)};
    VEC_LOOP
    for (size_t t = 0; t < VEC_ROWS; t++) {
        const vec first = vec_load(tables[0].rows[t]);
        const vec second = vec_load(tables[1].rows[t]);
        vec_lookup_row(&sum[0], first, &index[0], sixteen);
        vec_lookup_row(&sum[1], second, &index[1], sixteen);
        vec_lookup_row(&sum[2], first, &index[2], sixteen);
        vec_lookup_row(&sum[3], second, &index[3], sixteen);
    }
    x[0] = sum[0];
    x[1] = sum[1];
    y[0] = sum[2];
    y[1] = sum[3];
}

/* All of x in each table; of each result one word counts. */
VEC_FN vec vec_lookup_words(const vec_table tables[4], vec x)
{
    const vec sixteen = vec_sixteen();
    vec sum[4] = {wasm_i8x16_splat(0), wasm_i8x16_splat(0), wasm_i8x16_splat(0),
                  wasm_i8x16_splat(0)};
    VEC_LOOP
    for (size_t t = 0; t < VEC_ROWS; t++) {
        VEC_UNROLL
        for (size_t j = 0; j < 4; j++) {
            sum[j] = vec_xor(sum[j], wasm_i8x16_swizzle(vec_load(tables[j].rows[t]), x));
        }
        x = wasm_i8x16_sub(x, sixteen);
    }
    const vec first = wasm_i32x4_shuffle(sum[0], sum[1], 0, 5, 0, 5);
    const vec second = wasm_i32x4_shuffle(sum[2], sum[3], 2, 7, 2, 7);
    return wasm_i64x2_shuffle(first, second, 0, 2);
}

VEC_FN vec vec_low_nibbles(vec x)
{
    return wasm_v128_and(x, wasm_u8x16_splat(15));
}

VEC_FN vec vec_high_nibbles(vec x)
{
    return vec_low_nibbles(vec_shr32(x, 4));
}

/* Each byte divided by x in GF(2^8) modulo x^8 + polynomial: shifted, and changed by 1 / x where
 * its last bit was set. */
VEC_FN vec vec_divide(vec y, uint8_t polynomial)
{
    const vec half = wasm_v128_and(vec_shr32(y, 1), wasm_u8x16_splat(0x7F));
    vec zero = wasm_i8x16_splat(0);
    VEC_HIDE(zero); /* else compilers make it an arithmetic shift of bytes, which x86 has not */
    const vec odd = wasm_i8x16_lt(wasm_i32x4_shl(y, 7), zero);
    return vec_xor(half, wasm_v128_and(odd, wasm_u8x16_splat((uint8_t)(polynomial >> 1 | 0x80))));
}

/* The images of both nibbles, looked up. */
VEC_FN vec vec_map(const mf_byte_map *map, vec x)
{
    return vec_xor(wasm_i8x16_swizzle(vec_load(map->low), vec_low_nibbles(x)),
                   wasm_i8x16_swizzle(vec_load(map->high), vec_high_nibbles(x)));
}

#endif
