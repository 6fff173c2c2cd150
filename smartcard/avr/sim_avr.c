/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * An ATmega328P with one image, run by libsimavr and served over the line protocol of monitor.h:
 *
 *     sim_avr IMAGE.ihx
 *
 * load, dump and touched speak of data space: 0-1F are the registers r0..r31, 100-8FF is RAM.
 * touched and stack are ours: libsimavr does not tell them, so each instruction is looked at before
 * it runs. Addresses of call and profile are those of flash, in bytes. I/O registers are no place
 * for data: an access by address to 20-FF is an error. Exits with 2 on wrong arguments, 1 when the
 * image cannot be read or the answers cannot be written.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <simavr/sim_avr.h>
#include <simavr/sim_core.h>

#include "ihex.h"
#include "monitor.h"

enum {
    FLASH_BYTES = 0x8000,
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

struct card {
    avr_t *avr;
    bool image[FLASH_BYTES];
    bool touched[RAM_END];
    uint64_t calls[FLASH_BYTES];
    uint64_t max_clocks[FLASH_BYTES];
    struct frame frame[MAX_DEPTH];
    unsigned depth;
    uint16_t lowest_sp;
    char error[160];
};

/* What of an instruction has to be watched. */
struct access {
    enum { NOTHING, MEMORY, FLASH, CALL, RETURN } kind;
    uint32_t address; /* or the routine that is called */
};

/* libsimavr says on its log that it met an illegal instruction, and goes on. */
static bool complained;

static void log_errors(avr_t *avr, const int level, const char *format, va_list arguments)
{
    (void)avr, (void)format, (void)arguments;
    complained = complained || level == LOG_ERROR;
}

static bool fail(struct card *card, const char *what, uint32_t address)
{
    snprintf(card->error, sizeof card->error, "%s %" PRIX32 " by the instruction at %" PRIX32, what,
             address, card->avr->pc);
    return false;
}

static unsigned flash_word(const struct card *card, uint32_t address)
{
    const uint8_t *flash = &card->avr->flash[address % FLASH_BYTES];
    return flash[0] | (unsigned)flash[1] << 8;
}

static uint32_t pointer(const struct card *card, unsigned low)
{
    return card->avr->data[low] | (uint32_t)card->avr->data[low + 1] << 8;
}

static struct access memory(uint32_t address)
{
    return (struct access){MEMORY, address};
}

/* LD, ST, LDS, STS, LPM, PUSH, POP: 1001 00sd dddd mmmm, s set where it stores. */
static struct access indirect(const struct card *card, unsigned opcode)
{
    uint32_t sp = pointer(card, R_SPL);
    switch (opcode & 15) {
    case 0x0:
        return memory(flash_word(card, card->avr->pc + 2));
    case 0x1:
        return memory(pointer(card, R_ZL));
    case 0x2:
        return memory(pointer(card, R_ZL) - 1);
    case 0x4:
    case 0x5:
        return (struct access){FLASH, pointer(card, R_ZL)};
    case 0x9:
        return memory(pointer(card, R_YL));
    case 0xA:
        return memory(pointer(card, R_YL) - 1);
    case 0xC:
    case 0xD:
        return memory(pointer(card, R_XL));
    case 0xE:
        return memory(pointer(card, R_XL) - 1);
    case 0xF:
        return memory(opcode & 0x200 ? sp : sp + 1);
    default:
        return (struct access){0};
    }
}

/* LDD, STD: 10q0 qqsd dddd yqqq. */
static struct access displaced(const struct card *card, unsigned opcode)
{
    unsigned q = (opcode & 7) | (opcode >> 7 & 0x18) | (opcode >> 8 & 0x20);
    return memory(pointer(card, opcode & 8 ? R_YL : R_ZL) + q);
}

static struct access call_of(const struct card *card, unsigned opcode)
{
    if ((opcode & 0xF000) == 0xD000) { /* RCALL, 12 bits signed */
        uint32_t distance = (opcode & 0xFFF) ^ 0x800;
        return (struct access){CALL, (card->avr->pc + 2 + 2 * (distance - 0x800)) % FLASH_BYTES};
    }
    if (opcode == 0x9509) { /* ICALL */
        return (struct access){CALL, 2 * pointer(card, R_ZL) % FLASH_BYTES};
    }
    return (struct access){CALL, 2 * flash_word(card, card->avr->pc + 2) % FLASH_BYTES};
}

static struct access next_access(const struct card *card)
{
    unsigned opcode = flash_word(card, card->avr->pc);
    if ((opcode & 0xFC00) == 0x9000) {
        return indirect(card, opcode);
    }
    if ((opcode & 0xD000) == 0x8000) {
        return displaced(card, opcode);
    }
    if ((opcode & 0xF000) == 0xD000 || opcode == 0x9509 || (opcode & 0xFE0E) == 0x940E) {
        return call_of(card, opcode);
    }
    if (opcode == 0x9508) {
        return (struct access){RETURN, 0};
    }
    if (opcode == 0x95C8) { /* LPM without operands */
        return (struct access){FLASH, pointer(card, R_ZL)};
    }
    return (struct access){0};
}

/* A register or a byte of RAM; RAM is marked as touched. */
static bool touch(struct card *card, uint32_t address)
{
    if (address >= RAM_END || (address >= REGISTERS && address < RAM_FIRST)) {
        return fail(card, "neither register nor RAM: access to", address);
    }
    card->touched[address] = address >= RAM_FIRST;
    return true;
}

static bool enter(struct card *card, uint32_t routine)
{
    if (card->depth == MAX_DEPTH) {
        return fail(card, "calls too deep: call of", routine);
    }
    card->frame[card->depth++] = (struct frame){routine, card->avr->cycle};
    return true;
}

static void leave(struct card *card)
{
    struct frame frame = card->frame[--card->depth];
    uint64_t clocks = card->avr->cycle - frame.start;
    card->calls[frame.routine]++;
    if (clocks > card->max_clocks[frame.routine]) {
        card->max_clocks[frame.routine] = clocks;
    }
}

/* What has to be known of an instruction before it runs. */
static bool watch(struct card *card, struct access access)
{
    uint32_t sp = pointer(card, R_SPL);
    switch (access.kind) {
    case NOTHING:
        return true;
    case MEMORY:
        return touch(card, access.address);
    case FLASH:
        return (access.address < FLASH_BYTES && card->image[access.address]) ||
               fail(card, "not in the image: flash is read at", access.address);
    case CALL:
        return touch(card, sp) && touch(card, sp - 1);
    case RETURN:
        return touch(card, sp + 1) && touch(card, sp + 2);
    }
    return true;
}

/* Runs one instruction, which libsimavr counts. */
static bool step(struct card *card)
{
    avr_t *avr = card->avr;
    if (avr->pc >= FLASH_BYTES || !card->image[avr->pc]) {
        return fail(card, "not in the image: an instruction is fetched at", avr->pc);
    }
    struct access access = next_access(card);
    if (!watch(card, access)) {
        return false;
    }
    complained = false;
    avr->run_cycle_count = 0; /* one instruction only */
    avr->pc = avr_run_one(avr);
    if (avr->state != cpu_Running || complained) {
        return fail(card, "illegal instruction or sleep; next would be", avr->pc);
    }
    uint32_t sp = pointer(card, R_SPL);
    if (sp < card->lowest_sp) {
        card->lowest_sp = (uint16_t)sp;
    }
    if (access.kind == RETURN) {
        leave(card);
    }
    return access.kind != CALL || enter(card, access.address);
}

static void start(struct card *card, uint32_t address)
{
    avr_t *avr = card->avr;
    uint32_t sp = RAM_END - 1;
    avr->data[sp] = RETURN_TO / 2 % 256;
    avr->data[sp - 1] = RETURN_TO / 2 / 256;
    card->lowest_sp = (uint16_t)(sp - 2);
    _avr_sp_set(avr, card->lowest_sp);
    avr->state = cpu_Running;
    avr->pc = address;
    card->depth = 0;
}

static bool call(void *state, uint32_t address, struct monitor_cost *cost)
{
    struct card *card = state;
    avr_t *avr = card->avr;
    start(card, address);
    uint16_t entry_sp = card->lowest_sp;
    uint64_t first = avr->cycle;
    enter(card, address);
    while (card->depth > 0) {
        if (!step(card)) {
            return false;
        }
        if (avr->cycle - first > MAX_CLOCKS) {
            return fail(card, "no return after 10 million clocks: call of", address);
        }
    }
    if (avr->pc != RETURN_TO) {
        return fail(card, "the stack is wrong on the return to", avr->pc);
    }
    *cost = (struct monitor_cost){avr->cycle - first, (unsigned)(entry_sp - card->lowest_sp)};
    return true;
}

static bool is_data(struct card *card, uint32_t address)
{
    if (address < REGISTERS || (address >= RAM_FIRST && address < RAM_END)) {
        return true;
    }
    snprintf(card->error, sizeof card->error, "address %" PRIX32 ", expected 0-1F or 100-8FF",
             address);
    return false;
}

static bool load(void *state, uint32_t address, uint8_t byte)
{
    struct card *card = state;
    if (is_data(card, address)) {
        card->avr->data[address] = byte;
        return true;
    }
    return false;
}

static bool dump(void *state, uint32_t address, uint8_t *byte)
{
    struct card *card = state;
    if (is_data(card, address)) {
        *byte = card->avr->data[address];
        return true;
    }
    return false;
}

static bool touched(void *state, uint32_t address)
{
    const struct card *card = state;
    return address < RAM_END && card->touched[address];
}

static struct monitor_profile profile(void *state, uint32_t address)
{
    const struct card *card = state;
    return (struct monitor_profile){card->calls[address], card->max_clocks[address]};
}

static void forget(void *state)
{
    struct card *card = state;
    memset(card->touched, 0, sizeof card->touched);
    memset(card->calls, 0, sizeof card->calls);
    memset(card->max_clocks, 0, sizeof card->max_clocks);
}

static const char *error(void *state)
{
    const struct card *card = state;
    return card->error;
}

static bool put_flash(void *state, uint16_t address, uint8_t byte)
{
    struct card *card = state;
    if (address >= RETURN_TO || card->image[address]) {
        fprintf(stderr, "%04X is beyond the flash, or is twice in the image\n", (unsigned)address);
        return false;
    }
    card->image[address] = true;
    card->avr->flash[address] = byte;
    return true;
}

int main(int argc, char **argv)
{
    static struct card card;
    static const struct monitor_machine machine = {
        .state = &card,
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
    card.avr = avr_make_mcu_by_name("atmega328p");
    if (card.avr == NULL || avr_init(card.avr) != 0) {
        fprintf(stderr, "sim_avr: libsimavr has no atmega328p\n");
        return 1;
    }
    card.avr->codeend = FLASH_BYTES;
    return ihex_read(argv[1], put_flash, &card) ? monitor_run(&machine) : 1;
}
