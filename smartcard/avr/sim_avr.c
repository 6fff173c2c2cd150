/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * An ATmega328P with one image, run by libsimavr and served over the line protocol of monitor.h:
 *
 *     sim_avr IMAGE.ihx
 *
 * load, dump and touched speak of data space: 0-1F are the registers r0..r31, 100-8FF is RAM.
 * touched and stack are ours: libsimavr does not tell them, so each instruction is looked at before
 * it runs. Addresses of call and profile are those of flash, in bytes. I/O registers are no place
 * for data: an access by address to 20-FF is an error. IN of port 2B gives a random byte, the same
 * ones in each run. Exits with 2 on wrong arguments, 1 when the
 * image cannot be read or the answers cannot be written.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <simavr/sim_avr.h>
#include <simavr/sim_core.h>

#include "access.h"
#include "ihex.h"
#include "monitor.h"
#include "xorshift.h"

enum {
    REGISTERS = 0x20,
    RAM_FIRST = 0x100,
    RAM_END = 0x900,
    RETURN_TO = FLASH_BYTES - 2, /* where no image has code */
    MAX_CLOCKS = 10000000,
    MAX_DEPTH = 64
};

struct frame {
    uint32_t routine;
    uint64_t start;
};

struct program {
    avr_t *avr;
    bool image[FLASH_BYTES];
    bool touched[RAM_END];
    uint64_t calls[FLASH_BYTES];
    uint64_t max_clocks[FLASH_BYTES];
    struct frame frame[MAX_DEPTH];
    unsigned depth;
    uint16_t lowest_sp;
    uint64_t random;
    char error[160];
};

/* libsimavr says on its log that it met an illegal instruction, and goes on. */
static bool complained;

static void log_errors(avr_t *avr, const int level, const char *format, va_list arguments)
{
    (void)avr, (void)format, (void)arguments;
    complained = complained || level == LOG_ERROR;
}

static bool fail(struct program *program, const char *what, uint32_t address)
{
    snprintf(program->error, sizeof program->error, "%s %" PRIX32 " by the instruction at %" PRIX32,
             what, address, program->avr->pc);
    return false;
}

/* A register or a byte of RAM; RAM is marked as touched. */
static bool touch(struct program *program, uint32_t address)
{
    if (address >= RAM_END || (address >= REGISTERS && address < RAM_FIRST)) {
        return fail(program, "neither register nor RAM: access to", address);
    }
    program->touched[address] = address >= RAM_FIRST;
    return true;
}

static bool enter(struct program *program, uint32_t routine)
{
    if (program->depth == MAX_DEPTH) {
        return fail(program, "calls too deep: call of", routine);
    }
    program->frame[program->depth++] = (struct frame){routine, program->avr->cycle};
    return true;
}

static void leave(struct program *program)
{
    struct frame frame = program->frame[--program->depth];
    uint64_t clocks = program->avr->cycle - frame.start;
    program->calls[frame.routine]++;
    if (clocks > program->max_clocks[frame.routine]) {
        program->max_clocks[frame.routine] = clocks;
    }
}

/* The facts that must be known of an instruction before it runs. */
static bool watch(struct program *program, struct access access)
{
    uint32_t sp = avr_pointer(program->avr, R_SPL);
    switch (access.kind) {
    case NOTHING:
        return true;
    case MEMORY:
        return touch(program, access.address);
    case FLASH:
        return (access.address < FLASH_BYTES && program->image[access.address]) ||
               fail(program, "not in the image: flash is read at", access.address);
    case CALL:
        return touch(program, sp) && touch(program, sp - 1);
    case RETURN:
        return touch(program, sp + 1) && touch(program, sp + 2);
    }
    return true;
}

/* Runs one instruction, which libsimavr counts. */
static bool step(struct program *program)
{
    avr_t *avr = program->avr;
    if (avr->pc >= FLASH_BYTES || !program->image[avr->pc]) {
        return fail(program, "not in the image: an instruction is fetched at", avr->pc);
    }
    struct access access = next_access(avr);
    if (!watch(program, access)) {
        return false;
    }
    complained = false;
    avr->run_cycle_count = 0; /* one instruction only */
    avr->pc = avr_run_one(avr);
    if (avr->state != cpu_Running || complained) {
        return fail(program, "illegal instruction or sleep; next would be", avr->pc);
    }
    uint32_t sp = avr_pointer(program->avr, R_SPL);
    if (sp < program->lowest_sp) {
        program->lowest_sp = (uint16_t)sp;
    }
    if (access.kind == RETURN) {
        leave(program);
    }
    return access.kind != CALL || enter(program, access.address);
}

static void start(struct program *program, uint32_t address)
{
    avr_t *avr = program->avr;
    uint32_t sp = RAM_END - 1;
    avr->data[sp] = RETURN_TO / 2 % 256;
    avr->data[sp - 1] = RETURN_TO / 2 / 256;
    program->lowest_sp = (uint16_t)(sp - 2);
    _avr_sp_set(avr, program->lowest_sp);
    avr->state = cpu_Running;
    avr->pc = address;
    program->depth = 0;
}

static bool call(void *state, uint32_t address, struct monitor_cost *cost)
{
    struct program *program = state;
    avr_t *avr = program->avr;
    start(program, address);
    uint16_t entry_sp = program->lowest_sp;
    uint64_t first = avr->cycle;
    enter(program, address);
    while (program->depth > 0) {
        if (!step(program)) {
            return false;
        }
        if (avr->cycle - first > MAX_CLOCKS) {
            return fail(program, "no return after 10 million clocks: call of", address);
        }
    }
    if (avr->pc != RETURN_TO) {
        return fail(program, "the stack is wrong on the return to", avr->pc);
    }
    *cost = (struct monitor_cost){avr->cycle - first, (unsigned)(entry_sp - program->lowest_sp)};
    return true;
}

static bool is_data(struct program *program, uint32_t address)
{
    if (address < REGISTERS || (address >= RAM_FIRST && address < RAM_END)) {
        return true;
    }
    snprintf(program->error, sizeof program->error, "address %" PRIX32 ", expected 0-1F or 100-8FF",
             address);
    return false;
}

static bool load(void *state, uint32_t address, uint8_t byte)
{
    struct program *program = state;
    if (is_data(program, address)) {
        program->avr->data[address] = byte;
        return true;
    }
    return false;
}

static bool dump(void *state, uint32_t address, uint8_t *byte)
{
    struct program *program = state;
    if (is_data(program, address)) {
        *byte = program->avr->data[address];
        return true;
    }
    return false;
}

static bool touched(void *state, uint32_t address)
{
    const struct program *program = state;
    return address < RAM_END && program->touched[address];
}

static struct monitor_profile profile(void *state, uint32_t address)
{
    const struct program *program = state;
    return (struct monitor_profile){program->calls[address], program->max_clocks[address]};
}

static void forget(void *state)
{
    struct program *program = state;
    memset(program->touched, 0, sizeof program->touched);
    memset(program->calls, 0, sizeof program->calls);
    memset(program->max_clocks, 0, sizeof program->max_clocks);
}

static const char *error(void *state)
{
    const struct program *program = state;
    return program->error;
}

static bool put_flash(void *state, uint16_t address, uint8_t byte)
{
    struct program *program = state;
    if (address >= RETURN_TO || program->image[address]) {
        fprintf(stderr, "%04X is beyond the flash, or is twice in the image\n", (unsigned)address);
        return false;
    }
    program->image[address] = true;
    program->avr->flash[address] = byte;
    return true;
}

static uint8_t random_byte(avr_t *avr, avr_io_addr_t address, void *state)
{
    (void)avr, (void)address;
    struct program *program = state;
    return xorshift_byte(&program->random);
}

int main(int argc, char **argv)
{
    static struct program program = {.random = 1998};
    static const struct monitor_machine machine = {
        .state = &program,
        .memory = FLASH_BYTES,
        .load = load,
        .dump = dump,
        .call = call,
        .touched = touched,
        .forget = forget,
        .error = error,
        .profile = profile,
    };
    if (argc != 2 || argv[1][0] == '-') {
        fprintf(stderr, "usage: sim_avr IMAGE.ihx\n");
        return 2;
    }
    avr_global_logger_set(log_errors);
    program.avr = avr_open();
    if (program.avr == NULL) {
        fprintf(stderr, "sim_avr: libsimavr has no atmega328p\n");
        return 1;
    }
    avr_register_io_read(program.avr, RANDOM_PORT, random_byte, &program);
    return ihex_read(argv[1], put_flash, &program) ? monitor_run(&machine) : 1;
}
