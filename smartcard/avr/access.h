/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The memory, call or return of the next instruction of an AVR, which libsimavr does not tell. */
#ifndef MANYFISH_SMARTCARD_AVR_ACCESS_H
#define MANYFISH_SMARTCARD_AVR_ACCESS_H

#include <stdint.h>

#include <simavr/sim_avr.h>
#include <simavr/sim_core.h>

enum { FLASH_BYTES = 0x8000 }; /* of an ATmega328P */

/* The parts of an instruction that have to be watched. */
struct access {
    enum { NOTHING, MEMORY, FLASH, CALL, RETURN } kind;
    uint32_t address; /* or the routine that is called */
};

struct access next_access(const avr_t *avr);

/* A pair of registers, or the stack pointer, by the address of its lower byte. */
uint32_t avr_pointer(const avr_t *avr, unsigned low);

#endif
