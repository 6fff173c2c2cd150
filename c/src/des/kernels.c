/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The kernels of libmanyfish.
 */
#include "kernels.h"

const mf_kernel *const mf_des_kernels[] = {MF_DES_KERNELS(MF_DES_ENTRY) NULL};
