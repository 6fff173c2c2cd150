/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The key schedule [Twofish98, 4.3]: S by the Reed-Solomon code, K by h.
 */
#include "schedule.h"

#include <manyfish/common.h>

#include "h_function.h"

MF_INLINE void subkeys(uint32_t *K, size_t n, unsigned k, const uint32_t *M_e, const uint32_t *M_o)
{
    const uint32_t rho = 0x01010101;
    for (uint32_t i = 0; i < n / 2; i++, K += 2) {
        const uint32_t A = mf_twofish_h(k, M_e, 2 * i * rho, 0);
        const uint32_t B = mf_rotl32(mf_twofish_h(k, M_o, (2 * i + 1) * rho, 0), 8);
        K[0] = A + B;
        K[1] = mf_rotl32(A + 2 * B, 9);
    }
}

void mf_twofish_subkeys(uint32_t *K, size_t n, const uint8_t *key, unsigned k)
{
    uint32_t M_e[MF_TWOFISH_MAX_K] = {0};
    uint32_t M_o[MF_TWOFISH_MAX_K] = {0};

    for (size_t i = 0; i < k; i++) {
        M_e[i] = mf_load32_le(key + 8 * i);
        M_o[i] = mf_load32_le(key + 8 * i + 4);
    }
    /* A constant k in each call lets the compiler drop the unused layers of h. */
    switch (k) {
    case 2:
        subkeys(K, n, 2, M_e, M_o);
        break;
    case 3:
        subkeys(K, n, 3, M_e, M_o);
        break;
    default:
        subkeys(K, n, 4, M_e, M_o);
        break;
    }
    mf_wipe(M_e, sizeof M_e);
    mf_wipe(M_o, sizeof M_o);
}

void mf_twofish_schedule(uint32_t K[MF_TWOFISH_SUBKEYS], uint32_t S[MF_TWOFISH_MAX_K],
                         const uint8_t *key, unsigned k)
{
    mf_twofish_s_words(S, key, k);
    mf_twofish_subkeys(K, MF_TWOFISH_SUBKEYS, key, k);
}
