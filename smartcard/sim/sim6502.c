/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A 6502 with one image, served over the line protocol of monitor.h:
 *
 *     sim6502 RAM-LAST ROM-FIRST IMAGE
 *
 * RAM is from 0 to RAM-LAST. The image is a file of bytes that stand from ROM-FIRST on. Both are
 * hexadecimal. Exits with 2 on wrong arguments, 1 when the image cannot be read or the answers
 * cannot be written.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu6502.h"
#include "monitor.h"

static bool load(void *state, uint32_t address, uint8_t byte)
{
    struct cpu6502 *cpu = state;
    if (address >= CPU6502_MEMORY || cpu->kind[address] != CPU6502_RAM) {
        snprintf(cpu->error, sizeof cpu->error, "load to %" PRIX32 ", expected an address in RAM",
                 address);
        return false;
    }
    cpu->memory[address] = byte;
    return true;
}

static bool dump(void *state, uint32_t address, uint8_t *byte)
{
    struct cpu6502 *cpu = state;
    if (address >= CPU6502_MEMORY || cpu->kind[address] == CPU6502_ABSENT) {
        snprintf(cpu->error, sizeof cpu->error,
                 "dump of %" PRIX32 ", expected an address in RAM or in the image", address);
        return false;
    }
    *byte = cpu->memory[address];
    return true;
}

static bool call(void *state, uint32_t address, struct monitor_cost *cost)
{
    struct cpu6502 *cpu = state;
    bool done = cpu6502_call(cpu, (uint16_t)address);
    cost->clocks = cpu->clocks;
    cost->stack = (unsigned)(CPU6502_ENTRY_SP - cpu->lowest_sp);
    return done;
}

static bool touched(void *state, uint32_t address)
{
    const struct cpu6502 *cpu = state;
    return cpu->touched[address];
}

static struct monitor_profile profile(void *state, uint32_t address)
{
    const struct cpu6502 *cpu = state;
    return (struct monitor_profile){cpu->calls[address], cpu->max_clocks[address]};
}

static void forget(void *state)
{
    struct cpu6502 *cpu = state;
    memset(cpu->touched, 0, sizeof cpu->touched);
    memset(cpu->calls, 0, sizeof cpu->calls);
    memset(cpu->max_clocks, 0, sizeof cpu->max_clocks);
}

static const char *error(void *state)
{
    const struct cpu6502 *cpu = state;
    return cpu->error;
}

static bool set_register(void *state, const char *name, uint32_t value)
{
    struct cpu6502 *cpu = state;
    uint8_t *place = strcmp(name, "A") == 0   ? &cpu->a
                     : strcmp(name, "X") == 0 ? &cpu->x
                     : strcmp(name, "Y") == 0 ? &cpu->y
                     : strcmp(name, "P") == 0 ? &cpu->p
                                              : NULL;
    if (place == NULL || value > 0xFF || (place == &cpu->p && (value & CPU6502_D) != 0)) {
        snprintf(cpu->error, sizeof cpu->error,
                 "no such register or value, expected A, X, Y or P (without D) and up to FF");
        return false;
    }
    *place = (uint8_t)value;
    cpu->p &= (uint8_t)~CPU6502_PUSHED;
    return true;
}

static void print_registers(void *state)
{
    const struct cpu6502 *cpu = state;
    printf("A=%02X X=%02X Y=%02X P=%02X\n", (unsigned)cpu->a, (unsigned)cpu->x, (unsigned)cpu->y,
           (unsigned)cpu->p);
}

static bool read_address(const char *text, unsigned long *address)
{
    char *rest;
    *address = strtoul(text, &rest, 16);
    return rest != text && *rest == '\0' && *address < CPU6502_MEMORY;
}

static bool read_image(struct cpu6502 *cpu, unsigned long first, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return false;
    }
    size_t count = fread(&cpu->memory[first], 1, CPU6502_MEMORY - first, file);
    bool whole = !ferror(file) && fgetc(file) == EOF && !ferror(file);
    fclose(file);
    if (!whole || count == 0) {
        fprintf(stderr, "%s: cannot be read, or does not fit from %lX to FFFF\n", path, first);
        return false;
    }
    memset(&cpu->kind[first], CPU6502_ROM, count);
    return true;
}

int main(int argc, char **argv)
{
    static struct cpu6502 cpu;
    static const struct monitor_machine machine = {
        .state = &cpu,
        .memory = CPU6502_MEMORY,
        .load = load,
        .dump = dump,
        .call = call,
        .touched = touched,
        .forget = forget,
        .error = error,
        .profile = profile,
        .set_register = set_register,
        .print_registers = print_registers,
    };
    unsigned long ram_last;
    unsigned long rom_first;
    if (argc != 4 || !read_address(argv[1], &ram_last) || !read_address(argv[2], &rom_first) ||
        ram_last >= rom_first) {
        fprintf(stderr, "usage: sim6502 RAM-LAST ROM-FIRST IMAGE\n");
        return 2;
    }
    memset(cpu.kind, CPU6502_RAM, ram_last + 1);
    return read_image(&cpu, rom_first, argv[3]) ? monitor_run(&machine) : 1;
}
