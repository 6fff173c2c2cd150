/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A program that encrypts a block and gets it back: the smallest use of twofish.h. */
#include "twofish.h"

uint8_t ciphertext[MF_AVR_BLOCK_BYTES];
uint8_t plaintext[MF_AVR_BLOCK_BYTES];

int main(void)
{
    uint8_t key[KEY_BYTES];
    for (uint8_t i = 0; i < sizeof key; i++) {
        key[i] = i;
    }
    for (uint8_t i = 0; i < MF_AVR_BLOCK_BYTES; i++) {
        ciphertext[i] = (uint8_t)(0xF0 + i);
    }
    mf_avr_set_key(key);
    mf_avr_encrypt(ciphertext);
    for (uint8_t i = 0; i < MF_AVR_BLOCK_BYTES; i++) {
        plaintext[i] = ciphertext[i];
    }
    mf_avr_decrypt(plaintext);
    return 0;
}
