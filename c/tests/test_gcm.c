/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * GCM against a slow recomputation from [SP800-38D, 7], one block and one bit at a time; then
 * whole, in pieces, in place; that a change of any bit of tag, ciphertext, associated data or IV is
 * refused, with nothing of the plaintext released; and bad calls. The same body for each kernel.
 */
#include "slow_ghash.h"
#include "support.h"

#include <manyfish/aead.h>

#include <stdint.h>
#include <string.h>

enum {
    BLOCK = MF_TWOFISH_BLOCK_BYTES,
    TAG = MF_GCM_MAX_TAG_BYTES,
    MAX_TEXT = 8400,
    MAX_AAD = 1200,
    MAX_IV = 100,
};

typedef struct message {
    unsigned char iv[MAX_IV];
    unsigned char aad[MAX_AAD];
    unsigned char pt[MAX_TEXT];
    unsigned char ct[MAX_TEXT];
    unsigned char tag[TAG];
    size_t iv_bytes, aad_bytes, n_bytes, tag_bytes;
} message;

static const char *kernel_name;
static mf_twofish zero_ctx, tested_ctx;
static mf_cipher zero_cipher, tested_cipher;
static mf_gcm gcm;
static message msg;
static guarded in_buffer, out_buffer;

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* --- GCM, slowly, with the names of the standard ---------------------------------------------- */

static void slow_h(unsigned char *h)
{
    memset(h, 0, BLOCK);
    encrypt_block(&zero_cipher, h, h);
}

/* A string, filled with zeros to whole blocks. */
static void hash_string(unsigned char *y, const unsigned char *h, const unsigned char *string,
                        size_t n_bytes)
{
    for (size_t i = 0; i < n_bytes; i += BLOCK) {
        unsigned char block[BLOCK] = {0};

        memcpy(block, string + i, smaller(BLOCK, n_bytes - i));
        slow_ghash(y, h, block, 1);
    }
}

/* [len(A)]_64 || [len(C)]_64 */
static void hash_lengths(unsigned char *y, const unsigned char *h, size_t a_bytes, size_t c_bytes)
{
    unsigned char block[BLOCK];

    for (unsigned i = 0; i < 8; i++) {
        block[i] = (unsigned char)((uint64_t)a_bytes * 8 >> (56 - 8 * i));
        block[8 + i] = (unsigned char)((uint64_t)c_bytes * 8 >> (56 - 8 * i));
    }
    slow_ghash(y, h, block, 1);
}

static void slow_j0(unsigned char *j0, const unsigned char *h, const message *m)
{
    memset(j0, 0, BLOCK);
    if (m->iv_bytes == 12) {
        memcpy(j0, m->iv, 12);
        j0[BLOCK - 1] = 1;
    } else {
        hash_string(j0, h, m->iv, m->iv_bytes);
        hash_lengths(j0, h, 0, m->iv_bytes);
    }
}

/* The last 32 bits count, modulo 2^32. */
static void inc32(unsigned char *block)
{
    for (size_t i = BLOCK; i-- > BLOCK - 4;) {
        if (++block[i] != 0) {
            return;
        }
    }
}

static void slow_encrypt(message *m)
{
    unsigned char h[BLOCK], counter[BLOCK], s[BLOCK] = {0};

    slow_h(h);
    slow_j0(counter, h, m);
    encrypt_block(&zero_cipher, m->tag, counter);
    memcpy(m->ct, m->pt, m->n_bytes);
    for (size_t i = 0; i < m->n_bytes; i += BLOCK) {
        unsigned char pad[BLOCK];

        inc32(counter);
        encrypt_block(&zero_cipher, pad, counter);
        xor_bytes(m->ct + i, pad, smaller(BLOCK, m->n_bytes - i));
    }
    hash_string(s, h, m->aad, m->aad_bytes);
    hash_string(s, h, m->ct, m->n_bytes);
    hash_lengths(s, h, m->aad_bytes, m->n_bytes);
    xor_bytes(m->tag, s, BLOCK);
}

/* --- The library against it ------------------------------------------------------------------ */

static void make_message(size_t iv_bytes, size_t aad_bytes, size_t n_bytes, size_t tag_bytes)
{
    random_bytes(msg.iv, iv_bytes);
    random_bytes(msg.aad, aad_bytes);
    random_bytes(msg.pt, n_bytes);
    msg.iv_bytes = iv_bytes;
    msg.aad_bytes = aad_bytes;
    msg.n_bytes = n_bytes;
    msg.tag_bytes = tag_bytes;
    slow_encrypt(&msg);
}

static mf_status encrypt_whole(void *out, const void *in, unsigned char *tag)
{
    return mf_gcm_encrypt(&gcm, msg.iv, msg.iv_bytes, msg.aad, msg.aad_bytes, out, in, msg.n_bytes,
                          tag, msg.tag_bytes);
}

static mf_status decrypt_whole(void *out, const void *in, const unsigned char *tag)
{
    return mf_gcm_decrypt(&gcm, msg.iv, msg.iv_bytes, msg.aad, msg.aad_bytes, out, in, msg.n_bytes,
                          tag, msg.tag_bytes);
}

/* The tag has the right bytes, and those behind it are untouched. */
static void check_tag(const unsigned char *tag)
{
    CHECK_BYTES(tag, msg.tag, msg.tag_bytes);
    CHECK(all_bytes_are(tag + msg.tag_bytes, TAG - msg.tag_bytes, 0xA5));
}

static void check_apart(void)
{
    unsigned char *in = guarded_place(&in_buffer, msg.n_bytes % 16, msg.pt, msg.n_bytes);
    unsigned char *out = guarded_place(&out_buffer, msg.n_bytes % 13, NULL, 0);
    unsigned char tag[TAG];

    memset(tag, 0xA5, sizeof tag);
    CHECK_STATUS(encrypt_whole(out, in, tag), MF_OK);
    CHECK_BYTES(out, msg.ct, msg.n_bytes);
    check_tag(tag);
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

    memset(tag, 0xA5, sizeof tag);
    CHECK_STATUS(encrypt_whole(data, data, tag), MF_OK);
    CHECK_BYTES(data, msg.ct, msg.n_bytes);
    check_tag(tag);
    CHECK_STATUS(decrypt_whole(data, data, tag), MF_OK);
    CHECK_BYTES(data, msg.pt, msg.n_bytes);
    CHECK(guarded_intact(&in_buffer, data, msg.n_bytes));
}

typedef mf_status crypt_update(mf_gcm *g, void *out, const void *in, size_t n_bytes);

/* Associated data in pieces of aad_piece bytes, then text in pieces of text_piece, of which the
 * last is left to finish. Returns the bytes of text done. */
static size_t feed(crypt_update *update, unsigned char *data, size_t aad_piece, size_t text_piece)
{
    size_t done = 0;

    CHECK_STATUS(mf_gcm_start(&gcm, msg.iv, msg.iv_bytes), MF_OK);
    for (size_t i = 0; i < msg.aad_bytes; i += aad_piece) {
        CHECK_STATUS(mf_gcm_aad(&gcm, msg.aad + i, smaller(aad_piece, msg.aad_bytes - i)), MF_OK);
        CHECK_STATUS(mf_gcm_aad(&gcm, NULL, 0), MF_OK);
    }
    for (; done + text_piece < msg.n_bytes; done += text_piece) {
        CHECK_STATUS(update(&gcm, data + done, data + done, text_piece), MF_OK);
        CHECK_STATUS(update(&gcm, NULL, NULL, 0), MF_OK);
    }
    return done;
}

static void check_pieces(size_t aad_piece, size_t text_piece)
{
    unsigned char *data = guarded_place(&in_buffer, text_piece % 16, msg.pt, msg.n_bytes);
    unsigned char tag[TAG];
    size_t done;

    memset(tag, 0xA5, sizeof tag);
    done = feed(mf_gcm_encrypt_update, data, aad_piece, text_piece);
    CHECK_STATUS(mf_gcm_encrypt_finish(&gcm, data + done, data + done, msg.n_bytes - done, tag,
                                       msg.tag_bytes),
                 MF_OK);
    CHECK_BYTES(data, msg.ct, msg.n_bytes);
    check_tag(tag);

    done = feed(mf_gcm_decrypt_update, data, aad_piece, text_piece);
    CHECK_STATUS(mf_gcm_decrypt_finish(&gcm, data + done, data + done, msg.n_bytes - done, msg.tag,
                                       msg.tag_bytes),
                 MF_OK);
    CHECK_BYTES(data, msg.pt, msg.n_bytes);
    CHECK(guarded_intact(&in_buffer, data, msg.n_bytes));
}

static void check_message(size_t iv_bytes, size_t aad_bytes, size_t n_bytes, size_t tag_bytes)
{
    test_case("%s, IV of %zu bytes, %zu of associated data, %zu of text, tag of %zu", kernel_name,
              iv_bytes, aad_bytes, n_bytes, tag_bytes);
    make_message(iv_bytes, aad_bytes, n_bytes, tag_bytes);
    check_apart();
    check_in_place();
    check_pieces(7, 1 + n_bytes % 31);
    check_pieces(16 + n_bytes % 37, 64);
    check_pieces(1, 16 * 37 + 5);
}

static void test_lengths(void)
{
    static const size_t tags[] = {16, 4, 15, 8, 14, 12, 13};
    static const size_t longer[] = {1023, 1024, 1041, 2048, MAX_TEXT - 1, MAX_TEXT};

    for (size_t n = 0; n <= 300; n += test_quick() ? 7 : 1) {
        check_message(12, 11 * n % 67, n, tags[n % 7]);
        check_message(1 + n % MAX_IV, n, 5 * n % 71, tags[n % 7]);
    }
    for (size_t i = 0; i < sizeof longer / sizeof longer[0]; i++) {
        check_message(i % 2 == 0 ? 12 : 16, smaller(longer[i] / 2, MAX_AAD), longer[i], 16);
    }
}

/* A message that was not finished leaves nothing in the next, and a copy is a message of its
 * own. */
static void test_restart_and_copy(void)
{
    unsigned char out[MAX_TEXT], tag[TAG];
    mf_gcm copy;

    test_case("%s, a message begun and dropped, another in a copy", kernel_name);
    make_message(12, 37, 100, TAG);
    CHECK_STATUS(mf_gcm_start(&gcm, "other", 5), MF_OK);
    CHECK_STATUS(mf_gcm_aad(&gcm, "something else", 14), MF_OK);
    CHECK_STATUS(mf_gcm_encrypt_update(&gcm, out, msg.pt, 63), MF_OK);
    CHECK_STATUS(mf_gcm_start(&gcm, msg.iv, msg.iv_bytes), MF_OK);
    CHECK_STATUS(mf_gcm_aad(&gcm, msg.aad, msg.aad_bytes), MF_OK);
    copy = gcm;
    CHECK_STATUS(mf_gcm_encrypt_finish(&gcm, out, msg.pt, msg.n_bytes, tag, TAG), MF_OK);
    CHECK_BYTES(tag, msg.tag, TAG);
    CHECK_STATUS(mf_gcm_decrypt_finish(&copy, out, msg.ct, msg.n_bytes, msg.tag, TAG), MF_OK);
    CHECK_BYTES(out, msg.pt, msg.n_bytes);
    mf_gcm_wipe(&copy);
}

/* --- Tampering ------------------------------------------------------------------------------- */

static void check_refused(const char *what, size_t bit)
{
    unsigned char *out = guarded_place(&out_buffer, 3, NULL, 0);

    test_case("%s, %zu bytes, tag of %zu, bit %zu of the %s changed", kernel_name, msg.n_bytes,
              msg.tag_bytes, bit, what);
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
    for (size_t bit = 0; bit < 8 * n_bytes; bit += test_quick() ? 3 : 1) {
        bytes[bit / 8] ^= (unsigned char)(1U << bit % 8);
        check_refused(what, bit);
        bytes[bit / 8] ^= (unsigned char)(1U << bit % 8);
    }
}

static void test_tampering(size_t iv_bytes, size_t n_bytes, size_t tag_bytes)
{
    make_message(iv_bytes, 21, n_bytes, tag_bytes);
    tamper("tag", msg.tag, tag_bytes);
    tamper("ciphertext", msg.ct, msg.n_bytes);
    tamper("associated data", msg.aad, msg.aad_bytes);
    tamper("IV", msg.iv, msg.iv_bytes);
    test_case("%s, %zu bytes, put right again", kernel_name, n_bytes);
    check_apart();
}

/* Lengths are authenticated too. */
static void test_wrong_lengths(void)
{
    make_message(16, 32, 64, TAG);
    msg.n_bytes -= BLOCK;
    check_refused("length of the ciphertext", 0);
    msg.n_bytes = 64;
    msg.aad_bytes -= BLOCK;
    check_refused("length of the associated data", 0);
    msg.aad_bytes = 32;
    msg.iv_bytes--;
    check_refused("length of the IV", 0);

    /* A zero more at the end changes no block, but the last one: the lengths. */
    make_message(16, 30, 60, TAG);
    msg.aad[30] = 0;
    msg.aad_bytes++;
    check_refused("length of the associated data by a zero", 0);
}

/* In pieces, the last piece is wiped when the tag is wrong, and the message is over. */
static void test_tampered_pieces(void)
{
    unsigned char first[32];
    unsigned char *out = guarded_place(&out_buffer, 1, NULL, 0);

    test_case("%s, wrong tag of a message in pieces", kernel_name);
    make_message(12, 5, 32 + 45, TAG);
    msg.tag[7] ^= 1;
    CHECK_STATUS(mf_gcm_start(&gcm, msg.iv, msg.iv_bytes), MF_OK);
    CHECK_STATUS(mf_gcm_aad(&gcm, msg.aad, msg.aad_bytes), MF_OK);
    CHECK_STATUS(mf_gcm_decrypt_update(&gcm, first, msg.ct, 32), MF_OK);
    CHECK_STATUS(mf_gcm_decrypt_finish(&gcm, out, msg.ct + 32, 45, msg.tag, TAG), MF_ERROR_TAG);
    CHECK(all_bytes_are(out, 45, 0));
    CHECK(guarded_intact(&out_buffer, out, 45));
    CHECK_STATUS(mf_gcm_decrypt_finish(&gcm, out, msg.ct + 32, 45, msg.tag, TAG), MF_ERROR_STATE);
}

/* --- Bad calls -------------------------------------------------------------------------------- */

static unsigned char tag_after[TAG];

/* Every call that processes data, with these arguments, has this status and writes nothing. */
static void check_all(void *out, const void *in, size_t n_bytes, size_t tag_bytes,
                      mf_status expected)
{
    const unsigned char tag_before[TAG] = {7, 8, 9};

    memcpy(tag_after, tag_before, TAG);
    CHECK_STATUS(mf_gcm_encrypt(&gcm, "IV", 2, "a", 1, out, in, n_bytes, tag_after, tag_bytes),
                 expected);
    CHECK_STATUS(mf_gcm_decrypt(&gcm, "IV", 2, "a", 1, out, in, n_bytes, tag_after, tag_bytes),
                 expected);
    CHECK_STATUS(mf_gcm_start(&gcm, "IV", 2), MF_OK);
    CHECK_STATUS(mf_gcm_encrypt_finish(&gcm, out, in, n_bytes, tag_after, tag_bytes), expected);
    CHECK_STATUS(mf_gcm_decrypt_finish(&gcm, out, in, n_bytes, tag_after, tag_bytes), expected);
    if (expected != MF_ERROR_TAG_LENGTH) {
        CHECK_STATUS(mf_gcm_encrypt_update(&gcm, out, in, n_bytes), expected);
        CHECK_STATUS(mf_gcm_decrypt_update(&gcm, out, in, n_bytes), expected);
    }
    CHECK_BYTES(tag_after, tag_before, TAG);
    CHECK(guarded_intact(&out_buffer, out_buffer.bytes, 0));
}

static void test_data_arguments(void)
{
    enum { N = 3 * BLOCK };
    unsigned char *data = guarded_place(&out_buffer, 0, NULL, 0) + 2 * (size_t)N;

    test_case("%s, data NULL", kernel_name);
    check_all(NULL, data, N, TAG, MF_ERROR_NULL);
    check_all(data, NULL, N, TAG, MF_ERROR_NULL);
    for (ptrdiff_t distance = 1 - N; distance < N; distance++) {
        if (distance != 0) {
            test_case("%s, output at %td from the input", kernel_name, distance);
            check_all(data + distance, data, N, TAG, MF_ERROR_OVERLAP);
        }
    }
    for (size_t tag_bytes = 0; tag_bytes < 40; tag_bytes++) {
        if (tag_bytes != 4 && tag_bytes != 8 && (tag_bytes < 12 || tag_bytes > TAG)) {
            test_case("%s, tag of %zu bytes", kernel_name, tag_bytes);
            check_all(data, data, N, tag_bytes, MF_ERROR_TAG_LENGTH);
        }
    }
}

static void test_tag_arguments(void)
{
    enum { N = 40, T = 13 };

    for (size_t at = 0; at <= T + N; at++) {
        const bool overlaps = at > 0 && at < T + N;
        unsigned char *place = guarded_place(&out_buffer, 0, NULL, 0);
        unsigned char *data = place + T;

        test_case("%s, tag at %td from the output", kernel_name, (ptrdiff_t)at - T);
        CHECK_STATUS(mf_gcm_encrypt(&gcm, "IV", 2, NULL, 0, data, data, N, place + at, T),
                     overlaps ? MF_ERROR_OVERLAP : MF_OK);
        if (overlaps) {
            CHECK_STATUS(mf_gcm_decrypt(&gcm, "IV", 2, NULL, 0, data, data, N, place + at, T),
                         MF_ERROR_OVERLAP);
            CHECK(guarded_intact(&out_buffer, place, 0));
        }
    }
    test_case("%s, tag NULL", kernel_name);
    CHECK_STATUS(mf_gcm_encrypt(&gcm, "IV", 2, NULL, 0, NULL, NULL, 0, NULL, TAG), MF_ERROR_NULL);
    CHECK_STATUS(mf_gcm_decrypt(&gcm, "IV", 2, NULL, 0, NULL, NULL, 0, NULL, TAG), MF_ERROR_NULL);
}

/* All calls of a message, each of which must be refused in this state. */
static void check_refuses_all(mf_status expected)
{
    unsigned char *data = guarded_place(&out_buffer, 0, NULL, 0);

    CHECK_STATUS(mf_gcm_aad(&gcm, "x", 1), expected);
    CHECK_STATUS(mf_gcm_encrypt_update(&gcm, data, data, 1), expected);
    CHECK_STATUS(mf_gcm_decrypt_update(&gcm, data, data, 1), expected);
    CHECK_STATUS(mf_gcm_encrypt_finish(&gcm, data, data, 1, tag_after, TAG), expected);
    CHECK_STATUS(mf_gcm_decrypt_finish(&gcm, data, data, 1, tag_after, TAG), expected);
    CHECK(guarded_intact(&out_buffer, data, 0));
}

static void test_order(void)
{
    unsigned char out[BLOCK];

    test_case("%s, before start", kernel_name);
    CHECK_STATUS(mf_gcm_init(&gcm, &tested_cipher), MF_OK);
    check_refuses_all(MF_ERROR_STATE);
    test_case("%s, after finish", kernel_name);
    CHECK_STATUS(mf_gcm_start(&gcm, "IV", 2), MF_OK);
    CHECK_STATUS(mf_gcm_encrypt_finish(&gcm, NULL, NULL, 0, tag_after, TAG), MF_OK);
    check_refuses_all(MF_ERROR_STATE);
    test_case("%s, after a whole message, a wrong tag, an error", kernel_name);
    CHECK_STATUS(mf_gcm_encrypt(&gcm, "IV", 2, NULL, 0, NULL, NULL, 0, tag_after, TAG), MF_OK);
    check_refuses_all(MF_ERROR_STATE);
    tag_after[0] ^= 1;
    CHECK_STATUS(mf_gcm_decrypt(&gcm, "IV", 2, NULL, 0, NULL, NULL, 0, tag_after, TAG),
                 MF_ERROR_TAG);
    check_refuses_all(MF_ERROR_STATE);
    CHECK_STATUS(mf_gcm_encrypt(&gcm, "IV", 2, NULL, 1, NULL, NULL, 0, tag_after, TAG),
                 MF_ERROR_NULL);
    check_refuses_all(MF_ERROR_STATE);
    test_case("%s, after a start that failed", kernel_name);
    CHECK_STATUS(mf_gcm_start(&gcm, "IV", 2), MF_OK);
    CHECK_STATUS(mf_gcm_start(&gcm, "IV", 0), MF_ERROR_NONCE_LENGTH);
    check_refuses_all(MF_ERROR_STATE);
    CHECK_STATUS(mf_gcm_start(&gcm, NULL, 2), MF_ERROR_NULL);
    check_refuses_all(MF_ERROR_STATE);

    test_case("%s, changes of direction, associated data after the text", kernel_name);
    for (unsigned decrypting = 0; decrypting < 2; decrypting++) {
        crypt_update *const updates[] = {mf_gcm_encrypt_update, mf_gcm_decrypt_update};

        CHECK_STATUS(mf_gcm_start(&gcm, "IV", 2), MF_OK);
        CHECK_STATUS(mf_gcm_aad(&gcm, "x", 1), MF_OK);
        CHECK_STATUS(updates[decrypting](&gcm, out, msg.pt, 5), MF_OK);
        CHECK_STATUS(updates[1 - decrypting](&gcm, out, msg.pt, 5), MF_ERROR_STATE);
        CHECK_STATUS(mf_gcm_aad(&gcm, "x", 1), MF_ERROR_STATE);
        CHECK_STATUS(decrypting != 0 ? mf_gcm_encrypt_finish(&gcm, out, msg.pt, 5, tag_after, TAG)
                                     : mf_gcm_decrypt_finish(&gcm, out, msg.pt, 5, tag_after, TAG),
                     MF_ERROR_STATE);
    }
}

static void test_contexts(void)
{
    const toy_key toy = {true, {1, 2, 3}};
    const mf_cipher small = toy_cipher(&toy);
    unsigned char byte[1] = {0};

    test_case("%s, NULL for the context", kernel_name);
    CHECK_STATUS(mf_gcm_init(NULL, &tested_cipher), MF_ERROR_NULL);
    CHECK_STATUS(mf_gcm_start(NULL, "IV", 2), MF_ERROR_NULL);
    CHECK_STATUS(mf_gcm_aad(NULL, "x", 1), MF_ERROR_NULL);
    CHECK_STATUS(mf_gcm_encrypt_update(NULL, byte, byte, 1), MF_ERROR_NULL);
    CHECK_STATUS(mf_gcm_decrypt_finish(NULL, byte, byte, 1, tag_after, TAG), MF_ERROR_NULL);
    CHECK_STATUS(mf_gcm_encrypt(NULL, "IV", 2, NULL, 0, byte, byte, 1, tag_after, TAG),
                 MF_ERROR_NULL);
    mf_gcm_wipe(NULL);

    test_case("%s, no key", kernel_name);
    CHECK_STATUS(mf_gcm_init(&gcm, NULL), MF_ERROR_NULL);
    CHECK(all_bytes_are(&gcm, sizeof gcm, 0));
    check_refuses_all(MF_ERROR_NO_KEY);
    CHECK_STATUS(mf_gcm_init(&gcm, &small), MF_ERROR_BLOCK);
    CHECK(all_bytes_are(&gcm, sizeof gcm, 0));
    CHECK_STATUS(mf_gcm_start(&gcm, "IV", 2), MF_ERROR_NO_KEY);
    CHECK_STATUS(mf_gcm_init(&gcm, &tested_cipher), MF_OK);
    CHECK_STATUS(mf_gcm_start(&gcm, "IV", 2), MF_OK);
    mf_gcm_wipe(&gcm);
    CHECK(all_bytes_are(&gcm, sizeof gcm, 0));
    check_refuses_all(MF_ERROR_NO_KEY);
    CHECK_STATUS(mf_gcm_encrypt(&gcm, "IV", 2, NULL, 0, byte, byte, 1, tag_after, TAG),
                 MF_ERROR_NO_KEY);
    CHECK_STATUS(mf_gcm_init(&gcm, &tested_cipher), MF_OK);
}

/* The limits hold for the sum of all pieces. The counts are set, not reached. */
static void test_limits(void)
{
    const uint64_t text_limit = ((uint64_t)1 << 36) - 32;
    const uint64_t aad_limit = ((uint64_t)1 << 61) - 1;
    unsigned char *data = guarded_place(&out_buffer, 0, NULL, 0);
    unsigned char text[40];

    test_case("%s, 2^36 - 32 bytes of text in pieces", kernel_name);
    random_bytes(text, sizeof text);
    CHECK_STATUS(mf_gcm_start(&gcm, "IV", 2), MF_OK);
    gcm.text_bytes = text_limit - 32;
    CHECK_STATUS(mf_gcm_encrypt_update(&gcm, data, text, 33), MF_ERROR_TOO_LONG);
    CHECK_STATUS(mf_gcm_encrypt_finish(&gcm, data, text, 33, tag_after, TAG), MF_ERROR_TOO_LONG);
    CHECK(guarded_intact(&out_buffer, data, 0));
    CHECK_STATUS(mf_gcm_encrypt_update(&gcm, data, text, 31), MF_OK);
    CHECK_STATUS(mf_gcm_encrypt_update(&gcm, data + 31, text, 2), MF_ERROR_TOO_LONG);
    CHECK_STATUS(mf_gcm_encrypt_finish(&gcm, data + 31, text, 1, tag_after, TAG), MF_OK);

    test_case("%s, 2^61 - 1 bytes of associated data in pieces", kernel_name);
    CHECK_STATUS(mf_gcm_start(&gcm, "IV", 2), MF_OK);
    gcm.aad_bytes = aad_limit - 15;
    CHECK_STATUS(mf_gcm_aad(&gcm, text, 16), MF_ERROR_TOO_LONG);
    CHECK_STATUS(mf_gcm_aad(&gcm, text, 15), MF_OK);
    CHECK_STATUS(mf_gcm_aad(&gcm, text, 1), MF_ERROR_TOO_LONG);
}

/* More than the limits in one call. */
static void test_huge_calls(void)
{
    const uint64_t text = ((uint64_t)1 << 36) - 31;
    const uint64_t hashed = (uint64_t)1 << 61;
    unsigned char *low = guarded_place(&out_buffer, 0, NULL, 0);
    unsigned char *data = low + TAG;

    if (hashed > SIZE_MAX) {
        test_skip("2^36 bytes of GCM: this machine cannot address them");
        return;
    }
    test_case("%s, more than 2^36 - 32 bytes of text", kernel_name);
    CHECK_STATUS(mf_gcm_encrypt(&gcm, "IV", 2, NULL, 0, data, data, (size_t)text, low, TAG),
                 MF_ERROR_TOO_LONG);
    CHECK_STATUS(mf_gcm_decrypt(&gcm, "IV", 2, NULL, 0, data, data, (size_t)text, low, TAG),
                 MF_ERROR_TOO_LONG);
    test_case("%s, 2^61 bytes of associated data, of IV", kernel_name);
    CHECK_STATUS(mf_gcm_encrypt(&gcm, "IV", 2, data, (size_t)hashed, data, data, 1, low, TAG),
                 MF_ERROR_TOO_LONG);
    CHECK_STATUS(mf_gcm_start(&gcm, data, (size_t)hashed), MF_ERROR_NONCE_LENGTH);
    CHECK(guarded_intact(&out_buffer, data, 0));
}

static void test_kernel(const char *kernel)
{
    kernel_name = kernel;
    for (const size_t *key_bytes = key_sizes; *key_bytes != 0; key_bytes++) {
        unsigned char key[MF_TWOFISH_MAX_KEY_BYTES];

        test_case("%s, %zu-bit key, set-up", kernel, 8 * *key_bytes);
        random_bytes(key, sizeof key);
        zero_cipher = twofish_cipher(&zero_ctx, "zero", key, *key_bytes);
        tested_cipher = twofish_cipher(&tested_ctx, kernel, key, *key_bytes);
        CHECK_STATUS(mf_gcm_init(&gcm, &tested_cipher), MF_OK);
        test_lengths();
    }
    test_restart_and_copy();
    test_tampering(12, 0, TAG);
    test_tampering(12, 45, TAG);
    test_tampering(17, 64, TAG);
    test_tampering(12, 20, 12);
    test_wrong_lengths();
    test_tampered_pieces();
    test_data_arguments();
    test_tag_arguments();
    test_order();
    test_contexts();
    test_limits();
    test_huge_calls();
    mf_gcm_wipe(&gcm);
}

int main(void)
{
    each_kernel(test_kernel);
    return test_end();
}
