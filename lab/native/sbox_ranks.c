/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sums of output bits of S-boxes that have an algebraic degree below 7.
 *
 * In the polynomial of s, the coefficient of the product of all input bits but bit i is the sum of
 * s(x) over all x in which bit i is 0. A sum of output bits has a degree below 7 where it is 0 in
 * all eight coefficients, so their rank tells how many such sums there are.
 *
 * A lane has one outer key byte, so that all boxes of an inner one are computed at once.
 */
#include "lab.h"
#include "vector.h"

enum { BITS = 8 };

/* The coefficients of the boxes of 32 keys, key .. key + 31. Before turn i, sums[y] is the sum over
 * the 2^i inputs whose higher bits are y. */
LAB_INLINE void coefficients(lab_bytes c[BITS], const lab_bytes *outer, const uint8_t *inner,
                             unsigned key)
{
    lab_bytes sums[128];
    c[0] = (lab_bytes){0};
    for (size_t x = 0; x < 128; x++) {
        const lab_bytes even = outer[inner[2 * x] ^ key], odd = outer[inner[2 * x + 1] ^ key];
        c[0] ^= even;
        sums[x] = even ^ odd;
    }
    for (unsigned i = 1; i < BITS; i++) {
        c[i] = (lab_bytes){0};
        for (size_t x = 0; x < 128u >> i; x++) {
            c[i] ^= sums[2 * x];
            sums[x] = sums[2 * x] ^ sums[2 * x + 1];
        }
    }
}

/* A lane of `rank` gets the rank of its eight bytes; basis[b] has the vector whose highest bit is
 * b. */
LAB_INLINE void eliminate(lab_bytes *rank, const lab_bytes c[BITS])
{
    lab_bytes basis[BITS] = {{0}};
    *rank = (lab_bytes){0};
    for (unsigned i = 0; i < BITS; i++) {
        lab_bytes rest = c[i];
        for (unsigned b = BITS; b-- > 0;) {
            const lab_bytes bit = (lab_bytes){0} + (uint8_t)(1u << b);
            const lab_bytes has = (lab_bytes)((rest & bit) == bit);
            const lab_bytes is_new = has & (lab_bytes)(basis[b] == 0);
            const lab_bytes reduced = rest ^ (basis[b] & has);
            basis[b] |= rest & is_new;
            rest = reduced & ~is_new;
            *rank -= is_new;
        }
    }
}

static LAB_CLONES void add_ranks(uint64_t ranks[BITS + 1], const lab_bytes *outer,
                                 const uint8_t *inner)
{
    for (unsigned key = 0; key < 256; key += LAB_LANES) {
        lab_bytes c[BITS], rank;
        coefficients(c, outer, inner, key);
        eliminate(&rank, c);
        for (unsigned lane = 0; lane < LAB_LANES; lane++) {
            ranks[rank[lane]]++;
        }
    }
}

void lab_sbox_ranks(uint64_t ranks[9], const uint8_t *inner, size_t n, const uint8_t *outer)
{
    lab_bytes by_lane[256];
    lab_outer_by_lane(by_lane, outer);
    for (size_t i = 0; i < n; i++) {
        add_ranks(ranks, by_lane, inner + 256 * i);
    }
}
