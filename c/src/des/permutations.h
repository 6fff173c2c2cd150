/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * IP and its inverse for kernels on words, after R. Outerbridge: each step swaps the bits that two
 * words have under a mask and a shift [Schneier94, p. 478]. The halves L and R come out rotated
 * left by 3, which is how the rounds want them, and costs one rotation more.
 */
#ifndef MF_SRC_DES_PERMUTATIONS_H
#define MF_SRC_DES_PERMUTATIONS_H

#include "../common/bytes.h"

enum { MF_DES_ROTATION = 3 };

/* Swaps the bits of *a under mask << shift with those of *b under mask. Each half is put together
 * again in three steps that follow on each other, where the swap by one difference has five: one
 * block waits for all of them. */
MF_INLINE void mf_des_swap(uint32_t *a, uint32_t *b, unsigned shift, uint32_t mask)
{
    const uint32_t from_a = mf_opaque(*a >> shift & mask);
    const uint32_t from_b = mf_opaque(*b << shift & mask << shift);
    *a = (*a & ~(mask << shift)) | from_b;
    *b = (*b & ~mask) | from_a;
}

/* From the words of a block, first byte highest, to L and R. */
MF_INLINE void mf_des_ip(uint32_t *l, uint32_t *r)
{
    mf_des_swap(l, r, 4, 0x0F0F0F0F);
    mf_des_swap(l, r, 16, 0x0000FFFF);
    mf_des_swap(r, l, 2, 0x33333333);
    mf_des_swap(r, l, 8, 0x00FF00FF);
    const uint32_t x = mf_rotl32(*r, MF_DES_ROTATION);
    const uint32_t y = mf_rotl32(*l, MF_DES_ROTATION - 1);
    *r = (x & 0x55555555) | (y & 0xAAAAAAAA);
    *l = mf_rotl32((y & 0x55555555) | (x & 0xAAAAAAAA), 1);
}

/* From L and R to the words of a block. */
MF_INLINE void mf_des_inverse_ip(uint32_t *l, uint32_t *r)
{
    const uint32_t x = mf_rotr32(*l, 1);
    const uint32_t y = *r;
    *r = mf_rotr32((y & 0x55555555) | (x & 0xAAAAAAAA), MF_DES_ROTATION);
    *l = mf_rotr32((x & 0x55555555) | (y & 0xAAAAAAAA), MF_DES_ROTATION - 1);
    mf_des_swap(r, l, 8, 0x00FF00FF);
    mf_des_swap(r, l, 2, 0x33333333);
    mf_des_swap(l, r, 16, 0x0000FFFF);
    mf_des_swap(l, r, 4, 0x0F0F0F0F);
}

/* The same for two blocks side by side, the first one in the low halves of the words: nearly half
 * the work. A last swap takes the place of the rotations, which do not work on halves. */
MF_INLINE void mf_des_swap_2(uint64_t *a, uint64_t *b, unsigned shift, uint64_t mask)
{
    const uint64_t t = (*a >> shift ^ *b) & mask;
    *b ^= t;
    *a ^= t << shift;
}

MF_INLINE void mf_des_ip_2(uint32_t l[2], uint32_t r[2], uint64_t first, uint64_t second)
{
    uint64_t x = first >> 32 | (second & 0xFFFFFFFF00000000);
    uint64_t y = (first & 0xFFFFFFFF) | second << 32;

    mf_des_swap_2(&x, &y, 4, 0x0F0F0F0F0F0F0F0F);
    mf_des_swap_2(&x, &y, 16, 0x0000FFFF0000FFFF);
    mf_des_swap_2(&y, &x, 2, 0x3333333333333333);
    mf_des_swap_2(&y, &x, 8, 0x00FF00FF00FF00FF);
    mf_des_swap_2(&x, &y, 1, 0x5555555555555555);
    l[0] = mf_rotl32((uint32_t)x, MF_DES_ROTATION);
    l[1] = mf_rotl32((uint32_t)(x >> 32), MF_DES_ROTATION);
    r[0] = mf_rotl32((uint32_t)y, MF_DES_ROTATION);
    r[1] = mf_rotl32((uint32_t)(y >> 32), MF_DES_ROTATION);
}

MF_INLINE void mf_des_inverse_ip_2(uint64_t *first, uint64_t *second, const uint32_t l[2],
                                   const uint32_t r[2])
{
    uint64_t x = mf_rotr32(l[0], MF_DES_ROTATION) | (uint64_t)mf_rotr32(l[1], MF_DES_ROTATION)
                                                        << 32;
    uint64_t y = mf_rotr32(r[0], MF_DES_ROTATION) | (uint64_t)mf_rotr32(r[1], MF_DES_ROTATION)
                                                        << 32;

    mf_des_swap_2(&x, &y, 1, 0x5555555555555555);
    mf_des_swap_2(&y, &x, 8, 0x00FF00FF00FF00FF);
    mf_des_swap_2(&y, &x, 2, 0x3333333333333333);
    mf_des_swap_2(&x, &y, 16, 0x0000FFFF0000FFFF);
    mf_des_swap_2(&x, &y, 4, 0x0F0F0F0F0F0F0F0F);
    *first = x << 32 | (y & 0xFFFFFFFF);
    *second = (x & 0xFFFFFFFF00000000) | y >> 32;
}

#endif
