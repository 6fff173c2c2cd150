/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * PC-1, without tables: nothing secret is an address here.
 */
#ifndef MF_SRC_DES_PC_1_H
#define MF_SRC_DES_PC_1_H

#include "../common/block.h"

#define MF_DES_HALF_BITS 28
#define MF_DES_HALF_MASK ((UINT64_C(1) << MF_DES_HALF_BITS) - 1)

/* Swaps bits that are shift apart, within a word. */
MF_INLINE uint64_t mf_des_swap_within(uint64_t x, unsigned shift, uint64_t mask)
{
    const uint64_t t = (x >> shift ^ x) & mask;
    return x ^ t ^ t << shift;
}

/* C_0 and D_0 of a key of 8 bytes, each in the low bits of a word [FIPS46-3, appendix 1]. Read as a
 * matrix of 8 x 8 bits, with the bytes of the key in reverse, and transposed, the key has C in its
 * first 28 bits; D is in the other rows, which stand in reverse, except the parity bits. */
MF_INLINE void mf_des_pc_1(uint64_t *C, uint64_t *D, const uint8_t *key)
{
    uint64_t x = mf_load64_le(key);

    x = mf_des_swap_within(x, 7, 0x00AA00AA00AA00AA);
    x = mf_des_swap_within(x, 14, 0x0000CCCC0000CCCC);
    x = mf_des_swap_within(x, 28, 0x00000000F0F0F0F0);
    *C = x >> 36;
    *D = (x >> 8 & 0xFF) << 20 | (x >> 16 & 0xFF) << 12 | (x >> 24 & 0xFF) << 4 | (x >> 32 & 0xF);
}

#endif
