/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What each kernel costs, as bench/costs.py printed it from measurements.
 */
#ifndef MF_SRC_TWOFISH_TABLES_COSTS_H
#define MF_SRC_TWOFISH_TABLES_COSTS_H

#include <manyfish/twofish_choice.h>

extern const mf_twofish_costs mf_twofish_costs_shipped;

#endif
