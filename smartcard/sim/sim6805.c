/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * A 6805 with one image, served over the line protocol of monitor.h:
 *
 *     sim6805 [--timing hc05|hmos] [--no-mul] [--ram FIRST-LAST[,FIRST-LAST]...] IMAGE.ihx
 *
 * Clocks are those of the HC05 unless hmos is asked for. With --no-mul the HC05's MUL is an error.
 * RAM is 20-FF unless other ranges are given. Exits with 2 on wrong arguments, 1 when the image
 * cannot be read or the answers cannot be written.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu6805.h"
#include "ihex.h"
#include "monitor.h"

static bool call(void *state, uint32_t address, struct monitor_cost *cost)
{
    struct cpu6805 *cpu = state;
    bool done = cpu6805_call(cpu, (uint16_t)address);
    cost->clocks = cpu->board.clocks;
    cost->stack = (unsigned)(CPU6805_ENTRY_SP - cpu->lowest_sp);
    return done;
}

static bool set_register(void *state, const char *name, uint32_t value)
{
    struct cpu6805 *cpu = state;
    uint8_t *place = strcmp(name, "A") == 0    ? &cpu->a
                     : strcmp(name, "X") == 0  ? &cpu->x
                     : strcmp(name, "CC") == 0 ? &cpu->cc
                                               : NULL;
    if (place == NULL || value > 0xFF) {
        snprintf(cpu->board.error, sizeof cpu->board.error,
                 "no such register or value, expected A, X or CC "
                 "and up to FF");
        return false;
    }
    *place = (uint8_t)value;
    cpu->cc |= FLAGS_UNUSED;
    return true;
}

static void print_registers(void *state)
{
    const struct cpu6805 *cpu = state;
    printf("A=%02X X=%02X CC=%02X\n", (unsigned)cpu->a, (unsigned)cpu->x, (unsigned)cpu->cc);
}

static bool put_rom(void *state, uint16_t address, uint8_t byte)
{
    struct cpu6805 *cpu = state;
    if (cpu->board.kind[address] != ABSENT) {
        fprintf(stderr, "%04X is RAM, or is twice in the image\n", (unsigned)address);
        return false;
    }
    cpu->board.kind[address] = ROM;
    cpu->board.memory[address] = byte;
    return true;
}

/* Ranges as in 20-FF,100-5FF. */
static bool set_ram(struct cpu6805 *cpu, const char *ranges)
{
    char *rest;
    do {
        unsigned long first = strtoul(ranges, &rest, 16);
        if (rest == ranges || *rest != '-') {
            return false;
        }
        ranges = rest + 1;
        unsigned long last = strtoul(ranges, &rest, 16);
        if (rest == ranges || first > last || last >= BOARD_BYTES) {
            return false;
        }
        memset(&cpu->board.kind[first], RAM, last - first + 1);
        ranges = rest + 1;
    } while (*rest == ',');
    return *rest == '\0';
}

static bool set_timing(struct cpu6805 *cpu, const char *name)
{
    cpu->timing = strcmp(name, "hc05") == 0   ? &cpu6805_hc05
                  : strcmp(name, "hmos") == 0 ? &cpu6805_hmos
                                              : NULL;
    return cpu->timing != NULL;
}

/* Reads the options, without the name of the image, which is the last argument. */
static bool read_options(struct cpu6805 *cpu, int count, char **argument)
{
    const char *ram = "20-FF";
    cpu->timing = &cpu6805_hc05;
    for (int i = 0; i < count; i++) {
        bool has_value = i + 1 < count;
        if (strcmp(argument[i], "--no-mul") == 0) {
            cpu->no_mul = true;
        } else if (strcmp(argument[i], "--ram") == 0 && has_value) {
            ram = argument[++i];
        } else if (strcmp(argument[i], "--timing") != 0 || !has_value ||
                   !set_timing(cpu, argument[++i])) {
            return false;
        }
    }
    return set_ram(cpu, ram);
}

int main(int argc, char **argv)
{
    static struct cpu6805 cpu;
    struct monitor_machine machine = board_machine(&cpu);
    machine.call = call;
    machine.set_register = set_register;
    machine.print_registers = print_registers;
    if (argc < 2 || argv[argc - 1][0] == '-' || !read_options(&cpu, argc - 2, argv + 1)) {
        fprintf(stderr, "usage: sim6805 [--timing hc05|hmos] [--no-mul] "
                        "[--ram FIRST-LAST[,FIRST-LAST]...] IMAGE.ihx\n");
        return 2;
    }
    return ihex_read(argv[argc - 1], put_rom, &cpu) ? monitor_run(&machine) : 1;
}
