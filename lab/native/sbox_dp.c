/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The largest differential probability of S-boxes: 32 at a time, or as many as this CPU can.
 */
#include "sbox_dp_lanes.h"

static const struct lab_dp lab_dp_32 = {of_boxes, of_inner};

static const struct lab_dp *best(void)
{
#ifdef LAB_AVX512
    if (__builtin_cpu_supports("avx512bw")) {
        return &lab_dp_64;
    }
#endif
    return &lab_dp_32;
}

void lab_sbox_dp(uint16_t *dp, const uint8_t *boxes, size_t n)
{
    best()->of_boxes(dp, boxes, n);
}

void lab_sbox_dp_of(uint64_t counts[257], const uint8_t *inner, size_t n, const uint8_t *outer)
{
    best()->of_inner(counts, inner, n, outer);
}
