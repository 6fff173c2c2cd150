/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * CMAC against a slow recomputation: whole, in pieces, with tags of every length, over blocks of 16
 * and of 8 bytes; that a change of any bit is refused; and bad input, one fault at a time.
 */
#include "slow_modes.h"
#include "support.h"

#include <manyfish/mac.h>

#include <stdint.h>
#include <string.h>

enum { MAX_MESSAGE = 1100, MAX_TAG = MF_MAX_BLOCK_BYTES };

static const char *name;
static mf_twofish ctx, zero_ctx;
static mf_cipher reference;
static mf_cmac cmac;
static unsigned char message[MAX_MESSAGE], expected[MAX_TAG], tag[MAX_TAG];
static guarded buffer;

/* --- Right tags ------------------------------------------------------------------------------- */

static void make_message(size_t n_bytes)
{
    random_bytes(message, sizeof message);
    slow_cmac(&reference, expected, message, n_bytes);
}

static void check_whole(size_t n_bytes, size_t tag_bytes)
{
    unsigned char *place = guarded_place(&buffer, n_bytes % 16, NULL, 0);

    CHECK_STATUS(mf_cmac_compute(&cmac, message, n_bytes, place, tag_bytes), MF_OK);
    CHECK_BYTES(place, expected, tag_bytes);
    CHECK(guarded_intact(&buffer, place, tag_bytes));
    CHECK_STATUS(mf_cmac_verify(&cmac, message, n_bytes, expected, tag_bytes), MF_OK);
}

static void update(size_t n_bytes, size_t piece)
{
    for (size_t i = 0; i < n_bytes; i += piece) {
        CHECK_STATUS(mf_cmac_update(&cmac, message + i, piece < n_bytes - i ? piece : n_bytes - i),
                     MF_OK);
    }
}

/* Each finish begins the next message. */
static void check_pieces(size_t n_bytes, size_t piece, size_t tag_bytes)
{
    unsigned char *place = guarded_place(&buffer, piece % 16, NULL, 0);

    update(n_bytes, piece);
    CHECK_STATUS(mf_cmac_finish(&cmac, place, tag_bytes), MF_OK);
    CHECK_BYTES(place, expected, tag_bytes);
    CHECK(guarded_intact(&buffer, place, tag_bytes));
    update(n_bytes, piece);
    CHECK_STATUS(mf_cmac_finish_verify(&cmac, expected, tag_bytes), MF_OK);
}

static void check_lengths(void)
{
    const size_t block = reference.block_bytes;

    for (size_t n = 0; n <= MAX_MESSAGE; n += n < 70 ? 1 : 103) {
        test_case("%s, %zu bytes", name, n);
        make_message(n);
        check_whole(n, block);
        check_whole(n, 1 + n % block);
        for (size_t piece = 1; piece <= 3 * block; piece += test_quick() ? 5 : 1) {
            check_pieces(n, piece, 1 + (n + piece) % block);
        }
    }
}

/* A whole message does not touch one in pieces, and a copy is a message of its own. */
static void check_side_by_side(void)
{
    mf_cmac copy;

    test_case("%s, a whole message amid pieces, and a copy", name);
    make_message(100);
    CHECK_STATUS(mf_cmac_update(&cmac, message, 37), MF_OK);
    copy = cmac;
    check_whole(100, 8);
    CHECK_STATUS(mf_cmac_update(&copy, message, 11), MF_OK);
    CHECK_STATUS(mf_cmac_finish(&copy, tag, 8), MF_OK);
    CHECK_STATUS(mf_cmac_update(&cmac, message + 37, 63), MF_OK);
    CHECK_STATUS(mf_cmac_finish_verify(&cmac, expected, 8), MF_OK);
    mf_cmac_wipe(&copy);
}

/* --- Wrong tags ------------------------------------------------------------------------------- */

static void check_refused(size_t n_bytes, size_t tag_bytes)
{
    CHECK_STATUS(mf_cmac_verify(&cmac, message, n_bytes, expected, tag_bytes), MF_ERROR_TAG);
    CHECK_STATUS(mf_cmac_update(&cmac, message, n_bytes), MF_OK);
    CHECK_STATUS(mf_cmac_finish_verify(&cmac, expected, tag_bytes), MF_ERROR_TAG);
}

static void tamper(const char *what, unsigned char *bytes, size_t n_bits, size_t tag_bytes)
{
    for (size_t bit = 0; bit < n_bits; bit++) {
        test_case("%s, %s, bit %zu changed", name, what, bit);
        bytes[bit / 8] ^= (unsigned char)(1U << bit % 8);
        check_refused(45, tag_bytes);
        bytes[bit / 8] ^= (unsigned char)(1U << bit % 8);
    }
}

static void check_tampering(void)
{
    const size_t block = reference.block_bytes;

    make_message(45);
    for (size_t tag_bytes = 1; tag_bytes <= block; tag_bytes++) {
        tamper("tag", expected, 8 * tag_bytes, tag_bytes);
        check_whole(45, tag_bytes);
    }
    tamper("message", message, (size_t)8 * 45, block);
    test_case("%s, messages of other lengths", name);
    check_refused(44, block);
    check_refused(46, block);
    check_refused(0, block);
}

static void check_cipher(const mf_cipher *tested)
{
    CHECK_STATUS(mf_cmac_init(&cmac, tested), MF_OK);
    check_lengths();
    check_side_by_side();
    check_tampering();
    mf_cmac_wipe(&cmac);
}

static void test_kernel(const char *kernel)
{
    name = kernel;
    for (const size_t *key_bytes = key_sizes; *key_bytes != 0; key_bytes++) {
        unsigned char key[MF_TWOFISH_MAX_KEY_BYTES];
        mf_cipher tested;

        test_case("%s, %zu-bit key, set-up", kernel, 8 * *key_bytes);
        random_bytes(key, sizeof key);
        reference = twofish_cipher(&zero_ctx, "zero", key, *key_bytes);
        tested = twofish_cipher(&ctx, kernel, key, *key_bytes);
        check_cipher(&tested);
    }
}

/* Keys enough for every way in which a doubling carries. */
static void test_small_blocks(void)
{
    name = "blocks of 8 bytes";
    for (int i = 0; i < 8; i++) {
        toy_key toy = {true, {0}};
        mf_cipher tested = toy_cipher(&toy);

        random_bytes(toy.bytes, sizeof toy.bytes);
        toy.bytes[0] = (unsigned char)(i << 5 | toy.bytes[0] >> 3); /* E(0) begins with it */
        reference = tested;
        check_cipher(&tested);
    }
}

/* --- Bad input -------------------------------------------------------------------------------- */

static void set_up(void)
{
    static const unsigned char key[16] = {1, 2, 3};

    reference = twofish_cipher(&ctx, NULL, key, sizeof key);
    CHECK_STATUS(mf_cmac_init(&cmac, &reference), MF_OK);
}

/* All that makes or takes a tag gives this status, and nothing is written. */
static void check_all(const mf_cmac *c, mf_cmac *writable, size_t tag_bytes, mf_status status)
{
    unsigned char *place = guarded_place(&buffer, 3, NULL, 0);

    CHECK_STATUS(mf_cmac_compute(c, message, 20, place, tag_bytes), status);
    CHECK_STATUS(mf_cmac_verify(c, message, 20, place, tag_bytes), status);
    CHECK_STATUS(mf_cmac_finish(writable, place, tag_bytes), status);
    CHECK_STATUS(mf_cmac_finish_verify(writable, place, tag_bytes), status);
    CHECK(guarded_intact(&buffer, place, 0));
}

static void test_tag_lengths(void)
{
    static const size_t wrong[] = {0, 17, 18, 32, 256, SIZE_MAX};
    const toy_key toy = {true, {1, 2, 3}};
    const mf_cipher small = toy_cipher(&toy);

    set_up();
    make_message(100);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        test_case("CMAC, tag of %zu bytes", wrong[i]);
        check_all(&cmac, &cmac, wrong[i], MF_ERROR_TAG_LENGTH);
    }
    test_case("CMAC over blocks of 8 bytes, tag of 9");
    CHECK_STATUS(mf_cmac_init(&cmac, &small), MF_OK);
    check_all(&cmac, &cmac, 9, MF_ERROR_TAG_LENGTH);
}

/* A message goes on after an error as if the call had not been made. */
static void test_going_on(void)
{
    test_case("CMAC, errors amid a message");
    set_up();
    make_message(100);
    CHECK_STATUS(mf_cmac_update(&cmac, message, 21), MF_OK);
    CHECK_STATUS(mf_cmac_update(&cmac, NULL, 1), MF_ERROR_NULL);
    CHECK_STATUS(mf_cmac_update(&cmac, NULL, 0), MF_OK);
    CHECK_STATUS(mf_cmac_finish(&cmac, tag, 17), MF_ERROR_TAG_LENGTH);
    CHECK_STATUS(mf_cmac_finish(&cmac, NULL, 16), MF_ERROR_NULL);
    CHECK_STATUS(mf_cmac_finish_verify(&cmac, NULL, 16), MF_ERROR_NULL);
    CHECK_STATUS(mf_cmac_update(&cmac, message + 21, 79), MF_OK);
    CHECK_STATUS(mf_cmac_finish_verify(&cmac, expected, 16), MF_OK);
}

static void test_null(void)
{
    test_case("CMAC, NULL");
    set_up();
    CHECK_STATUS(mf_cmac_init(NULL, &reference), MF_ERROR_NULL);
    CHECK_STATUS(mf_cmac_update(NULL, message, 1), MF_ERROR_NULL);
    CHECK_STATUS(mf_cmac_compute(&cmac, NULL, 1, tag, 16), MF_ERROR_NULL);
    CHECK_STATUS(mf_cmac_compute(&cmac, message, 1, NULL, 16), MF_ERROR_NULL);
    CHECK_STATUS(mf_cmac_verify(&cmac, NULL, 1, tag, 16), MF_ERROR_NULL);
    CHECK_STATUS(mf_cmac_verify(&cmac, message, 1, NULL, 16), MF_ERROR_NULL);
    check_all(NULL, NULL, 16, MF_ERROR_NULL);
    mf_cmac_wipe(NULL);
    CHECK_STATUS(mf_cmac_init(&cmac, NULL), MF_ERROR_NULL);
    CHECK(all_bytes_are(&cmac, sizeof cmac, 0));
}

static void test_no_key(void)
{
    test_case("CMAC, wiped");
    set_up();
    mf_cmac_wipe(&cmac);
    CHECK(all_bytes_are(&cmac, sizeof cmac, 0));
    check_all(&cmac, &cmac, 16, MF_ERROR_NO_KEY);
    CHECK_STATUS(mf_cmac_update(&cmac, message, 1), MF_ERROR_NO_KEY);
    test_case("CMAC, the cipher's key wiped");
    set_up();
    mf_twofish_wipe(&ctx);
    check_all(&cmac, &cmac, 16, MF_ERROR_NO_KEY);
    CHECK_STATUS(mf_cmac_update(&cmac, message, 1), MF_ERROR_NO_KEY);
    CHECK_STATUS(mf_cmac_init(&cmac, &reference), MF_ERROR_NO_KEY);
    CHECK(all_bytes_are(&cmac, sizeof cmac, 0));
}

static void test_block_bytes(void)
{
    const size_t sizes[] = {0, 1, 4, 15, 17, 32, SIZE_MAX};

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        test_case("CMAC, a cipher with blocks of %zu bytes", sizes[i]);
        set_up();
        reference.block_bytes = sizes[i];
        CHECK_STATUS(mf_cmac_init(&cmac, &reference), MF_ERROR_BLOCK);
        CHECK(all_bytes_are(&cmac, sizeof cmac, 0));
    }
}

int main(void)
{
    each_kernel(test_kernel);
    test_small_blocks();
    test_tag_lengths();
    test_going_on();
    test_null();
    test_no_key();
    test_block_bytes();
    return test_end();
}
