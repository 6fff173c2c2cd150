/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The 6805 as two processors that differ in clocks only: HC05 (with MUL, STOP and WAIT) and the
 * older HMOS 6805 (without); memory and stack are the HC05's for both. Sources: [M68HC05], [M6805].
 *
 * There are no ports, no timer and no interrupts; the interrupt pin is high. Besides what board.h
 * refuses it is an error to grow the stack below C0 or to pull from an empty one.
 */
#ifndef MANYFISH_SMARTCARD_CPU6805_H
#define MANYFISH_SMARTCARD_CPU6805_H

#include <stdbool.h>
#include <stdint.h>

#include "board.h"

enum {
    CPU6805_STACK_TOP = 0xFF, /* SP has 6 bits */
    CPU6805_STACK_END = 0xC0,
    CPU6805_STACK_BYTES = CPU6805_STACK_TOP - CPU6805_STACK_END + 1,
    CPU6805_SWI_VECTOR = 0xFFFC
};

/* Flags of the condition code register; its upper three bits are ones. */
enum { FLAG_C = 1, FLAG_Z = 2, FLAG_N = 4, FLAG_I = 8, FLAG_H = 16, FLAGS_UNUSED = 0xE0 };

/* Clocks of each opcode, a row for each high digit; 0 where the processor has no such opcode. */
typedef uint8_t cpu6805_clocks[16][16];
extern const cpu6805_clocks cpu6805_hc05;
extern const cpu6805_clocks cpu6805_hmos;

struct cpu6805 {
    struct board board; /* first, see board_machine */
    const cpu6805_clocks *timing;
    bool no_mul; /* MUL is no opcode, as on the 6805 */
    uint8_t a;
    uint8_t x;
    uint8_t cc;
    uint8_t sp;
    uint16_t pc;
    uint8_t lowest_sp;
};

/*
 * Calls the subroutine at address, with SP at the top of the stack and A, X and CC as they are.
 * Returns true when it has returned; clocks and lowest_sp tell what it took. Returns false on an
 * error, which is then that of the board.
 */
bool cpu6805_call(struct cpu6805 *cpu, uint16_t address);

/* SP at the entry of the subroutine that cpu6805_call calls: the return address is above it. */
enum { CPU6805_ENTRY_SP = CPU6805_STACK_TOP - 2 };

#endif
