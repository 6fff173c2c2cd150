/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The ways to work on many keys at once. The only place that names them all: a row X(name) stands
 * for mf_twofish_each_name, which name.c defines.
 */
#ifndef MF_SRC_TWOFISH_EACH_VARIANTS_H
#define MF_SRC_TWOFISH_EACH_VARIANTS_H

#include "../each.h"

#if defined(__x86_64__)
#define MF_TWOFISH_EACH_VECTORS(X)                                                                 \
    X(avx512)                                                                                      \
    X(avx2_gfni)                                                                                   \
    X(avx2)                                                                                        \
    X(ssse3)
#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define MF_TWOFISH_EACH_VECTORS(X) X(neon)
#elif defined(__wasm_simd128__)
#define MF_TWOFISH_EACH_VECTORS(X) X(simd128)
#else
#define MF_TWOFISH_EACH_VECTORS(X)
#endif

/* as in the list of kernels */
#if defined(__wasm_simd128__)
#define MF_TWOFISH_EACH_CIRCUITS(X)
#else
#define MF_TWOFISH_EACH_CIRCUITS(X) X(bitslice)
#endif

#define MF_TWOFISH_EACH_VARIANTS(X)                                                                \
    MF_TWOFISH_EACH_VECTORS(X)                                                                     \
    MF_TWOFISH_EACH_CIRCUITS(X)

#define MF_TWOFISH_EACH_DECLARE(name) extern const mf_twofish_each mf_twofish_each_##name;
#define MF_TWOFISH_EACH_ENTRY(name) &mf_twofish_each_##name,

MF_TWOFISH_EACH_VARIANTS(MF_TWOFISH_EACH_DECLARE)

#endif
