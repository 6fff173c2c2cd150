/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The counter blocks of CTR.
 */
#ifndef MF_SRC_MODES_CTR_H
#define MF_SRC_MODES_CTR_H

#include <stddef.h>
#include <stdint.h>

typedef struct mf_counter_form {
    size_t block_bytes;
    size_t counter_bytes; /* the last ones count */
} mf_counter_form;

/* Writes `counter` and the blocks that follow it, n_blocks together and at most a piece, and moves
 * it on behind them. No branch depends on it. */
void mf_write_counters(const mf_counter_form *form, uint8_t *counter, uint8_t *blocks,
                       size_t n_blocks);

#endif
