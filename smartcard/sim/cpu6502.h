/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The NMOS 6502 with its 151 documented opcodes, to the clock [MCS6500].
 *
 * There are no interrupts. Besides what board.h refuses an error is an undocumented opcode, decimal
 * mode, BRK, RTI, to grow the stack beyond page 1 or to pull from an empty one. Reads that only
 * fill a clock are not made.
 */
#ifndef MANYFISH_SMARTCARD_CPU6502_H
#define MANYFISH_SMARTCARD_CPU6502_H

#include <stdbool.h>
#include <stdint.h>

#include "board.h"

enum {
    CPU6502_STACK = 0x100,  /* page 1 */
    CPU6502_ENTRY_SP = 0xFD /* under the return address of a call */
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

struct cpu6502 {
    struct board board; /* first, see board_machine */
    uint8_t a, x, y, p, sp;
    uint16_t pc;
    uint8_t lowest_sp;
};

/* Calls a subroutine; false: the board's error says what has stopped it. Registers stay as they
 * are. */
bool cpu6502_call(struct cpu6502 *cpu, uint16_t address);

#endif
