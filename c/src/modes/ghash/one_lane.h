/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * For clmul.h: the wide vector of a machine that has none, which is one lane.
 */
#ifndef MF_SRC_MODES_GHASH_ONE_LANE_H
#define MF_SRC_MODES_GHASH_ONE_LANE_H

enum { GHASH_LANES = 1 };

typedef lane wide;

#define wide_load lane_load
#define wide_from_words lane_from_words
#define wide_xor lane_xor
#define wide_low lane_low
#define wide_high lane_high
#define wide_swap lane_swap

GHASH_FN wide wide_first(lane a)
{
    return a;
}

GHASH_FN lane wide_fold(wide a)
{
    return a;
}

#endif
