/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The last q of h and the MDS matrix [Twofish98, 4.2, 4.3.2]: looked up together in 4 KB, or with
 * -DMF_SMALL computed one after the other. The entries of the matrix are 1, 5B and EF; 5B is 1 +
 * 1/x^2 and EF is 1 + 1/x + 1/x^2 in the field of the matrix [Twofish98, 7.3].
 */
#ifndef MF_SRC_TWOFISH_MDS_H
#define MF_SRC_TWOFISH_MDS_H

#include "../common/bytes.h"
#include "tables/tables.h"

/* The matrix on the bytes of a word y, from y + y / x^2, y / x and y / x^2. */
MF_INLINE uint32_t mf_twofish_mds_word(uint32_t both, uint32_t once, uint32_t twice)
{
    const uint32_t pairs = both ^ mf_rotl32(both, 16);
    const uint32_t odd_bytes = (twice ^ twice >> 16) & 0xFF00; /* bytes 1 and 3 change places */

    return pairs ^ mf_rotl32(pairs, 8) ^ twice ^ odd_bytes ^ odd_bytes << 16 ^ mf_rotr32(once, 8) ^
           (once & 0xFF00) ^ (once << 16 & 0xFF0000) ^ (once << 8 & 0xFF000000);
}

/* Each byte divided by x. */
MF_INLINE uint32_t mf_twofish_divide_word(uint32_t x)
{
    const uint32_t low = x & 0x01010101;
    return (x >> 1 & 0x7F7F7F7F) ^ (((low << 8) - low) & 0xB4B4B4B4);
}

/* The matrix on the bytes of a word. */
static inline uint32_t mf_twofish_mds_by_steps(uint32_t y)
{
    const uint32_t once = mf_twofish_divide_word(y);
    const uint32_t twice = mf_twofish_divide_word(once);
    return mf_twofish_mds_word(y ^ twice, once, twice);
}

#ifdef MF_SMALL

/* The last q of a byte at position j, in its place. */
MF_INLINE uint32_t mf_twofish_last_q(unsigned j, uint32_t y)
{
    return (uint32_t)mf_twofish_q[mf_twofish_q_order[0][j]][y] << (8 * j);
}

/* The last q and column j of the matrix. */
MF_INLINE uint32_t mf_twofish_mds_column(unsigned j, uint32_t y)
{
    return mf_twofish_mds_by_steps(mf_twofish_last_q(j, y));
}

/* The last q and the matrix on four bytes, one a position. */
MF_INLINE uint32_t mf_twofish_mds_multiply(uint32_t y0, uint32_t y1, uint32_t y2, uint32_t y3)
{
    return mf_twofish_mds_by_steps(mf_twofish_last_q(0, y0) | mf_twofish_last_q(1, y1) |
                                   mf_twofish_last_q(2, y2) | mf_twofish_last_q(3, y3));
}

#else

MF_INLINE uint32_t mf_twofish_mds_column(unsigned j, uint32_t y)
{
    return mf_twofish_mds[j][y];
}

MF_INLINE uint32_t mf_twofish_mds_multiply(uint32_t y0, uint32_t y1, uint32_t y2, uint32_t y3)
{
    return mf_twofish_mds[0][y0] ^ mf_twofish_mds[1][y1] ^ mf_twofish_mds[2][y2] ^
           mf_twofish_mds[3][y3];
}

#endif

#endif
