/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * karn-turns with shifted subkeys: each byte of half XOR subkey is the offset of a word, without a
 * shift.
 */
#include "ladder.h"

MF_INLINE uint32_t f(uint32_t l, uint32_t r, const void *round_key, const void *tables)
{
    return mf_des_ladder_f(l, r, round_key, tables);
}

MF_DES_LADDER_KERNEL(mf_des_karn_offsets, "karn-offsets", "as karn-turns, and subkeys are offsets",
                     mf_des_ladder_ip, mf_des_ladder_inverse_ip, mf_des_set_subkeys);
