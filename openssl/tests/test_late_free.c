/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A library context that is freed when libcrypto has cleaned up already, as cryptsetup does in a
 * destructor of its library. A crash there makes this program fail.
 *
 * Usage: test_late_free MODULES
 */
#include "evp.h"

#include <openssl/crypto.h>
#include <openssl/err.h>

static OSSL_LIB_CTX *context;
static OSSL_PROVIDER *ours;

__attribute__((destructor)) static void free_context(void)
{
    (void)OSSL_PROVIDER_unload(ours);
    OSSL_LIB_CTX_free(context);
}

/* An error of ours, so that all that libcrypto keeps of errors is there to be freed. */
static void test_with_error(void)
{
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(context, "TWOFISH-256-CBC", NULL);
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    unsigned char block[16] = {0};

    test_case("a context that a destructor frees");
    (void)CHECK(EVP_EncryptInit_ex2(ctx, cipher, NULL, NULL, NULL) == 1);
    (void)CHECK_FAILS(update(ctx, block, block, sizeof block), "no key set");
    EVP_CIPHER_CTX_free(ctx);
    EVP_CIPHER_free(cipher);
}

int main(int argc, char **argv)
{
    context = OSSL_LIB_CTX_new();
    if (argc != 2 || OSSL_PROVIDER_set_default_search_path(context, argv[1]) != 1) {
        return 1;
    }
    ours = OSSL_PROVIDER_load(context, "manyfish");
    if (!CHECK(ours != NULL)) {
        ERR_print_errors_fp(stderr);
        return test_end();
    }
    test_with_error();
    return test_end();
}
