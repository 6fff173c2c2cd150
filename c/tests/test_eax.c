/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * EAX against a slow recomputation from [EAX04, 3]: whole, in pieces of any length, in place, with
 * tags of every length; that a change of any bit is refused, with nothing of the plaintext
 * released; and bad input, one fault at a time. The same body for each kernel, those of DES too.
 */
#include "slow_modes.h"
#include "support.h"

#include <manyfish/aead.h>

#include <stdint.h>
#include <string.h>

enum { BLOCK = MF_MAX_BLOCK_BYTES, MAX_TEXT = 8400, MAX_AAD = 4200, MAX_NONCE = 100 };

typedef struct message {
    unsigned char nonce[MAX_NONCE];
    unsigned char aad[MAX_AAD];
    unsigned char pt[MAX_TEXT];
    unsigned char ct[MAX_TEXT];
    unsigned char tag[BLOCK];
    size_t nonce_bytes, aad_bytes, n_bytes, tag_bytes;
} message;

static const char *kernel_name;
static const subject *over; /* the cipher, and the bytes of its blocks */
static size_t block_bytes;
static any_key reference_key, tested_key;
static mf_cipher reference, cipher;
static mf_eax eax;
static message msg;
static guarded in_buffer, out_buffer;

/* --- EAX, slowly, with the names of the paper ------------------------------------------------ */

static void slow_omac(unsigned char *out, unsigned char t, const unsigned char *m, size_t n_bytes)
{
    unsigned char string[BLOCK + MAX_TEXT] = {0};

    string[block_bytes - 1] = t;
    memcpy(string + block_bytes, m, n_bytes);
    slow_cmac(&reference, out, string, block_bytes + n_bytes);
}

static void slow_encrypt(message *m)
{
    unsigned char N[BLOCK], H[BLOCK], C[BLOCK];

    slow_omac(N, 0, m->nonce, m->nonce_bytes);
    slow_omac(H, 1, m->aad, m->aad_bytes);
    slow_ctr(&reference, N, m->ct, m->pt, m->n_bytes);
    slow_omac(C, 2, m->ct, m->n_bytes);
    memcpy(m->tag, N, block_bytes);
    xor_bytes(m->tag, H, block_bytes);
    xor_bytes(m->tag, C, block_bytes);
}

/* --- The library against it ------------------------------------------------------------------ */

static void make_message(size_t nonce_bytes, size_t aad_bytes, size_t n_bytes, size_t tag_bytes)
{
    random_bytes(msg.nonce, nonce_bytes);
    random_bytes(msg.aad, aad_bytes);
    random_bytes(msg.pt, n_bytes);
    msg.nonce_bytes = nonce_bytes;
    msg.aad_bytes = aad_bytes;
    msg.n_bytes = n_bytes;
    msg.tag_bytes = tag_bytes;
    slow_encrypt(&msg);
}

static mf_status encrypt_whole(void *out, const void *in, unsigned char *tag)
{
    return mf_eax_encrypt(&eax, msg.nonce, msg.nonce_bytes, msg.aad, msg.aad_bytes, out, in,
                          msg.n_bytes, tag, msg.tag_bytes);
}

static mf_status decrypt_whole(void *out, const void *in, const unsigned char *tag)
{
    return mf_eax_decrypt(&eax, msg.nonce, msg.nonce_bytes, msg.aad, msg.aad_bytes, out, in,
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
    unsigned char tag[BLOCK];

    memset(tag, 0xA5, sizeof tag);
    CHECK_STATUS(encrypt_whole(data, data, tag), MF_OK);
    CHECK_BYTES(data, msg.ct, msg.n_bytes);
    check_tag(tag);
    CHECK_STATUS(decrypt_whole(data, data, tag), MF_OK);
    CHECK_BYTES(data, msg.pt, msg.n_bytes);
    CHECK(guarded_intact(&in_buffer, data, msg.n_bytes));
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

typedef mf_status crypt_update(mf_eax *e, void *out, const void *in, size_t n_bytes);

/* Associated data in pieces of aad_piece bytes, text in pieces of text_piece, by turns; last_bytes
 * of the text are left to finish. Returns the bytes of text done. */
static size_t feed(crypt_update *update, unsigned char *data, size_t aad_piece, size_t text_piece,
                   size_t last_bytes)
{
    const size_t end = msg.n_bytes - smaller(last_bytes, msg.n_bytes);
    size_t a = 0, t = 0;

    CHECK_STATUS(mf_eax_start(&eax, msg.nonce, msg.nonce_bytes), MF_OK);
    while (a < msg.aad_bytes || t < end) {
        const size_t n_aad = smaller(aad_piece, msg.aad_bytes - a);
        const size_t n_text = smaller(text_piece, end - t);

        CHECK_STATUS(mf_eax_aad(&eax, n_aad > 0 ? msg.aad + a : NULL, n_aad), MF_OK);
        CHECK_STATUS(update(&eax, data + t, data + t, n_text), MF_OK);
        a += n_aad;
        t += n_text;
    }
    return end;
}

static void check_pieces(size_t aad_piece, size_t text_piece, size_t last_bytes)
{
    unsigned char *data = guarded_place(&in_buffer, text_piece % 16, msg.pt, msg.n_bytes);
    unsigned char tag[BLOCK];
    size_t done;

    memset(tag, 0xA5, sizeof tag);
    done = feed(mf_eax_encrypt_update, data, aad_piece, text_piece, last_bytes);
    CHECK_STATUS(mf_eax_encrypt_finish(&eax, data + done, data + done, msg.n_bytes - done, tag,
                                       msg.tag_bytes),
                 MF_OK);
    CHECK_BYTES(data, msg.ct, msg.n_bytes);
    check_tag(tag);

    done = feed(mf_eax_decrypt_update, data, aad_piece, text_piece, last_bytes);
    CHECK_STATUS(mf_eax_decrypt_finish(&eax, data + done, data + done, msg.n_bytes - done, msg.tag,
                                       msg.tag_bytes),
                 MF_OK);
    CHECK_BYTES(data, msg.pt, msg.n_bytes);
    CHECK(guarded_intact(&in_buffer, data, msg.n_bytes));
}

static void check_message(size_t nonce_bytes, size_t aad_bytes, size_t n_bytes, size_t tag_bytes)
{
    test_case("%s, %zu bytes of nonce, %zu of associated data, %zu of text, %zu of tag",
              kernel_name, nonce_bytes, aad_bytes, n_bytes, tag_bytes);
    make_message(nonce_bytes, aad_bytes, n_bytes, tag_bytes);
    check_apart();
    check_in_place();
    for (size_t piece = 1; piece <= 80; piece += test_quick() ? 39 : 13) {
        check_pieces(7 * piece, piece, 3 * piece % 35);
    }
}

static size_t least_tag(void)
{
    return block_bytes / 4;
}

/* Every cut of short messages in three, each side of it empty too. */
static void test_all_cuts(void)
{
    unsigned char out[20], tag[BLOCK];

    for (size_t n = 0; n <= sizeof out; n++) {
        test_case("%s, all cuts of %zu bytes", kernel_name, n);
        make_message(9, n, n, block_bytes);
        for (size_t first = 0; first <= n; first++) {
            for (size_t second = first; second <= n; second++) {
                CHECK_STATUS(mf_eax_start(&eax, msg.nonce, msg.nonce_bytes), MF_OK);
                CHECK_STATUS(mf_eax_aad(&eax, msg.aad, second), MF_OK);
                CHECK_STATUS(mf_eax_aad(&eax, msg.aad + second, n - second), MF_OK);
                CHECK_STATUS(mf_eax_encrypt_update(&eax, out, msg.pt, first), MF_OK);
                CHECK_STATUS(
                    mf_eax_encrypt_update(&eax, out + first, msg.pt + first, second - first),
                    MF_OK);
                CHECK_STATUS(mf_eax_encrypt_finish(&eax, out + second, msg.pt + second, n - second,
                                                   tag, block_bytes),
                             MF_OK);
                CHECK_BYTES(out, msg.ct, n);
                CHECK_BYTES(tag, msg.tag, block_bytes);
            }
        }
    }
}

static void test_lengths(void)
{
    static const size_t longer[] = {1008, 1024, 1041, 2048, MAX_TEXT};

    for (size_t n = 0; n <= 150; n += n < 50 ? 1 : 3) {
        check_message(n % 40, 11 * n % 67, n, least_tag() + n % (block_bytes - least_tag() + 1));
        check_message((n + 8) % MAX_NONCE, n, 5 * n % 71, block_bytes);
    }
    for (size_t i = 0; i < sizeof longer / sizeof longer[0]; i++) {
        check_message(16, longer[i] / 2, longer[i], block_bytes);
        check_pieces(500, 1001, 1500); /* pieces of 64 blocks that begin amid a block */
    }
}

/* A message that was not finished leaves nothing in the next, and a copy is a message of its
 * own. */
static void test_restart_and_copy(void)
{
    unsigned char out[MAX_TEXT], tag[BLOCK];
    mf_eax copy;

    test_case("%s, a message begun and dropped, another in a copy", kernel_name);
    make_message(12, 37, 100, block_bytes);
    CHECK_STATUS(mf_eax_start(&eax, "other", 5), MF_OK);
    CHECK_STATUS(mf_eax_aad(&eax, "something else", 14), MF_OK);
    CHECK_STATUS(mf_eax_encrypt_update(&eax, out, msg.pt, 61), MF_OK);
    CHECK_STATUS(mf_eax_start(&eax, msg.nonce, msg.nonce_bytes), MF_OK);
    CHECK_STATUS(mf_eax_aad(&eax, msg.aad, msg.aad_bytes), MF_OK);
    copy = eax;
    CHECK_STATUS(mf_eax_encrypt_finish(&eax, out, msg.pt, msg.n_bytes, tag, block_bytes), MF_OK);
    CHECK_BYTES(tag, msg.tag, block_bytes);
    CHECK_STATUS(mf_eax_decrypt_finish(&copy, out, msg.ct, msg.n_bytes, msg.tag, block_bytes),
                 MF_OK);
    CHECK_BYTES(out, msg.pt, msg.n_bytes);
    mf_eax_wipe(&copy);
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

static void test_tampering(size_t n_bytes, size_t tag_bytes)
{
    make_message(12, 21, n_bytes, tag_bytes);
    tamper("tag", msg.tag, tag_bytes);
    if (tag_bytes == block_bytes) { /* with few bytes, some would pass */
        tamper("ciphertext", msg.ct, msg.n_bytes);
        tamper("associated data", msg.aad, msg.aad_bytes);
        tamper("nonce", msg.nonce, msg.nonce_bytes);
    }
    test_case("%s, %zu bytes, put right again", kernel_name, n_bytes);
    check_apart();
}

/* Lengths are authenticated too. */
static void test_wrong_lengths(void)
{
    make_message(12, 32, 64, block_bytes);
    msg.n_bytes -= block_bytes;
    check_refused("length of the ciphertext", 0);
    msg.n_bytes = 64;
    msg.aad_bytes -= block_bytes;
    check_refused("length of the associated data", 0);
    msg.aad_bytes = 32;
    msg.nonce_bytes--;
    check_refused("length of the nonce", 0);
}

/* In pieces, the last piece is wiped when the tag is wrong, and the message is over. */
static void test_tampered_pieces(void)
{
    unsigned char first[32];
    unsigned char *out = guarded_place(&out_buffer, 1, NULL, 0);

    test_case("%s, wrong tag of a message in pieces", kernel_name);
    make_message(12, 5, 29 + 45, 7);
    msg.tag[6] ^= 1;
    CHECK_STATUS(mf_eax_start(&eax, msg.nonce, msg.nonce_bytes), MF_OK);
    CHECK_STATUS(mf_eax_aad(&eax, msg.aad, msg.aad_bytes), MF_OK);
    CHECK_STATUS(mf_eax_decrypt_update(&eax, first, msg.ct, 29), MF_OK);
    CHECK_STATUS(mf_eax_decrypt_finish(&eax, out, msg.ct + 29, 45, msg.tag, 7), MF_ERROR_TAG);
    CHECK(all_bytes_are(out, 45, 0));
    CHECK(guarded_intact(&out_buffer, out, 45));
    CHECK_STATUS(mf_eax_decrypt_finish(&eax, out, msg.ct + 29, 45, msg.tag, 7), MF_ERROR_STATE);
}

/* A kernel with keys of one size. */
static void test_key(const char *kernel, size_t key_bytes)
{
    unsigned char key[ANY_MAX_KEY_BYTES];

    test_case("%s, %zu-bit key, set-up", kernel, 8 * key_bytes);
    random_bytes(key, sizeof key);
    reference = subject_cipher(over, &reference_key, over->reference, key, key_bytes);
    cipher = subject_cipher(over, &tested_key, kernel, key, key_bytes);
    CHECK_STATUS(mf_eax_init(&eax, &cipher), MF_OK);
    test_lengths();
}

/* Of DES, keys of one size: bitslice kernels take long for single blocks. */
static bool takes_part(size_t key_bytes)
{
    return over == &twofish_subject || key_bytes == MF_DES_MAX_KEY_BYTES;
}

static void test_kernel(const char *kernel)
{
    kernel_name = kernel;
    for (const size_t *key_bytes = over->key_sizes; *key_bytes != 0; key_bytes++) {
        if (*key_bytes <= info_of_kernel(over, kernel).max_key_bytes && takes_part(*key_bytes)) {
            test_key(kernel, *key_bytes);
        }
    }
    test_all_cuts();
    test_restart_and_copy();
    test_tampering(0, block_bytes);
    test_tampering(45, block_bytes);
    test_tampering(45, 4);
    test_wrong_lengths();
    test_tampered_pieces();
    mf_eax_wipe(&eax);
}

static void test_cipher(const subject *s)
{
    over = s;
    block_bytes = s->block_bytes;
    kernels_of(s, test_kernel);
}

/* --- Bad input ------------------------------------------------------------------------------- */

enum { DATA = 5 * BLOCK };

static unsigned char some_tag[BLOCK];

static void set_up(void)
{
    static const unsigned char key[16] = {1, 2, 3};

    over = &twofish_subject;
    block_bytes = MF_TWOFISH_BLOCK_BYTES;
    cipher = twofish_cipher(&tested_key.twofish, NULL, key, sizeof key);
    CHECK_STATUS(mf_eax_init(&eax, &cipher), MF_OK);
}

/* All functions that turn in into out, each with a message of its own. */
static mf_status call(size_t which, void *out, const void *in, size_t n_bytes, unsigned char *tag,
                      size_t tag_bytes)
{
    const mf_status status = which < 2 ? MF_OK : mf_eax_start(&eax, "nonce", 5);

    if (status != MF_OK) {
        return status;
    }
    switch (which) {
    case 0:
        return mf_eax_encrypt(&eax, "nonce", 5, NULL, 0, out, in, n_bytes, tag, tag_bytes);
    case 1:
        return mf_eax_decrypt(&eax, "nonce", 5, NULL, 0, out, in, n_bytes, tag, tag_bytes);
    case 2:
        return mf_eax_encrypt_finish(&eax, out, in, n_bytes, tag, tag_bytes);
    case 3:
        return mf_eax_decrypt_finish(&eax, out, in, n_bytes, tag, tag_bytes);
    case 4:
        return mf_eax_encrypt_update(&eax, out, in, n_bytes);
    default:
        return mf_eax_decrypt_update(&eax, out, in, n_bytes);
    }
}

enum { TAGGED = 4, CALLS = 6 };

/* All of them give this status and write nothing. */
static void check_calls(size_t n_calls, void *out, const void *in, size_t n_bytes,
                        unsigned char *tag, size_t tag_bytes, mf_status expected)
{
    unsigned char tag_before[BLOCK];

    memcpy(tag_before, some_tag, BLOCK);
    for (size_t which = 0; which < n_calls; which++) {
        CHECK_STATUS(call(which, out, in, n_bytes, tag, tag_bytes), expected);
        CHECK(guarded_intact(&in_buffer, in_buffer.bytes, 0));
        CHECK_BYTES(some_tag, tag_before, BLOCK);
    }
}

static void test_null(void)
{
    unsigned char *data = guarded_place(&in_buffer, 0, NULL, 0);

    test_case("EAX, NULL");
    set_up();
    check_calls(CALLS, NULL, data, DATA, some_tag, 16, MF_ERROR_NULL);
    check_calls(CALLS, data, NULL, DATA, some_tag, 16, MF_ERROR_NULL);
    check_calls(TAGGED, data, data, DATA, NULL, 16, MF_ERROR_NULL);
    CHECK_STATUS(mf_eax_start(&eax, NULL, 1), MF_ERROR_NULL);
    CHECK_STATUS(mf_eax_encrypt_update(&eax, data, data, 1), MF_ERROR_STATE);
    CHECK_STATUS(mf_eax_start(&eax, NULL, 0), MF_OK);
    CHECK_STATUS(mf_eax_aad(&eax, NULL, 1), MF_ERROR_NULL);
    CHECK_STATUS(mf_eax_aad(&eax, NULL, 0), MF_OK);
    CHECK_STATUS(mf_eax_encrypt(&eax, NULL, 5, NULL, 0, data, data, 1, some_tag, 16),
                 MF_ERROR_NULL);
    CHECK_STATUS(mf_eax_decrypt(&eax, "nonce", 5, NULL, 1, data, data, 1, some_tag, 16),
                 MF_ERROR_NULL);
    CHECK(guarded_intact(&in_buffer, data, 0));
    CHECK_STATUS(mf_eax_init(NULL, &cipher), MF_ERROR_NULL);
    CHECK_STATUS(mf_eax_start(NULL, "nonce", 5), MF_ERROR_NULL);
    CHECK_STATUS(mf_eax_aad(NULL, data, 1), MF_ERROR_NULL);
    CHECK_STATUS(mf_eax_encrypt_update(NULL, data, data, 1), MF_ERROR_NULL);
    CHECK_STATUS(mf_eax_decrypt_finish(NULL, data, data, 1, some_tag, 16), MF_ERROR_NULL);
    mf_eax_wipe(NULL);
}

static void check_tag_lengths(size_t block)
{
    const size_t wrong[] = {0, 1, block / 4 - 1, block + 1, 18, 256, SIZE_MAX};
    unsigned char *data = guarded_place(&in_buffer, 0, NULL, 0);

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        test_case("EAX over blocks of %zu bytes, tag of %zu", block, wrong[i]);
        check_calls(TAGGED, data, data, DATA, some_tag, wrong[i], MF_ERROR_TAG_LENGTH);
    }
}

static void test_tag_lengths(void)
{
    const toy_key toy = {true, {1, 2, 3}};
    const mf_cipher small = toy_cipher(&toy);

    set_up();
    check_tag_lengths(16);
    CHECK_STATUS(mf_eax_init(&eax, &small), MF_OK);
    check_tag_lengths(8);
}

static void test_overlap(void)
{
    for (ptrdiff_t distance = -DATA; distance <= DATA; distance++) {
        unsigned char *in = guarded_place(&in_buffer, 5, NULL, 0) + 2 * (size_t)DATA;

        test_case("EAX, output at %td from the input", distance);
        set_up();
        if (distance != 0 && distance > -DATA && distance < DATA) {
            check_calls(CALLS, in + distance, in, DATA, some_tag, 16, MF_ERROR_OVERLAP);
        } else {
            CHECK_STATUS(call(0, in + distance, in, DATA, some_tag, 16), MF_OK);
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

        test_case("EAX, tag of %zu bytes at %td from the output", tag_bytes,
                  (ptrdiff_t)at - (ptrdiff_t)tag_bytes);
        set_up();
        if (overlaps) {
            check_calls(TAGGED, data, data, DATA, place + at, tag_bytes, MF_ERROR_OVERLAP);
        } else {
            CHECK_STATUS(call(0, data, data, DATA, place + at, tag_bytes), MF_OK);
            CHECK_STATUS(call(1, data, data, DATA, place + at, tag_bytes), MF_OK);
        }
    }
}

static void test_no_key(void)
{
    unsigned char *data = guarded_place(&in_buffer, 0, NULL, 0);

    test_case("EAX, wiped, and never initialised");
    set_up();
    mf_eax_wipe(&eax);
    CHECK(all_bytes_are(&eax, sizeof eax, 0));
    check_calls(CALLS, data, data, DATA, some_tag, 16, MF_ERROR_NO_KEY);
    CHECK_STATUS(mf_eax_aad(&eax, data, 1), MF_ERROR_NO_KEY);
    test_case("EAX, the cipher's key wiped");
    set_up();
    mf_twofish_wipe(&tested_key.twofish);
    check_calls(CALLS, data, data, DATA, some_tag, 16, MF_ERROR_NO_KEY);
    CHECK_STATUS(mf_eax_init(&eax, &cipher), MF_ERROR_NO_KEY);
    CHECK(all_bytes_are(&eax, sizeof eax, 0));
    test_case("EAX init with NULL, and with a strange block");
    set_up();
    CHECK_STATUS(mf_eax_init(&eax, NULL), MF_ERROR_NULL);
    check_calls(CALLS, data, data, DATA, some_tag, 16, MF_ERROR_NO_KEY);
    set_up();
    cipher.block_bytes = 17;
    CHECK_STATUS(mf_eax_init(&eax, &cipher), MF_ERROR_BLOCK);
}

/* All calls of a message, each of which must be refused in this state. */
static void check_refuses_all(unsigned char *data)
{
    CHECK_STATUS(mf_eax_aad(&eax, "x", 1), MF_ERROR_STATE);
    CHECK_STATUS(mf_eax_encrypt_update(&eax, data, data, BLOCK), MF_ERROR_STATE);
    CHECK_STATUS(mf_eax_decrypt_update(&eax, data, data, BLOCK), MF_ERROR_STATE);
    CHECK_STATUS(mf_eax_encrypt_finish(&eax, data, data, BLOCK, some_tag, 16), MF_ERROR_STATE);
    CHECK_STATUS(mf_eax_decrypt_finish(&eax, data, data, BLOCK, some_tag, 16), MF_ERROR_STATE);
    CHECK(guarded_intact(&in_buffer, data, 0));
}

static void test_order(void)
{
    unsigned char *data = guarded_place(&in_buffer, 0, NULL, 0);

    test_case("EAX, before start");
    set_up();
    check_refuses_all(data);
    test_case("EAX, after finish");
    CHECK_STATUS(mf_eax_start(&eax, "nonce", 5), MF_OK);
    CHECK_STATUS(mf_eax_encrypt_finish(&eax, NULL, NULL, 0, some_tag, 16), MF_OK);
    check_refuses_all(data);
    test_case("EAX, after a whole message");
    CHECK_STATUS(mf_eax_encrypt(&eax, "nonce", 5, NULL, 0, NULL, NULL, 0, some_tag, 16), MF_OK);
    check_refuses_all(data);
    test_case("EAX, after a wrong tag");
    some_tag[0] ^= 1;
    CHECK_STATUS(mf_eax_decrypt(&eax, "nonce", 5, NULL, 0, NULL, NULL, 0, some_tag, 16),
                 MF_ERROR_TAG);
    check_refuses_all(data);
    test_case("EAX, after a whole message that failed");
    CHECK_STATUS(mf_eax_encrypt(&eax, "nonce", 5, NULL, 0, data, data + 1, BLOCK, some_tag, 16),
                 MF_ERROR_OVERLAP);
    check_refuses_all(data);
    CHECK_STATUS(mf_eax_decrypt(&eax, "nonce", 5, NULL, 0, data, data, BLOCK, some_tag, 3),
                 MF_ERROR_TAG_LENGTH);
    check_refuses_all(data);
}

static void test_direction(void)
{
    static const unsigned char block[BLOCK] = {1};
    unsigned char out[BLOCK];
    unsigned char *data = guarded_place(&in_buffer, 0, NULL, 0);

    test_case("EAX, from encrypting to decrypting");
    set_up();
    CHECK_STATUS(mf_eax_start(&eax, "nonce", 5), MF_OK);
    CHECK_STATUS(mf_eax_encrypt_update(&eax, out, block, BLOCK), MF_OK);
    CHECK_STATUS(mf_eax_decrypt_update(&eax, data, data, BLOCK), MF_ERROR_STATE);
    CHECK_STATUS(mf_eax_decrypt_finish(&eax, data, data, BLOCK, some_tag, 16), MF_ERROR_STATE);
    test_case("EAX, from decrypting to encrypting");
    CHECK_STATUS(mf_eax_start(&eax, "nonce", 5), MF_OK);
    CHECK_STATUS(mf_eax_decrypt_update(&eax, out, block, BLOCK), MF_OK);
    CHECK_STATUS(mf_eax_encrypt_update(&eax, data, data, BLOCK), MF_ERROR_STATE);
    CHECK_STATUS(mf_eax_encrypt_finish(&eax, data, data, BLOCK, some_tag, 16), MF_ERROR_STATE);
    CHECK(guarded_intact(&in_buffer, data, 0));
}

/* After an error a message goes on as if the call had not been made. */
static void test_going_on(void)
{
    unsigned char out[100], tag[BLOCK];

    test_case("EAX, errors amid a message");
    set_up();
    reference = cipher;
    make_message(12, 20, 100, 16);
    CHECK_STATUS(mf_eax_start(&eax, msg.nonce, 12), MF_OK);
    CHECK_STATUS(mf_eax_aad(&eax, msg.aad, 20), MF_OK);
    CHECK_STATUS(mf_eax_aad(&eax, NULL, 1), MF_ERROR_NULL);
    CHECK_STATUS(mf_eax_encrypt_update(&eax, out, msg.pt, 33), MF_OK);
    CHECK_STATUS(mf_eax_encrypt_update(&eax, out + 33, out + 34, 30), MF_ERROR_OVERLAP);
    CHECK_STATUS(mf_eax_encrypt_finish(&eax, out + 33, msg.pt + 33, 67, tag, 17),
                 MF_ERROR_TAG_LENGTH);
    CHECK_STATUS(mf_eax_encrypt_finish(&eax, out + 33, msg.pt + 33, 67, NULL, 16), MF_ERROR_NULL);
    CHECK_STATUS(mf_eax_encrypt_finish(&eax, out + 33, msg.pt + 33, 67, tag, 16), MF_OK);
    CHECK_BYTES(out, msg.ct, 100);
    CHECK_BYTES(tag, msg.tag, 16);
}

int main(void)
{
    test_cipher(&twofish_subject);
    test_cipher(&des_subject);
    test_null();
    test_tag_lengths();
    test_overlap();
    test_tag_overlap(4);
    test_tag_overlap(16);
    test_no_key();
    test_order();
    test_direction();
    test_going_on();
    return test_end();
}
