/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The kernels of libmanyfish.
 */
#include "kernels.h"

const mf_kernel *const mf_twofish_kernels[] = {MF_TWOFISH_KERNELS(MF_TWOFISH_ENTRY) NULL};
