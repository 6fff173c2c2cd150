/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A table of costs as text, and back. The reader takes one form only, so that a damaged file is found.
 */
#include <manyfish/twofish_choice.h>

#include "../common/text.h"

static const char head[] = "kernel,key_bits,set_up,quiet_set_up,1,2,3,4,5,7,8,9,16,17,32,33,64,128";

static const unsigned key_bits[3] = {128, 192, 256};

/* --- Reading -------------------------------------------------------------------------------------- */

/* What is left of a text. */
typedef struct reader {
    const char *at;
    const char *end;
} reader;

/* Takes what comes before the next mark, and the mark; all of it where there is no mark. */
static reader take(reader *from, char mark)
{
    const char *found = from->end;
    if (from->at != from->end) { /* they may be NULL */
        found = mf_find_mark(from->at, (size_t)(from->end - from->at), mark);
    }
    const reader taken = {from->at, found};
    from->at = found < from->end ? found + 1 : from->end;
    return taken;
}

static size_t length(const reader *text)
{
    return (size_t)(text->end - text->at);
}

static bool is(const reader *text, const char *expected)
{
    const char *p = text->at;
    while (p < text->end && *p == *expected && *expected != '\0') {
        p++;
        expected++;
    }
    return p == text->end && *expected == '\0';
}

/* The next field as a number from 1 to 2^32 - 1 without needless zeros; 0 if it is something else. */
static uint32_t take_number(reader *line)
{
    const reader digits = take(line, ',');
    uint64_t number = 0;

    if (length(&digits) == 0 || length(&digits) > 10 || *digits.at == '0') {
        return 0;
    }
    for (const char *p = digits.at; p < digits.end; p++) {
        if (*p < '0' || *p > '9') {
            return 0;
        }
        number = 10 * number + (uint64_t)(*p - '0');
    }
    return number <= UINT32_MAX ? (uint32_t)number : 0;
}

/* Kernels are named by small letters, digits and hyphens. */
static bool is_name(const reader *text)
{
    bool good = length(text) > 0 && length(text) < MF_COST_NAME_BYTES;
    for (const char *p = text->at; p < text->end && good; p++) {
        good = (*p >= 'a' && *p <= 'z') || (*p >= '0' && *p <= '9') || *p == '-';
    }
    return good;
}

/* The row of that name, a new one if there is none; NULL if it is no name, or if there is no room. */
static mf_twofish_cost *row_of(mf_twofish_costs *costs, const reader *name)
{
    if (!is_name(name)) {
        return NULL;
    }
    for (size_t i = 0; i < costs->n_kernels; i++) {
        if (is(name, costs->kernels[i].kernel)) {
            return &costs->kernels[i];
        }
    }
    if (costs->n_kernels == MF_COST_KERNELS) {
        return NULL;
    }
    mf_twofish_cost *row = &costs->kernels[costs->n_kernels++];
    memcpy(row->kernel, name->at, length(name));
    return row;
}

static bool take_figures(reader *line, mf_twofish_cost *row, size_t size)
{
    row->set_up[size] = take_number(line);
    const bool no_quiet = line->at < line->end && *line->at == ',';
    row->quiet_set_up[size] = take_number(line);
    bool good = row->set_up[size] != 0 && (no_quiet || row->quiet_set_up[size] != 0);
    for (size_t i = 0; i < MF_COST_CALLS; i++) {
        row->calls[size][i] = take_number(line);
        good = good && row->calls[size][i] != 0;
    }
    /* The text of a last field ends with the line, not with a comma. */
    return good && line->at == line->end && line->end[-1] != ',';
}

static bool take_row(mf_twofish_costs *costs, reader line)
{
    const reader name = take(&line, ',');
    const uint32_t bits = take_number(&line);
    size_t size = 0;

    while (size < 3 && key_bits[size] != bits) {
        size++;
    }
    mf_twofish_cost *row = size < 3 ? row_of(costs, &name) : NULL;
    return row != NULL && row->set_up[size] == 0 && take_figures(&line, row, size);
}

mf_status mf_twofish_costs_parse(mf_twofish_costs *costs, const char *text, size_t n_bytes,
                                 size_t *line)
{
    static const mf_twofish_costs empty;
    bool has_head = false;
    bool good = true;
    size_t n_lines = 0;

    if (costs == NULL || (text == NULL && n_bytes > 0)) {
        return MF_ERROR_NULL;
    }
    mf_twofish_costs found = empty;
    reader rest = {text, n_bytes > 0 ? text + n_bytes : text};
    while (good && rest.at != rest.end) {
        const reader next = take(&rest, '\n');
        n_lines++;
        if (length(&next) > 0 && *next.at == '#') {
            continue;
        }
        good = has_head ? take_row(&found, next) : is(&next, head);
        has_head = true;
    }
    good = good && found.n_kernels > 0;
    if (line != NULL) {
        *line = good ? 0 : n_lines;
    }
    if (!good) {
        return MF_ERROR_FILE;
    }
    *costs = found;
    return MF_OK;
}

/* --- Writing -------------------------------------------------------------------------------------- */

/* Counts what it writes, and goes on counting where there is no room. */
typedef struct writer {
    char *out;
    size_t capacity;
    size_t n_bytes;
} writer;

static void put(writer *to, const char *text, size_t n_bytes)
{
    if (to->n_bytes <= to->capacity && n_bytes <= to->capacity - to->n_bytes && n_bytes > 0) {
        memcpy(to->out + to->n_bytes, text, n_bytes);
    }
    to->n_bytes += n_bytes;
}

static void put_number(writer *to, uint32_t number)
{
    char digits[10];
    size_t first = sizeof digits;

    do {
        digits[--first] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    put(to, digits + first, sizeof digits - first);
}

static bool is_known(const mf_twofish_cost *row, size_t size)
{
    bool known = row->kernel[0] != '\0' && row->set_up[size] != 0;
    for (size_t i = 0; i < MF_COST_CALLS; i++) {
        known = known && row->calls[size][i] != 0;
    }
    return known;
}

static void put_row(writer *to, const mf_twofish_cost *row, size_t size)
{
    const char *end = mf_find_mark(row->kernel, MF_COST_NAME_BYTES - 1, '\0');

    put(to, row->kernel, (size_t)(end - row->kernel));
    put(to, ",", 1);
    put_number(to, key_bits[size]);
    put(to, ",", 1);
    put_number(to, row->set_up[size]);
    put(to, ",", 1);
    if (row->quiet_set_up[size] != 0) {
        put_number(to, row->quiet_set_up[size]);
    }
    for (size_t i = 0; i < MF_COST_CALLS; i++) {
        put(to, ",", 1);
        put_number(to, row->calls[size][i]);
    }
    put(to, "\n", 1);
}

static void put_all(writer *to, const mf_twofish_costs *costs)
{
    put(to, head, sizeof head - 1);
    put(to, "\n", 1);
    for (size_t i = 0; i < costs->n_kernels && i < MF_COST_KERNELS; i++) {
        for (size_t size = 0; size < 3; size++) {
            if (is_known(&costs->kernels[i], size)) {
                put_row(to, &costs->kernels[i], size);
            }
        }
    }
}

mf_status mf_twofish_costs_print(const mf_twofish_costs *costs, char *out, size_t out_capacity,
                                 size_t *out_bytes)
{
    writer measure = {NULL, 0, 0};
    writer to = {out, out_capacity, 0};

    if (costs == NULL || out_bytes == NULL || (out == NULL && out_capacity > 0)) {
        return MF_ERROR_NULL;
    }
    put_all(&measure, costs);
    *out_bytes = measure.n_bytes;
    if (measure.n_bytes > out_capacity) {
        return MF_ERROR_CAPACITY;
    }
    put_all(&to, costs);
    return MF_OK;
}
