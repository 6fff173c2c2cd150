/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The key schedule [Twofish98, 4.3]: S by the Reed-Solomon code, K by h.
 */
#include "schedule.h"

#include <manyfish/common.h>

#include "h.h"

/* One step of polynomial division: r(x) * x mod g(x) over GF(2^8) modulo x^8+x^6+x^3+x^2+1, where
 * g(x) = x^4 + (a + 1/a) x^3 + a x^2 + (a + 1/a) x + 1 generates the RS code. Without tables or
 * branches, so this part does not leak the key. */
static uint32_t rs_step(uint32_t r)
{
    const uint32_t top = r >> 24;
    const uint32_t a_top = (top << 1 ^ (top >> 7) * 0x14D) & 0xFF;
    const uint32_t top_over_a = top >> 1 ^ (top & 1) * (0x14D >> 1);
    const uint32_t sum = a_top ^ top_over_a;
    return r << 8 ^ sum << 24 ^ a_top << 16 ^ sum << 8 ^ top;
}

/* The product of the RS matrix with 8 key bytes is their remainder modulo g(x), highest byte
 * first. [Twofish98, 4.3] */
static uint32_t rs(const uint8_t m[8])
{
    uint32_t r = mf_load32_le(m + 4);
    for (int i = 0; i < 4; i++) {
        r = rs_step(r);
    }
    r ^= mf_load32_le(m);
    for (int i = 0; i < 4; i++) {
        r = rs_step(r);
    }
    return r;
}

MF_INLINE void subkeys(uint32_t *K, unsigned k, const uint32_t *M_e, const uint32_t *M_o)
{
    const uint32_t rho = 0x01010101;
    for (uint32_t i = 0; i < MF_TWOFISH_SUBKEYS / 2; i++, K += 2) {
        const uint32_t A = mf_twofish_h(k, M_e, 2 * i * rho, 0);
        const uint32_t B = mf_rotl32(mf_twofish_h(k, M_o, (2 * i + 1) * rho, 0), 8);
        K[0] = A + B;
        K[1] = mf_rotl32(A + 2 * B, 9);
    }
}

void mf_twofish_schedule(uint32_t K[MF_TWOFISH_SUBKEYS], uint32_t S[MF_TWOFISH_MAX_K],
                         const uint8_t *key, unsigned k)
{
    uint32_t M_e[MF_TWOFISH_MAX_K] = {0};
    uint32_t M_o[MF_TWOFISH_MAX_K] = {0};

    for (unsigned i = 0; i < MF_TWOFISH_MAX_K; i++) {
        S[i] = 0;
    }
    for (size_t i = 0; i < k; i++) {
        M_e[i] = mf_load32_le(key + 8 * i);
        M_o[i] = mf_load32_le(key + 8 * i + 4);
        S[k - 1 - i] = rs(key + 8 * i);
    }
    /* A constant k in each call lets the compiler drop the unused layers of h. */
    switch (k) {
    case 2:
        subkeys(K, 2, M_e, M_o);
        break;
    case 3:
        subkeys(K, 3, M_e, M_o);
        break;
    default:
        subkeys(K, 4, M_e, M_o);
        break;
    }
    mf_wipe(M_e, sizeof M_e);
    mf_wipe(M_o, sizeof M_o);
}
