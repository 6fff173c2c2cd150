/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Many keys by AVX-512, the instructions emulated.
 */
#include "emulated_kernels.h"

#define mf_twofish_each_avx512 mf_twofish_each_avx512_as_it_is
#include "twofish/each/avx512.c"

EMULATED_EACH(mf_twofish_each_emulated_avx512, "emulated avx512");
