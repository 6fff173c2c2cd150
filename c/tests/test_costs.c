/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Tables of costs as text: what is printed is read, what is damaged is refused with its line. And the
 * library's own table: it knows every kernel, and choices from it keep what they promise.
 */
#include "support.h"

#include <manyfish/twofish_choice.h>

#include <stdio.h>
#include <string.h>

#define HEAD "kernel,key_bits,set_up,quiet_set_up,1,2,3,4,5,7,8,9,16,17,32,33,64,128\n"
#define CALLS "1,2,3,4,5,6,7,8,9,10,11,12,13,4294967295"
#define ROW "full,192,900,," CALLS "\n"

enum { TEXT_BYTES = 16384 };

static mf_twofish_costs costs;
static char text[TEXT_BYTES];

static void check_refused(const char *bad, size_t n_bytes, size_t line)
{
    static mf_twofish_costs before;
    size_t found = 99;

    random_bytes(&before, sizeof before);
    costs = before;
    test_case("a table that is none: \"%.40s\"", bad);
    CHECK_STATUS(mf_twofish_costs_parse(&costs, bad, n_bytes, &found), MF_ERROR_FILE);
    CHECK(found == line);
    CHECK_BYTES(&costs, &before, sizeof costs);
    CHECK_STATUS(mf_twofish_costs_parse(&costs, bad, n_bytes, NULL), MF_ERROR_FILE);
}

static void test_bad_texts(void)
{
    static const struct {
        const char *text;
        size_t line;
    } bad[] = {
        {"", 0},
        {"# only a remark\n", 1},
        {HEAD, 1},
        {ROW, 1},
        {"kernel,key_bits\n" ROW, 1},
        {HEAD HEAD ROW, 2},
        {HEAD "\n" ROW, 2},
        {HEAD ROW ROW, 3},
        {HEAD ROW "#\n" ROW, 4},
        {HEAD ",192,900,," CALLS "\n", 2},
        {HEAD "Full,192,900,," CALLS "\n", 2},
        {HEAD "fu ll,192,900,," CALLS "\n", 2},
        {HEAD "a-name-of-twenty-four-by,192,900,," CALLS "\n", 2},
        {HEAD "full,191,900,," CALLS "\n", 2},
        {HEAD "full,,900,," CALLS "\n", 2},
        {HEAD "full\n", 2},
        {HEAD "full,192,0,," CALLS "\n", 2},
        {HEAD "full,192,,," CALLS "\n", 2},
        {HEAD "full,192,900,0," CALLS "\n", 2},
        {HEAD "full,192,900,x," CALLS "\n", 2},
        {HEAD "full,192,0900,," CALLS "\n", 2},
        {HEAD "full,192,+900,," CALLS "\n", 2},
        {HEAD "full,192,-900,," CALLS "\n", 2},
        {HEAD "full,192,9.5,," CALLS "\n", 2},
        {HEAD "full,192, 900,," CALLS "\n", 2},
        {HEAD "full,192,4294967296,," CALLS "\n", 2},
        {HEAD "full,192,4294967297,," CALLS "\n", 2},
        {HEAD "full,192,18446744073709551617,," CALLS "\n", 2},
        {HEAD "full,192,900,," CALLS ",\n", 2},
        {HEAD "full,192,900,," CALLS ",1\n", 2},
        {HEAD "full,192,900,," CALLS "\r\n", 2},
        {HEAD "full,192,900,,1,2,3,4,5,6,7,8,9,10,11,12,13\n", 2},
        {HEAD "full,192,900,,1,2,3,4,5,6,7,8,9,10,11,12,13,\n", 2},
        {HEAD "full,192,900,,1,2,3,,5,6,7,8,9,10,11,12,13,14\n", 2},
        {HEAD "full,192,900", 2},
        {HEAD "full,192,900,", 2},
        {HEAD "full,192,900,,", 2},
    };
    static const char zero_byte[] = HEAD "full\0,192,900,," CALLS "\n";

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        check_refused(bad[i].text, strlen(bad[i].text), bad[i].line);
    }
    check_refused(zero_byte, sizeof zero_byte - 1, 2);
}

/* One kernel too many is refused in the line where it comes. */
static void test_too_many(void)
{
    char row[] = "aa,128,900,," CALLS "\n";
    size_t n = sizeof HEAD - 1;

    memcpy(text, HEAD, n);
    for (size_t i = 0; i <= MF_COST_KERNELS; i++) {
        row[0] = (char)('a' + i / 5);
        row[1] = (char)('a' + i % 5);
        memcpy(text + n, row, sizeof row - 1);
        n += sizeof row - 1;
    }
    check_refused(text, n, MF_COST_KERNELS + 2);
    test_case("just as many kernels as there is room for");
    CHECK_STATUS(mf_twofish_costs_parse(&costs, text, n - (sizeof row - 1), NULL), MF_OK);
    CHECK(costs.n_kernels == MF_COST_KERNELS);
}

static void test_good_text(void)
{
    static const char good[] = "# a remark\n" HEAD "#\nfull,192,900,," CALLS "\nzero,256,7,8," CALLS
                               "\n# in between\nfull,128,1,," CALLS;
    size_t line = 99;

    test_case("a table with remarks, kernels in any order, no last newline");
    CHECK_STATUS(mf_twofish_costs_parse(&costs, good, sizeof good - 1, &line), MF_OK);
    CHECK(line == 0 && costs.n_kernels == 2);
    CHECK(strcmp(costs.kernels[0].kernel, "full") == 0);
    CHECK(strcmp(costs.kernels[1].kernel, "zero") == 0);
    CHECK(costs.kernels[0].set_up[0] == 1 && costs.kernels[0].set_up[1] == 900);
    CHECK(costs.kernels[0].set_up[2] == 0 && costs.kernels[0].quiet_set_up[1] == 0);
    CHECK(costs.kernels[1].set_up[2] == 7 && costs.kernels[1].quiet_set_up[2] == 8);
    CHECK(costs.kernels[0].calls[1][0] == 1 && costs.kernels[0].calls[1][12] == 13);
    CHECK(costs.kernels[0].calls[1][13] == UINT32_MAX);
}

/* The head names the calls. */
static void test_head(void)
{
    static const uint32_t call_blocks[MF_COST_CALLS] = MF_COST_CALL_BLOCKS;
    int n = snprintf(text, sizeof text, "kernel,key_bits,set_up,quiet_set_up");

    test_case("the head of a table");
    for (size_t i = 0; i < MF_COST_CALLS; i++) {
        n += snprintf(text + n, sizeof text - (size_t)n, ",%u", (unsigned)call_blocks[i]);
    }
    n += snprintf(text + n, sizeof text - (size_t)n, "\n");
    CHECK(n == (int)sizeof HEAD - 1);
    CHECK_BYTES(text, HEAD, sizeof HEAD - 1);
}

/* A table with all that a table can have, and rows that are not known. */
static void random_table(void)
{
    static const char *const names[] = {"avx512", "full-big", "z", "a-name-of-twenty-three-"};

    memset(&costs, 0, sizeof costs);
    costs.n_kernels = 1 + random_below(4);
    for (size_t i = 0; i < costs.n_kernels; i++) {
        mf_twofish_cost *row = &costs.kernels[i];
        memcpy(row->kernel, names[i], strlen(names[i]));
        for (size_t size = 0; size < 3; size++) {
            if (size > 0 && random_below(3) == 0) {
                continue;
            }
            random_bytes(&row->set_up[size], sizeof row->set_up[size]);
            random_bytes(row->calls[size], sizeof row->calls[size]);
            row->quiet_set_up[size] = (uint32_t)random_below(2);
            row->set_up[size] |= 1;
            for (size_t n = 0; n < MF_COST_CALLS; n++) {
                row->calls[size][n] |= 1;
            }
        }
    }
}

static void test_there_and_back(void)
{
    static mf_twofish_costs back;

    test_case("printed and read");
    for (int i = 0; i < 300; i++) {
        size_t n_bytes = 0;
        size_t needed = 0;
        random_table();
        CHECK_STATUS(mf_twofish_costs_print(&costs, text, sizeof text, &n_bytes), MF_OK);
        CHECK_STATUS(mf_twofish_costs_parse(&back, text, n_bytes, NULL), MF_OK);
        CHECK_BYTES(&back, &costs, sizeof costs);
        memset(text, 'x', sizeof text);
        CHECK_STATUS(mf_twofish_costs_print(&costs, text, n_bytes - 1, &needed), MF_ERROR_CAPACITY);
        if (!CHECK(needed == n_bytes) || !CHECK(all_bytes_are(text, sizeof text, 'x'))) {
            return;
        }
        CHECK_STATUS(mf_twofish_costs_print(&costs, NULL, 0, &needed), MF_ERROR_CAPACITY);
    }
}

/* What a table must not have is not printed: rows without a name, with a figure missing, behind the end. */
static void test_odd_tables(void)
{
    static struct {
        mf_twofish_costs costs;
        mf_twofish_cost behind;
    } table;
    static const char name[] = "a-name-of-twenty-three-"; /* with its zero byte, 24 */
    size_t n_bytes = 0;

    test_case("rows that are not printed");
    memset(&costs, 0xFF, sizeof costs);
    for (size_t i = 0; i < MF_COST_KERNELS; i++) {
        table.costs.kernels[i] = costs.kernels[i];
        memset(table.costs.kernels[i].kernel, 0, MF_COST_NAME_BYTES);
    }
    table.behind = costs.kernels[0];
    table.costs.n_kernels = MF_COST_KERNELS + 1;
    for (size_t i = 0; i < 1 + MF_COST_CALLS; i++) {
        mf_twofish_cost *row = &table.costs.kernels[i];
        row->kernel[0] = 'a';
        for (size_t size = 0; size < 3; size++) {
            *(i == 0 ? &row->set_up[size] : &row->calls[size][i - 1]) = 0;
        }
    }
    CHECK_STATUS(mf_twofish_costs_print(&table.costs, text, sizeof text, &n_bytes), MF_OK);
    CHECK(n_bytes == sizeof HEAD - 1);

    test_case("a name without an end is cut");
    costs.n_kernels = 1;
    memset(costs.kernels[0].kernel, 'x', MF_COST_NAME_BYTES);
    memcpy(costs.kernels[0].kernel, name, sizeof name - 1);
    CHECK_STATUS(mf_twofish_costs_print(&costs, text, sizeof text, &n_bytes), MF_OK);
    CHECK(memcmp(text + sizeof HEAD - 1, name, sizeof name - 1) == 0);
    CHECK(text[sizeof HEAD - 1 + sizeof name - 1] == ',');
}

/* Every change of one byte gives a table or an error, never anything else; sanitizers look on. */
static void test_damage(void)
{
    size_t n_bytes = 0;

    test_case("damaged in one place");
    random_table();
    CHECK_STATUS(mf_twofish_costs_print(&costs, text, sizeof text, &n_bytes), MF_OK);
    for (int i = 0; i < 2000; i++) {
        static mf_twofish_costs found;
        const size_t at = random_below(n_bytes);
        const char kept = text[at];
        size_t line = 0;
        random_bytes(&text[at], 1);
        const mf_status status = mf_twofish_costs_parse(&found, text, n_bytes, &line);
        CHECK((status == MF_OK && line == 0) || (status == MF_ERROR_FILE && line > 0));
        text[at] = kept;
        if (random_below(4) == 0) {
            const mf_status cut = mf_twofish_costs_parse(&found, text, at, NULL);
            CHECK(cut == MF_OK || cut == MF_ERROR_FILE);
        }
    }
}

static void test_null(void)
{
    size_t n_bytes;

    test_case("NULL");
    CHECK_STATUS(mf_twofish_costs_parse(NULL, HEAD, 4, NULL), MF_ERROR_NULL);
    CHECK_STATUS(mf_twofish_costs_parse(&costs, NULL, 4, NULL), MF_ERROR_NULL);
    CHECK_STATUS(mf_twofish_costs_parse(&costs, NULL, 0, NULL), MF_ERROR_FILE);
    CHECK_STATUS(mf_twofish_costs_print(NULL, text, 4, &n_bytes), MF_ERROR_NULL);
    CHECK_STATUS(mf_twofish_costs_print(&costs, text, 4, NULL), MF_ERROR_NULL);
    CHECK_STATUS(mf_twofish_costs_print(&costs, NULL, 4, &n_bytes), MF_ERROR_NULL);
}

/* --- The library's own table --------------------------------------------------------------------- */

static void test_every_kernel_is_known(void)
{
    const mf_twofish_expectation any = {100, 0, 0, MF_LEAK_ANY, NULL, 0, SIZE_MAX};
    mf_kernel_info info;

    for (size_t i = 0; i < mf_twofish_kernel_count(); i++) {
        CHECK_STATUS(mf_twofish_kernel_info(i, &info), MF_OK);
        test_case("the costs of %s", info.name);
        for (const size_t *n = key_sizes; *n != 0 && *n <= info.max_key_bytes; n++) {
            uint64_t cost = UINT64_MAX;
            CHECK_STATUS(mf_twofish_expected_cost(&cost, info.name, *n, &any), MF_OK);
            CHECK(cost != UINT64_MAX);
        }
    }
}

/* What a caller is given is what choices go by, also for the set-ups that depend on the machine. */
static void test_shipped_costs(void)
{
    static const mf_leaks leaks[] = {MF_LEAK_NONE, MF_LEAK_TEXT, MF_LEAK_ANY};
    static mf_twofish_costs copy;
    mf_twofish_choice here, there;
    size_t n_quiet = 0;

    test_case("the library's costs, by NULL and as a copy");
    CHECK_STATUS(mf_twofish_shipped_costs(NULL), MF_ERROR_NULL);
    CHECK_STATUS(mf_twofish_shipped_costs(&copy), MF_OK);
    for (uint64_t n = 0; n < 60; n++) {
        for (size_t i = 0; i < 3; i++) {
            mf_twofish_expectation of = {n, n % 2, 0, leaks[i], NULL, n % 5, SIZE_MAX};
            CHECK_STATUS(mf_twofish_choose(&here, 24, &of), MF_OK);
            of.costs = &copy;
            CHECK_STATUS(mf_twofish_choose(&there, 24, &of), MF_OK);
            CHECK(here.kernel == there.kernel && here.cost == there.cost);
            CHECK(here.quiet_set_up == there.quiet_set_up);
        }
    }
    for (size_t i = 0; i < copy.n_kernels; i++) {
        n_quiet += copy.kernels[i].quiet_set_up[1] != 0;
    }
    CHECK(n_quiet == 4);
}

/* Whatever the machine: a constant-time kernel by default, and with no leak allowed; any if any may. */
static void test_choices_here(void)
{
    mf_twofish_choice choice;
    mf_kernel_info info;

    test_case("choices from the library's costs");
    for (uint64_t n = 1; n < 100000; n = 2 * n + 1) {
        const mf_twofish_expectation closed = {n, n % 3, 0, MF_LEAK_NONE, NULL, 0, 0};
        const mf_twofish_expectation open = {n, n % 3, 0, MF_LEAK_ANY, NULL, 0, 0};
        CHECK_STATUS(mf_twofish_choose(&choice, 32, &closed), MF_OK);
        const uint64_t closed_cost = choice.cost;
        for (size_t i = 0; i < mf_twofish_kernel_count(); i++) {
            CHECK_STATUS(mf_twofish_kernel_info(i, &info), MF_OK);
            if (strcmp(info.name, choice.kernel) == 0) {
                CHECK(info.constant_time && info.runnable);
            }
        }
        CHECK_STATUS(mf_twofish_choose(&choice, 32, &open), MF_OK);
        CHECK(choice.cost <= closed_cost);
    }
    test_case("little memory");
    const mf_twofish_expectation small = {1000, 0, 200, MF_LEAK_ANY, NULL, 0, 0};
    CHECK_STATUS(mf_twofish_choose(&choice, 16, &small), MF_OK);
    CHECK(strcmp(choice.kernel, "zero") == 0);
}

int main(void)
{
    test_bad_texts();
    test_too_many();
    test_good_text();
    test_head();
    test_there_and_back();
    test_odd_tables();
    test_damage();
    test_null();
    test_every_kernel_is_known();
    test_shipped_costs();
    test_choices_here();
    return test_end();
}
