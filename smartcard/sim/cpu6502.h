/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The NMOS 6502 with its 151 documented opcodes, to the clock [MCS6500].
 *
 * Memory is 64 KB, of which a byte is RAM, or image (ROM), or absent. There are no interrupts. What
 * a real card would do silently is an error here: an undocumented opcode, decimal mode, BRK, RTI, to
 * write to ROM, to read an absent byte, to execute outside of the image, to grow the stack beyond
 * page 1 or to pull from an empty one. Reads that only fill a clock are not made.
 */
#ifndef MANYFISH_SMARTCARD_CPU6502_H
#define MANYFISH_SMARTCARD_CPU6502_H

#include <stdbool.h>
#include <stdint.h>

enum {
    CPU6502_MEMORY = 0x10000,
    CPU6502_STACK = 0x100,        /* page 1 */
    CPU6502_ENTRY_SP = 0xFD,      /* under the return address of a call */
    CPU6502_MAX_CLOCKS = 10000000 /* of one call */
};

/* Flags of the status register P. */
enum {
    CPU6502_C = 0x01,
    CPU6502_Z = 0x02,
    CPU6502_I = 0x04,
    CPU6502_D = 0x08,
    CPU6502_PUSHED = 0x30, /* set in what PHP pushes, not kept in the register */
    CPU6502_V = 0x40,
    CPU6502_N = 0x80
};

enum cpu6502_kind { CPU6502_ABSENT, CPU6502_RAM, CPU6502_ROM };

/* A routine that was called and has not returned. */
struct cpu6502_frame {
    uint16_t routine;
    uint8_t sp; /* at its entry */
    uint64_t start;
};

struct cpu6502 {
    uint8_t a, x, y, p, sp;
    uint16_t pc;
    uint64_t clocks; /* of this call */
    uint8_t lowest_sp;
    uint8_t memory[CPU6502_MEMORY];
    uint8_t kind[CPU6502_MEMORY]; /* enum cpu6502_kind */
    bool touched[CPU6502_MEMORY]; /* RAM that calls have read or written */
    uint64_t calls[CPU6502_MEMORY];
    uint64_t max_clocks[CPU6502_MEMORY]; /* of routines, with all that they call */
    struct cpu6502_frame frame[0x80];
    unsigned frames;
    char error[100]; /* of this call; empty: none */
};

/* Calls a subroutine; false: cpu->error says what has stopped it. Registers stay between calls. */
bool cpu6502_call(struct cpu6502 *cpu, uint16_t address);

#endif
