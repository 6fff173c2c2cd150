/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Blocks of many messages that wait for nothing, in pieces for the cipher.
 */
#include "../../common/wipe.h"
#include "many.h"

typedef struct piece {
    size_t n_runs;
    size_t n_blocks;
    mf_run runs[MF_PIECE_BYTES / 8];
    uint8_t blocks[MF_PIECE_BYTES];
} piece;

static void crypt_piece(const mf_blocks *mode, piece *p)
{
    const mf_cipher *const cipher = mode->cipher;
    uint8_t *blocks = p->blocks;

    if (p->n_blocks > 0) {
        (mode->decrypt ? cipher->decrypt_blocks : cipher->encrypt_blocks)(cipher->key, blocks,
                                                                          blocks, p->n_blocks);
    }
    for (size_t i = 0; i < p->n_runs; i++) {
        const mf_run *const r = &p->runs[i];
        mode->drain(mode->key, r, blocks);
        blocks += r->n_blocks * cipher->block_bytes;
    }
    p->n_runs = 0;
    p->n_blocks = 0;
}

static void add_message(const mf_blocks *mode, piece *p, mf_message *m)
{
    const size_t block = mode->cipher->block_bytes;
    const size_t count = mode->count(mode->key, m);

    for (size_t first = 0; first < count;) {
        const size_t n = mf_min(count - first, mf_piece_blocks(mode->cipher) - p->n_blocks);
        mf_run *const r = &p->runs[p->n_runs++];
        *r = (mf_run){m, first, n};
        mode->fill(mode->key, r, p->blocks + p->n_blocks * block);
        p->n_blocks += n;
        first += n;
        if (p->n_blocks == mf_piece_blocks(mode->cipher)) {
            crypt_piece(mode, p);
        }
    }
}

void mf_run_blocks(const mf_blocks *mode, mf_message *messages, size_t n)
{
    piece p;

    p.n_runs = 0;
    p.n_blocks = 0;
    for (size_t i = 0; i < n; i++) {
        if (messages[i].status == MF_OK) {
            add_message(mode, &p, &messages[i]);
        }
    }
    crypt_piece(mode, &p);
    mf_wipe(p.blocks, sizeof p.blocks);
    mf_wipe_stack();
}

mf_status mf_crypt_blocks(const mf_blocks *mode, mf_message_check *check, mf_message *messages,
                          size_t n)
{
    const mf_status status = mf_begin_messages(mode->cipher, messages, n, check, mode->key);
    if (status != MF_OK) {
        return status;
    }
    mf_run_blocks(mode, messages, n);
    return mf_end_messages(messages, n);
}

void mf_xor_text(const mf_run *r, const uint8_t *blocks, size_t block)
{
    const mf_message *const m = r->message;
    const size_t at = r->first * block;
    const size_t n = mf_min(r->n_blocks * block, m->n_bytes - at);
    if (n > 0) {
        mf_xor((uint8_t *)m->out + at, (const uint8_t *)m->in + at, blocks, n);
    }
}
