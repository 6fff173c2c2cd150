/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The list of Twofish kernels, best first, portable last. The only place that names them all: a row
 * X(name) stands for mf_twofish_name, which kernels/name.c defines. libmanyfish-study appends its
 * own.
 */
#ifndef MF_SRC_TWOFISH_KERNELS_H
#define MF_SRC_TWOFISH_KERNELS_H

#include "kernel.h"

#if defined(__x86_64__)
#define VECTOR_KERNELS(X)                                                                          \
    X(avx512)                                                                                      \
    X(avx2_gfni)                                                                                   \
    X(avx2)                                                                                        \
    X(ssse3)
#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define VECTOR_KERNELS(X) X(neon)
#elif defined(__wasm_simd128__)
#define VECTOR_KERNELS(X) X(simd128)
#else
#define VECTOR_KERNELS(X)
#endif

/* the vectors are there for sure; without circuits, half the code */
#if defined(__wasm_simd128__)
#define CIRCUIT_KERNELS(X)
#else
#define CIRCUIT_KERNELS(X) X(bitslice)
#endif

#define MF_TWOFISH_KERNELS(X)                                                                      \
    VECTOR_KERNELS(X)                                                                              \
    CIRCUIT_KERNELS(X)                                                                             \
    X(full)                                                                                        \
    X(partial)                                                                                     \
    X(minimal)                                                                                     \
    X(zero)

#define MF_TWOFISH_ENTRY(name) &mf_twofish_##name.common,

#endif
