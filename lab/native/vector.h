/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Vectors by the extensions of GCC and clang, and the one macro by which a kernel is compiled
 * twice: for AVX2 and for any CPU of its kind; the loader of programs chooses. Clang 14
 * exports such a function under another name, so it is static, with a name of its own in the
 * library, and an exported function calls it.
 *
 * Helpers take vectors by address: passed by value their place would depend on the instruction set.
 * A loop over the elements of a vector is one instruction (minimum, maximum, magnitude) where the
 * CPU has it, since C has no operator for it.
 */
#ifndef LAB_VECTOR_H
#define LAB_VECTOR_H

#include <stddef.h>
#include <stdint.h>

/* LAB_PLAIN: one version, and small, for the test that compares versions and for sanitizers, which
 * make much of code that is unrolled. glibc's loader can choose; that of other C libraries for
 * Linux cannot, though the compiler can. */
#if !defined(LAB_PLAIN) && defined(__has_attribute) && defined(__x86_64__) && defined(__GLIBC__)
#if __has_attribute(target_clones)
#define LAB_CLONES __attribute__((target_clones("avx2", "default")))
#endif
#endif
#ifndef LAB_CLONES
#define LAB_CLONES
#endif

/* LAB_AVX512: of a function for CPUs with AVX-512 BW alone; its caller asks for it. */
#if !defined(LAB_PLAIN) && defined(__x86_64__)
#define LAB_AVX512 __attribute__((target("avx512bw")))
#endif

/* LAB_INLINE: of kernels, which must become a part of each clone of their caller.
 * LAB_UNROLL(n): before a loop of n turns whose vectors are to stay in registers. */
#ifdef LAB_PLAIN
#define LAB_INLINE static inline
#define LAB_UNROLL(n)
#else
#define LAB_INLINE static inline __attribute__((always_inline))
#define LAB_UNROLL(n) LAB_PRAGMA(GCC unroll n)
#define LAB_PRAGMA(text) _Pragma(#text)
#endif

/* Bytes of a vector. A file can choose another number before it includes this. */
#ifndef LAB_LANES
#define LAB_LANES 32
#endif

typedef uint8_t lab_bytes __attribute__((vector_size(LAB_LANES)));
typedef uint16_t lab_halves __attribute__((vector_size(LAB_LANES)));
typedef uint32_t lab_words __attribute__((vector_size(LAB_LANES)));
typedef uint64_t lab_doubles __attribute__((vector_size(LAB_LANES)));

/* out = op(a, b) in each lane: by clang's name of the operation, or by a comparison of lanes x and
 * y that GCC makes the same instruction of. */
#if defined(__clang__)
#define LAB_EACH(out, a, b, op, compare) (*(out) = __builtin_elementwise_##op(a, b))
#else
union lab_lanes {
    lab_bytes v;
    uint8_t lane[LAB_LANES];
};
#define LAB_EACH(out, a, b, op, compare)                                                           \
    do {                                                                                           \
        union lab_lanes of_a = {.v = (a)}, of_b = {.v = (b)}, chosen;                              \
        for (unsigned i = 0; i < LAB_LANES; i++) {                                                 \
            uint8_t x = of_a.lane[i], y = of_b.lane[i];                                            \
            chosen.lane[i] = x compare y ? x : y;                                                  \
        }                                                                                          \
        *(out) = chosen.v;                                                                         \
    } while (0)
#endif

/* Puts the smaller of each lane into low and the larger into high. */
LAB_INLINE void lab_order(lab_bytes *low, lab_bytes *high)
{
    lab_bytes a = *low, b = *high;
    LAB_EACH(low, a, b, min, <);
    LAB_EACH(high, a, b, max, >);
}

/* Lowers each lane of least to that of v. */
LAB_INLINE void lab_lower(lab_bytes *least, const lab_bytes *v)
{
    LAB_EACH(least, *least, *v, min, <);
}

/* Raises each lane of most to that of v. */
LAB_INLINE void lab_raise(lab_bytes *most, const lab_bytes *v)
{
    LAB_EACH(most, *most, *v, max, >);
}

/* The magnitude of each lane as a signed number; that of -128 is 128. */
LAB_INLINE void lab_magnitude(lab_bytes *v)
{
    LAB_EACH(v, *v, -*v, min, <);
}

/* Lane l of by_lane[x] gets outer(x ^ l), 256 bytes: for a key that is a multiple of
 * LAB_LANES, by_lane[x ^ key] has outer(x ^ key), outer(x ^ (key + 1)), .. */
LAB_INLINE void lab_outer_by_lane(lab_bytes by_lane[256], const uint8_t *outer)
{
    for (unsigned x = 0; x < 256; x++) {
        for (unsigned lane = 0; lane < LAB_LANES; lane++) {
            by_lane[x][lane] = outer[x ^ lane];
        }
    }
}

/* Nonzero if any bit is set. */
LAB_INLINE uint64_t lab_any(const lab_bytes *v)
{
    lab_doubles a = (lab_doubles)*v;
    uint64_t any = 0;
    for (size_t i = 0; i < LAB_LANES / sizeof any; i++) {
        any |= a[i];
    }
    return any;
}

#endif
