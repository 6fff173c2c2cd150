/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The lists of intrinsics.h: the emulated one with EMULATED_INTRINSICS, the real one without.
 */
#include "intrinsics.h"

#include "common/cpu.h"

#include <stddef.h>
#include <string.h>

#if defined(EMULATED_INTRINSICS)
#include "emulated/immintrin.h"
#define LIST emulated_intrinsics
#define TARGET(instructions)
#elif defined(__x86_64__)
#include <immintrin.h>
#define LIST real_intrinsics
#define TARGET(instructions) __attribute__((target(instructions)))
#endif

#ifdef LIST

#define AVX2 MF_CPU_AVX2
#define AVX2_TARGET TARGET("avx2")
#define GFNI (MF_CPU_AVX2 | MF_CPU_GFNI)
#define GFNI_TARGET TARGET("avx2,gfni")
#define AVX512 (MF_CPU_AVX512 | MF_CPU_GFNI)
#define AVX512_TARGET TARGET("avx512f,avx512bw,avx512vl,avx512vbmi,gfni")

/* X(name, features, type, expression of a, b, c and mask). Counts of bits and choices are
 * constants, as the real intrinsics want them. */
#define AVX2_INTRINSICS(X)                                                                         \
    X(mm_xor_si128, AVX2, __m128i, _mm_xor_si128(a, b))                                            \
    X(xor, AVX2, __m256i, _mm256_xor_si256(a, b))                                                  \
    X(or, AVX2, __m256i, _mm256_or_si256(a, b))                                                    \
    X(and, AVX2, __m256i, _mm256_and_si256(a, b))                                                  \
    X(andnot, AVX2, __m256i, _mm256_andnot_si256(a, b))                                            \
    X(setzero, AVX2, __m256i, _mm256_setzero_si256())                                              \
    X(add_epi8, AVX2, __m256i, _mm256_add_epi8(a, b))                                              \
    X(sub_epi8, AVX2, __m256i, _mm256_sub_epi8(a, b))                                              \
    X(add_epi32, AVX2, __m256i, _mm256_add_epi32(a, b))                                            \
    X(adds_epu8, AVX2, __m256i, _mm256_adds_epu8(a, b))                                            \
    X(slli_epi16, AVX2, __m256i, _mm256_slli_epi16(a, 3))                                          \
    X(srli_epi16, AVX2, __m256i, _mm256_srli_epi16(a, 5))                                          \
    X(slli_epi32, AVX2, __m256i, _mm256_slli_epi32(a, 9))                                          \
    X(srli_epi32, AVX2, __m256i, _mm256_srli_epi32(a, 31))                                         \
    X(slli_epi64, AVX2, __m256i, _mm256_slli_epi64(a, 33))                                         \
    X(srli_epi64, AVX2, __m256i, _mm256_srli_epi64(a, 7))                                          \
    X(srli_by_too_much, AVX2, __m256i, _mm256_srli_epi32(a, 32))                                   \
    X(sllv_epi32, AVX2, __m256i,                                                                   \
      _mm256_sllv_epi32(a, _mm256_setr_epi32(0, 1, 31, 32, 8, 9, 33, -1)))                         \
    X(srlv_epi32, AVX2, __m256i,                                                                   \
      _mm256_srlv_epi32(a, _mm256_setr_epi32(32, 1, 31, 0, 8, 9, 33, -1)))                         \
    X(shuffle_epi8, AVX2, __m256i, _mm256_shuffle_epi8(a, b))                                      \
    X(alignr_epi8_8, AVX2, __m256i, _mm256_alignr_epi8(a, b, 8))                                   \
    X(alignr_epi8_5, AVX2, __m256i, _mm256_alignr_epi8(a, b, 5))                                   \
    X(alignr_epi8_21, AVX2, __m256i, _mm256_alignr_epi8(a, b, 21))                                 \
    X(unpacklo_epi8, AVX2, __m256i, _mm256_unpacklo_epi8(a, b))                                    \
    X(unpackhi_epi8, AVX2, __m256i, _mm256_unpackhi_epi8(a, b))                                    \
    X(unpacklo_epi16, AVX2, __m256i, _mm256_unpacklo_epi16(a, b))                                  \
    X(unpackhi_epi16, AVX2, __m256i, _mm256_unpackhi_epi16(a, b))                                  \
    X(unpacklo_epi32, AVX2, __m256i, _mm256_unpacklo_epi32(a, b))                                  \
    X(unpackhi_epi32, AVX2, __m256i, _mm256_unpackhi_epi32(a, b))                                  \
    X(unpacklo_epi64, AVX2, __m256i, _mm256_unpacklo_epi64(a, b))                                  \
    X(unpackhi_epi64, AVX2, __m256i, _mm256_unpackhi_epi64(a, b))                                  \
    X(set1_epi8, AVX2, __m256i, _mm256_set1_epi8(-3))                                              \
    X(set1_epi32, AVX2, __m256i, _mm256_set1_epi32(0x1234567))                                     \
    X(set1_epi64x, AVX2, __m256i, _mm256_set1_epi64x(0x123456789ABCDEF))                           \
    X(setr_epi8, AVX2, __m256i,                                                                    \
      _mm256_setr_epi8(0, -1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,  \
                       21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31))                                \
    X(broadcast, AVX2, __m256i, _mm256_broadcastsi128_si256(_mm256_castsi256_si128(a)))            \
    X(blend_epi32, AVX2, __m256i, _mm256_blend_epi32(a, b, 0x96))                                  \
    X(blendv_epi8, AVX2, __m256i, _mm256_blendv_epi8(a, b, c))                                     \
    X(permute4x64, AVX2, __m256i, _mm256_permute4x64_epi64(a, 0x72))                               \
    X(permute2x128_00, AVX2, __m256i, _mm256_permute2x128_si256(a, b, 0x00))                       \
    X(permute2x128_11, AVX2, __m256i, _mm256_permute2x128_si256(a, b, 0x11))                       \
    X(permute2x128_23, AVX2, __m256i, _mm256_permute2x128_si256(a, b, 0x23))                       \
    X(permute2x128_81, AVX2, __m256i, _mm256_permute2x128_si256(a, b, 0x81))                       \
    X(gf2p8affine_256, GFNI, __m256i, _mm256_gf2p8affine_epi64_epi8(a, b, 0x63))

#define AVX512_INTRINSICS(X)                                                                       \
    X(xor_512, AVX512, __m512i, _mm512_xor_si512(a, b))                                            \
    X(and_512, AVX512, __m512i, _mm512_and_si512(a, b))                                            \
    X(add_epi32_512, AVX512, __m512i, _mm512_add_epi32(a, b))                                      \
    X(rol_epi32, AVX512, __m512i, _mm512_rol_epi32(a, 31))                                         \
    X(rolv_epi32, AVX512, __m512i, _mm512_rolv_epi32(a, b))                                        \
    X(sllv_epi32_512, AVX512, __m512i, _mm512_sllv_epi32(a, _mm512_rol_epi32(b, 8)))               \
    X(ternarylogic_78, AVX512, __m512i, _mm512_ternarylogic_epi32(a, b, c, 0x78))                  \
    X(ternarylogic_fe, AVX512, __m512i, _mm512_ternarylogic_epi32(a, b, c, 0xFE))                  \
    X(shuffle_epi32_512, AVX512, __m512i, _mm512_shuffle_epi32(a, _MM_PERM_CDAB))                  \
    X(broadcastq, AVX512, __m512i, _mm512_broadcastq_epi64(_mm_loadl_epi64((const void *)from_a))) \
    X(zextsi128, AVX512, __m512i, _mm512_zextsi128_si512(_mm_loadu_si128((const void *)from_a)))   \
    X(castsi512, AVX512, __m128i, _mm512_castsi512_si128(_mm512_loadu_si512(from_a)))              \
    X(maskz_loadu_epi64, AVX512, __m512i, _mm512_maskz_loadu_epi64((__mmask8)mask, from_a))        \
    X(maskz_permutex2var_epi8, AVX512, __m512i, _mm512_maskz_permutex2var_epi8(mask, a, b, c))     \
    X(mm_rol_epi32, AVX512, __m128i, _mm_rol_epi32(a, 31))                                         \
    X(mm_rolv_epi32, AVX512, __m128i, _mm_rolv_epi32(a, b))                                        \
    X(mm_sllv_epi32, AVX512, __m128i, _mm_sllv_epi32(a, _mm_rol_epi32(b, 8)))                      \
    X(mm_shuffle_epi32, AVX512, __m128i, _mm_shuffle_epi32(a, _MM_SHUFFLE(2, 3, 0, 1)))            \
    X(mm_set1_epi64x, AVX512, __m128i, _mm_set1_epi64x(0x123456789ABCDEF))                         \
    X(mm_ternarylogic_96, AVX512, __m128i, _mm_ternarylogic_epi32(a, b, c, 0x96))                  \
    X(mm_gf2p8affine, AVX512, __m128i, _mm_gf2p8affine_epi64_epi8(a, b, 0x63))                     \
    X(ternarylogic_54, AVX512, __m512i, _mm512_ternarylogic_epi32(a, b, c, 0x54))                  \
    X(srli_epi32_512, AVX512, __m512i, _mm512_srli_epi32(a, 24))                                   \
    X(slli_epi16_512, AVX512, __m512i, _mm512_slli_epi16(a, 1))                                    \
    X(ternarylogic_96, AVX512, __m512i, _mm512_ternarylogic_epi32(a, b, c, 0x96))                  \
    X(ternarylogic_ca, AVX512, __m512i, _mm512_ternarylogic_epi32(a, b, c, 0xCA))                  \
    X(ternarylogic_1b, AVX512, __m512i, _mm512_ternarylogic_epi32(a, b, c, 0x1B))                  \
    X(shuffle_epi8_512, AVX512, __m512i, _mm512_shuffle_epi8(a, b))                                \
    X(mask_shuffle_epi8, AVX512, __m512i, _mm512_mask_shuffle_epi8(c, mask, a, b))                 \
    X(mask_shuffle_epi32, AVX512, __m512i,                                                         \
      _mm512_mask_shuffle_epi32(c, (__mmask16)mask, a, _MM_PERM_CDAB))                             \
    X(srli_epi64_512, AVX512, __m512i, _mm512_srli_epi64(a, 2))                                    \
    X(slli_epi64_512, AVX512, __m512i, _mm512_slli_epi64(a, 8))                                    \
    X(ternarylogic_29, AVX512, __m512i, _mm512_ternarylogic_epi32(a, b, c, 0x29))                  \
    X(alignr_epi8_512, AVX512, __m512i, _mm512_alignr_epi8(a, b, 8))                               \
    X(unpacklo_epi32_512, AVX512, __m512i, _mm512_unpacklo_epi32(a, b))                            \
    X(unpackhi_epi32_512, AVX512, __m512i, _mm512_unpackhi_epi32(a, b))                            \
    X(unpacklo_epi64_512, AVX512, __m512i, _mm512_unpacklo_epi64(a, b))                            \
    X(unpackhi_epi64_512, AVX512, __m512i, _mm512_unpackhi_epi64(a, b))                            \
    X(set1_epi32_512, AVX512, __m512i, _mm512_set1_epi32(0x1234567))                               \
    X(set1_epi64, AVX512, __m512i, _mm512_set1_epi64(0x123456789ABCDEF))                           \
    X(broadcast_i32x4, AVX512, __m512i,                                                            \
      _mm512_broadcast_i32x4(_mm_loadu_si128((const void *)from_a)))                               \
    X(mask_blend_epi8, AVX512, __m512i, _mm512_mask_blend_epi8(mask, a, b))                        \
    X(movepi8_mask, AVX512, __m512i, _mm512_set1_epi64((long long)_mm512_movepi8_mask(a)))         \
    X(permutex2var_epi8, AVX512, __m512i, _mm512_permutex2var_epi8(a, b, c))                       \
    X(gf2p8affine_512, AVX512, __m512i, _mm512_gf2p8affine_epi64_epi8(a, b, 0x63))

#define FUNCTION(name, features, type, expression)                                                 \
    features##_TARGET static void run_##name(uint8_t *out, const uint8_t *from_a,                  \
                                             const uint8_t *from_b, const uint8_t *from_c)         \
    {                                                                                              \
        type a;                                                                                    \
        type b;                                                                                    \
        type c;                                                                                    \
        uint64_t mask;                                                                             \
        memcpy(&a, from_a, sizeof a);                                                              \
        memcpy(&b, from_b, sizeof b);                                                              \
        memcpy(&c, from_c, sizeof c);                                                              \
        memcpy(&mask, from_c + 56, sizeof mask);                                                   \
        (void)b, (void)c, (void)mask;                                                              \
        const type result = (expression);                                                          \
        memcpy(out, &result, sizeof result);                                                       \
    }
#define ROW(name, features, type, expression) {#name, features, run_##name},

AVX2_INTRINSICS(FUNCTION)
AVX512_INTRINSICS(FUNCTION)

const intrinsic LIST[] = {AVX2_INTRINSICS(ROW) AVX512_INTRINSICS(ROW){NULL, 0, NULL}};

#else

const intrinsic real_intrinsics[] = {{NULL, 0, NULL}};

#endif
