/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The line protocol of monitor.h: takes a line apart, asks the machine, prints the answer. */
#include "monitor.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINE_BYTES = 1 << 16,
    MAX_WORDS = 8 /* of a command, its name included */
};

struct words {
    size_t count;
    char *word[MAX_WORDS];
};

/* A command gets its words and prints one line. */
struct command {
    const char *name;
    const char *usage;
    size_t min_words;
    size_t max_words;
    void (*run)(const struct monitor_machine *machine, const struct words *words);
};

static void print_error(const struct monitor_machine *machine)
{
    printf("error: %s\n", machine->error(machine->state));
}

static bool read_number(const char *word, uint32_t limit, uint32_t *number)
{
    size_t digits = strspn(word, "0123456789abcdefABCDEF");
    if (digits == 0 || word[digits] != '\0') {
        return false;
    }
    unsigned long long value = strtoull(word, NULL, 16);
    *number = (uint32_t)value;
    return value < limit;
}

static bool read_address(const struct monitor_machine *machine, const char *word, uint32_t *address)
{
    if (read_number(word, machine->memory, address)) {
        return true;
    }
    printf("error: wrong address %.20s, expected a hexadecimal number up to %" PRIX32 "\n", word,
           machine->memory - 1);
    return false;
}

/* The byte of two hexadecimal digits; -1 if they are not such. */
static int read_byte(const char *digits)
{
    char text[3] = {digits[0], '\0', '\0'};
    uint32_t value;
    if (digits[0] != '\0') {
        text[1] = digits[1];
    }
    return strlen(text) == 2 && read_number(text, 0x100, &value) ? (int)value : -1;
}

static void load(const struct monitor_machine *machine, const struct words *words)
{
    uint32_t address;
    if (!read_address(machine, words->word[1], &address)) {
        return;
    }
    for (const char *digits = words->word[2]; *digits != '\0'; digits += 2, address++) {
        int byte = read_byte(digits);
        if (byte < 0) {
            printf("error: wrong byte %.2s, expected two hexadecimal digits for each\n", digits);
            return;
        }
        if (!machine->load(machine->state, address, (uint8_t)byte)) {
            print_error(machine);
            return;
        }
    }
    puts("ok");
}

static void dump(const struct monitor_machine *machine, const struct words *words)
{
    static const char digit[] = "0123456789ABCDEF";
    static char digits[LINE_BYTES + 1];
    uint32_t address;
    uint32_t count;
    if (!read_address(machine, words->word[1], &address)) {
        return;
    }
    if (!read_number(words->word[2], LINE_BYTES / 2 + 1, &count)) {
        printf("error: wrong count %.20s, expected a hexadecimal number up to %X\n", words->word[2],
               (unsigned)(LINE_BYTES / 2));
        return;
    }
    for (size_t i = 0; i < count; i++) {
        uint8_t byte;
        if (!machine->dump(machine->state, (uint32_t)(address + i), &byte)) {
            print_error(machine);
            return;
        }
        digits[2 * i] = digit[byte >> 4];
        digits[2 * i + 1] = digit[byte & 0xF];
    }
    digits[2 * (size_t)count] = '\0';
    puts(digits);
}

static void call(const struct monitor_machine *machine, const struct words *words)
{
    uint32_t address;
    struct monitor_cost cost;
    if (!read_address(machine, words->word[1], &address)) {
        return;
    }
    if (!machine->call(machine->state, address, &cost)) {
        print_error(machine);
        return;
    }
    printf("clocks=%" PRIu64 " stack=%u\n", cost.clocks, cost.stack);
}

static void touched(const struct monitor_machine *machine, const struct words *words)
{
    (void)words;
    const char *separator = "";
    uint32_t end;
    for (uint32_t first = 0; first < machine->memory; first = end + 1) {
        end = first;
        while (end < machine->memory && machine->touched(machine->state, end)) {
            end++;
        }
        if (end > first) {
            printf("%s%" PRIX32 "-%" PRIX32, separator, first, end - 1);
            separator = " ";
        }
    }
    putchar('\n');
}

static void forget(const struct monitor_machine *machine, const struct words *words)
{
    (void)words;
    machine->forget(machine->state);
    puts("ok");
}

static void profile(const struct monitor_machine *machine, const struct words *words)
{
    (void)words;
    const char *separator = "";
    for (uint32_t address = 0; address < machine->memory; address++) {
        struct monitor_profile routine = machine->profile(machine->state, address);
        if (routine.calls > 0) {
            printf("%s%" PRIX32 ":%" PRIu64 ":%" PRIu64, separator, address, routine.calls,
                   routine.max_clocks);
            separator = " ";
        }
    }
    putchar('\n');
}

static void registers(const struct monitor_machine *machine, const struct words *words)
{
    if (machine->set_register == NULL) {
        puts("error: this machine does not show its registers");
        return;
    }
    for (size_t i = 1; i < words->count; i++) {
        char *value = strchr(words->word[i], '=');
        uint32_t number;
        if (value == NULL || !read_number(value + 1, UINT32_MAX, &number)) {
            printf("error: wrong word %.20s, expected NAME=HEX\n", words->word[i]);
            return;
        }
        *value = '\0';
        if (!machine->set_register(machine->state, words->word[i], number)) {
            print_error(machine);
            return;
        }
    }
    machine->print_registers(machine->state);
}

static const struct command commands[] = {
    {"load", "load ADDRESS HEX", 3, 3, load},
    {"dump", "dump ADDRESS COUNT", 3, 3, dump},
    {"call", "call ADDRESS", 2, 2, call},
    {"touched", "touched", 1, 1, touched},
    {"profile", "profile", 1, 1, profile},
    {"forget", "forget", 1, 1, forget},
    {"registers", "registers [NAME=HEX...]", 1, MAX_WORDS, registers},
};

/* Words beyond MAX_WORDS are counted, too many for any command. */
static struct words split(char *line)
{
    static const char blanks[] = " \t\r\n";
    struct words words = {0};
    for (char *word = strtok(line, blanks); word != NULL; word = strtok(NULL, blanks)) {
        if (words.count < MAX_WORDS) {
            words.word[words.count] = word;
        }
        words.count++;
    }
    return words;
}

static void answer(const struct monitor_machine *machine, char *line)
{
    struct words words = split(line);
    const char *name = words.count > 0 ? words.word[0] : "(empty line)";
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        const struct command *command = &commands[i];
        if (strcmp(name, command->name) != 0) {
            continue;
        }
        if (words.count < command->min_words || words.count > command->max_words) {
            printf("error: wrong number of words, expected: %s\n", command->usage);
        } else {
            command->run(machine, &words);
        }
        return;
    }
    printf("error: no command %.20s, expected load, dump, call, touched, profile, forget or "
           "registers\n",
           name);
}

static void skip_line(void)
{
    int c;
    do {
        c = getchar();
    } while (c != '\n' && c != EOF);
    printf("error: line too long, expected at most %d characters\n", LINE_BYTES - 2);
}

int monitor_run(const struct monitor_machine *machine)
{
    static char line[LINE_BYTES];
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (strlen(line) == sizeof line - 1 && line[sizeof line - 2] != '\n') {
            skip_line();
        } else {
            answer(machine, line);
        }
        if (fflush(stdout) != 0) {
            return 1;
        }
    }
    return ferror(stdin) != 0;
}
