/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * GHASH by PCLMULQDQ, 8 blocks a reduction.
 */
#include "../../common/bytes.h"
#include "../../common/cpu.h"
#include "ghash.h"

#if defined(__x86_64__)

#define GHASH_TARGET __attribute__((target("pclmul,ssse3")))
#define GHASH_FN MF_INLINE GHASH_TARGET

enum { GHASH_GROUP = 8 };

#include "x86.h"

#include "one_lane.h"

#include "clmul.h"

const mf_ghash mf_ghash_pclmul = {"pclmul", MF_CPU_PCLMUL | MF_CPU_SSSE3, ghash_set_key,
                                  ghash_absorb};

#endif
