/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The library's own table of costs: it knows every kernel, and choices from it keep what they
 * promise.
 */
#include "support.h"

#include <manyfish/twofish_choice.h>

#include <string.h>

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

/* Callers get the very costs that choices use, also for the set-ups that depend on the machine. */
static void test_shipped_costs(void)
{
    static const mf_leaks leaks[] = {MF_LEAK_NONE, MF_LEAK_TEXT, MF_LEAK_ANY};
    static mf_twofish_costs copy;
    mf_twofish_choice here, there;
    size_t n_ct = 0;

    test_case("the library's costs, by NULL and as a copy");
    CHECK_STATUS(mf_twofish_shipped_costs(NULL), MF_ERROR_NULL);
    CHECK_STATUS(mf_twofish_shipped_costs(&copy), MF_ERROR_VERSION);
    copy.struct_bytes = sizeof copy;
    CHECK_STATUS(mf_twofish_shipped_costs(&copy), MF_OK);
    CHECK(copy.struct_bytes == sizeof copy);
    for (uint64_t n = 0; n < 60; n++) {
        for (size_t i = 0; i < 3; i++) {
            mf_twofish_expectation of = {n, n % 2, 0, leaks[i], NULL, n % 5, SIZE_MAX};
            CHECK_STATUS(mf_twofish_choose(&here, 24, &of), MF_OK);
            of.costs = &copy;
            CHECK_STATUS(mf_twofish_choose(&there, 24, &of), MF_OK);
            CHECK(here.kernel == there.kernel && here.cost == there.cost);
            CHECK(here.ct_set_up == there.ct_set_up);
        }
    }
    for (size_t i = 0; i < copy.n_kernels; i++) {
        n_ct += copy.kernels[i].ct_set_up[1] != 0;
    }
    CHECK(n_ct == 5);
}

static void test_other_version(void)
{
    static mf_twofish_costs other;
    const mf_twofish_expectation of = {1, 0, 0, MF_LEAK_ANY, &other, 0, 0};
    mf_twofish_choice choice;
    mf_twofish ctx;
    uint64_t cost = 77;

    test_case("costs of another size");
    for (size_t i = 0; i < 3; i++) {
        other.struct_bytes = i == 0 ? 0 : sizeof other + 2 * i - 3;
        CHECK_STATUS(mf_twofish_choose(&choice, 16, &of), MF_ERROR_VERSION);
        CHECK_STATUS(mf_twofish_expected_cost(&cost, "zero", 16, &of), MF_ERROR_VERSION);
        CHECK_STATUS(mf_twofish_init_for(&ctx, "0123456789abcdef", 16, &of), MF_ERROR_VERSION);
        CHECK_STATUS(mf_twofish_shipped_costs(&other), MF_ERROR_VERSION);
        CHECK(cost == 77 && mf_twofish_kernel_name(&ctx) == NULL);
    }
}

/* Whatever the machine: a constant-time kernel by default, and with no leak allowed; any if any
 * may. */
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
    test_every_kernel_is_known();
    test_shipped_costs();
    test_other_version();
    test_choices_here();
    return test_end();
}
