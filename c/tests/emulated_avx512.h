/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The AVX-512 intrinsics that ghash/vpclmul512.c uses, in terms of four vectors of 128 bits, so
 * that its source is tested on machines without AVX-512 too. Include this, then that file.
 */
#ifndef MF_TEST_EMULATED_AVX512_H
#define MF_TEST_EMULATED_AVX512_H

#include <immintrin.h>

#define EMULATED_TARGET __attribute__((target("avx2,pclmul")))
#define EMULATED static inline EMULATED_TARGET

typedef struct emulated_zmm {
    __m128i lane[4];
} emulated_zmm;

EMULATED emulated_zmm emulated_load(const void *from)
{
    emulated_zmm a;

    for (int i = 0; i < 4; i++) {
        a.lane[i] = _mm_loadu_si128((const __m128i *)from + i);
    }
    return a;
}

EMULATED emulated_zmm emulated_zero(void)
{
    const emulated_zmm a = {
        {_mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128()}};

    return a;
}

EMULATED emulated_zmm emulated_broadcast(__m128i x)
{
    const emulated_zmm a = {{x, x, x, x}};

    return a;
}

EMULATED emulated_zmm emulated_insert(emulated_zmm a, __m128i x, int lane)
{
    a.lane[lane] = x;
    return a;
}

EMULATED __m256i emulated_extract(emulated_zmm a, int half)
{
    return _mm256_set_m128i(a.lane[2 * half + 1], a.lane[2 * half]);
}

EMULATED emulated_zmm emulated_xor(emulated_zmm a, emulated_zmm b)
{
    for (int i = 0; i < 4; i++) {
        a.lane[i] = _mm_xor_si128(a.lane[i], b.lane[i]);
    }
    return a;
}

EMULATED emulated_zmm emulated_shuffle_bytes(emulated_zmm a, emulated_zmm b)
{
    for (int i = 0; i < 4; i++) {
        a.lane[i] = _mm_shuffle_epi8(a.lane[i], b.lane[i]);
    }
    return a;
}

/* The one order of words that is asked for. */
EMULATED emulated_zmm emulated_shuffle_words_4e(emulated_zmm a)
{
    for (int i = 0; i < 4; i++) {
        a.lane[i] = _mm_shuffle_epi32(a.lane[i], 0x4E);
    }
    return a;
}

EMULATED emulated_zmm emulated_multiply_00(emulated_zmm a, emulated_zmm b)
{
    for (int i = 0; i < 4; i++) {
        a.lane[i] = _mm_clmulepi64_si128(a.lane[i], b.lane[i], 0x00);
    }
    return a;
}

EMULATED emulated_zmm emulated_multiply_11(emulated_zmm a, emulated_zmm b)
{
    for (int i = 0; i < 4; i++) {
        a.lane[i] = _mm_clmulepi64_si128(a.lane[i], b.lane[i], 0x11);
    }
    return a;
}

/* The last argument is a number in hexadecimal, which becomes part of the name. */
#define EMULATED_NAME(name, number) EMULATED_NAME_##name##_##number
#define EMULATED_NAME_shuffle_words_0x4E emulated_shuffle_words_4e
#define EMULATED_NAME_multiply_0x00 emulated_multiply_00
#define EMULATED_NAME_multiply_0x11 emulated_multiply_11

/* In clang, and in gcc without optimisation, these are macros. */
#undef _mm512_inserti32x4
#undef _mm512_extracti64x4_epi64
#undef _mm512_shuffle_epi32
#undef _mm512_clmulepi64_epi128

#define __m512i emulated_zmm
#define _mm512_loadu_si512 emulated_load
#define _mm512_setzero_si512 emulated_zero
#define _mm512_broadcast_i32x4 emulated_broadcast
#define _mm512_inserti32x4 emulated_insert
#define _mm512_castsi512_si256(a) emulated_extract(a, 0)
#define _mm512_extracti64x4_epi64 emulated_extract
#define _mm512_xor_si512 emulated_xor
#define _mm512_shuffle_epi8 emulated_shuffle_bytes
#define _mm512_shuffle_epi32(a, order) EMULATED_NAME(shuffle_words, order)(a)
#define _mm512_clmulepi64_epi128(a, b, halves) EMULATED_NAME(multiply, halves)(a, b)

/* As the attribute that the functions of the file carry: what the emulation needs, and no more. */
#define target(features) target("avx2,pclmul")

#endif
