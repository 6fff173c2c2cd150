/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * Twofish for programs in C on an AVR with 32 registers: one block, one key.
 * One block is no mode of operation: it neither hides that blocks repeat nor tells that they were
 * changed.
 *
 * Compile program.S, which chooses the class (README.md), and c.S with avr-gcc, and link both.
 * There is one key, in static memory: functions of this file must not be interrupted by one
 * another. They take the same time whatever key and text are, keep the registers that avr-gcc
 * expects to be kept, cannot fail, and allocate nothing; 35 bytes of stack are enough, their own
 * return address included. Registers and stack below their own may hold secrets afterwards.
 */
#ifndef MANYFISH_SMARTCARD_AVR_TWOFISH_H
#define MANYFISH_SMARTCARD_AVR_TWOFISH_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { MF_AVR_BLOCK_BYTES = 16 };

/*
 * Takes a key of 16, 24 or 32 bytes, as many as the program was built for, and prepares what the
 * program keeps of it: S [Twofish98, 4.3], and subkeys and S-boxes where it has them. The bytes are
 * copied.
 */
void mf_avr_set_key(const uint8_t *key);

/* Replaces 16 bytes by their encryption under the key that was set last [Twofish98, 4]. */
void mf_avr_encrypt(uint8_t text[MF_AVR_BLOCK_BYTES]);

/* The inverse; only in programs that were built with decrypt = 1. */
void mf_avr_decrypt(uint8_t text[MF_AVR_BLOCK_BYTES]);

#ifdef __cplusplus
}
#endif

#endif
