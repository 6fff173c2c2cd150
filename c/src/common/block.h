/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A block of 16 bytes in one register where the target surely has such, else in two words: for the
 * bookkeeping of modes, which is as much as a quarter of a vector kernel's work if done by bytes.
 * Lanes are little-endian words of 64 bits on every machine.
 */
#ifndef MF_SRC_COMMON_BLOCK_H
#define MF_SRC_COMMON_BLOCK_H

#include "bytes.h"

MF_INLINE uint64_t mf_load64_le(const uint8_t *p)
{
    return (uint64_t)mf_load32_le(p) | (uint64_t)mf_load32_le(p + 4) << 32;
}

MF_INLINE void mf_store64_le(uint8_t *p, uint64_t x)
{
    mf_store32_le(p, (uint32_t)x);
    mf_store32_le(p + 4, (uint32_t)(x >> 32));
}

/* The bytes in reverse; compilers know this for what it is. */
MF_INLINE uint32_t mf_swap32(uint32_t x)
{
    return x << 24 | (x & 0xFF00) << 8 | (x >> 8 & 0xFF00) | x >> 24;
}

#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ &&                              \
    (defined(__SSE2__) || defined(__aarch64__))

typedef uint64_t mf_block __attribute__((vector_size(16)));

MF_INLINE mf_block mf_block_load(const uint8_t *p)
{
    mf_block x;
    memcpy(&x, p, 16);
    return x;
}

MF_INLINE void mf_block_store(uint8_t *p, mf_block x)
{
    memcpy(p, &x, 16);
}

MF_INLINE mf_block mf_block_xor(mf_block x, mf_block y)
{
    return x ^ y;
}

/* With a word put into the last four bytes, which are 0, highest byte first. */
MF_INLINE mf_block mf_block_put_last32(mf_block x, uint32_t word)
{
    return x | (mf_block){0, (uint64_t)mf_swap32(word) << 32};
}

/* Adds 1 to the last byte, modulo 256. */
MF_INLINE mf_block mf_block_count(mf_block x)
{
    return x + (mf_block){0, (uint64_t)1 << 56};
}

/* The block as a polynomial over GF(2), the low bit of the first byte being the power 0, times x
 * modulo x^128 + x^7 + x^2 + x + 1, without a branch on the secret. [IEEE1619, 5.2] */
MF_INLINE mf_block mf_block_times_x(mf_block a)
{
    typedef int32_t words __attribute__((vector_size(16)));
    const words w = (words)a;
    const words carries = (words){w[3], w[3], w[1], w[1]} >> 31; /* all ones, or zero */
    return (a + a) ^ ((mf_block)carries & (mf_block){0x87, 1});
}

/* The same, times x^8: the byte that leaves at the end comes in again times x^7 + x^2 + x + 1. */
MF_INLINE mf_block mf_block_times_x8(mf_block a)
{
    const mf_block top = a >> 56;
    const mf_block carries = {top[1], top[0]};
    const mf_block spill = carries & (mf_block){0xFF, 0};
    return a << 8 ^ carries ^ spill << 1 ^ spill << 2 ^ spill << 7;
}

#else

typedef struct mf_block {
    uint64_t low;
    uint64_t high;
} mf_block;

MF_INLINE mf_block mf_block_load(const uint8_t *p)
{
    const mf_block x = {mf_load64_le(p), mf_load64_le(p + 8)};
    return x;
}

MF_INLINE void mf_block_store(uint8_t *p, mf_block x)
{
    mf_store64_le(p, x.low);
    mf_store64_le(p + 8, x.high);
}

MF_INLINE mf_block mf_block_xor(mf_block x, mf_block y)
{
    const mf_block z = {x.low ^ y.low, x.high ^ y.high};
    return z;
}

MF_INLINE mf_block mf_block_put_last32(mf_block x, uint32_t word)
{
    x.high |= (uint64_t)mf_swap32(word) << 32;
    return x;
}

MF_INLINE mf_block mf_block_count(mf_block x)
{
    x.high += (uint64_t)1 << 56;
    return x;
}

MF_INLINE mf_block mf_block_times_x(mf_block a)
{
    const mf_block product = {a.low << 1 ^ ((0 - (a.high >> 63)) & 0x87),
                              a.high << 1 | a.low >> 63};
    return product;
}

MF_INLINE mf_block mf_block_times_x8(mf_block a)
{
    const uint64_t spill = a.high >> 56;
    const mf_block product = {a.low << 8 ^ spill ^ spill << 1 ^ spill << 2 ^ spill << 7,
                              a.high << 8 | a.low >> 56};
    return product;
}

#endif

#endif
