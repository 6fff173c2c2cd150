/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The test that simulators share: keys, texts and shares of each trace. */
#include "leak.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "xorshift.h"

enum {
    BLOCK_BYTES = 16,
    MAX_KEY_BYTES = 32,
    MAX_ROUTINES = 4,
    MAX_INSTRUCTIONS = 1000000,
    LEAKS_SHOWN = 40
};

enum randomness { NOTHING_RANDOM, SHARES_RANDOM, ALL_RANDOM };

struct arguments {
    uint32_t traces, fixed, window, shares, key_bytes, key, text;
    uint32_t routine[MAX_ROUTINES];
    unsigned routines;
};

static uint8_t random_byte(struct leak_test *test)
{
    return xorshift_byte(&test->random);
}

uint8_t leak_program_random(struct leak_test *test)
{
    test->leak.random++;
    return test->randomness == ALL_RANDOM ? random_byte(test) : 0;
}

/* Bytes in their shares. */
static void load(struct leak_test *test, const struct arguments *given, uint32_t address,
                 const uint8_t *bytes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        bool masked = given->shares > 1 && test->randomness != NOTHING_RANDOM;
        uint8_t mask = masked ? random_byte(test) : 0;
        *test->byte(test, address + i) = bytes[i] ^ mask;
        if (given->shares > 1) {
            *test->byte(test, address + count + i) = mask;
        }
    }
}

/* Byte i of the fixed key or text of a number; another number is another key and text. */
static uint8_t fixed_byte(uint32_t number, uint32_t i)
{
    return (uint8_t)((0x9D * (i + 1)) ^ (number * (0x35 * i + 0x5B)));
}

static void choose(struct leak_test *test, const struct arguments *given, bool fixed,
                   uint8_t *bytes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint8_t random = random_byte(test);
        bytes[i] = fixed ? fixed_byte(given->fixed, i) : random;
    }
}

/* The text as its shares are. */
static void join(struct leak_test *test, const struct arguments *given, uint8_t *bytes)
{
    for (uint32_t i = 0; i < BLOCK_BYTES; i++) {
        bytes[i] = *test->byte(test, given->text + i);
        if (given->shares > 1) {
            bytes[i] ^= *test->byte(test, given->text + BLOCK_BYTES + i);
        }
    }
}

/* *made is the text at the end of a trace that is fixed. */
static bool trace(struct leak_test *test, const struct arguments *given, unsigned half,
                  uint8_t made[BLOCK_BYTES])
{
    unsigned group = random_byte(test) & 1;
    uint32_t most = given->window ? given->window : MAX_INSTRUCTIONS;
    uint8_t key[MAX_KEY_BYTES] = {0}, text[BLOCK_BYTES] = {0};
    choose(test, given, group == 0, key, given->key_bytes);
    choose(test, given, group == 0, text, BLOCK_BYTES);
    leak_begin(&test->leak, group, half);
    load(test, given, given->key, key, given->key_bytes);
    for (unsigned i = 0; i < given->routines; i++) {
        load(test, given, given->text, text, BLOCK_BYTES);
        if (!test->run(test, given->routine[i], most)) {
            return false;
        }
    }
    if (group == 0) {
        join(test, given, made);
    }
    return leak_end(&test->leak);
}

static uint32_t number(const char *word, int base)
{
    return (uint32_t)strtoul(word, NULL, base);
}

static bool read_arguments(struct leak_test *test, struct arguments *given, int argc, char **argv)
{
    if (argc < 12 || argc > 11 + MAX_ROUTINES) {
        return false;
    }
    test->random = number(argv[3], 10);
    test->randomness = number(argv[7], 10);
    *given = (struct arguments){.traces = number(argv[2], 10),
                                .fixed = number(argv[4], 10),
                                .window = number(argv[5], 10),
                                .shares = number(argv[6], 10),
                                .key_bytes = number(argv[8], 10),
                                .key = number(argv[9], 16),
                                .text = number(argv[10], 16)};
    for (int i = 11; i < argc; i++) {
        given->routine[given->routines++] = number(argv[i], 16);
    }
    return given->key_bytes <= MAX_KEY_BYTES && test->random != 0;
}

int leak_main(struct leak_test *test, int argc, char **argv)
{
    struct arguments given;
    uint8_t made[BLOCK_BYTES] = {0};
    if (!read_arguments(test, &given, argc, argv)) {
        fprintf(stderr,
                "usage: %s IMAGE TRACES SEED FIXED WINDOW SHARES RANDOM KEY_BYTES KEY TEXT "
                "ROUTINE...\n",
                argv[0]);
        return 2;
    }
    if (!test->open(test, argv[1])) {
        return 1;
    }
    for (uint32_t i = 0; i < given.traces; i++) {
        if (!trace(test, &given, i % 2, made)) {
            fprintf(stderr, "%s: other instructions, or no return, in trace %" PRIu32 "\n", argv[0],
                    i);
            return 1;
        }
    }
    printf("text=");
    for (uint32_t i = 0; i < BLOCK_BYTES; i++) {
        printf("%02x", (unsigned)made[i]);
    }
    printf(" ");
    leak_print(&test->leak, LEAKS_SHOWN);
    leak_free(&test->leak);
    return 0;
}
