/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The vector type of bit slices where there is no vector unit: words of 64 bits. vec.h says what
 * each operation does.
 */
#ifndef MF_SRC_COMMON_VEC_WORD_H
#define MF_SRC_COMMON_VEC_WORD_H

#include "bytes.h"

#define VEC_BYTES ((size_t)8)
#define VEC_FN MF_INLINE
#define VEC_ENTRY static

typedef uint64_t vec;

VEC_FN vec vec_load(const vec *p)
{
    return *p;
}

VEC_FN void vec_store(vec *p, vec x)
{
    *p = x;
}

/* The sign fills the word: for masks, which are all zeros or all ones, that is the same
 * everywhere. */
VEC_FN vec vec_set_mask(uint32_t x)
{
    return (uint64_t)(int64_t)(int32_t)x;
}

VEC_FN vec vec_and(vec a, vec b)
{
    return a & b;
}

VEC_FN vec vec_or(vec a, vec b)
{
    return a | b;
}

VEC_FN vec vec_xor(vec a, vec b)
{
    return a ^ b;
}

VEC_FN vec vec_xor3(vec a, vec b, vec c)
{
    return a ^ b ^ c;
}

VEC_FN vec vec_and_not(vec a, vec b)
{
    return a & ~b;
}

#endif
