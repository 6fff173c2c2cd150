/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * LRW, the one mode that the provider computes itself, neither branches on secrets nor computes
 * addresses from them: valgrind's memcheck reports none while keys and texts count as undefined.
 * ../../c/tests/test_constant_time.c has the other modes.
 *
 * Usage: valgrind test_constant_time MODULES
 */
#include "evp.h"

#include <openssl/err.h>

#include <stdio.h>
#include <string.h>
#include <valgrind/memcheck.h>

enum { N_BYTES = 70 * 16 };

static unsigned char key[64], text[N_BYTES], out[N_BYTES], back[N_BYTES];

static void new_secrets(void)
{
    random_bytes(key, sizeof key);
    random_bytes(text, sizeof text);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(key, sizeof key);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(text, sizeof text);
}

static bool is_secret(const unsigned char *data, size_t n_bytes)
{
    unsigned char undefined_bits[N_BYTES];

    (void)VALGRIND_GET_VBITS(data, undefined_bits, n_bytes);
    for (size_t i = 0; i < n_bytes; i++) {
        if (undefined_bits[i] == 0) {
            return false;
        }
    }
    return true;
}

/* How many branches and addresses depend on a secret. */
static unsigned n_reported(const char *algorithm, const unsigned char iv[16], bool encrypt,
                           unsigned char *to, const unsigned char *from)
{
    const unsigned before = VALGRIND_COUNT_ERRORS;
    EVP_CIPHER_CTX *ctx = begin(algorithm, encrypt, key, iv);

    (void)CHECK(update(ctx, to, from, N_BYTES) == 1);
    EVP_CIPHER_CTX_free(ctx);
    return VALGRIND_COUNT_ERRORS - before;
}

static void test_lrw(const char *algorithm)
{
    static const unsigned char ivs[][16] = {
        {[15] = 1}, {[8] = 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xf0}, {0x80, [7] = 3}};

    for (size_t i = 0; i < sizeof ivs / sizeof ivs[0]; i++) {
        test_case("%s, index %zu", algorithm, i);
        new_secrets();
        (void)CHECK(n_reported(algorithm, ivs[i], true, out, text) == 0);
        (void)CHECK(n_reported(algorithm, ivs[i], false, back, out) == 0);
        (void)CHECK(is_secret(out, N_BYTES) && is_secret(back, N_BYTES));
        (void)VALGRIND_MAKE_MEM_DEFINED(text, sizeof text);
        (void)VALGRIND_MAKE_MEM_DEFINED(back, sizeof back);
        (void)CHECK_BYTES(back, text, N_BYTES);
    }
}

/* Whether the halves of a key of XTS are equal is no secret, and decides a branch. */
static void test_harness(void)
{
    static const unsigned char iv[16];

    test_case("a branch that must be reported");
    new_secrets();
    (void)CHECK(n_reported("TWOFISH-256-XTS", iv, true, out, text) > 0);
}

int main(int argc, char **argv)
{
    if (RUNNING_ON_VALGRIND == 0 || argc != 2 || !load_provider(NULL, argv[1])) {
        ERR_print_errors_fp(stderr);
        return 1;
    }
    test_lrw("TWOFISH-256-LRW");
    test_lrw("TWOFISH-320-LRW");
    test_lrw("TWOFISH-384-LRW");
    test_harness();
    return test_end();
}
