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

#if (defined(__GNUC__) || defined(__clang__)) && (defined(__SSE2__) || defined(__aarch64__)) &&    \
    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

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

/* Counter blocks, of which at most 256 follow each other with a carry at most once. Which one it is
 * decides no branch, for modes compute the first one from the key. */
typedef struct mf_counters {
    mf_block next;                                 /* the carry left out */
    mf_block carry;                                /* what it changes */
    int32_t left __attribute__((vector_size(16))); /* until then; negative afterwards */
} mf_counters;

/* Starts with the block `first`; `carried` is the one 256 later, which has the same last byte. */
MF_INLINE mf_counters mf_counters_from(const uint8_t *first, const uint8_t *carried)
{
    const mf_block block = mf_block_load(first);
    const int32_t left = 255 - first[15];
    const mf_counters counters = {block, block ^ mf_block_load(carried), {left, left, left, left}};
    return counters;
}

MF_INLINE mf_block mf_counters_next(mf_counters *c)
{
    const mf_block block = c->next ^ (c->carry & (mf_block)(c->left >> 31));
    c->next += (mf_block){0, (uint64_t)1 << 56}; /* the last byte, modulo 256 */
    c->left -= 1;
    return block;
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

typedef struct mf_counters {
    mf_block next;
    mf_block carry;
    uint64_t left;
} mf_counters;

MF_INLINE mf_counters mf_counters_from(const uint8_t *first, const uint8_t *carried)
{
    const mf_block before = mf_block_load(first);
    const mf_block change = mf_block_xor(before, mf_block_load(carried));
    const mf_counters counters = {before, change, (uint64_t)255 - first[15]};
    return counters;
}

MF_INLINE mf_block mf_counters_next(mf_counters *c)
{
    const uint64_t mask = 0 - (c->left >> 63);
    const mf_block block = {c->next.low ^ (c->carry.low & mask),
                            c->next.high ^ (c->carry.high & mask)};
    c->next.high += (uint64_t)1 << 56;
    c->left--;
    return block;
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
