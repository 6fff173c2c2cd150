/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The reader of rsp.h.
 */
#include "rsp.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_LINE = 2 * RSP_MAX_BYTES + 64 };

void rsp_close(rsp_file *file)
{
    (void)fclose(file->stream);
}

/* The value of a hexadecimal digit, or -1. */
static int hex_digit(char c)
{
    static const char digits[] = "0123456789ABCDEFabcdef";
    const char *found = c != '\0' ? strchr(digits, c) : NULL;

    if (found == NULL) {
        return -1;
    }
    return (int)(found - digits < 16 ? found - digits : found - digits - 6);
}

size_t rsp_hex(unsigned char *out, size_t max_bytes, const char *text, const char **end)
{
    size_t n = 0;

    while (n < max_bytes && hex_digit(text[2 * n]) >= 0 && hex_digit(text[2 * n + 1]) >= 0) {
        out[n] = (unsigned char)(16 * hex_digit(text[2 * n]) + hex_digit(text[2 * n + 1]));
        n++;
    }
    *end = text + 2 * n;
    return n;
}

static bool read_hex(rsp_bytes *out, const char *text)
{
    const char *end;

    out->n_bytes = rsp_hex(out->bytes, sizeof out->bytes, text, &end);
    out->present = true;
    return *end == '\0';
}

static bool read_number(unsigned *out, const char *text)
{
    char *end = NULL;
    unsigned long number = strtoul(text, &end, 10);

    *out = (unsigned)number;
    return end != text && *end == '\0';
}

static bool read_word(char out[RSP_MAX_WORD], const char *text)
{
    size_t length = strlen(text);

    if (length >= RSP_MAX_WORD) {
        return false;
    }
    memcpy(out, text, length + 1);
    return true;
}

/* Where a field of this name goes; NULL for the names that this reader does not know. */
static rsp_bytes *bytes_field(rsp_case *vector, const char *name)
{
    static const struct {
        const char *name;
        size_t offset;
    } fields[] = {
        {"KEY", offsetof(rsp_case, key)},
        {"PT", offsetof(rsp_case, pt)},
        {"CT", offsetof(rsp_case, ct)},
        {"IV", offsetof(rsp_case, iv)},
        {"NONCE", offsetof(rsp_case, nonce)},
        {"AAD", offsetof(rsp_case, aad)},
        {"TAG", offsetof(rsp_case, tag)},
        {"TWEAK", offsetof(rsp_case, tweak)},
        {"MSG", offsetof(rsp_case, msg)},
        {"KEY_2", offsetof(rsp_case, key_2)},
        {"FAMILY_KEY", offsetof(rsp_case, family_key)},
        {"AAD_1", offsetof(rsp_case, aad_strings[0])},
        {"AAD_2", offsetof(rsp_case, aad_strings[1])},
        {"AAD_3", offsetof(rsp_case, aad_strings[2])},
        {"AAD_4", offsetof(rsp_case, aad_strings[3])},
    };

    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (strcmp(name, fields[i].name) == 0) {
            return (rsp_bytes *)(void *)((char *)vector + fields[i].offset);
        }
    }
    return NULL;
}

static unsigned *number_field(rsp_case *vector, const char *name)
{
    static const struct {
        const char *name;
        size_t offset;
    } fields[] = {
        {"COUNTER_BITS", offsetof(rsp_case, counter_bits)},
        {"ITERATIONS", offsetof(rsp_case, iterations)},
        {"N_AAD", offsetof(rsp_case, n_aad)},
        {"OUTER", offsetof(rsp_case, outer)},
        {"ROUNDS", offsetof(rsp_case, rounds)},
        {"SECTOR_BYTES", offsetof(rsp_case, sector_bytes)},
        {"SEGMENT_BITS", offsetof(rsp_case, segment_bits)},
        {"WHITENING", offsetof(rsp_case, whitening)},
    };

    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (strcmp(name, fields[i].name) == 0) {
            return (unsigned *)(void *)((char *)vector + fields[i].offset);
        }
    }
    return NULL;
}

static bool read_field(rsp_case *vector, const char *name, const char *value)
{
    rsp_bytes *bytes = bytes_field(vector, name);
    unsigned *number = number_field(vector, name);

    if (bytes != NULL) {
        return read_hex(bytes, value);
    }
    if (number != NULL) {
        return read_number(number, value);
    }
    if (strcmp(name, "PADDING") == 0) {
        return read_word(vector->padding, value);
    }
    if (strcmp(name, "SET") == 0) {
        return read_word(vector->set, value);
    }
    if (strcmp(name, "VARIANT") == 0) {
        return read_word(vector->variant, value);
    }
    return true;
}

/* Splits "NAME = VALUE" in place; the value may be empty. */
static bool split_line(char *line, const char **name, const char **value)
{
    char *equals = strchr(line, '=');
    char *end;

    if (equals == NULL || equals == line) {
        return false;
    }
    *value = equals + 1 + strspn(equals + 1, " ");
    end = equals;
    while (end > line && end[-1] == ' ') {
        end--;
    }
    *end = '\0';
    *name = line;
    return true;
}

static bool read_line(rsp_file *file, char line[MAX_LINE])
{
    size_t length;

    if (fgets(line, MAX_LINE, file->stream) == NULL) {
        return false;
    }
    file->line++;
    length = strlen(line);
    while (length > 0 && strchr("\r\n ", line[length - 1]) != NULL) {
        line[--length] = '\0';
    }
    return true;
}

bool rsp_next(rsp_file *file, rsp_case *vector)
{
    static char line[MAX_LINE];

    memset(vector, 0, sizeof *vector);
    while (!file->malformed && read_line(file, line)) {
        const char *name;
        const char *value;

        if (line[0] == '#' || line[0] == '[') {
            continue;
        }
        if (line[0] == '\0') {
            if (vector->line != 0) {
                return true;
            }
            continue;
        }
        if (!split_line(line, &name, &value) || !read_field(vector, name, value)) {
            file->malformed = true;
            return false;
        }
        if (vector->line == 0) {
            vector->line = file->line;
        }
    }
    return vector->line != 0 && !file->malformed;
}
