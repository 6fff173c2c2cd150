/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The fixed-versus-random test of leak.h on an ATmega328P, of which libsimavr makes the traces.
 * Routines are by their addresses in flash; IN of port 2B gives a random byte.
 *
 * The channels of the model, all without noise:
 *     value     Hamming weight of what is written to a register or a pair, or to RAM
 *     register  Hamming distance of all registers and flags from what they held before
 *     memory    Hamming distance of a byte of RAM that is written from what it held before
 *     bus       Hamming distance of a byte that is read from RAM or written from the one before it
 *     result    Hamming distance of a written value from the one that was written before it
 */
#include <stdio.h>
#include <string.h>

#include "access.h"
#include "ihex.h"
#include "leak.h"

enum {
    RAM_END = 0x900,
    RETURN_TO = FLASH_BYTES - 2,
    REGISTER_WORDS = 5 /* 32 registers and 8 flags */
};

enum { VALUE, REGISTER, MEMORY_CELL, BUS, RESULT };
static const char *const CHANNELS[LEAK_CHANNELS] = {"value", "register", "memory", "bus", "result"};

struct program {
    struct leak_test test; /* the first, so that it stands for the program */
    avr_t *avr;
    uint8_t bus;     /* the byte that was there last */
    uint16_t result; /* the value that was written last */
};

static uint8_t read_port(avr_t *avr, avr_io_addr_t address, void *state)
{
    (void)avr, (void)address;
    struct program *program = state;
    return leak_program_random(&program->test);
}

static unsigned weight(uint64_t bits)
{
    unsigned sum = 0;
    for (; bits != 0; bits &= bits - 1) {
        sum++;
    }
    return sum;
}

/* The registers that an instruction writes besides pointers: the first and how many. */
struct target {
    unsigned first;
    unsigned count;
};

/* 0000 to 2FFF: two registers. */
static struct target of_two(unsigned opcode)
{
    unsigned d = opcode >> 4 & 31;
    switch (opcode >> 10) {
    case 0x0:
        return opcode >= 0x200 ? (struct target){0, 2} : (struct target){2 * (opcode >> 4 & 15), 2};
    case 0x1: /* CPC */
    case 0x4: /* CPSE */
    case 0x5: /* CP */
        return (struct target){0, 0};
    default:
        return (struct target){d, 1};
    }
}

/* 9000 to 9FFF: loads and stores, one register, pairs with a number, MUL. */
static struct target of_one(unsigned opcode)
{
    unsigned d = opcode >> 4 & 31;
    if (opcode >= 0x9C00) {
        return (struct target){0, 2};
    }
    if (opcode >= 0x9800) {
        return (struct target){0, 0};
    }
    if (opcode >= 0x9600) {
        return (struct target){24 + 2 * (opcode >> 4 & 3), 2};
    }
    if (opcode >= 0x9400) {
        bool writes = (opcode & 15) < 8 || (opcode & 15) == 10;
        return (struct target){d, writes && (opcode & 15) != 4};
    }
    return (struct target){d, opcode < 0x9200};
}

static struct target target(unsigned opcode)
{
    unsigned upper = 16 + (opcode >> 4 & 15);
    switch (opcode >> 12) {
    case 0x0:
    case 0x1:
    case 0x2:
        return of_two(opcode);
    case 0x4:
    case 0x5:
    case 0x6:
    case 0x7:
    case 0xE:
        return (struct target){upper, 1};
    case 0x8:
    case 0xA:
        return (struct target){opcode >> 4 & 31, (opcode & 0x200) == 0};
    case 0x9:
        return of_one(opcode);
    case 0xB:
        return (struct target){opcode >> 4 & 31, opcode < 0xB800};
    case 0xF:
        return (struct target){opcode >> 4 & 31, opcode >= 0xF800 && opcode < 0xFA00};
    default:
        return (struct target){0, 0};
    }
}

static void read_registers(const avr_t *avr, uint64_t words[REGISTER_WORDS])
{
    memcpy(words, avr->data, 32);
    memcpy(&words[4], avr->sreg, 8);
}

static uint16_t read_target(const avr_t *avr, struct target written)
{
    uint16_t value = 0;
    for (unsigned i = 0; i < written.count; i++) {
        value = (uint16_t)(value | avr->data[written.first + i] << 8 * i);
    }
    return value;
}

static void sample_result(struct program *program, uint16_t value, uint8_t *sample)
{
    sample[VALUE] = (uint8_t)weight(value);
    sample[RESULT] = (uint8_t)weight(program->result ^ value);
    program->result = value;
}

static void sample_memory(struct program *program, uint8_t before, uint8_t after, uint8_t *sample)
{
    sample[MEMORY_CELL] = (uint8_t)weight(before ^ after);
    sample[BUS] = (uint8_t)weight(program->bus ^ after);
    program->bus = after;
}

static uint8_t distance(const uint64_t *before, const uint64_t *after)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < REGISTER_WORDS; i++) {
        sum += weight(before[i] ^ after[i]);
    }
    return (uint8_t)sum;
}

/* Runs one instruction and adds its samples. */
static bool step(struct program *program)
{
    avr_t *avr = program->avr;
    uint32_t place = avr->pc;
    struct target written = target(avr->flash[place] | (unsigned)avr->flash[place + 1] << 8);
    struct access access = next_access(avr);
    bool memory = access.kind == MEMORY;
    uint32_t cell = access.address % RAM_END;
    uint8_t was = avr->data[cell];
    uint64_t before[REGISTER_WORDS], after[REGISTER_WORDS];
    uint8_t sample[LEAK_CHANNELS] = {0};

    read_registers(avr, before);
    avr->run_cycle_count = 0; /* one instruction only */
    avr->pc = avr_run_one(avr);
    read_registers(avr, after);
    sample[REGISTER] = distance(before, after);
    if (memory) {
        sample_memory(program, was, avr->data[cell], sample);
    }
    if (memory || written.count) {
        sample_result(program, memory ? avr->data[cell] : read_target(avr, written), sample);
    }
    return leak_add(&program->test.leak, place, sample);
}

static bool run(struct leak_test *test, uint32_t routine, uint32_t most)
{
    struct program *program = (struct program *)test;
    avr_t *avr = program->avr;
    avr->data[RAM_END - 1] = RETURN_TO / 2 % 256;
    avr->data[RAM_END - 2] = RETURN_TO / 2 / 256;
    _avr_sp_set(avr, RAM_END - 3);
    avr->state = cpu_Running;
    avr->pc = routine;
    for (uint32_t i = 0; i < most && avr->pc != RETURN_TO; i++) {
        if (avr->pc >= RETURN_TO || !step(program)) {
            return false;
        }
    }
    return true;
}

static uint8_t *byte(struct leak_test *test, uint32_t address)
{
    const struct program *program = (const struct program *)test;
    return &program->avr->data[address % RAM_END];
}

static bool put_flash(void *state, uint16_t address, uint8_t byte)
{
    const struct program *program = state;
    program->avr->flash[address % FLASH_BYTES] = byte;
    return true;
}

static bool open_image(struct leak_test *test, const char *image)
{
    struct program *program = (struct program *)test;
    program->avr = avr_open();
    if (program->avr == NULL) {
        fprintf(stderr, "leak_avr: libsimavr has no atmega328p\n");
        return false;
    }
    avr_register_io_read(program->avr, RANDOM_PORT, read_port, program);
    return ihex_read(image, put_flash, program);
}

int main(int argc, char **argv)
{
    static struct program program = {
        .test = {.open = open_image, .byte = byte, .run = run, .leak = {.channel = CHANNELS}}};
    return leak_main(&program.test, argc, argv);
}
