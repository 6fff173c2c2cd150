/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Mistakes of callers: each has a reason of its own on OpenSSL's queue, nothing is written,
 * and the context can be initialised again. And the promises of EVP about contexts: numbers, IVs,
 * padding, messages one after the other.
 *
 * Usage: test_errors MODULES
 */
#include "evp.h"

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/params.h>

#include <string.h>

enum { MAX_XTS_BYTES = 1 << 24 };

static unsigned char text[256], out[256 + EVP_MAX_BLOCK_LENGTH], again[256 + EVP_MAX_BLOCK_LENGTH];
static const unsigned char zeros[256];

static const char *const all_modes[] = {"ECB", "CBC", "CTR", "CFB", "CFB8", "CFB1", "OFB",
                                        "XTS", "LRW", "OCB", "GCM", "CCM",  "SIV"};
enum { N_MODES = sizeof all_modes / sizeof all_modes[0], FIRST_AEAD = 9, FIRST_WHOLE_AEAD = 11 };

static const char *name_of(const char *mode)
{
    static char name[32];

    memcpy(name, "TWOFISH-256-", 12);
    memcpy(name + 12, mode, strlen(mode) + 1);
    return name;
}

/* The length of a message whose last block is short, where the mode takes such messages. */
static size_t odd_bytes(const char *mode)
{
    return strcmp(mode, "LRW") == 0 ? 32 : 33;
}

static int init(EVP_CIPHER_CTX *ctx, const void *key, const void *iv, int encrypt)
{
    return EVP_CipherInit_ex2(ctx, NULL, key, iv, encrypt, NULL);
}

/* An initialised context without key and IV. */
static EVP_CIPHER_CTX *empty(const char *algorithm, int encrypt)
{
    EVP_CIPHER *cipher = fetch(algorithm);
    EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();

    (void)CHECK(EVP_CipherInit_ex2(ctx, cipher, NULL, NULL, encrypt, NULL) == 1);
    EVP_CIPHER_free(cipher);
    return ctx;
}

/* --- keys and IVs ----------------------------------------------------------------------------- */

static void test_key_length(const char *mode)
{
    size_t wrong = 17;
    const OSSL_PARAM params[] = {OSSL_PARAM_construct_size_t(OSSL_CIPHER_PARAM_KEYLEN, &wrong),
                                 OSSL_PARAM_construct_end()};
    EVP_CIPHER_CTX *ctx = empty(name_of(mode), 1);

    test_case("key length, %s", mode);
    (void)CHECK_FAILS(EVP_CIPHER_CTX_set_key_length(ctx, 16), "invalid key length");
    (void)CHECK(EVP_CIPHER_CTX_set_params(ctx, params) == 0);
    (void)CHECK_FAILS(0, "invalid key length");
    (void)CHECK(EVP_CIPHER_CTX_set_key_length(ctx, EVP_CIPHER_CTX_get_key_length(ctx)) == 1);
    EVP_CIPHER_CTX_free(ctx);
}

static void test_without_key(const char *mode)
{
    EVP_CIPHER_CTX *ctx = empty(name_of(mode), 1);

    test_case("without a key, %s", mode);
    (void)CHECK_FAILS(update(ctx, out, text, 32), "no key set");
    (void)CHECK_FAILS(final(ctx, out), "no key set");
    (void)CHECK(init(ctx, NULL, zeros, 1) == 1);
    (void)CHECK_FAILS(update(ctx, out, text, 32), "no key set");
    EVP_CIPHER_CTX_free(ctx);
}

static void test_without_iv(const char *mode)
{
    EVP_CIPHER_CTX *ctx = empty(name_of(mode), 1);

    test_case("without an IV, %s", mode);
    if (EVP_CIPHER_CTX_get_iv_length(ctx) != 0) {
        (void)CHECK(init(ctx, text, NULL, 1) == 1);
        (void)CHECK_FAILS(update(ctx, out, text, 32), "invalid iv length");
        (void)CHECK(init(ctx, NULL, zeros, 1) == 1);
        (void)CHECK(update(ctx, out, text, 32) == 1);
    }
    EVP_CIPHER_CTX_free(ctx);
}

static void test_iv_bytes(const char *mode, size_t first, size_t last)
{
    EVP_CIPHER_CTX *ctx = empty(name_of(mode), 1);

    test_case("IV length, %s", mode);
    (void)CHECK_FAILS(set_iv_bytes(ctx, first - 1), "invalid iv length");
    (void)CHECK_FAILS(set_iv_bytes(ctx, last + 1), "invalid iv length");
    (void)CHECK(set_iv_bytes(ctx, first) == 1);
    (void)CHECK(EVP_CIPHER_CTX_get_iv_length(ctx) == (int)first);
    (void)CHECK(set_iv_bytes(ctx, last) == 1);
    (void)CHECK(init(ctx, text, zeros, 1) == 1);
    (void)CHECK(set_iv_bytes(ctx, first) == 1);
    (void)CHECK_FAILS(update(ctx, out, text, 32), "invalid iv length");
    EVP_CIPHER_CTX_free(ctx);
}

/* In the middle of a message: it cannot go on, and the next one has an IV of that length. */
static void test_late_iv_bytes(const char *mode, size_t n_bytes)
{
    EVP_CIPHER_CTX *ctx = begin(name_of(mode), true, text, NULL);
    const OSSL_PARAM params[] = {OSSL_PARAM_construct_size_t(OSSL_CIPHER_PARAM_IVLEN, &n_bytes),
                                 OSSL_PARAM_construct_end()};
    const size_t first_bytes = (size_t)EVP_CIPHER_CTX_get_iv_length(ctx);

    test_case("late IV length, %s", mode);
    (void)CHECK(update(ctx, NULL, text, 5) == 1);
    (void)CHECK(set_iv_bytes(ctx, first_bytes) == 1);
    (void)CHECK(set_iv_bytes(ctx, n_bytes) == 1);
    memset(out, 0x55, sizeof out);
    (void)CHECK_FAILS(update(ctx, out, text, 32), "invalid iv length");
    (void)CHECK_FAILS(final(ctx, out), "invalid iv length");
    (void)CHECK(all_bytes_are(out, sizeof out, 0x55));
    (void)CHECK(set_iv_bytes(ctx, first_bytes) == 1 && init(ctx, NULL, zeros, 1) == 1);
    (void)CHECK(update(ctx, NULL, text, 5) == 1); /* given up */
    (void)CHECK(EVP_CipherInit_ex2(ctx, NULL, NULL, text, 1, params) == 1);
    (void)CHECK(update(ctx, out, text, 32) == 1 && final(ctx, out + 32) == 1);
    EVP_CIPHER_CTX_free(ctx);
}

/* The old control does not let a length of 0 through. */
static void test_iv_of_no_bytes(void)
{
    size_t none = 0;
    const OSSL_PARAM params[] = {OSSL_PARAM_construct_size_t(OSSL_CIPHER_PARAM_IVLEN, &none),
                                 OSSL_PARAM_construct_end()};
    EVP_CIPHER_CTX *ctx = empty("TWOFISH-128-GCM", 1);

    test_case("IV of no bytes");
    (void)CHECK_FAILS(EVP_CIPHER_CTX_set_params(ctx, params), "invalid iv length");
    EVP_CIPHER_CTX_free(ctx);
}

static void test_long_ivs(const char *mode, size_t last)
{
    EVP_CIPHER_CTX *ctx = empty(name_of(mode), 1);

    test_case("long IV, %s", mode);
    (void)CHECK(set_iv_bytes(ctx, last) == 1);
    (void)CHECK_FAILS(set_iv_bytes(ctx, last + 1), "invalid iv length");
    (void)CHECK(EVP_CIPHER_CTX_get_iv_length(ctx) == (int)last);
    EVP_CIPHER_CTX_free(ctx);
}

static void test_equal_halves(void)
{
    EVP_CIPHER_CTX *ctx = empty("TWOFISH-256-XTS", 1);
    unsigned char key[64] = {1};

    test_case("equal halves of an XTS key");
    (void)CHECK_FAILS(init(ctx, zeros, zeros, 1), "xts duplicated keys");
    (void)CHECK_FAILS(update(ctx, out, text, 32), "operation not initialized");
    (void)CHECK(init(ctx, zeros, zeros, 0) == 1);
    (void)CHECK(update(ctx, out, text, 32) == 1);
    (void)CHECK_FAILS(init(ctx, NULL, NULL, 1), "xts duplicated keys");
    (void)CHECK(init(ctx, key, zeros, 1) == 1);
    (void)CHECK(update(ctx, out, text, 32) == 1);
    EVP_CIPHER_CTX_free(ctx);
}

/* --- the order of calls ----------------------------------------------------------------------- */

static void test_after_final(const char *mode)
{
    unsigned char key[64] = {7};
    EVP_CIPHER_CTX *ctx = begin(name_of(mode), true, key, NULL);

    test_case("after final, %s", mode);
    (void)CHECK(update(ctx, out, text, 32) == 1);
    (void)CHECK(final(ctx, out + 32) == 1);
    (void)CHECK_FAILS(update(ctx, out, text, 32), "invalid state");
    (void)CHECK_FAILS(final(ctx, out), "invalid state");
    (void)CHECK(init(ctx, NULL, zeros, 1) == 1);
    (void)CHECK(update(ctx, again, text, 32) == 1);
    (void)CHECK(final(ctx, again + 32) == 1);
    (void)CHECK_BYTES(again, out, 32);
    EVP_CIPHER_CTX_free(ctx);
}

/* A message of which all is new; its tag is behind its text. */
static void encrypt_anew(EVP_CIPHER_CTX *ctx, bool aead, size_t n_bytes, unsigned char result[80])
{
    const unsigned char *key = text + 64, *iv = text + 128;
    const size_t tag_bytes = EVP_CIPHER_CTX_get_mode(ctx) == EVP_CIPH_CCM_MODE ? 12 : 16;
    int n = 0, n_last = 0;

    memset(result, 0, 80);
    (void)CHECK(init(ctx, key, EVP_CIPHER_CTX_get_iv_length(ctx) == 0 ? NULL : iv, 1) == 1);
    (void)CHECK(!aead || update(ctx, NULL, text, 7) == 1);
    (void)CHECK(EVP_CipherUpdate(ctx, result, &n, text, (int)n_bytes) == 1);
    (void)CHECK(EVP_CipherFinal_ex(ctx, result + n, &n_last) == 1);
    (void)CHECK(!aead || get_tag(ctx, result + 64, tag_bytes) == 1);
}

/* A context keeps no trace of another key, or of a message that was given up. */
static void test_reuse(const char *mode, bool aead)
{
    EVP_CIPHER_CTX *used = begin(name_of(mode), true, text, text), *fresh = empty(name_of(mode), 1);
    const size_t n_bytes = odd_bytes(mode);
    unsigned char a[80], b[80];

    test_case("a context again, %s", mode);
    (void)CHECK(!aead || update(used, NULL, text, 20) == 1);
    encrypt_anew(used, aead, n_bytes, a);
    (void)CHECK(init(used, text, text, 1) == 1);
    (void)CHECK(!aead || update(used, NULL, text, 20) == 1);
    (void)CHECK(update(used, out, text, n_bytes) == 1);
    encrypt_anew(used, aead, n_bytes, a);
    encrypt_anew(fresh, aead, n_bytes, b);
    (void)CHECK_BYTES(a, b, sizeof a);
    EVP_CIPHER_CTX_free(used);
    EVP_CIPHER_CTX_free(fresh);
}

/* Without a new IV: CBC, CFB and OFB begin with the old one, as OpenSSL's own; CTR goes on behind
 * what it has used; authenticated modes refuse. */
static void test_again(const char *mode)
{
    EVP_CIPHER_CTX *ctx = begin(name_of(mode), true, NULL, NULL);

    test_case("again with the IV before, %s", mode);
    (void)CHECK(update(ctx, out, text, 48) == 1);
    (void)CHECK(init(ctx, NULL, NULL, 1) == 1);
    (void)CHECK(update(ctx, again, text, 48) == 1);
    (void)CHECK_BYTES(again, out, 32);
    EVP_CIPHER_CTX_free(ctx);
}

static void test_again_ctr(void)
{
    EVP_CIPHER_CTX *ctx = begin("TWOFISH-256-CTR", true, NULL, NULL);

    test_case("again with the IV before, CTR");
    (void)CHECK(update(ctx, out, text, 64) == 1);
    (void)CHECK(init(ctx, NULL, zeros, 1) == 1);
    (void)CHECK(update(ctx, again, text, 17) == 1);
    (void)CHECK(init(ctx, NULL, NULL, 1) == 1);
    (void)CHECK(update(ctx, again + 32, text + 32, 32) == 1);
    (void)CHECK_BYTES(again + 32, out + 32, 32);
    EVP_CIPHER_CTX_free(ctx);
}

static void test_iv_twice(const char *mode)
{
    EVP_CIPHER_CTX *ctx = begin(name_of(mode), true, NULL, NULL);

    test_case("an IV twice, %s", mode);
    (void)CHECK(update(ctx, out, text, 32) == 1);
    (void)CHECK(final(ctx, out + 32) == 1);
    (void)CHECK(init(ctx, NULL, NULL, 1) == 1);
    (void)CHECK_FAILS(update(ctx, out, text, 32), "invalid iv length");
    (void)CHECK(init(ctx, NULL, zeros, 1) == 1);
    (void)CHECK(update(ctx, out, text, 32) == 1);
    (void)CHECK(init(ctx, text, NULL, 1) == 1); /* another key does not make it new */
    (void)CHECK_FAILS(update(ctx, out, text, 32), "invalid iv length");
    EVP_CIPHER_CTX_free(ctx);
}

static void test_late_aad(const char *mode, const char *reason)
{
    EVP_CIPHER_CTX *ctx = begin(name_of(mode), true, NULL, NULL);

    test_case("associated data behind the text, %s", mode);
    (void)CHECK(update(ctx, out, text, 32) == 1);
    (void)CHECK_FAILS(update(ctx, NULL, text, 3), reason);
    EVP_CIPHER_CTX_free(ctx);
}

static void test_no_aad(void)
{
    EVP_CIPHER_CTX *ctx = begin("TWOFISH-256-CBC", true, NULL, NULL);

    test_case("associated data where there are none");
    (void)CHECK_FAILS(update(ctx, NULL, text, 3), "invalid aad");
    (void)CHECK_FAILS(update(ctx, out, NULL, 3), "passed a null parameter");
    (void)CHECK(update(ctx, out, NULL, 0) == 1);
    EVP_CIPHER_CTX_free(ctx);
}

static void test_one_call(const char *mode)
{
    unsigned char key[64] = {7};
    EVP_CIPHER_CTX *ctx = begin(name_of(mode), true, key, NULL);

    test_case("a second call, %s", mode);
    (void)CHECK(update(ctx, out, text, 32) == 1);
    (void)CHECK_FAILS(update(ctx, out, text, 32), "only oneshot supported");
    EVP_CIPHER_CTX_free(ctx);
}

static void test_announced(void)
{
    EVP_CIPHER_CTX *ctx = begin("TWOFISH-256-CCM", true, NULL, NULL);

    test_case("another length than announced");
    (void)CHECK(update(ctx, NULL, NULL, 31) == 1);
    (void)CHECK(update(ctx, NULL, text, 5) == 1);
    (void)CHECK_FAILS(update(ctx, NULL, text, 5), "only oneshot supported");
    (void)CHECK_FAILS(update(ctx, out, text, 32), "invalid length");
    (void)CHECK(update(ctx, out, text, 31) == 1);
    EVP_CIPHER_CTX_free(ctx);
}

static void test_many_strings(void)
{
    EVP_CIPHER_CTX *ctx = begin("TWOFISH-128-SIV", true, NULL, NULL);

    test_case("too many strings");
    for (int i = 0; i < 126; i++) {
        (void)CHECK(update(ctx, NULL, text, (size_t)i) == 1);
    }
    (void)CHECK_FAILS(update(ctx, NULL, text, 5), "only oneshot supported");
    EVP_CIPHER_CTX_free(ctx);
}

/* --- lengths and overlap ---------------------------------------------------------------------- */

static void test_xts_lengths(void)
{
    unsigned char key[64] = {7};
    EVP_CIPHER_CTX *ctx = begin("TWOFISH-256-XTS", true, key, NULL);
    unsigned char *large = OPENSSL_zalloc(MAX_XTS_BYTES + 16);

    test_case("lengths of data units");
    (void)CHECK_FAILS(update(ctx, out, text, 15), "invalid length");
    (void)CHECK_FAILS(update(ctx, large, large, MAX_XTS_BYTES + 1), "length too large");
    (void)CHECK(update(ctx, large, large, MAX_XTS_BYTES) == 1);
    EVP_CIPHER_CTX_free(ctx);
    OPENSSL_free(large);
}

static void test_lrw_lengths(void)
{
    EVP_CIPHER_CTX *ctx = begin("TWOFISH-320-LRW", true, NULL, NULL);

    test_case("parts of blocks, LRW");
    memset(out, 0x55, sizeof out);
    (void)CHECK_FAILS(update(ctx, out, text, 15), "invalid length");
    (void)CHECK_FAILS(update(ctx, out, text, 33), "invalid length");
    (void)CHECK(all_bytes_are(out, sizeof out, 0x55));
    (void)CHECK(update(ctx, out, text, 0) == 1);
    (void)CHECK(update(ctx, out, text, 48) == 1);
    EVP_CIPHER_CTX_free(ctx);
}

/* Lengths in bits: refused, also by a copy, as long as the caller wants them. */
static void test_bits(void)
{
    EVP_CIPHER_CTX *ctx = begin("TWOFISH-256-CFB1", true, NULL, NULL), *copy = EVP_CIPHER_CTX_new();

    test_case("lengths in bits");
    memset(out, 0x55, sizeof out);
    EVP_CIPHER_CTX_set_flags(ctx, EVP_CIPH_FLAG_LENGTH_BITS);
    (void)CHECK_FAILS(update(ctx, out, text, 16), "invalid length");
    (void)CHECK_FAILS(EVP_Cipher(ctx, out, text, 16) == 16, "invalid length");
    (void)CHECK(EVP_CIPHER_CTX_copy(copy, ctx) == 1);
    (void)CHECK_FAILS(update(copy, out, text, 16), "invalid length");
    (void)CHECK(init(ctx, NULL, zeros, 1) == 1);
    (void)CHECK_FAILS(update(ctx, out, text, 16), "invalid length");
    (void)CHECK(all_bytes_are(out, sizeof out, 0x55));
    EVP_CIPHER_CTX_clear_flags(ctx, EVP_CIPH_FLAG_LENGTH_BITS);
    (void)CHECK(update(ctx, out, text, 16) == 1);
    EVP_CIPHER_CTX_free(copy);
    EVP_CIPHER_CTX_free(ctx);
}

/* Other modes take bytes whatever the flag says, as OpenSSL's own. */
static void test_bytes_despite_flag(const char *mode)
{
    EVP_CIPHER_CTX *ctx = begin(name_of(mode), true, NULL, NULL);

    test_case("a flag for CFB1 alone, %s", mode);
    EVP_CIPHER_CTX_set_flags(ctx, EVP_CIPH_FLAG_LENGTH_BITS);
    (void)CHECK(update(ctx, out, text, 16) == 1);
    EVP_CIPHER_CTX_free(ctx);
}

static void test_overlap(const char *mode, bool encrypt, size_t before)
{
    static unsigned char bytes[256];
    EVP_CIPHER_CTX *ctx = begin(name_of(mode), encrypt, NULL, NULL);
    unsigned char was[sizeof bytes];

    test_case("overlap, %s, %s, %zu bytes before", mode, encrypt ? "encrypt" : "decrypt", before);
    memcpy(bytes, text, sizeof bytes);
    memcpy(was, bytes, sizeof bytes);
    (void)CHECK(before == 0 || update(ctx, out, text, before) == 1);
    (void)CHECK_FAILS(update(ctx, bytes + 1, bytes, 64), "partially overlapping buffers");
    (void)CHECK_FAILS(update(ctx, bytes, bytes + 1, 64), "partially overlapping buffers");
    if (before != 0) {
        (void)CHECK_FAILS(update(ctx, bytes, bytes, 64), "partially overlapping buffers");
    }
    (void)CHECK_BYTES(bytes, was, sizeof bytes);
    (void)CHECK(update(ctx, bytes, bytes + before, 64) == 1);
    EVP_CIPHER_CTX_free(ctx);

    ctx = begin(name_of(mode), encrypt, NULL, NULL);
    (void)CHECK(before == 0 || update(ctx, out, text, before) == 1);
    (void)CHECK(update(ctx, again, was + before, 64) == 1);
    (void)CHECK_BYTES(again, bytes, 48);
    EVP_CIPHER_CTX_free(ctx);
}

/* --- padding ---------------------------------------------------------------------------------- */

static void test_padding(const char *mode)
{
    EVP_CIPHER_CTX *ctx = begin(name_of(mode), false, NULL, NULL);

    test_case("padding, %s", mode);
    memset(again, 0x55, sizeof again);
    memcpy(out, again, sizeof out);
    (void)CHECK(update(ctx, again, zeros, 16) == 1); /* kept */
    (void)CHECK_FAILS(final(ctx, again), "bad decrypt");
    (void)CHECK_BYTES(again, out, sizeof out);
    (void)CHECK_FAILS(update(ctx, again, zeros, 16), "invalid state");
    (void)CHECK(init(ctx, NULL, NULL, 0) == 1);
    (void)CHECK(update(ctx, again, zeros, 17) == 1);
    (void)CHECK_FAILS(final(ctx, again), "wrong final block length");
    (void)CHECK(init(ctx, NULL, NULL, 0) == 1);
    (void)CHECK_FAILS(final(ctx, again), "wrong final block length");
    EVP_CIPHER_CTX_free(ctx);
}

/* Final writes what belongs to the text and nothing behind it. */
static void test_last_bytes(const char *mode)
{
    EVP_CIPHER_CTX *ctx = begin(name_of(mode), true, NULL, NULL);
    int n = 0;

    test_case("the last bytes, %s", mode);
    (void)CHECK(update(ctx, out, text, 21) == 1 && final(ctx, out + 16) == 1);
    (void)CHECK(init(ctx, NULL, zeros, 0) == 1);
    memset(again, 0x55, sizeof again);
    (void)CHECK(update(ctx, again, out, 32) == 1);
    (void)CHECK(EVP_CipherFinal_ex(ctx, again + 16, &n) == 1 && n == 5);
    (void)CHECK_BYTES(again, text, 21);
    (void)CHECK(all_bytes_are(again + 21, sizeof again - 21, 0x55));
    EVP_CIPHER_CTX_free(ctx);
}

static void test_no_padding(const char *mode)
{
    EVP_CIPHER_CTX *ctx = begin(name_of(mode), true, NULL, NULL);
    int n = -1;

    test_case("no padding, %s", mode);
    (void)CHECK(EVP_CIPHER_CTX_set_padding(ctx, 0) == 1);
    (void)CHECK(update(ctx, out, text, 17) == 1);
    (void)CHECK_FAILS(final(ctx, out + 16), "wrong final block length");
    (void)CHECK(init(ctx, NULL, NULL, 1) == 1);
    (void)CHECK(update(ctx, out, text, 32) == 1);
    (void)CHECK(EVP_CipherFinal_ex(ctx, out + 32, &n) == 1 && n == 0);
    EVP_CIPHER_CTX_free(ctx);
}

/* Decryption has kept a block for the padding. */
static void test_late_no_padding(const char *mode, size_t n_bytes)
{
    EVP_CIPHER_CTX *ctx = begin(name_of(mode), true, NULL, NULL);
    int n = -1;

    test_case("no padding from the end on, %s, %zu bytes", mode, n_bytes);
    (void)CHECK(EVP_CIPHER_CTX_set_padding(ctx, 0) == 1 && update(ctx, out, text, 32) == 1);
    (void)CHECK(init(ctx, NULL, NULL, 0) == 1 && EVP_CIPHER_CTX_set_padding(ctx, 1) == 1);
    memset(again, 0x55, sizeof again);
    (void)CHECK(update(ctx, again, out, n_bytes) == 1);
    (void)CHECK(EVP_CIPHER_CTX_set_padding(ctx, 0) == 1);
    if (n_bytes == 32) {
        (void)CHECK(EVP_CipherFinal_ex(ctx, again + 16, &n) == 1 && n == 16);
        (void)CHECK_BYTES(again, text, 32);
    } else {
        (void)CHECK_FAILS(EVP_CipherFinal_ex(ctx, again + 16, &n), "wrong final block length");
        (void)CHECK(n == 0);
    }
    (void)CHECK(all_bytes_are(again + n_bytes / 16 * 16, 64, 0x55));
    EVP_CIPHER_CTX_free(ctx);
}

/* --- tags ------------------------------------------------------------------------------------- */

static void test_tag_lengths(const char *mode, const unsigned char allowed[17])
{
    test_case("tag lengths, %s", mode);
    for (size_t n = 1; n <= 32; n++) {
        EVP_CIPHER_CTX *ctx = empty(name_of(mode), 0);

        if (n < 17 && allowed[n] != 0) {
            (void)CHECK(set_tag(ctx, text, n) == 1);
        } else {
            (void)CHECK_FAILS(set_tag(ctx, text, n), "invalid tag length");
        }
        EVP_CIPHER_CTX_free(ctx);
    }
}

static void test_tag_direction(const char *mode)
{
    EVP_CIPHER_CTX *ctx = begin(name_of(mode), true, text, NULL);
    const size_t n = strcmp(mode, "CCM") == 0 ? 12 : 16;

    test_case("tags and directions, %s", mode);
    (void)CHECK_FAILS(set_tag(ctx, text, n), "tag not needed");
    (void)CHECK_FAILS(get_tag(ctx, out, n), "tag not needed");
    (void)CHECK(update(ctx, out, text, 32) == 1);
    (void)CHECK(final(ctx, out + 32) == 1);
    (void)CHECK_FAILS(get_tag(ctx, again, 3), "invalid tag length");
    (void)CHECK(get_tag(ctx, again, n) == 1);
    (void)CHECK(init(ctx, NULL, zeros, 0) == 1);
    (void)CHECK_FAILS(get_tag(ctx, again, n), "tag not needed");
    EVP_CIPHER_CTX_free(ctx);
}

/* A length that is set behind the text is for the next message. */
static void test_late_tag_bytes(bool before_final)
{
    EVP_CIPHER_CTX *ctx = begin("TWOFISH-256-CCM", true, text, NULL);

    test_case("late tag length, %s final", before_final ? "before" : "behind");
    (void)CHECK(update(ctx, out, text, 32) == 1);
    (void)CHECK(!before_final || set_tag(ctx, NULL, 16) == 1);
    (void)CHECK(final(ctx, out + 32) == 1);
    (void)CHECK(before_final || set_tag(ctx, NULL, 16) == 1);
    (void)CHECK_FAILS(get_tag(ctx, again, 16), "invalid tag length");
    (void)CHECK(get_tag(ctx, again, 12) == 1);
    (void)CHECK(init(ctx, NULL, zeros, 1) == 1);
    (void)CHECK(update(ctx, out, text, 32) == 1 && final(ctx, out + 32) == 1);
    (void)CHECK_FAILS(get_tag(ctx, again, 12), "invalid tag length");
    (void)CHECK(get_tag(ctx, again, 16) == 1);
    EVP_CIPHER_CTX_free(ctx);
}

/* A shorter tag of GCM is the beginning of the longest. */
static void test_short_tag(void)
{
    EVP_CIPHER_CTX *ctx = begin("TWOFISH-256-GCM", true, text, NULL);

    test_case("a short tag of GCM");
    (void)CHECK(update(ctx, out, text, 32) == 1 && final(ctx, out + 32) == 1);
    (void)CHECK(set_tag(ctx, NULL, 12) == 1 && get_tag(ctx, again, 12) == 1);
    (void)CHECK(get_tag(ctx, again + 16, 16) == 1);
    (void)CHECK_BYTES(again, again + 16, 12);
    EVP_CIPHER_CTX_free(ctx);
}

/* Bytes of a tag are not completed by others that happen to be there. */
static void test_longer_tag(const char *mode)
{
    EVP_CIPHER_CTX *ctx = begin(name_of(mode), false, text, NULL);

    test_case("a tag and then another length, %s", mode);
    (void)CHECK(set_tag(ctx, text, 12) == 1 && set_tag(ctx, NULL, 16) == 1);
    (void)CHECK_FAILS(final(ctx, out), "tag not set");
    EVP_CIPHER_CTX_free(ctx);
}

/* A tag of an encryption is none that the caller has set. */
static void test_no_tag(const char *mode, bool whole)
{
    EVP_CIPHER_CTX *ctx = begin(name_of(mode), true, text, NULL);

    test_case("no tag, %s", mode);
    (void)CHECK(update(ctx, out, text, 32) == 1);
    (void)CHECK(final(ctx, out + 32) == 1);
    (void)CHECK(init(ctx, NULL, zeros, 0) == 1);
    if (whole) {
        (void)CHECK_FAILS(update(ctx, again, out, 32), "tag not set");
    } else {
        (void)CHECK(update(ctx, again, out, 32) == 1);
    }
    (void)CHECK_FAILS(final(ctx, again + 32), "tag not set");
    EVP_CIPHER_CTX_free(ctx);
}

/* A tag serves one message. */
static void test_tag_again(const char *mode, bool whole)
{
    EVP_CIPHER_CTX *ctx = begin(name_of(mode), true, text, NULL);
    const size_t n = strcmp(mode, "CCM") == 0 ? 12 : 16;
    unsigned char tag[16];

    test_case("a tag again, %s", mode);
    (void)CHECK(update(ctx, out, text, 32) == 1 && final(ctx, out + 32) == 1);
    (void)CHECK(get_tag(ctx, tag, n) == 1);
    (void)CHECK(init(ctx, NULL, zeros, 0) == 1 && set_tag(ctx, tag, n) == 1);
    (void)CHECK(update(ctx, again, out, 32) == 1 && final(ctx, again + 32) == 1);
    (void)CHECK_BYTES(again, text, 32);
    (void)CHECK(init(ctx, NULL, zeros, 0) == 1);
    if (whole) {
        (void)CHECK_FAILS(update(ctx, again, out, 32), "tag not set");
    }
    (void)CHECK_FAILS(final(ctx, again), "tag not set");
    EVP_CIPHER_CTX_free(ctx);
}

/* Where the text comes in one call nothing of it is released; and a wrong tag ends the message. */
static void test_wrong_tag(const char *mode, bool whole, size_t n_bytes)
{
    EVP_CIPHER_CTX *ctx = begin(name_of(mode), false, text, NULL);
    const size_t n = strcmp(mode, "CCM") == 0 ? 12 : 16;

    test_case("wrong tag, %s, %zu bytes", mode, n_bytes);
    memset(again, 0x55, sizeof again);
    (void)CHECK(set_tag(ctx, text, n) == 1);
    if (whole) {
        (void)CHECK_FAILS(update(ctx, again, out, n_bytes), "invalid tag");
        (void)CHECK(all_bytes_are(again, n_bytes, 0));
    } else {
        (void)CHECK(update(ctx, again, out, n_bytes) == 1);
        (void)CHECK_FAILS(final(ctx, again), "invalid tag");
    }
    (void)CHECK_FAILS(final(ctx, again), "invalid state");
    EVP_CIPHER_CTX_free(ctx);
}

static void test_tags(void)
{
    static const unsigned char gcm[17] = {
        [4] = 1, [8] = 1, [12] = 1, [13] = 1, [14] = 1, [15] = 1, [16] = 1};
    static const unsigned char ccm[17] = {
        [4] = 1, [6] = 1, [8] = 1, [10] = 1, [12] = 1, [14] = 1, [16] = 1};
    static const unsigned char only_16[17] = {[16] = 1};

    test_tag_lengths("GCM", gcm);
    test_tag_lengths("OCB", only_16);
    test_tag_lengths("CCM", ccm);
    test_tag_lengths("SIV", only_16);
    test_late_tag_bytes(true);
    test_late_tag_bytes(false);
    test_short_tag();
    test_longer_tag("GCM");
    test_longer_tag("CCM");
    for (size_t i = FIRST_AEAD; i < N_MODES; i++) {
        const bool whole = i >= FIRST_WHOLE_AEAD;

        test_tag_direction(all_modes[i]);
        test_no_tag(all_modes[i], whole);
        test_tag_again(all_modes[i], whole);
        test_wrong_tag(all_modes[i], whole, 33);
        test_wrong_tag(all_modes[i], whole, 0);
    }
}

/* --- what can be asked of a context ----------------------------------------------------------- */

/* A stream is taken up with the updated IV, at any place that a block ends at. */
static void test_updated_iv(const char *mode, bool encrypt)
{
    unsigned char iv[16] = {0xff, 0xff, 0xff, [15] = 0xfe};

    test_case("updated IV, %s, %s", mode, encrypt ? "encrypt" : "decrypt");
    for (size_t at = 0; at <= 96; at += 16) {
        EVP_CIPHER_CTX *ctx = begin(name_of(mode), encrypt, NULL, iv), *next;
        unsigned char updated[16], original[16];

        (void)CHECK(EVP_CIPHER_CTX_set_padding(ctx, 0) == 1);
        (void)CHECK(update(ctx, out, text, at) == 1);
        (void)CHECK(EVP_CIPHER_CTX_get_updated_iv(ctx, updated, sizeof updated) == 1);
        (void)CHECK(EVP_CIPHER_CTX_get_original_iv(ctx, original, sizeof original) == 1);
        (void)CHECK_BYTES(original, iv, sizeof iv);
        (void)CHECK(update(ctx, out + at, text + at, 128 - at) == 1);
        next = begin(name_of(mode), encrypt, NULL, updated);
        (void)CHECK(EVP_CIPHER_CTX_set_padding(next, 0) == 1);
        (void)CHECK(update(next, again, text + at, 128 - at) == 1);
        (void)CHECK_BYTES(again, out + at, 128 - at);
        EVP_CIPHER_CTX_free(ctx);
        EVP_CIPHER_CTX_free(next);
    }
}

/* As OpenSSL's AES has it, whose state is the same: what is left of the key stream, or the
 * counter. */
static void test_like_aes(const char *mode)
{
    EVP_CIPHER_CTX *ours = begin(name_of(mode), true, NULL, NULL), *aes = EVP_CIPHER_CTX_new();
    unsigned char a[16], b[16];
    char name[32] = "AES-256-";

    test_case("num and updated IV as of AES, %s", mode);
    memcpy(name + 8, mode, strlen(mode) + 1);
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, name, NULL);
    (void)CHECK(EVP_CipherInit_ex2(aes, cipher, zeros, zeros, 1, NULL) == 1);
    for (int i = 0; i < 40; i++) {
        const size_t n = random_below(23);

        (void)CHECK(update(ours, out, text, n) == 1 && update(aes, again, text, n) == 1);
        (void)CHECK(EVP_CIPHER_CTX_get_num(ours) == EVP_CIPHER_CTX_get_num(aes));
        (void)CHECK(EVP_CIPHER_CTX_get_updated_iv(ours, a, sizeof a) == 1);
        (void)CHECK(EVP_CIPHER_CTX_get_updated_iv(aes, b, sizeof b) == 1);
        if (strcmp(mode, "CTR") == 0) {
            (void)CHECK_BYTES(a, b, sizeof a);
        }
    }
    (void)CHECK_FAILS(EVP_CIPHER_CTX_set_num(ours, 99), "cannot set parameters");
    EVP_CIPHER_free(cipher);
    EVP_CIPHER_CTX_free(ours);
    EVP_CIPHER_CTX_free(aes);
}

/* Within a block the updated IV holds the key stream that is left. */
static void test_rest_of_key_stream(const char *mode)
{
    test_case("updated IV within a block, %s", mode);
    for (size_t at = 1; at < 16; at++) {
        EVP_CIPHER_CTX *ctx = begin(name_of(mode), true, text, text);
        unsigned char updated[16];

        (void)CHECK(update(ctx, out, text, 16 + at) == 1);
        (void)CHECK(EVP_CIPHER_CTX_get_updated_iv(ctx, updated, sizeof updated) == 1);
        (void)CHECK(EVP_CIPHER_CTX_get_num(ctx) == (int)at);
        (void)CHECK(update(ctx, again, zeros, 16 - at) == 1);
        (void)CHECK_BYTES(updated + at, again, 16 - at);
        EVP_CIPHER_CTX_free(ctx);
    }
}

static void test_parameters(void)
{
    EVP_CIPHER_CTX *ctx = begin("TWOFISH-192-GCM", true, NULL, NULL);
    unsigned char word = 0;
    int number = -1;
    uint64_t large = 0;
    OSSL_PARAM wrong[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_CIPHER_PARAM_IVLEN, (char *)&word, 1),
        OSSL_PARAM_construct_end()};
    OSSL_PARAM negative[] = {OSSL_PARAM_construct_int(OSSL_CIPHER_PARAM_IVLEN, &number),
                             OSSL_PARAM_construct_end()};
    OSSL_PARAM right[] = {OSSL_PARAM_construct_uint64(OSSL_CIPHER_PARAM_KEYLEN, &large),
                          OSSL_PARAM_construct_int(OSSL_CIPHER_PARAM_IVLEN, &number),
                          OSSL_PARAM_construct_end()};

    test_case("parameters of the wrong type");
    (void)CHECK_FAILS(EVP_CIPHER_CTX_set_params(ctx, wrong), "cipher parameter error");
    (void)CHECK_FAILS(EVP_CIPHER_CTX_set_params(ctx, negative), "cipher parameter error");
    (void)CHECK_FAILS(EVP_CIPHER_CTX_get_params(ctx, wrong), "cipher parameter error");
    test_case("parameters of each size");
    (void)CHECK(EVP_CIPHER_CTX_get_params(ctx, right) == 1 && large == 24 && number == 12);
    EVP_CIPHER_CTX_free(ctx);
}

/* GCM refuses the controls of TLS: it makes no IV by itself. */
static void test_tls(void)
{
    static const int controls[] = {EVP_CTRL_GCM_SET_IV_FIXED, EVP_CTRL_GCM_IV_GEN,
                                   EVP_CTRL_GCM_SET_IV_INV, EVP_CTRL_AEAD_TLS1_AAD};
    EVP_CIPHER_CTX *ctx = begin("TWOFISH-128-GCM", true, NULL, NULL);

    for (size_t i = 0; i < sizeof controls / sizeof controls[0]; i++) {
        test_case("control %d of TLS", controls[i]);
        (void)CHECK_FAILS(EVP_CIPHER_CTX_ctrl(ctx, controls[i], 8, again) > 0,
                          "cipher parameter error");
    }
    EVP_CIPHER_CTX_free(ctx);
}

/* --- the provider ----------------------------------------------------------------------------- */

static void test_provider(void)
{
    OSSL_PROVIDER *provider = OSSL_PROVIDER_load(NULL, "manyfish");
    char *version = NULL;
    OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_ptr(OSSL_PROV_PARAM_VERSION, &version, 0),
                           OSSL_PARAM_construct_end()};

    test_case("version and self-test");
    (void)CHECK(OSSL_PROVIDER_get_params(provider, params) == 1);
    (void)CHECK(version != NULL && strcmp(version, MF_VERSION) == 0);
    (void)CHECK(OSSL_PROVIDER_self_test(provider) == 1);
    (void)CHECK(OSSL_PROVIDER_unload(provider) == 1);
}

/* ---------------------------------------------------------------------------------------------- */

static void test_keys_and_ivs(void)
{
    for (size_t i = 0; i < N_MODES; i++) {
        test_key_length(all_modes[i]);
        test_without_key(all_modes[i]);
        test_without_iv(all_modes[i]);
    }
    test_iv_bytes("CCM", 7, 13);
    test_late_iv_bytes("CCM", 13);
    test_late_iv_bytes("GCM", 16);
    test_late_iv_bytes("OCB", 15);
    test_iv_of_no_bytes();
    test_long_ivs("GCM", 128);
    test_long_ivs("OCB", 15);
    test_equal_halves();
}

static void test_order(void)
{
    for (size_t i = 0; i < N_MODES; i++) {
        test_after_final(all_modes[i]);
        test_reuse(all_modes[i], i >= FIRST_AEAD);
    }
    for (size_t i = FIRST_AEAD; i <= FIRST_WHOLE_AEAD; i++) {
        test_iv_twice(all_modes[i]);
    }
    test_again("CBC");
    test_again("CFB");
    test_again("CFB8");
    test_again("OFB");
    test_again("LRW");
    test_again_ctr();
    test_late_aad("GCM", "invalid state");
    test_late_aad("CCM", "invalid state");
    test_late_aad("SIV", "invalid state");
    test_no_aad();
    test_one_call("XTS");
    test_one_call("LRW");
    test_one_call("CCM");
    test_one_call("SIV");
    test_announced();
    test_many_strings();
}

static void test_lengths_and_overlap(void)
{
    test_xts_lengths();
    test_lrw_lengths();
    test_bits();
    test_bytes_despite_flag("CFB8");
    test_bytes_despite_flag("CTR");
    for (size_t before = 0; before < 16; before += 5) {
        test_overlap("CBC", true, before);
        test_overlap("CBC", false, before);
        test_overlap("OCB", true, before);
    }
    test_overlap("CTR", true, 0);
    test_overlap("LRW", true, 0);
    test_overlap("LRW", false, 0);
}

static void test_last_blocks(const char *mode)
{
    test_padding(mode);
    test_last_bytes(mode);
    test_no_padding(mode);
    test_late_no_padding(mode, 32);
    test_late_no_padding(mode, 31);
}

static void test_contexts(void)
{
    test_updated_iv("CBC", true);
    test_updated_iv("CBC", false);
    for (size_t i = 2; i < 7; i++) {
        test_updated_iv(all_modes[i], true);
        test_updated_iv(all_modes[i], false);
    }
    test_like_aes("CTR");
    test_like_aes("CFB");
    test_like_aes("CFB8");
    test_like_aes("OFB");
    test_rest_of_key_stream("CFB");
    test_rest_of_key_stream("OFB");
    test_parameters();
    test_tls();
}

int main(int argc, char **argv)
{
    if (argc != 2 || !load_provider(NULL, argv[1])) {
        ERR_print_errors_fp(stderr);
        return 1;
    }
    random_bytes(text, sizeof text);
    test_keys_and_ivs();
    test_order();
    test_lengths_and_overlap();
    test_last_blocks("ECB");
    test_last_blocks("CBC");
    test_tags();
    test_contexts();
    test_provider();
    return test_end();
}
