/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * One instruction at a time. As in the manual's opcode map, the high digit of an opcode gives the
 * group and the addressing mode, the low digit the operation. [M68HC05]
 */
#include "cpu6805.h"

/* clang-format off */
const cpu6805_clocks cpu6805_hc05 = {
    /* 0  1   2  3  4  5  6  7  8  9  A  B  C  D  E  F */
    {  5, 5,  5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5}, /* 0: BRSET, BRCLR */
    {  5, 5,  5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5}, /* 1: BSET, BCLR */
    {  3, 3,  3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3}, /* 2: branches */
    {  5, 0,  0, 5, 5, 0, 5, 5, 5, 5, 5, 0, 5, 4, 0, 5}, /* 3: read-modify-write, direct */
    {  3, 0, 11, 3, 3, 0, 3, 3, 3, 3, 3, 0, 3, 3, 0, 3}, /* 4: .. A; MUL */
    {  3, 0,  0, 3, 3, 0, 3, 3, 3, 3, 3, 0, 3, 3, 0, 3}, /* 5: .. X */
    {  6, 0,  0, 6, 6, 0, 6, 6, 6, 6, 6, 0, 6, 5, 0, 6}, /* 6: .. indexed, 8-bit offset */
    {  5, 0,  0, 5, 5, 0, 5, 5, 5, 5, 5, 0, 5, 4, 0, 5}, /* 7: .. indexed */
    {  9, 6,  0,10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2}, /* 8: RTI, RTS, SWI, STOP, WAIT */
    {  0, 0,  0, 0, 0, 0, 0, 2, 2, 2, 2, 2, 2, 2, 0, 2}, /* 9: TAX .. TXA */
    {  2, 2,  2, 2, 2, 2, 2, 0, 2, 2, 2, 2, 0, 6, 2, 0}, /* A: A and X with immediate; BSR */
    {  3, 3,  3, 3, 3, 3, 3, 4, 3, 3, 3, 3, 2, 5, 3, 4}, /* B: .. direct */
    {  4, 4,  4, 4, 4, 4, 4, 5, 4, 4, 4, 4, 3, 6, 4, 5}, /* C: .. extended */
    {  5, 5,  5, 5, 5, 5, 5, 6, 5, 5, 5, 5, 4, 7, 5, 6}, /* D: .. indexed, 16-bit offset */
    {  4, 4,  4, 4, 4, 4, 4, 5, 4, 4, 4, 4, 3, 6, 4, 5}, /* E: .. indexed, 8-bit offset */
    {  3, 3,  3, 3, 3, 3, 3, 4, 3, 3, 3, 3, 2, 5, 3, 4}, /* F: .. indexed */
};

const cpu6805_clocks cpu6805_hmos = {
    /* 0   1   2   3   4   5   6   7   8   9   A   B   C   D   E   F */
    { 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10}, /* 0: BRSET, BRCLR */
    {  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7,  7}, /* 1: BSET, BCLR */
    {  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4,  4}, /* 2: branches */
    {  6,  0,  0,  6,  6,  0,  6,  6,  6,  6,  6,  0,  6,  6,  0,  6}, /* 3: rmw, direct */
    {  4,  0,  0,  4,  4,  0,  4,  4,  4,  4,  4,  0,  4,  4,  0,  4}, /* 4: .. A */
    {  4,  0,  0,  4,  4,  0,  4,  4,  4,  4,  4,  0,  4,  4,  0,  4}, /* 5: .. X */
    {  7,  0,  0,  7,  7,  0,  7,  7,  7,  7,  7,  0,  7,  7,  0,  7}, /* 6: .. 8-bit offset */
    {  6,  0,  0,  6,  6,  0,  6,  6,  6,  6,  6,  0,  6,  6,  0,  6}, /* 7: .. indexed */
    {  9,  6,  0, 11,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0}, /* 8: RTI, RTS, SWI */
    {  0,  0,  0,  0,  0,  0,  0,  2,  2,  2,  2,  2,  2,  2,  0,  2}, /* 9: TAX .. TXA */
    {  2,  2,  2,  2,  2,  2,  2,  0,  2,  2,  2,  2,  0,  8,  2,  0}, /* A: immediate; BSR */
    {  4,  4,  4,  4,  4,  4,  4,  5,  4,  4,  4,  4,  3,  7,  4,  5}, /* B: .. direct */
    {  5,  5,  5,  5,  5,  5,  5,  6,  5,  5,  5,  5,  4,  8,  5,  6}, /* C: .. extended */
    {  6,  6,  6,  6,  6,  6,  6,  7,  6,  6,  6,  6,  5,  9,  6,  7}, /* D: .. 16-bit offset */
    {  5,  5,  5,  5,  5,  5,  5,  6,  5,  5,  5,  5,  4,  8,  5,  6}, /* E: .. 8-bit offset */
    {  4,  4,  4,  4,  4,  4,  4,  5,  4,  4,  4,  4,  3,  7,  4,  5}, /* F: .. indexed */
};
/* clang-format on */

enum { MUL = 0x42 };

/* Return address of cpu6805_call: the low byte of the reset vector, which nobody executes. */
enum { RETURN_ADDRESS = 0xFFFF };

/* Memory and stack */

static uint8_t read_byte(struct cpu6805 *cpu, uint16_t address)
{
    return board_read(&cpu->board, address);
}

static void write_byte(struct cpu6805 *cpu, uint16_t address, uint8_t value)
{
    board_write(&cpu->board, address, value);
}

static uint8_t fetch(struct cpu6805 *cpu)
{
    return board_fetch(&cpu->board, cpu->pc++);
}

static uint16_t fetch_word(struct cpu6805 *cpu)
{
    unsigned high = fetch(cpu);
    return (uint16_t)(high << 8 | fetch(cpu));
}

/* SP points at the next free byte; one below the end says that all are in use. */
static void push(struct cpu6805 *cpu, uint8_t value)
{
    if (cpu->sp < CPU6805_STACK_END) {
        board_fail(&cpu->board, "stack overflow at %04X, expected at most %d bytes",
                   (unsigned)cpu->pc, CPU6805_STACK_BYTES);
        return;
    }
    write_byte(cpu, cpu->sp, value);
    cpu->sp--;
    if (cpu->sp < cpu->lowest_sp) {
        cpu->lowest_sp = cpu->sp;
    }
}

static uint8_t pull(struct cpu6805 *cpu)
{
    if (cpu->sp == CPU6805_STACK_TOP) {
        board_fail(&cpu->board, "pull from an empty stack before %04X", (unsigned)cpu->pc);
        return 0;
    }
    cpu->sp++;
    return read_byte(cpu, cpu->sp);
}

static void push_word(struct cpu6805 *cpu, uint16_t value)
{
    push(cpu, (uint8_t)value);
    push(cpu, (uint8_t)(value >> 8));
}

static uint16_t pull_word(struct cpu6805 *cpu)
{
    unsigned high = pull(cpu);
    return (uint16_t)(high << 8 | pull(cpu));
}

/* Flags */

static bool flag(const struct cpu6805 *cpu, uint8_t mask)
{
    return (cpu->cc & mask) != 0;
}

static void set_flag(struct cpu6805 *cpu, uint8_t mask, bool value)
{
    cpu->cc = (uint8_t)(value ? cpu->cc | mask : cpu->cc & ~mask);
}

/* N and Z of a result, which is also returned. */
static uint8_t with_nz(struct cpu6805 *cpu, unsigned result)
{
    set_flag(cpu, FLAG_N, (result & 0x80) != 0);
    set_flag(cpu, FLAG_Z, (result & 0xFF) == 0);
    return (uint8_t)result;
}

/* Calls, which the board profiles */

static void enter(struct cpu6805 *cpu, uint16_t routine)
{
    push_word(cpu, cpu->pc);
    cpu->pc = routine;
    board_enter(&cpu->board, routine, cpu->sp);
}

static void leave(struct cpu6805 *cpu)
{
    board_leave(&cpu->board, cpu->sp);
    cpu->pc = pull_word(cpu);
}

/* Groups 0 to 2: bits and branches */

static void branch(struct cpu6805 *cpu, bool taken)
{
    uint8_t offset = fetch(cpu);
    if (taken) {
        cpu->pc = (uint16_t)(cpu->pc + offset - (offset < 0x80 ? 0 : 0x100));
    }
}

/* BRSET n and BRCLR n, by turns; C is the bit. */
static void branch_on_bit(struct cpu6805 *cpu, unsigned operation)
{
    bool bit = (read_byte(cpu, fetch(cpu)) >> (operation / 2) & 1) != 0;
    set_flag(cpu, FLAG_C, bit);
    branch(cpu, bit == (operation % 2 == 0));
}

/* BSET n and BCLR n, by turns. */
static void change_bit(struct cpu6805 *cpu, unsigned operation)
{
    uint8_t address = fetch(cpu);
    unsigned bit = 1U << operation / 2;
    unsigned value = read_byte(cpu, address);
    write_byte(cpu, address, (uint8_t)(operation % 2 == 0 ? value | bit : value & ~bit));
}

/* Conditions come in pairs, the even one with its opposite. */
static bool condition(const struct cpu6805 *cpu, unsigned operation)
{
    switch (operation / 2) {
    case 0: /* BRA, BRN */
        return true;
    case 1: /* BHI, BLS */
        return !flag(cpu, FLAG_C | FLAG_Z);
    case 2: /* BCC, BCS */
        return !flag(cpu, FLAG_C);
    case 3: /* BNE, BEQ */
        return !flag(cpu, FLAG_Z);
    case 4: /* BHCC, BHCS */
        return !flag(cpu, FLAG_H);
    case 5: /* BPL, BMI */
        return !flag(cpu, FLAG_N);
    case 6: /* BMC, BMS */
        return !flag(cpu, FLAG_I);
    default: /* BIL, BIH: the interrupt pin is high */
        return false;
    }
}

/* Groups 3 to 7: read-modify-write */

/* A shift or rotation to the right; the top bit comes in, C is the bit that goes out. */
static uint8_t right(struct cpu6805 *cpu, uint8_t value, bool top)
{
    set_flag(cpu, FLAG_C, (value & 1) != 0);
    return with_nz(cpu, (unsigned)value >> 1 | (top ? 0x80 : 0));
}

static uint8_t left(struct cpu6805 *cpu, uint8_t value, bool bottom)
{
    set_flag(cpu, FLAG_C, (value & 0x80) != 0);
    return with_nz(cpu, (unsigned)value << 1 | bottom);
}

static uint8_t modified(struct cpu6805 *cpu, unsigned operation, uint8_t value)
{
    switch (operation) {
    case 0x0: /* NEG */
        set_flag(cpu, FLAG_C, value != 0);
        return with_nz(cpu, 0U - value);
    case 0x3: /* COM */
        set_flag(cpu, FLAG_C, true);
        return with_nz(cpu, ~(unsigned)value);
    case 0x4: /* LSR */
        return right(cpu, value, false);
    case 0x6: /* ROR */
        return right(cpu, value, flag(cpu, FLAG_C));
    case 0x7: /* ASR */
        return right(cpu, value, (value & 0x80) != 0);
    case 0x8: /* ASL */
        return left(cpu, value, false);
    case 0x9: /* ROL */
        return left(cpu, value, flag(cpu, FLAG_C));
    case 0xA: /* DEC */
        return with_nz(cpu, value - 1U);
    case 0xC: /* INC */
        return with_nz(cpu, value + 1U);
    case 0xD: /* TST */
        return with_nz(cpu, value);
    default: /* CLR */
        return with_nz(cpu, 0);
    }
}

/* Where the operand is; consumes the bytes of the instruction that say so. */
static uint16_t operand_address(struct cpu6805 *cpu, unsigned group)
{
    switch (group) {
    case 0xA: /* immediate */
        return cpu->pc++;
    case 0x3: /* direct */
    case 0xB:
        return fetch(cpu);
    case 0xC: /* extended */
        return fetch_word(cpu);
    case 0xD: /* indexed, 16-bit offset */
        return (uint16_t)(fetch_word(cpu) + cpu->x);
    case 0x6: /* indexed, 8-bit offset */
    case 0xE:
        return (uint16_t)(fetch(cpu) + cpu->x);
    default: /* indexed */
        return cpu->x;
    }
}

static void multiply(struct cpu6805 *cpu)
{
    unsigned product = (unsigned)cpu->x * cpu->a;
    cpu->x = (uint8_t)(product >> 8);
    cpu->a = (uint8_t)product;
    set_flag(cpu, FLAG_H | FLAG_C, false);
}

static void read_modify_write(struct cpu6805 *cpu, unsigned group, unsigned operation)
{
    if (group == 4) {
        cpu->a = modified(cpu, operation, cpu->a);
    } else if (group == 5) {
        cpu->x = modified(cpu, operation, cpu->x);
    } else {
        uint16_t address = operand_address(cpu, group);
        uint8_t result = modified(cpu, operation, read_byte(cpu, address));
        if (operation != 0xD) { /* TST only reads */
            write_byte(cpu, address, result);
        }
    }
}

/* Groups 8 and 9: control */

static void return_from_interrupt(struct cpu6805 *cpu)
{
    cpu->cc = pull(cpu) | FLAGS_UNUSED;
    cpu->a = pull(cpu);
    cpu->x = pull(cpu);
    cpu->pc = pull_word(cpu);
}

static void software_interrupt(struct cpu6805 *cpu)
{
    push_word(cpu, cpu->pc);
    push(cpu, cpu->x);
    push(cpu, cpu->a);
    push(cpu, cpu->cc);
    set_flag(cpu, FLAG_I, true);
    unsigned high = read_byte(cpu, CPU6805_SWI_VECTOR);
    cpu->pc = (uint16_t)(high << 8 | read_byte(cpu, CPU6805_SWI_VECTOR + 1));
}

static void control(struct cpu6805 *cpu, uint8_t opcode)
{
    switch (opcode) {
    case 0x80:
        return_from_interrupt(cpu);
        break;
    case 0x81: /* RTS */
        leave(cpu);
        break;
    case 0x83:
        software_interrupt(cpu);
        break;
    case 0x97: /* TAX */
        cpu->x = cpu->a;
        break;
    case 0x98: /* CLC, SEC */
    case 0x99:
        set_flag(cpu, FLAG_C, opcode == 0x99);
        break;
    case 0x9A: /* CLI, SEI */
    case 0x9B:
        set_flag(cpu, FLAG_I, opcode == 0x9B);
        break;
    case 0x9C: /* RSP */
        cpu->sp = CPU6805_STACK_TOP;
        break;
    case 0x9D: /* NOP */
        break;
    case 0x9F: /* TXA */
        cpu->a = cpu->x;
        break;
    default: /* STOP, WAIT */
        board_fail(&cpu->board, "%s before %04X: no interrupt will wake the program",
                   opcode == 0x8E ? "STOP" : "WAIT", (unsigned)cpu->pc);
    }
}

/* Groups A to F: A or X, and an operand */

static uint8_t difference(struct cpu6805 *cpu, unsigned minuend, unsigned subtrahend)
{
    set_flag(cpu, FLAG_C, minuend < subtrahend);
    return with_nz(cpu, minuend - subtrahend);
}

static uint8_t sum(struct cpu6805 *cpu, uint8_t value, bool carry)
{
    unsigned result = (unsigned)cpu->a + value + carry;
    set_flag(cpu, FLAG_H, ((cpu->a ^ value ^ result) & 0x10) != 0);
    set_flag(cpu, FLAG_C, result > 0xFF);
    return with_nz(cpu, result);
}

static void use_operand(struct cpu6805 *cpu, unsigned operation, uint8_t value)
{
    switch (operation) {
    case 0x0: /* SUB */
        cpu->a = difference(cpu, cpu->a, value);
        break;
    case 0x1: /* CMP */
        difference(cpu, cpu->a, value);
        break;
    case 0x2: /* SBC */
        cpu->a = difference(cpu, cpu->a, (unsigned)value + flag(cpu, FLAG_C));
        break;
    case 0x3: /* CPX */
        difference(cpu, cpu->x, value);
        break;
    case 0x4: /* AND */
        cpu->a = with_nz(cpu, cpu->a & value);
        break;
    case 0x5: /* BIT */
        with_nz(cpu, cpu->a & value);
        break;
    case 0x6: /* LDA */
        cpu->a = with_nz(cpu, value);
        break;
    case 0x8: /* EOR */
        cpu->a = with_nz(cpu, cpu->a ^ value);
        break;
    case 0x9: /* ADC */
        cpu->a = sum(cpu, value, flag(cpu, FLAG_C));
        break;
    case 0xA: /* ORA */
        cpu->a = with_nz(cpu, cpu->a | value);
        break;
    case 0xB: /* ADD */
        cpu->a = sum(cpu, value, false);
        break;
    default: /* LDX */
        cpu->x = with_nz(cpu, value);
    }
}

static void branch_to_subroutine(struct cpu6805 *cpu)
{
    uint16_t after = (uint16_t)(cpu->pc + 1);
    branch(cpu, true);
    uint16_t routine = cpu->pc;
    cpu->pc = after;
    enter(cpu, routine);
}

static void with_operand(struct cpu6805 *cpu, unsigned group, unsigned operation)
{
    uint16_t address = operand_address(cpu, group);
    switch (operation) {
    case 0x7: /* STA */
        write_byte(cpu, address, with_nz(cpu, cpu->a));
        break;
    case 0xC: /* JMP */
        cpu->pc = address;
        break;
    case 0xD: /* JSR */
        enter(cpu, address);
        break;
    case 0xF: /* STX */
        write_byte(cpu, address, with_nz(cpu, cpu->x));
        break;
    default:
        use_operand(cpu, operation, read_byte(cpu, address));
    }
}

static void execute(struct cpu6805 *cpu, uint8_t opcode)
{
    unsigned group = opcode >> 4;
    unsigned operation = opcode & 0xF;
    if (group == 0) {
        branch_on_bit(cpu, operation);
    } else if (group == 1) {
        change_bit(cpu, operation);
    } else if (group == 2) {
        branch(cpu, condition(cpu, operation) == (operation % 2 == 0));
    } else if (opcode == MUL) {
        multiply(cpu);
    } else if (group <= 7) {
        read_modify_write(cpu, group, operation);
    } else if (group <= 9) {
        control(cpu, opcode);
    } else if (opcode == 0xAD) {
        branch_to_subroutine(cpu);
    } else {
        with_operand(cpu, group, operation);
    }
}

static void step(struct cpu6805 *cpu)
{
    uint16_t start = cpu->pc;
    uint8_t opcode = fetch(cpu);
    unsigned clocks = (*cpu->timing)[opcode >> 4][opcode & 0xF];
    if (clocks == 0 || (cpu->no_mul && opcode == MUL)) {
        board_fail(&cpu->board, "illegal opcode %02X at %04X, expected one of this 6805",
                   (unsigned)opcode, (unsigned)start);
        return;
    }
    cpu->board.clocks += clocks;
    execute(cpu, opcode);
}

bool cpu6805_call(struct cpu6805 *cpu, uint16_t address)
{
    board_start(&cpu->board);
    cpu->cc |= FLAGS_UNUSED;
    cpu->sp = CPU6805_STACK_TOP;
    cpu->lowest_sp = CPU6805_ENTRY_SP;
    cpu->pc = RETURN_ADDRESS;
    enter(cpu, address);
    while (cpu->board.error[0] == '\0' &&
           (cpu->pc != RETURN_ADDRESS || cpu->sp != CPU6805_STACK_TOP)) {
        step(cpu);
        if (cpu->board.clocks > BOARD_MAX_CLOCKS) {
            board_fail(&cpu->board, "no return after %d clocks, now at %04X", BOARD_MAX_CLOCKS,
                       (unsigned)cpu->pc);
        }
    }
    return cpu->board.error[0] == '\0';
}
