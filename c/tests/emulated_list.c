/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The emulated kernels, then those of the library; with EMULATED_ONLY, of these only the one with
 * which others are compared. In a program with this file, it takes the place of
 * src/twofish/kernels.c and src/twofish/each/variants.c.
 */
#include "twofish/each/variants.h"
#include "twofish/kernels.h"

#define EMULATED_KERNELS(X)                                                                        \
    X(emulated_avx512)                                                                             \
    X(emulated_avx2_gfni)

#ifdef EMULATED_ONLY
#define OTHER_KERNELS(X) X(zero)
#define OTHER_VARIANTS(X)
#else
#define OTHER_KERNELS(X) MF_TWOFISH_KERNELS(X)
#define OTHER_VARIANTS(X) MF_TWOFISH_EACH_VARIANTS(X)
#endif

#define DECLARE(name) extern const mf_twofish_kernel mf_twofish_##name;

EMULATED_KERNELS(DECLARE)

const mf_kernel *const mf_twofish_kernels[] = {EMULATED_KERNELS(MF_TWOFISH_ENTRY)
                                                   OTHER_KERNELS(MF_TWOFISH_ENTRY) NULL};

EMULATED_KERNELS(MF_TWOFISH_EACH_DECLARE)

const mf_twofish_each *const mf_twofish_each_variants[] = {
    EMULATED_KERNELS(MF_TWOFISH_EACH_ENTRY) OTHER_VARIANTS(MF_TWOFISH_EACH_ENTRY) NULL};
