/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The list of DES kernels, best first, then portable ones. The only place that names them all: a row X(name)
 * stands for mf_des_name, which kernels/name.c defines.
 */
#include "kernel.h"

#define KERNELS(X) X(sp2k)

#define DECLARE(name) extern const mf_des_kernel mf_des_##name;
#define ENTRY(name) &mf_des_##name,

KERNELS(DECLARE)

const mf_des_kernel *const mf_des_kernels[] = {KERNELS(ENTRY) NULL};
