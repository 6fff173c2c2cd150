/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The vector type of kernels, on AArch64, which always has it: 16-byte registers, and lookups in 64
 * bytes at once. vec.h says what each operation does. Not for big-endian machines, where lanes
 * count the other way.
 */
#ifndef MF_SRC_COMMON_VEC_NEON_H
#define MF_SRC_COMMON_VEC_NEON_H

#include <arm_neon.h>

#include "vec.h"

#define VEC_BYTES ((size_t)16)

/* Else compilers copy tables to the stack before the loop: slower, and more to wipe. */
#define VEC_RELOAD(p) __asm__ volatile("" : "+r"(p))

typedef uint8x16_t vec;

#define VEC_AS_WORDS vreinterpretq_u32_u8
#define VEC_OF_WORDS vreinterpretq_u8_u32

VEC_FN vec vec_load(const void *p)
{
    return vld1q_u8(p);
}

VEC_FN void vec_store(void *p, vec x)
{
    vst1q_u8(p, x);
}

VEC_FN vec vec_load_lanes(const void *p)
{
    return vld1q_u8(p);
}

VEC_FN vec vec_set32(uint32_t x)
{
    return VEC_OF_WORDS(vdupq_n_u32(x));
}

VEC_FN vec vec_set_mask(uint32_t x)
{
    return vec_set32(x);
}

VEC_FN vec vec_xor(vec a, vec b)
{
    return veorq_u8(a, b);
}

VEC_FN vec vec_xor3(vec a, vec b, vec c)
{
    return vec_xor(vec_xor(a, b), c);
}

VEC_FN vec vec_and(vec a, vec b)
{
    return vandq_u8(a, b);
}

VEC_FN vec vec_or(vec a, vec b)
{
    return vorrq_u8(a, b);
}

VEC_FN vec vec_not(vec a)
{
    return vmvnq_u8(a);
}

VEC_FN vec vec_and_not(vec a, vec b)
{
    return vbicq_u8(a, b);
}

/* By bits: if_1 where mask has ones, else if_0. */
VEC_FN vec vec_select(vec mask, vec if_1, vec if_0)
{
    return vbslq_u8(mask, if_1, if_0);
}

/* Macros: compilers want a constant here even before they inline. */
#define vec_shr64(x, n) vreinterpretq_u8_u64(vshrq_n_u64(vreinterpretq_u64_u8(x), n))
#define vec_shl64(x, n) vreinterpretq_u8_u64(vshlq_n_u64(vreinterpretq_u64_u8(x), n))

#define vec_exchange(x, y, shift, lower_halves)                                                    \
    do {                                                                                           \
        const vec new_x = vec_select(lower_halves, *(x), vec_shl64(*(y), shift));                  \
        *(y) = vec_select(lower_halves, vec_shr64(*(x), shift), *(y));                             \
        *(x) = new_x;                                                                              \
    } while (0)

/* A transposition of 8 by 8 bytes; it is its own reverse. */
#define VEC_TRANSPOSE(a, b, element, size)                                                         \
    do {                                                                                           \
        const uint##element##x##size##_t x = vreinterpretq_u##element##_u8(*(a));                  \
        const uint##element##x##size##_t y = vreinterpretq_u##element##_u8(*(b));                  \
        *(a) = vreinterpretq_u8_u##element(vtrn1q_u##element(x, y));                               \
        *(b) = vreinterpretq_u8_u##element(vtrn2q_u##element(x, y));                               \
    } while (0)

VEC_FN void vec_blocks_to_bytes(vec r[8])
{
    VEC_UNROLL
    for (size_t i = 0; i < 4; i++) {
        VEC_TRANSPOSE(&r[i], &r[i + 4], 32, 4);
    }
    VEC_TRANSPOSE(&r[0], &r[2], 16, 8);
    VEC_TRANSPOSE(&r[1], &r[3], 16, 8);
    VEC_TRANSPOSE(&r[4], &r[6], 16, 8);
    VEC_TRANSPOSE(&r[5], &r[7], 16, 8);
    VEC_UNROLL
    for (size_t i = 0; i < 8; i += 2) {
        const vec a = r[i];
        r[i] = vtrn1q_u8(a, r[i + 1]);
        r[i + 1] = vtrn2q_u8(a, r[i + 1]);
    }
}

#undef VEC_TRANSPOSE

VEC_FN void vec_bytes_to_blocks(vec r[8])
{
    vec_blocks_to_bytes(r);
}

VEC_FN vec vec_add32(vec a, vec b)
{
    return VEC_OF_WORDS(vaddq_u32(VEC_AS_WORDS(a), VEC_AS_WORDS(b)));
}

/* Macros: compilers want a constant here even before they inline. */
#define vec_shr32(x, n) VEC_OF_WORDS(vshrq_n_u32(VEC_AS_WORDS(x), n))
#define vec_rotl32(x, n)                                                                           \
    VEC_OF_WORDS(vsriq_n_u32(vshlq_n_u32(VEC_AS_WORDS(x), n), VEC_AS_WORDS(x), 32 - (n)))

/* By another number in each word. Shifts go to the right by negative numbers, and by 32 bits give
 * 0. */
VEC_FN vec vec_rotl32_each(vec x, int32x4_t n)
{
    const uint32x4_t words = VEC_AS_WORDS(x);
    return VEC_OF_WORDS(
        vorrq_u32(vshlq_u32(words, n), vshlq_u32(words, vsubq_s32(n, vdupq_n_s32(32)))));
}

VEC_FN vec vec_rotl32_third(vec x, int n)
{
    const int32x4_t each = {0, 0, n, 0};
    return vec_rotl32_each(x, each);
}

VEC_FN vec vec_rotl32_fourth(vec x, int n)
{
    const int32x4_t each = {0, 0, 0, n};
    return vec_rotl32_each(x, each);
}

VEC_FN vec vec_shuffle(vec x, vec pattern)
{
    return vqtbl1q_u8(x, pattern);
}

VEC_FN vec vec_join_halves(vec low, vec high)
{
    return vextq_u8(low, high, 8);
}

/* The halves of 8 bytes that are equal in number, of a and b. */
VEC_FN vec vec_first_halves(uint32x4_t a, uint32x4_t b)
{
    return vreinterpretq_u8_u64(vzip1q_u64(vreinterpretq_u64_u32(a), vreinterpretq_u64_u32(b)));
}

VEC_FN vec vec_second_halves(uint32x4_t a, uint32x4_t b)
{
    return vreinterpretq_u8_u64(vzip2q_u64(vreinterpretq_u64_u32(a), vreinterpretq_u64_u32(b)));
}

VEC_FN void vec_transpose_words(vec r[4])
{
    const uint32x4_t ab_even = vtrn1q_u32(VEC_AS_WORDS(r[0]), VEC_AS_WORDS(r[1]));
    const uint32x4_t ab_odd = vtrn2q_u32(VEC_AS_WORDS(r[0]), VEC_AS_WORDS(r[1]));
    const uint32x4_t cd_even = vtrn1q_u32(VEC_AS_WORDS(r[2]), VEC_AS_WORDS(r[3]));
    const uint32x4_t cd_odd = vtrn2q_u32(VEC_AS_WORDS(r[2]), VEC_AS_WORDS(r[3]));
    r[0] = vec_first_halves(ab_even, cd_even);
    r[1] = vec_first_halves(ab_odd, cd_odd);
    r[2] = vec_second_halves(ab_even, cd_even);
    r[3] = vec_second_halves(ab_odd, cd_odd);
}

VEC_FN void vec_words_to_bytes(vec r[4])
{
    const vec even_01 = vuzp1q_u8(r[0], r[1]);
    const vec even_23 = vuzp1q_u8(r[2], r[3]);
    const vec odd_01 = vuzp2q_u8(r[0], r[1]);
    const vec odd_23 = vuzp2q_u8(r[2], r[3]);
    r[0] = vuzp1q_u8(even_01, even_23);
    r[1] = vuzp1q_u8(odd_01, odd_23);
    r[2] = vuzp2q_u8(even_01, even_23);
    r[3] = vuzp2q_u8(odd_01, odd_23);
}

VEC_FN void vec_words_to_bytes_turned(vec r[4])
{
    static const uint8_t turn[16] = {3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14};
    r[2] = vec_shuffle(r[2], vec_load(turn));
    r[3] = vec_shuffle(r[3], vec_load(turn));
    vec_words_to_bytes(r);
}

VEC_FN vec vec_zip_first(vec a, vec b)
{
    return vreinterpretq_u8_u16(vzip1q_u16(vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(b)));
}

VEC_FN vec vec_zip_second(vec a, vec b)
{
    return vreinterpretq_u8_u16(vzip2q_u16(vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(b)));
}

VEC_FN void vec_bytes_to_words(vec r[4])
{
    const vec first_01 = vzip1q_u8(r[0], r[1]);
    const vec first_23 = vzip1q_u8(r[2], r[3]);
    const vec second_01 = vzip2q_u8(r[0], r[1]);
    const vec second_23 = vzip2q_u8(r[2], r[3]);
    r[0] = vec_zip_first(first_01, first_23);
    r[1] = vec_zip_second(first_01, first_23);
    r[2] = vec_zip_first(second_01, second_23);
    r[3] = vec_zip_second(second_01, second_23);
}

/* The 256 bytes as they are: four groups of four registers. */
typedef struct vec_table {
    uint8_t bytes[256];
} vec_table;

VEC_FN void vec_table_make(vec_table *table, const uint8_t T[256])
{
    for (size_t i = 0; i < 256; i += VEC_BYTES) {
        vec_store(table->bytes + i, vec_load(T + i));
    }
}

/* An index of 64 or more finds nothing, and what was found before stays. */
VEC_FN vec vec_lookup_bytes(const uint8_t T[256], vec x)
{
    vec y = vqtbl4q_u8(vld1q_u8_x4(T), x);
    y = vqtbx4q_u8(y, vld1q_u8_x4(T + 64), vec_xor(x, vdupq_n_u8(0x40)));
    y = vqtbx4q_u8(y, vld1q_u8_x4(T + 128), vec_xor(x, vdupq_n_u8(0x80)));
    return vqtbx4q_u8(y, vld1q_u8_x4(T + 192), vec_xor(x, vdupq_n_u8(0xC0)));
}

VEC_FN vec vec_lookup(const vec_table *table, vec x)
{
    return vec_lookup_bytes(table->bytes, x);
}

VEC_FN vec vec_load_blocks(const void *p)
{
    return vec_load(p);
}

VEC_FN void vec_store_blocks(void *p, vec x)
{
    vec_store(p, x);
}

/* All of x in each table; of each result one word counts. */
VEC_FN vec vec_lookup_words(const vec_table tables[4], vec x)
{
    const uint64_t odd_words = 0xFFFFFFFF00000000;
    const vec odd = vreinterpretq_u8_u64(vdupq_n_u64(odd_words));
    const vec first = vbslq_u8(odd, vec_lookup(&tables[1], x), vec_lookup(&tables[0], x));
    const vec second = vbslq_u8(odd, vec_lookup(&tables[3], x), vec_lookup(&tables[2], x));
    return vcombine_u8(vget_low_u8(first), vget_high_u8(second));
}

VEC_FN vec vec_low_nibbles(vec x)
{
    return vandq_u8(x, vdupq_n_u8(15));
}

VEC_FN vec vec_high_nibbles(vec x)
{
    return vshrq_n_u8(x, 4);
}

/* The images of both nibbles, looked up. */
VEC_FN vec vec_map(const mf_byte_map *map, vec x)
{
    return vec_xor(vqtbl1q_u8(vec_load(map->low), vec_low_nibbles(x)),
                   vqtbl1q_u8(vec_load(map->high), vec_high_nibbles(x)));
}

#endif
