/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Flaws of DES keys, and their parity bits. Only the answer of mf_des_check_key branches on a key.
 */
#include <manyfish/des.h>

#include "../common/block.h"
#include "../common/declassify.h"
#include "pc_1.h"

static const uint64_t key_bits = 0xFEFEFEFEFEFEFEFE; /* the others are for parity */

/* 1 if x is 0, else 0. */
static unsigned is_zero(uint64_t x)
{
    return 1 - (unsigned)((x | (0 - x)) >> 63);
}

/* The bits of C or D, here `half`, that a rotation by `bits` changes: 0 if strings of that length
 * repeat. */
static uint64_t turned(uint64_t half, unsigned bits)
{
    return (half << bits ^ half << bits >> MF_DES_HALF_BITS ^ half) & MF_DES_HALF_MASK;
}

/* C and D of the weak keys repeat one bit, of the semi-weak ones two bits, of the possibly weak
 * ones four, of which an even number are ones [SP800-67, 3.3.2]. */
static unsigned weakness(const uint8_t *key)
{
    uint64_t C;
    uint64_t D;

    mf_des_pc_1(&C, &D, key);
    const unsigned one = is_zero(turned(C, 1) | turned(D, 1));
    const unsigned two = is_zero(turned(C, 2) | turned(D, 2));
    const uint64_t odd = ((C ^ C >> 1 ^ C >> 2 ^ C >> 3) | (D ^ D >> 1 ^ D >> 2 ^ D >> 3)) & 1;
    const unsigned four = is_zero(turned(C, 4) | turned(D, 4) | odd);
    return one * MF_DES_WEAK | (two & ~one) * MF_DES_SEMI_WEAK |
           (four & ~two) * MF_DES_POSSIBLY_WEAK;
}

/* Each byte of x with an odd number of ones in its last bit. */
static uint64_t parities(uint64_t x)
{
    x ^= x >> 4;
    x ^= x >> 2;
    x ^= x >> 1;
    return x & 0x0101010101010101;
}

static unsigned part_flaws(const uint8_t *key)
{
    const unsigned odd = is_zero(parities(mf_load64_le(key)) ^ 0x0101010101010101);
    return weakness(key) | (1 - odd) * MF_DES_PARITY;
}

static unsigned equal_parts(const uint8_t *a, const uint8_t *b)
{
    return is_zero((mf_load64_le(a) ^ mf_load64_le(b)) & key_bits);
}

static unsigned flaws_of(const uint8_t *key, size_t key_bytes)
{
    unsigned flaws = 0;

    for (size_t i = 0; i < key_bytes; i += 8) {
        flaws |= part_flaws(key + i);
    }
    for (size_t i = 8; i < key_bytes; i += 8) {
        flaws |= equal_parts(key + i - 8, key + i) * MF_DES_DEGENERATE;
    }
    if (key_bytes == MF_DES_MAX_KEY_BYTES) {
        flaws |= equal_parts(key, key + 16) * MF_DES_TWO_KEYS;
    }
    return flaws;
}

mf_status mf_des_key_flaws(unsigned *flaws, const void *key, size_t key_bytes)
{
    if (key_bytes != 8 && key_bytes != 16 && key_bytes != 24) {
        return MF_ERROR_KEY_LENGTH;
    }
    if (flaws == NULL || key == NULL) {
        return MF_ERROR_NULL;
    }
    *flaws = flaws_of(key, key_bytes);
    return MF_OK;
}

mf_status mf_des_check_key(const void *key, size_t key_bytes, unsigned refused)
{
    unsigned flaws = 0;
    const mf_status status = mf_des_key_flaws(&flaws, key, key_bytes);

    if (status != MF_OK) {
        return status;
    }
    flaws &= refused;
    if (mf_public((flaws & ~(unsigned)MF_DES_PARITY) != 0)) {
        return MF_ERROR_WEAK_KEY;
    }
    return mf_public(flaws != 0) ? MF_ERROR_PARITY : MF_OK;
}

mf_status mf_des_set_parity(void *out, const void *key, size_t key_bytes)
{
    const uint8_t *from = key;
    uint8_t *to = out;

    if (key_bytes > 0 && (out == NULL || key == NULL)) {
        return MF_ERROR_NULL;
    }
    if (mf_overlap_partly(out, key, key_bytes)) {
        return MF_ERROR_OVERLAP;
    }
    for (size_t i = 0; i < key_bytes; i++) {
        to[i] = (uint8_t)(from[i] ^ parities(from[i]) ^ 1);
    }
    return MF_OK;
}
