/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The parts of modes of slow_modes.h.
 */
#include "slow_modes.h"

#include "support.h"

#include <string.h>

void slow_double(unsigned char *block, size_t block_bytes)
{
    unsigned carry = 0;

    for (size_t i = block_bytes; i-- > 0;) {
        const unsigned shifted = 2U * block[i] + carry;

        block[i] = (unsigned char)shifted;
        carry = shifted >> 8;
    }
    if (carry != 0) {
        block[block_bytes - 1] ^= block_bytes == 8 ? 0x1B : 0x87;
    }
}

void slow_cmac(const mf_cipher *cipher, unsigned char *tag, const unsigned char *message,
               size_t n_bytes)
{
    const size_t block_bytes = cipher->block_bytes;
    unsigned char subkey[MF_MAX_BLOCK_BYTES] = {0};
    unsigned char last[MF_MAX_BLOCK_BYTES] = {0};
    size_t at = 0;

    memset(tag, 0, block_bytes);
    while (n_bytes - at > block_bytes) {
        xor_bytes(tag, message + at, block_bytes);
        encrypt_block(cipher, tag, tag);
        at += block_bytes;
    }
    encrypt_block(cipher, subkey, subkey);
    slow_double(subkey, block_bytes);
    if (n_bytes > at) {
        memcpy(last, message + at, n_bytes - at);
    }
    if (n_bytes - at < block_bytes) {
        last[n_bytes - at] = 0x80;
        slow_double(subkey, block_bytes);
    }
    xor_bytes(tag, last, block_bytes);
    xor_bytes(tag, subkey, block_bytes);
    encrypt_block(cipher, tag, tag);
}

static void count_up(unsigned char *counter, size_t n_bytes)
{
    while (n_bytes-- > 0 && ++counter[n_bytes] == 0) {
    }
}

void slow_ctr(const mf_cipher *cipher, const unsigned char *first, unsigned char *out,
              const unsigned char *in, size_t n_bytes)
{
    unsigned char counter[MF_MAX_BLOCK_BYTES], keystream[MF_MAX_BLOCK_BYTES];

    memcpy(counter, first, cipher->block_bytes);
    for (size_t i = 0; i < n_bytes; i++) {
        const size_t in_block = i % cipher->block_bytes;

        if (in_block == 0) {
            encrypt_block(cipher, keystream, counter);
            count_up(counter, cipher->block_bytes);
        }
        out[i] = in[i] ^ keystream[in_block];
    }
}
