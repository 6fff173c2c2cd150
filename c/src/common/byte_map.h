/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A map of bytes that is linear over GF(2), in the two forms in which vector units apply it.
 */
#ifndef MF_SRC_COMMON_BYTE_MAP_H
#define MF_SRC_COMMON_BYTE_MAP_H

#include <stdint.h>

typedef struct mf_byte_map {
    uint64_t matrix;  /* as GF2P8AFFINEQB takes it: byte 7 - i has the input bits of output bit i */
    uint8_t low[16];  /* the image of each low nibble, */
    uint8_t high[16]; /* and of each high one: the map is the XOR of both */
} mf_byte_map;

#endif
