/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Memory and its bookkeeping; the processors are in cpu6805.c and cpu6502.c. */
#include "board.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void board_start(struct board *board)
{
    board->clocks = 0;
    board->error[0] = '\0';
    board->frames = 0;
}

void board_fail(struct board *board, const char *format, ...)
{
    va_list arguments;
    if (board->error[0] == '\0') {
        va_start(arguments, format);
        vsnprintf(board->error, sizeof board->error, format, arguments);
        va_end(arguments);
    }
}

static struct board_frame *innermost(struct board *board)
{
    return board->frames > 0 ? &board->frame[board->frames - 1] : NULL;
}

/* Forgets the frames of routines that will not return: those with an SP below this one. */
static void abandon(struct board *board, unsigned sp)
{
    while (board->frames > 0 && innermost(board)->sp < sp) {
        board->frames--;
    }
}

void board_enter(struct board *board, uint16_t routine, uint8_t sp)
{
    abandon(board, sp + 1U);
    if (board->error[0] == '\0') {
        board->frame[board->frames++] = (struct board_frame){routine, sp, board->clocks};
        board->calls[routine]++;
    }
}

void board_leave(struct board *board, uint8_t sp)
{
    abandon(board, sp);
    const struct board_frame *frame = innermost(board);
    if (frame != NULL && frame->sp == sp) {
        uint64_t clocks = board->clocks - frame->start;
        if (clocks > board->max_clocks[frame->routine]) {
            board->max_clocks[frame->routine] = clocks;
        }
        board->frames--;
    }
}

/* For the monitor */

static bool load(void *state, uint32_t address, uint8_t byte)
{
    struct board *board = state;
    if (address >= BOARD_BYTES || board->kind[address] != RAM) {
        snprintf(board->error, sizeof board->error,
                 "load to %" PRIX32 ", expected an address in RAM", address);
        return false;
    }
    board->memory[address] = byte;
    return true;
}

static bool dump(void *state, uint32_t address, uint8_t *byte)
{
    struct board *board = state;
    if (address >= BOARD_BYTES || board->kind[address] == ABSENT) {
        snprintf(board->error, sizeof board->error,
                 "dump of %" PRIX32 ", expected an address in RAM or in the image", address);
        return false;
    }
    *byte = board->memory[address];
    return true;
}

static bool touched(void *state, uint32_t address)
{
    const struct board *board = state;
    return board->touched[address];
}

static void forget(void *state)
{
    struct board *board = state;
    memset(board->touched, 0, sizeof board->touched);
    memset(board->calls, 0, sizeof board->calls);
    memset(board->max_clocks, 0, sizeof board->max_clocks);
}

static const char *error(void *state)
{
    const struct board *board = state;
    return board->error;
}

static struct monitor_profile profile(void *state, uint32_t address)
{
    const struct board *board = state;
    return (struct monitor_profile){board->calls[address], board->max_clocks[address]};
}

struct monitor_machine board_machine(void *processor)
{
    return (struct monitor_machine){
        .state = processor,
        .memory = BOARD_BYTES,
        .load = load,
        .dump = dump,
        .touched = touched,
        .forget = forget,
        .error = error,
        .profile = profile,
    };
}
