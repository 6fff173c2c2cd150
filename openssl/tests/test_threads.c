/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Threads: duplicates of one context share its key; each thread encrypts with its own, and gives
 * them up in any order. One fetched cipher serves all of them.
 *
 * Usage: test_threads MODULES
 */
#include "evp.h"

#include <openssl/err.h>

#include <pthread.h>
#include <string.h>

enum { N_THREADS = 4, N_ROUNDS = 200, N_BYTES = 1000 };

static EVP_CIPHER_CTX *shared;
static unsigned char text[N_BYTES], expected[N_BYTES];

/* A duplicate, a duplicate of that, and another key in the first. */
static bool round_is_right(void)
{
    EVP_CIPHER_CTX *a = EVP_CIPHER_CTX_new(), *b = EVP_CIPHER_CTX_new();
    unsigned char out[N_BYTES];

    bool ok = EVP_CIPHER_CTX_copy(a, shared) == 1 && EVP_CIPHER_CTX_copy(b, a) == 1;
    ok = ok && EVP_EncryptInit_ex2(a, NULL, text, text, NULL) == 1 &&
         update(a, out, text, sizeof text) == 1 && memcmp(out, expected, sizeof out) != 0;
    EVP_CIPHER_CTX_free(a);
    ok = ok && update(b, out, text, sizeof text) == 1 && memcmp(out, expected, sizeof out) == 0;
    EVP_CIPHER_CTX_free(b);
    return ok;
}

static void *work(void *n_right)
{
    for (int i = 0; i < N_ROUNDS; i++) {
        *(int *)n_right += round_is_right();
    }
    return NULL;
}

static void test_shared_key(const char *algorithm)
{
    pthread_t threads[N_THREADS];
    int n_right[N_THREADS] = {0};
    EVP_CIPHER_CTX *ctx;

    test_case("%s in %d threads", algorithm, N_THREADS);
    shared = begin(algorithm, true, NULL, NULL);
    ctx = begin(algorithm, true, NULL, NULL);
    (void)CHECK(update(ctx, expected, text, sizeof text) == 1);
    EVP_CIPHER_CTX_free(ctx);
    for (size_t i = 0; i < N_THREADS; i++) {
        (void)CHECK(pthread_create(&threads[i], NULL, work, &n_right[i]) == 0);
    }
    for (size_t i = 0; i < N_THREADS; i++) {
        (void)CHECK(pthread_join(threads[i], NULL) == 0);
        (void)CHECK(n_right[i] == N_ROUNDS);
    }
    EVP_CIPHER_CTX_free(shared);
}

int main(int argc, char **argv)
{
    if (argc != 2 || !load_provider(NULL, argv[1])) {
        ERR_print_errors_fp(stderr);
        return 1;
    }
    random_bytes(text, sizeof text);
    test_shared_key("TWOFISH-256-CTR");
    test_shared_key("TWOFISH-256-GCM");
    test_shared_key("TWOFISH-128-SIV");
    return test_end();
}
