/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The constant-time set-up of table kernels: by each kernel that offers one, for each that takes
 * it, the expanded key is, byte for byte, that of the ordinary set-up. test_constant_time.c shows
 * that it is constant-time.
 */
#include "support.h"

#include <manyfish/twofish_choice.h>

#include "twofish/kernel.h"

#include <string.h>

static const mf_twofish_kernel *const tables[] = {&mf_twofish_full, &mf_twofish_partial,
                                                  &mf_twofish_minimal, &mf_twofish_zero};

enum { N_TABLES = sizeof tables / sizeof tables[0], N_KEYS = 40 };

static unsigned char key[MF_TWOFISH_MAX_KEY_BYTES];

static void test_one(const mf_twofish_kernel *by, const mf_twofish_kernel *kernel, size_t key_bytes)
{
    static mf_twofish found, expected;

    test_case("%s, set up by %s, %zu-bit key", kernel->common.name, by->common.name, 8 * key_bytes);
    for (size_t i = 0; i < N_KEYS; i++) {
        random_bytes(key, sizeof key);
        random_bytes(&found, sizeof found);
        expected = found;
        kernel->set_key_ct(found.expanded_key, key, (unsigned)(key_bytes / 8), by->setup);
        kernel->set_key(expected.expanded_key, key, (unsigned)(key_bytes / 8));
        if (!CHECK_BYTES(&found, &expected, sizeof found)) {
            break;
        }
    }
}

static size_t test_setup(const mf_twofish_kernel *by)
{
    if (by->setup == NULL) {
        return 0;
    }
    if (!mf_cpu_has(by->common.cpu_features)) {
        test_skip("kernel %s: this CPU lacks one of: %s", by->common.name,
                  mf_cpu_names(by->common.cpu_features));
        return 0;
    }
    for (size_t i = 0; i < N_TABLES; i++) {
        for (const size_t *size = key_sizes; *size != 0; size++) {
            test_one(by, tables[i], *size);
        }
    }
    return 1;
}

/* Through the front end: constant-time kernels have one set-up, those with shared tables none. */
static void test_kernel(const char *kernel)
{
    static const mf_twofish nothing;
    mf_twofish ct, plain;
    mf_kernel_info info = {.name = NULL};

    for (size_t i = 0; mf_twofish_kernel_info(i, &info) == MF_OK; i++) {
        if (strcmp(info.name, kernel) == 0) {
            break;
        }
    }
    for (const size_t *size = key_sizes; *size != 0; size++) {
        test_case("%s, %zu-bit key, in a context", kernel, 8 * *size);
        random_bytes(key, sizeof key);
        random_bytes(&ct, sizeof ct);
        const mf_status status = mf_twofish_init_kernel_ct_set_up(&ct, kernel, key, *size);
        if (info.shared_bytes > 0) {
            CHECK_STATUS(status, MF_ERROR_POLICY);
            CHECK_BYTES(&ct, &nothing, sizeof ct);
            continue;
        }
        CHECK_STATUS(status, MF_OK);
        CHECK_STATUS(mf_twofish_init_kernel(&plain, kernel, key, *size), MF_OK);
        CHECK_BYTES(&ct, &plain, sizeof ct);
    }
}

/* The kernel that is chosen where keys must not leak, and texts may, gets this set-up. */
static void test_choice(void)
{
    static mf_twofish_costs costs = {sizeof costs, 1, {{.kernel = "zero"}}};
    const mf_twofish_expectation expectation = {1, 0, 0, MF_LEAK_TEXT, &costs, 0, 0};
    mf_twofish_choice choice;
    mf_twofish chosen, plain;

    test_case("chosen for a constant-time set-up");
    costs.kernels[0].ct_set_up[0] = 7;
    for (size_t i = 0; i < MF_COST_CALLS; i++) {
        costs.kernels[0].calls[0][i] = 5;
    }
    random_bytes(key, sizeof key);
    CHECK_STATUS(mf_twofish_choose(&choice, 16, &expectation), MF_OK);
    CHECK(strcmp(choice.kernel, "zero") == 0 && choice.ct_set_up && choice.cost == 12);
    CHECK_STATUS(mf_twofish_init_for(&chosen, key, 16, &expectation), MF_OK);
    CHECK_STATUS(mf_twofish_init_kernel(&plain, "zero", key, 16), MF_OK);
    CHECK_BYTES(&chosen, &plain, sizeof chosen);
}

static void test_errors(void)
{
    static const mf_twofish nothing;
    mf_twofish ctx;

    test_case("errors");
    CHECK_STATUS(mf_twofish_init_kernel_ct_set_up(NULL, "full", key, 16), MF_ERROR_NULL);
    CHECK_STATUS(mf_twofish_init_kernel_ct_set_up(&ctx, "full", NULL, 16), MF_ERROR_NULL);
    CHECK_STATUS(mf_twofish_init_kernel_ct_set_up(&ctx, "full", key, 17), MF_ERROR_KEY_LENGTH);
    CHECK_STATUS(mf_twofish_init_kernel_ct_set_up(&ctx, "fool", key, 16), MF_ERROR_KERNEL);
    CHECK_STATUS(mf_twofish_init_kernel_ct_set_up(&ctx, "full", &ctx, 16), MF_ERROR_OVERLAP);
    CHECK_BYTES(&ctx, &nothing, sizeof ctx);
}

int main(void)
{
    size_t n_setups = 0;

    for (size_t i = 0; mf_twofish_kernels[i] != NULL; i++) {
        n_setups += test_setup(mf_twofish_kernel_of(mf_twofish_kernels[i]));
    }
    CHECK(n_setups > 0);
    each_kernel(test_kernel);
    test_choice();
    test_errors();
    return test_end();
}
