/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Random bytes for simulators, the same ones for the same state [Marsaglia03]. */
#ifndef MANYFISH_SMARTCARD_SIM_XORSHIFT_H
#define MANYFISH_SMARTCARD_SIM_XORSHIFT_H

#include <stdint.h>

/* `state` is not 0. */
static inline uint8_t xorshift_byte(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint8_t)(*state >> 32);
}

#endif
