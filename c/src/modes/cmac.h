/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * CMAC without checks, for the modes that are built on it, and the chain that CCM shares with it.
 */
#ifndef MF_SRC_MODES_CMAC_H
#define MF_SRC_MODES_CMAC_H

#include <manyfish/mac.h>

#include "../common/bytes.h"

/* CBC-MAC of whole blocks: chain = E(chain ^ block) for each of them. */
void mf_cbc_mac(const mf_cipher *cipher, uint8_t *chain, const uint8_t *blocks, size_t n_blocks);

/* The last block of a message, of at most a block of data, as it goes into the chain;
 * last may be data.
 * [SP800-38B, 6.2, steps 2 to 4] */
void mf_cmac_mask_last(const mf_cmac *cmac, uint8_t *last, const uint8_t *data, size_t n_bytes);

/* Begins a message, and wipes what there is of another. */
void mf_cmac_begin(mf_cmac *cmac);

/* The next bytes of the message; data may be NULL if there are none. */
void mf_cmac_absorb(mf_cmac *cmac, const uint8_t *data, size_t n_bytes);

/* The tag, as long as a block; the next message begins. */
void mf_cmac_end(mf_cmac *cmac, uint8_t *tag);

#endif
