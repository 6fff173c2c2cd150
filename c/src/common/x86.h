/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The intrinsics of x86-64. In the dialect of MSVC, clang's own header leaves out what the whole
 * file may not use, though single functions may.
 */
#ifndef MF_SRC_COMMON_X86_H
#define MF_SRC_COMMON_X86_H

#include <immintrin.h>

#if defined(__clang__) && defined(_MSC_VER)
/* Some need what stands before them. */
/* clang-format off */
#include <tmmintrin.h>
#include <smmintrin.h>
#include <wmmintrin.h>
#include <avxintrin.h>
#include <avx2intrin.h>
#include <avx512fintrin.h>
#include <avx512vlintrin.h>
#include <avx512bwintrin.h>
#include <avx512vlbwintrin.h>
#include <avx512vbmiintrin.h>
#include <avx512vbmivlintrin.h>
#include <gfniintrin.h>
#include <vpclmulqdqintrin.h>
/* clang-format on */
#endif

#endif
