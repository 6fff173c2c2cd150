/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The form for instruction sets that have shuffles of 16 bytes and no GFNI: q by its steps, and the
 * products with the MDS matrix from tables.
 */
#ifndef MF_SRC_TWOFISH_VECTOR_EACH_SHUFFLES_H
#define MF_SRC_TWOFISH_VECTOR_EACH_SHUFFLES_H

#include "each.h"

VEC_FN vec each_enter(vec x)
{
    return each_enter_by_steps(x);
}

VEC_FN vec each_q(size_t which, vec y)
{
    return each_q_by_steps(which, y);
}

VEC_FN each_products each_last(size_t which, vec y)
{
    return each_last_by_tables(which, y);
}

#endif
