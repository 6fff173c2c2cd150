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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu6502.h"
#include "monitor.h"

static bool call(void *state, uint32_t address, struct monitor_cost *cost)
{
    struct cpu6502 *cpu = state;
    bool done = cpu6502_call(cpu, (uint16_t)address);
    cost->clocks = cpu->board.clocks;
    cost->stack = (unsigned)(CPU6502_ENTRY_SP - cpu->lowest_sp);
    return done;
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
        snprintf(cpu->board.error, sizeof cpu->board.error,
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
    return rest != text && *rest == '\0' && *address < BOARD_BYTES;
}

static bool read_image(struct cpu6502 *cpu, unsigned long first, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return false;
    }
    size_t count = fread(&cpu->board.memory[first], 1, BOARD_BYTES - first, file);
    bool whole = !ferror(file) && fgetc(file) == EOF && !ferror(file);
    fclose(file);
    if (!whole || count == 0) {
        fprintf(stderr, "%s: cannot be read, or does not fit from %lX to FFFF\n", path, first);
        return false;
    }
    memset(&cpu->board.kind[first], ROM, count);
    return true;
}

int main(int argc, char **argv)
{
    static struct cpu6502 cpu;
    struct monitor_machine machine = board_machine(&cpu);
    machine.call = call;
    machine.set_register = set_register;
    machine.print_registers = print_registers;
    unsigned long ram_last;
    unsigned long rom_first;
    if (argc != 4 || !read_address(argv[1], &ram_last) || !read_address(argv[2], &rom_first) ||
        ram_last >= rom_first) {
        fprintf(stderr, "usage: sim6502 RAM-LAST ROM-FIRST IMAGE\n");
        return 2;
    }
    memset(cpu.board.kind, RAM, ram_last + 1);
    return read_image(&cpu, rom_first, argv[3]) ? monitor_run(&machine) : 1;
}
