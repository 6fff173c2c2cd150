/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * DES without a trick of [KarnThread]; see ladder.h.
 */
#include "ladder.h"
#include "tables.h"

/* The four bits of S_n, in the place where P takes them from: the table has them behind P. */
MF_INLINE uint32_t s(unsigned n, uint32_t x)
{
    return (uint32_t)mf_des_s[n - 1][x] << (32 - 4 * n);
}

/* Bit i of the result, from the highest one down, is bit p[i] - 1. [FIPS46-3] */
static const uint8_t p[32] = {16, 7, 20, 21, 29, 12, 28, 17, 1,  15, 23, 26, 5,  18, 31, 10,
                              2,  8, 24, 14, 32, 27, 3,  9,  19, 13, 30, 6,  22, 11, 4,  25};

static uint32_t permuted(uint32_t x)
{
    uint32_t y = 0;

    for (unsigned i = 0; i < 32; i++) {
        y |= (x >> (32 - p[i]) & 1) << (31 - i);
    }
    return y;
}

MF_INLINE uint32_t f(uint32_t l, uint32_t r, const void *round_key, const void *tables)
{
    uint32_t t = 0;

    (void)tables;
    MF_DES_UNROLL
    for (unsigned n = 1; n <= 8; n++) {
        t |= s(n, mf_des_ladder_six(r, n) ^ mf_des_ladder_subkey(round_key, n));
    }
    return l ^ mf_rotl32(permuted(t), MF_DES_ROTATION);
}

MF_DES_LADDER_KERNEL(mf_des_karn_plain, "karn-plain", "no trick: S-boxes of 4 bits, P bit by bit",
                     mf_des_ladder_ip, mf_des_ladder_inverse_ip, mf_des_ladder_set_in_order);
