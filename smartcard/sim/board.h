/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The surroundings of an 8-bit processor with 64 KB of addresses: memory, what of it calls have
 * touched, the profile of routines, and the first error of a call.
 *
 * A byte is RAM, or image (ROM), or absent. Things that a real processor would do silently are
 * errors here: to write to ROM, to read an absent byte, to execute one that is not in the image.
 */
#ifndef MANYFISH_SMARTCARD_BOARD_H
#define MANYFISH_SMARTCARD_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "monitor.h"

enum {
    BOARD_BYTES = 0x10000,
    BOARD_MAX_FRAMES = 0x80,    /* of routines: a stack of 256 bytes has no more return addresses */
    BOARD_MAX_CLOCKS = 10000000 /* of one call */
};

enum board_kind { ABSENT, RAM, ROM };

/* A routine that was called and has not returned. */
struct board_frame {
    uint16_t routine;
    uint8_t sp; /* at its entry */
    uint64_t start;
};

struct board {
    uint64_t clocks; /* since the call */
    char error[100]; /* of this call; empty: none */
    uint8_t memory[BOARD_BYTES];
    uint8_t kind[BOARD_BYTES];        /* enum board_kind */
    bool touched[BOARD_BYTES];        /* RAM that calls have read or written */
    uint64_t calls[BOARD_BYTES];      /* of the routine at each address */
    uint64_t max_clocks[BOARD_BYTES]; /* of its longest run, with all that it calls */
    struct board_frame frame[BOARD_MAX_FRAMES];
    unsigned frames;
};

/* Before a call: no clocks, no error, no frames. */
void board_start(struct board *board);

/* The first error counts, and is where the call ends. */
__attribute__((format(printf, 2, 3))) void board_fail(struct board *board, const char *format, ...);

/* A byte of data, or of the image as an instruction or its operand. Here, for speed. */
static inline uint8_t board_read(struct board *board, uint16_t address)
{
    if (board->kind[address] == ABSENT) {
        board_fail(board, "read of %04X, expected an address in RAM or in the image",
                   (unsigned)address);
    }
    board->touched[address] = board->kind[address] == RAM;
    return board->memory[address];
}

static inline void board_write(struct board *board, uint16_t address, uint8_t value)
{
    if (board->kind[address] != RAM) {
        board_fail(board, "write to %04X, expected an address in RAM", (unsigned)address);
        return;
    }
    board->touched[address] = true;
    board->memory[address] = value;
}

static inline uint8_t board_fetch(struct board *board, uint16_t address)
{
    if (board->kind[address] != ROM) {
        board_fail(board, "execution of %04X, expected an address in the image", (unsigned)address);
    }
    return board->memory[address];
}

/*
 * At the entry of a routine, whose return address is on the stack, and before that is taken from it
 * again. Routines whose stack is gone then count as calls without an end.
 */
void board_enter(struct board *board, uint16_t routine, uint8_t sp);
void board_leave(struct board *board, uint8_t sp);

/*
 * The part of the monitor's machine that the board does; call and the registers are left to be
 * filled in.
 * The processor is handed to each function: a pointer to a struct whose first member is its board.
 */
struct monitor_machine board_machine(void *processor);

#endif
