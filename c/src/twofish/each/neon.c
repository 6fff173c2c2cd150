/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Many keys: 16 at a time on AArch64.
 */
#include "../each.h"

#if defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

#include "../../common/vec_neon.h"

#include "../vector/each.h"

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

/* As for ssse3, not measured. */
const mf_twofish_each mf_twofish_each_neon = {
    .kernel = "neon",
    .from = 3,
    .more = 1,
    .max_blocks = 32,
    EACH_ROW,
};

#endif
