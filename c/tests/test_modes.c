/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * ECB, CBC, its paddings and CTR against slow recomputations from [SP800-38A] and [RFC5652] that
 * use one block at a time: every length to 300 bytes and some beyond, in pieces, in place,
 * misaligned; and every kind of bad padding. The same body for each kernel, and for a cipher of
 * 8-byte blocks.
 */
#include "support.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_BYTES = 8400, ROOM = MAX_BYTES + MF_MAX_BLOCK_BYTES, MAX_BLOCK = MF_MAX_BLOCK_BYTES };

/* Every length to 300 bytes, then some on both sides of 64 blocks and of the pieces in which modes
 * work; ends with SIZE_MAX. */
static size_t next_length(size_t n_bytes)
{
    static const size_t longer[] = {504,  512,  519,  1008, 1023, 1024,
                                    1041, 2048, 2064, 4096, 4112, MAX_BYTES};

    if (n_bytes < 300) {
        return n_bytes + 1;
    }
    for (size_t i = 0; i < sizeof longer / sizeof longer[0]; i++) {
        if (longer[i] > n_bytes) {
            return longer[i];
        }
    }
    return SIZE_MAX;
}

/* The cipher under test. */
static const char *cipher_name;
static mf_cipher cipher;

static guarded in_buffer;
static guarded out_buffer;

/* The next length that is whole blocks. */
static size_t next_whole_length(size_t n_bytes)
{
    do {
        n_bytes = next_length(n_bytes);
    } while (n_bytes != SIZE_MAX && n_bytes % cipher.block_bytes != 0);
    return n_bytes;
}

/* --- The modes, slowly ---------------------------------------------------------------------- */

static void slow_cbc_encrypt(const unsigned char *iv, unsigned char *out, const unsigned char *in,
                             size_t n_bytes)
{
    unsigned char chain[MAX_BLOCK];

    memcpy(chain, iv, cipher.block_bytes);
    for (size_t i = 0; i < n_bytes; i += cipher.block_bytes) {
        xor_bytes(chain, in + i, cipher.block_bytes);
        encrypt_block(&cipher, chain, chain);
        memcpy(out + i, chain, cipher.block_bytes);
    }
}

typedef mf_status padded_crypt(const mf_cipher *, void *, void *, size_t, size_t *, const void *,
                               size_t);

/* A padding, with its bytes written slowly. */
typedef struct padding {
    const char *name;
    void (*fill)(unsigned char *end, size_t n_padding);
    padded_crypt *encrypt, *decrypt;
} padding;

static void fill_pkcs7(unsigned char *end, size_t n_padding)
{
    memset(end, (int)n_padding, n_padding);
}

static void fill_iso(unsigned char *end, size_t n_padding)
{
    for (size_t i = 0; i < n_padding; i++) {
        end[i] = i == 0 ? 0x80 : 0;
    }
}

static const padding pkcs7 = {"PKCS#7", fill_pkcs7, mf_cbc_encrypt_padded, mf_cbc_decrypt_padded};
static const padding iso = {"ISO 7816-4", fill_iso, mf_cbc_encrypt_iso_padded,
                            mf_cbc_decrypt_iso_padded};

/* Adds the padding in place; returns the new length. */
static size_t slow_pad(const padding *p, unsigned char *data, size_t n_bytes)
{
    const size_t n_padding = cipher.block_bytes - n_bytes % cipher.block_bytes;

    p->fill(data + n_bytes, n_padding);
    return n_bytes + n_padding;
}

static void slow_increment(unsigned char *counter, size_t counter_bytes)
{
    for (size_t i = cipher.block_bytes; i-- > cipher.block_bytes - counter_bytes;) {
        counter[i]++;
        if (counter[i] != 0) {
            break;
        }
    }
}

static void slow_ctr(const unsigned char *initial, unsigned counter_bits, unsigned char *out,
                     const unsigned char *in, size_t n_bytes)
{
    unsigned char counter[MAX_BLOCK];
    unsigned char keystream[MAX_BLOCK];

    memcpy(counter, initial, cipher.block_bytes);
    for (size_t i = 0; i < n_bytes; i++) {
        if (i % cipher.block_bytes == 0) {
            encrypt_block(&cipher, keystream, counter);
            slow_increment(counter, counter_bits / 8);
        }
        out[i] = in[i] ^ keystream[i % cipher.block_bytes];
    }
}

/* --- ECB ------------------------------------------------------------------------------------ */

static void test_ecb(void)
{
    unsigned char text[MAX_BYTES], expected[MAX_BYTES];

    for (size_t n_bytes = 0; n_bytes != SIZE_MAX; n_bytes = next_whole_length(n_bytes)) {
        unsigned char *in, *out;

        test_case("%s, ECB, %zu bytes", cipher_name, n_bytes);
        random_bytes(text, n_bytes);
        for (size_t i = 0; i < n_bytes; i += cipher.block_bytes) {
            encrypt_block(&cipher, expected + i, text + i);
        }
        in = guarded_place(&in_buffer, n_bytes / 8 % 16, text, n_bytes);
        out = guarded_place(&out_buffer, n_bytes / 8 % 13, NULL, 0);
        CHECK_STATUS(mf_ecb_encrypt(&cipher, out, in, n_bytes), MF_OK);
        CHECK_BYTES(out, expected, n_bytes);
        CHECK_STATUS(mf_ecb_encrypt(&cipher, in, in, n_bytes), MF_OK);
        CHECK_BYTES(in, expected, n_bytes);
        CHECK_STATUS(mf_ecb_decrypt(&cipher, out, expected, n_bytes), MF_OK);
        CHECK_BYTES(out, text, n_bytes);
        CHECK_STATUS(mf_ecb_decrypt(&cipher, in, in, n_bytes), MF_OK);
        CHECK_BYTES(in, text, n_bytes);
        CHECK(guarded_intact(&in_buffer, in, n_bytes));
        CHECK(guarded_intact(&out_buffer, out, n_bytes));
    }
}

/* --- CBC ------------------------------------------------------------------------------------ */

typedef mf_status cbc_crypt(const mf_cipher *c, void *iv, void *out, const void *in,
                            size_t n_bytes);

/* A message in one call, apart and in place. The IV must move on to the last ciphertext block. */
static void check_cbc(cbc_crypt *crypt, const unsigned char *iv, const unsigned char *from,
                      const unsigned char *to, const unsigned char *last, size_t n_bytes)
{
    unsigned char chain[MAX_BLOCK];
    unsigned char *in = guarded_place(&in_buffer, n_bytes / 8 % 16, from, n_bytes);
    unsigned char *out = guarded_place(&out_buffer, n_bytes / 8 % 11, NULL, 0);

    memcpy(chain, iv, cipher.block_bytes);
    CHECK_STATUS(crypt(&cipher, chain, out, in, n_bytes), MF_OK);
    CHECK_BYTES(out, to, n_bytes);
    CHECK_BYTES(chain, last, cipher.block_bytes);
    CHECK(guarded_intact(&in_buffer, in, 0));
    CHECK(guarded_intact(&out_buffer, out, n_bytes));

    memcpy(chain, iv, cipher.block_bytes);
    CHECK_STATUS(crypt(&cipher, chain, in, in, n_bytes), MF_OK);
    CHECK_BYTES(in, to, n_bytes);
    CHECK_BYTES(chain, last, cipher.block_bytes);
    CHECK(guarded_intact(&in_buffer, in, n_bytes));
}

/* The same in pieces of 1, 2, 3, .. blocks, with an empty piece between. */
static void check_cbc_pieces(cbc_crypt *crypt, const unsigned char *iv, const unsigned char *from,
                             const unsigned char *to, size_t n_bytes)
{
    for (size_t blocks = 1; blocks <= 8; blocks++) {
        unsigned char chain[MAX_BLOCK], out[MAX_BYTES];
        size_t piece;

        memcpy(chain, iv, cipher.block_bytes);
        for (size_t i = 0; i < n_bytes; i += piece) {
            piece = blocks * cipher.block_bytes;
            piece = piece < n_bytes - i ? piece : n_bytes - i;
            CHECK_STATUS(crypt(&cipher, chain, out + i, from + i, piece), MF_OK);
            CHECK_STATUS(crypt(&cipher, chain, NULL, NULL, 0), MF_OK);
        }
        CHECK_BYTES(out, to, n_bytes);
    }
}

static void test_cbc(void)
{
    unsigned char iv[MAX_BLOCK], text[MAX_BYTES], expected[MAX_BYTES];

    for (size_t n_bytes = 0; n_bytes != SIZE_MAX; n_bytes = next_whole_length(n_bytes)) {
        const unsigned char *last = n_bytes == 0 ? iv : expected + n_bytes - cipher.block_bytes;

        test_case("%s, CBC, %zu bytes", cipher_name, n_bytes);
        random_bytes(iv, sizeof iv);
        random_bytes(text, n_bytes);
        slow_cbc_encrypt(iv, expected, text, n_bytes);
        check_cbc(mf_cbc_encrypt, iv, text, expected, last, n_bytes);
        check_cbc(mf_cbc_decrypt, iv, expected, text, last, n_bytes);
        check_cbc_pieces(mf_cbc_encrypt, iv, text, expected, n_bytes);
        check_cbc_pieces(mf_cbc_decrypt, iv, expected, text, n_bytes);
    }
}

/* --- CBC with padding ----------------------------------------------------------------------- */

/* Encrypts by the library what slow CBC gave, and decrypts it; both into out or both in place. */
static void check_padded(const padding *p, const unsigned char *iv, const unsigned char *text,
                         size_t n_bytes, const unsigned char *expected, size_t expected_bytes,
                         bool in_place)
{
    unsigned char chain[MAX_BLOCK];
    unsigned char *in = guarded_place(&in_buffer, n_bytes % 16, text, n_bytes);
    unsigned char *out = in_place ? in : guarded_place(&out_buffer, n_bytes % 11, NULL, 0);
    guarded *buffer = in_place ? &in_buffer : &out_buffer;
    size_t out_bytes = 1;

    memcpy(chain, iv, cipher.block_bytes);
    CHECK_STATUS(p->encrypt(&cipher, chain, out, expected_bytes, &out_bytes, in, n_bytes), MF_OK);
    CHECK(out_bytes == expected_bytes);
    CHECK_BYTES(out, expected, expected_bytes);
    CHECK(guarded_intact(buffer, out, expected_bytes));

    in = guarded_place(&in_buffer, n_bytes % 16, expected, expected_bytes);
    memcpy(chain, iv, cipher.block_bytes);
    CHECK_STATUS(p->decrypt(&cipher, chain, out, expected_bytes, &out_bytes, in, expected_bytes),
                 MF_OK);
    CHECK(out_bytes == n_bytes);
    CHECK_BYTES(out, text, n_bytes);
    CHECK(guarded_intact(buffer, out, expected_bytes));
}

static void test_padded(const padding *p)
{
    unsigned char iv[MAX_BLOCK], text[ROOM], expected[ROOM];

    for (size_t n_bytes = 0; n_bytes != SIZE_MAX; n_bytes = next_length(n_bytes)) {
        size_t padded_bytes;

        test_case("%s, CBC with %s padding, %zu bytes", cipher_name, p->name, n_bytes);
        random_bytes(iv, sizeof iv);
        random_bytes(text, n_bytes);
        padded_bytes = slow_pad(p, text, n_bytes);
        slow_cbc_encrypt(iv, expected, text, padded_bytes);
        check_padded(p, iv, text, n_bytes, expected, padded_bytes, false);
        check_padded(p, iv, text, n_bytes, expected, padded_bytes, true);
    }
}

/* Whole blocks first, then the rest with padding: one message. */
static void test_padded_pieces(const padding *p)
{
    const size_t n_bytes = 7 * cipher.block_bytes + 5;
    unsigned char iv[MAX_BLOCK], text[ROOM], expected[ROOM];

    random_bytes(iv, sizeof iv);
    random_bytes(text, n_bytes);
    const size_t padded_bytes = slow_pad(p, text, n_bytes);
    slow_cbc_encrypt(iv, expected, text, padded_bytes);
    for (size_t first = 0; first <= 7 * cipher.block_bytes; first += cipher.block_bytes) {
        unsigned char chain[MAX_BLOCK], out[ROOM];
        size_t out_bytes;

        test_case("%s, CBC with %s padding after %zu bytes", cipher_name, p->name, first);
        memcpy(chain, iv, sizeof chain);
        CHECK_STATUS(mf_cbc_encrypt(&cipher, chain, out, text, first), MF_OK);
        CHECK_STATUS(p->encrypt(&cipher, chain, out + first, sizeof out - first, &out_bytes,
                                text + first, n_bytes - first),
                     MF_OK);
        CHECK(out_bytes == padded_bytes - first);
        CHECK_BYTES(out, expected, padded_bytes);

        memcpy(chain, iv, sizeof chain);
        CHECK_STATUS(mf_cbc_decrypt(&cipher, chain, out, expected, first), MF_OK);
        CHECK_STATUS(p->decrypt(&cipher, chain, out + first, sizeof out - first, &out_bytes,
                                expected + first, padded_bytes - first),
                     MF_OK);
        CHECK(out_bytes == n_bytes - first);
        CHECK_BYTES(out, text, n_bytes);
    }
}

/* Decrypts what CBC makes of these plaintext bytes, whose padding is wrong. */
static void check_bad_padding(const padding *p, const unsigned char *padded, size_t n_bytes)
{
    unsigned char iv[MAX_BLOCK], chain[MAX_BLOCK], bad[ROOM];
    size_t out_bytes = 1;

    random_bytes(iv, sizeof iv);
    slow_cbc_encrypt(iv, bad, padded, n_bytes);
    unsigned char *in = guarded_place(&in_buffer, 1, bad, n_bytes);
    unsigned char *out = guarded_place(&out_buffer, 3, NULL, 0);

    memcpy(chain, iv, sizeof chain);
    CHECK_STATUS(p->decrypt(&cipher, chain, out, n_bytes, &out_bytes, in, n_bytes),
                 MF_ERROR_PADDING);
    CHECK(out_bytes == 0);
    CHECK(all_bytes_are(out, n_bytes, 0));
    CHECK(guarded_intact(&out_buffer, out, n_bytes));

    out_bytes = 1;
    memcpy(chain, iv, sizeof chain);
    CHECK_STATUS(p->decrypt(&cipher, chain, in, n_bytes, &out_bytes, in, n_bytes),
                 MF_ERROR_PADDING);
    CHECK(out_bytes == 0);
    CHECK(all_bytes_are(in, n_bytes, 0));
    CHECK(guarded_intact(&in_buffer, in, n_bytes));
}

/* Each last byte that no padding ends in; then each padding with each of its other bytes wrong. */
static void test_bad_pkcs7(void)
{
    const size_t n_bytes = 3 * cipher.block_bytes;
    unsigned char text[ROOM];

    for (unsigned last = 0; last < 256; last++) {
        if (last == 0 || last > cipher.block_bytes) {
            test_case("%s, padding ends in %u", cipher_name, last);
            memset(text, (int)last, n_bytes);
            check_bad_padding(&pkcs7, text, n_bytes);
        }
    }
    for (size_t n_padding = 2; n_padding <= cipher.block_bytes; n_padding++) {
        for (size_t wrong = 2; wrong <= n_padding; wrong++) {
            test_case("%s, %zu bytes of padding, wrong %zu from the end", cipher_name, n_padding,
                      wrong);
            random_bytes(text, n_bytes);
            memset(text + n_bytes - n_padding, (int)n_padding, n_padding);
            text[n_bytes - wrong] ^= (unsigned char)(1U << random_below(8));
            check_bad_padding(&pkcs7, text, n_bytes);
        }
    }
}

/* Zeros with no mark before them in the block; then each other byte behind text and in its place.
 */
static void test_bad_iso(void)
{
    const size_t n_bytes = 3 * cipher.block_bytes;
    unsigned char text[ROOM];

    test_case("%s, a block of zeros behind a mark", cipher_name);
    memset(text, 0, n_bytes);
    text[n_bytes - cipher.block_bytes - 1] = 0x80;
    check_bad_padding(&iso, text, n_bytes);
    for (size_t n_padding = 1; n_padding <= cipher.block_bytes; n_padding++) {
        for (unsigned mark = 1; mark < 256; mark++) {
            if (mark != 0x80) {
                test_case("%s, %zu bytes of padding, %u for the mark", cipher_name, n_padding,
                          mark);
                memset(text, 0x80, n_bytes);
                iso.fill(text + n_bytes - n_padding, n_padding);
                text[n_bytes - n_padding] = (unsigned char)mark;
                check_bad_padding(&iso, text, n_bytes);
            }
        }
    }
}

/* --- CTR ------------------------------------------------------------------------------------ */

static void check_ctr_pieces(const unsigned char *initial, unsigned counter_bits,
                             const unsigned char *text, const unsigned char *expected,
                             size_t n_bytes, size_t piece_bytes)
{
    unsigned char *data = guarded_place(&in_buffer, piece_bytes % 16, text, n_bytes);
    mf_ctr ctr;

    CHECK_STATUS(mf_ctr_init(&ctr, &cipher, initial, counter_bits), MF_OK);
    for (size_t i = 0; i < n_bytes; i += piece_bytes) {
        const size_t piece = piece_bytes < n_bytes - i ? piece_bytes : n_bytes - i;

        CHECK_STATUS(mf_ctr_crypt(&ctr, data + i, data + i, piece), MF_OK);
        CHECK_STATUS(mf_ctr_crypt(&ctr, NULL, NULL, 0), MF_OK);
    }
    CHECK_BYTES(data, expected, n_bytes);
    CHECK(guarded_intact(&in_buffer, data, n_bytes));
    mf_ctr_wipe(&ctr);
}

static void check_ctr(const unsigned char *initial, unsigned counter_bits, size_t n_bytes)
{
    unsigned char text[MAX_BYTES], expected[MAX_BYTES];
    unsigned char *in, *out;
    mf_ctr ctr;

    random_bytes(text, n_bytes);
    slow_ctr(initial, counter_bits, expected, text, n_bytes);
    in = guarded_place(&in_buffer, n_bytes % 16, text, n_bytes);
    out = guarded_place(&out_buffer, n_bytes % 11, NULL, 0);
    CHECK_STATUS(mf_ctr_init(&ctr, &cipher, initial, counter_bits), MF_OK);
    CHECK_STATUS(mf_ctr_crypt(&ctr, out, in, n_bytes), MF_OK);
    CHECK_BYTES(out, expected, n_bytes);
    CHECK(guarded_intact(&in_buffer, in, 0));
    CHECK(guarded_intact(&out_buffer, out, n_bytes));
    mf_ctr_wipe(&ctr);
    for (size_t piece = 1; piece <= 67; piece += test_quick() ? 22 : 3) {
        check_ctr_pieces(initial, counter_bits, text, expected, n_bytes, piece);
    }
}

static void test_ctr_bits(unsigned counter_bits)
{
    unsigned char initial[MAX_BLOCK];

    for (size_t n_bytes = 0; n_bytes != SIZE_MAX; n_bytes = next_length(n_bytes)) {
        test_case("%s, CTR with %u counter bits, %zu bytes", cipher_name, counter_bits, n_bytes);
        random_bytes(initial, sizeof initial);
        check_ctr(initial, counter_bits, n_bytes);
    }
    /* A counter that ends in `ones` bytes FF carries that far, or wraps. */
    for (size_t ones = 1; ones <= cipher.block_bytes; ones++) {
        for (unsigned before = 0; before < 10; before++) {
            test_case("%s, CTR with %u counter bits, %zu bytes FF, %u blocks before the carry",
                      cipher_name, counter_bits, ones, before);
            random_bytes(initial, sizeof initial);
            memset(initial + cipher.block_bytes - ones, 0xFF, ones);
            initial[cipher.block_bytes - 1] = (unsigned char)(0xFF - before);
            check_ctr(initial, counter_bits, 290);
        }
    }
}

static void test_all_modes(void)
{
    test_ecb();
    test_cbc();
    test_padded(&pkcs7);
    test_padded_pieces(&pkcs7);
    test_bad_pkcs7();
    test_padded(&iso);
    test_padded_pieces(&iso);
    test_bad_iso();
    test_ctr_bits(32);
    test_ctr_bits((unsigned)(8 * cipher.block_bytes));
}

static void test_kernel(const char *kernel)
{
    static mf_twofish ctx;
    unsigned char key[MF_TWOFISH_MAX_KEY_BYTES];

    test_case("%s, set-up", kernel);
    random_bytes(key, sizeof key);
    cipher_name = kernel;
    cipher = twofish_cipher(&ctx, kernel, key, sizeof key);
    test_all_modes();
    mf_twofish_wipe(&ctx);
}

static void test_toy(void)
{
    static toy_key key = {true, {0}};

    random_bytes(key.bytes, sizeof key.bytes);
    cipher_name = "toy cipher of 8-byte blocks";
    cipher = toy_cipher(&key);
    test_all_modes();
}

int main(void)
{
    each_kernel(test_kernel);
    test_toy();
    return test_end();
}
