/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A byte column of h up to its second key byte, for the kernels that go through all key bytes.
 */
#ifndef LAB_COLUMN_H
#define LAB_COLUMN_H

#include <stddef.h>
#include <stdint.h>

/* The byte that the key byte l_1 is added to, for the input x [Twofish98, 4.3.2].
 *   t      k tables of 256 bytes, t_1 to t_k
 *   upper  l_2 + 2^8 l_3, as far as k has them */
static inline uint8_t column_inside(const uint8_t *t, unsigned k, uint8_t x, size_t upper)
{
    uint8_t y = t[256 * (k - 1) + x];
    for (unsigned level = k - 1; level > 1; level--) {
        y = t[256 * (level - 1) + (y ^ (uint8_t)(upper >> 8 * (level - 2)))];
    }
    return y;
}

#endif
