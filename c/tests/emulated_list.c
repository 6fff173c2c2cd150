/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The emulated kernels, then those of the library; with EMULATED_ONLY, of these only the one with
 * which others are compared. In a program with this file, it takes the place of
 * src/twofish/kernels.c.
 */
#include "twofish/kernels.h"

#define EMULATED_KERNELS(X)                                                                        \
    X(emulated_avx512)                                                                             \
    X(emulated_avx2_gfni)

#ifdef EMULATED_ONLY
#define OTHER_KERNELS(X) X(zero)
#else
#define OTHER_KERNELS(X) MF_TWOFISH_KERNELS(X)
#endif

#define DECLARE(name) extern const mf_twofish_kernel mf_twofish_##name;

EMULATED_KERNELS(DECLARE)

const mf_kernel *const mf_twofish_kernels[] = {EMULATED_KERNELS(MF_TWOFISH_ENTRY)
                                                   OTHER_KERNELS(MF_TWOFISH_ENTRY) NULL};
