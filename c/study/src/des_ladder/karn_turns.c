/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * karn-xor with the even S-boxes first and then the odd ones: in a word, the bits of four S-boxes
 * lie in bytes of their own, and a rotation by 4 brings those of the others there.
 */
#include "ladder.h"

/* The low six bits of a byte index a table. */
static void set_key(void *expanded_key, const uint8_t *key, unsigned n_keys)
{
    mf_des_subkeys *k = expanded_key;

    mf_des_set_subkeys(expanded_key, key, n_keys);
    for (size_t i = 0; i < n_keys * (size_t)MF_DES_ROUNDS; i++) {
        k->K[i][0] >>= 2;
        k->K[i][1] >>= 2;
    }
}

MF_INLINE uint32_t sp(const void *tables, size_t n, size_t bytes, unsigned i)
{
    return mf_des_word(tables, 4 * (bytes >> (8 * i) & 63), 256 * (n - 1));
}

MF_INLINE uint32_t f(uint32_t l, uint32_t r, const void *round_key, const void *tables)
{
    const uint32_t *K = round_key;
    const size_t even = mf_opaque(mf_rotr32(r, 2) ^ K[0]);
    const size_t odd = mf_opaque(mf_rotr32(r, 6) ^ K[1]);

    l ^= sp(tables, 8, even, 0);
    l ^= sp(tables, 6, even, 1);
    l ^= sp(tables, 4, even, 2);
    l ^= sp(tables, 2, even, 3);
    l ^= sp(tables, 7, odd, 0);
    l ^= sp(tables, 5, odd, 1);
    l ^= sp(tables, 3, odd, 2);
    l ^= sp(tables, 1, odd, 3);
    return mf_opaque(l);
}

MF_DES_LADDER_KERNEL(mf_des_karn_turns, "karn-turns",
                     "as karn-xor, and even S-boxes, then odd ones", mf_des_ladder_ip,
                     mf_des_ladder_inverse_ip, set_key);
