/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/*
 * The fixed-versus-random test on simulated traces [Goodwill11]. A trace has a moment for each
 * instruction, and a moment has a sample for each channel of the leakage model. Traces belong to
 * one of two groups, fixed or random, and to one of two halves, whose t-values are computed apart:
 * a sample leaks if Welch's t exceeds the threshold in both halves, with the same sign.
 *
 * Sums are kept, not traces. All traces must run through the same instructions.
 */
#ifndef MANYFISH_SMARTCARD_LEAK_H
#define MANYFISH_SMARTCARD_LEAK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LEAK_THRESHOLD 4.5

enum { LEAK_CHANNELS = 5 };

struct leak_sum {
    uint32_t value;
    uint32_t square;
};

/* Zeroed at first. */
struct leak {
    const char *const *channel; /* their names */
    struct leak_sum *sum[4];    /* by 2 half + group; LEAK_CHANNELS for each moment */
    uint32_t traces[4];
    uint32_t *place; /* of the instruction of each moment */
    size_t room;     /* moments */
    size_t moments;  /* of the first trace */
    size_t now;      /* of this trace */
    unsigned which;  /* 2 half + group of this trace */
    uint32_t random; /* bytes that the program has drawn in all traces */
};

/* A new trace of a group, 0 or 1, and a half. */
void leak_begin(struct leak *leak, unsigned group, unsigned half);

/*
 * Adds a moment to the trace. Returns false if there is no memory, or if the instruction is not
 * that of the other traces.
 */
bool leak_add(struct leak *leak, uint32_t place, const uint8_t sample[LEAK_CHANNELS]);

/* Ends a trace; returns false if it is not as long as the others. */
bool leak_end(struct leak *leak);

/* How a simulator takes part in the test: leak_main does all but what these do. */
struct leak_test {
    /* Reads the image; false after a message. */
    bool (*open)(struct leak_test *test, const char *image);
    /* The byte of RAM at an address that the command line gives. */
    uint8_t *(*byte)(struct leak_test *test, uint32_t address);
    /* Runs a routine to its return, or the first `most` instructions, and adds their moments. */
    bool (*run)(struct leak_test *test, uint32_t routine, uint32_t most);

    struct leak leak;
    uint64_t random;
    unsigned randomness;
};

/* A random byte for the program, or zero, as the command line says. */
uint8_t leak_program_random(struct leak_test *test);

/*
 * The test by its command line
 *
 *     NAME IMAGE TRACES SEED FIXED WINDOW SHARES RANDOM KEY_BYTES KEY TEXT ROUTINE...
 *
 * A trace has the first WINDOW instructions (0: all) of each ROUTINE, which run one after the other
 * on a fixed key and text, those with the number FIXED, or on random ones. KEY and TEXT are where
 * they are loaded, in as many SHARES, 1 or 2. RANDOM says what is random besides: 2 all, 1 the
 * shares alone, the program gets zeros, 0 not even these: the second share is zero. Addresses are
 * hexadecimal.
 *
 * Prints text=HEX, what the last routine made of the fixed text, then what leak_print prints.
 * Returns the exit status: 0, 2 on wrong arguments, 1 when a program cannot be run or its
 * instructions depend on the data.
 */
int leak_main(struct leak_test *test, int argc, char **argv);

/*
 * Prints a line NAME=NUMBER ... on all samples, and then a line for each that leaks, at most
 * `most`.
 */
void leak_print(const struct leak *leak, unsigned most);

void leak_free(struct leak *leak);

#endif
