/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A record is `:CCAAAATTDD..SS`: count, address, type, data and a byte that makes the sum 0. */
#include "ihex.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 4, MAX_RECORD = HEAD + 255 + 1, DATA = 0, END = 1 };

struct record {
    uint8_t byte[MAX_RECORD]; /* count, address, type, data, sum */
};

typedef bool put_function(void *state, uint16_t address, uint8_t byte);

static bool read_record(const char *line, struct record *record)
{
    size_t digits = strcspn(line, "\r\n");
    uint8_t sum = 0;
    if (line[0] != ':' || digits % 2 == 0 || digits / 2 < HEAD + 1 || digits / 2 > MAX_RECORD ||
        strspn(line + 1, "0123456789ABCDEFabcdef") != digits - 1) {
        return false;
    }
    for (size_t i = 0; i < digits / 2; i++) {
        char text[3] = {line[1 + 2 * i], line[2 + 2 * i], '\0'};
        record->byte[i] = (uint8_t)strtoul(text, NULL, 16);
        sum = (uint8_t)(sum + record->byte[i]);
    }
    return sum == 0 && digits / 2 == (size_t)HEAD + 1 + record->byte[0];
}

static bool put_record(const struct record *record, put_function *put, void *state)
{
    unsigned address = (unsigned)record->byte[1] << 8 | record->byte[2];
    for (unsigned i = 0; i < record->byte[0]; i++) {
        if (!put(state, (uint16_t)(address + i), record->byte[HEAD + i])) {
            return false;
        }
    }
    return true;
}

static bool read_records(FILE *file, const char *path, put_function *put, void *state)
{
    char text[2 * MAX_RECORD + 4];
    for (unsigned line = 1; fgets(text, sizeof text, file) != NULL; line++) {
        struct record record;
        if (!read_record(text, &record) || record.byte[3] > END) {
            fprintf(stderr, "%s:%u: no data or end record of Intel HEX\n", path, line);
            return false;
        }
        if (record.byte[3] == END) {
            return true;
        }
        if (!put_record(&record, put, state)) {
            fprintf(stderr, "%s:%u: these bytes cannot be placed\n", path, line);
            return false;
        }
    }
    fprintf(stderr, "%s: has no end record\n", path);
    return false;
}

bool ihex_read(const char *path, put_function *put, void *state)
{
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return false;
    }
    bool done = read_records(file, path, put, state);
    fclose(file);
    return done;
}
