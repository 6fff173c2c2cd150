/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* An AVR of libsimavr, and the memory, call or return of its next instruction. */
#ifndef MANYFISH_SMARTCARD_AVR_ACCESS_H
#define MANYFISH_SMARTCARD_AVR_ACCESS_H

#include <stdint.h>

#include <simavr/sim_avr.h>
#include <simavr/sim_core.h>

enum {
    FLASH_BYTES = 0x8000,     /* of an ATmega328P */
    RANDOM_PORT = 0x2B + 0x20 /* what random_port.S reads, by its address in data space */
};

/* An ATmega328P, or NULL if libsimavr has none. */
avr_t *avr_open(void);

/* The parts of an instruction that have to be watched. */
struct access {
    enum { NOTHING, MEMORY, FLASH, CALL, RETURN } kind;
    uint32_t address; /* or the routine that is called */
};

struct access next_access(const avr_t *avr);

/* A pair of registers, or the stack pointer, by the address of its lower byte. */
uint32_t avr_pointer(const avr_t *avr, unsigned low);

#endif
