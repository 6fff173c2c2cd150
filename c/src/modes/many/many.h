/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * How many messages share the lanes of a kernel. A mode says what its messages are to the cipher,
 * chains in which each block waits for the one before (chains.c) or blocks that wait for nothing
 * (blocks.c), and these two keep the lanes full. Both skip messages whose status is an error.
 */
#ifndef MF_SRC_MODES_MANY_MANY_H
#define MF_SRC_MODES_MANY_MANY_H

#include <manyfish/many.h>

#include "../check.h"

/* --- Checks ----------------------------------------------------------------------------------- */

/* The error of a message, found before anything is written. */
typedef mf_status mf_message_check(const void *key, const mf_message *m);

/* Checks the cipher, and then sets the status of each message. Their work is all zeros then. */
mf_status mf_begin_messages(const mf_cipher *cipher, mf_message *messages, size_t n,
                            mf_message_check *check, const void *key);

/* The status of the first message that has an error, else MF_OK; and wipes the work of all. */
mf_status mf_end_messages(mf_message *messages, size_t n);

/* An IV of a block, and text whose length is a multiple of `multiple`. */
mf_status mf_check_iv_message(const mf_message *m, size_t block, size_t multiple);

/* Nonce, associated data, text and a tag beside the output. */
mf_status mf_check_aead_message(const mf_message *m);

/* For messages without an error: their tags come from `work`, from byte `at` on. A wrong tag
 * becomes the status, and wipes the text. */
void mf_write_tags(mf_message *messages, size_t n, size_t at);
void mf_compare_tags(mf_message *messages, size_t n, size_t at);

/* --- Chains ----------------------------------------------------------------------------------- */

/* A message on its way: the next blocks, and where their results go. */
typedef struct mf_lane {
    mf_message *message;
    const uint8_t *in;
    uint8_t *out; /* NULL: nowhere, as for a MAC */
    size_t n_blocks;
    unsigned step; /* for the mode: 0 at first */
} mf_lane;

MF_INLINE void mf_give_blocks(mf_lane *lane, unsigned step, void *out, const void *in,
                              size_t n_blocks)
{
    lane->in = in;
    lane->out = out;
    lane->n_blocks = n_blocks;
    lane->step = step;
}

/* One instruction, where memcpy would be called. */
MF_INLINE void mf_copy_block(uint8_t *out, const uint8_t *in, size_t block)
{
    if (block == 16) {
        memmove(out, in, 16);
    } else {
        memmove(out, in, 8);
    }
}

typedef struct mf_chains {
    const mf_cipher *cipher;
    const void *key; /* the mode's */

    /* Gives a lane its next blocks, at least one, by mf_give_blocks; false if there are none.
     * `chain` is the block that the last one left; the mode sets it at first. */
    bool (*next)(const void *key, mf_lane *lane, uint8_t *chain);

    /* Makes rows of results from rows of blocks. A row has one block of each lane; `chain` is one,
     * too, and carries on. */
    void (*crypt)(const mf_cipher *cipher, uint8_t *chain, uint8_t *rows, size_t row_bytes,
                  size_t n_rows);
} mf_chains;

void mf_run_chains(const mf_chains *mode, mf_message *messages, size_t n);

/* All that a mode of chains does, with its checks. */
mf_status mf_crypt_chains(const mf_chains *mode, mf_message_check *check, mf_message *messages,
                          size_t n);

/* For modes whose key is the cipher: IV and text. A partial block at the end goes through `work`.
 */
bool mf_next_text(const void *cipher, mf_lane *lane, uint8_t *chain);

/* C = E(P ^ chain), the chain being the last C: CBC and all MACs. */
void mf_crypt_cbc_rows(const mf_cipher *cipher, uint8_t *chain, uint8_t *rows, size_t row_bytes,
                       size_t n_rows);

/* The blocks of a string under CMAC, of which `last` is a buffer for the last one, from `step` on;
 * false at its end, two steps later, where the chain is its tag. Before `step` the mode sets the
 * chain: to all zeros, or to that of an earlier part of the string. */
bool mf_next_cmac(const mf_cmac *cmac, mf_lane *lane, unsigned step, const uint8_t *data,
                  size_t n_bytes, uint8_t *last);

/* --- Blocks ----------------------------------------------------------------------------------- */

/* Blocks of a message, from block `first` on. */
typedef struct mf_run {
    mf_message *message;
    size_t first;
    size_t n_blocks;
} mf_run;

typedef struct mf_blocks {
    const mf_cipher *cipher;
    bool decrypt;    /* else encrypt */
    const void *key; /* the mode's */

    /* Of a message. */
    size_t (*count)(const void *key, const mf_message *m);

    /* Before and after the cipher. A run is drained before the next one of its message is filled.
     */
    void (*fill)(const void *key, const mf_run *r, uint8_t *blocks);
    void (*drain)(const void *key, const mf_run *r, uint8_t *blocks);
} mf_blocks;

void mf_run_blocks(const mf_blocks *mode, mf_message *messages, size_t n);

/* All that a mode of blocks does, with its checks. */
mf_status mf_crypt_blocks(const mf_blocks *mode, mf_message_check *check, mf_message *messages,
                          size_t n);

/* out = in xor these blocks of key stream, as far as the text goes. */
void mf_xor_text(const mf_run *r, const uint8_t *blocks, size_t block);

/* CTR of the texts, from the counter block on that stands first in `work`. */
void mf_run_ctr(const mf_cipher *cipher, size_t counter_bytes, mf_message *messages, size_t n);

/* The same, but the first block of key stream is added to `work`, from byte `at` on. */
void mf_run_ctr_and_mask(const mf_cipher *cipher, size_t counter_bytes, mf_message *messages,
                         size_t n, size_t at);

/* The number of blocks that hold n_bytes. */
MF_INLINE size_t mf_blocks_of(size_t n_bytes, size_t block)
{
    return n_bytes / block + (n_bytes % block != 0);
}

#endif
