/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A program that encrypts a block and gets it back: the smallest use of masked.h. */
#include <avr/io.h>

#include "masked.h"

uint8_t ciphertext[MF_AVR_SHARES_BYTES];
uint8_t plaintext[MF_AVR_SHARES_BYTES];

/* The simulator's source of random bytes; on a chip it is yours. */
uint8_t mf_avr_random(void)
{
    return GPIOR2;
}

/* Two shares of bytes that begin with a value and go up. */
static void share(uint8_t *shares, uint8_t count, uint8_t first)
{
    for (uint8_t i = 0; i < count; i++) {
        shares[count + i] = mf_avr_random();
        shares[i] = (uint8_t)(first + i) ^ shares[count + i];
    }
}

int main(void)
{
    uint8_t key[2 * KEY_BYTES];
    share(key, KEY_BYTES, 0);
    share(ciphertext, MF_AVR_SHARES_BYTES / 2, 0xF0);
    mf_avr_masked_set_key(key);
    mf_avr_masked_encrypt(ciphertext);
    for (uint8_t i = 0; i < MF_AVR_SHARES_BYTES; i++) {
        plaintext[i] = ciphertext[i];
    }
    mf_avr_masked_decrypt(plaintext);
    return 0;
}
