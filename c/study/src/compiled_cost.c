/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The expected cost of compiled keying, as mf_twofish_choose counts: that of `full`, with the
 * measured differences of compiled_costs.h.
 */
#include <manyfish/study/compiled.h>

#include "compiled_costs.h"
#include "compiled_template.h"
#include "system.h"
#include "twofish/full_keying.h"
#include "twofish/tables/costs.h"

#include <manyfish/twofish.h>

enum { THOUSAND = 1000 };

/* The costs of `full` are in *cost; what one more block alone costs is set. */
static mf_status cost_of_full(uint64_t *cost, uint64_t *block, size_t key_bytes,
                              const mf_twofish_expectation *expectation)
{
    mf_twofish_expectation one = *expectation;
    uint64_t set_up = 0;
    uint64_t set_up_and_block = 0;
    mf_status status = mf_twofish_expected_cost(cost, "full", key_bytes, expectation);

    one.n_blocks = 0;
    one.n_single_blocks = 0;
    if (status == MF_OK) {
        status = mf_twofish_expected_cost(&set_up, "full", key_bytes, &one);
    }
    one.n_single_blocks = 1;
    if (status == MF_OK) {
        status = mf_twofish_expected_cost(&set_up_and_block, "full", key_bytes, &one);
    }
    *block = set_up_and_block - set_up;
    return status;
}

/* The blocks that go one by one. */
static uint64_t single_blocks(const mf_twofish_expectation *expectation)
{
    const bool serial = expectation->blocks_per_call == 1 || expectation->n_blocks == 1;
    const uint64_t n = serial ? mf_counted_blocks(expectation->n_blocks) : 0;
    return n + mf_counted_blocks(expectation->n_single_blocks);
}

/* Bytes of an object. */
static size_t object_bytes(void)
{
    return mf_pages_round(sizeof(mf_twofish_full_key)) + mf_pages_round(mf_twofish_code_bytes());
}

mf_status mf_twofish_compiled_cost(uint64_t *cost, size_t key_bytes,
                                   const mf_twofish_expectation *expectation)
{
    uint64_t full = 0;
    uint64_t block = 0;

    if (cost == NULL || expectation == NULL) {
        return MF_ERROR_NULL;
    }
    if (mf_twofish_code_bytes() == 0) {
        return MF_ERROR_KERNEL;
    }
    const mf_status status = cost_of_full(&full, &block, key_bytes, expectation);
    if (status != MF_OK) {
        return status;
    }
    if (expectation->max_key_bytes != 0 && expectation->max_key_bytes < object_bytes()) {
        return MF_ERROR_POLICY;
    }
    const size_t size = key_bytes / 8 - 2;
    const uint64_t more = block * mf_compiled_set_up_more[size] / THOUSAND;
    const uint64_t less = block * mf_compiled_block_less[size] / THOUSAND;
    *cost = full == UINT64_MAX ? full : full + more - single_blocks(expectation) * less;
    return MF_OK;
}
