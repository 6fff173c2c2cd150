/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Adds the outputs of a circuit for an S-box (bitslice.h). Before it is included: a vector
 * type; after it: tables/s_boxes_*.h.
 */
#ifndef MF_SRC_DES_BITSLICE_ADD_H
#define MF_SRC_DES_BITSLICE_ADD_H

#include <stddef.h>
#include <stdint.h>

/* The half that is changed, which four slices of it, and the masks that are added along. */
typedef struct s_outputs {
    vec *y;
    const uint8_t *gives;
    const uint32_t *masks;
} s_outputs;

VEC_FN void s_add(const s_outputs *to, size_t j, vec x)
{
    vec *y = to->y + to->gives[j];
    vec_store(y, vec_xor3(vec_load(y), vec_set_mask(to->masks[j]), x));
}

#endif
