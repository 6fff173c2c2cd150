/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * XTS against a slow recomputation from [IEEE1619, 5], block by block and tweak by tweak: data
 * units of every length to 300 bytes and some beyond; sectors of many sizes and numbers, also over
 * the end of 64-bit numbers; apart, in place, misaligned; wrong arguments and limits. The same body
 * for each kernel.
 */
#include "support.h"

#include <stdint.h>
#include <string.h>

enum { BLOCK = MF_TWOFISH_BLOCK_BYTES, MAX_BYTES = 8400, TWEAK = MF_XTS_TWEAK_BYTES };

/* The keys under test. */
static const char *cipher_name;
static mf_twofish key_1, key_2;
static mf_cipher data_cipher, tweak_cipher;
static mf_xts xts;

static guarded in_buffer;
static guarded out_buffer;

/* --- XTS, slowly ------------------------------------------------------------------------------ */

/* [IEEE1619, 5.2] */
static void slow_times_alpha(unsigned char T[BLOCK])
{
    unsigned carry = 0;

    for (size_t i = 0; i < BLOCK; i++) {
        const unsigned shifted = (unsigned)T[i] << 1 | carry;

        T[i] = (unsigned char)shifted;
        carry = shifted >> 8;
    }
    T[0] ^= carry != 0 ? 135 : 0;
}

/* XTS-AES-blockEnc of [IEEE1619, 5.3.1] for block j of the data unit. */
static void slow_block(const unsigned char *tweak, size_t j, unsigned char *out,
                       const unsigned char *in)
{
    unsigned char T[BLOCK], X[BLOCK];

    encrypt_block(&tweak_cipher, T, tweak);
    for (size_t i = 0; i < j; i++) {
        slow_times_alpha(T);
    }
    memcpy(X, in, BLOCK);
    xor_bytes(X, T, BLOCK);
    encrypt_block(&data_cipher, X, X);
    xor_bytes(X, T, BLOCK);
    memcpy(out, X, BLOCK);
}

/* A data unit. [IEEE1619, 5.3.2] */
static void slow_encrypt(const unsigned char *tweak, unsigned char *out, const unsigned char *in,
                         size_t n_bytes)
{
    const size_t m = n_bytes / BLOCK;
    const size_t b = n_bytes % BLOCK;
    unsigned char CC[BLOCK], PP[BLOCK];

    for (size_t j = 0; j < m; j++) {
        slow_block(tweak, j, out + j * BLOCK, in + j * BLOCK);
    }
    if (b > 0) {
        memcpy(CC, out + (m - 1) * BLOCK, BLOCK);
        memcpy(PP, in + m * BLOCK, b);
        memcpy(PP + b, CC + b, BLOCK - b);
        memcpy(out + m * BLOCK, CC, b);
        slow_block(tweak, m, out + (m - 1) * BLOCK, PP);
    }
}

/* The number of a sector after the first, in 128 bits. */
static void slow_number(unsigned char tweak[TWEAK], uint64_t first, size_t i)
{
    memset(tweak, 0, TWEAK);
    for (size_t byte = 0; byte < 8; byte++) {
        tweak[byte] = (unsigned char)(first >> 8 * byte);
    }
    while (i-- > 0) {
        size_t byte = 0;

        while (++tweak[byte] == 0) {
            byte++;
        }
    }
}

static void slow_encrypt_sectors(uint64_t first, size_t sector_bytes, unsigned char *out,
                                 const unsigned char *in, size_t n_bytes)
{
    for (size_t i = 0; i < n_bytes / sector_bytes; i++) {
        unsigned char tweak[TWEAK];

        slow_number(tweak, first, i);
        slow_encrypt(tweak, out + i * sector_bytes, in + i * sector_bytes, sector_bytes);
    }
}

/* --- Data units ------------------------------------------------------------------------------- */

typedef mf_status unit_crypt(const mf_xts *x, const void *tweak, void *out, const void *in,
                             size_t n_bytes);

static void check_unit_direction(unit_crypt *crypt, const unsigned char *tweak,
                                 const unsigned char *from, const unsigned char *to, size_t n_bytes)
{
    unsigned char *in = guarded_place(&in_buffer, n_bytes % 16, from, n_bytes);
    unsigned char *out = guarded_place(&out_buffer, n_bytes % 11, NULL, 0);

    CHECK_STATUS(crypt(&xts, tweak, out, in, n_bytes), MF_OK);
    CHECK_BYTES(out, to, n_bytes);
    CHECK(guarded_intact(&in_buffer, in, 0));
    CHECK(guarded_intact(&out_buffer, out, n_bytes));
    CHECK_STATUS(crypt(&xts, tweak, in, in, n_bytes), MF_OK);
    CHECK_BYTES(in, to, n_bytes);
    CHECK(guarded_intact(&in_buffer, in, n_bytes));
}

static void check_unit(size_t n_bytes)
{
    unsigned char tweak[TWEAK], plaintext[MAX_BYTES], ciphertext[MAX_BYTES];

    test_case("%s, XTS, a data unit of %zu bytes", cipher_name, n_bytes);
    random_bytes(tweak, sizeof tweak);
    random_bytes(plaintext, n_bytes);
    slow_encrypt(tweak, ciphertext, plaintext, n_bytes);
    check_unit_direction(mf_xts_encrypt, tweak, plaintext, ciphertext, n_bytes);
    check_unit_direction(mf_xts_decrypt, tweak, ciphertext, plaintext, n_bytes);
}

static void test_units(void)
{
    static const size_t longer[] = {511,  512,  513,  1008, 1023, 1024, 1025,
                                    1040, 1041, 2064, 4096, 4112, 8399};

    for (size_t n = BLOCK; n <= 300; n++) {
        check_unit(n);
    }
    for (size_t i = 0; i < sizeof longer / sizeof longer[0]; i++) {
        check_unit(longer[i]);
    }
}

/* The tweak may lie in the output, for it is read first. */
static void test_tweak_in_output(void)
{
    for (size_t at = 0; at <= 100; at++) {
        unsigned char expected[100];
        unsigned char *data = guarded_place(&in_buffer, 9, NULL, 0);

        test_case("%s, XTS, the tweak at %zu of the data", cipher_name, at);
        slow_encrypt(data + at, expected, data, sizeof expected);
        CHECK_STATUS(mf_xts_encrypt(&xts, data + at, data, data, sizeof expected), MF_OK);
        CHECK_BYTES(data, expected, sizeof expected);
        CHECK(guarded_intact(&in_buffer, data, sizeof expected));
    }
}

/* --- Sectors ---------------------------------------------------------------------------------- */

typedef mf_status sectors_crypt(const mf_xts *x, uint64_t first_sector, size_t sector_bytes,
                                void *out, const void *in, size_t n_bytes);

static void check_sectors_direction(sectors_crypt *crypt, uint64_t first, size_t sector_bytes,
                                    const unsigned char *from, const unsigned char *to,
                                    size_t n_bytes)
{
    unsigned char *in = guarded_place(&in_buffer, sector_bytes % 16, from, n_bytes);
    unsigned char *out = guarded_place(&out_buffer, sector_bytes % 11, NULL, 0);

    CHECK_STATUS(crypt(&xts, first, sector_bytes, out, in, n_bytes), MF_OK);
    CHECK_BYTES(out, to, n_bytes);
    CHECK(guarded_intact(&in_buffer, in, 0));
    CHECK(guarded_intact(&out_buffer, out, n_bytes));
    CHECK_STATUS(crypt(&xts, first, sector_bytes, in, in, n_bytes), MF_OK);
    CHECK_BYTES(in, to, n_bytes);
    CHECK(guarded_intact(&in_buffer, in, n_bytes));
}

static void check_sectors(uint64_t first, size_t sector_bytes, size_t n_sectors)
{
    const size_t n_bytes = sector_bytes * n_sectors;
    unsigned char plaintext[MAX_BYTES], ciphertext[MAX_BYTES];

    test_case("%s, XTS, %zu sectors of %zu bytes from number %llu", cipher_name, n_sectors,
              sector_bytes, (unsigned long long)first);
    random_bytes(plaintext, n_bytes);
    slow_encrypt_sectors(first, sector_bytes, ciphertext, plaintext, n_bytes);
    check_sectors_direction(mf_xts_encrypt_sectors, first, sector_bytes, plaintext, ciphertext,
                            n_bytes);
    check_sectors_direction(mf_xts_decrypt_sectors, first, sector_bytes, ciphertext, plaintext,
                            n_bytes);
}

/* Sizes around 1, 2, 16, 32 and 64 blocks; as many sectors as there is room for, and fewer. */
static void test_sectors(void)
{
    static const size_t sizes[] = {16,  17,  31,  32,  33,  48,  100,  255,  256,  257,  272,
                                   496, 512, 513, 520, 528, 800, 1008, 1024, 1040, 1041, 1600};

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (size_t n = MAX_BYTES / sizes[i]; n > 0; n = n > 70 ? n - 67 : n / 2) {
            uint64_t first;

            random_bytes(&first, sizeof first);
            check_sectors(first, sizes[i], n);
        }
        for (uint64_t before = 0; before < 3; before++) {
            check_sectors(UINT64_MAX - before, sizes[i], MAX_BYTES / sizes[i]);
        }
        check_sectors(0, sizes[i], 0);
    }
}

/* --- Wrong arguments; test_errors.c has those that it tries on every function ----------------- */

static void check_units_refused(unit_crypt *crypt, unsigned char *data)
{
    const unsigned char tweak[TWEAK] = {1};

    for (size_t n = 0; n < BLOCK; n++) {
        CHECK_STATUS(crypt(&xts, tweak, data, data, n), MF_ERROR_LENGTH);
    }
    CHECK_STATUS(crypt(NULL, tweak, data, data, 100), MF_ERROR_NULL);
    CHECK_STATUS(crypt(&xts, NULL, data, data, 100), MF_ERROR_NULL);
    CHECK_STATUS(crypt(&xts, tweak, data, data, MF_XTS_MAX_BYTES + 1), MF_ERROR_TOO_LONG);
}

static void check_sectors_refused(sectors_crypt *crypt, unsigned char *data)
{
    for (size_t n = 0; n < BLOCK; n++) {
        CHECK_STATUS(crypt(&xts, 0, n, data, data, n * 10), MF_ERROR_LENGTH);
    }
    for (size_t n = 1; n < 512; n++) {
        CHECK_STATUS(crypt(&xts, 0, 512, data, data, n), MF_ERROR_LENGTH);
    }
    CHECK_STATUS(crypt(NULL, 0, 100, data, data, 100), MF_ERROR_NULL);
    CHECK_STATUS(crypt(&xts, 0, MF_XTS_MAX_BYTES + 1, data, data, 0), MF_ERROR_TOO_LONG);
    CHECK_STATUS(crypt(&xts, 0, SIZE_MAX, data, data, SIZE_MAX), MF_ERROR_TOO_LONG);
    CHECK_STATUS(crypt(&xts, 0, MF_XTS_MAX_BYTES, NULL, NULL, 0), MF_OK);
}

static void test_refused(void)
{
    unsigned char *data = guarded_place(&in_buffer, 0, NULL, 0);

    test_case("%s, XTS, lengths and NULL", cipher_name);
    check_units_refused(mf_xts_encrypt, data);
    check_units_refused(mf_xts_decrypt, data);
    check_sectors_refused(mf_xts_encrypt_sectors, data);
    check_sectors_refused(mf_xts_decrypt_sectors, data);
    CHECK(guarded_intact(&in_buffer, data, 0));
}

static void check_init(const mf_cipher *data, const mf_cipher *tweak, mf_status expected)
{
    unsigned char block[BLOCK] = {0};
    mf_xts made;

    random_bytes(&made, sizeof made);
    CHECK_STATUS(mf_xts_init(&made, data, tweak), expected);
    CHECK(all_bytes_are(&made, sizeof made, 0));
    CHECK_STATUS(mf_xts_encrypt(&made, block, block, block, BLOCK), MF_ERROR_NO_KEY);
    CHECK_STATUS(mf_xts_decrypt_sectors(&made, 0, BLOCK, block, block, BLOCK), MF_ERROR_NO_KEY);
}

static void test_init(void)
{
    const toy_key toy = {true, {1, 2, 3}};
    const mf_cipher small = toy_cipher(&toy);
    const mf_twofish no_key = {0};
    const mf_cipher none = mf_twofish_cipher(&no_key);

    test_case("%s, XTS, ciphers that it cannot take", cipher_name);
    CHECK_STATUS(mf_xts_init(NULL, &data_cipher, &tweak_cipher), MF_ERROR_NULL);
    check_init(NULL, &tweak_cipher, MF_ERROR_NULL);
    check_init(&data_cipher, NULL, MF_ERROR_NULL);
    check_init(&none, &tweak_cipher, MF_ERROR_NO_KEY);
    check_init(&data_cipher, &none, MF_ERROR_NO_KEY);
    check_init(&small, &tweak_cipher, MF_ERROR_BLOCK);
    check_init(&data_cipher, &small, MF_ERROR_BLOCK);
    mf_xts_wipe(NULL);
}

/* Each of the two keys may be wiped while the other stays. */
static void check_wiped(const mf_cipher *data, const mf_cipher *tweak, mf_twofish *wiped)
{
    unsigned char block[BLOCK] = {0};
    mf_xts made;

    CHECK_STATUS(mf_xts_init(&made, data, tweak), MF_OK);
    mf_twofish_wipe(wiped);
    CHECK_STATUS(mf_xts_encrypt(&made, block, block, block, BLOCK), MF_ERROR_NO_KEY);
    CHECK_STATUS(mf_xts_encrypt_sectors(&made, 0, BLOCK, block, block, BLOCK), MF_ERROR_NO_KEY);
    CHECK(all_bytes_are(block, sizeof block, 0));
}

static void test_wiped_keys(const char *kernel)
{
    mf_twofish other;

    test_case("%s, XTS, one of two keys wiped", kernel);
    const mf_cipher cipher = twofish_cipher(&other, kernel, "0123456789abcdef", 16);
    check_wiped(&cipher, &tweak_cipher, &other);
    (void)twofish_cipher(&other, kernel, "0123456789abcdef", 16);
    check_wiped(&data_cipher, &cipher, &other);
}

static void test_kernel(const char *kernel)
{
    unsigned char key[2 * MF_TWOFISH_MAX_KEY_BYTES];

    test_case("%s, set-up", kernel);
    random_bytes(key, sizeof key);
    cipher_name = kernel;
    data_cipher = twofish_cipher(&key_1, kernel, key, 32);
    tweak_cipher = twofish_cipher(&key_2, kernel, key + 32, 32);
    CHECK_STATUS(mf_xts_init(&xts, &data_cipher, &tweak_cipher), MF_OK);
    test_units();
    test_tweak_in_output();
    test_sectors();
    test_refused();
    test_init();
    test_wiped_keys(kernel);
    mf_xts_wipe(&xts);
    mf_twofish_wipe(&key_1);
    mf_twofish_wipe(&key_2);
}

int main(void)
{
    each_kernel(test_kernel);
    return test_end();
}
