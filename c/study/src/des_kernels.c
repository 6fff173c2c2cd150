/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The kernels of libmanyfish-study: those of the library, then those with tables for each key. In
 * place of des/kernels.c.
 */
#include "des/kernels.h"

#include <manyfish/study/des.h>

#define STUDY_KERNELS(X)                                                                           \
    X(keyed_32k)                                                                                   \
    X(keyed_256k)

const mf_kernel *const mf_des_kernels[] = {MF_DES_KERNELS(MF_DES_ENTRY) STUDY_KERNELS(MF_DES_ENTRY)
                                               NULL};
