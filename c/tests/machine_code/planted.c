/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * For the test of check.py: in each function whose name begins with bad_ it must find a
 * fault, in the others none. In all of them, what the arguments point to is secret.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))

static const uint8_t table[256] = {7, 3, 1, 8};
static const uint8_t order[4] = {2, 0, 3, 1};

/* --- on any machine --------------------------------------------------------------------------- */

uint32_t bad_load(const uint8_t *secret)
{
    return table[secret[0]];
}

void bad_store(uint8_t *out, const uint8_t *secret)
{
    out[secret[3]] = 1;
}

void bad_branch(volatile uint8_t *out, const uint8_t *secret)
{
    if (secret[0] == 7) {
        out[0] = 1;
    }
}

void bad_loop(volatile uint8_t *out, const uint8_t *secret)
{
    for (unsigned i = 0; i < secret[0]; i++) {
        out[0] = (uint8_t)i;
    }
}

/* The secret goes over the stack, at a place that is known. */
uint32_t bad_stack_slot(const uint8_t *secret)
{
    volatile uint32_t kept = secret[5];
    return table[kept & 0xFF];
}

/* The secret goes into an array on the stack, at a place that is not known. */
uint32_t bad_stack_array(const uint8_t *secret, size_t n)
{
    volatile uint32_t kept[16] = {0};
    for (size_t i = 0; i < n; i++) {
        kept[i] = secret[i];
    }
    return table[kept[3] & 0xFF];
}

uint32_t bad_copy(const uint8_t *secret, size_t n)
{
    uint8_t copy[64] = {0};
    memcpy(copy, secret, n);
    return table[copy[9]];
}

/* The secret goes through another function, as its argument and as its result. The fault is there
 * where the argument is used. */
static NOINLINE uint32_t bad_look_up(uint32_t x)
{
    return table[x & 0xFF];
}

uint32_t good_caller(const uint8_t *secret)
{
    return bad_look_up(secret[1]);
}

static NOINLINE uint32_t take(const uint8_t *from)
{
    return from[2];
}

uint32_t bad_result(const uint8_t *secret)
{
    return table[take(secret)];
}

uint32_t bad_choice_of_table(const uint8_t *secret, size_t n)
{
    const uint8_t *chosen = (secret[0] & 1) != 0 ? table : order;
    return chosen[n];
}

void bad_length(uint8_t *out, const uint8_t *secret)
{
    memset(out, 0, secret[0]);
}

typedef void action(uint8_t *out);

static NOINLINE void first(uint8_t *out)
{
    out[0] = 1;
}

static NOINLINE void second(uint8_t *out)
{
    out[0] = 2;
}

void bad_call(uint8_t *out, const uint8_t *secret)
{
    static action *const actions[2] = {first, second};
    actions[secret[0] & 1](out);
}

#if defined(__x86_64__) || defined(__aarch64__)
uint32_t bad_division(const uint32_t *secret)
{
    return secret[0] / secret[1];
}
#endif

/* Addresses from constants, counters and counts. */
void good_loop(uint8_t *out, const uint8_t *secret, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = (uint8_t)(secret[i] ^ table[i & 0xFF] ^ secret[order[i & 3]]);
    }
}

uint32_t good_choice(const uint32_t *secret)
{
    const uint32_t mask = 0 - (secret[0] & 1);
    return (secret[1] & mask) | (secret[2] & ~mask);
}

void good_call(uint8_t *out, size_t n)
{
    static action *const actions[2] = {second, first};
    actions[n & 1](out);
}

/* Pointers that are kept on the stack while secrets are in all registers and beside them. */
void good_spill(uint32_t *out, const uint32_t *secret, const uint32_t *more, uint32_t *last)
{
    volatile uint32_t kept[32];
    uint32_t x[24];
    for (size_t i = 0; i < 24; i++) {
        x[i] = secret[i] * 5 + more[23 - i];
        kept[i] = x[i] ^ x[i / 2];
    }
    for (size_t i = 0; i < 24; i++) {
        x[i] += kept[23 - i] + x[(i + 7) % 24];
    }
    memcpy(out, x, sizeof x);
    for (size_t i = 0; i < 24; i++) {
        last[i] = x[i] ^ more[i];
    }
}

/* --- vectors ---------------------------------------------------------------------------------- */

#if defined(__x86_64__)
#include <immintrin.h>
#define AVX2 __attribute__((target("avx2")))
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vl")))

AVX2 void bad_gather(int *out, const int *secret)
{
    const __m256i index = _mm256_loadu_si256((const void *)secret);
    _mm256_storeu_si256((void *)out, _mm256_i32gather_epi32(secret, index, 4));
}

AVX512 void bad_scatter(int *out, const int *secret)
{
    const __m512i index = _mm512_loadu_si512(secret);
    _mm512_i32scatter_epi32(out, index, index, 4);
}

AVX2 uint32_t bad_vector_index(const uint8_t *secret)
{
    const __m128i x = _mm_loadu_si128((const void *)secret);
    return table[_mm_cvtsi128_si32(x) & 0xFF];
}

AVX2 void bad_vector_branch(volatile uint8_t *out, const uint8_t *secret)
{
    const __m256i x = _mm256_loadu_si256((const void *)secret);
    if (_mm256_testz_si256(x, x)) {
        out[0] = 1;
    }
}

AVX2 void bad_mask_branch(volatile uint8_t *out, const uint8_t *secret)
{
    const __m256i x = _mm256_loadu_si256((const void *)secret);
    if (_mm256_movemask_epi8(x) != 0) {
        out[0] = 1;
    }
}

AVX512 void bad_mask_register(volatile uint8_t *out, const uint8_t *secret)
{
    const __m512i x = _mm512_loadu_si512(secret);
    if (_mm512_test_epi8_mask(x, x) != 0) {
        out[0] = 1;
    }
}

AVX512 void bad_masked_store(uint8_t *out, const uint8_t *secret)
{
    const __m512i x = _mm512_loadu_si512(secret);
    _mm512_mask_storeu_epi8(out, _mm512_movepi8_mask(x), x);
}

AVX2 void bad_masked_load(int *out, const int *secret)
{
    const __m256i mask = _mm256_loadu_si256((const void *)secret);
    _mm256_storeu_si256((void *)out, _mm256_maskload_epi32(secret + 8, mask));
}

/* Through a register of vectors to the stack and back. */
AVX2 uint32_t bad_vector_spill(const uint8_t *secret)
{
    volatile uint64_t kept[4];
    _mm256_storeu_si256((void *)kept, _mm256_loadu_si256((const void *)secret));
    return table[kept[2] & 0xFF];
}

AVX2 void good_vectors(uint8_t *out, const uint8_t *secret, size_t n)
{
    const __m256i low = _mm256_set1_epi8(15);
    const __m256i t = _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)table));
    for (size_t i = 0; i < n; i += 32) {
        const __m256i x = _mm256_loadu_si256((const void *)(secret + i));
        _mm256_storeu_si256((void *)(out + i), _mm256_shuffle_epi8(t, _mm256_and_si256(x, low)));
    }
}

AVX512 void good_masks(uint8_t *out, const uint8_t *secret)
{
    const __m512i x = _mm512_loadu_si512(secret);
    const __m512i y = _mm512_mask_blend_epi8(_mm512_movepi8_mask(x), x, _mm512_setzero_si512());
    _mm512_mask_storeu_epi8(out, 0xFFFF, y); /* a mask that is a constant */
}
#elif defined(__aarch64__)
#include <arm_neon.h>

uint32_t bad_vector_index(const uint8_t *secret)
{
    return table[vgetq_lane_u8(vld1q_u8(secret), 3)];
}

void bad_vector_branch(volatile uint8_t *out, const uint8_t *secret)
{
    if (vmaxvq_u8(vld1q_u8(secret)) != 0) {
        out[0] = 1;
    }
}

uint32_t bad_vector_spill(const uint8_t *secret)
{
    volatile uint64_t kept[2];
    vst1q_u8((uint8_t *)kept, vld1q_u8(secret));
    return table[kept[1] & 0xFF];
}

void good_vectors(uint8_t *out, const uint8_t *secret, size_t n)
{
    const uint8x16_t t = vld1q_u8(table);
    for (size_t i = 0; i < n; i += 16) {
        vst1q_u8(out + i, vqtbl1q_u8(t, vandq_u8(vld1q_u8(secret + i), vdupq_n_u8(15))));
    }
}
#endif
