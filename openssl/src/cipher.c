/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The functions that OpenSSL asks of any cipher [provider-cipher(7)]: contexts, initialisation,
 * update and final. They refuse what EVP leaves open, and do not guess: a message goes on after
 * final only if it is initialised again, and an IV of an authenticated mode serves one message.
 */
#include "cipher.h"
#include "params.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>

#include <stdint.h>
#include <string.h>

/* --- keys ------------------------------------------------------------------------------------- */

static void release_key(const provider *p, shared_key *key)
{
    if (key != NULL && atomic_fetch_sub(&key->n_owners, 1) == 1) {
        provider_free(p, key, sizeof *key);
    }
}

/* A key of this context's own: what is shared stays as it is. */
static shared_key *own_key(cipher_context *ctx)
{
    if (ctx->key != NULL && atomic_load(&ctx->key->n_owners) == 1) {
        return ctx->key;
    }
    shared_key *key = provider_alloc(ctx->provider, sizeof *key);
    if (key != NULL) {
        atomic_init(&key->n_owners, 1);
        release_key(ctx->provider, ctx->key);
        ctx->key = key;
    }
    return key;
}

static mf_status expand_key(const cipher_context *ctx, shared_key *key, const unsigned char *bytes)
{
    const mode *m = ctx->algorithm->mode;
    const size_t n_keys = m->n_keys;
    const size_t n_bytes = (ctx->algorithm->key_bytes - m->tweak_key_bytes) / n_keys;
    mf_status status = MF_OK;

    for (size_t i = 0; status == MF_OK && i < n_keys; i++) {
        status = mf_twofish_init(&key->twofish[i], bytes + i * n_bytes, n_bytes);
    }
    key->halves_are_equal = n_keys == 2 && mf_equal(bytes, bytes + n_bytes, n_bytes);
    memcpy(key->tweak_key, bytes + n_keys * n_bytes, m->tweak_key_bytes);
    return status;
}

static int set_key(cipher_context *ctx, const unsigned char *bytes, size_t n_bytes)
{
    if (n_bytes != ctx->algorithm->key_bytes) {
        return provider_fail(ctx->provider, MF_ERROR_KEY_LENGTH,
                             "expected a key of %zu bytes, found %zu", ctx->algorithm->key_bytes,
                             n_bytes);
    }
    shared_key *key = own_key(ctx);
    ctx->mode_has_key = false;
    return key != NULL && provider_check(ctx->provider, expand_key(ctx, key, bytes));
}

/* XTS with equal halves is refused where it would encrypt [SP800-38E]. */
static int check_halves(const cipher_context *ctx)
{
    if (ctx->key != NULL && ctx->key->halves_are_equal && ctx->encrypt &&
        ctx->algorithm->mode == &mode_xts) {
        return provider_fail(ctx->provider, REASON_EQUAL_KEYS, "expected two different keys");
    }
    return 1;
}

mf_cipher context_cipher(const cipher_context *ctx, size_t index)
{
    return mf_twofish_cipher(&ctx->key->twofish[index]);
}

/* --- contexts --------------------------------------------------------------------------------- */

void *cipher_new(void *provider_context, const algorithm *a)
{
    const provider *p = provider_context;
    cipher_context *ctx = provider_alloc(p, sizeof *ctx);

    if (ctx != NULL) {
        ctx->provider = p;
        ctx->algorithm = a;
        ctx->padding = true;
        ctx->iv_bytes = a->mode->iv_bytes;
        ctx->tag_bytes = a->mode->tag_bytes;
    }
    return ctx;
}

void cipher_free(void *context)
{
    cipher_context *ctx = context;

    if (ctx != NULL) {
        context_forget_aad(ctx);
        release_key(ctx->provider, ctx->key);
        provider_free(ctx->provider, ctx, sizeof *ctx);
    }
}

static bool copy_aad(cipher_context *ctx, const saved_strings *from)
{
    const mode *m = ctx->algorithm->mode;

    for (size_t i = 0; from != NULL && i < from->n; i++) {
        if (!m->aad(ctx, from->string[i].bytes, from->string[i].n_bytes)) {
            return false;
        }
    }
    return true;
}

/* Encrypting with both repeats a key stream or an IV: that is the caller's matter, as in EVP. */
void *cipher_duplicate(void *context)
{
    const cipher_context *ctx = context;
    cipher_context *copy = provider_alloc(ctx->provider, sizeof *copy);

    if (copy == NULL) {
        return NULL;
    }
    *copy = *ctx;
    copy->aad = NULL;
    if (copy->key != NULL) {
        atomic_fetch_add(&copy->key->n_owners, 1);
    }
    copy->text_is_done = false; /* or nothing may be added */
    if (!copy_aad(copy, ctx->aad)) {
        cipher_free(copy);
        return NULL;
    }
    copy->text_is_done = ctx->text_is_done;
    return copy;
}

/* --- initialisation --------------------------------------------------------------------------- */

static int set_iv(cipher_context *ctx, const unsigned char *iv, size_t n_bytes)
{
    const mode *m = ctx->algorithm->mode;

    if (n_bytes < m->min_iv_bytes || n_bytes > m->max_iv_bytes) {
        return provider_fail(ctx->provider, MF_ERROR_NONCE_LENGTH,
                             "expected an IV of %zu to %zu bytes, found %zu", m->min_iv_bytes,
                             m->max_iv_bytes, n_bytes);
    }
    memcpy(ctx->iv, iv, n_bytes);
    memcpy(ctx->chain, iv, n_bytes < BLOCK_BYTES ? n_bytes : BLOCK_BYTES);
    ctx->iv_bytes = n_bytes;
    ctx->iv_is_set = true;
    return 1;
}

/* A tag that was set for decryption stays: it may come before key and IV. */
static void forget_message(cipher_context *ctx, bool encrypt)
{
    if (encrypt || ctx->encrypt) {
        ctx->tag_is_set = false;
    }
    ctx->encrypt = encrypt;
    ctx->phase = PHASE_NEW;
    ctx->num = 0;
    ctx->n_waiting = 0;
    mf_wipe(ctx->buffer, sizeof ctx->buffer);
    ctx->text_is_done = false;
    ctx->is_announced = false;
    context_forget_aad(ctx);
    if (ctx->algorithm->mode->keeps_iv) {
        memcpy(ctx->chain, ctx->iv, BLOCK_BYTES);
    }
}

static int init(cipher_context *ctx, bool encrypt, const unsigned char *key, size_t key_bytes,
                const unsigned char *iv, size_t iv_bytes, const OSSL_PARAM params[])
{
    forget_message(ctx, encrypt);
    if (iv != NULL && ctx->algorithm->mode->iv_bytes != 0 && !set_iv(ctx, iv, iv_bytes)) {
        return 0;
    }
    if (key != NULL && !set_key(ctx, key, key_bytes)) {
        return 0;
    }
    if (!check_halves(ctx) || !cipher_set_ctx_params(ctx, params)) {
        return 0;
    }
    ctx->phase = PHASE_READY;
    return 1;
}

int cipher_encrypt_init(void *context, const unsigned char *key, size_t key_bytes,
                        const unsigned char *iv, size_t iv_bytes, const OSSL_PARAM params[])
{
    return init(context, true, key, key_bytes, iv, iv_bytes, params);
}

int cipher_decrypt_init(void *context, const unsigned char *key, size_t key_bytes,
                        const unsigned char *iv, size_t iv_bytes, const OSSL_PARAM params[])
{
    return init(context, false, key, key_bytes, iv, iv_bytes, params);
}

static int start(cipher_context *ctx)
{
    const mode *m = ctx->algorithm->mode;

    if (ctx->key == NULL) {
        return provider_fail(ctx->provider, MF_ERROR_NO_KEY, "expected a key of %zu bytes",
                             ctx->algorithm->key_bytes);
    }
    if (m->iv_bytes != 0 && !ctx->iv_is_set) {
        return provider_fail(ctx->provider, REASON_NO_IV, "expected an IV of %zu bytes",
                             ctx->iv_bytes);
    }
    if (!provider_check(ctx->provider, m->start(ctx))) {
        return 0;
    }
    ctx->mode_has_key = true;
    ctx->iv_is_set = ctx->iv_is_set && m->tag_bytes == 0;
    ctx->phase = PHASE_RUNNING;
    return 1;
}

/* Begins the message with its first call. */
static int is_running(cipher_context *ctx)
{
    switch (ctx->phase) {
    case PHASE_RUNNING:
        return 1;
    case PHASE_READY:
        return start(ctx);
    case PHASE_FINISHED:
        return provider_fail(ctx->provider, REASON_FINISHED,
                             "expected an initialisation after final or a wrong tag");
    case PHASE_NEW:
    default:
        return provider_fail(ctx->provider, REASON_NOT_STARTED,
                             "expected a successful initialisation before");
    }
}

/* --- update ----------------------------------------------------------------------------------- */

static int fits(const cipher_context *ctx, size_t n_bytes, size_t capacity)
{
    return n_bytes <= capacity ||
           provider_fail(ctx->provider, MF_ERROR_CAPACITY, "expected room for %zu bytes, found %zu",
                         n_bytes, capacity);
}

int context_takes_unit(const cipher_context *ctx)
{
    return !ctx->text_is_done ||
           provider_fail(ctx->provider, REASON_ONE_CALL,
                         "expected one data unit for each IV; this is a second one");
}

/* Decryption with padding keeps the last block: it may hold the padding. */
size_t context_ready(const cipher_context *ctx, size_t n_bytes)
{
    const mode *m = ctx->algorithm->mode;
    const bool keep = m->blocks != NULL && ctx->padding && !ctx->encrypt;
    const size_t total = ctx->n_waiting + n_bytes;

    return (keep && total != 0 ? total - 1 : total) & ~(m->block_bytes - 1); /* a power of two */
}

/* Where bytes wait, the output is ahead of the input by their number. The library checks streams.
 */
static int is_apart(const cipher_context *ctx, const unsigned char *out, size_t n_out,
                    const unsigned char *in, size_t n_in)
{
    const uintptr_t to = (uintptr_t)out, from = (uintptr_t)in;

    return ctx->algorithm->mode->block_bytes == 1 || n_out == 0 || to + ctx->n_waiting == from ||
           to >= from + n_in || from >= to + n_out ||
           provider_fail(ctx->provider, MF_ERROR_OVERLAP,
                         "expected output apart from input, or %zu bytes before it: this many "
                         "wait for the rest of a block",
                         ctx->n_waiting);
}

/* With the flag, OpenSSL's CFB1 takes lengths in bits, and its other modes ignore it. */
static int counts_bytes(const cipher_context *ctx)
{
    return !ctx->counts_bits || ctx->algorithm->mode != &mode_cfb1 ||
           provider_fail(ctx->provider, MF_ERROR_LENGTH,
                         "expected a length in bytes, found one in bits: clear the flag "
                         "EVP_CIPH_FLAG_LENGTH_BITS and give whole bytes");
}

static int crypt(cipher_context *ctx, unsigned char *out, const unsigned char *in, size_t n_bytes)
{
    const mode *m = ctx->algorithm->mode;

    return m->whole != NULL ? m->whole(ctx, out, in, n_bytes)
                            : provider_check(ctx->provider, m->update(ctx, out, in, n_bytes));
}

/* Without input a call means something to CCM alone: it gives the length of the text. */
static int update_without_input(cipher_context *ctx, const unsigned char *out, size_t n_bytes)
{
    if (out == NULL && ctx->algorithm->mode == &mode_ccm) {
        ctx->is_announced = true;
        ctx->announced_bytes = n_bytes;
        return 1;
    }
    return n_bytes == 0 || provider_check(ctx->provider, MF_ERROR_NULL);
}

static int update_aad(cipher_context *ctx, const unsigned char *aad, size_t n_bytes)
{
    const mode *m = ctx->algorithm->mode;

    if (m->aad == NULL) {
        return n_bytes == 0 ||
               provider_fail(ctx->provider, REASON_NO_AAD, "expected a place for the output");
    }
    return m->aad(ctx, aad, n_bytes);
}

int cipher_update(void *context, unsigned char *out, size_t *n_out, size_t capacity,
                  const unsigned char *in, size_t n_bytes)
{
    cipher_context *ctx = context;

    *n_out = 0;
    if (!is_running(ctx)) {
        return 0;
    }
    if (in == NULL) {
        return update_without_input(ctx, out, n_bytes);
    }
    if (out == NULL) {
        return update_aad(ctx, in, n_bytes);
    }
    const size_t n = context_ready(ctx, n_bytes);
    if (!counts_bytes(ctx) || !fits(ctx, n, capacity) || !is_apart(ctx, out, n, in, n_bytes) ||
        !crypt(ctx, out, in, n_bytes)) {
        return 0;
    }
    ctx->n_waiting += n_bytes - n;
    *n_out = n;
    return 1;
}

/* --- final ------------------------------------------------------------------------------------ */

/* A tag that has been compared does not serve another message. */
static void end_message(cipher_context *ctx)
{
    ctx->phase = PHASE_FINISHED;
    ctx->tag_is_set = ctx->encrypt && ctx->algorithm->mode->tag_bytes != 0;
    mf_wipe(ctx->buffer, sizeof ctx->buffer);
    ctx->n_waiting = 0;
}

/* EVP_CipherFinal has room for a block where a mode has blocks. */
static size_t final_bytes(const cipher_context *ctx)
{
    const mode *m = ctx->algorithm->mode;

    return m->blocks != NULL && ctx->padding && ctx->encrypt ? BLOCK_BYTES : ctx->n_waiting;
}

int cipher_final(void *context, unsigned char *out, size_t *n_out, size_t capacity)
{
    cipher_context *ctx = context;
    const mode *m = ctx->algorithm->mode;

    *n_out = 0;
    if (!is_running(ctx) || !fits(ctx, final_bytes(ctx), capacity)) {
        return 0;
    }
    if (out == NULL && final_bytes(ctx) != 0) {
        return provider_check(ctx->provider, MF_ERROR_NULL);
    }
    const int ok = m->finish == NULL || m->finish(ctx, out, n_out);
    end_message(ctx);
    if (!ok) {
        *n_out = 0;
        ctx->tag_is_set = false;
    }
    return ok;
}

/* EVP_Cipher: blocks without a buffer, and final where there is no input. */
int cipher_once(void *context, unsigned char *out, size_t *n_out, size_t capacity,
                const unsigned char *in, size_t n_bytes)
{
    cipher_context *ctx = context;
    const mode *m = ctx->algorithm->mode;

    if (in == NULL) {
        return cipher_final(ctx, out, n_out, capacity);
    }
    if (m->blocks == NULL) {
        return cipher_update(ctx, out, n_out, capacity, in, n_bytes);
    }
    *n_out = 0;
    if (!is_running(ctx) || !fits(ctx, n_bytes, capacity) ||
        !provider_check(ctx->provider, m->blocks(ctx, out, in, n_bytes))) {
        return 0;
    }
    *n_out = n_bytes;
    return 1;
}
