/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The kernels of libmanyfish-study: those of the library, then those that need shared tables, and
 * the smallest. In place of twofish/kernels.c.
 */
#include "twofish/kernels.h"

#include <manyfish/study/small.h>
#include <manyfish/study/tables.h>

#define STUDY_KERNELS(X)                                                                           \
    X(full_huge)                                                                                   \
    X(full_big)                                                                                    \
    X(partial_big)                                                                                 \
    X(small)

const mf_kernel *const mf_twofish_kernels[] = {MF_TWOFISH_KERNELS(MF_TWOFISH_ENTRY)
                                                   STUDY_KERNELS(MF_TWOFISH_ENTRY) NULL};
