/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * CFB and OFB against slow recomputations from [SP800-38A, 6.3, 6.4] bit by bit: lengths around
 * blocks and around 64 of them, in pieces, in place, misaligned; wrong arguments. The same body for
 * each kernel, and for a cipher of 8-byte blocks.
 */
#include "support.h"

#include <stdint.h>
#include <string.h>

enum { MAX_BYTES = 8400, MAX_BLOCK = MF_MAX_BLOCK_BYTES };

/* The cipher under test. */
static const char *cipher_name;
static mf_cipher cipher;

static guarded in_buffer;
static guarded out_buffer;

/* Every length to `dense`, then some on both sides of 8, 64, 128 and 1024 bytes and of 64 blocks,
 * to max_bytes; ends with SIZE_MAX. */
static size_t next_length(size_t n_bytes, size_t dense, size_t max_bytes)
{
    static const size_t longer[] = {63,   64,   65,   127,  128,  129,  300,  504,  512,      519,
                                    1008, 1023, 1024, 1041, 2048, 2064, 4096, 4112, MAX_BYTES};

    if (n_bytes < dense) {
        return n_bytes + 1;
    }
    for (size_t i = 0; i < sizeof longer / sizeof longer[0]; i++) {
        if (longer[i] > n_bytes && longer[i] <= max_bytes) {
            return longer[i];
        }
    }
    return SIZE_MAX;
}

/* --- The modes, slowly ------------------------------------------------------------------------ */

static unsigned bit_of(const unsigned char *bytes, size_t i)
{
    return (unsigned)bytes[i / 8] >> (7 - i % 8) & 1;
}

static void append_bit(unsigned char *block, unsigned bit)
{
    for (size_t i = cipher.block_bytes; i-- > 0;) {
        const unsigned shifted = (unsigned)block[i] << 1 | bit;

        block[i] = (unsigned char)shifted;
        bit = shifted >> 8;
    }
}

static void slow_cfb_encrypt(const unsigned char *iv, unsigned segment_bits, unsigned char *out,
                             const unsigned char *in, size_t n_bytes)
{
    unsigned char input[MAX_BLOCK], output[MAX_BLOCK];

    memcpy(input, iv, cipher.block_bytes);
    memset(out, 0, n_bytes);
    for (size_t i = 0; i < 8 * n_bytes; i++) {
        if (i % segment_bits == 0) {
            encrypt_block(&cipher, output, input);
        }
        const unsigned bit = bit_of(in, i) ^ bit_of(output, i % segment_bits);

        out[i / 8] = (unsigned char)(out[i / 8] | bit << (7 - i % 8));
        append_bit(input, bit);
    }
}

static void slow_ofb(const unsigned char *iv, unsigned char *out, const unsigned char *in,
                     size_t n_bytes)
{
    unsigned char output[MAX_BLOCK];

    memcpy(output, iv, cipher.block_bytes);
    for (size_t i = 0; i < n_bytes; i++) {
        if (i % cipher.block_bytes == 0) {
            encrypt_block(&cipher, output, output);
        }
        out[i] = in[i] ^ output[i % cipher.block_bytes];
    }
}

/* --- CFB -------------------------------------------------------------------------------------- */

typedef mf_status cfb_crypt(mf_cfb *cfb, void *out, const void *in, size_t n_bytes);

/* One call, apart and in place. */
static void check_cfb_whole(cfb_crypt *crypt, const unsigned char *iv, unsigned segment_bits,
                            const unsigned char *from, const unsigned char *to, size_t n_bytes)
{
    unsigned char *in = guarded_place(&in_buffer, n_bytes % 16, from, n_bytes);
    unsigned char *out = guarded_place(&out_buffer, n_bytes % 11, NULL, 0);
    mf_cfb cfb;

    CHECK_STATUS(mf_cfb_init(&cfb, &cipher, iv, segment_bits), MF_OK);
    CHECK_STATUS(crypt(&cfb, out, in, n_bytes), MF_OK);
    CHECK_BYTES(out, to, n_bytes);
    CHECK(guarded_intact(&in_buffer, in, 0));
    CHECK(guarded_intact(&out_buffer, out, n_bytes));

    CHECK_STATUS(mf_cfb_init(&cfb, &cipher, iv, segment_bits), MF_OK);
    CHECK_STATUS(crypt(&cfb, in, in, n_bytes), MF_OK);
    CHECK_BYTES(in, to, n_bytes);
    CHECK(guarded_intact(&in_buffer, in, n_bytes));
    mf_cfb_wipe(&cfb);
}

/* In pieces, with an empty one between. */
static void check_cfb_pieces(cfb_crypt *crypt, const unsigned char *iv, unsigned segment_bits,
                             const unsigned char *from, const unsigned char *to, size_t n_bytes,
                             size_t piece_bytes)
{
    unsigned char *data = guarded_place(&in_buffer, piece_bytes % 16, from, n_bytes);
    mf_cfb cfb;

    CHECK_STATUS(mf_cfb_init(&cfb, &cipher, iv, segment_bits), MF_OK);
    for (size_t i = 0; i < n_bytes; i += piece_bytes) {
        const size_t piece = piece_bytes < n_bytes - i ? piece_bytes : n_bytes - i;

        CHECK_STATUS(crypt(&cfb, data + i, data + i, piece), MF_OK);
        CHECK_STATUS(crypt(&cfb, NULL, NULL, 0), MF_OK);
    }
    CHECK_BYTES(data, to, n_bytes);
    CHECK(guarded_intact(&in_buffer, data, n_bytes));
    mf_cfb_wipe(&cfb);
}

static void check_cfb(unsigned segment_bits, size_t n_bytes)
{
    unsigned char iv[MAX_BLOCK], plaintext[MAX_BYTES], ciphertext[MAX_BYTES];

    test_case("%s, CFB with segments of %u bits, %zu bytes", cipher_name, segment_bits, n_bytes);
    random_bytes(iv, sizeof iv);
    random_bytes(plaintext, n_bytes);
    slow_cfb_encrypt(iv, segment_bits, ciphertext, plaintext, n_bytes);
    check_cfb_whole(mf_cfb_encrypt, iv, segment_bits, plaintext, ciphertext, n_bytes);
    check_cfb_whole(mf_cfb_decrypt, iv, segment_bits, ciphertext, plaintext, n_bytes);
    for (size_t piece = 1; piece <= 67; piece += test_quick() ? 22 : 6) {
        check_cfb_pieces(mf_cfb_encrypt, iv, segment_bits, plaintext, ciphertext, n_bytes, piece);
        check_cfb_pieces(mf_cfb_decrypt, iv, segment_bits, ciphertext, plaintext, n_bytes, piece);
    }
}

/* Short segments take one block each, and are tried with fewer bytes. */
static void test_cfb(void)
{
    for (size_t n = 0; n != SIZE_MAX; n = next_length(n, 300, MAX_BYTES)) {
        check_cfb((unsigned)(8 * cipher.block_bytes), n);
    }
    for (size_t n = 0; n != SIZE_MAX; n = next_length(n, 20, 129)) {
        check_cfb(8, n);
    }
    for (size_t n = 0; n != SIZE_MAX; n = next_length(n, 18, test_quick() ? 18 : 65)) {
        check_cfb(1, n);
    }
}

/* Two random calls of random direction: only the ciphertext so far counts, in either direction. */
static void test_cfb_directions(void)
{
    const unsigned segments[] = {1, 8, (unsigned)(8 * cipher.block_bytes)};
    unsigned char iv[MAX_BLOCK], plaintext[64], ciphertext[64], out[64];

    for (unsigned i = 0; i < 60; i++) {
        const size_t first = random_below(sizeof out + 1);
        const unsigned bits = segments[i % 3];
        mf_cfb cfb;

        test_case("%s, CFB with segments of %u bits, turned after %zu bytes", cipher_name, bits,
                  first);
        random_bytes(iv, sizeof iv);
        random_bytes(plaintext, sizeof plaintext);
        slow_cfb_encrypt(iv, bits, ciphertext, plaintext, sizeof plaintext);
        CHECK_STATUS(mf_cfb_init(&cfb, &cipher, iv, bits), MF_OK);
        CHECK_STATUS(mf_cfb_encrypt(&cfb, out, plaintext, first), MF_OK);
        CHECK_STATUS(mf_cfb_decrypt(&cfb, out + first, ciphertext + first, sizeof out - first),
                     MF_OK);
        CHECK_BYTES(out, ciphertext, first);
        CHECK_BYTES(out + first, plaintext + first, sizeof out - first);
        mf_cfb_wipe(&cfb);
    }
}

/* --- OFB -------------------------------------------------------------------------------------- */

static void check_ofb_pieces(const unsigned char *iv, const unsigned char *text,
                             const unsigned char *expected, size_t n_bytes, size_t piece_bytes)
{
    unsigned char *data = guarded_place(&in_buffer, piece_bytes % 16, text, n_bytes);
    mf_ofb ofb;

    CHECK_STATUS(mf_ofb_init(&ofb, &cipher, iv), MF_OK);
    for (size_t i = 0; i < n_bytes; i += piece_bytes) {
        const size_t piece = piece_bytes < n_bytes - i ? piece_bytes : n_bytes - i;

        CHECK_STATUS(mf_ofb_crypt(&ofb, data + i, data + i, piece), MF_OK);
        CHECK_STATUS(mf_ofb_crypt(&ofb, NULL, NULL, 0), MF_OK);
    }
    CHECK_BYTES(data, expected, n_bytes);
    CHECK(guarded_intact(&in_buffer, data, n_bytes));
    mf_ofb_wipe(&ofb);
}

static void test_ofb(void)
{
    unsigned char iv[MAX_BLOCK], text[MAX_BYTES], expected[MAX_BYTES];

    for (size_t n = 0; n != SIZE_MAX; n = next_length(n, 300, MAX_BYTES)) {
        unsigned char *in, *out;
        mf_ofb ofb;

        test_case("%s, OFB, %zu bytes", cipher_name, n);
        random_bytes(iv, sizeof iv);
        random_bytes(text, n);
        slow_ofb(iv, expected, text, n);
        in = guarded_place(&in_buffer, n % 16, text, n);
        out = guarded_place(&out_buffer, n % 11, NULL, 0);
        CHECK_STATUS(mf_ofb_init(&ofb, &cipher, iv), MF_OK);
        CHECK_STATUS(mf_ofb_crypt(&ofb, out, in, n), MF_OK);
        CHECK_BYTES(out, expected, n);
        CHECK(guarded_intact(&in_buffer, in, 0));
        CHECK(guarded_intact(&out_buffer, out, n));
        mf_ofb_wipe(&ofb);
        for (size_t piece = 1; piece <= 67; piece += test_quick() ? 22 : 6) {
            check_ofb_pieces(iv, text, expected, n, piece);
        }
    }
}

/* --- Wrong arguments: those of init; test_errors.c has those of the other calls --------------- */

static void test_cfb_init(void)
{
    const unsigned whole = (unsigned)(8 * cipher.block_bytes);
    unsigned char iv[MAX_BLOCK] = {0}, byte = 0;
    mf_cfb cfb;

    for (unsigned bits = 0; bits <= 300; bits++) {
        const bool allowed = bits == 1 || bits == 8 || bits == whole;

        test_case("%s, CFB with segments of %u bits", cipher_name, bits);
        random_bytes(&cfb, sizeof cfb);
        CHECK_STATUS(mf_cfb_init(&cfb, &cipher, iv, bits), allowed ? MF_OK : MF_ERROR_BLOCK);
        CHECK_STATUS(mf_cfb_encrypt(&cfb, &byte, &byte, 1), allowed ? MF_OK : MF_ERROR_NO_KEY);
    }
    test_case("%s, CFB, NULL", cipher_name);
    CHECK_STATUS(mf_cfb_init(NULL, &cipher, iv, 8), MF_ERROR_NULL);
    CHECK_STATUS(mf_cfb_encrypt(NULL, &byte, &byte, 1), MF_ERROR_NULL);
    CHECK_STATUS(mf_cfb_decrypt(NULL, &byte, &byte, 1), MF_ERROR_NULL);
    CHECK_STATUS(mf_cfb_init(&cfb, NULL, iv, 8), MF_ERROR_NULL);
    CHECK(all_bytes_are(&cfb, sizeof cfb, 0));
    random_bytes(&cfb, sizeof cfb);
    CHECK_STATUS(mf_cfb_init(&cfb, &cipher, NULL, 8), MF_ERROR_NULL);
    CHECK(all_bytes_are(&cfb, sizeof cfb, 0));
    mf_cfb_wipe(NULL);
}

static void test_ofb_init(void)
{
    unsigned char iv[MAX_BLOCK] = {0}, byte = 0;
    mf_ofb ofb;

    test_case("%s, OFB, NULL", cipher_name);
    CHECK_STATUS(mf_ofb_init(NULL, &cipher, iv), MF_ERROR_NULL);
    CHECK_STATUS(mf_ofb_crypt(NULL, &byte, &byte, 1), MF_ERROR_NULL);
    random_bytes(&ofb, sizeof ofb);
    CHECK_STATUS(mf_ofb_init(&ofb, NULL, iv), MF_ERROR_NULL);
    CHECK(all_bytes_are(&ofb, sizeof ofb, 0));
    random_bytes(&ofb, sizeof ofb);
    CHECK_STATUS(mf_ofb_init(&ofb, &cipher, NULL), MF_ERROR_NULL);
    CHECK(all_bytes_are(&ofb, sizeof ofb, 0));
    mf_ofb_wipe(NULL);
}

/* --- All of it -------------------------------------------------------------------------------- */

static void test_all(void)
{
    test_cfb();
    test_cfb_directions();
    test_ofb();
    test_cfb_init();
    test_ofb_init();
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
