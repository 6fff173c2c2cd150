/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The fixed-versus-random test of leak.h on a Cortex-M0: an interpreter of ARMv6-M makes the
 * traces, since Unicorn would take hours. The image is a binary for address 0; a word that is read
 * at 40000000 is random.
 *
 * The channels of the model, all without noise; an instruction that moves several words has a
 * moment for each:
 *     value     Hamming weight of what is written to a register or to RAM
 *     register  Hamming distance of all registers and flags from what they held before
 *     memory    Hamming distance of what is written to RAM from what was there before
 *     bus       Hamming distance of what is read or written from the one before it, also in flash
 *     result    Hamming distance of a written value from the one that was written before it
 */
#include <stdio.h>
#include <string.h>

#include "leak.h"

enum {
    FLASH_BYTES = 0x10000,
    RAM = 0x20000000,
    RAM_BYTES = 0x2000,
    DEVICE = 0x40000000,
    RETURN = 0x60000000,
    SP = 13,
    LR = 14,
    PC = 15
};

enum { VALUE, REGISTER, MEMORY, BUS, RESULT };
static const char *const CHANNELS[LEAK_CHANNELS] = {"value", "register", "memory", "bus", "result"};

struct program {
    struct leak_test test; /* the first, so that it stands for the program */
    uint8_t flash[FLASH_BYTES];
    uint8_t ram[RAM_BYTES];
    uint32_t r[16]; /* r[PC]: the instruction after the next */
    bool n, z, c, v;
    uint32_t at; /* the instruction */
    uint32_t bus, result;
    bool wrong;
    uint8_t sample[LEAK_CHANNELS];
};

/* Of two bits, four and eight at once; the product adds the bytes. */
static unsigned weight(uint32_t bits)
{
    bits -= bits >> 1 & 0x55555555;
    bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333);
    return ((bits + (bits >> 4)) & 0x0F0F0F0F) * 0x01010101 >> 24;
}

static void add_moment(struct program *p)
{
    p->wrong = !leak_add(&p->test.leak, p->at, p->sample) || p->wrong;
    memset(p->sample, 0, sizeof p->sample);
}

static void differ(struct program *p, unsigned channel, uint32_t before, uint32_t after)
{
    p->sample[channel] = (uint8_t)(p->sample[channel] + weight(before ^ after));
}

/* A value that an instruction makes. */
static void result(struct program *p, uint32_t value)
{
    p->sample[VALUE] = (uint8_t)weight(value);
    differ(p, RESULT, p->result, value);
    p->result = value;
}

static void set(struct program *p, unsigned d, uint32_t value)
{
    differ(p, REGISTER, p->r[d], value);
    p->r[d] = value;
}

static void write_register(struct program *p, unsigned d, uint32_t value)
{
    result(p, value);
    set(p, d, value);
}

static void set_flag(struct program *p, bool *flag, bool value)
{
    differ(p, REGISTER, *flag, value);
    *flag = value;
}

static void set_nz(struct program *p, uint32_t value)
{
    set_flag(p, &p->n, value >> 31);
    set_flag(p, &p->z, value == 0);
}

/* --- memory ----------------------------------------------------------------------------------- */

static uint8_t *cell(struct program *p, uint32_t address, uint32_t size, bool store)
{
    if (address % size == 0 && address >= RAM && address - RAM <= RAM_BYTES - size) {
        return &p->ram[address - RAM];
    }
    if (address % size == 0 && address <= FLASH_BYTES - size && !store) {
        return &p->flash[address];
    }
    p->wrong = true;
    return p->ram;
}

static uint32_t peek(const uint8_t *bytes, uint32_t size)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < size; i++) {
        value |= (uint32_t)bytes[i] << 8 * i;
    }
    return value;
}

static void on_bus(struct program *p, uint32_t value)
{
    differ(p, BUS, p->bus, value);
    p->bus = value;
}

static uint32_t load(struct program *p, uint32_t address, uint32_t size)
{
    uint32_t value = 0;
    if (address == DEVICE) {
        for (uint32_t i = 0; i < size; i++) {
            value = value << 8 | leak_program_random(&p->test);
        }
    } else {
        value = peek(cell(p, address, size, false), size);
    }
    on_bus(p, value);
    return value;
}

static void store(struct program *p, uint32_t address, uint32_t size, uint32_t value)
{
    uint8_t *to = cell(p, address, size, true);
    value = size == 4 ? value : value & ((1U << 8 * size) - 1);
    differ(p, MEMORY, peek(to, size), value);
    on_bus(p, value);
    result(p, value);
    for (uint32_t i = 0; i < size; i++) {
        to[i] = (uint8_t)(value >> 8 * i);
    }
}

/* --- arithmetic ------------------------------------------------------------------------------- */

static uint32_t add_with(struct program *p, uint32_t a, uint32_t b, bool carry)
{
    uint64_t sum = (uint64_t)a + b + carry;
    uint32_t value = (uint32_t)sum;
    set_nz(p, value);
    set_flag(p, &p->c, sum >> 32);
    set_flag(p, &p->v, (~(a ^ b) & (a ^ value)) >> 31);
    return value;
}

/* Shifts by 0 leave the carry; op: 0 LSL, 1 LSR, 2 ASR, 3 ROR. */
static uint32_t shift(struct program *p, unsigned op, uint32_t value, unsigned by)
{
    uint32_t sign = value >> 31 ? ~0U : 0;
    uint64_t wide = op == 2 ? (uint64_t)sign << 32 | value : value;
    if (by == 0) {
        return value;
    }
    if (op == 3) {
        by %= 32;
        value = by ? value >> by | value << (32 - by) : value;
        set_flag(p, &p->c, value >> 31);
        return value;
    }
    if (op == 0) {
        wide = by > 32 ? 0 : wide << by;
        set_flag(p, &p->c, wide >> 32 & 1);
        return (uint32_t)wide;
    }
    if (by > 32) {
        set_flag(p, &p->c, op == 2 && sign);
        return op == 2 ? sign : 0;
    }
    set_flag(p, &p->c, wide >> (by - 1) & 1);
    return (uint32_t)(wide >> by);
}

/* 0000 to 1FFF: shifts by a number, ADD and SUB of three. */
static void shift_or_add(struct program *p, unsigned op)
{
    unsigned d = op & 7, m = op >> 3 & 7, by = op >> 6 & 31, kind = op >> 11;
    uint32_t value;
    if (kind == 3) {
        uint32_t b = op & 0x400 ? op >> 6 & 7 : p->r[op >> 6 & 7];
        value = op & 0x200 ? add_with(p, p->r[m], ~b, true) : add_with(p, p->r[m], b, false);
    } else {
        value = shift(p, kind, p->r[m], kind > 0 && by == 0 ? 32 : by);
        set_nz(p, value);
    }
    write_register(p, d, value);
}

/* 2000 to 3FFF: MOV, CMP, ADD, SUB of 8 bits. */
static void with_number(struct program *p, unsigned op)
{
    unsigned d = op >> 8 & 7, number = op & 255, kind = op >> 11 & 3;
    uint32_t value = number;
    if (kind == 0) {
        set_nz(p, value);
    } else {
        bool adds = kind == 2;
        value = add_with(p, p->r[d], adds ? number : ~number, !adds);
    }
    if (kind != 1) {
        write_register(p, d, value);
    }
}

static void logical(struct program *p, unsigned d, uint32_t value, bool write)
{
    set_nz(p, value);
    if (write) {
        write_register(p, d, value);
    }
}

/* 4000 to 43FF. */
static void data_processing(struct program *p, unsigned op)
{
    unsigned d = op & 7;
    uint32_t a = p->r[d], b = p->r[op >> 3 & 7];
    switch (op >> 6 & 15) {
    case 0x0:
        logical(p, d, a & b, true);
        break;
    case 0x1:
        logical(p, d, a ^ b, true);
        break;
    case 0x2:
    case 0x3:
    case 0x4:
        logical(p, d, shift(p, (op >> 6 & 15) - 2, a, b & 255), true);
        break;
    case 0x5:
        write_register(p, d, add_with(p, a, b, p->c));
        break;
    case 0x6:
        write_register(p, d, add_with(p, a, ~b, p->c));
        break;
    case 0x7:
        logical(p, d, shift(p, 3, a, b & 255), true);
        break;
    case 0x8:
        logical(p, d, a & b, false);
        break;
    case 0x9:
        write_register(p, d, add_with(p, 0, ~b, true));
        break;
    case 0xA:
        add_with(p, a, ~b, true);
        break;
    case 0xB:
        add_with(p, a, b, false);
        break;
    case 0xC:
        logical(p, d, a | b, true);
        break;
    case 0xD:
        logical(p, d, a * b, true);
        break;
    case 0xE:
        logical(p, d, a & ~b, true);
        break;
    default:
        logical(p, d, ~b, true);
        break;
    }
}

/* --- branches --------------------------------------------------------------------------------- */

static void jump(struct program *p, uint32_t address)
{
    p->r[PC] = address & ~1U;
}

static void link_to(struct program *p, uint32_t back)
{
    set(p, LR, back | 1);
}

/* 4400 to 47FF: high registers, BX, BLX. */
static void high_registers(struct program *p, unsigned op)
{
    unsigned d = (op >> 4 & 8) | (op & 7), m = op >> 3 & 15;
    uint32_t back = p->r[PC];
    uint32_t b = p->r[m] + (m == PC ? 2 : 0);
    switch (op >> 8 & 3) {
    case 0:
        write_register(p, d, p->r[d] + b);
        break;
    case 1:
        add_with(p, p->r[d], ~b, true);
        break;
    case 2:
        write_register(p, d, b);
        break;
    default:
        jump(p, b);
        if (op & 0x80) {
            link_to(p, back);
        }
        break;
    }
}

static bool holds(const struct program *p, unsigned condition)
{
    bool yes;
    switch (condition >> 1) {
    case 0:
        yes = p->z;
        break;
    case 1:
        yes = p->c;
        break;
    case 2:
        yes = p->n;
        break;
    case 3:
        yes = p->v;
        break;
    case 4:
        yes = p->c && !p->z;
        break;
    case 5:
        yes = p->n == p->v;
        break;
    default:
        yes = p->n == p->v && !p->z;
        break;
    }
    return yes != (condition & 1);
}

static uint32_t extended(uint32_t value, unsigned bits)
{
    uint32_t sign = 1U << (bits - 1);
    return (value ^ sign) - sign;
}

static void branch_and_link(struct program *p, unsigned op)
{
    uint32_t next = peek(&p->flash[p->r[PC] % FLASH_BYTES], 2);
    uint32_t s = op >> 10 & 1, j1 = next >> 13 & 1, j2 = next >> 11 & 1;
    uint32_t i1 = 1 ^ j1 ^ s, i2 = 1 ^ j2 ^ s;
    uint32_t by = s << 24 | i1 << 23 | i2 << 22 | (op & 0x3FF) << 12 | (next & 0x7FF) << 1;
    uint32_t back = p->r[PC] + 2;
    p->wrong = p->wrong || (next & 0xD000) != 0xD000;
    jump(p, back + extended(by, 25));
    link_to(p, back);
}

/* --- loads and stores ------------------------------------------------------------------------- */

/* 5000 to 5FFF: at the sum of two registers. */
static void at_sum(struct program *p, unsigned op)
{
    static const uint32_t SIZES[8] = {4, 2, 1, 1, 4, 2, 1, 2};
    unsigned d = op & 7, kind = op >> 9 & 7;
    uint32_t address = p->r[op >> 3 & 7] + p->r[op >> 6 & 7];
    if (kind < 3) {
        store(p, address, SIZES[kind], p->r[d]);
        return;
    }
    uint32_t value = load(p, address, SIZES[kind]);
    if (kind == 3 || kind == 7) {
        value = extended(value, 8 * SIZES[kind]);
    }
    write_register(p, d, value);
}

static void at_number(struct program *p, unsigned op, unsigned d, uint32_t address, uint32_t size)
{
    if (op & 0x800) {
        write_register(p, d, load(p, address, size));
    } else {
        store(p, address, size, p->r[d]);
    }
}

/* 6000 to 9FFF: at a number from a register. */
static void with_offset(struct program *p, unsigned op)
{
    unsigned d = op & 7, by = op >> 6 & 31;
    uint32_t base = p->r[op >> 3 & 7];
    if (op < 0x7000) {
        at_number(p, op, d, base + 4 * by, 4);
    } else if (op < 0x8000) {
        at_number(p, op, d, base + by, 1);
    } else if (op < 0x9000) {
        at_number(p, op, d, base + 2 * by, 2);
    } else {
        at_number(p, op, op >> 8 & 7, p->r[SP] + 4 * (op & 255), 4);
    }
}

/* Of the registers in a list, one moment each; the address behind them is returned. */
static uint32_t move_list(struct program *p, unsigned list, uint32_t address, bool loads)
{
    for (unsigned i = 0; i < 16; i++) {
        if ((list >> i & 1) == 0) {
            continue;
        }
        if (!loads) {
            store(p, address, 4, p->r[i]);
        } else if (i == PC) {
            jump(p, load(p, address, 4));
        } else {
            write_register(p, i, load(p, address, 4));
        }
        add_moment(p);
        address += 4;
    }
    return address;
}

static void push(struct program *p, unsigned op)
{
    unsigned list = (op & 255) | (op & 256) << 6;
    uint32_t address = p->r[SP] - 4 * weight(list);
    move_list(p, list, address, false);
    set(p, SP, address);
}

/* B000 to BFFF. */
static void miscellaneous(struct program *p, unsigned op)
{
    unsigned d = op & 7;
    uint32_t b = p->r[op >> 3 & 7];
    if (op < 0xB100) {
        set(p, SP, p->r[SP] + (op & 0x80 ? 0U - 4 * (op & 127) : 4 * (op & 127)));
    } else if (op >= 0xB200 && op < 0xB300) {
        unsigned bits = op & 0x40 ? 8 : 16;
        uint32_t value = b & ((1U << bits) - 1);
        write_register(p, d, op & 0x80 ? value : extended(value, bits));
    } else if ((op & 0xFE00) == 0xB400) {
        push(p, op);
    } else if ((op & 0xFE00) == 0xBC00) {
        unsigned list = (op & 255) | (op & 256) << 7;
        set(p, SP, move_list(p, list, p->r[SP], true));
    } else if ((op & 0xFFC0) == 0xBA00) {
        write_register(p, d, b << 24 | (b & 0xFF00) << 8 | (b >> 8 & 0xFF00) | b >> 24);
    } else if ((op & 0xFFC0) == 0xBA40) {
        write_register(p, d, (b & 0xFF00FF) << 8 | (b >> 8 & 0xFF00FF));
    } else {
        p->wrong = true;
    }
}

static void multiple(struct program *p, unsigned op)
{
    unsigned n = op >> 8 & 7;
    bool loads = op & 0x800;
    uint32_t address = move_list(p, op & 255, p->r[n], loads);
    if (!loads || (op >> n & 1) == 0) {
        set(p, n, address);
    }
}

static void execute(struct program *p, unsigned op)
{
    switch (op >> 12) {
    case 0x0:
    case 0x1:
        shift_or_add(p, op);
        break;
    case 0x2:
    case 0x3:
        with_number(p, op);
        break;
    case 0x4:
        if (op < 0x4400) {
            data_processing(p, op);
        } else if (op < 0x4800) {
            high_registers(p, op);
        } else {
            uint32_t base = (p->r[PC] + 2) & ~3U;
            write_register(p, op >> 8 & 7, load(p, base + 4 * (op & 255), 4));
        }
        break;
    case 0x5:
        at_sum(p, op);
        break;
    case 0x6:
    case 0x7:
    case 0x8:
    case 0x9:
        with_offset(p, op);
        break;
    case 0xA: {
        uint32_t base = op & 0x800 ? p->r[SP] : (p->r[PC] + 2) & ~3U;
        write_register(p, op >> 8 & 7, base + 4 * (op & 255));
        break;
    }
    case 0xB:
        miscellaneous(p, op);
        break;
    case 0xC:
        multiple(p, op);
        break;
    case 0xD:
        if (holds(p, op >> 8 & 15)) {
            jump(p, p->r[PC] + 2 + extended(2 * (op & 255), 9));
        }
        break;
    case 0xE:
        jump(p, p->r[PC] + 2 + extended(2 * (op & 0x7FF), 12));
        break;
    default:
        branch_and_link(p, op);
        break;
    }
}

static bool run(struct leak_test *test, uint32_t routine, uint32_t most)
{
    struct program *p = (struct program *)test;
    p->r[SP] = RAM + RAM_BYTES;
    p->r[LR] = RETURN | 1;
    jump(p, routine);
    for (uint32_t i = 0; i < most && p->r[PC] != RETURN && !p->wrong; i++) {
        p->at = p->r[PC];
        p->r[PC] += 2;
        execute(p, peek(&p->flash[p->at % FLASH_BYTES], 2));
        add_moment(p);
    }
    return !p->wrong;
}

static uint8_t *byte(struct leak_test *test, uint32_t address)
{
    struct program *p = (struct program *)test;
    return &p->ram[(address - RAM) % RAM_BYTES];
}

static bool open_image(struct leak_test *test, const char *image)
{
    struct program *p = (struct program *)test;
    FILE *file = fopen(image, "rb");
    if (file == NULL || fread(p->flash, 1, FLASH_BYTES, file) == 0) {
        fprintf(stderr, "leak_thumb: %s cannot be read\n", image);
        return false;
    }
    return fclose(file) == 0;
}

int main(int argc, char **argv)
{
    static struct program program = {
        .test = {.open = open_image, .byte = byte, .run = run, .leak = {.channel = CHANNELS}}};
    return leak_main(&program.test, argc, argv);
}
