/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The contract of the kernels for DPmax of S-boxes: as lab_sbox_dp and lab_sbox_dp_of of lab.h.
 */
#ifndef LAB_SBOX_DP_H
#define LAB_SBOX_DP_H

#include <stddef.h>
#include <stdint.h>

struct lab_dp {
    void (*of_boxes)(uint16_t *dp, const uint8_t *boxes, size_t n);
    void (*of_inner)(uint64_t counts[257], const uint8_t *inner, size_t n, const uint8_t *outer);
};

/* Of 64 lanes. Only CPUs with AVX-512 BW can run it; others and LAB_PLAIN do not have it. */
extern const struct lab_dp lab_dp_64;

#endif
