/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The kernel that costs least: set-up and calls are added up for each kernel that is allowed.
 * Nothing here sees a key but to hand it on.
 */
#include <manyfish/twofish_choice.h>

#include "../common/text.h"
#include "kernel.h"
#include "tables/costs.h"

/* Costs repeat from here on: no kernel has more lanes. */
enum { PERIOD = 64, AT_PERIOD = 12, AT_TWO_PERIODS = 13 };

#define UNKNOWN UINT64_MAX

static const uint32_t call_blocks[MF_COST_CALLS] = MF_COST_CALL_BLOCKS;

/* Equal calls, and where their cost is found in a row: whole periods, and a rest of 1 to PERIOD
 * blocks that lies between the figures at and at + 1. */
typedef struct equal_calls {
    uint64_t n;
    uint64_t periods;
    size_t at;
    uint64_t above; /* of gap, how far the rest lies above the figure at */
    uint64_t gap;
} equal_calls;

/* All that is asked of a kernel, worked out once. */
typedef struct choice_question {
    const mf_twofish_expectation *expectation;
    const mf_twofish_costs *costs;
    const mf_twofish_ct_set_up_costs *ct; /* in place of ct_set_up in costs; NULL: costs knows */
    size_t key_size;                      /* index in a row */
    equal_calls full;                     /* calls of as many blocks as expected */
    equal_calls last;                     /* one of fewer, or none */
    equal_calls single;                   /* of one block, in addition */
} choice_question;

/* n calls of n_blocks, which may be 0 if n is. */
static equal_calls shape(uint64_t n, uint64_t n_blocks)
{
    equal_calls found = {0, 0, 0, 0, 1};

    if (n > 0) {
        const uint64_t rest = (n_blocks - 1) % PERIOD + 1;
        found.n = n;
        found.periods = (n_blocks - 1) / PERIOD;
        while (call_blocks[found.at + 1] <= rest) {
            found.at++;
        }
        found.above = rest - call_blocks[found.at];
        found.gap = call_blocks[found.at + 1] - call_blocks[found.at];
    }
    return found;
}

/* Adds what the calls cost; false if the table lacks a figure for that. The division takes longer
 * than all the rest, and is mostly not needed: numbers of blocks are round. */
static bool add_calls(uint64_t *sum, const uint32_t figures[MF_COST_CALLS],
                      const equal_calls *calls)
{
    const uint64_t low = figures[calls->at];
    const uint64_t high = figures[calls->at + 1];
    const uint64_t one = figures[AT_PERIOD];
    const uint64_t two = figures[AT_TWO_PERIODS];
    const uint64_t period = two > one ? two - one : 0;
    uint64_t rest = low;

    if (calls->n == 0) {
        return true;
    }
    if (calls->above != 0) {
        rest = (low * (calls->gap - calls->above) + high * calls->above) / calls->gap;
    }
    *sum += calls->n * (calls->periods * period + rest);
    return low != 0 && (calls->above == 0 || high != 0) &&
           (calls->periods == 0 || (one != 0 && two != 0));
}

/* The library's own figures for the set-up that serves here; the last of the list, which knows
 * nothing, if there are none. */
static const mf_twofish_ct_set_up_costs *shipped_ct_costs(void)
{
    const mf_twofish_kernel *by = mf_twofish_setup_kernel();
    const mf_twofish_ct_set_up_costs *found = mf_twofish_ct_set_up_costs_shipped;

    while (found->by[0] != '\0' && (by == NULL || !mf_same_text(found->by, by->common.name))) {
        found++;
    }
    return found;
}

static uint32_t shipped_ct_set_up(const mf_twofish_ct_set_up_costs *costs, const char *kernel,
                                  size_t key_size)
{
    for (size_t i = 0; i < MF_COST_CT_SET_UP_KERNELS; i++) {
        if (mf_same_text(costs->kernels[i].kernel, kernel)) {
            return costs->kernels[i].set_up[key_size];
        }
    }
    return 0;
}

/* The cost of the constant-time set-up of a kernel that also has another; 0 if unknown. */
static uint32_t ct_set_up(const mf_twofish_cost *row, const choice_question *question)
{
    return question->ct == NULL ? row->ct_set_up[question->key_size]
                                : shipped_ct_set_up(question->ct, row->kernel, question->key_size);
}

/* The set-up of a kernel that is not constant-time, if it has one that is: that must be taken where
 * keys must not leak, and may be where it costs less. */
static bool takes_ct_set_up(const mf_twofish_kernel *kernel, const mf_twofish_cost *row,
                            const choice_question *question)
{
    if (kernel->common.constant_time || kernel->set_key_ct == NULL) {
        return false;
    }
    if (question->expectation->leaks == MF_LEAK_TEXT || row == NULL) {
        return true;
    }
    const uint32_t ct = ct_set_up(row, question);
    const uint32_t plain = row->set_up[question->key_size];
    return ct != 0 && (plain == 0 || ct < plain);
}

static uint64_t cost_of(const mf_twofish_kernel *kernel, const mf_twofish_cost *row,
                        const choice_question *question)
{
    if (row == NULL) {
        return UNKNOWN;
    }
    const size_t size = question->key_size;
    const uint32_t *figures = row->calls[size];
    const uint32_t set_up =
        takes_ct_set_up(kernel, row, question) ? ct_set_up(row, question) : row->set_up[size];
    uint64_t sum = set_up;
    const bool known = set_up != 0 && add_calls(&sum, figures, &question->full) &&
                       add_calls(&sum, figures, &question->last) &&
                       add_calls(&sum, figures, &question->single);
    return known ? sum : UNKNOWN;
}

/* The row of a kernel. Tables mostly have the order of the kernels, so the search starts where the
 * last one ended, *next. */
static const mf_twofish_cost *find_row(const mf_twofish_costs *costs, const char *kernel,
                                       size_t *next)
{
    const size_t n = costs->n_kernels < MF_COST_KERNELS ? costs->n_kernels : MF_COST_KERNELS;

    for (size_t i = 0; i < n; i++) {
        const size_t at = *next < n ? *next : 0;
        const char *name = costs->kernels[at].kernel;
        *next = at + 1;
        if (mf_same_text(kernel, name)) {
            return &costs->kernels[at];
        }
    }
    return NULL;
}

static bool allowed(const mf_twofish_kernel *kernel, const mf_twofish_expectation *expectation)
{
    if (expectation->max_key_bytes != 0 &&
        kernel->common.expanded_key_bytes > expectation->max_key_bytes) {
        return false;
    }
    if (kernel->common.shared_bytes > expectation->max_shared_bytes) {
        return false;
    }
    switch (expectation->leaks) {
    case MF_LEAK_NONE:
        return kernel->common.constant_time;
    case MF_LEAK_TEXT:
        return kernel->common.constant_time || kernel->set_key_ct != NULL;
    case MF_LEAK_ANY:
        return true;
    }
    return false;
}

/* Is the table laid out as here? */
static bool is_known_size(const mf_twofish_costs *costs)
{
    return costs->struct_bytes == sizeof *costs;
}

static mf_status ask(choice_question *question, size_t key_bytes,
                     const mf_twofish_expectation *expectation)
{
    if (expectation == NULL) {
        return MF_ERROR_NULL;
    }
    if (key_bytes != 16 && key_bytes != 24 && key_bytes != 32) {
        return MF_ERROR_KEY_LENGTH;
    }
    if (expectation->costs != NULL && !is_known_size(expectation->costs)) {
        return MF_ERROR_VERSION;
    }
    const uint64_t n = mf_counted_blocks(expectation->n_blocks);
    const uint64_t asked = expectation->blocks_per_call;
    const uint64_t a_call = asked != 0 ? asked : n;
    const uint64_t rest = a_call != 0 ? n % a_call : 0;
    const bool shipped = expectation->costs == NULL;

    question->expectation = expectation;
    question->costs = shipped ? &mf_twofish_costs_shipped : expectation->costs;
    question->ct = shipped ? shipped_ct_costs() : NULL;
    question->key_size = key_bytes / 8 - 2;
    question->full = shape(a_call != 0 ? n / a_call : 0, a_call);
    question->last = shape(rest != 0 ? 1 : 0, rest);
    question->single = shape(mf_counted_blocks(expectation->n_single_blocks), 1);
    return MF_OK;
}

/* The best kernel, or NULL. */
static const mf_twofish_kernel *best_kernel(const choice_question *question, uint64_t *least)
{
    const mf_twofish_kernel *best = NULL;
    size_t next = 0;

    for (size_t i = 0; mf_twofish_kernels[i] != NULL; i++) {
        const mf_twofish_kernel *kernel = mf_twofish_kernel_of(mf_twofish_kernels[i]);
        if (allowed(kernel, question->expectation) &&
            mf_check_kernel(&kernel->common, 8 * (question->key_size + 2)) == MF_OK) {
            const mf_twofish_cost *row = find_row(question->costs, kernel->common.name, &next);
            const uint64_t cost = cost_of(kernel, row, question);
            if (best == NULL || cost < *least) {
                best = kernel;
                *least = cost;
            }
        }
    }
    return best;
}

mf_status mf_twofish_choose(mf_twofish_choice *choice, size_t key_bytes,
                            const mf_twofish_expectation *expectation)
{
    choice_question question;
    uint64_t least = UNKNOWN;
    size_t next = 0;

    if (choice == NULL) {
        return MF_ERROR_NULL;
    }
    const mf_status status = ask(&question, key_bytes, expectation);
    if (status != MF_OK) {
        return status;
    }
    const mf_twofish_kernel *best = best_kernel(&question, &least);
    if (best == NULL) {
        return MF_ERROR_POLICY;
    }
    choice->kernel = best->common.name;
    choice->ct_set_up =
        takes_ct_set_up(best, find_row(question.costs, best->common.name, &next), &question);
    choice->cost = least;
    return MF_OK;
}

mf_status mf_twofish_init_for(mf_twofish *ctx, const void *key, size_t key_bytes,
                              const mf_twofish_expectation *expectation)
{
    mf_twofish_choice choice;
    const mf_status status = mf_twofish_choose(&choice, key_bytes, expectation);

    if (status != MF_OK) {
        mf_twofish_wipe(ctx);
        return ctx == NULL ? MF_ERROR_NULL : status;
    }
    return choice.ct_set_up ? mf_twofish_init_kernel_ct_set_up(ctx, choice.kernel, key, key_bytes)
                            : mf_twofish_init_kernel(ctx, choice.kernel, key, key_bytes);
}

mf_status mf_twofish_expected_cost(uint64_t *cost, const char *kernel, size_t key_bytes,
                                   const mf_twofish_expectation *expectation)
{
    choice_question question;
    size_t next = 0;

    if (cost == NULL || kernel == NULL) {
        return MF_ERROR_NULL;
    }
    const mf_status status = ask(&question, key_bytes, expectation);
    if (status != MF_OK) {
        return status;
    }
    for (size_t i = 0; mf_twofish_kernels[i] != NULL; i++) {
        const mf_twofish_kernel *found = mf_twofish_kernel_of(mf_twofish_kernels[i]);
        if (mf_same_text(found->common.name, kernel)) {
            if (!allowed(found, expectation)) {
                return MF_ERROR_POLICY;
            }
            *cost = cost_of(found, find_row(question.costs, kernel, &next), &question);
            return MF_OK;
        }
    }
    return MF_ERROR_KERNEL;
}

mf_status mf_twofish_shipped_costs(mf_twofish_costs *costs)
{
    const mf_twofish_ct_set_up_costs *ct = shipped_ct_costs();

    if (costs == NULL) {
        return MF_ERROR_NULL;
    }
    if (!is_known_size(costs)) {
        return MF_ERROR_VERSION;
    }
    *costs = mf_twofish_costs_shipped;
    for (size_t i = 0; i < costs->n_kernels; i++) {
        mf_twofish_cost *row = &costs->kernels[i];
        for (size_t size = 0; size < 3; size++) {
            row->ct_set_up[size] = shipped_ct_set_up(ct, row->kernel, size);
        }
    }
    return MF_OK;
}
