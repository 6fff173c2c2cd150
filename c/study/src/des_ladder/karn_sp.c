/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * karn-plain with one table for each S-box and P behind it; what is looked up is ORed.
 */
#include "ladder.h"

MF_INLINE uint32_t f(uint32_t l, uint32_t r, const void *round_key, const void *tables)
{
    uint32_t t = 0;

    MF_DES_UNROLL
    for (unsigned n = 1; n <= 8; n++) {
        const uint32_t x = mf_des_ladder_six(r, n) ^ mf_des_ladder_subkey(round_key, n);
        t |= mf_opaque(mf_des_word(tables, 4 * (size_t)x, 256 * (size_t)(n - 1)));
    }
    return l ^ t;
}

MF_DES_LADDER_KERNEL(mf_des_karn_sp, "karn-sp", "as karn-plain, and S-boxes joined with P",
                     mf_des_ladder_ip, mf_des_ladder_inverse_ip, mf_des_ladder_set_in_order);
