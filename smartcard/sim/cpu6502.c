/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* One instruction at a time: the table at the end gives each opcode's operation, mode and
 * clocks. */
#include "cpu6502.h"

#include <stddef.h>

/* IMPLIED operations know their place; all others get an address. */
enum mode {
    IMPLIED,
    IMMEDIATE,
    ZERO_PAGE,
    ZERO_PAGE_X,
    ZERO_PAGE_Y,
    ABSOLUTE,
    ABSOLUTE_X,
    ABSOLUTE_Y,
    INDIRECT,
    INDIRECT_X,
    INDIRECT_Y,
    RELATIVE
};

struct instruction {
    void (*run)(struct cpu6502 *cpu, uint16_t address);
    enum mode mode;
    uint8_t clocks;
    bool crossing; /* one more clock if adding the index leaves the page */
};

/* Memory and stack */

static uint8_t read(struct cpu6502 *cpu, uint16_t address)
{
    return board_read(&cpu->board, address);
}

static void write(struct cpu6502 *cpu, uint16_t address, uint8_t value)
{
    board_write(&cpu->board, address, value);
}

static uint8_t fetch(struct cpu6502 *cpu)
{
    return board_fetch(&cpu->board, cpu->pc++);
}

static uint16_t fetch_word(struct cpu6502 *cpu)
{
    unsigned low = fetch(cpu);
    return (uint16_t)(low | (unsigned)fetch(cpu) << 8);
}

static void push(struct cpu6502 *cpu, uint8_t value)
{
    if (cpu->sp == 0) {
        board_fail(&cpu->board, "stack overflow before %04X, expected at most 255 bytes",
                   (unsigned)cpu->pc);
        return;
    }
    write(cpu, (uint16_t)(CPU6502_STACK + cpu->sp), value);
    cpu->sp--;
    if (cpu->sp < cpu->lowest_sp) {
        cpu->lowest_sp = cpu->sp;
    }
}

static uint8_t pull(struct cpu6502 *cpu)
{
    if (cpu->sp == 0xFF) {
        board_fail(&cpu->board, "pull from an empty stack before %04X", (unsigned)cpu->pc);
        return 0;
    }
    cpu->sp++;
    return read(cpu, (uint16_t)(CPU6502_STACK + cpu->sp));
}

/* Flags */

static bool flag(const struct cpu6502 *cpu, uint8_t mask)
{
    return (cpu->p & mask) != 0;
}

static void set_flag(struct cpu6502 *cpu, uint8_t mask, bool value)
{
    cpu->p = (uint8_t)(value ? cpu->p | mask : cpu->p & ~mask);
}

/* N and Z of a result, which is also returned. */
static uint8_t with_nz(struct cpu6502 *cpu, unsigned result)
{
    set_flag(cpu, CPU6502_N, (result & 0x80) != 0);
    set_flag(cpu, CPU6502_Z, (result & 0xFF) == 0);
    return (uint8_t)result;
}

/* A, X, Y and an operand */

static void lda(struct cpu6502 *cpu, uint16_t address)
{
    cpu->a = with_nz(cpu, read(cpu, address));
}

static void ldx(struct cpu6502 *cpu, uint16_t address)
{
    cpu->x = with_nz(cpu, read(cpu, address));
}

static void ldy(struct cpu6502 *cpu, uint16_t address)
{
    cpu->y = with_nz(cpu, read(cpu, address));
}

static void sta(struct cpu6502 *cpu, uint16_t address)
{
    write(cpu, address, cpu->a);
}

static void stx(struct cpu6502 *cpu, uint16_t address)
{
    write(cpu, address, cpu->x);
}

static void sty(struct cpu6502 *cpu, uint16_t address)
{
    write(cpu, address, cpu->y);
}

static void and (struct cpu6502 * cpu, uint16_t address)
{
    cpu->a = with_nz(cpu, cpu->a & read(cpu, address));
}

static void eor(struct cpu6502 *cpu, uint16_t address)
{
    cpu->a = with_nz(cpu, cpu->a ^ read(cpu, address));
}

static void ora(struct cpu6502 *cpu, uint16_t address)
{
    cpu->a = with_nz(cpu, cpu->a | read(cpu, address));
}

static void bit(struct cpu6502 *cpu, uint16_t address)
{
    uint8_t value = read(cpu, address);
    set_flag(cpu, CPU6502_Z, (cpu->a & value) == 0);
    set_flag(cpu, CPU6502_N, (value & 0x80) != 0);
    set_flag(cpu, CPU6502_V, (value & 0x40) != 0);
}

static void add(struct cpu6502 *cpu, uint8_t value)
{
    unsigned result = (unsigned)cpu->a + value + flag(cpu, CPU6502_C);
    set_flag(cpu, CPU6502_V, ((cpu->a ^ result) & (value ^ result) & 0x80) != 0);
    set_flag(cpu, CPU6502_C, result > 0xFF);
    cpu->a = with_nz(cpu, result);
}

static void adc(struct cpu6502 *cpu, uint16_t address)
{
    add(cpu, read(cpu, address));
}

static void sbc(struct cpu6502 *cpu, uint16_t address)
{
    add(cpu, read(cpu, address) ^ 0xFF);
}

static void compare(struct cpu6502 *cpu, uint8_t value, uint8_t operand)
{
    set_flag(cpu, CPU6502_C, value >= operand);
    with_nz(cpu, (unsigned)value - operand);
}

static void cmp(struct cpu6502 *cpu, uint16_t address)
{
    compare(cpu, cpu->a, read(cpu, address));
}

static void cpx(struct cpu6502 *cpu, uint16_t address)
{
    compare(cpu, cpu->x, read(cpu, address));
}

static void cpy(struct cpu6502 *cpu, uint16_t address)
{
    compare(cpu, cpu->y, read(cpu, address));
}

/* Shifts and counts, of memory or of A */

static uint8_t shifted_left(struct cpu6502 *cpu, uint8_t value, bool in)
{
    set_flag(cpu, CPU6502_C, (value & 0x80) != 0);
    return with_nz(cpu, (unsigned)value << 1 | in);
}

static uint8_t shifted_right(struct cpu6502 *cpu, uint8_t value, bool in)
{
    set_flag(cpu, CPU6502_C, (value & 1) != 0);
    return with_nz(cpu, (unsigned)value >> 1 | (unsigned)in << 7);
}

static void asl(struct cpu6502 *cpu, uint16_t address)
{
    write(cpu, address, shifted_left(cpu, read(cpu, address), false));
}

static void rol(struct cpu6502 *cpu, uint16_t address)
{
    write(cpu, address, shifted_left(cpu, read(cpu, address), flag(cpu, CPU6502_C)));
}

static void lsr(struct cpu6502 *cpu, uint16_t address)
{
    write(cpu, address, shifted_right(cpu, read(cpu, address), false));
}

static void ror(struct cpu6502 *cpu, uint16_t address)
{
    write(cpu, address, shifted_right(cpu, read(cpu, address), flag(cpu, CPU6502_C)));
}

static void inc(struct cpu6502 *cpu, uint16_t address)
{
    write(cpu, address, with_nz(cpu, (unsigned)read(cpu, address) + 1));
}

static void dec(struct cpu6502 *cpu, uint16_t address)
{
    write(cpu, address, with_nz(cpu, (unsigned)read(cpu, address) - 1));
}

/* Operations without an address. */
#define IMPLIED_OPERATION(name, statement)                                                         \
    static void name(struct cpu6502 *cpu, uint16_t address)                                        \
    {                                                                                              \
        (void)address;                                                                             \
        statement;                                                                                 \
    }

IMPLIED_OPERATION(asl_a, cpu->a = shifted_left(cpu, cpu->a, false))
IMPLIED_OPERATION(rol_a, cpu->a = shifted_left(cpu, cpu->a, flag(cpu, CPU6502_C)))
IMPLIED_OPERATION(lsr_a, cpu->a = shifted_right(cpu, cpu->a, false))
IMPLIED_OPERATION(ror_a, cpu->a = shifted_right(cpu, cpu->a, flag(cpu, CPU6502_C)))
IMPLIED_OPERATION(inx, cpu->x = with_nz(cpu, cpu->x + 1U))
IMPLIED_OPERATION(iny, cpu->y = with_nz(cpu, cpu->y + 1U))
IMPLIED_OPERATION(dex, cpu->x = with_nz(cpu, cpu->x - 1U))
IMPLIED_OPERATION(dey, cpu->y = with_nz(cpu, cpu->y - 1U))
IMPLIED_OPERATION(tax, cpu->x = with_nz(cpu, cpu->a))
IMPLIED_OPERATION(tay, cpu->y = with_nz(cpu, cpu->a))
IMPLIED_OPERATION(txa, cpu->a = with_nz(cpu, cpu->x))
IMPLIED_OPERATION(tya, cpu->a = with_nz(cpu, cpu->y))
IMPLIED_OPERATION(tsx, cpu->x = with_nz(cpu, cpu->sp))
IMPLIED_OPERATION(txs, cpu->sp = cpu->x)
IMPLIED_OPERATION(pha, push(cpu, cpu->a))
IMPLIED_OPERATION(pla, cpu->a = with_nz(cpu, pull(cpu)))
IMPLIED_OPERATION(php, push(cpu, cpu->p | CPU6502_PUSHED))
IMPLIED_OPERATION(plp, cpu->p = pull(cpu) & (uint8_t)~CPU6502_PUSHED)
IMPLIED_OPERATION(clc, set_flag(cpu, CPU6502_C, false))
IMPLIED_OPERATION(sec, set_flag(cpu, CPU6502_C, true))
IMPLIED_OPERATION(cli, set_flag(cpu, CPU6502_I, false))
IMPLIED_OPERATION(sei, set_flag(cpu, CPU6502_I, true))
IMPLIED_OPERATION(cld, set_flag(cpu, CPU6502_D, false))
IMPLIED_OPERATION(clv, set_flag(cpu, CPU6502_V, false))
IMPLIED_OPERATION(nop, (void)cpu)
IMPLIED_OPERATION(sed, board_fail(&cpu->board, "SED before %04X: there is no decimal mode",
                                  (unsigned)cpu->pc))
IMPLIED_OPERATION(brk, board_fail(&cpu->board, "BRK before %04X: there are no interrupts",
                                  (unsigned)cpu->pc))
IMPLIED_OPERATION(rti, board_fail(&cpu->board, "RTI before %04X: there are no interrupts",
                                  (unsigned)cpu->pc))

/* Branches: a clock if taken, another one if that leaves the page of the next instruction. */
static void branch(struct cpu6502 *cpu, uint16_t target, bool taken)
{
    if (taken) {
        cpu->board.clocks += 1U + ((target ^ cpu->pc) >> 8 != 0);
        cpu->pc = target;
    }
}

#define BRANCH(name, mask, value)                                                                  \
    static void name(struct cpu6502 *cpu, uint16_t target)                                         \
    {                                                                                              \
        branch(cpu, target, flag(cpu, mask) == (value));                                           \
    }

BRANCH(bcc, CPU6502_C, false)
BRANCH(bcs, CPU6502_C, true)
BRANCH(bne, CPU6502_Z, false)
BRANCH(beq, CPU6502_Z, true)
BRANCH(bpl, CPU6502_N, false)
BRANCH(bmi, CPU6502_N, true)
BRANCH(bvc, CPU6502_V, false)
BRANCH(bvs, CPU6502_V, true)

/* Jumps, and the profile of routines */

static void jmp(struct cpu6502 *cpu, uint16_t address)
{
    cpu->pc = address;
}

/* The return address on the stack is that of the last byte of JSR. */
static void jsr(struct cpu6502 *cpu, uint16_t address)
{
    unsigned last = cpu->pc - 1U;
    push(cpu, (uint8_t)(last >> 8));
    push(cpu, (uint8_t)last);
    cpu->pc = address;
    board_enter(&cpu->board, address, cpu->sp);
}

static void rts(struct cpu6502 *cpu, uint16_t address)
{
    (void)address;
    board_leave(&cpu->board, cpu->sp);
    unsigned low = pull(cpu);
    cpu->pc = (uint16_t)((low | (unsigned)pull(cpu) << 8) + 1);
}

/* The 151 opcodes [MCS6500, appendix B] */

/* clang-format off */
#define GROUP(base, run, store)                                                     \
    [(base) + 0x01] = {run, INDIRECT_X, 6, false},                                  \
    [(base) + 0x05] = {run, ZERO_PAGE, 3, false},                                   \
    [(base) + 0x0D] = {run, ABSOLUTE, 4, false},                                    \
    [(base) + 0x11] = {run, INDIRECT_Y, 5 + (store), !(store)},                     \
    [(base) + 0x15] = {run, ZERO_PAGE_X, 4, false},                                 \
    [(base) + 0x19] = {run, ABSOLUTE_Y, 4 + (store), !(store)},                     \
    [(base) + 0x1D] = {run, ABSOLUTE_X, 4 + (store), !(store)}
#define CHANGE(base, run)                                                           \
    [(base) + 0x06] = {run, ZERO_PAGE, 5, false},                                   \
    [(base) + 0x0E] = {run, ABSOLUTE, 6, false},                                    \
    [(base) + 0x16] = {run, ZERO_PAGE_X, 6, false}, [(base) + 0x1E] = {run, ABSOLUTE_X, 7, false}

static const struct instruction instructions[0x100] = {
    GROUP(0x00, ora, 0), GROUP(0x20, and, 0), GROUP(0x40, eor, 0), GROUP(0x60, adc, 0),
    GROUP(0x80, sta, 1), GROUP(0xA0, lda, 0), GROUP(0xC0, cmp, 0), GROUP(0xE0, sbc, 0),
    CHANGE(0x00, asl), CHANGE(0x20, rol), CHANGE(0x40, lsr), CHANGE(0x60, ror),
    CHANGE(0xC0, dec), CHANGE(0xE0, inc),

    [0x09] = {ora, IMMEDIATE, 2, false}, [0x29] = {and, IMMEDIATE, 2, false},
    [0x49] = {eor, IMMEDIATE, 2, false}, [0x69] = {adc, IMMEDIATE, 2, false},
    [0xA9] = {lda, IMMEDIATE, 2, false}, [0xC9] = {cmp, IMMEDIATE, 2, false},
    [0xE9] = {sbc, IMMEDIATE, 2, false},
    [0xA0] = {ldy, IMMEDIATE, 2, false}, [0xA4] = {ldy, ZERO_PAGE, 3, false},
    [0xAC] = {ldy, ABSOLUTE, 4, false}, [0xB4] = {ldy, ZERO_PAGE_X, 4, false},
    [0xBC] = {ldy, ABSOLUTE_X, 4, true},
    [0xA2] = {ldx, IMMEDIATE, 2, false}, [0xA6] = {ldx, ZERO_PAGE, 3, false},
    [0xAE] = {ldx, ABSOLUTE, 4, false}, [0xB6] = {ldx, ZERO_PAGE_Y, 4, false},
    [0xBE] = {ldx, ABSOLUTE_Y, 4, true},
    [0x84] = {sty, ZERO_PAGE, 3, false}, [0x8C] = {sty, ABSOLUTE, 4, false},
    [0x94] = {sty, ZERO_PAGE_X, 4, false},
    [0x86] = {stx, ZERO_PAGE, 3, false}, [0x8E] = {stx, ABSOLUTE, 4, false},
    [0x96] = {stx, ZERO_PAGE_Y, 4, false},
    [0xC0] = {cpy, IMMEDIATE, 2, false}, [0xC4] = {cpy, ZERO_PAGE, 3, false},
    [0xCC] = {cpy, ABSOLUTE, 4, false},
    [0xE0] = {cpx, IMMEDIATE, 2, false}, [0xE4] = {cpx, ZERO_PAGE, 3, false},
    [0xEC] = {cpx, ABSOLUTE, 4, false},
    [0x24] = {bit, ZERO_PAGE, 3, false}, [0x2C] = {bit, ABSOLUTE, 4, false},

    [0x0A] = {asl_a, IMPLIED, 2, false}, [0x2A] = {rol_a, IMPLIED, 2, false},
    [0x4A] = {lsr_a, IMPLIED, 2, false}, [0x6A] = {ror_a, IMPLIED, 2, false},
    [0xE8] = {inx, IMPLIED, 2, false}, [0xC8] = {iny, IMPLIED, 2, false},
    [0xCA] = {dex, IMPLIED, 2, false}, [0x88] = {dey, IMPLIED, 2, false},
    [0xAA] = {tax, IMPLIED, 2, false}, [0xA8] = {tay, IMPLIED, 2, false},
    [0x8A] = {txa, IMPLIED, 2, false}, [0x98] = {tya, IMPLIED, 2, false},
    [0xBA] = {tsx, IMPLIED, 2, false}, [0x9A] = {txs, IMPLIED, 2, false},
    [0x48] = {pha, IMPLIED, 3, false}, [0x68] = {pla, IMPLIED, 4, false},
    [0x08] = {php, IMPLIED, 3, false}, [0x28] = {plp, IMPLIED, 4, false},
    [0x18] = {clc, IMPLIED, 2, false}, [0x38] = {sec, IMPLIED, 2, false},
    [0x58] = {cli, IMPLIED, 2, false}, [0x78] = {sei, IMPLIED, 2, false},
    [0xD8] = {cld, IMPLIED, 2, false}, [0xF8] = {sed, IMPLIED, 2, false},
    [0xB8] = {clv, IMPLIED, 2, false}, [0xEA] = {nop, IMPLIED, 2, false},
    [0x00] = {brk, IMPLIED, 7, false}, [0x40] = {rti, IMPLIED, 6, false},

    [0x90] = {bcc, RELATIVE, 2, false}, [0xB0] = {bcs, RELATIVE, 2, false},
    [0xD0] = {bne, RELATIVE, 2, false}, [0xF0] = {beq, RELATIVE, 2, false},
    [0x10] = {bpl, RELATIVE, 2, false}, [0x30] = {bmi, RELATIVE, 2, false},
    [0x50] = {bvc, RELATIVE, 2, false}, [0x70] = {bvs, RELATIVE, 2, false},
    [0x4C] = {jmp, ABSOLUTE, 3, false}, [0x6C] = {jmp, INDIRECT, 5, false},
    [0x20] = {jsr, ABSOLUTE, 6, false}, [0x60] = {rts, IMPLIED, 6, false},
};
/* clang-format on */

/* A pointer's high byte comes from the same page, also where that is wrong: JMP ($12FF). */
static uint16_t pointer(struct cpu6502 *cpu, uint16_t at)
{
    unsigned low = read(cpu, at);
    unsigned high = read(cpu, (uint16_t)((at & 0xFF00) | ((at + 1U) & 0xFF)));
    return (uint16_t)(low | high << 8);
}

static uint16_t indexed(struct cpu6502 *cpu, uint16_t base, uint8_t index, bool crossing)
{
    uint16_t address = (uint16_t)(base + index);
    if (crossing && (address ^ base) >> 8 != 0) {
        cpu->board.clocks++;
    }
    return address;
}

static uint16_t relative(struct cpu6502 *cpu)
{
    unsigned offset = fetch(cpu);
    return (uint16_t)(cpu->pc + offset - (offset < 0x80 ? 0U : 0x100U));
}

static uint16_t operand(struct cpu6502 *cpu, const struct instruction *instruction)
{
    switch (instruction->mode) {
    case IMPLIED:
        return 0;
    case IMMEDIATE:
        fetch(cpu);
        return (uint16_t)(cpu->pc - 1U);
    case ZERO_PAGE:
        return fetch(cpu);
    case ZERO_PAGE_X:
        return (fetch(cpu) + cpu->x) & 0xFF;
    case ZERO_PAGE_Y:
        return (fetch(cpu) + cpu->y) & 0xFF;
    case ABSOLUTE:
        return fetch_word(cpu);
    case ABSOLUTE_X:
        return indexed(cpu, fetch_word(cpu), cpu->x, instruction->crossing);
    case ABSOLUTE_Y:
        return indexed(cpu, fetch_word(cpu), cpu->y, instruction->crossing);
    case INDIRECT:
        return pointer(cpu, fetch_word(cpu));
    case INDIRECT_X:
        return pointer(cpu, (fetch(cpu) + cpu->x) & 0xFF);
    case INDIRECT_Y:
        return indexed(cpu, pointer(cpu, fetch(cpu)), cpu->y, instruction->crossing);
    case RELATIVE:
    default:
        return relative(cpu);
    }
}

static void step(struct cpu6502 *cpu)
{
    uint16_t start = cpu->pc;
    uint8_t opcode = fetch(cpu);
    const struct instruction *instruction = &instructions[opcode];
    if (instruction->run == NULL) {
        board_fail(&cpu->board, "illegal opcode %02X at %04X, expected a documented one",
                   (unsigned)opcode, (unsigned)start);
        return;
    }
    cpu->board.clocks += instruction->clocks;
    instruction->run(cpu, operand(cpu, instruction));
}

bool cpu6502_call(struct cpu6502 *cpu, uint16_t address)
{
    board_start(&cpu->board);
    cpu->sp = 0xFF;
    cpu->lowest_sp = CPU6502_ENTRY_SP;
    cpu->pc = 0; /* the return address; nobody executes page zero */
    jsr(cpu, address);
    while (cpu->board.error[0] == '\0' && (cpu->pc != 0 || cpu->sp != 0xFF)) {
        step(cpu);
        if (cpu->board.clocks > BOARD_MAX_CLOCKS) {
            board_fail(&cpu->board, "no return after %d clocks, now at %04X", BOARD_MAX_CLOCKS,
                       (unsigned)cpu->pc);
        }
    }
    return cpu->board.error[0] == '\0';
}
