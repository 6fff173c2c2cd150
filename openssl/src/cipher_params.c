/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Parameters of ciphers and of their contexts, by the names and types of EVP_EncryptInit(3).
 */
#include "cipher.h"
#include "params.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <string.h>

/* --- of an algorithm -------------------------------------------------------------------------- */

static const OSSL_PARAM of_algorithm[] = {
    OSSL_PARAM_uint(OSSL_CIPHER_PARAM_MODE, NULL),
    OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL),
    OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_IVLEN, NULL),
    OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_BLOCK_SIZE, NULL),
    OSSL_PARAM_int(OSSL_CIPHER_PARAM_AEAD, NULL),
    OSSL_PARAM_int(OSSL_CIPHER_PARAM_CUSTOM_IV, NULL),
    OSSL_PARAM_int(OSSL_CIPHER_PARAM_CTS, NULL),
    OSSL_PARAM_int(OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK, NULL),
    OSSL_PARAM_int(OSSL_CIPHER_PARAM_HAS_RAND_KEY, NULL),
    OSSL_PARAM_END,
};

const OSSL_PARAM *cipher_gettable_params(void *provider_context)
{
    (void)provider_context;
    return of_algorithm;
}

int cipher_get_params(OSSL_PARAM params[], const algorithm *a)
{
    const mode *m = a->mode;
    const bool aead = m->tag_bytes != 0;

    return param_set_number(params, OSSL_CIPHER_PARAM_MODE, m->evp_mode) &&
           param_set_number(params, OSSL_CIPHER_PARAM_KEYLEN, a->key_bytes) &&
           param_set_number(params, OSSL_CIPHER_PARAM_IVLEN, m->iv_bytes) &&
           param_set_number(params, OSSL_CIPHER_PARAM_BLOCK_SIZE, m->block_bytes) &&
           param_set_number(params, OSSL_CIPHER_PARAM_AEAD, aead) &&
           param_set_number(params, OSSL_CIPHER_PARAM_CUSTOM_IV, aead || m->whole != NULL) &&
           param_set_number(params, OSSL_CIPHER_PARAM_CTS, 0) &&
           param_set_number(params, OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK, 0) &&
           param_set_number(params, OSSL_CIPHER_PARAM_HAS_RAND_KEY, 0);
}

/* --- of a context, to be got ------------------------------------------------------------------ */

static const OSSL_PARAM gettable[] = {
    OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL),
    OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_IVLEN, NULL),
    OSSL_PARAM_uint(OSSL_CIPHER_PARAM_PADDING, NULL),
    OSSL_PARAM_uint(OSSL_CIPHER_PARAM_NUM, NULL),
    OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_IV, NULL, 0),
    OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_UPDATED_IV, NULL, 0),
    OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_AEAD_TAGLEN, NULL),
    OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG, NULL, 0),
    OSSL_PARAM_END,
};

const OSSL_PARAM *cipher_gettable_ctx_params(void *context, void *provider_context)
{
    (void)context;
    (void)provider_context;
    return gettable;
}

static int wrong_parameter(const cipher_context *ctx, const char *name)
{
    return provider_fail(ctx->provider, REASON_PARAMETER, "expected '%s' as the manual has it",
                         name);
}

/* TLS sets these. To OpenSSL a parameter that a provider does not know has succeeded, and a program
 * would go on with an IV that nobody has set. */
static int check_not_tls(const cipher_context *ctx, const OSSL_PARAM params[])
{
    static const char *const names[] = {
        OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED, OSSL_CIPHER_PARAM_AEAD_TLS1_GET_IV_GEN,
        OSSL_CIPHER_PARAM_AEAD_TLS1_SET_IV_INV, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (param_find(params, names[i]) != NULL) {
            return provider_fail(ctx->provider, REASON_PARAMETER,
                                 "expected no '%s': give the whole IV when you initialise, and "
                                 "associated data by update",
                                 names[i]);
        }
    }
    return 1;
}

/* Other modes than these show the IV that they were given. */
static bool has_chain(const mode *m)
{
    return m == &mode_cbc || m == &mode_ctr || m == &mode_cfb || m == &mode_cfb8 ||
           m == &mode_cfb1 || m == &mode_ofb;
}

static int get_updated_iv(cipher_context *ctx, OSSL_PARAM params[])
{
    const mode *m = ctx->algorithm->mode;
    const char *name = OSSL_CIPHER_PARAM_UPDATED_IV;
    mf_status status = MF_OK;

    if (param_find(params, name) == NULL) {
        return 1;
    }
    if (!has_chain(m)) {
        return param_set_bytes(params, name, ctx->iv, ctx->iv_bytes) || wrong_parameter(ctx, name);
    }
    if (m->show_chain != NULL && ctx->phase == PHASE_RUNNING) {
        status = m->show_chain(ctx);
    } else {
        memcpy(ctx->shown_chain, ctx->chain, BLOCK_BYTES);
    }
    return provider_check(ctx->provider, status) &&
           (param_set_bytes(params, name, ctx->shown_chain, BLOCK_BYTES) ||
            wrong_parameter(ctx, name));
}

/* Of the tag that encryption has made. */
static size_t made_tag_bytes(const cipher_context *ctx)
{
    const mode *m = ctx->algorithm->mode;

    return m->whole != NULL ? ctx->made_tag_bytes : m->tag_bytes;
}

/* A tag of GCM may be got in part; in the other modes its length has gone into the computation. */
static bool tag_may_be_got(const cipher_context *ctx, size_t n_bytes)
{
    const mode *m = ctx->algorithm->mode;

    return n_bytes == made_tag_bytes(ctx) || (m == &mode_gcm && m->takes_tag(n_bytes));
}

static int get_tag(const cipher_context *ctx, OSSL_PARAM params[])
{
    OSSL_PARAM *tag = param_find_to_set(params, OSSL_CIPHER_PARAM_AEAD_TAG);

    if (tag == NULL || ctx->algorithm->mode->tag_bytes == 0) {
        return 1;
    }
    if (!ctx->encrypt || !ctx->tag_is_set) {
        return provider_fail(ctx->provider, REASON_TAG_DIRECTION,
                             "expected the end of an encryption");
    }
    if (tag->data_type != OSSL_PARAM_OCTET_STRING || tag->data == NULL) {
        return wrong_parameter(ctx, OSSL_CIPHER_PARAM_AEAD_TAG);
    }
    if (!tag_may_be_got(ctx, tag->data_size)) {
        return provider_fail(ctx->provider, MF_ERROR_TAG_LENGTH,
                             "expected %zu bytes or, of GCM, a shorter tag; found %zu",
                             made_tag_bytes(ctx), tag->data_size);
    }
    memcpy(tag->data, ctx->tag, tag->data_size);
    tag->return_size = tag->data_size;
    return 1;
}

int cipher_get_ctx_params(void *context, OSSL_PARAM params[])
{
    cipher_context *ctx = context;
    static const char *const names[] = {OSSL_CIPHER_PARAM_KEYLEN, OSSL_CIPHER_PARAM_IVLEN,
                                        OSSL_CIPHER_PARAM_PADDING, OSSL_CIPHER_PARAM_NUM,
                                        OSSL_CIPHER_PARAM_AEAD_TAGLEN};
    const size_t values[] = {ctx->algorithm->key_bytes, ctx->iv_bytes, ctx->padding, ctx->num,
                             ctx->tag_bytes};

    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        if (!param_set_number(params, names[i], values[i])) {
            return wrong_parameter(ctx, names[i]);
        }
    }
    if (!param_set_bytes(params, OSSL_CIPHER_PARAM_IV, ctx->iv, ctx->iv_bytes)) {
        return wrong_parameter(ctx, OSSL_CIPHER_PARAM_IV);
    }
    return check_not_tls(ctx, params) && get_updated_iv(ctx, params) && get_tag(ctx, params);
}

/* --- of a context, to be set ------------------------------------------------------------------ */

static const OSSL_PARAM settable[] = {
    OSSL_PARAM_uint(OSSL_CIPHER_PARAM_PADDING, NULL),
    OSSL_PARAM_uint(OSSL_CIPHER_PARAM_NUM, NULL),
    OSSL_PARAM_uint(OSSL_CIPHER_PARAM_USE_BITS, NULL),
    OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_KEYLEN, NULL),
    OSSL_PARAM_size_t(OSSL_CIPHER_PARAM_IVLEN, NULL),
    OSSL_PARAM_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG, NULL, 0),
    OSSL_PARAM_END,
};

const OSSL_PARAM *cipher_settable_ctx_params(void *context, void *provider_context)
{
    (void)context;
    (void)provider_context;
    return settable;
}

static int set_padding(cipher_context *ctx, size_t value)
{
    ctx->padding = value != 0;
    return 1;
}

static int set_counts_bits(cipher_context *ctx, size_t value)
{
    ctx->counts_bits = value != 0;
    return 1;
}

static int check_num(cipher_context *ctx, size_t value)
{
    return value == ctx->num ||
           provider_fail(ctx->provider, REASON_NUM, "it is %zu, not %zu", ctx->num, value);
}

static int check_key_bytes(cipher_context *ctx, size_t value)
{
    return value == ctx->algorithm->key_bytes ||
           provider_fail(ctx->provider, MF_ERROR_KEY_LENGTH, "expected %zu bytes, found %zu",
                         ctx->algorithm->key_bytes, value);
}

/* An IV of another length is no IV any more, and its message cannot go on. It is no error yet:
 * OpenSSL sets the length of the next IV before it initialises. */
static int set_iv_bytes(cipher_context *ctx, size_t value)
{
    const mode *m = ctx->algorithm->mode;

    if (value < m->min_iv_bytes || value > m->max_iv_bytes) {
        return provider_fail(ctx->provider, MF_ERROR_NONCE_LENGTH,
                             "expected %zu to %zu bytes, found %zu", m->min_iv_bytes,
                             m->max_iv_bytes, value);
    }
    if (value != ctx->iv_bytes) {
        ctx->iv_bytes = value;
        ctx->iv_is_set = false;
        if (ctx->phase == PHASE_RUNNING) {
            ctx->phase = PHASE_READY;
        }
    }
    return 1;
}

static int set_number(cipher_context *ctx, const OSSL_PARAM params[], const char *name,
                      int (*set)(cipher_context *ctx, size_t value))
{
    const OSSL_PARAM *param = param_find(params, name);
    size_t value = 0;

    if (param == NULL) {
        return 1;
    }
    if (!param_get_number(param, &value)) {
        return wrong_parameter(ctx, name);
    }
    return set(ctx, value);
}

/* A tag to compare with that has another length is no tag any more. One that encryption has made
 * stays; the length is for the next message. */
static void set_tag_bytes(cipher_context *ctx, size_t value)
{
    if (value != ctx->tag_bytes) {
        ctx->tag_bytes = value;
        ctx->tag_is_set = ctx->tag_is_set && ctx->encrypt;
    }
}

/* With bytes it is the tag to compare with; without, the length alone. */
static int set_tag(cipher_context *ctx, const OSSL_PARAM params[])
{
    const OSSL_PARAM *tag = param_find(params, OSSL_CIPHER_PARAM_AEAD_TAG);
    const mode *m = ctx->algorithm->mode;

    if (tag == NULL || m->tag_bytes == 0) {
        return 1;
    }
    if (tag->data_type != OSSL_PARAM_OCTET_STRING) {
        return wrong_parameter(ctx, OSSL_CIPHER_PARAM_AEAD_TAG);
    }
    if (!m->takes_tag(tag->data_size)) {
        return provider_fail(ctx->provider, MF_ERROR_TAG_LENGTH,
                             "expected %zu bytes or another length of this mode, found %zu",
                             m->tag_bytes, tag->data_size);
    }
    if (tag->data != NULL && ctx->encrypt) {
        return provider_fail(ctx->provider, REASON_TAG_DIRECTION,
                             "expected decryption; encryption makes a tag");
    }
    set_tag_bytes(ctx, tag->data_size);
    if (tag->data != NULL) {
        memcpy(ctx->tag, tag->data, tag->data_size);
        ctx->tag_is_set = true;
    }
    return 1;
}

int cipher_set_ctx_params(void *context, const OSSL_PARAM params[])
{
    cipher_context *ctx = context;

    return check_not_tls(ctx, params) &&
           set_number(ctx, params, OSSL_CIPHER_PARAM_PADDING, set_padding) &&
           set_number(ctx, params, OSSL_CIPHER_PARAM_USE_BITS, set_counts_bits) &&
           set_number(ctx, params, OSSL_CIPHER_PARAM_NUM, check_num) &&
           set_number(ctx, params, OSSL_CIPHER_PARAM_KEYLEN, check_key_bytes) &&
           set_number(ctx, params, OSSL_CIPHER_PARAM_IVLEN, set_iv_bytes) && set_tag(ctx, params);
}
