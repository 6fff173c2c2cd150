/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * CCM against a slow recomputation from [SP800-38C, 6, appendix A]: all lengths of nonce and tag,
 * associated data around the lengths where its prefix grows, in place, in pieces; that a change of
 * any bit is refused, with nothing of the plaintext released; and bad input, one fault at a time.
 */
#include "slow_modes.h"
#include "support.h"

#include <manyfish/aead.h>

#include <setjmp.h>
#include <stdint.h>
#include <string.h>

enum {
    BLOCK = MF_TWOFISH_BLOCK_BYTES,
    MAX_TEXT = 8400,
    MAX_NONCE = 13,
    LONG_AAD = 0xFF00, /* from here on its length takes 6 bytes */
    MAX_AAD = LONG_AAD + 40,
};

typedef struct message {
    unsigned char nonce[MAX_NONCE];
    unsigned char aad[MAX_AAD];
    unsigned char pt[MAX_TEXT];
    unsigned char ct[MAX_TEXT];
    unsigned char tag[BLOCK];
    size_t nonce_bytes, aad_bytes, n_bytes, tag_bytes;
} message;

static const char *kernel_name;
static mf_twofish zero_ctx, tested_ctx;
static mf_cipher zero_cipher, cipher;
static message msg;
static guarded in_buffer, out_buffer;

/* --- CCM, slowly, with the names of the standard ---------------------------------------------- */

/* The formatted input B, with zeros behind it; returns its bytes, whole blocks. */
static size_t slow_format(unsigned char *B, const message *m)
{
    const size_t q = 15 - m->nonce_bytes;
    size_t n = BLOCK;

    B[0] = (unsigned char)((m->aad_bytes > 0 ? 64 : 0) + 8 * ((m->tag_bytes - 2) / 2) + (q - 1));
    memcpy(B + 1, m->nonce, m->nonce_bytes);
    for (size_t i = 0, x = m->n_bytes; i < q; i++, x /= 256) {
        B[BLOCK - 1 - i] = (unsigned char)(x % 256);
    }
    if (m->aad_bytes >= LONG_AAD) {
        B[n++] = 0xFF;
        B[n++] = 0xFE;
        B[n++] = (unsigned char)(m->aad_bytes >> 24);
        B[n++] = (unsigned char)(m->aad_bytes >> 16);
    }
    if (m->aad_bytes > 0) {
        B[n++] = (unsigned char)(m->aad_bytes >> 8);
        B[n++] = (unsigned char)m->aad_bytes;
    }
    memcpy(B + n, m->aad, m->aad_bytes);
    n = (n + m->aad_bytes + BLOCK - 1) / BLOCK * BLOCK;
    memcpy(B + n, m->pt, m->n_bytes);
    return (n + m->n_bytes + BLOCK - 1) / BLOCK * BLOCK;
}

static void slow_encrypt(message *m)
{
    static unsigned char B[MAX_AAD + MAX_TEXT + 4 * BLOCK];
    unsigned char text[BLOCK + MAX_TEXT], counter[BLOCK] = {0};
    size_t n;

    memset(B, 0, sizeof B);
    n = slow_format(B, m);
    memset(text, 0, BLOCK);
    for (size_t i = 0; i < n; i += BLOCK) {
        xor_bytes(text, B + i, BLOCK);
        encrypt_block(&zero_cipher, text, text);
    }
    memcpy(text + BLOCK, m->pt, m->n_bytes);
    counter[0] = (unsigned char)(14 - m->nonce_bytes);
    memcpy(counter + 1, m->nonce, m->nonce_bytes);
    slow_ctr(&zero_cipher, counter, text, text, BLOCK + m->n_bytes);
    memcpy(m->tag, text, BLOCK);
    memcpy(m->ct, text + BLOCK, m->n_bytes);
}

/* --- The library against it ------------------------------------------------------------------- */

static void make_message(size_t nonce_bytes, size_t aad_bytes, size_t n_bytes, size_t tag_bytes)
{
    random_bytes(msg.nonce, sizeof msg.nonce);
    random_bytes(msg.aad, aad_bytes);
    random_bytes(msg.pt, n_bytes);
    msg.nonce_bytes = nonce_bytes;
    msg.aad_bytes = aad_bytes;
    msg.n_bytes = n_bytes;
    msg.tag_bytes = tag_bytes;
    slow_encrypt(&msg);
}

static mf_status encrypt(void *out, const void *in, unsigned char *tag)
{
    return mf_ccm_encrypt(&cipher, msg.nonce, msg.nonce_bytes, msg.aad, msg.aad_bytes, out, in,
                          msg.n_bytes, tag, msg.tag_bytes);
}

static mf_status decrypt(void *out, const void *in, const unsigned char *tag)
{
    return mf_ccm_decrypt(&cipher, msg.nonce, msg.nonce_bytes, msg.aad, msg.aad_bytes, out, in,
                          msg.n_bytes, tag, msg.tag_bytes);
}

/* The bytes behind a short tag must stay as they were. */
static void check_tag(const unsigned char tag[BLOCK])
{
    CHECK_BYTES(tag, msg.tag, msg.tag_bytes);
    CHECK(all_bytes_are(tag + msg.tag_bytes, BLOCK - msg.tag_bytes, 0xA5));
}

static void check_apart(void)
{
    unsigned char *in = guarded_place(&in_buffer, msg.n_bytes % 16, msg.pt, msg.n_bytes);
    unsigned char *out = guarded_place(&out_buffer, msg.n_bytes % 13, NULL, 0);
    unsigned char tag[BLOCK];

    memset(tag, 0xA5, sizeof tag);
    CHECK_STATUS(encrypt(out, in, tag), MF_OK);
    CHECK_BYTES(out, msg.ct, msg.n_bytes);
    check_tag(tag);
    CHECK(guarded_intact(&in_buffer, in, 0));
    CHECK(guarded_intact(&out_buffer, out, msg.n_bytes));

    in = guarded_place(&in_buffer, msg.n_bytes % 13, msg.ct, msg.n_bytes);
    out = guarded_place(&out_buffer, msg.n_bytes % 16, NULL, 0);
    CHECK_STATUS(decrypt(out, in, msg.tag), MF_OK);
    CHECK_BYTES(out, msg.pt, msg.n_bytes);
    CHECK(guarded_intact(&in_buffer, in, 0));
    CHECK(guarded_intact(&out_buffer, out, msg.n_bytes));
}

static void check_in_place(void)
{
    unsigned char *data = guarded_place(&in_buffer, msg.n_bytes % 16, msg.pt, msg.n_bytes);
    unsigned char tag[BLOCK];

    memset(tag, 0xA5, sizeof tag);
    CHECK_STATUS(encrypt(data, data, tag), MF_OK);
    CHECK_BYTES(data, msg.ct, msg.n_bytes);
    check_tag(tag);
    CHECK_STATUS(decrypt(data, data, tag), MF_OK);
    CHECK_BYTES(data, msg.pt, msg.n_bytes);
    CHECK(guarded_intact(&in_buffer, data, msg.n_bytes));
}

static mf_status start(mf_ccm *ccm)
{
    return mf_ccm_start(ccm, &cipher, msg.nonce, msg.nonce_bytes, msg.aad_bytes, msg.n_bytes,
                        msg.tag_bytes);
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

typedef mf_status crypt_update(mf_ccm *ccm, void *out, const void *in, size_t n_bytes);

/* Associated data in pieces of aad_piece bytes, then text in pieces of text_piece; last_bytes of
 * the text are left to finish. Returns the bytes of text done. */
static size_t feed(mf_ccm *ccm, crypt_update *update, unsigned char *data, size_t aad_piece,
                   size_t text_piece, size_t last_bytes)
{
    const size_t end = msg.n_bytes - smaller(last_bytes, msg.n_bytes);

    CHECK_STATUS(start(ccm), MF_OK);
    for (size_t i = 0; i < msg.aad_bytes; i += aad_piece) {
        CHECK_STATUS(mf_ccm_aad(ccm, msg.aad + i, smaller(aad_piece, msg.aad_bytes - i)), MF_OK);
    }
    for (size_t i = 0; i < end; i += text_piece) {
        CHECK_STATUS(update(ccm, data + i, data + i, smaller(text_piece, end - i)), MF_OK);
    }
    return end;
}

static void check_pieces(size_t aad_piece, size_t text_piece, size_t last_bytes)
{
    unsigned char *data = guarded_place(&in_buffer, text_piece % 16, msg.pt, msg.n_bytes);
    unsigned char tag[BLOCK];
    mf_ccm ccm;
    size_t done;

    memset(tag, 0xA5, sizeof tag);
    done = feed(&ccm, mf_ccm_encrypt_update, data, aad_piece, text_piece, last_bytes);
    CHECK_STATUS(mf_ccm_encrypt_finish(&ccm, data + done, data + done, msg.n_bytes - done, tag,
                                       msg.tag_bytes),
                 MF_OK);
    CHECK_BYTES(data, msg.ct, msg.n_bytes);
    check_tag(tag);

    done = feed(&ccm, mf_ccm_decrypt_update, data, aad_piece, text_piece, last_bytes);
    CHECK_STATUS(mf_ccm_decrypt_finish(&ccm, data + done, data + done, msg.n_bytes - done, msg.tag,
                                       msg.tag_bytes),
                 MF_OK);
    CHECK_BYTES(data, msg.pt, msg.n_bytes);
    CHECK(guarded_intact(&in_buffer, data, msg.n_bytes));
}

/* Text and as much associated data, in three pieces. */
static void check_cut(size_t first, size_t second)
{
    const size_t third = msg.n_bytes - first - second;
    unsigned char out[BLOCK + 4], tag[BLOCK];
    mf_ccm ccm;

    CHECK_STATUS(start(&ccm), MF_OK);
    CHECK_STATUS(mf_ccm_aad(&ccm, msg.aad, second), MF_OK);
    CHECK_STATUS(mf_ccm_aad(&ccm, msg.aad + second, first), MF_OK);
    CHECK_STATUS(mf_ccm_aad(&ccm, msg.aad + first + second, third), MF_OK);
    CHECK_STATUS(mf_ccm_encrypt_update(&ccm, out, msg.pt, first), MF_OK);
    CHECK_STATUS(mf_ccm_encrypt_update(&ccm, out + first, msg.pt + first, second), MF_OK);
    CHECK_STATUS(mf_ccm_encrypt_finish(&ccm, out + first + second, msg.pt + first + second, third,
                                       tag, msg.tag_bytes),
                 MF_OK);
    CHECK_BYTES(out, msg.ct, msg.n_bytes);
    CHECK_BYTES(tag, msg.tag, msg.tag_bytes);
}

static void test_all_cuts(void)
{
    for (size_t n = 0; n <= BLOCK + 4; n++) {
        test_case("%s, all cuts of %zu bytes", kernel_name, n);
        make_message(12, n, n, 16);
        for (size_t first = 0; first <= n; first++) {
            for (size_t second = 0; first + second <= n; second++) {
                check_cut(first, second);
            }
        }
    }
}

/* A copy is a message of its own. */
static void test_copy(void)
{
    unsigned char out[100], tag[BLOCK];
    mf_ccm ccm, copy;

    test_case("%s, half a message, and the other half in a copy, too", kernel_name);
    make_message(12, 37, 100, 16);
    CHECK_STATUS(start(&ccm), MF_OK);
    CHECK_STATUS(mf_ccm_aad(&ccm, msg.aad, 37), MF_OK);
    CHECK_STATUS(mf_ccm_encrypt_update(&ccm, out, msg.pt, 50), MF_OK);
    copy = ccm;
    CHECK_STATUS(mf_ccm_encrypt_finish(&ccm, out + 50, msg.pt + 50, 50, tag, 16), MF_OK);
    CHECK_BYTES(tag, msg.tag, 16);
    CHECK_STATUS(mf_ccm_encrypt_finish(&copy, out + 50, msg.pt + 50, 50, tag, 16), MF_OK);
    CHECK_BYTES(tag, msg.tag, 16);
    CHECK_BYTES(out, msg.ct, 100);
}

/* The last piece is wiped when the tag is wrong, and the message is over. */
static void test_tampered_pieces(void)
{
    unsigned char first[29];
    unsigned char *out = guarded_place(&out_buffer, 1, NULL, 0);
    mf_ccm ccm;

    test_case("%s, wrong tag of a message in pieces", kernel_name);
    make_message(12, 5, 29 + 45, 10);
    msg.tag[7] ^= 1;
    CHECK_STATUS(start(&ccm), MF_OK);
    CHECK_STATUS(mf_ccm_aad(&ccm, msg.aad, 5), MF_OK);
    CHECK_STATUS(mf_ccm_decrypt_update(&ccm, first, msg.ct, 29), MF_OK);
    CHECK_STATUS(mf_ccm_decrypt_finish(&ccm, out, msg.ct + 29, 45, msg.tag, 10), MF_ERROR_TAG);
    CHECK(all_bytes_are(out, 45, 0));
    CHECK(guarded_intact(&out_buffer, out, 45));
    CHECK_STATUS(mf_ccm_decrypt_finish(&ccm, out, msg.ct + 29, 45, msg.tag, 10), MF_ERROR_STATE);
}

static void check_message(size_t nonce_bytes, size_t aad_bytes, size_t n_bytes, size_t tag_bytes)
{
    test_case("%s, %zu bytes of nonce, %zu of associated data, %zu of text, %zu of tag",
              kernel_name, nonce_bytes, aad_bytes, n_bytes, tag_bytes);
    make_message(nonce_bytes, aad_bytes, n_bytes, tag_bytes);
    check_apart();
    check_in_place();
    check_pieces(1 + n_bytes % 19, 1 + aad_bytes % 37, n_bytes % 23);
}

static void test_lengths(void)
{
    static const size_t longer[] = {1008, 1024, 1041, 2048, MAX_TEXT};

    for (size_t n = 0; n <= 150; n++) {
        check_message(7 + n % 7, 11 * n % 67, n, 4 + 2 * (n % 7));
        check_message(7 + n / 7 % 7, n, 5 * n % 71, 4 + 2 * (n % 7));
    }
    for (size_t i = 0; i < sizeof longer / sizeof longer[0]; i++) {
        check_message(13, longer[i] / 2, longer[i], 16);
        check_pieces(500, 1001, 1500);
    }
}

static void test_long_aad(void)
{
    for (size_t n = LONG_AAD - 2; n <= LONG_AAD + 2; n++) {
        check_message(12, n, 20, 16);
    }
    check_message(12, MAX_AAD, 20, 16);
}

/* --- Tampering -------------------------------------------------------------------------------- */

static void check_refused(const char *what, size_t bit)
{
    unsigned char *out = guarded_place(&out_buffer, 3, NULL, 0);

    test_case("%s, %zu bytes, bit %zu of the %s changed", kernel_name, msg.n_bytes, bit, what);
    CHECK_STATUS(decrypt(out, msg.ct, msg.tag), MF_ERROR_TAG);
    CHECK(all_bytes_are(out, msg.n_bytes, 0));
    CHECK(guarded_intact(&out_buffer, out, msg.n_bytes));

    out = guarded_place(&out_buffer, 5, msg.ct, msg.n_bytes);
    CHECK_STATUS(decrypt(out, out, msg.tag), MF_ERROR_TAG);
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

static void test_tampering(size_t n_bytes, size_t tag_bytes)
{
    make_message(12, 21, n_bytes, tag_bytes);
    tamper("tag", msg.tag, tag_bytes);
    if (tag_bytes == 16) { /* with 4 bytes, one in 2^32 would pass */
        tamper("ciphertext", msg.ct, msg.n_bytes);
        tamper("associated data", msg.aad, msg.aad_bytes);
        tamper("nonce", msg.nonce, msg.nonce_bytes);
    }
    test_case("%s, %zu bytes, put right again", kernel_name, n_bytes);
    check_apart();
}

/* Lengths are authenticated too, that of the tag among them. */
static void test_wrong_lengths(void)
{
    make_message(12, 32, 64, 16);
    msg.n_bytes -= BLOCK;
    check_refused("length of the ciphertext", 0);
    msg.n_bytes = 64;
    msg.aad_bytes -= BLOCK;
    check_refused("length of the associated data", 0);
    msg.aad_bytes = 32;
    msg.nonce_bytes--;
    check_refused("length of the nonce", 0);
    msg.nonce_bytes = 12;
    msg.tag_bytes = 14;
    check_refused("length of the tag", 0);
}

static void test_kernel(const char *kernel)
{
    kernel_name = kernel;
    for (const size_t *key_bytes = key_sizes; *key_bytes != 0; key_bytes++) {
        unsigned char key[MF_TWOFISH_MAX_KEY_BYTES];

        test_case("%s, %zu-bit key, set-up", kernel, 8 * *key_bytes);
        random_bytes(key, sizeof key);
        zero_cipher = twofish_cipher(&zero_ctx, "zero", key, *key_bytes);
        cipher = twofish_cipher(&tested_ctx, kernel, key, *key_bytes);
        test_lengths();
    }
    test_tampering(0, 16);
    test_tampering(45, 16);
    test_tampering(45, 4);
    test_wrong_lengths();
    test_all_cuts();
    test_copy();
    test_tampered_pieces();
}

/* --- Bad input -------------------------------------------------------------------------------- */

enum { DATA = 5 * BLOCK };

static unsigned char some_tag[BLOCK];

static void set_up(void)
{
    static const unsigned char key[16] = {1, 2, 3};

    cipher = twofish_cipher(&tested_ctx, NULL, key, sizeof key);
}

/* Both directions give this status and write nothing. */
static void check_both(const mf_cipher *c, const void *nonce, size_t nonce_bytes, const void *aad,
                       size_t aad_bytes, void *out, const void *in, size_t n_bytes,
                       unsigned char *tag, size_t tag_bytes, mf_status expected)
{
    unsigned char tag_before[BLOCK];

    memcpy(tag_before, some_tag, BLOCK);
    CHECK_STATUS(
        mf_ccm_encrypt(c, nonce, nonce_bytes, aad, aad_bytes, out, in, n_bytes, tag, tag_bytes),
        expected);
    CHECK_STATUS(
        mf_ccm_decrypt(c, nonce, nonce_bytes, aad, aad_bytes, out, in, n_bytes, tag, tag_bytes),
        expected);
    CHECK(guarded_intact(&in_buffer, in_buffer.bytes, 0));
    CHECK_BYTES(some_tag, tag_before, BLOCK);
}

static void test_null(void)
{
    unsigned char *data = guarded_place(&in_buffer, 0, NULL, 0);

    test_case("CCM, NULL");
    set_up();
    check_both(NULL, "nonce 7", 7, NULL, 0, data, data, DATA, some_tag, 16, MF_ERROR_NULL);
    check_both(&cipher, NULL, 7, NULL, 0, data, data, DATA, some_tag, 16, MF_ERROR_NULL);
    check_both(&cipher, "nonce 7", 7, NULL, 1, data, data, DATA, some_tag, 16, MF_ERROR_NULL);
    check_both(&cipher, "nonce 7", 7, NULL, 0, NULL, data, DATA, some_tag, 16, MF_ERROR_NULL);
    check_both(&cipher, "nonce 7", 7, NULL, 0, data, NULL, DATA, some_tag, 16, MF_ERROR_NULL);
    check_both(&cipher, "nonce 7", 7, NULL, 0, data, data, DATA, NULL, 16, MF_ERROR_NULL);
    test_case("CCM, nothing");
    CHECK_STATUS(mf_ccm_encrypt(&cipher, "nonce 7", 7, NULL, 0, NULL, NULL, 0, some_tag, 16),
                 MF_OK);
    CHECK_STATUS(mf_ccm_decrypt(&cipher, "nonce 7", 7, NULL, 0, NULL, NULL, 0, some_tag, 16),
                 MF_OK);
}

static void test_tag_lengths(void)
{
    unsigned char *data = guarded_place(&in_buffer, 0, NULL, 0);

    set_up();
    for (size_t n = 0; n <= 20; n++) {
        if (n < 4 || n > 16 || n % 2 != 0) {
            test_case("CCM, tag of %zu bytes", n);
            check_both(&cipher, "nonce 7", 7, NULL, 0, data, data, DATA, some_tag, n,
                       MF_ERROR_TAG_LENGTH);
        }
    }
    check_both(&cipher, "nonce 7", 7, NULL, 0, data, data, DATA, some_tag, SIZE_MAX - 1,
               MF_ERROR_TAG_LENGTH);
}

static void test_nonce_lengths(void)
{
    static const unsigned char nonce[40] = {1};
    unsigned char *data = guarded_place(&in_buffer, 0, NULL, 0);

    set_up();
    for (size_t n = 0; n <= sizeof nonce; n++) {
        if (n < 7 || n > 13) {
            test_case("CCM, nonce of %zu bytes", n);
            check_both(&cipher, nonce, n, NULL, 0, data, data, DATA, some_tag, 16,
                       MF_ERROR_NONCE_LENGTH);
        }
    }
}

/* The first length that the counter cannot hold. Of the one below it is shown that it is not too
 * long: a wrong tag length ends the call before it reaches for memory that is not there. */
static void test_limits(void)
{
    static const unsigned char nonce[13] = {1};

    set_up();
    for (size_t nonce_bytes = 13; nonce_bytes > 7; nonce_bytes--) {
        const uint64_t limit = (uint64_t)1 << 8 * (15 - nonce_bytes);
        unsigned char *low = guarded_place(&in_buffer, 0, NULL, 0);

        if (limit > SIZE_MAX / 2) {
            test_skip("CCM, 256^%zu bytes: this machine cannot address them", 15 - nonce_bytes);
            continue;
        }
        test_case("CCM, nonce of %zu bytes, limit of the text", nonce_bytes);
        check_both(&cipher, nonce, nonce_bytes, NULL, 0, low + BLOCK, low + BLOCK, (size_t)limit,
                   low, 16, MF_ERROR_TOO_LONG);
        check_both(&cipher, nonce, nonce_bytes, NULL, 0, low + BLOCK, low + BLOCK,
                   (size_t)limit - 1, low, 15, MF_ERROR_TAG_LENGTH);
    }
}

/* A cipher that changes nothing, so that CBC-MAC is the XOR of the blocks. At the third one, where
 * the associated data begins after B_0 and A_0, it leaves the call, before that reads further. */
static size_t n_encrypted;
static unsigned char third[BLOCK];
static jmp_buf leave;

static bool leaving_has_key(const void *leaving)
{
    (void)leaving;
    return true;
}

static void leaving_encrypt(const void *leaving, unsigned char *out, const unsigned char *in,
                            size_t n_blocks)
{
    (void)leaving;
    n_encrypted += n_blocks;
    if (n_encrypted == 3) {
        memcpy(third, in, BLOCK);
        longjmp(leave, 1);
    }
    memmove(out, in, BLOCK * n_blocks);
}

/* B_1 starts with the prefix for aad_bytes of associated data. [SP800-38C, A.2.2] */
static void check_prefix(uint64_t aad_bytes, const unsigned char *prefix, size_t prefix_bytes)
{
    static const mf_cipher leaving = {BLOCK, &leave, leaving_has_key, leaving_encrypt, NULL};
    static const unsigned char nonce[13] = {1}, aad[BLOCK] = {0};
    /* B_0, with a tag of 16 bytes and no text; the first bytes of the data are zeros. */
    unsigned char expected[BLOCK] = {0x40 + 8 * 7 + 1, 1};

    test_case("CCM, %llu bytes of associated data", (unsigned long long)aad_bytes);
    if (aad_bytes > SIZE_MAX) {
        test_skip("CCM, 2^32 bytes of associated data: this machine cannot address them");
        return;
    }
    n_encrypted = 0;
    memset(third, 0, sizeof third);
    if (setjmp(leave) == 0) {
        const mf_status status = mf_ccm_encrypt(&leaving, nonce, sizeof nonce, aad,
                                                (size_t)aad_bytes, NULL, NULL, 0, some_tag, BLOCK);
        CHECK_STATUS(status, MF_OK);
        FAIL("the cipher is asked for a third block");
    }
    xor_bytes(expected, prefix, prefix_bytes);
    CHECK_BYTES(third, expected, sizeof third);
}

static void test_prefixes(void)
{
    check_prefix(0xFEFF, (const unsigned char[]){0xFE, 0xFF}, 2);
    check_prefix(0xFF00, (const unsigned char[]){0xFF, 0xFE, 0, 0, 0xFF, 0}, 6);
    check_prefix(UINT32_MAX, (const unsigned char[]){0xFF, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF}, 6);
    check_prefix((uint64_t)UINT32_MAX + 1,
                 (const unsigned char[]){0xFF, 0xFF, 0, 0, 0, 1, 0, 0, 0, 0}, 10);
}

/* The longest text after a nonce of 13 bytes, there and back: its counter must not wrap. */
static void test_longest(void)
{
    static unsigned char pt[65535], ct[65535], slow[65535];
    unsigned char counter[BLOCK] = {1, 'n', 'o', 'n', 'c', 'e', 0, 0, 0, 0, 0, 0, 0, 1, 0, 1};

    test_case("CCM, 65,535 bytes after a nonce of 13");
    set_up();
    random_bytes(pt, sizeof pt);
    CHECK_STATUS(mf_ccm_encrypt(&cipher, counter + 1, 13, NULL, 0, ct, pt, sizeof pt, some_tag, 16),
                 MF_OK);
    slow_ctr(&cipher, counter, slow, pt, sizeof pt);
    CHECK_BYTES(ct, slow, sizeof ct);
    CHECK_STATUS(mf_ccm_decrypt(&cipher, counter + 1, 13, NULL, 0, ct, ct, sizeof ct, some_tag, 16),
                 MF_OK);
    CHECK_BYTES(ct, pt, sizeof ct);
}

static void test_overlap(void)
{
    for (ptrdiff_t distance = -DATA; distance <= DATA; distance++) {
        unsigned char *in = guarded_place(&in_buffer, 5, NULL, 0) + 2 * (size_t)DATA;

        test_case("CCM, output at %td from the input", distance);
        set_up();
        if (distance != 0 && distance > -DATA && distance < DATA) {
            check_both(&cipher, "nonce 7", 7, NULL, 0, in + distance, in, DATA, some_tag, 16,
                       MF_ERROR_OVERLAP);
        } else {
            CHECK_STATUS(mf_ccm_encrypt(&cipher, "nonce 7", 7, NULL, 0, in + distance, in, DATA,
                                        some_tag, 16),
                         MF_OK);
            CHECK(guarded_intact(&in_buffer, in + distance, DATA));
        }
    }
}

static void test_tag_overlap(size_t tag_bytes)
{
    for (size_t at = 0; at <= DATA + tag_bytes; at++) {
        const bool overlaps = at > 0 && at < DATA + tag_bytes;
        unsigned char *place = guarded_place(&in_buffer, 0, NULL, 0);
        unsigned char *data = place + tag_bytes;

        test_case("CCM, tag of %zu bytes at %td from the output", tag_bytes,
                  (ptrdiff_t)at - (ptrdiff_t)tag_bytes);
        set_up();
        if (overlaps) {
            check_both(&cipher, "nonce 7", 7, NULL, 0, data, data, DATA, place + at, tag_bytes,
                       MF_ERROR_OVERLAP);
        } else {
            CHECK_STATUS(mf_ccm_encrypt(&cipher, "nonce 7", 7, NULL, 0, data, data, DATA,
                                        place + at, tag_bytes),
                         MF_OK);
            CHECK_STATUS(mf_ccm_decrypt(&cipher, "nonce 7", 7, NULL, 0, data, data, DATA,
                                        place + at, tag_bytes),
                         MF_OK);
        }
    }
}

static void test_ciphers(void)
{
    const toy_key toy = {true, {1, 2, 3}};
    const mf_cipher small = toy_cipher(&toy);
    unsigned char *data = guarded_place(&in_buffer, 0, NULL, 0);

    test_case("CCM, a small block, a strange one, a wiped key, none");
    set_up();
    check_both(&small, "nonce 7", 7, NULL, 0, data, data, DATA, some_tag, 16, MF_ERROR_BLOCK);
    cipher.block_bytes = 17;
    check_both(&cipher, "nonce 7", 7, NULL, 0, data, data, DATA, some_tag, 16, MF_ERROR_BLOCK);
    set_up();
    mf_twofish_wipe(&tested_ctx);
    check_both(&cipher, "nonce 7", 7, NULL, 0, data, data, DATA, some_tag, 16, MF_ERROR_NO_KEY);
    memset(&cipher, 0, sizeof cipher);
    check_both(&cipher, "nonce 7", 7, NULL, 0, data, data, DATA, some_tag, 16, MF_ERROR_NO_KEY);
}

/* --- Bad input, in pieces --------------------------------------------------------------------- */

static void check_start(const mf_cipher *c, const void *nonce, size_t nonce_bytes, uint64_t n_bytes,
                        size_t tag_bytes, mf_status expected)
{
    mf_ccm ccm;

    memset(&ccm, 0xA5, sizeof ccm);
    CHECK_STATUS(mf_ccm_start(&ccm, c, nonce, nonce_bytes, 0, n_bytes, tag_bytes), expected);
    CHECK(all_bytes_are(&ccm, sizeof ccm, 0));
    CHECK_STATUS(mf_ccm_aad(&ccm, NULL, 0), MF_ERROR_NO_KEY);
    CHECK_STATUS(mf_ccm_encrypt_finish(&ccm, NULL, NULL, 0, some_tag, 16), MF_ERROR_NO_KEY);
}

static void test_start(void)
{
    const toy_key toy = {true, {1, 2, 3}};
    const mf_cipher small = toy_cipher(&toy);

    test_case("CCM start, refused");
    set_up();
    CHECK_STATUS(mf_ccm_start(NULL, &cipher, "nonce 7", 7, 0, 0, 16), MF_ERROR_NULL);
    check_start(NULL, "nonce 7", 7, 0, 16, MF_ERROR_NULL);
    check_start(&cipher, NULL, 7, 0, 16, MF_ERROR_NULL);
    check_start(&small, "nonce 7", 7, 0, 16, MF_ERROR_BLOCK);
    check_start(&cipher, "nonce 7", 6, 0, 16, MF_ERROR_NONCE_LENGTH);
    check_start(&cipher, "a nonce of 13 bytes", 14, 0, 16, MF_ERROR_NONCE_LENGTH);
    check_start(&cipher, "a nonce of 13", 13, 65536, 16, MF_ERROR_TOO_LONG);
    check_start(&cipher, "a nonce of", 8, (uint64_t)1 << 56, 16, MF_ERROR_TOO_LONG);
    for (size_t n = 0; n <= 20; n++) {
        if (n < 4 || n > 16 || n % 2 != 0) {
            check_start(&cipher, "nonce 7", 7, 0, n, MF_ERROR_TAG_LENGTH);
        }
    }
}

/* Each call is refused for its length, its order or its arguments, and the message goes on. */
static void test_refused_pieces(void)
{
    unsigned char out[100], tag[BLOCK];
    mf_ccm ccm;

    test_case("CCM, errors amid a message");
    set_up();
    zero_cipher = cipher;
    make_message(12, 20, 100, 14);
    CHECK_STATUS(start(&ccm), MF_OK);
    CHECK_STATUS(mf_ccm_aad(&ccm, msg.aad, 21), MF_ERROR_TOO_LONG);
    CHECK_STATUS(mf_ccm_aad(&ccm, NULL, 1), MF_ERROR_NULL);
    CHECK_STATUS(mf_ccm_aad(&ccm, msg.aad, 19), MF_OK);
    CHECK_STATUS(mf_ccm_encrypt_update(&ccm, out, msg.pt, 5), MF_ERROR_LENGTH);
    CHECK_STATUS(mf_ccm_decrypt_update(&ccm, NULL, NULL, 0), MF_ERROR_LENGTH);
    CHECK_STATUS(mf_ccm_encrypt_finish(&ccm, out, msg.pt, 100, tag, 14), MF_ERROR_LENGTH);
    CHECK_STATUS(mf_ccm_aad(&ccm, msg.aad + 19, 2), MF_ERROR_TOO_LONG);
    CHECK_STATUS(mf_ccm_aad(&ccm, msg.aad + 19, 1), MF_OK);
    CHECK_STATUS(mf_ccm_encrypt_update(&ccm, out, msg.pt, 101), MF_ERROR_TOO_LONG);
    CHECK_STATUS(mf_ccm_encrypt_update(&ccm, NULL, NULL, 0), MF_OK);
    CHECK_STATUS(mf_ccm_aad(&ccm, NULL, 0), MF_ERROR_STATE);
    CHECK_STATUS(mf_ccm_encrypt_update(&ccm, out, msg.pt, 33), MF_OK);
    CHECK_STATUS(mf_ccm_decrypt_update(&ccm, out, msg.pt, 1), MF_ERROR_STATE);
    CHECK_STATUS(mf_ccm_encrypt_update(&ccm, out + 33, out + 34, 30), MF_ERROR_OVERLAP);
    CHECK_STATUS(mf_ccm_encrypt_update(&ccm, NULL, msg.pt, 30), MF_ERROR_NULL);
    CHECK_STATUS(mf_ccm_encrypt_update(&ccm, out + 33, msg.pt + 33, 68), MF_ERROR_TOO_LONG);
    CHECK_STATUS(mf_ccm_encrypt_finish(&ccm, out + 33, msg.pt + 33, 66, tag, 14), MF_ERROR_LENGTH);
    CHECK_STATUS(mf_ccm_encrypt_finish(&ccm, out + 33, msg.pt + 33, 67, tag, 16),
                 MF_ERROR_TAG_LENGTH);
    CHECK_STATUS(mf_ccm_encrypt_finish(&ccm, out + 33, msg.pt + 33, 67, NULL, 14), MF_ERROR_NULL);
    CHECK_STATUS(mf_ccm_encrypt_finish(&ccm, out + 33, msg.pt + 33, 67, out + 90, 14),
                 MF_ERROR_OVERLAP);
    CHECK_STATUS(mf_ccm_decrypt_finish(&ccm, out + 33, msg.pt + 33, 67, tag, 14), MF_ERROR_STATE);
    CHECK_STATUS(mf_ccm_encrypt_finish(&ccm, out + 33, msg.pt + 33, 67, tag, 14), MF_OK);
    CHECK_BYTES(out, msg.ct, 100);
    CHECK_BYTES(tag, msg.tag, 14);
}

static void test_after(void)
{
    unsigned char out[100], tag[BLOCK];
    mf_ccm ccm;

    test_case("CCM, after finish, and wiped");
    make_message(12, 0, 0, 16);
    CHECK_STATUS(start(&ccm), MF_OK);
    CHECK_STATUS(mf_ccm_encrypt_finish(&ccm, NULL, NULL, 0, tag, 16), MF_OK);
    CHECK_BYTES(tag, msg.tag, 16);
    CHECK_STATUS(mf_ccm_aad(&ccm, NULL, 0), MF_ERROR_STATE);
    CHECK_STATUS(mf_ccm_encrypt_update(&ccm, out, msg.pt, 1), MF_ERROR_STATE);
    CHECK_STATUS(mf_ccm_decrypt_finish(&ccm, NULL, NULL, 0, tag, 16), MF_ERROR_STATE);
    CHECK_STATUS(start(&ccm), MF_OK);
    mf_ccm_wipe(&ccm);
    CHECK(all_bytes_are(&ccm, sizeof ccm, 0));
    CHECK_STATUS(mf_ccm_encrypt_update(&ccm, out, msg.pt, 1), MF_ERROR_NO_KEY);
    CHECK_STATUS(mf_ccm_aad(NULL, NULL, 0), MF_ERROR_NULL);
    CHECK_STATUS(mf_ccm_decrypt_update(NULL, out, msg.pt, 1), MF_ERROR_NULL);
    CHECK_STATUS(mf_ccm_encrypt_finish(NULL, out, msg.pt, 1, tag, 16), MF_ERROR_NULL);
    mf_ccm_wipe(NULL);
}

int main(void)
{
    each_kernel(test_kernel);
    set_up();
    zero_cipher = cipher;
    kernel_name = "default kernel";
    test_long_aad();
    test_null();
    test_tag_lengths();
    test_nonce_lengths();
    test_limits();
    test_prefixes();
    test_longest();
    test_overlap();
    test_tag_overlap(4);
    test_tag_overlap(16);
    test_ciphers();
    test_start();
    test_refused_pieces();
    test_after();
    return test_end();
}
