/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * See evp.h.
 */
#include "evp.h"

#include <openssl/err.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static OSSL_PROVIDER *loaded[2];

/* OpenSSL counts a provider that is not unloaded as in use for ever. */
void unload_providers(void)
{
    for (size_t i = 0; i < sizeof loaded / sizeof loaded[0]; i++) {
        if (loaded[i] != NULL) {
            (void)OSSL_PROVIDER_unload(loaded[i]);
        }
        loaded[i] = NULL;
    }
}

bool load_provider(OSSL_LIB_CTX *context, const char *folder)
{
    if (OSSL_PROVIDER_set_default_search_path(context, folder) != 1) {
        return false;
    }
    loaded[0] = OSSL_PROVIDER_load(context, "default");
    loaded[1] = OSSL_PROVIDER_load(context, "manyfish");
    if (context == NULL) {
        (void)atexit(unload_providers);
    }
    return loaded[0] != NULL && loaded[1] != NULL;
}

EVP_CIPHER *fetch(const char *algorithm)
{
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, algorithm, "provider=manyfish");

    (void)CHECK(cipher != NULL);
    return cipher;
}

bool failed_with(int ok, const char *reason)
{
    const char *data = NULL;
    int flags = 0;
    const unsigned long error = ERR_peek_last_error_all(NULL, NULL, NULL, &data, &flags);
    const char *found = ERR_reason_error_string(error);
    const bool holds =
        ok <= 0 && found != NULL && strcmp(found, reason) == 0 && data != NULL && strlen(data) > 4;

    if (!holds) {
        printf("expected '%s', found %d, '%s', '%s'\n", reason, ok, found == NULL ? "" : found,
               data == NULL ? "" : data);
    }
    ERR_clear_error();
    return holds;
}

int set_iv_bytes(EVP_CIPHER_CTX *ctx, size_t n_bytes)
{
    return EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_IVLEN, (int)n_bytes, NULL);
}

int set_tag(EVP_CIPHER_CTX *ctx, const void *tag, size_t n_bytes)
{
    return EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG, (int)n_bytes, (void *)(uintptr_t)tag);
}

int get_tag(EVP_CIPHER_CTX *ctx, void *tag, size_t n_bytes)
{
    return EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG, (int)n_bytes, tag);
}

int update(EVP_CIPHER_CTX *ctx, void *out, const void *in, size_t n_bytes)
{
    int n = 0;

    return EVP_CipherUpdate(ctx, out, &n, in, (int)n_bytes);
}

int final(EVP_CIPHER_CTX *ctx, void *out)
{
    unsigned char none[EVP_MAX_BLOCK_LENGTH];
    int n = 0;

    return EVP_CipherFinal_ex(ctx, out == NULL ? none : out, &n);
}

EVP_CIPHER_CTX *begin(const char *algorithm, bool encrypt, const unsigned char *key,
                      const unsigned char *iv)
{
    static const unsigned char zeros[64];
    EVP_CIPHER *cipher = fetch(algorithm);
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();

    (void)CHECK(EVP_CipherInit_ex2(ctx, cipher, key == NULL ? zeros : key, iv == NULL ? zeros : iv,
                                   encrypt, NULL) == 1);
    EVP_CIPHER_free(cipher);
    return ctx;
}

/* --- a message -------------------------------------------------------------------------------- */

/* As programs do it: the cipher, then lengths and tag, then key and IV. */
static bool initialise(EVP_CIPHER_CTX *ctx, const EVP_CIPHER *cipher, message *m)
{
    bool ok = EVP_CipherInit_ex2(ctx, cipher, NULL, NULL, m->encrypt, NULL) == 1;

    if (m->tag_bytes != 0) {
        if (m->iv.n_bytes != 0) {
            ok = ok && set_iv_bytes(ctx, m->iv.n_bytes) == 1;
        }
        ok = ok && set_tag(ctx, m->encrypt ? NULL : m->tag, m->tag_bytes) == 1;
    }
    ok = ok && EVP_CipherInit_ex2(ctx, NULL, m->key.bytes, m->iv.n_bytes == 0 ? NULL : m->iv.bytes,
                                  m->encrypt, NULL) == 1;
    if (m->no_padding) {
        ok = ok && EVP_CIPHER_CTX_set_padding(ctx, 0) == 1;
    }
    return ok;
}

static bool in_one_call(const EVP_CIPHER *cipher)
{
    const int mode = EVP_CIPHER_get_mode(cipher);

    return mode == EVP_CIPH_XTS_MODE || mode == EVP_CIPH_CCM_MODE || mode == EVP_CIPH_SIV_MODE;
}

static void duplicate(EVP_CIPHER_CTX **ctx)
{
    EVP_CIPHER_CTX *copy = EVP_CIPHER_CTX_new();

    if (CHECK(EVP_CIPHER_CTX_copy(copy, *ctx) == 1)) {
        EVP_CIPHER_CTX_free(*ctx);
        *ctx = copy;
    } else {
        EVP_CIPHER_CTX_free(copy);
    }
}

static size_t piece(const way *w, bool whole, size_t n_left)
{
    static const size_t bounds[] = {2, 17, 40, 700};

    if (!w->in_pieces || whole) {
        return n_left;
    }
    const size_t n = random_below(bounds[random_below(4)]);
    return n < n_left ? n : n_left;
}

static bool put_aad(EVP_CIPHER_CTX **ctx, const message *m, const way *w, bool whole)
{
    int n = 0;
    bool ok = true;

    if (EVP_CIPHER_CTX_get_mode(*ctx) == EVP_CIPH_CCM_MODE) {
        ok = EVP_CipherUpdate(*ctx, NULL, &n, NULL, (int)m->text.n_bytes) == 1;
    }
    for (size_t i = 0; ok && i < m->n_aad; i++) {
        size_t done = 0;

        do {
            const size_t next = piece(w, whole, m->aad[i].n_bytes - done);

            ok = EVP_CipherUpdate(*ctx, NULL, &n, m->aad[i].bytes + done, (int)next) == 1;
            done += next;
            if (w->duplicated && random_below(3) == 0) {
                duplicate(ctx);
            }
        } while (ok && done < m->aad[i].n_bytes);
    }
    return ok;
}

static bool put_text(EVP_CIPHER_CTX **ctx, const message *m, const way *w, bool whole,
                     unsigned char *out, size_t *n_out)
{
    const unsigned char *in = m->text.bytes;
    size_t done = 0;
    bool ok = true;

    if (w->in_place) {
        memmove(out, in, m->text.n_bytes);
        in = out;
    }
    do {
        const size_t next = piece(w, whole, m->text.n_bytes - done);
        int n = 0;

        ok = EVP_CipherUpdate(*ctx, out + *n_out, &n, in + done, (int)next) == 1;
        done += next;
        *n_out += (size_t)n;
        if (w->duplicated && random_below(3) == 0) {
            duplicate(ctx);
        }
    } while (ok && done < m->text.n_bytes);
    return ok;
}

static bool put_once(EVP_CIPHER_CTX *ctx, const message *m, unsigned char *out, size_t *n_out)
{
    const int n = EVP_Cipher(ctx, out, m->text.bytes, (unsigned)m->text.n_bytes);

    *n_out = n < 0 ? 0 : (size_t)n;
    return n >= 0 && (m->tag_bytes == 0 || EVP_Cipher(ctx, out, NULL, 0) >= 0);
}

static bool put(EVP_CIPHER_CTX **ctx, const message *m, const way *w, unsigned char *out,
                size_t *n_out)
{
    const bool whole = in_one_call(EVP_CIPHER_CTX_get0_cipher(*ctx));
    int n = 0;

    if (!put_aad(ctx, m, w, whole)) {
        return false;
    }
    if (w->once) {
        return put_once(*ctx, m, out, n_out);
    }
    if (!put_text(ctx, m, w, whole, out, n_out)) {
        return false;
    }
    const bool ok = EVP_CipherFinal_ex(*ctx, out + *n_out, &n) == 1;
    *n_out += (size_t)n;
    return ok;
}

bool run(message *m, const way *w, unsigned char *out, size_t *n_out)
{
    EVP_CIPHER *cipher = fetch(m->algorithm);
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    bool ok = cipher != NULL && CHECK(initialise(ctx, cipher, m));

    *n_out = 0;
    ok = ok && put(&ctx, m, w, out, n_out);
    if (ok && m->encrypt && m->tag_bytes != 0) {
        ok = get_tag(ctx, m->tag, m->tag_bytes) == 1;
    }
    EVP_CIPHER_CTX_free(ctx);
    EVP_CIPHER_free(cipher);
    return ok;
}
