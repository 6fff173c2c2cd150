/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The list of Twofish kernels, best first, portable last, then those that need shared tables. The only place
 * that names them all: a row X(name) stands for mf_twofish_name, which kernels/name.c defines.
 */
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

#if defined(__wasm_simd128__) /* the vectors are there for sure; without circuits, half the code */
#define CIRCUIT_KERNELS(X)
#else
#define CIRCUIT_KERNELS(X) X(bitslice)
#endif

#define KERNELS(X)                                                                                 \
    VECTOR_KERNELS(X)                                                                              \
    CIRCUIT_KERNELS(X)                                                                             \
    X(full)                                                                                        \
    X(partial)                                                                                     \
    X(minimal)                                                                                     \
    X(zero)                                                                                        \
    SHARED_KERNELS(X)

#if defined(__wasm__) /* no system, so no memory for shared tables */
#define SHARED_KERNELS(X)
#else
#define SHARED_KERNELS(X)                                                                          \
    X(full_huge)                                                                                   \
    X(full_big)                                                                                    \
    X(partial_big)
#endif

#define ENTRY(name) &mf_twofish_##name,

const mf_twofish_kernel *const mf_twofish_kernels[] = {KERNELS(ENTRY) NULL};
