/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The intrinsics that the vector types for x86-64 use (src/common/vec_*.h), in plain C: in place of
 * the compiler's header, so that tests run the very source of a kernel on machines that lack its
 * instructions, and under tools that do not know them. [IntelSDM, 2] defines each.
 *
 * Vectors and masks may hold secrets. So what is chosen by one is chosen by logic, from all that
 * there is, and never by a branch or an address: valgrind sees the same flow of secrets as in the
 * instructions. Only for machines with the byte order of x86.
 */
#ifndef MF_TEST_EMULATED_IMMINTRIN_H
#define MF_TEST_EMULATED_IMMINTRIN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define EMULATED static inline __attribute__((unused))

typedef union __m128i {
    uint8_t u8[16];
    uint16_t u16[8];
    uint32_t u32[4];
    uint64_t u64[2];
} __m128i;

typedef union __m256i {
    uint8_t u8[32];
    uint16_t u16[16];
    uint32_t u32[8];
    uint64_t u64[4];
    __m128i lane[2];
} __m256i;

typedef union __m512i {
    uint8_t u8[64];
    uint16_t u16[32];
    uint32_t u32[16];
    uint64_t u64[8];
    __m128i lane[4];
} __m512i;

typedef uint8_t __mmask8;
typedef uint16_t __mmask16;
typedef uint64_t __mmask64;

/* --- Bytes ------------------------------------------------------------------------------------ */

/* 0xFF if the bytes are equal, else 0. */
EMULATED uint8_t emulated_equal(uint8_t x, uint8_t y)
{
    return (uint8_t)(0 - (x == y));
}

/* 0xFF if bit i is set, else 0. */
EMULATED uint8_t emulated_if_bit(uint64_t bits, size_t i)
{
    return (uint8_t)(0 - (bits >> i & 1));
}

EMULATED uint8_t emulated_choose(uint8_t mask, uint8_t if_ff, uint8_t if_0)
{
    return (uint8_t)((if_ff & mask) | (if_0 & ~mask));
}

/* y[i] = table[x[i] modulo n_table], for n bytes. With EMULATED_BY_ADDRESS, for tests that do not
 * follow secrets, in the quick way. */
EMULATED void emulated_look_up(uint8_t *y, const uint8_t *x, size_t n, const uint8_t *table,
                               size_t n_table)
{
#ifdef EMULATED_BY_ADDRESS
    for (size_t i = 0; i < n; i++) {
        y[i] = table[x[i] & (n_table - 1)];
    }
#else
    memset(y, 0, n);
    for (size_t k = 0; k < n_table; k++) {
        for (size_t i = 0; i < n; i++) {
            const uint8_t index = (uint8_t)(x[i] & (n_table - 1));
            y[i] = (uint8_t)(y[i] | (table[k] & emulated_equal(index, (uint8_t)k)));
        }
    }
#endif
}

/* Bit i of the result is the parity of x and byte 7 - i of the matrix. */
EMULATED uint8_t emulated_affine(uint64_t matrix, uint8_t x, uint8_t b)
{
    uint8_t y = 0;
    for (size_t i = 0; i < 8; i++) {
        uint8_t bits = (uint8_t)(matrix >> (56 - 8 * i)) & x;
        bits = (uint8_t)(bits ^ bits >> 4);
        bits = (uint8_t)(bits ^ bits >> 2);
        bits = (uint8_t)(bits ^ bits >> 1);
        y = (uint8_t)(y | (bits & 1) << i);
    }
    return y ^ b;
}

/* --- Within lanes of 16 bytes ----------------------------------------------------------------- */

EMULATED __m128i emulated_shuffle(__m128i x, __m128i pattern)
{
    __m128i r;
    emulated_look_up(r.u8, pattern.u8, 16, x.u8, 16);
    for (size_t i = 0; i < 16; i++) {
        r.u8[i] = (uint8_t)(r.u8[i] & ~emulated_if_bit(pattern.u8[i], 7));
    }
    return r;
}

EMULATED __m128i emulated_alignr(__m128i high, __m128i low, int n)
{
    uint8_t both[48] = {0};
    __m128i r;
    memcpy(both, low.u8, 16);
    memcpy(both + 16, high.u8, 16);
    memcpy(r.u8, both + (n < 32 ? n : 32), 16);
    return r;
}

/* The first halves (from 0) or second halves (from 1), element by element in turns. */
EMULATED __m128i emulated_unpack(__m128i a, __m128i b, size_t element, size_t from)
{
    __m128i r;
    for (size_t i = 0; i < 8; i += element) {
        memcpy(r.u8 + 2 * i, a.u8 + 8 * from + i, element);
        memcpy(r.u8 + 2 * i + element, b.u8 + 8 * from + i, element);
    }
    return r;
}

/* Bit i of the code is the result where the bits of x, y and z make the number i, x the highest. */
EMULATED uint32_t emulated_ternary(uint32_t x, uint32_t y, uint32_t z, int code)
{
    uint32_t r = 0;
    for (unsigned n = 0; n < 8; n++) {
        const uint32_t found =
            ((n & 4) != 0 ? x : ~x) & ((n & 2) != 0 ? y : ~y) & ((n & 1) != 0 ? z : ~z);
        r |= (code >> n & 1) != 0 ? found : 0;
    }
    return r;
}

/* By numbers that are public. */
EMULATED uint32_t emulated_rotate(uint32_t x, unsigned left)
{
    return x << (left & 31) | x >> ((32 - left) & 31);
}

/* --- What exists for each width --------------------------------------------------------------- */

#define EMULATED_OP(name, type, field, element, expression)                                        \
    EMULATED type name(type a, type b)                                                             \
    {                                                                                              \
        type r;                                                                                    \
        for (size_t i = 0; i < sizeof r / sizeof(element); i++) {                                  \
            r.field[i] = (element)(expression);                                                    \
        }                                                                                          \
        return r;                                                                                  \
    }

#define EMULATED_SHIFT(name, type, field, element, expression)                                     \
    EMULATED type name(type a, int n)                                                              \
    {                                                                                              \
        type r;                                                                                    \
        for (size_t i = 0; i < sizeof r / sizeof(element); i++) {                                  \
            r.field[i] = (element)((size_t)n < 8 * sizeof(element) ? (expression) : 0);            \
        }                                                                                          \
        return r;                                                                                  \
    }

#define EMULATED_LANES(name, type, expression)                                                     \
    EMULATED type name(type a, type b)                                                             \
    {                                                                                              \
        type r;                                                                                    \
        for (size_t i = 0; i < sizeof r / 16; i++) {                                               \
            const __m128i x = emulated_lane(&a, i);                                                \
            const __m128i y = emulated_lane(&b, i);                                                \
            const __m128i z = (expression);                                                        \
            memcpy(r.u8 + 16 * i, z.u8, 16);                                                       \
        }                                                                                          \
        return r;                                                                                  \
    }

EMULATED __m128i emulated_lane(const void *vector, size_t i)
{
    __m128i r;
    memcpy(r.u8, (const uint8_t *)vector + 16 * i, 16);
    return r;
}

/* Loads and stores of 256 bits are declared with pointers to vectors, which need not be aligned. */
#define EMULATED_WIDTH(m, si, type)                                                                \
    EMULATED type m##_loadu_##si(const void *p)                                                    \
    {                                                                                              \
        type r;                                                                                    \
        memcpy(r.u8, p, sizeof r);                                                                 \
        return r;                                                                                  \
    }                                                                                              \
    EMULATED void m##_storeu_##si(void *p, type a)                                                 \
    {                                                                                              \
        memcpy(p, a.u8, sizeof a);                                                                 \
    }                                                                                              \
    EMULATED type m##_set1_epi8(char x)                                                            \
    {                                                                                              \
        type r;                                                                                    \
        memset(r.u8, (uint8_t)x, sizeof r);                                                        \
        return r;                                                                                  \
    }                                                                                              \
    EMULATED type m##_set1_epi32(int x)                                                            \
    {                                                                                              \
        type r;                                                                                    \
        for (size_t i = 0; i < sizeof r / 4; i++) {                                                \
            r.u32[i] = (uint32_t)x;                                                                \
        }                                                                                          \
        return r;                                                                                  \
    }                                                                                              \
    EMULATED type m##_setzero_##si(void)                                                           \
    {                                                                                              \
        return m##_set1_epi8(0);                                                                   \
    }                                                                                              \
    EMULATED type m##_gf2p8affine_epi64_epi8(type a, type matrix, int b)                           \
    {                                                                                              \
        type r;                                                                                    \
        for (size_t i = 0; i < sizeof r; i++) {                                                    \
            r.u8[i] = emulated_affine(matrix.u64[i / 8], a.u8[i], (uint8_t)b);                     \
        }                                                                                          \
        return r;                                                                                  \
    }                                                                                              \
    EMULATED type m##_alignr_epi8(type a, type b, int n)                                           \
    {                                                                                              \
        type r;                                                                                    \
        for (size_t i = 0; i < sizeof r / 16; i++) {                                               \
            const __m128i z = emulated_alignr(emulated_lane(&a, i), emulated_lane(&b, i), n);      \
            memcpy(r.u8 + 16 * i, z.u8, 16);                                                       \
        }                                                                                          \
        return r;                                                                                  \
    }                                                                                              \
    EMULATED type m##_ternarylogic_epi32(type a, type b, type c, int code)                         \
    {                                                                                              \
        type r;                                                                                    \
        for (size_t i = 0; i < sizeof r / 4; i++) {                                                \
            r.u32[i] = emulated_ternary(a.u32[i], b.u32[i], c.u32[i], code);                       \
        }                                                                                          \
        return r;                                                                                  \
    }                                                                                              \
    /* Word i of each lane is its word order[i], of 2 bits. */                                     \
    EMULATED type m##_shuffle_epi32(type a, int order)                                             \
    {                                                                                              \
        type r;                                                                                    \
        for (size_t i = 0; i < sizeof r / 4; i++) {                                                \
            r.u32[i] = a.u32[i / 4 * 4 + (order >> 2 * (i % 4) & 3)];                              \
        }                                                                                          \
        return r;                                                                                  \
    }                                                                                              \
    EMULATED_SHIFT(m##_rol_epi32, type, u32, uint32_t, emulated_rotate(a.u32[i], (unsigned)n))     \
    EMULATED_OP(m##_rolv_epi32, type, u32, uint32_t, emulated_rotate(a.u32[i], b.u32[i]))          \
    EMULATED_OP(m##_sllv_epi32, type, u32, uint32_t, b.u32[i] < 32 ? a.u32[i] << b.u32[i] : 0)     \
    EMULATED_OP(m##_xor_##si, type, u64, uint64_t, a.u64[i] ^ b.u64[i])                            \
    EMULATED_OP(m##_or_##si, type, u64, uint64_t, a.u64[i] | b.u64[i])                             \
    EMULATED_OP(m##_and_##si, type, u64, uint64_t, a.u64[i] & b.u64[i])                            \
    EMULATED_OP(m##_andnot_##si, type, u64, uint64_t, ~a.u64[i] & b.u64[i])                        \
    EMULATED_OP(m##_add_epi8, type, u8, uint8_t, a.u8[i] + b.u8[i])                                \
    EMULATED_OP(m##_add_epi32, type, u32, uint32_t, a.u32[i] + b.u32[i])                           \
    EMULATED_OP(m##_sub_epi8, type, u8, uint8_t, a.u8[i] - b.u8[i])                                \
    EMULATED_OP(m##_adds_epu8, type, u8, uint8_t,                                                  \
                (a.u8[i] + b.u8[i]) | emulated_if_bit((uint64_t)a.u8[i] + b.u8[i], 8))             \
    EMULATED_SHIFT(m##_slli_epi16, type, u16, uint16_t, (uint32_t)a.u16[i] << n)                   \
    EMULATED_SHIFT(m##_srli_epi16, type, u16, uint16_t, a.u16[i] >> n)                             \
    EMULATED_SHIFT(m##_slli_epi32, type, u32, uint32_t, a.u32[i] << n)                             \
    EMULATED_SHIFT(m##_srli_epi32, type, u32, uint32_t, a.u32[i] >> n)                             \
    EMULATED_SHIFT(m##_slli_epi64, type, u64, uint64_t, a.u64[i] << n)                             \
    EMULATED_SHIFT(m##_srli_epi64, type, u64, uint64_t, a.u64[i] >> n)                             \
    EMULATED_LANES(m##_shuffle_epi8, type, emulated_shuffle(x, y))                                 \
    EMULATED_LANES(m##_unpacklo_epi8, type, emulated_unpack(x, y, 1, 0))                           \
    EMULATED_LANES(m##_unpackhi_epi8, type, emulated_unpack(x, y, 1, 1))                           \
    EMULATED_LANES(m##_unpacklo_epi16, type, emulated_unpack(x, y, 2, 0))                          \
    EMULATED_LANES(m##_unpackhi_epi16, type, emulated_unpack(x, y, 2, 1))                          \
    EMULATED_LANES(m##_unpacklo_epi32, type, emulated_unpack(x, y, 4, 0))                          \
    EMULATED_LANES(m##_unpackhi_epi32, type, emulated_unpack(x, y, 4, 1))                          \
    EMULATED_LANES(m##_unpacklo_epi64, type, emulated_unpack(x, y, 8, 0))                          \
    EMULATED_LANES(m##_unpackhi_epi64, type, emulated_unpack(x, y, 8, 1))

#define _MM_SHUFFLE(d, c, b, a) ((d) << 6 | (c) << 4 | (b) << 2 | (a))

enum { _MM_PERM_CDAB = _MM_SHUFFLE(2, 3, 0, 1) };

EMULATED_WIDTH(_mm, si128, __m128i)
EMULATED_WIDTH(_mm256, si256, __m256i)
EMULATED_WIDTH(_mm512, si512, __m512i)

EMULATED __m128i _mm_loadl_epi64(const void *p)
{
    __m128i r = _mm_setzero_si128();
    memcpy(&r.u64[0], p, 8);
    return r;
}

EMULATED __m128i _mm_set1_epi64x(long long x)
{
    const __m128i r = {.u64 = {(uint64_t)x, (uint64_t)x}};
    return r;
}

/* --- 256 bits --------------------------------------------------------------------------------- */

EMULATED __m256i _mm256_setr_epi8(char b0, char b1, char b2, char b3, char b4, char b5, char b6,
                                  char b7, char b8, char b9, char b10, char b11, char b12, char b13,
                                  char b14, char b15, char b16, char b17, char b18, char b19,
                                  char b20, char b21, char b22, char b23, char b24, char b25,
                                  char b26, char b27, char b28, char b29, char b30, char b31)
{
    const char bytes[32] = {b0,  b1,  b2,  b3,  b4,  b5,  b6,  b7,  b8,  b9,  b10,
                            b11, b12, b13, b14, b15, b16, b17, b18, b19, b20, b21,
                            b22, b23, b24, b25, b26, b27, b28, b29, b30, b31};
    return _mm256_loadu_si256(bytes);
}

EMULATED __m256i _mm256_setr_epi32(int w0, int w1, int w2, int w3, int w4, int w5, int w6, int w7)
{
    const int words[8] = {w0, w1, w2, w3, w4, w5, w6, w7};
    return _mm256_loadu_si256(words);
}

EMULATED __m256i _mm256_set1_epi64x(long long x)
{
    const uint64_t word = (uint64_t)x;
    const __m256i r = {.u64 = {word, word, word, word}};
    return r;
}

EMULATED __m256i _mm256_broadcastsi128_si256(__m128i a)
{
    const __m256i r = {.lane = {a, a}};
    return r;
}

EMULATED __m128i _mm256_castsi256_si128(__m256i a)
{
    return a.lane[0];
}

EMULATED __m256i _mm256_blend_epi32(__m256i a, __m256i b, int select_b)
{
    __m256i r;
    for (size_t i = 0; i < 8; i++) {
        r.u32[i] = (select_b >> i & 1) != 0 ? b.u32[i] : a.u32[i];
    }
    return r;
}

EMULATED __m256i _mm256_blendv_epi8(__m256i a, __m256i b, __m256i select_b)
{
    __m256i r;
    for (size_t i = 0; i < 32; i++) {
        r.u8[i] = emulated_choose(emulated_if_bit(select_b.u8[i], 7), b.u8[i], a.u8[i]);
    }
    return r;
}

/* Shifts by numbers that are public. */
EMULATED __m256i _mm256_srlv_epi32(__m256i a, __m256i n)
{
    __m256i r;
    for (size_t i = 0; i < 8; i++) {
        r.u32[i] = n.u32[i] < 32 ? a.u32[i] >> n.u32[i] : 0;
    }
    return r;
}

EMULATED __m256i _mm256_permute4x64_epi64(__m256i a, int order)
{
    __m256i r;
    for (size_t i = 0; i < 4; i++) {
        r.u64[i] = a.u64[order >> 2 * i & 3];
    }
    return r;
}

/* Each half of the result is a lane of a (0, 1) or b (2, 3), or 0 where bit 3 is set. */
EMULATED __m256i _mm256_permute2x128_si256(__m256i a, __m256i b, int lanes)
{
    const __m128i from[4] = {a.lane[0], a.lane[1], b.lane[0], b.lane[1]};
    __m256i r;
    for (size_t i = 0; i < 2; i++) {
        const int code = lanes >> 4 * i;
        r.lane[i] = (code & 8) != 0 ? _mm_setzero_si128() : from[code & 3];
    }
    return r;
}

/* --- 512 bits --------------------------------------------------------------------------------- */

EMULATED __m512i _mm512_set1_epi64(long long x)
{
    __m512i r;
    for (size_t i = 0; i < 8; i++) {
        r.u64[i] = (uint64_t)x;
    }
    return r;
}

EMULATED __m512i _mm512_broadcast_i32x4(__m128i a)
{
    const __m512i r = {.lane = {a, a, a, a}};
    return r;
}

/* Bytes where bit i of the mask is set from b, the others from a. */
EMULATED __m512i _mm512_mask_blend_epi8(__mmask64 mask, __m512i a, __m512i b)
{
    __m512i r;
    for (size_t i = 0; i < 64; i++) {
        r.u8[i] = emulated_choose(emulated_if_bit(mask, i), b.u8[i], a.u8[i]);
    }
    return r;
}

/* 64 bits everywhere. */
EMULATED __m512i _mm512_broadcastq_epi64(__m128i a)
{
    return _mm512_set1_epi64((long long)a.u64[0]);
}

EMULATED __m512i _mm512_zextsi128_si512(__m128i a)
{
    __m512i r = _mm512_setzero_si512();
    r.lane[0] = a;
    return r;
}

EMULATED __m128i _mm512_castsi512_si128(__m512i a)
{
    return a.lane[0];
}

/* Masks of bytes in memory are public. */
EMULATED __m512i _mm512_maskz_loadu_epi64(__mmask8 mask, const void *p)
{
    __m512i r = _mm512_setzero_si512();
    for (size_t i = 0; i < 8; i++) {
        if ((mask >> i & 1) != 0) {
            memcpy(&r.u64[i], (const uint8_t *)p + 8 * i, 8);
        }
    }
    return r;
}

EMULATED void _mm512_mask_storeu_epi64(void *p, __mmask8 mask, __m512i a)
{
    for (size_t i = 0; i < 8; i++) {
        if ((mask >> i & 1) != 0) {
            memcpy((uint8_t *)p + 8 * i, &a.u64[i], 8);
        }
    }
}

EMULATED __m512i _mm512_mask_shuffle_epi8(__m512i from, __mmask64 mask, __m512i a, __m512i pattern)
{
    return _mm512_mask_blend_epi8(mask, from, _mm512_shuffle_epi8(a, pattern));
}

EMULATED __m512i _mm512_mask_shuffle_epi32(__m512i from, __mmask16 mask, __m512i a, int order)
{
    const __m512i shuffled = _mm512_shuffle_epi32(a, order);
    __m512i r;
    for (size_t i = 0; i < 64; i++) {
        r.u8[i] = emulated_choose(emulated_if_bit(mask, i / 4), shuffled.u8[i], from.u8[i]);
    }
    return r;
}

EMULATED __mmask64 _mm512_movepi8_mask(__m512i a)
{
    __mmask64 mask = 0;
    for (size_t i = 0; i < 64; i++) {
        mask |= (uint64_t)(a.u8[i] >> 7) << i;
    }
    return mask;
}

EMULATED __m512i _mm512_permutex2var_epi8(__m512i a, __m512i index, __m512i b)
{
    uint8_t table[128];
    __m512i r;
    memcpy(table, a.u8, 64);
    memcpy(table + 64, b.u8, 64);
    emulated_look_up(r.u8, index.u8, 64, table, 128);
    return r;
}

EMULATED __m512i _mm512_maskz_permutex2var_epi8(__mmask64 mask, __m512i a, __m512i index, __m512i b)
{
    return _mm512_mask_blend_epi8(mask, _mm512_setzero_si512(),
                                  _mm512_permutex2var_epi8(a, index, b));
}

#endif
