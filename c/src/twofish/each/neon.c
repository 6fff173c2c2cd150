/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Many keys: 16 at a time on AArch64.
 */
#include "../each.h"

#if defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

#include "../../common/vec_neon.h"

#include "../vector/each_shuffles.h"

/* As for ssse3, not measured. */
const mf_twofish_each mf_twofish_each_neon = {
    .kernel = "neon",
    .from = 3,
    .more = 1,
    .max_blocks = 32,
    EACH_ROW,
};

#endif
