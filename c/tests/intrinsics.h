/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Each intrinsic of the vector types, as a function on bytes. intrinsics.c is compiled twice: over
 * the compiler's header, and over emulated/immintrin.h.
 */
#ifndef MF_TEST_INTRINSICS_H
#define MF_TEST_INTRINSICS_H

#include <stdint.h>

enum { INTRINSIC_BYTES = 64 };

/* A shorter result leaves the rest of `out` as it is. */
typedef void intrinsic_function(uint8_t out[INTRINSIC_BYTES], const uint8_t a[INTRINSIC_BYTES],
                                const uint8_t b[INTRINSIC_BYTES], const uint8_t c[INTRINSIC_BYTES]);

typedef struct intrinsic {
    const char *name;
    uint32_t cpu_features; /* of MF_CPU_... */
    intrinsic_function *run;
} intrinsic;

/* In the same order; both end with a row without a name. On other processors the first has no
 * more. */
extern const intrinsic real_intrinsics[];
extern const intrinsic emulated_intrinsics[];

#endif
