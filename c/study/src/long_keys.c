/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Longer keys: the paper's h with a list of any length [Twofish98, 4.3.2], in a loop.
 */
#include "long_keys.h"

#include <manyfish/common.h>

#include "twofish/h_function.h"
#include "twofish/schedule.h"

/* Layers k-1 to 0 at byte position j; as mf_twofish_layers, which takes k up to 4. */
static uint32_t layers(unsigned k, unsigned j, const uint32_t *L, uint32_t y)
{
    for (unsigned i = k; i-- > 0;) {
        y = mf_twofish_q[mf_twofish_q_order[1 + i % 4][j]][y] ^ mf_byte(L[i], j);
    }
    return y;
}

/* h of a word whose four bytes are x. */
static uint32_t h(unsigned k, const uint32_t *L, uint32_t x)
{
    return mf_twofish_mds_multiply(layers(k, 0, L, x), layers(k, 1, L, x), layers(k, 2, L, x),
                                   layers(k, 3, L, x));
}

static void subkeys(uint32_t *K, size_t n, const uint8_t *key, unsigned k)
{
    uint32_t M_e[MF_LONG_MAX_K];
    uint32_t M_o[MF_LONG_MAX_K];

    for (size_t i = 0; i < k; i++) {
        M_e[i] = mf_load32_le(key + 8 * i);
        M_o[i] = mf_load32_le(key + 8 * i + 4);
    }
    for (uint32_t i = 0; i < n; i += 2) {
        const uint32_t A = h(k, M_e, i);
        const uint32_t B = mf_rotl32(h(k, M_o, i + 1), 8);
        K[i] = A + B;
        K[i + 1] = mf_rotl32(A + 2 * B, 9);
    }
    mf_wipe(M_e, sizeof M_e);
    mf_wipe(M_o, sizeof M_o);
}

static void boxes(uint32_t box[4][256], const uint8_t *key, unsigned k)
{
    uint32_t S[MF_LONG_MAX_K];

    for (size_t i = 0; i < k; i++) {
        S[k - 1 - i] = mf_twofish_rs(key + 8 * i);
    }
    for (unsigned j = 0; j < 4; j++) {
        for (unsigned x = 0; x < 256; x++) {
            box[j][x] = mf_twofish_mds_column(j, layers(k, j, S, x));
        }
    }
    mf_wipe(S, sizeof S);
}

void mf_twofish_long_schedule(uint32_t *K, size_t n, uint32_t box[4][256], const uint8_t *key,
                              unsigned k)
{
    subkeys(K, n, key, k);
    boxes(box, key, k);
}
