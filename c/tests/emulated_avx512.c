/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The kernel avx512, its instructions emulated.
 */
#include "emulated_kernels.h"

#define mf_twofish_avx512 mf_twofish_avx512_as_it_is
#include "twofish/kernels/avx512.c"

EMULATED_KERNEL(mf_twofish_emulated_avx512, "emulated avx512", vector_key, vector_set_key,
                WIDE_BLOCKS);
