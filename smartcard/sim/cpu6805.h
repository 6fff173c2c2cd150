/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The 6805 as two processors that differ in clocks only: HC05 (with MUL, STOP and WAIT) and the
 * older HMOS 6805 (without); memory and stack are the HC05's for both. Sources: [M68HC05], [M6805].
 *
 * Memory is 64 KB, of which a byte is RAM, or image (ROM), or absent. There are no ports, no timer
 * and no interrupts; the interrupt pin is high. What a real card would do silently is an error
 * here: to write to ROM, to read or execute an absent byte, to execute RAM, to grow the stack below
 * C0 or to pull from an empty one.
 */
#ifndef MANYFISH_SMARTCARD_CPU6805_H
#define MANYFISH_SMARTCARD_CPU6805_H

#include <stdbool.h>
#include <stdint.h>

enum {
    CPU6805_MEMORY = 0x10000,
    CPU6805_STACK_TOP = 0xFF, /* SP has 6 bits */
    CPU6805_STACK_END = 0xC0,
    CPU6805_STACK_BYTES = CPU6805_STACK_TOP - CPU6805_STACK_END + 1,
    CPU6805_SWI_VECTOR = 0xFFFC,
    CPU6805_MAX_CLOCKS = 10000000 /* of one call */
};

/* Flags of the condition code register; its upper three bits are ones. */
enum { FLAG_C = 1, FLAG_Z = 2, FLAG_N = 4, FLAG_I = 8, FLAG_H = 16, FLAGS_UNUSED = 0xE0 };

/* Clocks of each opcode, a row for each high digit; 0 where the processor has no such opcode. */
typedef uint8_t cpu6805_clocks[16][16];
extern const cpu6805_clocks cpu6805_hc05;
extern const cpu6805_clocks cpu6805_hmos;

enum cpu6805_kind { ABSENT, RAM, ROM };

/* A routine that was called and has not returned. */
struct cpu6805_frame {
    uint16_t routine;
    uint8_t sp; /* at its entry */
    uint64_t start;
};

struct cpu6805 {
    const cpu6805_clocks *timing;
    bool no_mul; /* MUL is no opcode, as on the 6805 */
    uint8_t a;
    uint8_t x;
    uint8_t cc;
    uint8_t sp;
    uint16_t pc;
    uint64_t clocks; /* since the call */
    uint8_t lowest_sp;
    char error[100]; /* empty while all is well */
    uint8_t memory[CPU6805_MEMORY];
    uint8_t kind[CPU6805_MEMORY]; /* enum cpu6805_kind */
    bool touched[CPU6805_MEMORY]; /* RAM that was read or written */
    struct cpu6805_frame frame[CPU6805_STACK_BYTES / 2];
    unsigned frames;
    uint64_t calls[CPU6805_MEMORY]; /* of the routine at each address */
    uint64_t max_clocks[CPU6805_MEMORY];
};

/*
 * Calls the subroutine at address, with SP at the top of the stack and A, X and CC as they are.
 * Returns true when it has returned; clocks and lowest_sp tell what it took. Returns false on an
 * error, which is then in cpu->error.
 */
bool cpu6805_call(struct cpu6805 *cpu, uint16_t address);

/* SP at the entry of the subroutine that cpu6805_call calls: the return address is above it. */
enum { CPU6805_ENTRY_SP = CPU6805_STACK_TOP - 2 };

#endif
