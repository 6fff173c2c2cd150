/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Doubling, as OCB, CMAC and SIV have it: blocks are polynomials over GF(2), the first bit of the
 * first byte being the highest power of x.
 */
#ifndef MF_SRC_MODES_GF_H
#define MF_SRC_MODES_GF_H

#include "../common/bytes.h"

/* Multiplies a block by x modulo x^128 + x^7 + x^2 + x + 1, or for 8 bytes x^64 + x^4 + x^3 + x +
 * 1, without a branch on the secret. out may be in. [RFC7253, 2] [SP800-38B, 5.3] */
MF_INLINE void mf_gf_double(uint8_t *out, const uint8_t *in, size_t block_bytes)
{
    const unsigned reduction = (in[0] >> 7) * (block_bytes == 8 ? 0x1Bu : 0x87u);
    for (size_t i = 0; i + 1 < block_bytes; i++) {
        out[i] = (uint8_t)(in[i] << 1 | in[i + 1] >> 7);
    }
    out[block_bytes - 1] = (uint8_t)((unsigned)in[block_bytes - 1] << 1 ^ reduction);
}

#endif
