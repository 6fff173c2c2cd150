/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The kernels of libmanyfish-study: those of the library, then those with tables for each key, and
 * the tricks of [KarnThread] one by one. In place of des/kernels.c.
 */
#include "des/kernels.h"

#include <manyfish/study/des.h>

#define STUDY_KERNELS(X)                                                                           \
    X(keyed_32k)                                                                                   \
    X(keyed_256k)                                                                                  \
    X(karn_ip)                                                                                     \
    X(karn_offsets)                                                                                \
    X(karn_turns)                                                                                  \
    X(karn_xor)                                                                                    \
    X(karn_sp)                                                                                     \
    X(karn_plain)

const mf_kernel *const mf_des_kernels[] = {MF_DES_KERNELS(MF_DES_ENTRY) STUDY_KERNELS(MF_DES_ENTRY)
                                               NULL};
