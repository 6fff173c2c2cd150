/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The choice of a kernel against adding up everything, over random kernels and random tables of
 * costs; what it keeps to; how it moves when the expectation does. The kernels here are all `zero`
 * under other names: this file takes the place of src/twofish/kernels.c.
 */
#include "support.h"

#include <manyfish/twofish_choice.h>

#include "twofish/kernel.h"

#include <stdio.h>
#include <string.h>

enum { N_KERNELS = 9, LAST_SIZE = MF_COST_CALLS - 1 };

/* Of shared tables. */
enum { BIG_BYTES = 1 << 18, HUGE_BYTES = 1 << 28 };

static mf_twofish_kernel kernels[N_KERNELS];
static char names[N_KERNELS][MF_COST_NAME_BYTES];

const mf_kernel *const mf_twofish_kernels[] = {
    &kernels[0].common, &kernels[1].common,
    &kernels[2].common, &kernels[3].common,
    &kernels[4].common, &kernels[5].common,
    &kernels[6].common, &kernels[7].common,
    &kernels[8].common, NULL,
};

static const uint32_t call_blocks[MF_COST_CALLS] = MF_COST_CALL_BLOCKS;

/* The answers of a kernel that cannot take each key at each time. */
static mf_status check_short_keys_only(size_t key_bytes)
{
    return key_bytes == 16 ? MF_OK : MF_ERROR_KEY_LENGTH;
}

static mf_status check_not_ready(size_t key_bytes)
{
    (void)key_bytes;
    return MF_ERROR_TABLES;
}

static bool runs(const mf_twofish_kernel *kernel, size_t key_bytes)
{
    return kernel->common.cpu_features == MF_CPU_ANY && kernel->common.check != check_not_ready &&
           (key_bytes == 16 || kernel->common.check == NULL);
}

/* Plants kernels again: some cannot run, some leak, some need tables, each has another size. */
static void plant(void)
{
    for (size_t i = 0; i < N_KERNELS; i++) {
        kernels[i] = mf_twofish_zero;
        snprintf(names[i], sizeof names[i], "planted-%zu", i);
        kernels[i].common.name = names[i];
        kernels[i].common.constant_time = random_below(2) == 0;
        kernels[i].set_key_ct = random_below(2) == 0 ? mf_twofish_zero.set_key_ct : NULL;
        kernels[i].common.expanded_key_bytes = 180 + 100 * random_below(8);
        if (random_below(3) == 0) {
            kernels[i].common.check =
                random_below(2) == 0 ? check_short_keys_only : check_not_ready;
        }
        if (random_below(3) == 0) {
            kernels[i].common.cpu_features = MF_CPU_NEON | MF_CPU_AVX2; /* no machine is both */
        }
        if (random_below(4) == 0) {
            kernels[i].common.shared_bytes = random_below(2) == 0 ? BIG_BYTES : HUGE_BYTES;
        }
    }
}

/* Calls grow with their blocks, and small numbers make many costs equal. */
static void random_row(mf_twofish_cost *row, uint32_t bound)
{
    for (size_t size = 0; size < 3; size++) {
        uint32_t cost = 0;
        row->set_up[size] = (uint32_t)(1 + random_below(20 * bound));
        row->ct_set_up[size] = (uint32_t)(1 + random_below(20 * bound));
        for (size_t i = 0; i < MF_COST_CALLS; i++) {
            cost += (uint32_t)(1 + random_below(bound));
            row->calls[size][i] = cost;
        }
    }
}

/* In any order, without some kernels, and with one that is not there. */
static void random_costs(mf_twofish_costs *costs)
{
    const size_t first = random_below(N_KERNELS);
    const uint32_t bound = random_below(2) == 0 ? 3 : 5000;

    memset(costs, 0, sizeof *costs);
    costs->struct_bytes = sizeof *costs;
    for (size_t i = 0; i < N_KERNELS; i++) {
        if (random_below(8) != 0) {
            mf_twofish_cost *row = &costs->kernels[costs->n_kernels++];
            memcpy(row->kernel, names[(first + i) % N_KERNELS], sizeof row->kernel);
            random_row(row, bound);
        }
    }
    mf_twofish_cost *row = &costs->kernels[costs->n_kernels++];
    memcpy(row->kernel, "not-here", sizeof "not-here");
    random_row(row, bound);
}

/* Takes some set-ups away, and of each third row one in three of the other figures. */
static void forget_some(mf_twofish_costs *costs)
{
    for (size_t i = 0; i < costs->n_kernels; i++) {
        mf_twofish_cost *row = &costs->kernels[i];
        for (size_t size = 0; size < 3; size++) {
            row->set_up[size] *= random_below(8) != 0;
            row->ct_set_up[size] *= random_below(8) != 0;
            for (size_t n = 0; n < MF_COST_CALLS && i % 3 == 0; n++) {
                row->calls[size][n] *= random_below(3) != 0;
            }
        }
    }
}

static void random_expectation(mf_twofish_expectation *expectation, const mf_twofish_costs *costs)
{
    static const mf_leaks leaks[] = {MF_LEAK_NONE, MF_LEAK_TEXT, MF_LEAK_ANY};
    static const size_t shared[] = {0, BIG_BYTES - 1, BIG_BYTES, HUGE_BYTES, SIZE_MAX};

    expectation->n_blocks = random_below(random_below(2) == 0 ? 20 : 2000);
    expectation->blocks_per_call = random_below(random_below(2) == 0 ? 4 : 400);
    expectation->max_key_bytes = random_below(2) == 0 ? 0 : 100 + random_below(1000);
    expectation->leaks = leaks[random_below(3)];
    expectation->costs = costs;
    expectation->n_single_blocks = random_below(2) == 0 ? 0 : random_below(300);
    expectation->max_shared_bytes = shared[random_below(5)];
}

/* --- By adding up ----------------------------------------------------------------------------- */

/* A call of at most 64 blocks; UINT64_MAX if a figure for it is missing. */
static uint64_t cost_of_call(const uint32_t *figures, uint64_t blocks)
{
    size_t i = 0;

    while (call_blocks[i] < blocks) {
        i++;
    }
    if (call_blocks[i] == blocks) {
        return figures[i] == 0 ? UINT64_MAX : figures[i];
    }
    const uint64_t gap = call_blocks[i] - call_blocks[i - 1];
    const uint64_t above = blocks - call_blocks[i - 1];
    return figures[i - 1] == 0 || figures[i] == 0
               ? UINT64_MAX
               : (figures[i - 1] * (gap - above) + figures[i] * above) / gap;
}

/* The cost of all blocks, call by call and 64 by 64; UINT64_MAX if that is not known. */
static uint64_t sum_of_calls(const uint32_t *figures, uint64_t n_blocks, uint64_t a_call)
{
    const uint32_t one = figures[LAST_SIZE - 1];
    const uint32_t two = figures[LAST_SIZE];
    uint64_t sum = 0;

    while (n_blocks > 0) {
        uint64_t blocks = a_call == 0 || a_call > n_blocks ? n_blocks : a_call;
        n_blocks -= blocks;
        for (; blocks > 64; blocks -= 64) {
            if (one == 0 || two == 0) {
                return UINT64_MAX;
            }
            sum += two > one ? two - one : 0;
        }
        const uint64_t rest = cost_of_call(figures, blocks);
        if (rest == UINT64_MAX) {
            return UINT64_MAX;
        }
        sum += rest;
    }
    return sum;
}

static bool may(const mf_twofish_kernel *kernel, const mf_twofish_expectation *expectation)
{
    const size_t limit = expectation->max_key_bytes == 0 ? SIZE_MAX : expectation->max_key_bytes;

    return kernel->common.expanded_key_bytes <= limit &&
           kernel->common.shared_bytes <= expectation->max_shared_bytes &&
           (kernel->common.constant_time || expectation->leaks == MF_LEAK_ANY ||
            (expectation->leaks == MF_LEAK_TEXT && kernel->set_key_ct != NULL));
}

static uint32_t set_up_of(const mf_twofish_kernel *kernel, const mf_twofish_cost *row, size_t size,
                          mf_leaks leaks)
{
    const uint32_t plain = row->set_up[size];
    const uint32_t ct = row->ct_set_up[size];

    if (kernel->common.constant_time || kernel->set_key_ct == NULL) {
        return plain;
    }
    if (leaks == MF_LEAK_TEXT) {
        return ct;
    }
    return plain == 0 || (ct != 0 && ct < plain) ? ct : plain;
}

static uint64_t sum_of(const mf_twofish_kernel *kernel, size_t key_bytes,
                       const mf_twofish_expectation *expectation)
{
    const size_t size = key_bytes == 16 ? 0 : key_bytes == 24 ? 1 : 2;

    for (size_t i = 0; i < expectation->costs->n_kernels; i++) {
        const mf_twofish_cost *row = &expectation->costs->kernels[i];
        if (strcmp(row->kernel, kernel->common.name) == 0) {
            const uint32_t set_up = set_up_of(kernel, row, size, expectation->leaks);
            const uint64_t calls =
                sum_of_calls(row->calls[size], expectation->n_blocks, expectation->blocks_per_call);
            const uint64_t single = sum_of_calls(row->calls[size], expectation->n_single_blocks, 1);
            return set_up == 0 || calls == UINT64_MAX || single == UINT64_MAX
                       ? UINT64_MAX
                       : set_up + calls + single;
        }
    }
    return UINT64_MAX;
}

static const mf_twofish_kernel *best_by_sum(size_t key_bytes,
                                            const mf_twofish_expectation *expectation)
{
    const mf_twofish_kernel *best = NULL;

    for (size_t i = 0; i < N_KERNELS; i++) {
        const mf_twofish_kernel *kernel = &kernels[i];
        if (runs(kernel, key_bytes) && may(kernel, expectation) &&
            (best == NULL ||
             sum_of(kernel, key_bytes, expectation) < sum_of(best, key_bytes, expectation))) {
            best = kernel;
        }
    }
    return best;
}

static bool check_choice(size_t key_bytes, const mf_twofish_expectation *expectation)
{
    const mf_twofish_kernel *best = best_by_sum(key_bytes, expectation);
    mf_twofish_choice choice = {"untouched", false, 5};

    if (best == NULL) {
        return CHECK_STATUS(mf_twofish_choose(&choice, key_bytes, expectation), MF_ERROR_POLICY) &&
               CHECK(strcmp(choice.kernel, "untouched") == 0 && choice.cost == 5);
    }
    return CHECK_STATUS(mf_twofish_choose(&choice, key_bytes, expectation), MF_OK) &&
           CHECK(choice.kernel == best->common.name) &&
           CHECK(choice.cost == sum_of(best, key_bytes, expectation)) &&
           CHECK(!choice.ct_set_up || (!best->common.constant_time && best->set_key_ct != NULL)) &&
           CHECK(choice.ct_set_up || best->common.constant_time ||
                 expectation->leaks == MF_LEAK_ANY);
}

/* The expected cost of each kernel by itself, whether it runs or not. */
static bool check_expected(size_t key_bytes, const mf_twofish_expectation *expectation)
{
    bool good = true;

    for (size_t i = 0; i < N_KERNELS && good; i++) {
        uint64_t cost = 7;
        const mf_status status =
            mf_twofish_expected_cost(&cost, kernels[i].common.name, key_bytes, expectation);
        if (may(&kernels[i], expectation)) {
            good = CHECK_STATUS(status, MF_OK) &&
                   CHECK(cost == sum_of(&kernels[i], key_bytes, expectation));
        } else {
            good = CHECK_STATUS(status, MF_ERROR_POLICY) && CHECK(cost == 7);
        }
    }
    return good;
}

static void test_random(void)
{
    const int n = test_quick() ? 2000 : 20000;
    static mf_twofish_costs costs = {.struct_bytes = sizeof costs};
    mf_twofish_expectation expectation;

    test_case("random kernels, costs and expectations, by adding up");
    for (int i = 0; i < n; i++) {
        const size_t key_bytes = key_sizes[random_below(3)];
        plant();
        random_costs(&costs);
        if (i % 2 == 0) {
            forget_some(&costs);
        }
        random_expectation(&expectation, &costs);
        if (!check_choice(key_bytes, &expectation) || !check_expected(key_bytes, &expectation)) {
            return;
        }
    }
}

/* --- What it keeps to, and how it moves ------------------------------------------------------- */

static uint64_t cost_or_max(const mf_twofish_expectation *expectation)
{
    mf_twofish_choice choice;

    return mf_twofish_choose(&choice, 16, expectation) == MF_OK ? choice.cost : UINT64_MAX;
}

/* As kernels are: twice 64 blocks cost twice as much. */
static void make_regular(mf_twofish_costs *costs)
{
    for (size_t i = 0; i < costs->n_kernels; i++) {
        for (size_t size = 0; size < 3; size++) {
            uint32_t *figures = costs->kernels[i].calls[size];
            figures[LAST_SIZE] = 2 * figures[LAST_SIZE - 1];
        }
    }
}

/* A further permission makes nothing dearer; a further demand makes nothing cheaper. */
static void test_monotone(void)
{
    const int n = test_quick() ? 500 : 5000;
    static mf_twofish_costs costs = {.struct_bytes = sizeof costs};
    mf_twofish_expectation expectation;

    test_case("more blocks, more memory, more leaks");
    for (int i = 0; i < n; i++) {
        plant();
        random_costs(&costs);
        make_regular(&costs);
        random_expectation(&expectation, &costs);
        const uint64_t before = cost_or_max(&expectation);
        mf_twofish_expectation more = expectation;
        more.n_blocks++;
        const bool blocks = cost_or_max(&more) >= before;
        more = expectation;
        more.max_key_bytes += more.max_key_bytes == 0 ? 0 : 200;
        const bool memory = cost_or_max(&more) <= before;
        more = expectation;
        more.n_single_blocks++;
        const bool single = cost_or_max(&more) >= before;
        more = expectation;
        more.max_shared_bytes = SIZE_MAX;
        const bool shared = cost_or_max(&more) <= before;
        more = expectation;
        more.leaks = MF_LEAK_ANY;
        const bool leaks = cost_or_max(&more) <= before;
        if (!CHECK(blocks) || !CHECK(single) || !CHECK(memory) || !CHECK(shared) || !CHECK(leaks)) {
            return;
        }
    }
}

/* One after the other, more blocks never move the choice to a kernel that takes longer for a
 * block. */
static void test_crossing(void)
{
    static mf_twofish_costs costs = {.struct_bytes = sizeof costs};
    mf_twofish_expectation expectation = {0, 1, 0, MF_LEAK_ANY, &costs, 0, 0};

    test_case("serial blocks, from none to many");
    for (int i = 0; i < 200; i++) {
        uint64_t last = UINT64_MAX;
        plant();
        random_costs(&costs);
        for (expectation.n_blocks = 0; expectation.n_blocks < 100; expectation.n_blocks++) {
            mf_twofish_choice choice;
            uint64_t next = 0;
            if (mf_twofish_choose(&choice, 32, &expectation) != MF_OK) {
                continue;
            }
            mf_twofish_expectation another = expectation;
            another.n_blocks++;
            CHECK_STATUS(mf_twofish_expected_cost(&next, choice.kernel, 32, &another), MF_OK);
            const uint64_t a_block = choice.cost == UINT64_MAX ? UINT64_MAX : next - choice.cost;
            if (!CHECK(a_block <= last)) {
                return;
            }
            last = a_block;
        }
    }
}

/* All kernels run, and each is of one kind only. */
static void plant_kinds(void)
{
    plant();
    for (size_t i = 0; i < N_KERNELS; i++) {
        kernels[i].common.cpu_features = MF_CPU_ANY;
        kernels[i].common.shared_bytes = 0;
        kernels[i].common.constant_time = i % 2 == 0;
        kernels[i].set_key_ct = NULL;
        kernels[i].common.check = NULL;
        kernels[i].common.expanded_key_bytes = 1000 - 100 * i;
    }
}

static void test_policies(void)
{
    static const mf_leaks closed[] = {MF_LEAK_NONE, MF_LEAK_TEXT};
    static mf_twofish_costs costs = {.struct_bytes = sizeof costs};
    mf_twofish_expectation expectation = {5, 0, 0, MF_LEAK_NONE, &costs, 0, 0};
    mf_twofish_choice choice;

    plant_kinds();
    test_case("a constant-time set-up is wanted, and those that leak are the cheapest");
    random_costs(&costs);
    for (size_t i = 0; i < costs.n_kernels; i++) {
        random_row(&costs.kernels[i], strpbrk(costs.kernels[i].kernel, "1357") != NULL ? 1 : 9000);
    }
    for (size_t i = 0; i < 2; i++) {
        expectation.leaks = closed[i];
        CHECK_STATUS(mf_twofish_choose(&choice, 24, &expectation), MF_OK);
        CHECK(strpbrk(choice.kernel, "1357") == NULL);
    }
    test_case("a level of leaks that does not exist");
    expectation.leaks = (mf_leaks)3;
    CHECK_STATUS(mf_twofish_choose(&choice, 24, &expectation), MF_ERROR_POLICY);
    test_case("limits of memory");
    expectation.leaks = MF_LEAK_ANY;
    for (size_t i = 0; i < N_KERNELS; i++) {
        expectation.max_key_bytes = 1000 - 100 * i;
        CHECK_STATUS(mf_twofish_choose(&choice, 24, &expectation), MF_OK);
        CHECK(strcmp(choice.kernel, names[i]) >= 0);
    }
    expectation.max_key_bytes = 199;
    CHECK_STATUS(mf_twofish_choose(&choice, 24, &expectation), MF_ERROR_POLICY);
}

static uint64_t ct_cost_of_full(void)
{
    const mf_twofish_expectation one = {1, 0, 0, MF_LEAK_TEXT, NULL, 0, 0};
    uint64_t cost = 0;

    CHECK_STATUS(mf_twofish_expected_cost(&cost, "full", 16, &one), MF_OK);
    return cost;
}

/* The library's own figures for a constant-time set-up are those of who serves. */
static void test_who_serves(void)
{
    static const mf_twofish_setup setup;
    static mf_twofish_costs costs = {.struct_bytes = sizeof costs};

    test_case("the set-up that serves table kernels");
    plant_kinds();
    kernels[1].common.name = "full";
    kernels[1].set_key_ct = mf_twofish_zero.set_key_ct;
    CHECK(ct_cost_of_full() == UINT64_MAX); /* nobody serves */
    kernels[4].setup = &setup;
    CHECK(ct_cost_of_full() == UINT64_MAX); /* one that the library does not know */
    kernels[4].common.name = "bitslice";
    const uint64_t by_circuits = ct_cost_of_full();
    kernels[2].setup = &setup;
    kernels[2].common.name = "avx2";
    const uint64_t by_vectors = ct_cost_of_full();
    CHECK(by_vectors < by_circuits && by_circuits < UINT64_MAX);
    CHECK_STATUS(mf_twofish_shipped_costs(&costs), MF_OK);
    for (size_t i = 0; i < costs.n_kernels; i++) {
        const mf_twofish_cost *row = &costs.kernels[i];
        if (strcmp(row->kernel, "full") == 0) {
            CHECK(row->ct_set_up[0] + (uint64_t)row->calls[0][0] == by_vectors);
        }
    }
}

/* Nothing known is no reason to refuse; the first kernel is the best then. */
static void test_unknown_costs(void)
{
    static mf_twofish_costs costs = {.struct_bytes = sizeof costs};
    mf_twofish_expectation expectation = {5, 0, 0, MF_LEAK_ANY, &costs, 0, 0};
    mf_twofish_choice choice;

    test_case("a table that knows nothing, one kernel, or half of it");
    plant_kinds();
    memset(&costs, 0, sizeof costs);
    costs.struct_bytes = sizeof costs;
    CHECK_STATUS(mf_twofish_choose(&choice, 16, &expectation), MF_OK);
    CHECK(choice.kernel == names[0] && choice.cost == UINT64_MAX);
    memcpy(costs.kernels[0].kernel, names[4], sizeof names[4]);
    costs.n_kernels = 1;
    random_row(&costs.kernels[0], 100);
    CHECK_STATUS(mf_twofish_choose(&choice, 16, &expectation), MF_OK);
    CHECK(choice.kernel == names[4]);
    costs.kernels[0].calls[0][LAST_SIZE] = 0; /* which calls of 5 blocks do not need */
    CHECK_STATUS(mf_twofish_choose(&choice, 16, &expectation), MF_OK);
    CHECK(choice.kernel == names[4]);
    expectation.n_blocks = 65;
    CHECK_STATUS(mf_twofish_choose(&choice, 16, &expectation), MF_OK);
    CHECK(choice.kernel == names[0]);
    expectation.n_blocks = 5;
    costs.kernels[0].calls[0][4] = 0;
    CHECK_STATUS(mf_twofish_choose(&choice, 16, &expectation), MF_OK);
    CHECK(choice.kernel == names[0]);
    costs.kernels[0].set_up[1] = 0;
    CHECK_STATUS(mf_twofish_choose(&choice, 24, &expectation), MF_OK);
    CHECK(choice.kernel == names[0]);
    expectation.costs = NULL; /* the library's own table knows none of these */
    CHECK_STATUS(mf_twofish_choose(&choice, 32, &expectation), MF_OK);
    CHECK(choice.kernel == names[0]);
}

static uint64_t expected_cost(const char *kernel, const mf_twofish_expectation *expectation,
                              uint64_t n_blocks)
{
    mf_twofish_expectation e = *expectation;
    uint64_t cost = 0;

    e.n_blocks = n_blocks;
    CHECK_STATUS(mf_twofish_expected_cost(&cost, kernel, 16, &e), MF_OK);
    return cost;
}

/* Sums of the largest figures do not wrap, and all numbers of blocks from 2^31 on count as that. */
static void test_extremes(void)
{
    static const uint64_t per_call[] = {0, 1, 2, 63, 64, 65, 1000, UINT64_MAX};
    const uint64_t most = (uint64_t)1 << 31;
    static mf_twofish_costs costs = {.struct_bytes = sizeof costs};
    mf_twofish_expectation expectation = {UINT64_MAX, 0, 0, MF_LEAK_ANY, &costs, 0, 0};
    mf_twofish_choice choice;

    test_case("the largest numbers");
    plant_kinds();
    costs.n_kernels = 2;
    memcpy(costs.kernels[0].kernel, names[0], sizeof names[0]);
    memcpy(costs.kernels[1].kernel, names[1], sizeof names[1]);
    for (size_t i = 0; i < MF_COST_CALLS; i++) {
        costs.kernels[0].calls[0][i] = UINT32_MAX;
        costs.kernels[1].calls[0][i] = i == LAST_SIZE ? UINT32_MAX : 1;
    }
    costs.kernels[0].set_up[0] = costs.kernels[1].set_up[0] = UINT32_MAX;
    for (size_t i = 0; i < sizeof per_call / sizeof per_call[0]; i++) {
        expectation.blocks_per_call = per_call[i];
        for (size_t k = 0; k < 2; k++) {
            const uint64_t all = expected_cost(names[k], &expectation, UINT64_MAX);
            CHECK(all == expected_cost(names[k], &expectation, most));
            CHECK(all >= expected_cost(names[k], &expectation, 1000));
        }
        CHECK_STATUS(mf_twofish_choose(&choice, 16, &expectation), MF_OK);
    }
    expectation.blocks_per_call = 1;
    CHECK(expected_cost(names[0], &expectation, UINT64_MAX) == (most + 1) * UINT32_MAX);
    CHECK(expected_cost(names[0], &expectation, most - 1) == most * UINT32_MAX);
    expectation.n_single_blocks = most - 1;
    CHECK(expected_cost(names[0], &expectation, UINT64_MAX) == 2 * most * UINT32_MAX);
    expectation.n_single_blocks = UINT64_MAX;
    CHECK(expected_cost(names[0], &expectation, most - 1) == 2 * most * UINT32_MAX);
    expectation.n_single_blocks = 0;
    expectation.blocks_per_call = 0;
    CHECK(expected_cost(names[1], &expectation, UINT64_MAX) ==
          UINT32_MAX + (most / 64 - 1) * (UINT32_MAX - 1) + 1);
}

/* A second 64 blocks that cost less than the first by an accident of measuring, never less than
 * none. */
static void test_falling_costs(void)
{
    static mf_twofish_costs costs = {.struct_bytes = sizeof costs};
    const mf_twofish_expectation expectation = {0, 0, 0, MF_LEAK_ANY, &costs, 0, 0};

    test_case("128 blocks cost less than 64");
    plant_kinds();
    costs.n_kernels = 1;
    random_row(&costs.kernels[0], 100);
    memcpy(costs.kernels[0].kernel, names[0], sizeof names[0]);
    costs.kernels[0].calls[0][LAST_SIZE] = costs.kernels[0].calls[0][LAST_SIZE - 1] - 1;
    CHECK(expected_cost(names[0], &expectation, 640) == expected_cost(names[0], &expectation, 64));
}

/* The library reads nothing behind a table, whatever its number of rows is. */
static void test_too_many_rows(void)
{
    static struct {
        mf_twofish_costs costs;
        mf_twofish_cost behind;
    } table = {.costs.struct_bytes = sizeof table.costs};
    const mf_twofish_expectation expectation = {0, 0, 0, MF_LEAK_ANY, &table.costs, 0, 0};

    test_case("a table that claims more rows than it has");
    plant_kinds();
    table.costs.n_kernels = MF_COST_KERNELS + 1;
    memcpy(table.behind.kernel, names[0], sizeof names[0]);
    random_row(&table.behind, 100);
    CHECK(expected_cost(names[0], &expectation, 5) == UINT64_MAX);
}

static size_t n_ct;

static void set_key_ct(void *expanded_key, const uint8_t *key, unsigned k,
                       const mf_twofish_setup *setup)
{
    (void)setup;
    n_ct++;
    mf_twofish_zero.set_key(expanded_key, key, k);
}

/* The set-up that was chosen is the one that is taken: where it must be, where it costs less, and
 * not where it costs the same. */
static void test_ct_init(void)
{
    static const mf_twofish_setup some_setup;
    static const struct {
        mf_leaks leaks;
        uint32_t plain, ct;
        bool taken;
    } cases[] = {
        {MF_LEAK_TEXT, 1, 9, true}, {MF_LEAK_ANY, 9, 8, true}, {MF_LEAK_ANY, 9, 9, false},
        {MF_LEAK_ANY, 9, 0, false}, {MF_LEAK_ANY, 0, 9, true}, {MF_LEAK_TEXT, 1, 0, true},
    };
    static mf_twofish_costs costs = {.struct_bytes = sizeof costs};
    const unsigned char key[16] = {1};
    mf_twofish_choice choice;
    mf_twofish ctx;

    plant_kinds();
    for (size_t i = 0; i < N_KERNELS; i++) {
        kernels[i].common.constant_time = false;
        kernels[i].set_key_ct = set_key_ct;
        kernels[i].setup = &some_setup;
    }
    costs.n_kernels = 1;
    random_row(&costs.kernels[0], 100);
    memcpy(costs.kernels[0].kernel, names[3], sizeof names[3]);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const mf_twofish_expectation expectation = {1, 0, 0, cases[i].leaks, &costs, 0, 0};
        const size_t before = n_ct;

        test_case("set-ups that cost %u and, constant-time, %u", (unsigned)cases[i].plain,
                  (unsigned)cases[i].ct);
        costs.kernels[0].set_up[0] = cases[i].plain;
        costs.kernels[0].ct_set_up[0] = cases[i].ct;
        CHECK_STATUS(mf_twofish_choose(&choice, sizeof key, &expectation), MF_OK);
        CHECK(choice.ct_set_up == cases[i].taken);
        CHECK_STATUS(mf_twofish_init_for(&ctx, key, sizeof key, &expectation), MF_OK);
        CHECK((n_ct > before) == cases[i].taken);
    }
}

static void test_init(void)
{
    static mf_twofish_costs costs = {.struct_bytes = sizeof costs};
    const unsigned char key[32] = {1, 2, 3};
    mf_twofish_expectation expectation = {100, 0, 0, MF_LEAK_ANY, &costs, 0, 0};
    mf_twofish_choice choice;
    mf_twofish ctx;

    test_case("a key for what is expected");
    plant_kinds();
    random_costs(&costs);
    for (const size_t *n = key_sizes; *n != 0; n++) {
        CHECK_STATUS(mf_twofish_choose(&choice, *n, &expectation), MF_OK);
        CHECK_STATUS(mf_twofish_init_for(&ctx, key, *n, &expectation), MF_OK);
        CHECK(mf_twofish_kernel_name(&ctx) == choice.kernel);
    }
    test_case("what is refused leaves no key");
    CHECK_STATUS(mf_twofish_init_for(&ctx, key, 17, &expectation), MF_ERROR_KEY_LENGTH);
    CHECK(all_bytes_are(&ctx, sizeof ctx, 0));
    CHECK_STATUS(mf_twofish_init_for(&ctx, key, 16, &expectation), MF_OK);
    CHECK_STATUS(mf_twofish_init_for(&ctx, NULL, 16, &expectation), MF_ERROR_NULL);
    CHECK(all_bytes_are(&ctx, sizeof ctx, 0));
    CHECK_STATUS(mf_twofish_init_for(&ctx, key, 16, &expectation), MF_OK);
    CHECK_STATUS(mf_twofish_init_for(&ctx, key, 16, NULL), MF_ERROR_NULL);
    CHECK(all_bytes_are(&ctx, sizeof ctx, 0));
    CHECK_STATUS(mf_twofish_init_for(&ctx, &ctx, 16, &expectation), MF_ERROR_OVERLAP);
    CHECK(all_bytes_are(&ctx, sizeof ctx, 0));
    expectation.max_key_bytes = 1;
    CHECK_STATUS(mf_twofish_init_for(&ctx, key, 16, &expectation), MF_ERROR_POLICY);
    CHECK(all_bytes_are(&ctx, sizeof ctx, 0));
    CHECK_STATUS(mf_twofish_init_for(NULL, key, 16, &expectation), MF_ERROR_NULL);
}

static void test_bad_calls(void)
{
    const mf_twofish_expectation expectation = {0, 0, 0, MF_LEAK_ANY, NULL, 0, 0};
    mf_twofish_choice choice;
    uint64_t cost;

    test_case("NULL, wrong lengths, no such kernel");
    CHECK_STATUS(mf_twofish_choose(NULL, 16, &expectation), MF_ERROR_NULL);
    CHECK_STATUS(mf_twofish_choose(&choice, 16, NULL), MF_ERROR_NULL);
    CHECK_STATUS(mf_twofish_choose(&choice, 0, &expectation), MF_ERROR_KEY_LENGTH);
    CHECK_STATUS(mf_twofish_choose(&choice, 33, &expectation), MF_ERROR_KEY_LENGTH);
    CHECK_STATUS(mf_twofish_expected_cost(NULL, "planted-0", 16, &expectation), MF_ERROR_NULL);
    CHECK_STATUS(mf_twofish_expected_cost(&cost, NULL, 16, &expectation), MF_ERROR_NULL);
    CHECK_STATUS(mf_twofish_expected_cost(&cost, "planted-0", 16, NULL), MF_ERROR_NULL);
    CHECK_STATUS(mf_twofish_expected_cost(&cost, "planted-0", 1, &expectation),
                 MF_ERROR_KEY_LENGTH);
    CHECK_STATUS(mf_twofish_expected_cost(&cost, "planted", 16, &expectation), MF_ERROR_KERNEL);
}

int main(void)
{
    test_random();
    test_monotone();
    test_crossing();
    test_policies();
    test_who_serves();
    test_unknown_costs();
    test_extremes();
    test_falling_costs();
    test_too_many_rows();
    test_init();
    test_ct_init();
    test_bad_calls();
    return test_end();
}
