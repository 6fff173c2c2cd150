/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * EAX [EAX04] of many messages. A lane goes through the strings of OMAC one after the other: nonce,
 * associated data, ciphertext. When decrypting all three come first, so that only texts with the
 * right tag are decrypted.
 */
#include "../cmac.h"
#include "many.h"

/* In `work`, after the counter block. */
enum { COUNTER = 0, SUM = 16, LAST = 32 };
enum { NONCE, AAD, TEXT, STRINGS };

typedef struct pass {
    const mf_cmac *cmac;
    unsigned first; /* the strings from this one on, */
    unsigned end;   /* up to this one, exclusive */
    bool decrypts;
    uint8_t numbers[STRINGS][MF_MAX_BLOCK_BYTES]; /* t as a block, with which string t begins */
    uint8_t chains[STRINGS][MF_MAX_BLOCK_BYTES];  /* the chains that follow it */
} pass;

static void encrypt_numbers(pass *p)
{
    const mf_cipher *const cipher = &p->cmac->cipher;
    for (unsigned t = 0; t < STRINGS; t++) {
        memset(p->numbers[t], 0, sizeof p->numbers[t]);
        p->numbers[t][cipher->block_bytes - 1] = (uint8_t)t;
        cipher->encrypt_blocks(cipher->key, p->chains[t], p->numbers[t], 1);
    }
}

typedef struct string {
    const uint8_t *data;
    size_t n_bytes;
} string;

static string string_of(const pass *p, const mf_message *m, unsigned t)
{
    switch (t) {
    case NONCE:
        return (string){m->nonce, m->nonce_bytes};
    case AAD:
        return (string){m->aad, m->aad_bytes};
    default:
        return (string){p->decrypts ? m->in : m->out, m->n_bytes};
    }
}

/* Behind its number; an empty string is the number alone. */
static bool next_of_string(const pass *p, mf_lane *lane, unsigned t, unsigned step, uint8_t *chain)
{
    const size_t block = p->cmac->cipher.block_bytes;
    static const uint8_t zeros[MF_MAX_BLOCK_BYTES];
    string s = string_of(p, lane->message, t);
    const bool is_empty = s.n_bytes == 0;

    if (is_empty) {
        s = (string){p->numbers[t], block};
    }
    if (lane->step == step) {
        memcpy(chain, is_empty ? zeros : p->chains[t], block);
    }
    return mf_next_cmac(p->cmac, lane, step, s.data, s.n_bytes, lane->message->work + LAST);
}

static void end_string(const pass *p, mf_message *m, unsigned t, const uint8_t *chain)
{
    const size_t block = p->cmac->cipher.block_bytes;
    if (t == NONCE) {
        memcpy(m->work + COUNTER, chain, block);
        memcpy(m->work + SUM, chain, block);
    } else {
        mf_xor(m->work + SUM, m->work + SUM, chain, block);
    }
}

static bool next(const void *key, mf_lane *lane, uint8_t *chain)
{
    const pass *const p = key;
    enum { STEPS = 3 }; /* of a string */

    for (;;) {
        const unsigned n = lane->step / STEPS;
        const unsigned t = p->first + n;
        if (t == p->end) {
            return false;
        }
        if (next_of_string(p, lane, t, n * STEPS, chain)) {
            return true;
        }
        end_string(p, lane->message, t, chain);
        lane->step = (n + 1) * STEPS;
    }
}

static void authenticate(pass *p, unsigned first, unsigned end, mf_message *messages, size_t n)
{
    const mf_chains chains = {&p->cmac->cipher, p, next, mf_crypt_cbc_rows};
    p->first = first;
    p->end = end;
    mf_run_chains(&chains, messages, n);
}

static mf_status check(const void *key, const mf_message *m)
{
    const size_t block = ((const pass *)key)->cmac->cipher.block_bytes;
    if (m->tag_bytes < block / 4 || m->tag_bytes > block) {
        return MF_ERROR_TAG_LENGTH;
    }
    return mf_check_aead_message(m);
}

static mf_status begin(pass *p, const mf_eax *eax, bool decrypts, mf_message *messages, size_t n)
{
    if (eax == NULL) {
        return MF_ERROR_NULL;
    }
    p->cmac = &eax->aad;
    p->decrypts = decrypts;
    const mf_status status = mf_begin_messages(&p->cmac->cipher, messages, n, check, p);
    if (status == MF_OK) {
        encrypt_numbers(p);
    }
    return status;
}

static mf_status end(pass *p, mf_message *messages, size_t n)
{
    mf_wipe(p, sizeof *p);
    return mf_end_messages(messages, n);
}

mf_status mf_eax_encrypt_many(const mf_eax *eax, mf_message *messages, size_t n)
{
    pass p;
    const mf_status status = begin(&p, eax, false, messages, n);
    if (status != MF_OK) {
        return status;
    }
    authenticate(&p, NONCE, TEXT, messages, n);
    mf_run_ctr(&p.cmac->cipher, p.cmac->cipher.block_bytes, messages, n);
    authenticate(&p, TEXT, STRINGS, messages, n);
    mf_write_tags(messages, n, SUM);
    return end(&p, messages, n);
}

mf_status mf_eax_decrypt_many(const mf_eax *eax, mf_message *messages, size_t n)
{
    pass p;
    const mf_status status = begin(&p, eax, true, messages, n);
    if (status != MF_OK) {
        return status;
    }
    authenticate(&p, NONCE, STRINGS, messages, n);
    mf_compare_tags(messages, n, SUM);
    mf_run_ctr(&p.cmac->cipher, p.cmac->cipher.block_bytes, messages, n);
    return end(&p, messages, n);
}
