/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The emulated DES kernels, then those of the library; with EMULATED_ONLY, of these only the one with which
 * others are compared. In a program with this file, it takes the place of src/des/kernels.c.
 */
#define mf_des_kernels mf_des_kernels_of_the_library
#include "des/kernels.c"
#undef mf_des_kernels

#define EMULATED_KERNELS(X) X(emulated_avx512)

#ifdef EMULATED_ONLY
#define OTHER_KERNELS(X) X(sp2k)
#else
#define OTHER_KERNELS(X) KERNELS(X)
#endif

#define DECLARE(name) extern const mf_des_kernel mf_des_##name;
EMULATED_KERNELS(DECLARE)

extern const mf_des_kernel *const mf_des_kernels[];
const mf_des_kernel *const mf_des_kernels[] = {EMULATED_KERNELS(ENTRY) OTHER_KERNELS(ENTRY) NULL};
