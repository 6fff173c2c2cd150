/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * GHASH bit by bit, as [SP800-38D, 6.3, 6.4] has it.
 */
#ifndef MF_TEST_SLOW_GHASH_H
#define MF_TEST_SLOW_GHASH_H

#include <string.h>

#include "support.h"

enum { SLOW_GHASH_BLOCK = 16 };

/* z = x * y. Bit 0 of a block is the highest of its first byte; R is E1 and zeros. */
static inline void slow_multiply(unsigned char *z, const unsigned char *x, const unsigned char *y)
{
    unsigned char product[SLOW_GHASH_BLOCK] = {0};
    unsigned char v[SLOW_GHASH_BLOCK];

    memcpy(v, y, SLOW_GHASH_BLOCK);
    for (size_t i = 0; i < 8 * (size_t)SLOW_GHASH_BLOCK; i++) {
        const unsigned last_bit = v[SLOW_GHASH_BLOCK - 1] & 1;

        if ((x[i / 8] >> (7 - i % 8) & 1) != 0) {
            xor_bytes(product, v, SLOW_GHASH_BLOCK);
        }
        for (size_t j = SLOW_GHASH_BLOCK - 1; j > 0; j--) {
            v[j] = (unsigned char)(v[j] >> 1 | v[j - 1] << 7);
        }
        v[0] = (unsigned char)(v[0] >> 1 ^ (last_bit != 0 ? 0xE1 : 0));
    }
    memcpy(z, product, SLOW_GHASH_BLOCK);
}

/* Y becomes GHASH of what it was and the blocks. */
static inline void slow_ghash(unsigned char *y, const unsigned char *h, const unsigned char *blocks,
                              size_t n_blocks)
{
    for (size_t i = 0; i < n_blocks; i++) {
        xor_bytes(y, blocks + i * SLOW_GHASH_BLOCK, SLOW_GHASH_BLOCK);
        slow_multiply(y, y, h);
    }
}

#endif
