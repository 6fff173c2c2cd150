/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * karn-offsets with IP and its inverse by R. Outerbridge (des/permutations.h).
 */
#include "ladder.h"

MF_INLINE uint32_t f(uint32_t l, uint32_t r, const void *round_key, const void *tables)
{
    return mf_des_ladder_f(l, r, round_key, tables);
}

MF_DES_LADDER_KERNEL(mf_des_karn_ip, "karn-ip", "as karn-offsets, and IP by swaps", mf_des_ip,
                     mf_des_inverse_ip, mf_des_set_subkeys);
