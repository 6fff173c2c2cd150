/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The rounds of DES on bit slices: slice n is a vector with bit n of as many blocks as a register
 * has bits, each in its lane. Gates work on all lanes at once, and a permutation only says which
 * slice is meant; so IP, its inverse, E and P cost nothing. Before it is included: a vector type,
 * bitslice_add.h and tables/s_boxes_*.h.
 *
 * Adding subkeys to the input of the S-boxes takes hardly any time. A slice of a half is kept with
 * the bit of the subkey added that it will meet next. When its S-box changes it, the difference to
 * the bit that it meets two rounds later is added along, which a processor that adds three at once
 * does for nothing. But two of the six bits of an S-box are its neighbours' too, and meet two bits
 * of a subkey; for these a difference is added on the way in. So a round has 16 additions and 32 of
 * three, where there were 80.
 */
#ifndef MF_SRC_DES_BITSLICE_H
#define MF_SRC_DES_BITSLICE_H

#include "bitslice_key.h"

enum { SLICES = 64 };

/* A bit that S_(n+1) takes. */
VEC_FN vec s_own(const vec *x, size_t n, size_t i)
{
    return vec_load(x + mf_des_takes[n][i]);
}

/* The same where it is kept with a neighbour's bit of the subkey. */
VEC_FN vec s_shared(const vec *x, size_t n, size_t i, uint32_t mask)
{
    return vec_xor(s_own(x, n, i), vec_set_mask(mask));
}

#define S_BOX(number)                                                                              \
    do {                                                                                           \
        const size_t n = (number)-1;                                                               \
        const uint32_t *shared = K + HALF_BITS + 2 * n;                                            \
        const s_outputs to = {y, mf_des_gives[n], K + 4 * n};                                      \
        s_##number(&to, s_shared(x, n, 0, shared[0]), s_own(x, n, 1), s_own(x, n, 2),              \
                   s_own(x, n, 3), s_own(x, n, 4), s_shared(x, n, 5, shared[1]));                  \
    } while (0)

/* Changes the half y by f of the half x. */
VEC_FN void one_round(vec *y, const vec *x, const uint32_t *K)
{
    S_BOX(1);
    S_BOX(2);
    S_BOX(3);
    S_BOX(4);
    S_BOX(5);
    S_BOX(6);
    S_BOX(7);
    S_BOX(8);
}

#undef S_BOX

/* Sixteen rounds; `step` leads from the masks of one to those of the next. */
VEC_ENTRY MF_NOINLINE void sixteen_rounds(vec *l, vec *r, const uint32_t *K, ptrdiff_t step)
{
    for (ptrdiff_t i = 0; i < MF_DES_ROUNDS; i += 2) {
        one_round(l, r, K + i * step);
        one_round(r, l, K + (i + 1) * step);
    }
}

VEC_FN void add_half(vec *half, const uint32_t masks[HALF_BITS])
{
    for (size_t i = 0; i < HALF_BITS; i++) {
        vec_store(half + 2 * i, vec_xor(vec_load(half + 2 * i), vec_set_mask(masks[i])));
    }
}

/* After an odd number of passes the slices of L hold L_16, which is the half that is yet to be
 * freed of its subkey, and those of R R_16; the inverse of IP wants them the other way round. */
VEC_FN void finish(vec slices[SLICES], const uint32_t masks[HALF_BITS])
{
    for (size_t i = 0; i < HALF_BITS; i++) {
        const vec L_16 = vec_xor(vec_load(slices + 2 * i), vec_set_mask(masks[i]));
        vec_store(slices + 2 * i, vec_load(slices + 2 * i + 1));
        vec_store(slices + 2 * i + 1, L_16);
    }
}

/* All passes, 1 or 3. Between two, the permutations cancel out, and L and R change places. */
VEC_ENTRY MF_NOINLINE void passes(vec slices[SLICES], const bitslice_key *k, ptrdiff_t step)
{
    const size_t n = k->n_passes;
    const uint32_t *masks = k->masks + (step > 0 ? 0 : n * PASS_MASKS);
    const ptrdiff_t first_round = step > 0 ? HALF_BITS : -ROUND_MASKS;
    const ptrdiff_t next_pass = step > 0 ? PASS_MASKS : -PASS_MASKS;
    vec *l = slices;
    vec *r = slices + 1;

    for (size_t i = 0; i < n; i++, masks += next_pass) {
        add_half(r, masks);
        sixteen_rounds(l, r, masks + first_round, step);
        vec *last = l;
        l = r;
        r = last;
    }
    finish(slices, masks);
}

#endif
