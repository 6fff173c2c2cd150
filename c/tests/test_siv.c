/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * SIV against a slow recomputation from [RFC5297, 2]: any number of strings, with a nonce and
 * without, in place; that a change of any bit is refused, with nothing of the plaintext released;
 * and bad input, one fault at a time.
 */
#include "slow_modes.h"
#include "support.h"

#include <manyfish/aead.h>

#include <stdint.h>
#include <string.h>

enum {
    BLOCK = MF_TWOFISH_BLOCK_BYTES,
    TAG = MF_SIV_TAG_BYTES,
    MAX_TEXT = 2400,
    MAX_STRINGS = MF_SIV_MAX_STRINGS,
    AAD = 4000,
};

/* The strings lie one behind the other in aad; the last one may be given as a nonce. */
typedef struct message {
    unsigned char aad[AAD];
    unsigned char pt[MAX_TEXT];
    unsigned char ct[MAX_TEXT];
    unsigned char tag[TAG];
    mf_siv_string strings[MAX_STRINGS];
    size_t n_strings, n_bytes;
} message;

static const char *kernel_name;
static mf_twofish zero_s2v_ctx, zero_ctr_ctx, s2v_ctx, ctr_ctx;
static mf_cipher zero_s2v, zero_ctr, s2v, ctr;
static mf_siv siv;
static message msg;
static guarded in_buffer, out_buffer;

/* --- SIV, slowly, with the names of the RFC --------------------------------------------------- */

static void slow_s2v(unsigned char *V, const message *m)
{
    static const unsigned char zero[BLOCK];
    unsigned char D[BLOCK], mac[BLOCK], T[MAX_TEXT + BLOCK] = {0};
    size_t n = m->n_bytes;

    slow_cmac(&zero_s2v, D, zero, BLOCK);
    for (size_t i = 0; i < m->n_strings; i++) {
        slow_double(D, BLOCK);
        slow_cmac(&zero_s2v, mac, m->strings[i].data, m->strings[i].n_bytes);
        xor_bytes(D, mac, BLOCK);
    }
    memcpy(T, m->pt, n);
    if (n < BLOCK) {
        slow_double(D, BLOCK);
        T[n] = 0x80;
        n = BLOCK;
    }
    xor_bytes(T + n - BLOCK, D, BLOCK);
    slow_cmac(&zero_s2v, V, T, n);
}

static void slow_encrypt(message *m)
{
    unsigned char Q[BLOCK];

    slow_s2v(m->tag, m);
    memcpy(Q, m->tag, BLOCK);
    Q[8] &= 0x7F;
    Q[12] &= 0x7F;
    slow_ctr(&zero_ctr, Q, m->ct, m->pt, m->n_bytes);
}

/* --- The library against it ------------------------------------------------------------------- */

static void make_message(size_t n_strings, size_t n_bytes)
{
    size_t at = 0;

    random_bytes(msg.pt, n_bytes);
    for (size_t i = 0; i < n_strings; i++) {
        msg.strings[i].data = msg.aad + at;
        msg.strings[i].n_bytes = (7 * i + n_bytes + 1) % (n_strings > 60 ? 19 : 45);
        at += msg.strings[i].n_bytes;
    }
    CHECK(at <= sizeof msg.aad);
    random_bytes(msg.aad, at);
    msg.n_strings = n_strings;
    msg.n_bytes = n_bytes;
    slow_encrypt(&msg);
}

/* The last string goes as a nonce if that is asked for and it is not empty. */
static bool with_nonce(bool wanted)
{
    return wanted && msg.n_strings > 0 && msg.strings[msg.n_strings - 1].n_bytes > 0;
}

static mf_status encrypt(bool nonce, void *out, const void *in, unsigned char *tag)
{
    const mf_siv_string none = {msg.aad, 0}; /* not a nonce that is empty */
    const size_t n = msg.n_strings - with_nonce(nonce);
    const mf_siv_string last = with_nonce(nonce) ? msg.strings[n] : none;

    return mf_siv_encrypt(&siv, n > 0 ? msg.strings : NULL, n, last.data, last.n_bytes, out, in,
                          msg.n_bytes, tag);
}

static mf_status decrypt(bool nonce, void *out, const void *in, const unsigned char *tag)
{
    const mf_siv_string none = {NULL, 0};
    const size_t n = msg.n_strings - with_nonce(nonce);
    const mf_siv_string last = with_nonce(nonce) ? msg.strings[n] : none;

    return mf_siv_decrypt(&siv, n > 0 ? msg.strings : NULL, n, last.data, last.n_bytes, out, in,
                          msg.n_bytes, tag);
}

static void check_apart(bool nonce)
{
    unsigned char *in = guarded_place(&in_buffer, msg.n_bytes % 16, msg.pt, msg.n_bytes);
    unsigned char *out = guarded_place(&out_buffer, msg.n_bytes % 13, NULL, 0);
    unsigned char tag[TAG];

    CHECK_STATUS(encrypt(nonce, out, in, tag), MF_OK);
    CHECK_BYTES(out, msg.ct, msg.n_bytes);
    CHECK_BYTES(tag, msg.tag, TAG);
    CHECK(guarded_intact(&in_buffer, in, 0));
    CHECK(guarded_intact(&out_buffer, out, msg.n_bytes));

    in = guarded_place(&in_buffer, msg.n_bytes % 13, msg.ct, msg.n_bytes);
    out = guarded_place(&out_buffer, msg.n_bytes % 16, NULL, 0);
    CHECK_STATUS(decrypt(nonce, out, in, msg.tag), MF_OK);
    CHECK_BYTES(out, msg.pt, msg.n_bytes);
    CHECK(guarded_intact(&in_buffer, in, 0));
    CHECK(guarded_intact(&out_buffer, out, msg.n_bytes));
}

static void check_in_place(bool nonce)
{
    unsigned char *data = guarded_place(&in_buffer, msg.n_bytes % 16, msg.pt, msg.n_bytes);
    unsigned char tag[TAG];

    CHECK_STATUS(encrypt(nonce, data, data, tag), MF_OK);
    CHECK_BYTES(data, msg.ct, msg.n_bytes);
    CHECK_BYTES(tag, msg.tag, TAG);
    CHECK_STATUS(decrypt(nonce, data, data, tag), MF_OK);
    CHECK_BYTES(data, msg.pt, msg.n_bytes);
    CHECK(guarded_intact(&in_buffer, data, msg.n_bytes));
}

static void check_message(size_t n_strings, size_t n_bytes)
{
    test_case("%s, %zu strings, %zu bytes of text", kernel_name, n_strings, n_bytes);
    make_message(n_strings, n_bytes);
    for (int nonce = 0; nonce < 2; nonce++) {
        check_apart(nonce != 0);
        check_in_place(nonce != 0);
    }
}

static void test_lengths(void)
{
    static const size_t longer[] = {1008, 1024, 1041, 2048, MAX_TEXT};

    for (size_t n = 0; n <= 150; n++) {
        check_message(n % 5, n);
    }
    for (size_t i = 0; i < sizeof longer / sizeof longer[0]; i++) {
        check_message(2, longer[i]);
    }
    check_message(MAX_STRINGS - 1, 40);
    check_message(MAX_STRINGS, 40);
}

/* The encrypting call may put the tag where the input was, if the output goes elsewhere. */
static void test_tag_over_input(void)
{
    unsigned char *in;
    unsigned char out[50];

    test_case("%s, tag over the input", kernel_name);
    make_message(1, sizeof out);
    in = guarded_place(&in_buffer, 1, msg.pt, msg.n_bytes);
    CHECK_STATUS(encrypt(false, out, in, in + 20), MF_OK);
    CHECK_BYTES(out, msg.ct, msg.n_bytes);
    CHECK_BYTES(in + 20, msg.tag, TAG);
}

/* --- Tampering -------------------------------------------------------------------------------- */

static void check_refused(const char *what, size_t bit)
{
    unsigned char *out = guarded_place(&out_buffer, 3, NULL, 0);

    test_case("%s, %zu bytes, bit %zu of the %s changed", kernel_name, msg.n_bytes, bit, what);
    CHECK_STATUS(decrypt(true, out, msg.ct, msg.tag), MF_ERROR_TAG);
    CHECK(all_bytes_are(out, msg.n_bytes, 0));
    CHECK(guarded_intact(&out_buffer, out, msg.n_bytes));

    out = guarded_place(&out_buffer, 5, msg.ct, msg.n_bytes);
    CHECK_STATUS(decrypt(false, out, out, msg.tag), MF_ERROR_TAG);
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
    size_t aad_bytes = 0;

    make_message(3, n_bytes);
    for (size_t i = 0; i < msg.n_strings; i++) {
        aad_bytes += msg.strings[i].n_bytes;
    }
    tamper("tag", msg.tag, TAG);
    tamper("ciphertext", msg.ct, msg.n_bytes);
    tamper("associated data", msg.aad, aad_bytes);
    test_case("%s, %zu bytes, put right again", kernel_name, n_bytes);
    check_apart(false);
}

/* The same bytes, cut into strings in another way. */
static void test_other_strings(void)
{
    const mf_siv_string no_bytes = {NULL, 0};

    make_message(3, 40);
    msg.n_bytes--;
    check_refused("length of the ciphertext", 0);
    msg.n_bytes++;
    msg.strings[0].n_bytes--;
    msg.strings[1].data = msg.aad + msg.strings[0].n_bytes;
    msg.strings[1].n_bytes++;
    check_refused("border of two strings", 0);
    make_message(3, 40);
    msg.n_strings--;
    check_refused("number of strings", 0);
    msg.n_strings += 2;
    msg.strings[3] = no_bytes;
    check_refused("number of strings", 1);
}

static void test_kernel(const char *kernel)
{
    kernel_name = kernel;
    for (const size_t *key_bytes = key_sizes; *key_bytes != 0; key_bytes++) {
        unsigned char keys[2][MF_TWOFISH_MAX_KEY_BYTES];

        test_case("%s, %zu-bit keys, set-up", kernel, 8 * *key_bytes);
        random_bytes(keys, sizeof keys);
        zero_s2v = twofish_cipher(&zero_s2v_ctx, "zero", keys[0], *key_bytes);
        zero_ctr = twofish_cipher(&zero_ctr_ctx, "zero", keys[1], *key_bytes);
        s2v = twofish_cipher(&s2v_ctx, kernel, keys[0], *key_bytes);
        ctr = twofish_cipher(&ctr_ctx, kernel, keys[1], *key_bytes);
        CHECK_STATUS(mf_siv_init(&siv, &s2v, &ctr), MF_OK);
        test_lengths();
    }
    test_tag_over_input();
    test_tampering(0);
    test_tampering(15);
    test_tampering(40);
    test_other_strings();
    mf_siv_wipe(&siv);
}

/* --- Bad input -------------------------------------------------------------------------------- */

enum { DATA = 5 * BLOCK };

static unsigned char some_tag[TAG];

static void set_up(void)
{
    static const unsigned char keys[2][16] = {{1, 2, 3}, {4, 5, 6}};

    s2v = twofish_cipher(&s2v_ctx, NULL, keys[0], sizeof keys[0]);
    ctr = twofish_cipher(&ctr_ctx, NULL, keys[1], sizeof keys[1]);
    CHECK_STATUS(mf_siv_init(&siv, &s2v, &ctr), MF_OK);
}

/* Both directions give this status and write nothing. */
static void check_both(const mf_siv *context, const mf_siv_string *aad, size_t n_aad,
                       const void *nonce, size_t nonce_bytes, void *out, const void *in,
                       size_t n_bytes, unsigned char *tag, mf_status expected)
{
    unsigned char tag_before[TAG];

    memcpy(tag_before, some_tag, TAG);
    CHECK_STATUS(mf_siv_encrypt(context, aad, n_aad, nonce, nonce_bytes, out, in, n_bytes, tag),
                 expected);
    CHECK_STATUS(mf_siv_decrypt(context, aad, n_aad, nonce, nonce_bytes, out, in, n_bytes, tag),
                 expected);
    CHECK(guarded_intact(&in_buffer, in_buffer.bytes, 0));
    CHECK_BYTES(some_tag, tag_before, TAG);
}

static void test_null(void)
{
    static const mf_siv_string bad[2] = {{NULL, 0}, {NULL, 1}};
    unsigned char *data = guarded_place(&in_buffer, 0, NULL, 0);

    test_case("SIV, NULL");
    set_up();
    check_both(NULL, NULL, 0, NULL, 0, data, data, DATA, some_tag, MF_ERROR_NULL);
    check_both(&siv, NULL, 1, NULL, 0, data, data, DATA, some_tag, MF_ERROR_NULL);
    check_both(&siv, bad, 2, NULL, 0, data, data, DATA, some_tag, MF_ERROR_NULL);
    check_both(&siv, NULL, 0, NULL, 1, data, data, DATA, some_tag, MF_ERROR_NULL);
    check_both(&siv, NULL, 0, NULL, 0, NULL, data, DATA, some_tag, MF_ERROR_NULL);
    check_both(&siv, NULL, 0, NULL, 0, data, NULL, DATA, some_tag, MF_ERROR_NULL);
    check_both(&siv, NULL, 0, NULL, 0, data, data, DATA, NULL, MF_ERROR_NULL);
    test_case("SIV, nothing");
    CHECK_STATUS(mf_siv_encrypt(&siv, bad, 1, NULL, 0, NULL, NULL, 0, some_tag), MF_OK);
    CHECK_STATUS(mf_siv_decrypt(&siv, bad, 1, NULL, 0, NULL, NULL, 0, some_tag), MF_OK);
    mf_siv_wipe(NULL);
}

static void test_too_many_strings(void)
{
    static const mf_siv_string strings[MAX_STRINGS + 1];
    unsigned char *data = guarded_place(&in_buffer, 0, NULL, 0);

    test_case("SIV, too many strings");
    set_up();
    check_both(&siv, strings, MAX_STRINGS + 1, NULL, 0, data, data, DATA, some_tag,
               MF_ERROR_TOO_LONG);
    check_both(&siv, strings, MAX_STRINGS, "nonce", 5, data, data, DATA, some_tag,
               MF_ERROR_TOO_LONG);
    check_both(&siv, NULL, SIZE_MAX, NULL, 0, data, data, DATA, some_tag, MF_ERROR_TOO_LONG);
}

static void test_overlap(void)
{
    for (ptrdiff_t distance = -DATA; distance <= DATA; distance++) {
        unsigned char *in = guarded_place(&in_buffer, 5, NULL, 0) + 2 * (size_t)DATA;

        test_case("SIV, output at %td from the input", distance);
        set_up();
        if (distance != 0 && distance > -DATA && distance < DATA) {
            check_both(&siv, NULL, 0, NULL, 0, in + distance, in, DATA, some_tag, MF_ERROR_OVERLAP);
        } else {
            CHECK_STATUS(mf_siv_encrypt(&siv, NULL, 0, NULL, 0, in + distance, in, DATA, some_tag),
                         MF_OK);
            CHECK(guarded_intact(&in_buffer, in + distance, DATA));
        }
    }
}

static void test_tag_overlap(void)
{
    for (size_t at = 0; at <= DATA + TAG; at++) {
        const bool overlaps = at > 0 && at < DATA + TAG;
        unsigned char *place = guarded_place(&in_buffer, 0, NULL, 0);
        unsigned char *data = place + TAG;

        test_case("SIV, tag at %td from the output", (ptrdiff_t)at - TAG);
        set_up();
        if (overlaps) {
            check_both(&siv, NULL, 0, NULL, 0, data, data, DATA, place + at, MF_ERROR_OVERLAP);
        } else {
            CHECK_STATUS(mf_siv_encrypt(&siv, NULL, 0, NULL, 0, data, data, DATA, place + at),
                         MF_OK);
            CHECK_STATUS(mf_siv_decrypt(&siv, NULL, 0, NULL, 0, data, data, DATA, place + at),
                         MF_OK);
        }
    }
}

static void test_no_key(void)
{
    unsigned char *data = guarded_place(&in_buffer, 0, NULL, 0);

    test_case("SIV, wiped, and never initialised");
    set_up();
    mf_siv_wipe(&siv);
    CHECK(all_bytes_are(&siv, sizeof siv, 0));
    check_both(&siv, NULL, 0, NULL, 0, data, data, DATA, some_tag, MF_ERROR_NO_KEY);
    test_case("SIV, one of its keys wiped");
    set_up();
    mf_twofish_wipe(&s2v_ctx);
    check_both(&siv, NULL, 0, NULL, 0, data, data, DATA, some_tag, MF_ERROR_NO_KEY);
    CHECK_STATUS(mf_siv_init(&siv, &s2v, &ctr), MF_ERROR_NO_KEY);
    CHECK(all_bytes_are(&siv, sizeof siv, 0));
    set_up();
    mf_twofish_wipe(&ctr_ctx);
    check_both(&siv, NULL, 0, NULL, 0, data, data, DATA, some_tag, MF_ERROR_NO_KEY);
    CHECK_STATUS(mf_siv_init(&siv, &s2v, &ctr), MF_ERROR_NO_KEY);
    CHECK(all_bytes_are(&siv, sizeof siv, 0));
}

static void check_init(const mf_cipher *a, const mf_cipher *b, mf_status expected)
{
    set_up();
    CHECK_STATUS(mf_siv_init(&siv, a, b), expected);
    CHECK(all_bytes_are(&siv, sizeof siv, 0));
}

static void test_init(void)
{
    const toy_key toy = {true, {1, 2, 3}};
    const mf_cipher small = toy_cipher(&toy);

    test_case("SIV init with NULL, a small block");
    set_up();
    CHECK_STATUS(mf_siv_init(NULL, &s2v, &ctr), MF_ERROR_NULL);
    check_init(NULL, &ctr, MF_ERROR_NULL);
    check_init(&s2v, NULL, MF_ERROR_NULL);
    check_init(&small, &ctr, MF_ERROR_BLOCK);
    check_init(&s2v, &small, MF_ERROR_BLOCK);
}

int main(void)
{
    each_kernel(test_kernel);
    test_null();
    test_too_many_strings();
    test_overlap();
    test_tag_overlap();
    test_no_key();
    test_init();
    return test_end();
}
