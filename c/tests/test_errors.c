/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Bad input: each status of common.h is provoked through each function that names it, one fault at
 * a time, and outputs must be untouched. Wrong tags, wrong padding: test_ocb.c, test_modes.c.
 */
#define _XOPEN_SOURCE 700 /* setenv */

#include "support.h"

#include <manyfish/aead.h>
#include <manyfish/des.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__unix__)
#include <sys/wait.h>
#include <unistd.h>
#endif

enum { BLOCK = MF_TWOFISH_BLOCK_BYTES, DATA = 10 * BLOCK };

static const unsigned char some_key[MF_TWOFISH_MAX_KEY_BYTES] = {1, 2, 3};
static const unsigned char some_block[BLOCK] = {4, 5, 6};
static mf_twofish ctx;
static mf_cipher cipher;

/* --- One table of all functions that turn in into out ----------------------------------------- */

typedef mf_status crypt_call(void *out, const void *in, size_t n_bytes);

static mf_cfb cfb;
static mf_ctr ctr;
static mf_ofb ofb;
static mf_ocb ocb;
static mf_xts xts;
static unsigned char iv[BLOCK];
static unsigned char tag[MF_OCB_TAG_BYTES];
static size_t out_bytes;

static mf_status twofish_encrypt(void *out, const void *in, size_t n_bytes)
{
    return mf_twofish_encrypt_blocks(&ctx, out, in, n_bytes / BLOCK);
}

static mf_status twofish_decrypt(void *out, const void *in, size_t n_bytes)
{
    return mf_twofish_decrypt_blocks(&ctx, out, in, n_bytes / BLOCK);
}

static mf_status ecb_encrypt(void *out, const void *in, size_t n_bytes)
{
    return mf_ecb_encrypt(&cipher, out, in, n_bytes);
}

static mf_status ecb_decrypt(void *out, const void *in, size_t n_bytes)
{
    return mf_ecb_decrypt(&cipher, out, in, n_bytes);
}

static mf_status cbc_encrypt(void *out, const void *in, size_t n_bytes)
{
    return mf_cbc_encrypt(&cipher, iv, out, in, n_bytes);
}

static mf_status cbc_decrypt(void *out, const void *in, size_t n_bytes)
{
    return mf_cbc_decrypt(&cipher, iv, out, in, n_bytes);
}

/* With one byte less, so that input and output both end in the same block. */
static mf_status cbc_encrypt_padded(void *out, const void *in, size_t n_bytes)
{
    return mf_cbc_encrypt_padded(&cipher, iv, out, n_bytes, &out_bytes, in, n_bytes - 1);
}

static mf_status cbc_decrypt_padded(void *out, const void *in, size_t n_bytes)
{
    return mf_cbc_decrypt_padded(&cipher, iv, out, n_bytes, &out_bytes, in, n_bytes);
}

static mf_status cts_encrypt(void *out, const void *in, size_t n_bytes)
{
    return mf_cts_encrypt(&cipher, MF_CTS_CS3, iv, out, in, n_bytes);
}

static mf_status cts_decrypt(void *out, const void *in, size_t n_bytes)
{
    return mf_cts_decrypt(&cipher, MF_CTS_CS3, iv, out, in, n_bytes);
}

static mf_status cfb_encrypt(void *out, const void *in, size_t n_bytes)
{
    return mf_cfb_encrypt(&cfb, out, in, n_bytes);
}

static mf_status cfb_decrypt(void *out, const void *in, size_t n_bytes)
{
    return mf_cfb_decrypt(&cfb, out, in, n_bytes);
}

static mf_status ofb_crypt(void *out, const void *in, size_t n_bytes)
{
    return mf_ofb_crypt(&ofb, out, in, n_bytes);
}

static mf_status xts_encrypt(void *out, const void *in, size_t n_bytes)
{
    return mf_xts_encrypt(&xts, iv, out, in, n_bytes);
}

static mf_status xts_decrypt(void *out, const void *in, size_t n_bytes)
{
    return mf_xts_decrypt(&xts, iv, out, in, n_bytes);
}

static mf_status xts_encrypt_sectors(void *out, const void *in, size_t n_bytes)
{
    return mf_xts_encrypt_sectors(&xts, 5, BLOCK, out, in, n_bytes);
}

static mf_status xts_decrypt_sectors(void *out, const void *in, size_t n_bytes)
{
    return mf_xts_decrypt_sectors(&xts, 5, BLOCK, out, in, n_bytes);
}

static mf_status ctr_crypt(void *out, const void *in, size_t n_bytes)
{
    return mf_ctr_crypt(&ctr, out, in, n_bytes);
}

static mf_status ocb_encrypt(void *out, const void *in, size_t n_bytes)
{
    return mf_ocb_encrypt(&ocb, "nonce", 5, NULL, 0, out, in, n_bytes, tag);
}

static mf_status ocb_decrypt(void *out, const void *in, size_t n_bytes)
{
    return mf_ocb_decrypt(&ocb, "nonce", 5, NULL, 0, out, in, n_bytes, tag);
}

/* Not before a message has begun: with no key that is the status of start. */
static mf_status ocb_restart(void)
{
    return mf_ocb_start(&ocb, "nonce", 5);
}

static mf_status ocb_encrypt_update(void *out, const void *in, size_t n_bytes)
{
    const mf_status status = ocb_restart();

    return status != MF_OK ? status
                           : mf_ocb_encrypt_update(&ocb, out, n_bytes, &out_bytes, in, n_bytes);
}

static mf_status ocb_decrypt_update(void *out, const void *in, size_t n_bytes)
{
    const mf_status status = ocb_restart();

    return status != MF_OK ? status
                           : mf_ocb_decrypt_update(&ocb, out, n_bytes, &out_bytes, in, n_bytes);
}

static mf_status ocb_encrypt_finish(void *out, const void *in, size_t n_bytes)
{
    const mf_status status = ocb_restart();

    return status != MF_OK
               ? status
               : mf_ocb_encrypt_finish(&ocb, out, n_bytes, &out_bytes, in, n_bytes, tag);
}

static mf_status ocb_decrypt_finish(void *out, const void *in, size_t n_bytes)
{
    const mf_status status = ocb_restart();

    return status != MF_OK
               ? status
               : mf_ocb_decrypt_finish(&ocb, out, n_bytes, &out_bytes, in, n_bytes, tag);
}

typedef struct function {
    const char *name;
    crypt_call *call;
    bool whole_blocks; /* other lengths are MF_ERROR_LENGTH */
    bool checks_data;  /* random input may give MF_ERROR_TAG or MF_ERROR_PADDING */
} function;

static const function functions[] = {
    {"mf_twofish_encrypt_blocks", twofish_encrypt, false, false},
    {"mf_twofish_decrypt_blocks", twofish_decrypt, false, false},
    {"mf_ecb_encrypt", ecb_encrypt, true, false},
    {"mf_ecb_decrypt", ecb_decrypt, true, false},
    {"mf_cbc_encrypt", cbc_encrypt, true, false},
    {"mf_cbc_decrypt", cbc_decrypt, true, false},
    {"mf_cbc_encrypt_padded", cbc_encrypt_padded, false, false},
    {"mf_cbc_decrypt_padded", cbc_decrypt_padded, true, true},
    {"mf_cts_encrypt", cts_encrypt, false, false},
    {"mf_cts_decrypt", cts_decrypt, false, false},
    {"mf_cfb_encrypt", cfb_encrypt, false, false},
    {"mf_cfb_decrypt", cfb_decrypt, false, false},
    {"mf_ofb_crypt", ofb_crypt, false, false},
    {"mf_ctr_crypt", ctr_crypt, false, false},
    {"mf_xts_encrypt", xts_encrypt, false, false},
    {"mf_xts_decrypt", xts_decrypt, false, false},
    {"mf_xts_encrypt_sectors", xts_encrypt_sectors, true, false},
    {"mf_xts_decrypt_sectors", xts_decrypt_sectors, true, false},
    {"mf_ocb_encrypt", ocb_encrypt, false, false},
    {"mf_ocb_decrypt", ocb_decrypt, false, true},
    {"mf_ocb_encrypt_update", ocb_encrypt_update, false, false},
    {"mf_ocb_decrypt_update", ocb_decrypt_update, false, false},
    {"mf_ocb_encrypt_finish", ocb_encrypt_finish, false, false},
    {"mf_ocb_decrypt_finish", ocb_decrypt_finish, false, true},
};

enum { N_FUNCTIONS = sizeof functions / sizeof functions[0] };

static void set_up(void)
{
    cipher = twofish_cipher(&ctx, NULL, some_key, sizeof some_key);
    CHECK_STATUS(mf_cfb_init(&cfb, &cipher, some_block, 128), MF_OK);
    CHECK_STATUS(mf_ctr_init(&ctr, &cipher, some_block, 128), MF_OK);
    CHECK_STATUS(mf_ofb_init(&ofb, &cipher, some_block), MF_OK);
    CHECK_STATUS(mf_ocb_init(&ocb, &cipher), MF_OK);
    CHECK_STATUS(mf_xts_init(&xts, &cipher, &cipher), MF_OK);
    memcpy(iv, some_block, sizeof iv);
    out_bytes = 1;
}

/* The call gives this status and writes nothing: not to the buffer, nor to IV, tag or a stream. */
static void check_refused(const function *f, guarded *buffer, void *out, const void *in,
                          size_t n_bytes, mf_status expected)
{
    const unsigned char tag_before[MF_OCB_TAG_BYTES] = {7, 8, 9};
    unsigned char cfb_before[sizeof cfb], ctr_before[sizeof ctr], ofb_before[sizeof ofb];

    memcpy(tag, tag_before, sizeof tag);
    memcpy(cfb_before, &cfb, sizeof cfb);
    memcpy(ctr_before, &ctr, sizeof ctr);
    memcpy(ofb_before, &ofb, sizeof ofb);
    CHECK_STATUS(f->call(out, in, n_bytes), expected);
    CHECK(guarded_intact(buffer, buffer->bytes, 0));
    CHECK_BYTES(iv, some_block, sizeof iv);
    CHECK_BYTES(tag, tag_before, sizeof tag);
    CHECK_BYTES(&cfb, cfb_before, sizeof cfb);
    CHECK_BYTES(&ctr, ctr_before, sizeof ctr);
    CHECK_BYTES(&ofb, ofb_before, sizeof ofb);
    if (f->call == cbc_encrypt_padded || f->call == cbc_decrypt_padded) {
        CHECK(out_bytes == 0);
    }
}

static guarded buffer;

static void test_null(const function *f)
{
    unsigned char *data = guarded_place(&buffer, 0, NULL, 0);

    set_up();
    test_case("%s, output NULL", f->name);
    check_refused(f, &buffer, NULL, data, DATA, MF_ERROR_NULL);
    test_case("%s, input NULL", f->name);
    check_refused(f, &buffer, data, NULL, DATA, MF_ERROR_NULL);
}

static void test_lengths(const function *f)
{
    unsigned char *data = guarded_place(&buffer, 0, NULL, 0);

    if (f->whole_blocks) {
        set_up();
        for (size_t n_bytes = 1; n_bytes < DATA; n_bytes++) {
            if (n_bytes % BLOCK != 0) {
                test_case("%s, %zu bytes", f->name, n_bytes);
                check_refused(f, &buffer, data, data, n_bytes, MF_ERROR_LENGTH);
            }
        }
    }
}

/* The output starts this far from the input. */
static void check_distance(const function *f, ptrdiff_t distance)
{
    unsigned char *in = guarded_place(&buffer, 5, NULL, 0) + 2 * (size_t)DATA;
    unsigned char *out = in + distance;

    test_case("%s, output at %td from the input", f->name, distance);
    set_up();
    if (distance != 0 && distance > -DATA && distance < DATA) {
        check_refused(f, &buffer, out, in, DATA, MF_ERROR_OVERLAP);
    } else {
        const mf_status status = f->call(out, in, DATA);

        CHECK(status == MF_OK ||
              (f->checks_data && (status == MF_ERROR_TAG || status == MF_ERROR_PADDING)));
        CHECK(guarded_intact(&buffer, out, DATA));
    }
}

static void test_overlap(const function *f)
{
    for (ptrdiff_t distance = -DATA - 1; distance <= DATA + 1; distance++) {
        /* Padded encryption reads one byte less than it writes: not an overlap at this distance. */
        if (f->call != cbc_encrypt_padded || distance != DATA - 1) {
            check_distance(f, distance);
        }
    }
}

/* True of the functions whose mode has a context of its own, not just the cipher's. */
static bool has_context(const function *f)
{
    static const char *const modes[] = {"mf_cfb", "mf_ctr", "mf_ocb", "mf_ofb", "mf_xts"};

    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (strncmp(f->name, modes[i], strlen(modes[i])) == 0) {
            return true;
        }
    }
    return false;
}

static void test_no_key(const function *f)
{
    unsigned char *data = guarded_place(&buffer, 0, NULL, 0);

    test_case("%s, after the key was wiped", f->name);
    set_up();
    mf_twofish_wipe(&ctx);
    check_refused(f, &buffer, data, data, DATA, MF_ERROR_NO_KEY);

    test_case("%s, with contexts that were never initialised", f->name);
    memset(&ctx, 0, sizeof ctx);
    memset(&cfb, 0, sizeof cfb);
    memset(&ctr, 0, sizeof ctr);
    memset(&ofb, 0, sizeof ofb);
    memset(&ocb, 0, sizeof ocb);
    memset(&xts, 0, sizeof xts);
    check_refused(f, &buffer, data, data, DATA, MF_ERROR_NO_KEY);

    test_case("%s, after the mode was wiped", f->name);
    set_up();
    mf_cfb_wipe(&cfb);
    mf_ctr_wipe(&ctr);
    mf_ofb_wipe(&ofb);
    mf_ocb_wipe(&ocb);
    mf_xts_wipe(&xts);
    CHECK(all_bytes_are(&cfb, sizeof cfb, 0) && all_bytes_are(&ctr, sizeof ctr, 0));
    CHECK(all_bytes_are(&ofb, sizeof ofb, 0) && all_bytes_are(&ocb, sizeof ocb, 0));
    CHECK(all_bytes_are(&xts, sizeof xts, 0));
    if (has_context(f)) {
        check_refused(f, &buffer, data, data, DATA, MF_ERROR_NO_KEY);
    }
}

/* Nothing to do is done, with pointers or without. Padded CBC and the tags are never nothing, and
 * ciphertext stealing needs a block. */
static void test_nothing(const function *f)
{
    const bool takes_nothing = f->call != cbc_encrypt_padded && f->call != cbc_decrypt_padded &&
                               f->call != cts_encrypt && f->call != cts_decrypt &&
                               f->call != xts_encrypt && f->call != xts_decrypt && !f->checks_data;

    if (takes_nothing) {
        test_case("%s, nothing", f->name);
        set_up();
        CHECK_STATUS(f->call(NULL, NULL, 0), MF_OK);
    }
}

/* --- Keys ------------------------------------------------------------------------------------- */

static void check_no_key(void)
{
    unsigned char out[BLOCK];

    CHECK(mf_twofish_kernel_name(&ctx) == NULL);
    CHECK(all_bytes_are(&ctx, sizeof ctx, 0));
    CHECK_STATUS(mf_twofish_encrypt_blocks(&ctx, out, some_block, 1), MF_ERROR_NO_KEY);
}

static void test_key_lengths(const char *kernel)
{
    static const unsigned char long_key[100] = {1};

    for (size_t n_bytes = 0; n_bytes <= sizeof long_key; n_bytes++) {
        if (n_bytes != 16 && n_bytes != 24 && n_bytes != 32) {
            test_case("%s, key of %zu bytes", kernel, n_bytes);
            set_up();
            CHECK_STATUS(mf_twofish_init_kernel(&ctx, kernel, long_key, n_bytes),
                         MF_ERROR_KEY_LENGTH);
            check_no_key();
            set_up();
            CHECK_STATUS(mf_twofish_init(&ctx, long_key, n_bytes), MF_ERROR_KEY_LENGTH);
            check_no_key();
        }
    }
}

static void test_init_with(void)
{
    static const unsigned char long_key[33];

    test_case("init with a kernel, NULL");
    CHECK_STATUS(mf_twofish_init_with(NULL, &mf_twofish_zero, some_key, 16), MF_ERROR_NULL);
    set_up();
    CHECK_STATUS(mf_twofish_init_with(&ctx, NULL, some_key, 16), MF_ERROR_NULL);
    check_no_key();
    set_up();
    CHECK_STATUS(mf_twofish_init_with(&ctx, &mf_twofish_zero, NULL, 16), MF_ERROR_NULL);
    check_no_key();
    test_case("init with a kernel, key of another length");
    set_up();
    CHECK_STATUS(mf_twofish_init_with(&ctx, &mf_twofish_zero, long_key, 33), MF_ERROR_KEY_LENGTH);
    check_no_key();
    test_case("init with a kernel, key inside of the context");
    set_up();
    CHECK_STATUS(mf_twofish_init_with(&ctx, &mf_twofish_zero, &ctx, 16), MF_ERROR_OVERLAP);
    check_no_key();
}

static void check_memory_refused(void *memory, size_t n_bytes, const mf_twofish_kernel *kernel,
                                 const void *key, size_t key_bytes, mf_status expected)
{
    static unsigned char before[MF_TWOFISH_ZERO_MEMORY_BYTES];
    const mf_twofish *in = &ctx;

    if (memory != NULL) {
        memcpy(before, memory, sizeof before);
    }
    CHECK_STATUS(mf_twofish_init_in(&in, memory, n_bytes, kernel, key, key_bytes), expected);
    CHECK(in == NULL);
    CHECK(memory == NULL || memcmp(memory, before, sizeof before) == 0);
}

static void test_init_in(void)
{
    enum { N_BYTES = MF_TWOFISH_ZERO_MEMORY_BYTES };
    const mf_twofish_kernel *const zero = &mf_twofish_zero;
    static unsigned char memory[N_BYTES + 32];
    const mf_twofish *in_memory;

    random_bytes(memory, sizeof memory);
    test_case("init in memory, NULL");
    CHECK_STATUS(mf_twofish_init_in(NULL, memory, N_BYTES, zero, some_key, 16), MF_ERROR_NULL);
    check_memory_refused(NULL, N_BYTES, zero, some_key, 16, MF_ERROR_NULL);
    check_memory_refused(memory, N_BYTES, NULL, some_key, 16, MF_ERROR_NULL);
    check_memory_refused(memory, N_BYTES, zero, NULL, 16, MF_ERROR_NULL);
    test_case("init in memory that is too small");
    check_memory_refused(memory, N_BYTES - 1, zero, some_key, 16, MF_ERROR_CAPACITY);
    check_memory_refused(memory, 0, zero, some_key, 16, MF_ERROR_CAPACITY);
    test_case("init in memory, key of another length");
    check_memory_refused(memory, N_BYTES, zero, some_key, 17, MF_ERROR_KEY_LENGTH);
    test_case("init in memory where the key is");
    check_memory_refused(memory, N_BYTES, zero, memory + N_BYTES - 1, 16, MF_ERROR_OVERLAP);
    CHECK_STATUS(mf_twofish_init_in(&in_memory, memory, N_BYTES, zero, memory + N_BYTES, 32),
                 MF_OK);
    test_case("init in memory where the pointer is");
    CHECK_STATUS(mf_twofish_init_in(&in_memory, &in_memory, N_BYTES, zero, some_key, 16),
                 MF_ERROR_OVERLAP);
}

static void test_init(void)
{
    static const char *const names[] = {"", "ful", "fulll", "Full", "full ", "aes"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        test_case("kernel \"%s\"", names[i]);
        set_up();
        CHECK_STATUS(mf_twofish_init_kernel(&ctx, names[i], some_key, 16), MF_ERROR_KERNEL);
        check_no_key();
        CHECK_STATUS(mf_twofish_selftest(names[i]), MF_ERROR_KERNEL);
    }
    test_case("init, key NULL");
    set_up();
    CHECK_STATUS(mf_twofish_init(&ctx, NULL, 16), MF_ERROR_NULL);
    check_no_key();
    test_case("init, context NULL");
    CHECK_STATUS(mf_twofish_init(NULL, some_key, 16), MF_ERROR_NULL);
    CHECK_STATUS(mf_twofish_init_kernel(NULL, "full", some_key, 16), MF_ERROR_NULL);
    test_case("init, key inside of the context");
    set_up();
    CHECK_STATUS(mf_twofish_init(&ctx, (unsigned char *)&ctx + 100, 16), MF_ERROR_OVERLAP);
    check_no_key();
    test_case("no key after wiping");
    set_up();
    mf_twofish_wipe(&ctx);
    check_no_key();
}

static void test_twofish_calls(void)
{
    unsigned char block[BLOCK];
    mf_kernel_info info;

    test_case("blocks, context NULL");
    CHECK_STATUS(mf_twofish_encrypt_blocks(NULL, block, some_block, 1), MF_ERROR_NULL);
    CHECK_STATUS(mf_twofish_decrypt_blocks(NULL, block, some_block, 1), MF_ERROR_NULL);
    test_case("more blocks than there are addresses");
    set_up();
    CHECK_STATUS(mf_twofish_encrypt_blocks(&ctx, block, block, SIZE_MAX / BLOCK + 1),
                 MF_ERROR_LENGTH);
    CHECK_STATUS(mf_twofish_decrypt_blocks(&ctx, block, block, SIZE_MAX), MF_ERROR_LENGTH);
    test_case("list of kernels");
    CHECK_STATUS(mf_twofish_kernel_info(mf_twofish_kernel_count(), &info), MF_ERROR_KERNEL);
    CHECK_STATUS(mf_twofish_kernel_info(SIZE_MAX, &info), MF_ERROR_KERNEL);
    CHECK_STATUS(mf_twofish_kernel_info(0, NULL), MF_ERROR_NULL);
}

static void test_pad_key(void)
{
    unsigned char padded[MF_TWOFISH_MAX_KEY_BYTES];
    size_t padded_bytes;

    memset(padded, 0xA5, sizeof padded);
    for (size_t n_bytes = 33; n_bytes <= 100; n_bytes++) {
        test_case("padding a key of %zu bytes", n_bytes);
        CHECK_STATUS(mf_twofish_pad_key(padded, &padded_bytes, some_key, n_bytes),
                     MF_ERROR_KEY_LENGTH);
        CHECK(all_bytes_are(padded, sizeof padded, 0xA5));
    }
    test_case("padding a key, NULL");
    CHECK_STATUS(mf_twofish_pad_key(NULL, &padded_bytes, some_key, 8), MF_ERROR_NULL);
    CHECK_STATUS(mf_twofish_pad_key(padded, NULL, some_key, 8), MF_ERROR_NULL);
    CHECK_STATUS(mf_twofish_pad_key(padded, &padded_bytes, NULL, 8), MF_ERROR_NULL);
    test_case("padding a key, in place or nearly");
    CHECK_STATUS(mf_twofish_pad_key(padded, &padded_bytes, padded, 8), MF_ERROR_OVERLAP);
    CHECK_STATUS(mf_twofish_pad_key(padded, &padded_bytes, padded + 31, 1), MF_ERROR_OVERLAP);
    CHECK(all_bytes_are(padded, sizeof padded, 0xA5));
}

/* --- CBC -------------------------------------------------------------------------------------- */

static void test_cbc_arguments(void)
{
    unsigned char *data = guarded_place(&buffer, 0, NULL, 0);

    set_up();
    test_case("ECB and CBC, cipher NULL");
    CHECK_STATUS(mf_ecb_encrypt(NULL, data, data, BLOCK), MF_ERROR_NULL);
    CHECK_STATUS(mf_ecb_decrypt(NULL, data, data, BLOCK), MF_ERROR_NULL);
    CHECK_STATUS(mf_cbc_encrypt(NULL, iv, data, data, BLOCK), MF_ERROR_NULL);
    CHECK_STATUS(mf_cbc_decrypt(NULL, iv, data, data, BLOCK), MF_ERROR_NULL);
    CHECK_STATUS(mf_cbc_encrypt_padded(NULL, iv, data, DATA, &out_bytes, data, 1), MF_ERROR_NULL);
    CHECK_STATUS(mf_cbc_decrypt_padded(NULL, iv, data, DATA, &out_bytes, data, BLOCK),
                 MF_ERROR_NULL);
    test_case("CBC, IV NULL");
    CHECK_STATUS(mf_cbc_encrypt(&cipher, NULL, data, data, BLOCK), MF_ERROR_NULL);
    CHECK_STATUS(mf_cbc_decrypt(&cipher, NULL, data, data, BLOCK), MF_ERROR_NULL);
    CHECK_STATUS(mf_cbc_encrypt_padded(&cipher, NULL, data, DATA, &out_bytes, data, 1),
                 MF_ERROR_NULL);
    CHECK_STATUS(mf_cbc_decrypt_padded(&cipher, NULL, data, DATA, &out_bytes, data, BLOCK),
                 MF_ERROR_NULL);
    test_case("CBC, out_bytes NULL");
    CHECK_STATUS(mf_cbc_encrypt_padded(&cipher, iv, data, DATA, NULL, data, 1), MF_ERROR_NULL);
    CHECK_STATUS(mf_cbc_decrypt_padded(&cipher, iv, data, DATA, NULL, data, BLOCK), MF_ERROR_NULL);
    test_case("CBC, nothing was written");
    CHECK(guarded_intact(&buffer, data, 0));
    CHECK_BYTES(iv, some_block, BLOCK);
}

static void test_cbc_iv_overlap(void)
{
    for (size_t at = 0; at < DATA + 2 * BLOCK; at++) {
        const bool overlaps = at > 0 && at < DATA + BLOCK;
        const mf_status expected = overlaps ? MF_ERROR_OVERLAP : MF_OK;
        unsigned char *place = guarded_place(&buffer, 0, NULL, 0);
        unsigned char *data = place + BLOCK;
        unsigned char *other = data + 4 * (size_t)DATA;

        set_up();
        test_case("CBC, IV at %td from the data", (ptrdiff_t)at - BLOCK);
        CHECK_STATUS(mf_cbc_encrypt(&cipher, place + at, data, data, DATA), expected);
        CHECK_STATUS(mf_cbc_encrypt(&cipher, place + at, other, data, DATA), expected);
        CHECK_STATUS(mf_cbc_decrypt(&cipher, place + at, data, other, DATA), expected);
        CHECK_STATUS(
            mf_cbc_encrypt_padded(&cipher, place + at, data, DATA, &out_bytes, data, DATA - 1),
            expected);
        if (overlaps) {
            CHECK_STATUS(
                mf_cbc_decrypt_padded(&cipher, place + at, data, DATA, &out_bytes, data, DATA),
                expected);
            CHECK_STATUS(
                mf_cbc_decrypt_padded(&cipher, place + at, other, DATA, &out_bytes, data, DATA),
                expected);
            CHECK_BYTES(data, buffer.before + (data - buffer.bytes), DATA);
        }
    }
}

static void test_cbc_capacity(void)
{
    unsigned char *data = guarded_place(&buffer, 0, NULL, 0);

    set_up();
    for (size_t n_bytes = 0; n_bytes <= 3 * BLOCK; n_bytes++) {
        const size_t needed = n_bytes - n_bytes % BLOCK + BLOCK;

        for (size_t capacity = 0; capacity < needed; capacity++) {
            test_case("padding %zu bytes into %zu", n_bytes, capacity);
            out_bytes = 1;
            CHECK_STATUS(
                mf_cbc_encrypt_padded(&cipher, iv, data, capacity, &out_bytes, data, n_bytes),
                MF_ERROR_CAPACITY);
            CHECK(out_bytes == 0);
            CHECK_STATUS(
                mf_cbc_decrypt_padded(&cipher, iv, data, capacity, &out_bytes, data, needed),
                MF_ERROR_CAPACITY);
        }
    }
    test_case("padding more than there are addresses");
    CHECK_STATUS(mf_cbc_encrypt_padded(&cipher, iv, data, SIZE_MAX, &out_bytes, data, SIZE_MAX - 3),
                 MF_ERROR_CAPACITY);
    CHECK(guarded_intact(&buffer, data, 0));
    CHECK_BYTES(iv, some_block, BLOCK);
    test_case("no padding in nothing");
    CHECK_STATUS(mf_cbc_decrypt_padded(&cipher, iv, data, DATA, &out_bytes, data, 0),
                 MF_ERROR_LENGTH);
}

/* --- CTR -------------------------------------------------------------------------------------- */

static void check_counter_bits(const mf_cipher *c, unsigned whole_block)
{
    for (unsigned bits = 0; bits <= 300; bits++) {
        const bool allowed = bits == 32 || bits == whole_block;

        test_case("CTR, block of %u bits, counter of %u", whole_block, bits);
        random_bytes(&ctr, sizeof ctr);
        CHECK_STATUS(mf_ctr_init(&ctr, c, some_block, bits), allowed ? MF_OK : MF_ERROR_BLOCK);
        if (!allowed) {
            CHECK_STATUS(mf_ctr_crypt(&ctr, iv, iv, 1), MF_ERROR_NO_KEY);
        }
    }
}

static void test_ctr_init(void)
{
    const toy_key toy = {true, {1, 2, 3}};
    const mf_cipher small = toy_cipher(&toy);

    set_up();
    check_counter_bits(&cipher, 128);
    check_counter_bits(&small, 64);
    test_case("CTR, NULL");
    CHECK_STATUS(mf_ctr_init(NULL, &cipher, some_block, 128), MF_ERROR_NULL);
    CHECK_STATUS(mf_ctr_init(&ctr, NULL, some_block, 128), MF_ERROR_NULL);
    CHECK_STATUS(mf_ctr_init(&ctr, &cipher, NULL, 128), MF_ERROR_NULL);
    CHECK_STATUS(mf_ctr_crypt(NULL, iv, iv, 1), MF_ERROR_NULL);
    test_case("CTR, wiped key");
    mf_twofish_wipe(&ctx);
    CHECK_STATUS(mf_ctr_init(&ctr, &cipher, some_block, 128), MF_ERROR_NO_KEY);
    CHECK_STATUS(mf_ctr_crypt(&ctr, iv, iv, 1), MF_ERROR_NO_KEY);
}

/* One call for more than 2^32 blocks; nothing of that memory may be touched, for it is not
 * there. */
static void test_ctr_huge_call(void)
{
    const uint64_t limit = ((uint64_t)1 << 32) * BLOCK;
    unsigned char *data = guarded_place(&buffer, 0, NULL, 0);

    if (limit >= SIZE_MAX) {
        test_skip("2^32 blocks in one call: this machine cannot address them");
        return;
    }
    test_case("CTR with 32 bits, one byte more than 2^32 blocks");
    set_up();
    CHECK_STATUS(mf_ctr_init(&ctr, &cipher, some_block, 32), MF_OK);
    CHECK_STATUS(mf_ctr_crypt(&ctr, data, data, (size_t)limit + 1), MF_ERROR_TOO_LONG);
    test_case("CTR with 32 bits, 2^32 blocks after a few bytes");
    CHECK_STATUS(mf_ctr_crypt(&ctr, iv, iv, 5), MF_OK);
    CHECK_STATUS(mf_ctr_crypt(&ctr, data, data, (size_t)limit - 4), MF_ERROR_TOO_LONG);
    CHECK(guarded_intact(&buffer, data, 0));
}

/* The end of a stream, reached by moving the private count of blocks that are left. */
static void test_ctr_limit(void)
{
    unsigned char text[40], found[40], expected[40];

    test_case("CTR with 32 bits, the last bytes of 2^32 blocks");
    set_up();
    random_bytes(text, sizeof text);
    CHECK_STATUS(mf_ctr_init(&ctr, &cipher, some_block, 32), MF_OK);
    CHECK_STATUS(mf_ctr_crypt(&ctr, expected, text, sizeof text), MF_OK);

    CHECK_STATUS(mf_ctr_init(&ctr, &cipher, some_block, 32), MF_OK);
    ctr.blocks_left = 2;
    memcpy(found, text, sizeof found);
    CHECK_STATUS(mf_ctr_crypt(&ctr, found, found, 33), MF_ERROR_TOO_LONG);
    CHECK_BYTES(found, text, sizeof found);
    CHECK_STATUS(mf_ctr_crypt(&ctr, found, found, 17), MF_OK);
    CHECK_STATUS(mf_ctr_crypt(&ctr, found + 17, found + 17, 16), MF_ERROR_TOO_LONG);
    CHECK_STATUS(mf_ctr_crypt(&ctr, found + 17, found + 17, 15), MF_OK);
    CHECK_BYTES(found, expected, 32);
    CHECK_STATUS(mf_ctr_crypt(&ctr, found, found, 1), MF_ERROR_TOO_LONG);
    CHECK_STATUS(mf_ctr_crypt(&ctr, found, found, 0), MF_OK);
}

/* --- OCB -------------------------------------------------------------------------------------- */

static void test_ocb_arguments(void)
{
    const toy_key toy = {true, {1, 2, 3}};
    const mf_cipher small = toy_cipher(&toy);
    unsigned char *data = guarded_place(&buffer, 0, NULL, 0);

    set_up();
    test_case("OCB, NULL");
    CHECK_STATUS(mf_ocb_init(NULL, &cipher), MF_ERROR_NULL);
    CHECK_STATUS(mf_ocb_start(NULL, "nonce", 5), MF_ERROR_NULL);
    CHECK_STATUS(mf_ocb_aad(NULL, data, 1), MF_ERROR_NULL);
    CHECK_STATUS(mf_ocb_encrypt_update(NULL, data, BLOCK, &out_bytes, data, BLOCK), MF_ERROR_NULL);
    CHECK_STATUS(mf_ocb_decrypt_finish(NULL, data, BLOCK, &out_bytes, data, BLOCK, tag),
                 MF_ERROR_NULL);
    CHECK_STATUS(mf_ocb_start(&ocb, NULL, 5), MF_ERROR_NULL);
    CHECK_STATUS(mf_ocb_encrypt(&ocb, "nonce", 5, NULL, 1, data, data, 1, tag), MF_ERROR_NULL);
    CHECK_STATUS(mf_ocb_decrypt(&ocb, "nonce", 5, NULL, 1, data, data, 1, tag), MF_ERROR_NULL);
    CHECK_STATUS(mf_ocb_encrypt(&ocb, "nonce", 5, NULL, 0, data, data, 1, NULL), MF_ERROR_NULL);
    CHECK_STATUS(mf_ocb_decrypt(&ocb, "nonce", 5, NULL, 0, data, data, 1, NULL), MF_ERROR_NULL);
    CHECK(guarded_intact(&buffer, data, 0));

    test_case("OCB init with NULL, a small block, a wiped key");
    CHECK_STATUS(mf_ocb_init(&ocb, NULL), MF_ERROR_NULL);
    CHECK_STATUS(mf_ocb_start(&ocb, "nonce", 5), MF_ERROR_NO_KEY);
    CHECK_STATUS(mf_ocb_init(&ocb, &small), MF_ERROR_BLOCK);
    CHECK_STATUS(mf_ocb_start(&ocb, "nonce", 5), MF_ERROR_NO_KEY);
    mf_twofish_wipe(&ctx);
    CHECK_STATUS(mf_ocb_init(&ocb, &cipher), MF_ERROR_NO_KEY);
    CHECK_STATUS(mf_ocb_start(&ocb, "nonce", 5), MF_ERROR_NO_KEY);
}

/* Pieces: room, and where the output may lie when bytes wait. */
static void test_ocb_pieces(void)
{
    unsigned char *data = guarded_place(&buffer, 0, NULL, 0);

    test_case("OCB, no place for the number of bytes");
    set_up();
    CHECK_STATUS(mf_ocb_start(&ocb, "nonce", 5), MF_OK);
    CHECK_STATUS(mf_ocb_encrypt_update(&ocb, data, BLOCK, NULL, data, BLOCK), MF_ERROR_NULL);
    CHECK_STATUS(mf_ocb_encrypt_last(&ocb, data, BLOCK, NULL, data, BLOCK), MF_ERROR_NULL);
    CHECK_STATUS(mf_ocb_encrypt_finish(&ocb, data, BLOCK, NULL, data, BLOCK, tag), MF_ERROR_NULL);

    test_case("OCB, too little room");
    CHECK_STATUS(mf_ocb_encrypt_update(&ocb, NULL, 0, &out_bytes, some_block, 5), MF_OK);
    for (size_t room = 0; room < 2 * BLOCK; room++) {
        out_bytes = 1;
        CHECK_STATUS(mf_ocb_encrypt_update(&ocb, data, room, &out_bytes, data + 100, 2 * BLOCK),
                     MF_ERROR_CAPACITY);
        CHECK(out_bytes == 0);
    }
    CHECK_STATUS(mf_ocb_encrypt_last(&ocb, data, BLOCK + 4, &out_bytes, data + 100, BLOCK),
                 MF_ERROR_CAPACITY);
    CHECK_STATUS(mf_ocb_encrypt_finish(&ocb, data, 4, &out_bytes, NULL, 0, tag), MF_ERROR_CAPACITY);
    CHECK_STATUS(mf_ocb_encrypt_last(&ocb, NULL, BLOCK, &out_bytes, NULL, 0), MF_ERROR_NULL);
    CHECK_STATUS(mf_ocb_encrypt_finish(&ocb, data, 5, &out_bytes, NULL, 0, NULL), MF_ERROR_NULL);
    CHECK_STATUS(mf_ocb_encrypt_finish(&ocb, data, 5, &out_bytes, NULL, 0, data + 4),
                 MF_ERROR_OVERLAP);
    CHECK(guarded_intact(&buffer, data, 0));

    test_case("OCB, output elsewhere than its input, of which 5 bytes wait");
    for (ptrdiff_t distance = 1 - 2 * BLOCK; distance < 2 * BLOCK; distance++) {
        if (distance != -5) {
            CHECK_STATUS(mf_ocb_encrypt_update(&ocb, data + 100 + distance, 2 * BLOCK, &out_bytes,
                                               data + 100, 2 * BLOCK),
                         MF_ERROR_OVERLAP);
        }
    }
    CHECK(guarded_intact(&buffer, data, 0));
    CHECK_STATUS(
        mf_ocb_encrypt_update(&ocb, data + 95, 2 * BLOCK, &out_bytes, data + 100, 2 * BLOCK),
        MF_OK);
    CHECK(out_bytes == 2 * BLOCK);
    CHECK(guarded_intact(&buffer, data + 95, 2 * BLOCK));
}

static void test_ocb_nonces(void)
{
    static const unsigned char nonce[40] = {1};
    unsigned char *data = guarded_place(&buffer, 0, NULL, 0);

    for (size_t n_bytes = 0; n_bytes <= sizeof nonce; n_bytes++) {
        const bool allowed = n_bytes >= 1 && n_bytes <= MF_OCB_MAX_NONCE_BYTES;
        const mf_status expected = allowed ? MF_OK : MF_ERROR_NONCE_LENGTH;

        test_case("OCB, nonce of %zu bytes", n_bytes);
        set_up();
        CHECK_STATUS(mf_ocb_start(&ocb, nonce, n_bytes), expected);
        if (!allowed) {
            CHECK_STATUS(mf_ocb_encrypt(&ocb, nonce, n_bytes, NULL, 0, data, data, 1, tag),
                         expected);
            CHECK_STATUS(mf_ocb_decrypt(&ocb, nonce, n_bytes, NULL, 0, data, data, 1, tag),
                         expected);
            CHECK(guarded_intact(&buffer, data, 0));
        }
    }
}

static void test_ocb_tag_overlap(void)
{
    for (size_t at = 0; at <= DATA + BLOCK; at++) {
        const bool overlaps = at > 0 && at < DATA + BLOCK;
        unsigned char *place = guarded_place(&buffer, 0, NULL, 0);
        unsigned char *data = place + BLOCK;

        test_case("OCB, tag at %td from the output", (ptrdiff_t)at - BLOCK);
        set_up();
        CHECK_STATUS(mf_ocb_encrypt(&ocb, "nonce", 5, NULL, 0, data, data, DATA, place + at),
                     overlaps ? MF_ERROR_OVERLAP : MF_OK);
        if (overlaps) {
            CHECK_STATUS(mf_ocb_decrypt(&ocb, "nonce", 5, NULL, 0, data, data, DATA, place + at),
                         MF_ERROR_OVERLAP);
            CHECK(guarded_intact(&buffer, data, 0));
        }
    }
}

/* All calls of a message, each of which must be refused in this state. */
static void check_ocb_refuses_all(guarded *b, unsigned char *data)
{
    CHECK_STATUS(mf_ocb_aad(&ocb, "x", 1), MF_ERROR_STATE);
    CHECK_STATUS(mf_ocb_encrypt_update(&ocb, data, BLOCK, &out_bytes, data, BLOCK), MF_ERROR_STATE);
    CHECK_STATUS(mf_ocb_decrypt_update(&ocb, data, BLOCK, &out_bytes, data, BLOCK), MF_ERROR_STATE);
    CHECK_STATUS(mf_ocb_encrypt_finish(&ocb, data, BLOCK, &out_bytes, data, BLOCK, tag),
                 MF_ERROR_STATE);
    CHECK_STATUS(mf_ocb_decrypt_finish(&ocb, data, BLOCK, &out_bytes, data, BLOCK, tag),
                 MF_ERROR_STATE);
    CHECK(guarded_intact(b, data, 0));
}

static void test_ocb_order(void)
{
    unsigned char out[BLOCK];
    unsigned char *data = guarded_place(&buffer, 0, NULL, 0);

    test_case("OCB, before start");
    set_up();
    check_ocb_refuses_all(&buffer, data);
    test_case("OCB, after finish");
    CHECK_STATUS(mf_ocb_start(&ocb, "nonce", 5), MF_OK);
    CHECK_STATUS(mf_ocb_encrypt_finish(&ocb, NULL, 0, &out_bytes, NULL, 0, tag), MF_OK);
    check_ocb_refuses_all(&buffer, data);
    test_case("OCB, after a whole message");
    CHECK_STATUS(mf_ocb_encrypt(&ocb, "nonce", 5, NULL, 0, NULL, NULL, 0, tag), MF_OK);
    check_ocb_refuses_all(&buffer, data);
    test_case("OCB, after a wrong tag");
    tag[0] ^= 1;
    CHECK_STATUS(mf_ocb_decrypt(&ocb, "nonce", 5, NULL, 0, NULL, NULL, 0, tag), MF_ERROR_TAG);
    check_ocb_refuses_all(&buffer, data);
    test_case("OCB, after a whole message that failed");
    CHECK_STATUS(mf_ocb_encrypt(&ocb, "nonce", 5, NULL, 0, data, data + 1, BLOCK, tag),
                 MF_ERROR_OVERLAP);
    check_ocb_refuses_all(&buffer, data);
    CHECK_STATUS(mf_ocb_decrypt(&ocb, "nonce", 5, NULL, 1, data, data, BLOCK, tag), MF_ERROR_NULL);
    check_ocb_refuses_all(&buffer, data);
    test_case("OCB, after a start that failed");
    CHECK_STATUS(mf_ocb_start(&ocb, "nonce", 5), MF_OK);
    CHECK_STATUS(mf_ocb_start(&ocb, "nonce", 0), MF_ERROR_NONCE_LENGTH);
    check_ocb_refuses_all(&buffer, data);
    test_case("OCB, from encrypting to decrypting");
    CHECK_STATUS(mf_ocb_start(&ocb, "nonce", 5), MF_OK);
    CHECK_STATUS(mf_ocb_encrypt_update(&ocb, out, BLOCK, &out_bytes, some_block, BLOCK), MF_OK);
    CHECK_STATUS(mf_ocb_decrypt_update(&ocb, data, BLOCK, &out_bytes, data, BLOCK), MF_ERROR_STATE);
    CHECK_STATUS(mf_ocb_decrypt_finish(&ocb, data, BLOCK, &out_bytes, data, BLOCK, tag),
                 MF_ERROR_STATE);
    test_case("OCB, from decrypting to encrypting");
    CHECK_STATUS(mf_ocb_start(&ocb, "nonce", 5), MF_OK);
    CHECK_STATUS(mf_ocb_decrypt_update(&ocb, out, BLOCK, &out_bytes, some_block, BLOCK), MF_OK);
    CHECK_STATUS(mf_ocb_encrypt_update(&ocb, data, BLOCK, &out_bytes, data, BLOCK), MF_ERROR_STATE);
    CHECK_STATUS(mf_ocb_encrypt_finish(&ocb, data, BLOCK, &out_bytes, data, BLOCK, tag),
                 MF_ERROR_STATE);
    CHECK(guarded_intact(&buffer, data, 0));
}

/* More than 2^48 blocks. The tag lies below the output, which would reach over all that is
 * above. */
static void test_ocb_limit(void)
{
    const uint64_t too_long = (((uint64_t)1 << 48) + 1) * BLOCK;
    unsigned char *low = guarded_place(&buffer, 0, NULL, 0);
    unsigned char *data = low + BLOCK;

    if (too_long > SIZE_MAX) {
        test_skip("2^48 blocks of OCB: this machine cannot address them");
        return;
    }
    test_case("OCB, more than 2^48 blocks");
    set_up();
    CHECK_STATUS(mf_ocb_encrypt(&ocb, "nonce", 5, NULL, 0, data, data, (size_t)too_long, low),
                 MF_ERROR_TOO_LONG);
    CHECK_STATUS(mf_ocb_decrypt(&ocb, "nonce", 5, NULL, 0, data, data, (size_t)too_long, low),
                 MF_ERROR_TOO_LONG);
    CHECK_STATUS(mf_ocb_start(&ocb, "nonce", 5), MF_OK);
    CHECK_STATUS(mf_ocb_aad(&ocb, data, (size_t)too_long), MF_ERROR_TOO_LONG);
    CHECK_STATUS(
        mf_ocb_encrypt_update(&ocb, data, (size_t)too_long, &out_bytes, data, (size_t)too_long),
        MF_ERROR_TOO_LONG);
    CHECK_STATUS(
        mf_ocb_decrypt_update(&ocb, data, (size_t)too_long, &out_bytes, data, (size_t)too_long),
        MF_ERROR_TOO_LONG);
    CHECK(guarded_intact(&buffer, data, 0));
}

/* A byte waits, and as many follow as a size_t counts. */
static void test_ocb_size_limit(void)
{
    unsigned char data[BLOCK] = {0};

    test_case("OCB, more bytes than a size_t counts");
    set_up();
    CHECK_STATUS(mf_ocb_start(&ocb, "nonce", 5), MF_OK);
    CHECK_STATUS(mf_ocb_encrypt_update(&ocb, data, BLOCK, &out_bytes, data, 1), MF_OK);
    CHECK_STATUS(mf_ocb_encrypt_update(&ocb, data, BLOCK, &out_bytes, data, SIZE_MAX),
                 MF_ERROR_TOO_LONG);
    CHECK_STATUS(mf_ocb_encrypt_finish(&ocb, data, BLOCK, &out_bytes, data, SIZE_MAX, tag),
                 MF_ERROR_TOO_LONG);
}

/* The limit holds for the sum of all pieces. The counts are set, not reached. */
static void test_ocb_limit_in_pieces(void)
{
    unsigned char data[3 * BLOCK] = {0};
    const uint64_t limit = (uint64_t)1 << 48;

    test_case("OCB, 2^48 blocks in pieces");
    set_up();
    CHECK_STATUS(mf_ocb_start(&ocb, "nonce", 5), MF_OK);
    ocb.n_blocks = limit - 3;
    CHECK_STATUS(mf_ocb_encrypt_update(&ocb, data, 3 * BLOCK, &out_bytes, data, 3 * BLOCK),
                 MF_ERROR_TOO_LONG);
    CHECK_STATUS(mf_ocb_encrypt_update(&ocb, data, 2 * BLOCK, &out_bytes, data, 2 * BLOCK), MF_OK);
    CHECK_STATUS(mf_ocb_encrypt_update(&ocb, data, BLOCK, &out_bytes, data, BLOCK),
                 MF_ERROR_TOO_LONG);
    CHECK_STATUS(mf_ocb_encrypt_finish(&ocb, data, BLOCK, &out_bytes, data, BLOCK, tag),
                 MF_ERROR_TOO_LONG);
    CHECK_STATUS(mf_ocb_encrypt_finish(&ocb, data, BLOCK - 1, &out_bytes, data, BLOCK - 1, tag),
                 MF_OK);
    test_case("OCB, 2^48 blocks of associated data in pieces");
    CHECK_STATUS(mf_ocb_start(&ocb, "nonce", 5), MF_OK);
    ocb.aad_n_blocks = limit - 3;
    CHECK_STATUS(mf_ocb_aad(&ocb, data, 2 * BLOCK), MF_ERROR_TOO_LONG);
    CHECK_STATUS(mf_ocb_aad(&ocb, data, BLOCK), MF_OK);
    CHECK_STATUS(mf_ocb_aad(&ocb, data, BLOCK), MF_ERROR_TOO_LONG);
}

/* A caller's own cipher: only blocks of 8 and 16 bytes have modes. */
static void test_block_bytes(void)
{
    const size_t sizes[] = {0, 1, 4, 15, 17, 32, SIZE_MAX};
    unsigned char *data = guarded_place(&buffer, 0, NULL, 0);

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        test_case("a cipher with blocks of %zu bytes", sizes[i]);
        set_up();
        cipher.block_bytes = sizes[i];
        CHECK_STATUS(mf_ecb_encrypt(&cipher, data, data, DATA), MF_ERROR_BLOCK);
        CHECK_STATUS(mf_ecb_decrypt(&cipher, data, data, DATA), MF_ERROR_BLOCK);
        CHECK_STATUS(mf_cbc_encrypt(&cipher, iv, data, data, DATA), MF_ERROR_BLOCK);
        CHECK_STATUS(mf_cbc_decrypt(&cipher, iv, data, data, DATA), MF_ERROR_BLOCK);
        CHECK_STATUS(mf_cbc_encrypt_padded(&cipher, iv, data, DATA, &out_bytes, data, DATA - 1),
                     MF_ERROR_BLOCK);
        CHECK_STATUS(mf_cbc_decrypt_padded(&cipher, iv, data, DATA, &out_bytes, data, DATA),
                     MF_ERROR_BLOCK);
        CHECK_STATUS(mf_cts_encrypt(&cipher, MF_CTS_CS1, iv, data, data, DATA), MF_ERROR_BLOCK);
        CHECK_STATUS(mf_cts_decrypt(&cipher, MF_CTS_CS1, iv, data, data, DATA), MF_ERROR_BLOCK);
        CHECK_STATUS(mf_cfb_init(&cfb, &cipher, iv, 8), MF_ERROR_BLOCK);
        CHECK_STATUS(mf_ofb_init(&ofb, &cipher, iv), MF_ERROR_BLOCK);
        CHECK_STATUS(mf_xts_init(&xts, &cipher, &cipher), MF_ERROR_BLOCK);
        CHECK_STATUS(mf_ctr_init(&ctr, &cipher, iv, 32), MF_ERROR_BLOCK);
        CHECK_STATUS(mf_ocb_init(&ocb, &cipher), MF_ERROR_BLOCK);
        CHECK(guarded_intact(&buffer, data, 0));
    }
}

/* --- The environment -------------------------------------------------------------------------- */

#if defined(__unix__)

/* Initialises both ciphers by default: the status that both give, or -1 where they differ, and
 * where the default's name, or the facts about it, are wrong. */
static int init_both(bool takes_table_kernel)
{
    const mf_status expected = mf_twofish_init(&ctx, some_key, 16);
    const char *kernel = mf_twofish_kernel_name(&ctx);
    mf_kernel_info info;
    mf_des des;
    size_t n_defaults = 0;

    if (mf_des_init(&des, some_key, 8) != expected || mf_twofish_selftest(NULL) != expected ||
        (kernel != NULL && strcmp(kernel, "full") == 0) != takes_table_kernel) {
        return -1;
    }
    for (size_t i = 0; mf_twofish_kernel_info(i, &info) == MF_OK; i++) {
        n_defaults += info.is_default;
    }
    return n_defaults == (expected == MF_OK) &&
                   mf_twofish_init_kernel(&ctx, "full", some_key, 16) == MF_OK &&
                   mf_des_init_kernel(&des, "sp2k", some_key, 8) == MF_OK
               ? (int)expected
               : -1;
}

/* The library reads its environment once, so each case has a process, and comes before its first
 * use. */
static void test_environment(const char *twofish, const char *des, const char *leaks,
                             mf_status expected)
{
    int status = 0;
    const bool takes_table_kernel = expected == MF_OK && leaks[0] != '\0';

    test_case("MANYFISH_KERNEL=%s, MANYFISH_DES_KERNEL=%s, MANYFISH_LEAKS=%s", twofish, des, leaks);
    const pid_t child = fork();
    if (child == 0) {
        (void)setenv("MANYFISH_KERNEL", twofish, 1);
        (void)setenv("MANYFISH_DES_KERNEL", des, 1);
        (void)setenv("MANYFISH_LEAKS", leaks, 1);
        _exit(init_both(takes_table_kernel));
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
    CHECK_STATUS((mf_status)WEXITSTATUS(status), expected);
}

static void test_environments(void)
{
    test_environment("bitslice", "bitslice", "", MF_OK);
    test_environment("full", "sp2k", "any", MF_OK);
    test_environment("full", "sp2k", "", MF_ERROR_LEAKS);
    test_environment("full", "sp2k", "text", MF_ERROR_LEAKS_VALUE);
    test_environment("", "", "anything", MF_ERROR_LEAKS_VALUE);
    test_environment("nosuch", "nosuch", "", MF_ERROR_KERNEL);
}

#else

static void test_environments(void)
{
    test_skip("the environment: no processes like those of Unix");
}

#endif

int main(void)
{
    test_environments();
    for (size_t i = 0; i < N_FUNCTIONS; i++) {
        test_null(&functions[i]);
        test_lengths(&functions[i]);
        test_overlap(&functions[i]);
        test_no_key(&functions[i]);
        test_nothing(&functions[i]);
    }
    each_kernel(test_key_lengths);
    test_init();
    test_init_with();
    test_init_in();
    test_twofish_calls();
    test_pad_key();
    test_cbc_arguments();
    test_cbc_iv_overlap();
    test_cbc_capacity();
    test_ctr_init();
    test_ctr_huge_call();
    test_ctr_limit();
    test_ocb_arguments();
    test_ocb_pieces();
    test_ocb_nonces();
    test_ocb_tag_overlap();
    test_ocb_order();
    test_ocb_limit();
    test_ocb_size_limit();
    test_ocb_limit_in_pieces();
    test_block_bytes();
    return test_end();
}
