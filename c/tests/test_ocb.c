/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * OCB against a slow recomputation from [RFC7253, 4], one block at a time; then whole, in pieces,
 * in place; and that a change of any bit of tag, ciphertext, associated data or nonce is refused,
 * with nothing of the plaintext released. The same body for each kernel.
 */
#include "support.h"

#include <manyfish/aead.h>

#include <string.h>

enum { BLOCK = MF_TWOFISH_BLOCK_BYTES, TAG = MF_OCB_TAG_BYTES, MAX_TEXT = 8400, MAX_AAD = 4200 };

typedef struct message {
    unsigned char nonce[MF_OCB_MAX_NONCE_BYTES];
    unsigned char aad[MAX_AAD];
    unsigned char pt[MAX_TEXT];
    unsigned char ct[MAX_TEXT];
    unsigned char tag[TAG];
    size_t nonce_bytes, aad_bytes, n_bytes;
} message;

static const char *kernel_name;
static mf_twofish zero_ctx, tested_ctx;
static mf_cipher zero_cipher;
static mf_ocb ocb;
static message msg;
static guarded in_buffer, out_buffer;

/* --- OCB, slowly, with the names of the RFC -------------------------------------------------- */

static void double_block(unsigned char *block)
{
    const unsigned carry = block[0] >> 7;

    for (size_t i = 0; i + 1 < BLOCK; i++) {
        block[i] = (unsigned char)(block[i] << 1 | block[i + 1] >> 7);
    }
    block[BLOCK - 1] = (unsigned char)(block[BLOCK - 1] << 1 ^ (carry != 0 ? 0x87 : 0));
}

/* E_K(0) doubled n_doublings times: L_* is 0, L_$ is 1, L_i is i + 2. */
static void slow_l(unsigned char *l, unsigned n_doublings)
{
    memset(l, 0, BLOCK);
    encrypt_block(&zero_cipher, l, l);
    while (n_doublings-- > 0) {
        double_block(l);
    }
}

static void add_l(unsigned char *offset, unsigned n_doublings)
{
    unsigned char l[BLOCK];

    slow_l(l, n_doublings);
    xor_bytes(offset, l, BLOCK);
}

/* Offset_i from Offset_{i-1}. */
static void add_l_ntz(unsigned char *offset, size_t i)
{
    unsigned ntz = 0;

    while (i % 2 == 0) {
        i /= 2;
        ntz++;
    }
    add_l(offset, ntz + 2);
}

/* Bit i of the 24 bytes of Stretch, counted from 0 at the left. */
static unsigned stretch_bit(const unsigned char *stretch, size_t i)
{
    return stretch[i / 8] >> (7 - i % 8) & 1;
}

static void slow_first_offset(unsigned char *offset, const unsigned char *nonce, size_t nonce_bytes)
{
    unsigned char top[BLOCK] = {0};
    unsigned char stretch[24];
    size_t bottom;

    memcpy(top + BLOCK - nonce_bytes, nonce, nonce_bytes);
    top[BLOCK - 1 - nonce_bytes] |= 1;
    bottom = top[BLOCK - 1] & 63;
    top[BLOCK - 1] &= 0xC0;
    encrypt_block(&zero_cipher, stretch, top);
    for (size_t i = 0; i < 8; i++) {
        stretch[16 + i] = stretch[i] ^ stretch[i + 1];
    }
    memset(offset, 0, BLOCK);
    for (size_t i = 0; i < 128; i++) {
        offset[i / 8] |= (unsigned char)(stretch_bit(stretch, bottom + i) << (7 - i % 8));
    }
}

static void slow_hash(unsigned char *sum, const unsigned char *aad, size_t aad_bytes)
{
    unsigned char offset[BLOCK] = {0};
    unsigned char block[BLOCK];
    const size_t n_blocks = aad_bytes / BLOCK;
    const size_t rest = aad_bytes % BLOCK;

    memset(sum, 0, BLOCK);
    for (size_t i = 1; i <= n_blocks; i++) {
        add_l_ntz(offset, i);
        memcpy(block, aad + BLOCK * (i - 1), BLOCK);
        xor_bytes(block, offset, BLOCK);
        encrypt_block(&zero_cipher, block, block);
        xor_bytes(sum, block, BLOCK);
    }
    if (rest > 0) {
        add_l(offset, 0);
        memset(block, 0, BLOCK);
        memcpy(block, aad + BLOCK * n_blocks, rest);
        block[rest] = 0x80;
        xor_bytes(block, offset, BLOCK);
        encrypt_block(&zero_cipher, block, block);
        xor_bytes(sum, block, BLOCK);
    }
}

/* The last, partial block of rest bytes. */
static void slow_rest(unsigned char *offset, unsigned char *checksum, unsigned char *ct,
                      const unsigned char *pt, size_t rest)
{
    unsigned char pad[BLOCK];

    add_l(offset, 0);
    encrypt_block(&zero_cipher, pad, offset);
    memcpy(ct, pt, rest);
    xor_bytes(ct, pad, rest);
    xor_bytes(checksum, pt, rest);
    checksum[rest] ^= 0x80;
}

static void slow_encrypt(message *m)
{
    unsigned char offset[BLOCK], sum[BLOCK];
    unsigned char checksum[BLOCK] = {0};
    const size_t n_blocks = m->n_bytes / BLOCK;

    slow_first_offset(offset, m->nonce, m->nonce_bytes);
    for (size_t i = 1; i <= n_blocks; i++) {
        unsigned char *ct = m->ct + BLOCK * (i - 1);

        add_l_ntz(offset, i);
        memcpy(ct, m->pt + BLOCK * (i - 1), BLOCK);
        xor_bytes(checksum, ct, BLOCK);
        xor_bytes(ct, offset, BLOCK);
        encrypt_block(&zero_cipher, ct, ct);
        xor_bytes(ct, offset, BLOCK);
    }
    if (m->n_bytes % BLOCK != 0) {
        slow_rest(offset, checksum, m->ct + BLOCK * n_blocks, m->pt + BLOCK * n_blocks,
                  m->n_bytes % BLOCK);
    }
    xor_bytes(checksum, offset, BLOCK);
    add_l(checksum, 1);
    encrypt_block(&zero_cipher, m->tag, checksum);
    slow_hash(sum, m->aad, m->aad_bytes);
    xor_bytes(m->tag, sum, BLOCK);
}

/* --- The library against it ------------------------------------------------------------------ */

static void make_message(size_t nonce_bytes, size_t aad_bytes, size_t n_bytes)
{
    random_bytes(msg.nonce, nonce_bytes);
    random_bytes(msg.aad, aad_bytes);
    random_bytes(msg.pt, n_bytes);
    msg.nonce_bytes = nonce_bytes;
    msg.aad_bytes = aad_bytes;
    msg.n_bytes = n_bytes;
    slow_encrypt(&msg);
}

static mf_status encrypt_whole(void *out, const void *in, unsigned char *tag)
{
    return mf_ocb_encrypt(&ocb, msg.nonce, msg.nonce_bytes, msg.aad, msg.aad_bytes, out, in,
                          msg.n_bytes, tag);
}

static mf_status decrypt_whole(void *out, const void *in, const unsigned char *tag)
{
    return mf_ocb_decrypt(&ocb, msg.nonce, msg.nonce_bytes, msg.aad, msg.aad_bytes, out, in,
                          msg.n_bytes, tag);
}

static void check_apart(void)
{
    unsigned char *in = guarded_place(&in_buffer, msg.n_bytes % 16, msg.pt, msg.n_bytes);
    unsigned char *out = guarded_place(&out_buffer, msg.n_bytes % 13, NULL, 0);
    unsigned char tag[TAG];

    CHECK_STATUS(encrypt_whole(out, in, tag), MF_OK);
    CHECK_BYTES(out, msg.ct, msg.n_bytes);
    CHECK_BYTES(tag, msg.tag, TAG);
    CHECK(guarded_intact(&in_buffer, in, 0));
    CHECK(guarded_intact(&out_buffer, out, msg.n_bytes));

    in = guarded_place(&in_buffer, msg.n_bytes % 13, msg.ct, msg.n_bytes);
    out = guarded_place(&out_buffer, msg.n_bytes % 16, NULL, 0);
    CHECK_STATUS(decrypt_whole(out, in, msg.tag), MF_OK);
    CHECK_BYTES(out, msg.pt, msg.n_bytes);
    CHECK(guarded_intact(&in_buffer, in, 0));
    CHECK(guarded_intact(&out_buffer, out, msg.n_bytes));
}

static void check_in_place(void)
{
    unsigned char *data = guarded_place(&in_buffer, msg.n_bytes % 16, msg.pt, msg.n_bytes);
    unsigned char tag[TAG];

    CHECK_STATUS(encrypt_whole(data, data, tag), MF_OK);
    CHECK_BYTES(data, msg.ct, msg.n_bytes);
    CHECK_BYTES(tag, msg.tag, TAG);
    CHECK_STATUS(decrypt_whole(data, data, tag), MF_OK);
    CHECK_BYTES(data, msg.pt, msg.n_bytes);
    CHECK(guarded_intact(&in_buffer, data, msg.n_bytes));
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

typedef mf_status crypt_piece(mf_ocb *o, void *out, size_t out_capacity, size_t *out_bytes,
                              const void *in, size_t n_bytes);

/* A piece of n_bytes after `taken` bytes of text, of which `done` have come out; in place. Returns
 * how many come out. */
static size_t crypt_one(crypt_piece *crypt, unsigned char *data, size_t taken, size_t done,
                        size_t n_bytes)
{
    const size_t expected = (taken + n_bytes) / BLOCK * BLOCK - done;
    size_t out_bytes = 1000;

    CHECK_STATUS(crypt(&ocb, data + done, expected, &out_bytes, data + taken, n_bytes), MF_OK);
    CHECK(out_bytes == expected);
    return expected;
}

/* Associated data in pieces of aad_piece bytes, text in pieces of text_piece, by turns; last_bytes
 * of the text are left to finish. Returns the bytes of text done. */
static size_t feed(crypt_piece *update, unsigned char *data, size_t aad_piece, size_t text_piece,
                   size_t last_bytes)
{
    const size_t end = msg.n_bytes - smaller(last_bytes, msg.n_bytes);
    size_t a = 0, t = 0, done = 0;

    CHECK_STATUS(mf_ocb_start(&ocb, msg.nonce, msg.nonce_bytes), MF_OK);
    while (a < msg.aad_bytes || t < end) {
        const size_t n_aad = smaller(aad_piece, msg.aad_bytes - a);
        const size_t n_text = smaller(text_piece, end - t);

        CHECK_STATUS(mf_ocb_aad(&ocb, n_aad > 0 ? msg.aad + a : NULL, n_aad), MF_OK);
        done += crypt_one(update, data, t, done, n_text);
        a += n_aad;
        t += n_text;
    }
    return done;
}

static void check_pieces(size_t aad_piece, size_t text_piece, size_t last_bytes)
{
    unsigned char *data = guarded_place(&in_buffer, text_piece % 16, msg.pt, msg.n_bytes);
    const size_t end = msg.n_bytes - smaller(last_bytes, msg.n_bytes);
    unsigned char tag[TAG];
    size_t done, out_bytes;

    done = feed(mf_ocb_encrypt_update, data, aad_piece, text_piece, last_bytes);
    CHECK_STATUS(mf_ocb_encrypt_finish(&ocb, data + done, msg.n_bytes - done, &out_bytes,
                                       data + end, msg.n_bytes - end, tag),
                 MF_OK);
    CHECK(out_bytes == msg.n_bytes - done);
    CHECK_BYTES(data, msg.ct, msg.n_bytes);
    CHECK_BYTES(tag, msg.tag, TAG);

    done = feed(mf_ocb_decrypt_update, data, aad_piece, text_piece, last_bytes);
    CHECK_STATUS(mf_ocb_decrypt_finish(&ocb, data + done, msg.n_bytes - done, &out_bytes,
                                       data + end, msg.n_bytes - end, msg.tag),
                 MF_OK);
    CHECK(out_bytes == msg.n_bytes - done);
    CHECK_BYTES(data, msg.pt, msg.n_bytes);
    CHECK(guarded_intact(&in_buffer, data, msg.n_bytes));
}

/* The text in three pieces, to another place, and the end of the text before the tag. */
static void check_cut(size_t first, size_t second)
{
    const size_t third = msg.n_bytes - first - second;
    unsigned char out[3 * BLOCK], tag[TAG];
    size_t done = 0, n = 0;

    CHECK_STATUS(mf_ocb_start(&ocb, msg.nonce, msg.nonce_bytes), MF_OK);
    CHECK_STATUS(mf_ocb_encrypt_update(&ocb, out, sizeof out, &n, msg.pt, first), MF_OK);
    done += n;
    CHECK_STATUS(mf_ocb_aad(&ocb, msg.aad, msg.aad_bytes), MF_OK);
    CHECK_STATUS(
        mf_ocb_encrypt_update(&ocb, out + done, sizeof out - done, &n, msg.pt + first, second),
        MF_OK);
    done += n;
    CHECK(done == (first + second) / BLOCK * BLOCK);
    CHECK_STATUS(mf_ocb_encrypt_last(&ocb, out + done, sizeof out - done, &n,
                                     msg.pt + first + second, third),
                 MF_OK);
    CHECK(done + n == msg.n_bytes);
    CHECK_STATUS(mf_ocb_encrypt_finish(&ocb, NULL, 0, &n, NULL, 0, tag), MF_OK);
    CHECK(n == 0);
    CHECK_BYTES(out, msg.ct, msg.n_bytes);
    CHECK_BYTES(tag, msg.tag, TAG);
}

static void test_all_cuts(void)
{
    for (size_t n = 0; n <= 2 * BLOCK + 3; n++) {
        test_case("%s, all cuts of %zu bytes", kernel_name, n);
        make_message(12, 5, n);
        for (size_t first = 0; first <= n; first++) {
            for (size_t second = 0; first + second <= n; second++) {
                check_cut(first, second);
            }
        }
    }
}

/* The end of the plaintext comes out before the tag is known; then no text may follow. */
static void test_last(void)
{
    unsigned char out[100];
    size_t n;

    test_case("%s, the end of the text before the tag", kernel_name);
    make_message(12, 37, 100);
    CHECK_STATUS(mf_ocb_start(&ocb, msg.nonce, msg.nonce_bytes), MF_OK);
    CHECK_STATUS(mf_ocb_decrypt_last(&ocb, out, 100, &n, msg.ct, 100), MF_OK);
    CHECK(n == 100);
    CHECK_BYTES(out, msg.pt, 100);
    CHECK_STATUS(mf_ocb_decrypt_update(&ocb, out, 100, &n, msg.ct, 1), MF_ERROR_STATE);
    CHECK_STATUS(mf_ocb_decrypt_last(&ocb, out, 100, &n, msg.ct, 1), MF_ERROR_STATE);
    CHECK_STATUS(mf_ocb_decrypt_finish(&ocb, out, 100, &n, msg.ct, 1, msg.tag), MF_ERROR_STATE);
    CHECK_STATUS(mf_ocb_encrypt_last(&ocb, NULL, 0, &n, NULL, 0), MF_ERROR_STATE);
    CHECK_STATUS(mf_ocb_decrypt_last(&ocb, NULL, 0, &n, NULL, 0), MF_OK);
    CHECK_STATUS(mf_ocb_aad(&ocb, msg.aad, msg.aad_bytes), MF_OK);
    CHECK_STATUS(mf_ocb_decrypt_finish(&ocb, NULL, 0, &n, NULL, 0, msg.tag), MF_OK);
}

static void check_message(size_t nonce_bytes, size_t aad_bytes, size_t n_bytes)
{
    test_case("%s, %zu bytes of nonce, %zu of associated data, %zu of text", kernel_name,
              nonce_bytes, aad_bytes, n_bytes);
    make_message(nonce_bytes, aad_bytes, n_bytes);
    check_apart();
    check_in_place();
    for (size_t piece = 5; piece <= 80; piece += test_quick() ? 37 : 15) {
        check_pieces(7 * piece, piece, 3 * piece % 35);
    }
    check_pieces(7, 3 * (size_t)BLOCK, n_bytes % BLOCK); /* nothing waits */
}

static void test_lengths(void)
{
    static const size_t longer[] = {1008, 1024, 1041, 2048, MAX_TEXT};

    for (size_t n = 0; n <= 300; n++) {
        check_message(1 + n % 15, 11 * n % 67, n);
        check_message(1 + (n + 8) % 15, n, 5 * n % 71);
    }
    for (size_t i = 0; i < sizeof longer / sizeof longer[0]; i++) {
        check_message(12, longer[i] / 2, longer[i]);
    }
}

/* finish may be given all that is left, however many blocks. */
static void test_long_finish(void)
{
    unsigned char out[MAX_TEXT], tag[TAG];
    size_t n;

    test_case("%s, all text in the finish call", kernel_name);
    make_message(12, 20, 1205);
    CHECK_STATUS(mf_ocb_start(&ocb, msg.nonce, msg.nonce_bytes), MF_OK);
    CHECK_STATUS(mf_ocb_aad(&ocb, msg.aad, msg.aad_bytes), MF_OK);
    CHECK_STATUS(mf_ocb_encrypt_finish(&ocb, out, sizeof out, &n, msg.pt, msg.n_bytes, tag), MF_OK);
    CHECK(n == msg.n_bytes);
    CHECK_BYTES(out, msg.ct, msg.n_bytes);
    CHECK_BYTES(tag, msg.tag, TAG);
}

/* A message that was not finished leaves nothing in the next, and a copy is a message of its
 * own. */
static void test_restart_and_copy(void)
{
    unsigned char out[MAX_TEXT], tag[TAG];
    size_t n;
    mf_ocb copy;

    test_case("%s, a message begun and dropped, another in a copy", kernel_name);
    make_message(12, 37, 100);
    CHECK_STATUS(mf_ocb_start(&ocb, "other", 5), MF_OK);
    CHECK_STATUS(mf_ocb_aad(&ocb, "something else", 14), MF_OK);
    CHECK_STATUS(mf_ocb_encrypt_update(&ocb, out, 77, &n, msg.pt, 77), MF_OK);
    CHECK_STATUS(mf_ocb_start(&ocb, msg.nonce, msg.nonce_bytes), MF_OK);
    CHECK_STATUS(mf_ocb_aad(&ocb, msg.aad, msg.aad_bytes), MF_OK);
    copy = ocb;
    CHECK_STATUS(mf_ocb_encrypt_finish(&ocb, out, msg.n_bytes, &n, msg.pt, msg.n_bytes, tag),
                 MF_OK);
    CHECK_BYTES(tag, msg.tag, TAG);
    CHECK_STATUS(mf_ocb_decrypt_finish(&copy, out, msg.n_bytes, &n, msg.ct, msg.n_bytes, msg.tag),
                 MF_OK);
    CHECK_BYTES(out, msg.pt, msg.n_bytes);
    mf_ocb_wipe(&copy);
}

/* --- Tampering ------------------------------------------------------------------------------- */

static void check_refused(const char *what, size_t bit)
{
    unsigned char *out = guarded_place(&out_buffer, 3, NULL, 0);

    test_case("%s, %zu bytes, bit %zu of the %s changed", kernel_name, msg.n_bytes, bit, what);
    CHECK_STATUS(decrypt_whole(out, msg.ct, msg.tag), MF_ERROR_TAG);
    CHECK(all_bytes_are(out, msg.n_bytes, 0));
    CHECK(guarded_intact(&out_buffer, out, msg.n_bytes));

    out = guarded_place(&out_buffer, 5, msg.ct, msg.n_bytes);
    CHECK_STATUS(decrypt_whole(out, out, msg.tag), MF_ERROR_TAG);
    CHECK(all_bytes_are(out, msg.n_bytes, 0));
    CHECK(guarded_intact(&out_buffer, out, msg.n_bytes));
}

static void tamper(const char *what, unsigned char *bytes, size_t n_bytes)
{
    for (size_t bit = 0; bit < 8 * n_bytes; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1U << bit % 8);
        check_refused(what, bit);
        bytes[bit / 8] ^= (unsigned char)(1U << bit % 8);
    }
}

static void test_tampering(size_t n_bytes)
{
    make_message(12, 21, n_bytes);
    tamper("tag", msg.tag, TAG);
    tamper("ciphertext", msg.ct, msg.n_bytes);
    tamper("associated data", msg.aad, msg.aad_bytes);
    tamper("nonce", msg.nonce, msg.nonce_bytes);
    test_case("%s, %zu bytes, put right again", kernel_name, n_bytes);
    check_apart();
}

/* Lengths are authenticated too. */
static void test_wrong_lengths(void)
{
    make_message(12, 32, 64);
    msg.n_bytes -= BLOCK;
    check_refused("length of the ciphertext", 0);
    msg.n_bytes = 64;
    msg.aad_bytes -= BLOCK;
    check_refused("length of the associated data", 0);
    msg.aad_bytes = 32;
    msg.nonce_bytes--;
    check_refused("length of the nonce", 0);
}

/* In pieces, the last piece is wiped when the tag is wrong, and the message is over. */
static void test_tampered_pieces(void)
{
    unsigned char first[32];
    size_t n;
    unsigned char *out = guarded_place(&out_buffer, 1, NULL, 0);

    test_case("%s, wrong tag of a message in pieces", kernel_name);
    make_message(12, 5, 32 + 45);
    msg.tag[7] ^= 1;
    CHECK_STATUS(mf_ocb_start(&ocb, msg.nonce, msg.nonce_bytes), MF_OK);
    CHECK_STATUS(mf_ocb_aad(&ocb, msg.aad, msg.aad_bytes), MF_OK);
    CHECK_STATUS(mf_ocb_decrypt_update(&ocb, first, 32, &n, msg.ct, 32), MF_OK);
    CHECK_STATUS(mf_ocb_decrypt_finish(&ocb, out, 45, &n, msg.ct + 32, 45, msg.tag), MF_ERROR_TAG);
    CHECK(all_bytes_are(out, 45, 0));
    CHECK(guarded_intact(&out_buffer, out, 45));
    CHECK_STATUS(mf_ocb_decrypt_finish(&ocb, out, 45, &n, msg.ct + 32, 45, msg.tag),
                 MF_ERROR_STATE);
}

static void test_kernel(const char *kernel)
{
    kernel_name = kernel;
    for (const size_t *key_bytes = key_sizes; *key_bytes != 0; key_bytes++) {
        unsigned char key[MF_TWOFISH_MAX_KEY_BYTES];
        mf_cipher tested;

        test_case("%s, %zu-bit key, set-up", kernel, 8 * *key_bytes);
        random_bytes(key, sizeof key);
        zero_cipher = twofish_cipher(&zero_ctx, "zero", key, *key_bytes);
        tested = twofish_cipher(&tested_ctx, kernel, key, *key_bytes);
        CHECK_STATUS(mf_ocb_init(&ocb, &tested), MF_OK);
        test_lengths();
    }
    test_all_cuts();
    test_last();
    test_long_finish();
    test_restart_and_copy();
    test_tampering(0);
    test_tampering(45);
    test_tampering(64);
    test_wrong_lengths();
    test_tampered_pieces();
    mf_ocb_wipe(&ocb);
}

int main(void)
{
    each_kernel(test_kernel);
    return test_end();
}
