/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * No memory: whatever allocation fails, the call says so, nothing crashes, and nothing is lost.
 * Then, that key and text are wiped before memory is given back.
 *
 * Usage: test_memory MODULES
 */
#include "evp.h"

#include <manyfish/twofish.h>

#include <openssl/crypto.h>
#include <openssl/err.h>

#include <stdlib.h>
#include <string.h>

static long n_left = -1; /* allocations until one fails; negative: none does */
static bool has_failed;

/* From byte 32 on: the second key of LRW. */
static const unsigned char key[64] = {0xA7, 0xA7, 0xA7, 0xA7, 0xA7, 0xA7, 0xA7, 0xA7, 0xA7,
                                      0xA7, 0xA7, 0xA7, 0xA7, 0xA7, 0xA7, 0xA7, 1,    [32] = 0xA7,
                                      0xA7, 0xA7, 0xA7, 0xA7, 0xA7, 0xA7, 0xA7, 0xA7, 0xA7,
                                      0xA7, 0xA7, 0xA7, 0xA7, 0xA7, 0xA7};
static const unsigned char text[64] = {0x5B, 0x5B, 0x5B, 0x5B, 0x5B, 0x5B, 0x5B, 0x5B,
                                       0x5B, 0x5B, 0x5B, 0x5B, 0x5B, 0x5B, 0x5B, 0x5B};

/* --- OpenSSL's memory, with its size in front ------------------------------------------------- */

enum { HEADER_BYTES = 16 };
static size_t n_searched, n_found;
static unsigned char expanded[16]; /* of the expanded key */
static bool searches;

static bool holds(const unsigned char *memory, size_t n_bytes, const unsigned char *secret,
                  size_t n_secret)
{
    for (size_t i = 0; i + n_secret <= n_bytes; i++) {
        if (memcmp(memory + i, secret, n_secret) == 0) {
            return true;
        }
    }
    return false;
}

static void *allocate(size_t n_bytes, const char *file, int line)
{
    (void)file;
    (void)line;
    if (n_left == 0) {
        has_failed = true;
        return NULL;
    }
    n_left -= n_left > 0;
    unsigned char *memory = malloc(n_bytes + HEADER_BYTES);
    if (memory == NULL) {
        return NULL;
    }
    memcpy(memory, &n_bytes, sizeof n_bytes);
    return memory + HEADER_BYTES;
}

static void release(void *memory, const char *file, int line)
{
    size_t n_bytes;

    (void)file;
    (void)line;
    if (memory == NULL) {
        return;
    }
    memcpy(&n_bytes, (unsigned char *)memory - HEADER_BYTES, sizeof n_bytes);
    if (searches) {
        n_searched++;
        n_found += holds(memory, n_bytes, key, 12) || holds(memory, n_bytes, text, 12) ||
                   holds(memory, n_bytes, expanded, sizeof expanded);
    }
    free((unsigned char *)memory - HEADER_BYTES);
}

static void *reallocate(void *memory, size_t n_bytes, const char *file, int line)
{
    size_t n_before = 0;
    void *larger = allocate(n_bytes, file, line);

    if (memory != NULL && larger != NULL) {
        memcpy(&n_before, (unsigned char *)memory - HEADER_BYTES, sizeof n_before);
        memcpy(larger, memory, n_before < n_bytes ? n_before : n_bytes);
        release(memory, file, line);
    }
    return larger;
}

/* --- a message with a duplicate --------------------------------------------------------------- */

/* All that allocates: contexts, keys, associated data, their copies. */
static bool use(const EVP_CIPHER *cipher)
{
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new(), *copy = EVP_CIPHER_CTX_new();
    const bool aead = (EVP_CIPHER_get_flags(cipher) & EVP_CIPH_FLAG_AEAD_CIPHER) != 0;
    unsigned char out[sizeof text + EVP_MAX_BLOCK_LENGTH];

    const bool ok =
        ctx != NULL && copy != NULL && EVP_EncryptInit_ex2(ctx, cipher, key, key, NULL) == 1 &&
        (!aead || update(ctx, NULL, text, 20) == 1) && EVP_CIPHER_CTX_copy(copy, ctx) == 1 &&
        EVP_EncryptInit_ex2(ctx, NULL, key, key, NULL) == 1 && update(copy, out, text, 32) == 1 &&
        update(ctx, out, text, 32) == 1;
    EVP_CIPHER_CTX_free(ctx);
    EVP_CIPHER_CTX_free(copy);
    return ok;
}

static void test_each_allocation(const char *algorithm)
{
    EVP_CIPHER *cipher = fetch(algorithm);
    long n = 0;

    test_case("each allocation fails, %s", algorithm);
    do {
        has_failed = false;
        n_left = n++;
        const bool ok = use(cipher);
        n_left = -1;
        (void)CHECK(ok != has_failed);
        ERR_clear_error();
    } while (has_failed && n < 1000);
    (void)CHECK(n > 3);
    EVP_CIPHER_free(cipher);
}

/* Behind the pointer to the kernel, whichever that is. */
static void expand_first_key(size_t key_bytes)
{
    mf_twofish twofish;

    (void)CHECK_STATUS(mf_twofish_init(&twofish, key, key_bytes), MF_OK);
    memcpy(expanded, twofish.expanded_key, sizeof expanded);
    mf_twofish_wipe(&twofish);
}

static void test_wiped(const char *algorithm, size_t first_key_bytes)
{
    EVP_CIPHER *cipher = fetch(algorithm);

    test_case("wiped, %s", algorithm);
    expand_first_key(first_key_bytes);
    n_searched = n_found = 0;
    searches = true;
    (void)CHECK(use(cipher));
    searches = false;
    (void)CHECK(n_searched >= 4 && n_found == 0);
    EVP_CIPHER_free(cipher);
}

/* The search finds what is there. */
static void test_search(void)
{
    unsigned char *memory = OPENSSL_malloc(100);

    test_case("a secret that is not wiped");
    memcpy(memory + 33, key, 16);
    n_searched = n_found = 0;
    searches = true;
    OPENSSL_free(memory);
    searches = false;
    (void)CHECK(n_searched == 1 && n_found == 1);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        size_t first_key_bytes;
    } algorithms[] = {{"TWOFISH-256-CBC", 32}, {"TWOFISH-256-CTR", 32}, {"TWOFISH-128-XTS", 16},
                      {"TWOFISH-384-LRW", 32}, {"TWOFISH-256-GCM", 32}, {"TWOFISH-256-OCB", 32},
                      {"TWOFISH-192-CCM", 24}, {"TWOFISH-256-SIV", 32}};

    if (argc != 2 || CRYPTO_set_mem_functions(allocate, reallocate, release) != 1 ||
        !load_provider(NULL, argv[1])) {
        ERR_print_errors_fp(stderr);
        return 1;
    }
    for (size_t i = 0; i < sizeof algorithms / sizeof algorithms[0]; i++) {
        test_each_allocation(algorithms[i].name);
        test_wiped(algorithms[i].name, algorithms[i].first_key_bytes);
    }
    test_search();
    return test_end();
}
