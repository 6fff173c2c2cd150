/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The function h [Twofish98, 4.3.2] in pieces, so that each keying option can do some of it when
 * the key is set and the rest for each block [Twofish98, 5.1.1].
 *
 * For byte position j, h passes a byte through k layers "q, then XOR with byte j of L_i", for i =
 * k-1 down to 0, then through one last q and the MDS column j (mds.h). Layer i uses the q of level
 * i + 1; level 0 is the last one.
 */
#ifndef MF_SRC_TWOFISH_H_FUNCTION_H
#define MF_SRC_TWOFISH_H_FUNCTION_H

#include "../common/bytes.h"
#include "mds.h"
#include "tables/tables.h"

/* Byte j of X rotated left by 8 * turn bits; turn is 0 or 1. */
MF_INLINE uint32_t mf_twofish_turned(uint32_t X, unsigned j, unsigned turn)
{
    return mf_byte(X, (j - turn) & 3);
}

/* Layer i at byte position j: q, then the key byte. */
MF_INLINE uint32_t mf_twofish_layer(unsigned i, unsigned j, const uint32_t *L, uint32_t y)
{
    return mf_twofish_q[mf_twofish_q_order[i + 1][j]][y] ^ mf_byte(L[i], j);
}

/* Layers k-1 down to `last`, at byte position j; k is 2, 3 or 4 and `last` is 0 or 1. */
MF_INLINE uint32_t mf_twofish_layers(unsigned k, unsigned last, unsigned j, const uint32_t *L,
                                     uint32_t y)
{
    if (k == 4) {
        y = mf_twofish_layer(3, j, L, y);
    }
    if (k >= 3) {
        y = mf_twofish_layer(2, j, L, y);
    }
    y = mf_twofish_layer(1, j, L, y);
    return last == 0 ? mf_twofish_layer(0, j, L, y) : y;
}

/* All of h, nothing computed before, of X rotated left by 8 * turn bits. */
MF_INLINE uint32_t mf_twofish_h(unsigned k, const uint32_t *L, uint32_t X, unsigned turn)
{
    return mf_twofish_mds_multiply(mf_twofish_layers(k, 0, 0, L, mf_twofish_turned(X, 0, turn)),
                                   mf_twofish_layers(k, 0, 1, L, mf_twofish_turned(X, 1, turn)),
                                   mf_twofish_layers(k, 0, 2, L, mf_twofish_turned(X, 2, turn)),
                                   mf_twofish_layers(k, 0, 3, L, mf_twofish_turned(X, 3, turn)));
}

#endif
