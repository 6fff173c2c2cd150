/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The emulated DES kernels, then those of the library; with EMULATED_ONLY, of these only the one
 * with which others are compared. In a program with this file, it takes the place of
 * src/des/kernels.c.
 */
#include "des/kernels.h"

#define EMULATED_KERNELS(X) X(emulated_avx512)

#ifdef EMULATED_ONLY
#define OTHER_KERNELS(X) X(sp2k)
#else
#define OTHER_KERNELS(X) MF_DES_KERNELS(X)
#endif

#define DECLARE(name) extern const mf_des_kernel mf_des_##name;

EMULATED_KERNELS(DECLARE)

const mf_kernel *const mf_des_kernels[] = {EMULATED_KERNELS(MF_DES_ENTRY)
                                               OTHER_KERNELS(MF_DES_ENTRY) NULL};
