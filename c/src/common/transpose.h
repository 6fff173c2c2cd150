/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Transposing 64 by 64 bits: words of blocks become words of slices, and back.
 */
#ifndef MF_SRC_COMMON_TRANSPOSE_H
#define MF_SRC_COMMON_TRANSPOSE_H

#include "bytes.h"

/* Exchanges the upper half of each field of 2 * shift bits of x with the lower half of that of
 * y. */
MF_INLINE void mf_exchange(uint64_t *x, uint64_t *y, unsigned shift, uint64_t lower_halves)
{
    const uint64_t difference = (*x >> shift ^ *y) & lower_halves;
    *y ^= difference;
    *x ^= difference << shift;
}

/* Three of the six steps of a transposition, on eight words with `stride` between them. All is
 * written out: gcc does not unroll such loops, or makes vectors of them, and then waits at each
 * store that it loads from in another size. */
MF_INLINE void mf_transpose_8(uint64_t *x, size_t stride, unsigned shift, const uint64_t masks[3])
{
    uint64_t t0 = x[0], t1 = x[stride], t2 = x[2 * stride], t3 = x[3 * stride];
    uint64_t t4 = x[4 * stride], t5 = x[5 * stride], t6 = x[6 * stride], t7 = x[7 * stride];

    mf_exchange(&t0, &t4, shift, masks[0]);
    mf_exchange(&t1, &t5, shift, masks[0]);
    mf_exchange(&t2, &t6, shift, masks[0]);
    mf_exchange(&t3, &t7, shift, masks[0]);
    mf_exchange(&t0, &t2, shift / 2, masks[1]);
    mf_exchange(&t1, &t3, shift / 2, masks[1]);
    mf_exchange(&t4, &t6, shift / 2, masks[1]);
    mf_exchange(&t5, &t7, shift / 2, masks[1]);
    mf_exchange(&t0, &t1, shift / 4, masks[2]);
    mf_exchange(&t2, &t3, shift / 4, masks[2]);
    mf_exchange(&t4, &t5, shift / 4, masks[2]);
    mf_exchange(&t6, &t7, shift / 4, masks[2]);
    x[0] = t0;
    x[stride] = t1;
    x[2 * stride] = t2;
    x[3 * stride] = t3;
    x[4 * stride] = t4;
    x[5 * stride] = t5;
    x[6 * stride] = t6;
    x[7 * stride] = t7;
}

/* 64 words: bit j of word i becomes bit i of word j. */
static void mf_transpose_64(uint64_t *x)
{
    static const uint64_t far[3] = {0x00000000FFFFFFFF, 0x0000FFFF0000FFFF, 0x00FF00FF00FF00FF};
    static const uint64_t near[3] = {0x0F0F0F0F0F0F0F0F, 0x3333333333333333, 0x5555555555555555};

    for (size_t i = 0; i < 8; i++) {
        mf_transpose_8(x + i, 8, 32, far);
    }
    for (size_t i = 0; i < 8; i++) {
        mf_transpose_8(x + 8 * i, 1, 4, near);
    }
}

#endif
