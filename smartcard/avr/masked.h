/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Masked Twofish for programs in C on an AVR, for devices that an attacker can hold and measure. It
 * protects to the first order: ../masked.md says what that means, and what it does not cover.
 *
 * Keys and texts come in two shares: share 0 with all its bytes, then share 1. Each is random by
 * itself, and their xor is the key or the text. Make them as far from the attacker as you can, with
 * new random bytes each time. You supply mf_avr_random.
 *
 * Compile program.S, with KEPT masked.S, and c_masked.S. There is one key, in static memory: these
 * functions must not be interrupted by one another. They take the same time whatever key and text
 * are, as long as mf_avr_random does. 30 bytes of stack are enough, their own return address
 * included, and what mf_avr_random takes. Registers and memory hold masked values afterwards.
 */
#ifndef MANYFISH_SMARTCARD_AVR_MASKED_H
#define MANYFISH_SMARTCARD_AVR_MASKED_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { MF_AVR_SHARES_BYTES = 32 };

/*
 * Yours: a byte that is uniform, independent of all others and unknown to the attacker. Each
 * function below calls it 26 times. The masks are worth no more than these bytes.
 */
uint8_t mf_avr_random(void);

/*
 * Takes both shares of a key of 16, 24 or 32 bytes, as many as the program was built for, and
 * prepares S and subkeys of it [Twofish98, 4.3]. The program keeps a copy of the shares, and does
 * not need it.
 */
void mf_avr_masked_set_key(const uint8_t *shares);

/* Replaces both shares of a text by those of its encryption under the key that was set last. */
void mf_avr_masked_encrypt(uint8_t shares[MF_AVR_SHARES_BYTES]);

/* The inverse; only in programs that were built with decrypt = 1. */
void mf_avr_masked_decrypt(uint8_t shares[MF_AVR_SHARES_BYTES]);

#ifdef __cplusplus
}
#endif

#endif
