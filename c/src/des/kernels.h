/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The list of DES kernels, best first, then portable ones. The only place that names them all: a
 * row X(name) stands for mf_des_name, which kernels/name.c defines. libmanyfish-study appends its
 * own.
 */
#ifndef MF_SRC_DES_KERNELS_H
#define MF_SRC_DES_KERNELS_H

#include "kernel.h"

#if defined(__x86_64__)
#define VECTOR_KERNELS(X)                                                                          \
    X(bitslice_avx512)                                                                             \
    X(bitslice_avx2)
#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define VECTOR_KERNELS(X) X(bitslice_neon)
#else
#define VECTOR_KERNELS(X)
#endif

#define MF_DES_KERNELS(X)                                                                          \
    VECTOR_KERNELS(X)                                                                              \
    X(bitslice)                                                                                    \
    X(sp4k)                                                                                        \
    X(sp2k)                                                                                        \
    X(sp64k)

#define MF_DES_ENTRY(name) &mf_des_##name.common,

#endif
