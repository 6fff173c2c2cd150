/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The line protocol that all simulators in C speak: one command a line on standard input, one
 * line of answer on standard output. A simulator fills in struct monitor_machine and calls
 * monitor_run. Numbers are hexadecimal in commands and in addresses, decimal in costs.
 *
 *     load ADDRESS HEX        ok              bytes into RAM
 *     dump ADDRESS COUNT      HEX             bytes of RAM or of the image
 *     call ADDRESS            clocks=N stack=N a subroutine, to its return: clocks from its first
 *                             instruction to its return, both included; bytes of stack below its
 *                             entry, without the return address of the call
 *     touched                 80-A3 C0-C1     bytes of RAM that calls read or wrote since forget
 *     profile                 ADDRESS:CALLS:MAXCLOCKS ...
 *                             each routine that was called since forget, the clocks of its longest
 *                             run with all that it calls
 *     forget                  ok              empties touched and profile
 *     registers [NAME=HEX...] NAME=HEX ...    sets registers, shows all
 *
 * A fault is answered by `error: ` and one line; the next command is read as ever.
 */
#ifndef MANYFISH_SMARTCARD_MONITOR_H
#define MANYFISH_SMARTCARD_MONITOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct monitor_cost {
    uint64_t clocks;
    unsigned stack; /* bytes */
};

struct monitor_profile {
    uint64_t calls;
    uint64_t max_clocks;
};

/*
 * A machine with one image in it. Functions that return bool return false when they could not do
 * it; error() then says why, in one line without its end. Addresses are below `memory`.
 */
struct monitor_machine {
    void *state;     /* handed to each function */
    uint32_t memory; /* addresses, RAM and image together */
    bool (*load)(void *state, uint32_t address, uint8_t byte);
    bool (*dump)(void *state, uint32_t address, uint8_t *byte);
    bool (*call)(void *state, uint32_t address, struct monitor_cost *cost);
    bool (*touched)(void *state, uint32_t address);
    void (*forget)(void *state);
    const char *(*error)(void *state);
    struct monitor_profile (*profile)(void *state, uint32_t address);
    /* NULL where the machine does not show its registers. */
    bool (*set_register)(void *state, const char *name, uint32_t value);
    void (*print_registers)(void *state);
};

/*
 * Serves standard input to its end. Returns the exit status of the program: 0, or 1 if the answers
 * could not be written or the commands not be read.
 */
int monitor_run(const struct monitor_machine *machine);

#endif
