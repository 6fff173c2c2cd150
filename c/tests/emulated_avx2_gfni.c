/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The kernel avx2-gfni, its instructions emulated.
 */
#include "emulated_kernels.h"

#define mf_twofish_avx2_gfni mf_twofish_avx2_gfni_as_it_is
#include "twofish/kernels/avx2_gfni.c"

EMULATED_KERNEL(mf_twofish_emulated_avx2_gfni, "emulated avx2-gfni", steps_key, steps_set_key,
                TWO_HALVES_BLOCKS);
