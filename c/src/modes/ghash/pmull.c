/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * GHASH by PMULL of AArch64, 8 blocks a reduction.
 */
#include "../../common/bytes.h"
#include "../../common/cpu.h"
#include "ghash.h"

#if defined(__AARCH64EL__)

#include <arm_neon.h>

#ifdef __clang__
#define GHASH_TARGET __attribute__((target("aes")))
#else
#define GHASH_TARGET __attribute__((target("+crypto")))
#endif
#define GHASH_FN MF_INLINE GHASH_TARGET

enum { GHASH_GROUP = 8 };

typedef uint64x2_t lane;

GHASH_FN lane lane_from_words(const uint64_t *words)
{
    return vld1q_u64(words);
}

GHASH_FN void lane_to_words(uint64_t *words, lane a)
{
    vst1q_u64(words, a);
}

GHASH_FN lane lane_swap(lane a)
{
    return vextq_u64(a, a, 1);
}

GHASH_FN lane lane_load(const uint8_t *bytes)
{
    return lane_swap(vreinterpretq_u64_u8(vrev64q_u8(vld1q_u8(bytes))));
}

GHASH_FN void lane_store(uint8_t *bytes, lane a)
{
    vst1q_u8(bytes, vrev64q_u8(vreinterpretq_u8_u64(lane_swap(a))));
}

GHASH_FN lane lane_xor(lane a, lane b)
{
    return veorq_u64(a, b);
}

GHASH_FN lane lane_low(lane a, lane b)
{
    return vreinterpretq_u64_p128(
        vmull_p64((poly64_t)vgetq_lane_u64(a, 0), (poly64_t)vgetq_lane_u64(b, 0)));
}

GHASH_FN lane lane_high(lane a, lane b)
{
    return vreinterpretq_u64_p128(
        vmull_high_p64(vreinterpretq_p64_u64(a), vreinterpretq_p64_u64(b)));
}

GHASH_FN lane lane_up(lane a)
{
    return vextq_u64(vdupq_n_u64(0), a, 1);
}

GHASH_FN lane lane_down(lane a)
{
    return vextq_u64(a, vdupq_n_u64(0), 1);
}

#include "one_lane.h"

#include "clmul.h"

const mf_ghash mf_ghash_pmull = {"pmull", MF_CPU_NEON | MF_CPU_PMULL, ghash_set_key, ghash_absorb};

#endif
