/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Subkeys and permutations without the tricks.
 */
#include "ladder.h"

void mf_des_ladder_set_in_order(void *expanded_key, const uint8_t *key, unsigned n_keys)
{
    mf_des_subkeys *k = expanded_key;

    mf_des_set_subkeys(expanded_key, key, n_keys);
    for (size_t i = 0; i < n_keys * (size_t)MF_DES_ROUNDS; i++) {
        const uint32_t even = k->K[i][0] >> 2 & 0x3F3F3F3F; /* of S2, S4, S6, S8 */
        const uint32_t odd = k->K[i][1] >> 2 & 0x3F3F3F3F;
        k->K[i][0] =
            (odd & 0xFF000000) | (even >> 8 & 0xFF0000) | (odd >> 8 & 0xFF00) | (even >> 16 & 0xFF);
        k->K[i][1] =
            (odd << 16 & 0xFF000000) | (even << 8 & 0xFF0000) | (odd << 8 & 0xFF00) | (even & 0xFF);
    }
}

/* Bit i of the result, from the highest one down, is bit ip[i] - 1 of the block. [FIPS46-3] */
static const uint8_t ip[64] = {58, 50, 42, 34, 26, 18, 10, 2, 60, 52, 44, 36, 28, 20, 12, 4,
                               62, 54, 46, 38, 30, 22, 14, 6, 64, 56, 48, 40, 32, 24, 16, 8,
                               57, 49, 41, 33, 25, 17, 9,  1, 59, 51, 43, 35, 27, 19, 11, 3,
                               61, 53, 45, 37, 29, 21, 13, 5, 63, 55, 47, 39, 31, 23, 15, 7};

void mf_des_ladder_ip(uint32_t *l, uint32_t *r)
{
    const uint64_t block = (uint64_t)*l << 32 | *r;
    uint64_t permuted = 0;

    for (unsigned i = 0; i < 64; i++) {
        permuted |= (block >> (64 - ip[i]) & 1) << (63 - i);
    }
    *l = mf_rotl32((uint32_t)(permuted >> 32), MF_DES_ROTATION);
    *r = mf_rotl32((uint32_t)permuted, MF_DES_ROTATION);
}

void mf_des_ladder_inverse_ip(uint32_t *l, uint32_t *r)
{
    const uint64_t permuted =
        (uint64_t)mf_rotr32(*l, MF_DES_ROTATION) << 32 | mf_rotr32(*r, MF_DES_ROTATION);
    uint64_t block = 0;

    for (unsigned i = 0; i < 64; i++) {
        block |= (permuted >> (63 - i) & 1) << (64 - ip[i]);
    }
    *l = (uint32_t)(block >> 32);
    *r = (uint32_t)block;
}
