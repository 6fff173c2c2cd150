/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The old ways to a cipher: EVP_get_cipherbyname, numbers, and what lists all names. Programs that
 * take them get the same cipher.
 *
 * Usage: test_names MODULES
 */
#include "evp.h"

#include <openssl/err.h>
#include <openssl/objects.h>

#include <string.h>

static const char *const modes[] = {"ECB", "CBC", "CTR", "CFB", "CFB8", "CFB1", "OFB",
                                    "XTS", "LRW", "OCB", "GCM", "CCM",  "SIV"};
enum { N_MODES = sizeof modes / sizeof modes[0], N_SIZES = 3, N_ALIASES = 3 };

/* Loaded into a context of its own it is there, and the old list stays as it was. */
static void test_other_context(const char *folder)
{
    OSSL_LIB_CTX *context = OSSL_LIB_CTX_new();

    test_case("in a library context of its own");
    (void)CHECK(load_provider(context, folder));
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(context, "TWOFISH-256-CTR", NULL);
    (void)CHECK(cipher != NULL);
    (void)CHECK(EVP_CIPHER_fetch(NULL, "TWOFISH-256-CTR", NULL) == NULL);
    (void)CHECK(EVP_get_cipherbyname("TWOFISH-256-CTR") == NULL);
    ERR_clear_error();
    EVP_CIPHER_free(cipher);
    unload_providers();
    OSSL_LIB_CTX_free(context);
}

static void encrypt(const EVP_CIPHER *cipher, unsigned char out[48])
{
    static const unsigned char key[64] = {1}, text[32];
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();

    memset(out, 0, 48);
    (void)CHECK(EVP_EncryptInit_ex(ctx, cipher, NULL, key, key) == 1);
    (void)CHECK(update(ctx, out, text, sizeof text) == 1);
    EVP_CIPHER_CTX_free(ctx);
}

static void check_name(const char *name)
{
    const EVP_CIPHER *listed = EVP_get_cipherbyname(name);
    EVP_CIPHER *fetched = EVP_CIPHER_fetch(NULL, name, NULL);
    unsigned char a[48], b[48];

    test_case("%s by name", name);
    if (!CHECK(listed != NULL) || !CHECK(fetched != NULL)) {
        return;
    }
    encrypt(listed, a);
    encrypt(fetched, b);
    (void)CHECK_BYTES(a, b, sizeof a);
    (void)CHECK(EVP_CIPHER_get_nid(listed) == EVP_CIPHER_get_nid(fetched));
    (void)CHECK(EVP_CIPHER_is_a(listed, name));
    EVP_CIPHER_free(fetched);
}

/* The library context of what is listed has random numbers, too. */
static void test_random_key(void)
{
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
    unsigned char key[64] = {0};

    test_case("a random key for a listed cipher");
    (void)CHECK(
        EVP_EncryptInit_ex(ctx, EVP_get_cipherbyname("TWOFISH-256-CTR"), NULL, NULL, NULL) == 1);
    (void)CHECK(EVP_CIPHER_CTX_rand_key(ctx, key) == 1);
    (void)CHECK(!all_bytes_are(key, 32, 0) && all_bytes_are(key + 32, 32, 0));
    EVP_CIPHER_CTX_free(ctx);
}

/* A number leads to the name, and the name to the number. */
static void check_number(const char *name)
{
    const EVP_CIPHER *listed = EVP_get_cipherbyname(name);
    const int nid = listed == NULL ? 0 : EVP_CIPHER_get_nid(listed);

    test_case("%s by number", name);
    (void)CHECK(nid != NID_undef);
    (void)CHECK(EVP_get_cipherbynid(nid) == listed);
    (void)CHECK(OBJ_sn2nid(name) == nid && OBJ_ln2nid(name) == nid);
}

static void check_mode(const char *mode)
{
    static const char *const one_key[N_SIZES] = {"128", "192", "256"};
    static const char *const both_keys[N_SIZES] = {"256", "320", "384"};
    const char *const *sizes = strcmp(mode, "LRW") == 0 ? both_keys : one_key;

    for (size_t i = 0; i < N_SIZES; i++) {
        char name[32] = "TWOFISH-", lower[32] = "twofish-";

        strcat(strcat(strcat(name, sizes[i]), "-"), mode);
        strcat(strcat(strcat(lower, sizes[i]), "-"), mode);
        check_name(name);
        check_name(lower);
        check_number(name);
    }
}

static void count_twofish(const OBJ_NAME *name, void *n)
{
    *(size_t *)n += strncmp(name->name, "TWOFISH", 7) == 0 && name->data != NULL;
}

static void test_list(void)
{
    size_t n = 0;

    test_case("all names of the old list");
    OBJ_NAME_do_all_sorted(OBJ_NAME_TYPE_CIPHER_METH, count_twofish, &n);
    (void)CHECK(n == N_SIZES * N_MODES + N_ALIASES);
}

/* A listed cipher stays of use, and a second load does not list it again. */
static void test_reload(const char *folder)
{
    const EVP_CIPHER *listed = EVP_get_cipherbyname("TWOFISH-256-CTR");
    unsigned char before[48], after[48];

    test_case("unloaded and loaded again");
    encrypt(listed, before);
    unload_providers();
    encrypt(listed, after);
    (void)CHECK_BYTES(after, before, sizeof after);
    (void)CHECK(load_provider(NULL, folder));
    (void)CHECK(EVP_get_cipherbyname("TWOFISH-256-CTR") == listed);
    check_name("TWOFISH-256-CTR");
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        return 1;
    }
    test_other_context(argv[1]);
    test_case("loading");
    if (!CHECK(load_provider(NULL, argv[1]))) {
        ERR_print_errors_fp(stderr);
        return test_end();
    }
    for (size_t i = 0; i < N_MODES; i++) {
        check_mode(modes[i]);
    }
    check_name("twofish128");
    check_name("Twofish192");
    check_name("TWOFISH256");
    test_list();
    test_random_key();
    test_reload(argv[1]);
    return test_end();
}
