/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Bit-slicing of Twofish: word i of the state holds bit i of 64 blocks, one in each bit, its lane.
 * q0 and q1 are circuits of gates on words (tables/q_circuits.h), the MDS matrix is XORs, additions
 * carry from word to word, and rotations are a matter of where a word is stored. The lanes may
 * share a key or have one each.
 */
#ifndef MF_SRC_TWOFISH_BITSLICE_H
#define MF_SRC_TWOFISH_BITSLICE_H

#include "../common/transpose.h"
#include "schedule.h"
#include "tables/q_circuits.h"
#include "tables/tables.h"

#include <manyfish/twofish.h>

/* The analyser loses track of which words are written; valgrind and the memory sanitizer do not.
 * NOLINTBEGIN(clang-analyzer-core.UndefinedBinaryOperatorResult) */

enum { LANES = 64, BLOCK = MF_TWOFISH_BLOCK_BYTES };

/* --- g on slices ------------------------------------------------------------------------------ */

MF_INLINE void copy_slices(uint64_t z[8], const uint64_t x[8])
{
    z[0] = x[0];
    z[1] = x[1];
    z[2] = x[2];
    z[3] = x[3];
    z[4] = x[4];
    z[5] = x[5];
    z[6] = x[6];
    z[7] = x[7];
}

MF_INLINE void add_slices(uint64_t z[8], const uint64_t x[8], const uint64_t y[8])
{
    z[0] = x[0] ^ y[0];
    z[1] = x[1] ^ y[1];
    z[2] = x[2] ^ y[2];
    z[3] = x[3] ^ y[3];
    z[4] = x[4] ^ y[4];
    z[5] = x[5] ^ y[5];
    z[6] = x[6] ^ y[6];
    z[7] = x[7] ^ y[7];
}

/* Which kind of circuit stands at a level of h: first, as its inputs are exact, for whatever may be
 * the first level. */
MF_INLINE unsigned circuit_kind(size_t level)
{
    return level == 0 ? MF_TWOFISH_LAST : level == 1 ? MF_TWOFISH_MIDDLE : MF_TWOFISH_FIRST;
}

/* The q of a level at byte position j. Both are constants where this is inlined. */
MF_INLINE void q(uint64_t x[8], size_t level, size_t j)
{
    const unsigned which = mf_twofish_q_order[level][j];

    if (level == 0) {
        (which == 0 ? mf_twofish_q0_last : mf_twofish_q1_last)(x);
    } else if (level == 1) {
        (which == 0 ? mf_twofish_q0_middle : mf_twofish_q1_middle)(x);
    } else {
        (which == 0 ? mf_twofish_q0_first : mf_twofish_q1_first)(x);
    }
}

/* The bits that the circuits on both sides of layer i's key word complement. */
MF_INLINE uint32_t negated(size_t i)
{
    const uint8_t(*before)[2] = mf_twofish_negated[circuit_kind(i + 1)];
    const uint8_t(*after)[2] = mf_twofish_negated[circuit_kind(i)];
    uint32_t word = 0;

    for (size_t j = 0; j < 4; j++) {
        word |=
            (uint32_t)(before[mf_twofish_q_order[i + 1][j]][1] ^ after[mf_twofish_q_order[i][j]][0])
            << 8 * j;
    }
    return word;
}

MF_INLINE void layer(uint64_t x[8], size_t i, size_t j, const uint64_t L[][32])
{
    q(x, i + 1, j);
    add_slices(x, x, L[i] + 8 * j);
}

/* All of h but the matrix, at byte position j. */
MF_INLINE void s_box(uint64_t y[8], const uint64_t x[8], size_t j, const uint64_t L[][32],
                     unsigned k)
{
    uint64_t t[8];

    copy_slices(t, x);
    if (k == 4) {
        layer(t, 3, j, L);
    }
    if (k >= 3) {
        layer(t, 2, j, L);
    }
    layer(t, 1, j, L);
    layer(t, 0, j, L);
    q(t, 0, j);
    copy_slices(y, t);
}

/* x divided by the field's x, plus y: bits move down; the lowest one, if set, takes the polynomial
 * 0x169 with it. */
MF_INLINE void divide_add(uint64_t z[8], const uint64_t x[8], const uint64_t y[8])
{
    const uint64_t low = x[0];

    z[0] = y[0] ^ x[1];
    z[1] = y[1] ^ x[2];
    z[2] = y[2] ^ x[3] ^ low;
    z[3] = y[3] ^ x[4];
    z[4] = y[4] ^ x[5] ^ low;
    z[5] = y[5] ^ x[6] ^ low;
    z[6] = y[6] ^ x[7];
    z[7] = y[7] ^ low;
}

/* The MDS matrix. 5B is 1 + 1/x^2 and EF is 1 + 1/x + 1/x^2, so row i is the sum of y / x^2 + y
 * over all four bytes y, which is the same for each row, plus (u + v / x) / x with few bytes in u,
 * v. */
MF_INLINE void mds(uint64_t y[32])
{
    uint64_t *const y0 = y, *const y1 = y + 8, *const y2 = y + 16, *const y3 = y + 24;
    uint64_t u0[8], u1[8], u2[8], u3[8], common[8], t[8];

    add_slices(u1, y1, y2);
    add_slices(u2, y0, y3);
    add_slices(u3, y0, y2);
    add_slices(common, u1, u2);
    divide_add(t, common, (const uint64_t[8]){0});
    divide_add(common, t, common);
    divide_add(u0, y0, y1);
    divide_add(u1, y3, u1);
    divide_add(u2, y2, u2);
    divide_add(u3, y1, u3);
    divide_add(y0, u0, common);
    divide_add(y1, u1, common);
    divide_add(y2, u2, common);
    divide_add(y3, u3, common);
}

/* g of a word rotated left by 8 * turn bits, or h with any list L. */
static void g(uint64_t T[32], const uint64_t X[32], size_t turn, const uint64_t L[][32], unsigned k)
{
    s_box(T, X + 8 * ((4 - turn) & 3), 0, L, k);
    s_box(T + 8, X + 8 * (1 - turn), 1, L, k);
    s_box(T + 16, X + 8 * (2 - turn), 2, L, k);
    s_box(T + 24, X + 8 * (3 - turn), 3, L, k);
    mds(T);
}

/* --- Additions, and the memory -----------------------------------------------------------------
 */

/* The carry that leaves x + y + carry; *sum is their lowest bit. */
MF_INLINE uint64_t add(uint64_t *sum, uint64_t x, uint64_t y, uint64_t carry)
{
    const uint64_t x_or = x ^ carry;
    const uint64_t y_or = y ^ carry;

    *sum = x_or ^ y;
    return (x_or & y_or) ^ carry;
}

/* The working memory of bulk work. */
typedef struct slices {
    uint64_t R[4][32];
    uint64_t T[2][32];
    uint64_t S[MF_TWOFISH_MAX_K][32];
} slices;

/* NOLINTEND(clang-analyzer-core.UndefinedBinaryOperatorResult) */

#endif
