/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* OpenSSL 3. It has no Twofish; DES comes from its provider "legacy", and neither has CTR. */
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <stdlib.h>

#include "peer.h"

struct state {
    EVP_CIPHER *cipher;
    EVP_CIPHER_CTX *context;
    int encrypts, takes_iv;
};

static const char *version(void)
{
    return OpenSSL_version(OPENSSL_VERSION_STRING);
}

static const char *name_of(enum operation operation, size_t key_bytes)
{
    switch (operation) {
    case OP_ECB_ENCRYPT:
    case OP_ECB_DECRYPT:
        return key_bytes == 8 ? "DES-ECB" : "DES-EDE3";
    case OP_CBC_ENCRYPT:
    case OP_CBC_DECRYPT:
        return key_bytes == 8 ? "DES-CBC" : "DES-EDE3-CBC";
    default:
        return NULL;
    }
}

static void close_state(void *p)
{
    struct state *state = p;
    EVP_CIPHER_CTX_free(state->context);
    EVP_CIPHER_free(state->cipher);
    free(state);
}

static int set_key(void *p, const unsigned char *key, size_t n_bytes)
{
    struct state *state = p;
    (void)n_bytes;
    return !EVP_CipherInit_ex2(state->context, NULL, key, NULL, state->encrypts, NULL);
}

static void load_providers(void)
{
    static int are_loaded;
    if (!are_loaded) {
        are_loaded = 1;
        OSSL_PROVIDER_load(NULL, "default");
        OSSL_PROVIDER_load(NULL, "legacy");
    }
}

static void *open_state(enum operation operation, const struct keys *keys)
{
    const unsigned char no_iv[BLOCK_BYTES] = {0};
    const char *name = name_of(operation, keys->n_bytes);
    if (keys->cipher != CIPHER_DES || name == NULL)
        return NULL;
    load_providers();
    struct state *state = calloc(1, sizeof *state);
    if (state == NULL)
        return NULL;
    state->encrypts = operation == OP_ECB_ENCRYPT || operation == OP_CBC_ENCRYPT;
    state->takes_iv = operation == OP_CBC_ENCRYPT || operation == OP_CBC_DECRYPT;
    state->cipher = EVP_CIPHER_fetch(NULL, name, NULL);
    state->context = EVP_CIPHER_CTX_new();
    if (state->cipher == NULL || state->context == NULL ||
        !EVP_CipherInit_ex2(state->context, state->cipher, keys->data, no_iv, state->encrypts,
                            NULL) ||
        !EVP_CIPHER_CTX_set_padding(state->context, 0)) {
        close_state(state);
        return NULL;
    }
    return state;
}

static int run(void *p, const unsigned char *iv, unsigned char *data, size_t n_bytes,
               unsigned char *tag)
{
    const struct state *state = p;
    int out_bytes = 0;
    (void)tag;
    if (state->takes_iv &&
        !EVP_CipherInit_ex2(state->context, NULL, NULL, iv, state->encrypts, NULL))
        return 1;
    return !EVP_CipherUpdate(state->context, data, &out_bytes, data, (int)n_bytes) ||
           (size_t)out_bytes != n_bytes;
}

extern const struct peer peer_openssl;
const struct peer peer_openssl = {"OpenSSL", version, open_state, set_key, run, close_state};
