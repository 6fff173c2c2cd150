/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Shared by the tests of the provider: loading it, a message in pieces through EVP, and failures
 * by the reason that OpenSSL tells.
 */
#ifndef MF_TEST_EVP_H
#define MF_TEST_EVP_H

#include "test.h"

#include <openssl/evp.h>
#include <openssl/provider.h>

enum { MAX_AAD_STRINGS = 4, MAX_TEXT_BYTES = 1 << 16, TAG_BYTES = 16 };

typedef struct string {
    const unsigned char *bytes;
    size_t n_bytes;
} string;

/* How a message goes through EVP. */
typedef struct way {
    bool in_pieces;  /* of random lengths, where the mode takes pieces */
    bool in_place;   /* in one piece */
    bool duplicated; /* the context is duplicated at random places, and the duplicate goes on */
    bool once;       /* by EVP_Cipher */
} way;

typedef struct message {
    const char *algorithm;
    string key, iv, text;
    string aad[MAX_AAD_STRINGS];
    size_t n_aad;
    bool encrypt;
    bool no_padding;
    size_t tag_bytes; /* 0: no tag */
    unsigned char tag[TAG_BYTES];
} message;

/* Loads the default provider and ours from this folder into a context (NULL: the default one, until
 * the program ends; else until unload_providers). */
bool load_provider(OSSL_LIB_CTX *context, const char *folder);
void unload_providers(void);

/* A cipher of that name, from ours; a failed check if there is none. */
EVP_CIPHER *fetch(const char *algorithm);

/* Puts the message through EVP; out has room for MAX_TEXT_BYTES and a block more. When encrypting
 * the tag is written to m. Returns whether all calls succeeded. */
bool run(message *m, const way *w, unsigned char *out, size_t *n_out);

/* A context with this key and IV, of 32 and 16 bytes of zeros if NULL; a failed check if there is
 * none. */
EVP_CIPHER_CTX *begin(const char *algorithm, bool encrypt, const unsigned char *key,
                      const unsigned char *iv);

/* True if ok says failure, and the last error on the queue has this reason and words beside it.
 * Empties the queue. */
#define CHECK_FAILS(ok, reason) CHECK(failed_with((ok), (reason)))
bool failed_with(int ok, const char *reason);

/* Sets a length, or a tag, by the old controls. */
int set_iv_bytes(EVP_CIPHER_CTX *ctx, size_t n_bytes);
int set_tag(EVP_CIPHER_CTX *ctx, const void *tag, size_t n_bytes);
int get_tag(EVP_CIPHER_CTX *ctx, void *tag, size_t n_bytes);

/* Update and final, whose lengths are of no interest. */
int update(EVP_CIPHER_CTX *ctx, void *out, const void *in, size_t n_bytes);
int final(EVP_CIPHER_CTX *ctx, void *out);

#endif
