/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The list of Twofish kernels, best first, portable last. The only place that names them all.
 */
#include "kernel.h"

extern const mf_twofish_kernel mf_twofish_full;
extern const mf_twofish_kernel mf_twofish_partial;
extern const mf_twofish_kernel mf_twofish_minimal;
extern const mf_twofish_kernel mf_twofish_zero;

const mf_twofish_kernel *const mf_twofish_kernels[] = {
    &mf_twofish_full,
    &mf_twofish_partial,
    &mf_twofish_minimal,
    &mf_twofish_zero,
    NULL,
};
