/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The key schedule [FIPS46-3, appendix 1], by tables for seven bits of C or D at a time.
 */
#include "schedule.h"

#include "pc_1.h"
#include "tables/tables.h"

/* PC-2 of one half, rotated left by so much. The half stands in twice, one after the other. */
MF_INLINE uint32_t pc_2(const uint32_t table[4][128], uint64_t twice, unsigned rotation)
{
    const uint32_t half = (uint32_t)(twice >> (MF_DES_HALF_BITS - rotation));
    return table[0][half >> 21 & 127] ^ table[1][half >> 14 & 127] ^ table[2][half >> 7 & 127] ^
           table[3][half & 127];
}

/* Each subkey is `step` behind the one before. */
MF_INLINE void schedule(mf_des_subkey *K, const uint8_t *key, ptrdiff_t step)
{
    uint64_t C;
    uint64_t D;

    mf_des_pc_1(&C, &D, key);
    C |= C << MF_DES_HALF_BITS;
    D |= D << MF_DES_HALF_BITS;
    for (unsigned n = 0; n < MF_DES_ROUNDS; n++, K += step) {
        const uint32_t c = pc_2(mf_des_pc_2[0], C, mf_des_shifts[n]);
        const uint32_t d = pc_2(mf_des_pc_2[1], D, mf_des_shifts[n]);
        (*K)[0] = (c & 0xFFFF0000) | d >> 16;
        (*K)[1] = c << 16 | (d & 0xFFFF);
    }
}

void mf_des_schedule(mf_des_subkey K[MF_DES_ROUNDS], const uint8_t *key)
{
    schedule(K, key, 1);
}

void mf_des_schedules(mf_des_subkey *K, const uint8_t *key, unsigned n_keys)
{
    schedule(K, key, 1);
    if (n_keys == 3) {
        schedule(K + 2 * (ptrdiff_t)MF_DES_ROUNDS - 1, key + 8, -1);
        schedule(K + 2 * (ptrdiff_t)MF_DES_ROUNDS, key + 16, 1);
    }
}

void mf_des_set_subkeys(void *expanded_key, const uint8_t *key, unsigned n_keys)
{
    mf_des_subkeys *k = expanded_key;

    k->n_keys = n_keys;
    mf_des_schedules(k->K, key, n_keys);
}
