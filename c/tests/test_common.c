/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Shared by all parts: version, sentences, mf_equal, mf_wipe, the list of kernels, self-test.
 * Argument: the file that holds the version of the project.
 */
#include "support.h"

#include <stdio.h>
#include <string.h>

enum { LAST_STATUS = MF_ERROR_LEAKS_VALUE };

static void test_version(const char *path)
{
    char version[32] = "";
    FILE *file = fopen(path, "r");

    test_case("library and header have the same version");
    CHECK(strcmp(mf_version(), MF_VERSION) == 0);
    if (file == NULL) {
        test_skip("no file %s to compare the version with", path);
        return;
    }
    test_case("version of the header and of %s", path);
    CHECK(fscanf(file, "%31s", version) == 1);
    CHECK(strcmp(version, MF_VERSION) == 0);
    (void)fclose(file);
}

static void test_status_text(void)
{
    for (int status = MF_OK; status <= LAST_STATUS; status++) {
        const char *text = mf_status_text((mf_status)status);

        test_case("sentence of status %d", status);
        CHECK(text != NULL && text[0] != '\0' && text[strlen(text) - 1] != '.');
        for (int other = MF_OK; other < status; other++) {
            CHECK(strcmp(text, mf_status_text((mf_status)other)) != 0);
        }
    }
    test_case("sentence of a status that does not exist");
    CHECK(mf_status_text((mf_status)(LAST_STATUS + 1)) != NULL);
}

static void test_equal(void)
{
    unsigned char a[67], b[67];

    random_bytes(a, sizeof a);
    memcpy(b, a, sizeof b);
    for (size_t bit = 0; bit < 8 * sizeof a; bit++) {
        test_case("mf_equal, bit %zu changed", bit);
        b[bit / 8] ^= (unsigned char)(1U << bit % 8);
        CHECK(!mf_equal(a, b, sizeof a));
        CHECK(mf_equal(a, b, bit / 8));
        b[bit / 8] ^= (unsigned char)(1U << bit % 8);
        CHECK(mf_equal(a, b, sizeof a));
    }
    test_case("mf_equal, nothing");
    CHECK(mf_equal(NULL, NULL, 0));
}

static void test_wipe(void)
{
    static guarded buffer;

    for (size_t n_bytes = 0; n_bytes <= 100; n_bytes++) {
        unsigned char *place = guarded_place(&buffer, n_bytes % 16, NULL, 0);

        test_case("mf_wipe, %zu bytes", n_bytes);
        mf_wipe(place, n_bytes);
        CHECK(all_bytes_are(place, n_bytes, 0));
        CHECK(guarded_intact(&buffer, place, n_bytes));
    }
    test_case("wiping nothing");
    mf_wipe(NULL, 0);
    mf_twofish_wipe(NULL);
    mf_ctr_wipe(NULL);
}

static void test_kernel_info(size_t index)
{
    const unsigned char key[MF_TWOFISH_MAX_KEY_BYTES] = {0};
    mf_kernel_info info;
    mf_twofish ctx;

    test_case("kernel %zu", index);
    if (!CHECK_STATUS(mf_twofish_kernel_info(index, &info), MF_OK)) {
        return;
    }
    CHECK(info.name != NULL && info.name[0] != '\0');
    CHECK(info.summary != NULL && info.summary[0] != '\0');
    CHECK(info.cpu_features != NULL);
    CHECK(info.lanes >= 1);
    CHECK(info.expanded_key_bytes > 0 && info.expanded_key_bytes <= sizeof ctx.expanded_key);
    CHECK(info.max_key_bytes == 16 || info.max_key_bytes == sizeof key);
    if (info.runnable) {
        CHECK_STATUS(mf_twofish_init_kernel(&ctx, info.name, key, info.max_key_bytes), MF_OK);
        CHECK(strcmp(mf_twofish_kernel_name(&ctx), info.name) == 0);
        mf_twofish_wipe(&ctx);
    } else {
        CHECK(!info.is_default && (info.cpu_features[0] != '\0' || info.shared_bytes > 0));
        CHECK_STATUS(mf_twofish_init_kernel(&ctx, info.name, key, info.max_key_bytes),
                     info.shared_bytes > 0 ? MF_ERROR_TABLES : MF_ERROR_CPU);
    }
    CHECK(mf_twofish_kernel_name(&ctx) == NULL);
}

static void test_default_kernel(void)
{
    const unsigned char key[MF_TWOFISH_MAX_KEY_BYTES] = {0};
    size_t n_defaults = 0;
    mf_twofish ctx, named;
    mf_kernel_info info;

    test_case("exactly one kernel is the default, and init takes it");
    CHECK_STATUS(mf_twofish_init(&ctx, key, sizeof key), MF_OK);
    CHECK_STATUS(mf_twofish_init_kernel(&named, NULL, key, sizeof key), MF_OK);
    CHECK(mf_twofish_kernel_name(&named) == mf_twofish_kernel_name(&ctx));
    for (size_t i = 0; i < mf_twofish_kernel_count(); i++) {
        CHECK_STATUS(mf_twofish_kernel_info(i, &info), MF_OK);
        if (info.is_default) {
            n_defaults++;
            CHECK(strcmp(mf_twofish_kernel_name(&ctx), info.name) == 0);
        }
    }
    CHECK(n_defaults == 1);
    mf_twofish_wipe(&ctx);
    mf_twofish_wipe(&named);
}

/* A context in memory of just the size that its kernel needs, wherever that lies: results are
 * right, and nothing else is written. */
static void check_memory(const mf_twofish_kernel *kernel, size_t at,
                         const unsigned char key[MF_TWOFISH_MAX_KEY_BYTES],
                         const mf_twofish *reference)
{
    static guarded buffer;
    const size_t n_bytes = mf_twofish_memory_bytes(kernel);
    unsigned char *memory = guarded_place(&buffer, at, NULL, 0);
    const mf_twofish *ctx = NULL;
    unsigned char text[5 * MF_TWOFISH_BLOCK_BYTES], found[sizeof text], expected[sizeof text];
    enum { N_BLOCKS = sizeof text / MF_TWOFISH_BLOCK_BYTES };

    random_bytes(text, sizeof text);
    CHECK_STATUS(mf_twofish_encrypt_blocks(reference, expected, text, N_BLOCKS), MF_OK);
    CHECK_STATUS(mf_twofish_init_in(&ctx, memory, n_bytes, kernel, key, MF_TWOFISH_MAX_KEY_BYTES),
                 MF_OK);
    CHECK(guarded_intact(&buffer, memory, n_bytes));
    CHECK_STATUS(mf_twofish_encrypt_blocks(ctx, found, text, N_BLOCKS), MF_OK);
    CHECK_BYTES(found, expected, sizeof found);
    const mf_cipher cipher = mf_twofish_cipher(ctx);
    CHECK_STATUS(mf_ecb_decrypt(&cipher, found, found, sizeof found), MF_OK);
    CHECK_BYTES(found, text, sizeof found);
    CHECK(mf_twofish_kernel_name(ctx) == mf_twofish_kernel_name(reference));
    mf_wipe(memory, n_bytes);
    CHECK_STATUS(mf_ecb_decrypt(&cipher, found, found, sizeof found), MF_ERROR_NO_KEY);
}

/* Those that must be in every build, by name and by address, which is no constant in a DLL. */
static void test_portable_kernels(void)
{
    const struct {
        const char *name;
        const mf_twofish_kernel *kernel;
        size_t memory_bytes;
    } portable[] = {{"zero", &mf_twofish_zero, MF_TWOFISH_ZERO_MEMORY_BYTES},
                    {"minimal", &mf_twofish_minimal, MF_TWOFISH_MINIMAL_MEMORY_BYTES},
                    {"partial", &mf_twofish_partial, MF_TWOFISH_PARTIAL_MEMORY_BYTES},
                    {"full", &mf_twofish_full, MF_TWOFISH_FULL_MEMORY_BYTES}};
    unsigned char key[MF_TWOFISH_MAX_KEY_BYTES];
    mf_twofish named, given;

    random_bytes(key, sizeof key);
    for (size_t i = 0; i < sizeof portable / sizeof portable[0]; i++) {
        test_case("kernel %s is there", portable[i].name);
        CHECK_STATUS(mf_twofish_init_kernel(&named, portable[i].name, key, sizeof key), MF_OK);
        CHECK_STATUS(mf_twofish_init_with(&given, portable[i].kernel, key, sizeof key), MF_OK);
        CHECK_BYTES(&given, &named, sizeof given);
        CHECK(mf_twofish_memory_bytes(portable[i].kernel) == portable[i].memory_bytes);
        for (size_t at = 0; at < 2 * sizeof(void *); at++) {
            check_memory(portable[i].kernel, at, key, &named);
        }
        mf_twofish_wipe(&named);
        mf_twofish_wipe(&given);
    }
    CHECK(mf_twofish_memory_bytes(NULL) == 0);
}

static void test_selftest(const char *kernel)
{
    test_case("self-test of %s", kernel != NULL ? kernel : "the default kernel");
    CHECK_STATUS(mf_twofish_selftest(kernel), MF_OK);
}

/* Lengths of keys as the paper pads them [Twofish98, 4.3.1]. */
static void test_pad_key(void)
{
    unsigned char key[MF_TWOFISH_MAX_KEY_BYTES];
    unsigned char padded[MF_TWOFISH_MAX_KEY_BYTES];

    random_bytes(key, sizeof key);
    for (size_t n_bytes = 0; n_bytes <= sizeof key; n_bytes++) {
        size_t padded_bytes = 0;

        test_case("key of %zu bytes padded", n_bytes);
        memset(padded, 0xA5, sizeof padded);
        CHECK_STATUS(mf_twofish_pad_key(padded, &padded_bytes, n_bytes > 0 ? key : NULL, n_bytes),
                     MF_OK);
        CHECK(padded_bytes == (n_bytes <= 16 ? 16U : n_bytes <= 24 ? 24U : 32U));
        CHECK_BYTES(padded, key, n_bytes);
        CHECK(all_bytes_are(padded + n_bytes, sizeof padded - n_bytes, 0));
    }
}

int main(int argc, char **argv)
{
    test_version(argc > 1 ? argv[1] : "../VERSION");
    test_status_text();
    test_equal();
    test_wipe();
    for (size_t i = 0; i < mf_twofish_kernel_count(); i++) {
        test_kernel_info(i);
    }
    test_default_kernel();
    test_portable_kernels();
    test_pad_key();
    each_kernel(test_selftest);
    test_selftest(NULL);
    return test_end();
}
