/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * CBC with ciphertext stealing against a slow recomputation from [Dworkin10]: each variant, every
 * length from one block to 300 bytes and some beyond, apart, in place, misaligned; wrong arguments.
 * The same body for each kernel, and for a cipher of 8-byte blocks.
 */
#include "support.h"

#include <stdint.h>
#include <string.h>

enum { MAX_BYTES = 8400, MAX_BLOCK = MF_MAX_BLOCK_BYTES };

static const mf_cts variants[] = {MF_CTS_CS1, MF_CTS_CS2, MF_CTS_CS3};

/* The cipher under test. */
static const char *cipher_name;
static mf_cipher cipher;

static guarded in_buffer;
static guarded out_buffer;

/* CBC of all blocks, zeros at the end, then the last two blocks in the order of the variant. */
static void slow_encrypt(mf_cts variant, const unsigned char *iv, unsigned char *out,
                         const unsigned char *in, size_t n_bytes)
{
    const size_t block = cipher.block_bytes;
    const size_t n_blocks = (n_bytes + block - 1) / block;
    const size_t d = n_bytes - (n_blocks - 1) * block;
    unsigned char C[MAX_BYTES + MAX_BLOCK] = {0};

    memcpy(C, in, n_bytes);
    for (size_t i = 0; i < n_blocks; i++) {
        xor_bytes(C + i * block, i == 0 ? iv : C + (i - 1) * block, block);
        encrypt_block(&cipher, C + i * block, C + i * block);
    }
    if (n_blocks == 1) {
        memcpy(out, C, block);
        return;
    }
    const unsigned char *cut = C + (n_blocks - 2) * block, *last = cut + block;
    unsigned char *end = out + (n_blocks - 2) * block;

    memcpy(out, C, (n_blocks - 2) * block);
    if (variant == MF_CTS_CS1 || (variant == MF_CTS_CS2 && d == block)) {
        memcpy(end, cut, d);
        memcpy(end + d, last, block);
    } else {
        memcpy(end, last, block);
        memcpy(end + block, cut, d);
    }
}

typedef mf_status cts_crypt(const mf_cipher *c, mf_cts variant, const void *iv, void *out,
                            const void *in, size_t n_bytes);

static void check_direction(cts_crypt *crypt, mf_cts variant, const unsigned char *iv,
                            const unsigned char *from, const unsigned char *to, size_t n_bytes)
{
    unsigned char *in = guarded_place(&in_buffer, n_bytes % 16, from, n_bytes);
    unsigned char *out = guarded_place(&out_buffer, n_bytes % 11, NULL, 0);
    unsigned char iv_after[MAX_BLOCK];

    memcpy(iv_after, iv, sizeof iv_after);
    CHECK_STATUS(crypt(&cipher, variant, iv_after, out, in, n_bytes), MF_OK);
    CHECK_BYTES(out, to, n_bytes);
    CHECK_BYTES(iv_after, iv, sizeof iv_after);
    CHECK(guarded_intact(&in_buffer, in, 0));
    CHECK(guarded_intact(&out_buffer, out, n_bytes));
    CHECK_STATUS(crypt(&cipher, variant, iv, in, in, n_bytes), MF_OK);
    CHECK_BYTES(in, to, n_bytes);
    CHECK(guarded_intact(&in_buffer, in, n_bytes));
}

static void check_length(size_t n_bytes)
{
    unsigned char iv[MAX_BLOCK], plaintext[MAX_BYTES], ciphertext[MAX_BYTES];

    for (size_t i = 0; i < 3; i++) {
        test_case("%s, CBC-CS%zu, %zu bytes", cipher_name, i + 1, n_bytes);
        random_bytes(iv, sizeof iv);
        random_bytes(plaintext, n_bytes);
        slow_encrypt(variants[i], iv, ciphertext, plaintext, n_bytes);
        check_direction(mf_cts_encrypt, variants[i], iv, plaintext, ciphertext, n_bytes);
        check_direction(mf_cts_decrypt, variants[i], iv, ciphertext, plaintext, n_bytes);
    }
}

static void test_lengths(void)
{
    static const size_t longer[] = {504,  512,  519,  1008, 1023, 1024,
                                    1041, 2048, 2064, 4111, 4112, MAX_BYTES};

    for (size_t n = cipher.block_bytes; n <= 300; n++) {
        check_length(n);
    }
    for (size_t i = 0; i < sizeof longer / sizeof longer[0]; i++) {
        check_length(longer[i]);
    }
}

static void check_refused(cts_crypt *crypt)
{
    unsigned char *data = guarded_place(&in_buffer, 0, NULL, 0);
    const unsigned char iv[MAX_BLOCK] = {0};

    test_case("%s, CBC with stealing, no such variant", cipher_name);
    for (int variant = -300; variant <= 300; variant++) {
        if (variant < MF_CTS_CS1 || variant > MF_CTS_CS3) {
            CHECK_STATUS(crypt(&cipher, (mf_cts)variant, iv, data, data, 100), MF_ERROR_BLOCK);
        }
    }
    for (size_t n = 0; n < cipher.block_bytes; n++) {
        test_case("%s, CBC with stealing, %zu bytes", cipher_name, n);
        CHECK_STATUS(crypt(&cipher, MF_CTS_CS1, iv, data, data, n), MF_ERROR_LENGTH);
        CHECK_STATUS(crypt(&cipher, MF_CTS_CS3, iv, data, data, n), MF_ERROR_LENGTH);
    }
    test_case("%s, CBC with stealing, NULL", cipher_name);
    CHECK_STATUS(crypt(NULL, MF_CTS_CS3, iv, data, data, 100), MF_ERROR_NULL);
    CHECK_STATUS(crypt(&cipher, MF_CTS_CS3, NULL, data, data, 100), MF_ERROR_NULL);
    test_case("%s, CBC with stealing, IV in the output", cipher_name);
    for (size_t at = 1; at < 100 + cipher.block_bytes; at++) {
        CHECK_STATUS(crypt(&cipher, MF_CTS_CS3, data + at, data + cipher.block_bytes,
                           data + 2 * MAX_BYTES / 3, 100),
                     MF_ERROR_OVERLAP);
    }
    CHECK(guarded_intact(&in_buffer, data, 0));
}

/* The IV is only read: it may lie in the input, if that is not the output too. */
static void test_iv_in_input(void)
{
    unsigned char expected[100];
    unsigned char *in = guarded_place(&in_buffer, 3, NULL, 0);
    unsigned char *out = guarded_place(&out_buffer, 5, NULL, 0);

    test_case("%s, CBC with stealing, IV in the input", cipher_name);
    slow_encrypt(MF_CTS_CS3, in + 7, expected, in, sizeof expected);
    CHECK_STATUS(mf_cts_encrypt(&cipher, MF_CTS_CS3, in + 7, out, in, sizeof expected), MF_OK);
    CHECK_BYTES(out, expected, sizeof expected);
    CHECK(guarded_intact(&in_buffer, in, 0));
}

static void test_all(void)
{
    test_lengths();
    check_refused(mf_cts_encrypt);
    check_refused(mf_cts_decrypt);
    test_iv_in_input();
}

static void test_kernel(const char *kernel)
{
    static mf_twofish ctx;
    unsigned char key[MF_TWOFISH_MAX_KEY_BYTES];

    test_case("%s, set-up", kernel);
    random_bytes(key, sizeof key);
    cipher_name = kernel;
    cipher = twofish_cipher(&ctx, kernel, key, sizeof key);
    test_all();
    mf_twofish_wipe(&ctx);
}

static void test_toy(void)
{
    static toy_key key = {true, {0}};

    random_bytes(key.bytes, sizeof key.bytes);
    cipher_name = "toy cipher of 8-byte blocks";
    cipher = toy_cipher(&key);
    test_all();
}

int main(void)
{
    each_kernel(test_kernel);
    test_toy();
    return test_end();
}
