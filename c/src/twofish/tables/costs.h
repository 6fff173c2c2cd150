/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The cost of each kernel, as bench/costs.py printed it from measurements.
 */
#ifndef MF_SRC_TWOFISH_TABLES_COSTS_H
#define MF_SRC_TWOFISH_TABLES_COSTS_H

#include "../../common/bytes.h"

#include <manyfish/twofish_choice.h>

/* Blocks of either kind that choices count. With this limit the sum of all calls stays below 2^64,
 * whatever stands in a table. */
MF_INLINE uint64_t mf_counted_blocks(uint64_t n)
{
    const uint64_t most = (uint64_t)1 << 31;
    return n < most ? n : most;
}

/* Without ct_set_up, which depends on who serves. */
extern const mf_twofish_costs mf_twofish_costs_shipped;

enum { MF_COST_CT_SET_UP_KERNELS = 5 };

/* The constant-time set-ups of table kernels as one constant-time kernel serves them; the sizes of
 * keys as in mf_twofish_cost. */
typedef struct mf_twofish_ct_set_up_costs {
    char by[MF_COST_NAME_BYTES];
    struct {
        char kernel[MF_COST_NAME_BYTES];
        uint32_t set_up[3];
    } kernels[MF_COST_CT_SET_UP_KERNELS];
} mf_twofish_ct_set_up_costs;

/* One for each kernel that serves; the list ends with one without a name. */
extern const mf_twofish_ct_set_up_costs mf_twofish_ct_set_up_costs_shipped[];

#endif
