/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The list of ways to work on many keys at once.
 */
#include "variants.h"

const mf_twofish_each *const mf_twofish_each_variants[] = {
    MF_TWOFISH_EACH_VARIANTS(MF_TWOFISH_EACH_ENTRY) NULL};
