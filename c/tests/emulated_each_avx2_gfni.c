/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Many keys by AVX2 and GFNI, the instructions emulated.
 */
#include "emulated_kernels.h"

#define mf_twofish_each_avx2_gfni mf_twofish_each_avx2_gfni_as_it_is
#include "twofish/each/avx2_gfni.c"

EMULATED_EACH(mf_twofish_each_emulated_avx2_gfni, "emulated avx2-gfni");
