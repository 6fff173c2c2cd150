/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Fixed points and cycles of S-boxes [Twofish98, 7.2.3].
 */
#include "lab.h"

/* The length of the cycle of first. Takes its members out of the set of those that were not met. */
static unsigned walk(const uint8_t *s, uint64_t *rest, unsigned first)
{
    unsigned length = 0, x = first;
    do {
        rest[x / 64] &= ~((uint64_t)1 << x % 64);
        x = s[x];
        length++;
    } while (x != first && length < 256);
    return length;
}

static void count(uint16_t figures[3], uint64_t lengths[257], const uint8_t *s)
{
    uint64_t rest[4] = {~UINT64_C(0), ~UINT64_C(0), ~UINT64_C(0), ~UINT64_C(0)};
    unsigned fixed = 0, cycles = 0, longest = 0;
    for (unsigned word = 0; word < 4; word++) {
        while (rest[word]) {
            unsigned first = 64 * word + (unsigned)__builtin_ctzll(rest[word]);
            unsigned length = walk(s, rest, first);
            lengths[length]++;
            fixed += length == 1;
            cycles++;
            longest = length > longest ? length : longest;
        }
    }
    figures[0] = (uint16_t)fixed;
    figures[1] = (uint16_t)cycles;
    figures[2] = (uint16_t)longest;
}

void lab_sbox_cycles(uint16_t *figures, uint64_t lengths[257], const uint8_t *boxes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        count(figures + 3 * i, lengths, boxes + 256 * i);
    }
}
