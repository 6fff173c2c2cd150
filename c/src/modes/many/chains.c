/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Lanes for messages whose blocks wait for each other. A few blocks of each lane are gathered as
 * rows, one block of each lane a row, so that a row goes through the cipher in one call, and a line
 * of the cache is read and written once. When a message ends, the next one takes its lane.
 */
#include "../../common/wipe.h"
#include "many.h"

/* As many lanes as the widest kernels have for blocks of 16 and of 8 bytes. Eight rows of them
 * would gain 1 to 3 %, for 16 KiB more of the stack. */
enum { LANES_16 = MF_PIECE_BYTES / 64, LANES_8 = MF_PIECE_BYTES / 8, MAX_ROWS = 4 };

/* --- The order of messages -------------------------------------------------------------------- */

/* Where the longest message is short beside what a lane gets in all, the order given is as good as
 * any. Else long messages go first, or the last ones would run nearly alone: those of more than
 * half of the longest one, then those of more than a quarter, and so on. */
typedef struct queue {
    mf_message *messages;
    size_t n;
    size_t at;
    size_t least; /* bytes of the messages that go now, */
    size_t most;  /* both inclusive: longer ones have gone */
} queue;

static size_t bytes_of(const mf_message *m)
{
    return m->aad_bytes + m->n_bytes;
}

static queue queue_of(mf_message *messages, size_t n, size_t n_lanes)
{
    queue q = {messages, n, 0, 0, SIZE_MAX};
    size_t shortest = SIZE_MAX;
    size_t longest = 0;
    size_t total = 0;

    for (size_t i = 0; i < n; i++) {
        const size_t n_bytes = messages[i].status == MF_OK ? bytes_of(&messages[i]) : 0;
        total += n_bytes;
        shortest = mf_min(shortest, n_bytes);
        longest = n_bytes > longest ? n_bytes : longest;
    }
    if (n > n_lanes && longest > total / n_lanes / 16 && shortest <= longest / 2) {
        q.least = longest / 2 + 1;
    }
    return q;
}

/* NULL: there is none left. */
static mf_message *next_message(queue *q)
{
    for (;;) {
        while (q->at < q->n) {
            mf_message *const m = &q->messages[q->at++];
            const size_t n_bytes = bytes_of(m);
            if (m->status == MF_OK && q->least <= n_bytes && n_bytes <= q->most) {
                return m;
            }
        }
        if (q->least == 0) {
            return NULL;
        }
        q->most = q->least - 1;
        q->least /= 2;
        q->at = 0;
    }
}

/* --- Lanes ------------------------------------------------------------------------------------ */

typedef struct lanes {
    size_t n; /* in use: the first ones */
    size_t block;
    mf_lane lane[LANES_8];
    uint8_t chain[MF_PIECE_BYTES]; /* a block of each lane */
    uint8_t rows[MAX_ROWS * MF_PIECE_BYTES];
} lanes;

/* Messages take lanes while there are both. */
static void fill_lanes(const mf_chains *mode, lanes *l, queue *q, size_t n_lanes)
{
    while (l->n < n_lanes) {
        mf_lane *const lane = &l->lane[l->n];
        uint8_t *const chain = l->chain + l->n * l->block;

        *lane = (mf_lane){next_message(q), NULL, NULL, 0, 0};
        if (lane->message == NULL) {
            return;
        }
        l->n += mode->next(mode->key, lane, chain);
    }
}

/* Lanes that have no blocks left get the next ones of their message, or else the last lane. */
static void refill_lanes(const mf_chains *mode, lanes *l)
{
    for (size_t i = l->n; i-- > 0;) {
        uint8_t *const chain = l->chain + i * l->block;
        if (l->lane[i].n_blocks == 0 && !mode->next(mode->key, &l->lane[i], chain)) {
            l->n--;
            l->lane[i] = l->lane[l->n];
            mf_copy_block(chain, l->chain + l->n * l->block, l->block);
        }
    }
}

/* The number of rows that all lanes can fill. */
static size_t count_rows(const lanes *l)
{
    size_t n_rows = MAX_ROWS;
    for (size_t i = 0; i < l->n; i++) {
        n_rows = mf_min(n_rows, l->lane[i].n_blocks);
    }
    return n_rows;
}

MF_INLINE void gather(lanes *l, size_t n_rows, size_t block)
{
    for (size_t i = 0; i < l->n; i++) {
        for (size_t row = 0; row < n_rows; row++) {
            memcpy(l->rows + (row * l->n + i) * block, l->lane[i].in + row * block, block);
        }
    }
}

MF_INLINE void scatter(lanes *l, size_t n_rows, size_t block)
{
    for (size_t i = 0; i < l->n; i++) {
        mf_lane *const lane = &l->lane[i];
        lane->in += n_rows * block;
        lane->n_blocks -= n_rows;
        if (lane->out == NULL) {
            continue;
        }
        for (size_t row = 0; row < n_rows; row++) {
            memcpy(lane->out + row * block, l->rows + (row * l->n + i) * block, block);
        }
        lane->out += n_rows * block;
    }
}

/* The size of a block is a constant in each branch, so that a copy is one instruction. */
static void crypt_rows(const mf_chains *mode, lanes *l)
{
    const size_t n_rows = count_rows(l);

    if (l->block == 16) {
        gather(l, n_rows, 16);
    } else {
        gather(l, n_rows, 8);
    }
    mode->crypt(mode->cipher, l->chain, l->rows, l->n * l->block, n_rows);
    if (l->block == 16) {
        scatter(l, n_rows, 16);
    } else {
        scatter(l, n_rows, 8);
    }
}

void mf_run_chains(const mf_chains *mode, mf_message *messages, size_t n)
{
    lanes l;
    const size_t n_lanes = mode->cipher->block_bytes == 16 ? LANES_16 : LANES_8;
    const size_t used = mf_min(n, n_lanes) * mode->cipher->block_bytes;
    queue q = queue_of(messages, n, n_lanes);

    l.n = 0;
    l.block = mode->cipher->block_bytes;
    for (fill_lanes(mode, &l, &q, n_lanes); l.n > 0; fill_lanes(mode, &l, &q, n_lanes)) {
        crypt_rows(mode, &l);
        refill_lanes(mode, &l);
    }
    mf_wipe(l.chain, used);
    mf_wipe(l.rows, MAX_ROWS * used);
    mf_wipe_stack();
}

mf_status mf_crypt_chains(const mf_chains *mode, mf_message_check *check, mf_message *messages,
                          size_t n)
{
    const mf_status status = mf_begin_messages(mode->cipher, messages, n, check, mode->key);
    if (status != MF_OK) {
        return status;
    }
    mf_run_chains(mode, messages, n);
    return mf_end_messages(messages, n);
}

void mf_crypt_cbc_rows(const mf_cipher *cipher, uint8_t *chain, uint8_t *rows, size_t row_bytes,
                       size_t n_rows)
{
    const uint8_t *before = chain;

    for (size_t i = 0; i < n_rows; i++, rows += row_bytes) {
        mf_xor(rows, rows, before, row_bytes);
        cipher->encrypt_blocks(cipher->key, rows, rows, row_bytes / cipher->block_bytes);
        before = rows;
    }
    memcpy(chain, before, row_bytes);
}

bool mf_next_text(const void *key, mf_lane *lane, uint8_t *chain)
{
    const size_t block = ((const mf_cipher *)key)->block_bytes;
    mf_message *const m = lane->message;
    const size_t rest = m->n_bytes % block;
    const size_t whole = m->n_bytes - rest;

    if (lane->step == 0) {
        mf_copy_block(chain, m->nonce, block);
        mf_give_blocks(lane, 1, m->out, m->in, whole / block);
        if (whole > 0) {
            return true;
        }
    }
    if (lane->step == 1 && rest > 0) {
        memcpy(m->work, (const uint8_t *)m->in + whole, rest);
        mf_give_blocks(lane, 2, m->work, m->work, 1);
        return true;
    }
    if (lane->step == 2) {
        memcpy((uint8_t *)m->out + whole, m->work, rest);
    }
    return false;
}
