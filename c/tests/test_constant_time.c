/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Shows that the library neither branches on secrets nor computes addresses from them, for all that
 * says so: each kernel with constant_time, and each mode. It runs under valgrind's memcheck, which
 * follows undefined bits through all computations and reports each branch and each address that
 * depends on one. Keys and texts are marked as undefined; what becomes public by design is marked
 * in the library (common/declassify.h), of which this program has its own build.
 *
 * In the same run, the table kernels and planted faults must be reported, and what is secret must
 * arrive in each output: else the harness sees nothing, and that is a failure.
 *
 * The argument is the name of valgrind's log, from which the report of a failed case is shown.
 */
#include "support.h"

#ifndef MF_DECLASSIFY

int main(void)
{
    test_skip("constant time: %s", WHY_SKIPPED);
    return test_end();
}

#else

#include <manyfish/aead.h>

#include <stdio.h>
#include <string.h>
#include <valgrind/memcheck.h>

enum {
    BLOCK = MF_TWOFISH_BLOCK_BYTES,
    MAX_BLOCKS = 100,
    MAX_BYTES = MAX_BLOCKS * BLOCK,
    AAD = 1100, /* more than one piece of 64 blocks, and a rest */
};

/* --- Valgrind ------------------------------------------------------------------------------------ */

static const char *log_name;
static long log_start;
static unsigned errors_start;

static void mark_secret(void *data, size_t n_bytes)
{
    (void)VALGRIND_MAKE_MEM_UNDEFINED(data, n_bytes);
}

static void mark_public(void *data, size_t n_bytes)
{
    (void)VALGRIND_MAKE_MEM_DEFINED(data, n_bytes);
}

/* True if each of the bytes depends on a secret. */
static bool is_secret(const void *data, size_t n_bytes)
{
    unsigned char undefined_bits[MAX_BYTES + BLOCK];

    if (n_bytes > sizeof undefined_bits || VALGRIND_GET_VBITS(data, undefined_bits, n_bytes) != 1) {
        return false;
    }
    for (size_t i = 0; i < n_bytes; i++) {
        if (undefined_bits[i] == 0) {
            return false;
        }
    }
    return true;
}

static long log_length(FILE *log)
{
    return log != NULL && fseek(log, 0, SEEK_END) == 0 ? ftell(log) : 0;
}

/* From here on reports count. */
static void watch(void)
{
    FILE *log = fopen(log_name, "r");

    log_start = log_length(log);
    if (log != NULL) {
        (void)fclose(log);
    }
    errors_start = VALGRIND_COUNT_ERRORS;
}

static unsigned n_reported(void)
{
    return VALGRIND_COUNT_ERRORS - errors_start;
}

/* What valgrind has said since watch(); it reports each place in the code once only. */
static void show_log(void)
{
    FILE *log = fopen(log_name, "r");
    char line[300];

    if (log == NULL || fseek(log, log_start, SEEK_SET) != 0) {
        printf("  no log of valgrind: %s\n", log_name);
    } else {
        for (int n = 0; n < 60 && fgets(line, sizeof line, log) != NULL; n++) {
            printf("  %s", line);
        }
    }
    if (log != NULL) {
        (void)fclose(log);
    }
}

static void check_silent(void)
{
    if (!CHECK(n_reported() == 0)) {
        show_log();
    }
}

/* --- What is worked on --------------------------------------------------------------------------- */

static unsigned char key[MF_TWOFISH_MAX_KEY_BYTES];
static unsigned char text[MAX_BYTES + BLOCK], out[MAX_BYTES + BLOCK], back[MAX_BYTES + BLOCK];
static unsigned char aad[AAD], nonce[MF_OCB_MAX_NONCE_BYTES], iv[BLOCK];

/* New values; key, text and associated data are secret, nonces are not. */
static void new_secrets(void)
{
    random_bytes(key, sizeof key);
    random_bytes(text, sizeof text);
    random_bytes(aad, sizeof aad);
    random_bytes(nonce, sizeof nonce);
    random_bytes(iv, sizeof iv);
    mark_secret(key, sizeof key);
    mark_secret(text, sizeof text);
    mark_secret(aad, sizeof aad);
}

static bool same_text(size_t n_bytes)
{
    mark_public(text, n_bytes);
    mark_public(back, n_bytes);
    return CHECK_BYTES(back, text, n_bytes);
}

/* --- Kernels ------------------------------------------------------------------------------------- */

static const size_t counts[] = {1, 2, 5, 16, 33, 64, 100, 0};

static void test_constant_time_kernel(const char *name, size_t key_bytes)
{
    mf_twofish ctx;

    for (const size_t *n = counts; *n != 0; n++) {
        test_case("%s, %zu-bit key, %zu blocks", name, 8 * key_bytes, *n);
        new_secrets();
        watch();
        CHECK_STATUS(mf_twofish_init_kernel(&ctx, name, key, key_bytes), MF_OK);
        CHECK_STATUS(mf_twofish_encrypt_blocks(&ctx, out, text, *n), MF_OK);
        CHECK_STATUS(mf_twofish_decrypt_blocks(&ctx, back, out, *n), MF_OK);
        check_silent();
        CHECK(is_secret(out, *n * BLOCK) && is_secret(back, *n * BLOCK));
        (void)same_text(*n * BLOCK);
    }
    mf_twofish_wipe(&ctx);
}

/* The negative control: these address tables by secrets, in each of their three functions. */
static void test_table_kernel(const char *name, size_t key_bytes)
{
    mf_twofish ctx;

    test_case("%s, %zu-bit key, must be reported", name, 8 * key_bytes);
    new_secrets();
    watch();
    CHECK_STATUS(mf_twofish_init_kernel(&ctx, name, key, key_bytes), MF_OK);
    CHECK(n_reported() > 0);
    watch();
    CHECK_STATUS(mf_twofish_encrypt_blocks(&ctx, out, text, 1), MF_OK);
    CHECK(n_reported() > 0);
    watch();
    CHECK_STATUS(mf_twofish_decrypt_blocks(&ctx, out, text, 1), MF_OK);
    CHECK(n_reported() > 0);
    mf_twofish_wipe(&ctx);
}

static bool is_constant_time(const char *name)
{
    mf_kernel_info info = {0};

    for (size_t i = 0; mf_twofish_kernel_info(i, &info) == MF_OK; i++) {
        if (strcmp(info.name, name) == 0) {
            return info.constant_time;
        }
    }
    return false;
}

static void test_kernel(const char *name)
{
    for (const size_t *size = key_sizes; *size != 0; size++) {
        if (is_constant_time(name)) {
            test_constant_time_kernel(name, *size);
        } else {
            test_table_kernel(name, *size);
        }
    }
}

/* --- Ciphers for the modes ----------------------------------------------------------------------- */

/* 16-byte blocks of no strength, in which each byte depends on the key and the whole block. */
typedef struct wide_toy_key {
    bool present;
    uint64_t k[2];
} wide_toy_key;

static bool wide_toy_has_key(const void *toy)
{
    return ((const wide_toy_key *)toy)->present;
}

static uint64_t turn(uint64_t x, unsigned n)
{
    return x << n | x >> (64 - n);
}

static void wide_toy_encrypt(const void *toy, unsigned char *to, const unsigned char *from,
                             size_t n_blocks)
{
    const wide_toy_key *t = (const wide_toy_key *)toy;

    for (; n_blocks > 0; n_blocks--, to += BLOCK, from += BLOCK) {
        uint64_t x[2];

        memcpy(x, from, BLOCK);
        x[0] += turn(x[1] ^ t->k[1], 29);
        x[1] ^= turn(x[0] + t->k[0], 17);
        memcpy(to, x, BLOCK);
    }
}

static void wide_toy_decrypt(const void *toy, unsigned char *to, const unsigned char *from,
                             size_t n_blocks)
{
    const wide_toy_key *t = (const wide_toy_key *)toy;

    for (; n_blocks > 0; n_blocks--, to += BLOCK, from += BLOCK) {
        uint64_t x[2];

        memcpy(x, from, BLOCK);
        x[1] ^= turn(x[0] + t->k[0], 17);
        x[0] -= turn(x[1] ^ t->k[1], 29);
        memcpy(to, x, BLOCK);
    }
}

static mf_cipher wide_toy_cipher(wide_toy_key *toy)
{
    const mf_cipher cipher = {BLOCK, toy, wide_toy_has_key, wide_toy_encrypt, wide_toy_decrypt};

    toy->present = true;
    memcpy(toy->k, key, sizeof toy->k);
    return cipher;
}

static mf_cipher narrow_toy_cipher(toy_key *toy)
{
    toy->present = true;
    memcpy(toy->bytes, key, sizeof toy->bytes);
    return toy_cipher(toy);
}

/* --- Modes --------------------------------------------------------------------------------------- */

static mf_cipher cipher;
static size_t n_bytes; /* of the message; whole blocks where a mode needs them */

/* Each takes n_bytes of text to out and to back again. */

static void run_ecb(void)
{
    CHECK_STATUS(mf_ecb_encrypt(&cipher, out, text, n_bytes), MF_OK);
    CHECK_STATUS(mf_ecb_decrypt(&cipher, back, out, n_bytes), MF_OK);
}

static void run_cbc(void)
{
    unsigned char chain[2][BLOCK];

    memcpy(chain[0], iv, BLOCK);
    memcpy(chain[1], iv, BLOCK);
    CHECK_STATUS(mf_cbc_encrypt(&cipher, chain[0], out, text, n_bytes), MF_OK);
    CHECK_STATUS(mf_cbc_decrypt(&cipher, chain[1], back, out, n_bytes), MF_OK);
}

static void run_cbc_padded(void)
{
    unsigned char chain[2][BLOCK];
    size_t used = 0;

    memcpy(chain[0], iv, BLOCK);
    memcpy(chain[1], iv, BLOCK);
    CHECK_STATUS(mf_cbc_encrypt_padded(&cipher, chain[0], out, sizeof out, &used, text, n_bytes),
                 MF_OK);
    CHECK_STATUS(mf_cbc_decrypt_padded(&cipher, chain[1], back, sizeof back, &used, out, used),
                 MF_OK);
    /* The length of the message comes from the padding: the caller learns it. */
    mark_public(&used, sizeof used);
    CHECK(used == n_bytes);
}

/* The last byte says 0 bytes of padding, which is none. */
static void run_cbc_bad_padding(void)
{
    unsigned char chain[2][BLOCK];
    size_t used = 0;

    memcpy(chain[0], iv, BLOCK);
    memcpy(chain[1], iv, BLOCK);
    text[n_bytes - 1] = 0;
    mark_secret(text + n_bytes - 1, 1);
    CHECK_STATUS(mf_cbc_encrypt(&cipher, chain[0], out, text, n_bytes), MF_OK);
    CHECK_STATUS(mf_cbc_decrypt_padded(&cipher, chain[1], back, sizeof back, &used, out, n_bytes),
                 MF_ERROR_PADDING);
    memcpy(back, text, n_bytes); /* it was wiped */
}

/* In two pieces, so that a rest of the key stream is kept in between. */
static void crypt_ctr(unsigned char *to, const unsigned char *from, unsigned counter_bits)
{
    const size_t first = n_bytes / 3;
    mf_ctr ctr;

    CHECK_STATUS(mf_ctr_init(&ctr, &cipher, iv, counter_bits), MF_OK);
    CHECK_STATUS(mf_ctr_crypt(&ctr, to, from, first), MF_OK);
    CHECK_STATUS(mf_ctr_crypt(&ctr, to + first, from + first, n_bytes - first), MF_OK);
    mf_ctr_wipe(&ctr);
}

static void run_ctr(void)
{
    crypt_ctr(out, text, (unsigned)(8 * cipher.block_bytes));
    crypt_ctr(back, out, (unsigned)(8 * cipher.block_bytes));
}

static void run_ctr_32(void)
{
    crypt_ctr(out, text, 32);
    crypt_ctr(back, out, 32);
}

static void run_ocb(void)
{
    unsigned char tag[MF_OCB_TAG_BYTES];
    mf_ocb ocb;

    CHECK_STATUS(mf_ocb_init(&ocb, &cipher), MF_OK);
    CHECK_STATUS(
        mf_ocb_encrypt(&ocb, nonce, sizeof nonce, aad, sizeof aad, out, text, n_bytes, tag), MF_OK);
    CHECK(is_secret(tag, sizeof tag));
    CHECK_STATUS(
        mf_ocb_decrypt(&ocb, nonce, sizeof nonce, aad, sizeof aad, back, out, n_bytes, tag), MF_OK);
    mf_ocb_wipe(&ocb);
}

static void run_ocb_wrong_tag(void)
{
    unsigned char tag[MF_OCB_TAG_BYTES];
    mf_ocb ocb;

    CHECK_STATUS(mf_ocb_init(&ocb, &cipher), MF_OK);
    CHECK_STATUS(
        mf_ocb_encrypt(&ocb, nonce, sizeof nonce, aad, sizeof aad, out, text, n_bytes, tag), MF_OK);
    tag[5] ^= 1;
    CHECK_STATUS(
        mf_ocb_decrypt(&ocb, nonce, sizeof nonce, aad, sizeof aad, back, out, n_bytes, tag),
        MF_ERROR_TAG);
    mf_ocb_wipe(&ocb);
    memcpy(back, text, n_bytes); /* it was wiped */
}

typedef struct mode {
    const char *name;
    size_t block_bytes; /* that it needs; 0 for any */
    bool whole_blocks;
    void (*run)(void);
} mode;

static const mode modes[] = {
    {"ECB", 0, true, run_ecb},
    {"CBC", 0, true, run_cbc},
    {"CBC padded", 0, false, run_cbc_padded},
    {"CBC, bad padding", 0, true, run_cbc_bad_padding},
    {"CTR", 0, false, run_ctr},
    {"CTR of 32 bits", 0, false, run_ctr_32},
    {"OCB", 16, false, run_ocb},
    {"OCB, wrong tag", 16, false, run_ocb_wrong_tag},
};

/* The cipher has the key already. */
static void test_mode(const mode *m, const char *cipher_name)
{
    static const size_t lengths[] = {5, BLOCK, 83, 1040, MAX_BYTES - 3, 0};

    for (const size_t *length = lengths; *length != 0; length++) {
        n_bytes = *length;
        if (m->whole_blocks) {
            n_bytes += (cipher.block_bytes - n_bytes % cipher.block_bytes) % cipher.block_bytes;
        }
        test_case("%s over %s, %zu bytes", m->name, cipher_name, n_bytes);
        watch();
        m->run();
        check_silent();
        CHECK(is_secret(out, n_bytes) && is_secret(back, n_bytes));
        (void)same_text(n_bytes);
        mark_secret(text, n_bytes);
    }
}

static void test_modes(const char *cipher_name)
{
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (modes[i].block_bytes == 0 || modes[i].block_bytes == cipher.block_bytes) {
            test_mode(&modes[i], cipher_name);
        }
    }
}

static void test_modes_over_toys(void)
{
    wide_toy_key wide;
    toy_key narrow;

    new_secrets();
    cipher = wide_toy_cipher(&wide);
    test_modes("a toy cipher");
    cipher = narrow_toy_cipher(&narrow);
    test_modes("a toy cipher of 8-byte blocks");
}

static void test_modes_over_kernel(const char *name)
{
    mf_twofish ctx;

    if (is_constant_time(name)) {
        new_secrets();
        cipher = twofish_cipher(&ctx, name, key, 16);
        test_modes(name);
        mf_twofish_wipe(&ctx);
    }
}

/* --- The rest of the library --------------------------------------------------------------------- */

static void test_pad_key(void)
{
    unsigned char padded[MF_TWOFISH_MAX_KEY_BYTES];
    size_t padded_bytes = 0;

    test_case("a short key");
    new_secrets();
    watch();
    CHECK_STATUS(mf_twofish_pad_key(padded, &padded_bytes, key, 11), MF_OK);
    CHECK(padded_bytes == 16);
    check_silent();
    CHECK(is_secret(padded, 11));
}

/* --- Planted faults ------------------------------------------------------------------------------ */

static volatile unsigned sink;
static volatile unsigned char table[256];

static void plant_branch(void)
{
    if ((key[0] & 1) != 0) {
        sink = 1; /* volatile: no conditional move can do that */
    }
}

static void plant_load(void)
{
    sink = table[key[1]];
}

static void plant_store(void)
{
    table[key[2]] = 1;
}

/* A comparison that stops at the first difference. */
static void plant_comparison(void)
{
    for (size_t i = 0; i < sizeof iv && key[i] == iv[i]; i++) {
        sink = (unsigned)i;
    }
}

static void plant_loop(void)
{
    for (unsigned n = key[3]; n > 0; n--) {
        sink = n;
    }
}

static void plant_nothing(void)
{
    sink = mf_equal(key, iv, sizeof iv) ? 1 : 2;
    mf_wipe(key, sizeof key);
}

static void check_planted(const char *name, void (*run)(void), bool is_fault)
{
    test_case("planted: %s", name);
    new_secrets();
    watch();
    run();
    CHECK((n_reported() > 0) == is_fault);
}

static void test_planted(void)
{
    check_planted("a branch on the key", plant_branch, true);
    check_planted("a load from a table by the key", plant_load, true);
    check_planted("a store to a table by the key", plant_store, true);
    check_planted("a comparison that stops early", plant_comparison, true);
    check_planted("a loop that runs key times", plant_loop, true);
    check_planted("a comparison by mf_equal, whose answer is public", plant_nothing, false);

    test_case("planted: an output that does not depend on secrets");
    new_secrets();
    memcpy(out, text, sizeof out);
    CHECK(is_secret(out, sizeof out));
    out[7] = 7;
    CHECK(!is_secret(out, sizeof out));
}

int main(int argc, char **argv)
{
    log_name = argc > 1 ? argv[1] : "";
    if (RUNNING_ON_VALGRIND == 0) {
        test_skip("constant time: to be run under valgrind");
        return test_end();
    }
    test_planted();
    each_kernel(test_kernel);
    test_modes_over_toys();
    each_kernel(test_modes_over_kernel);
    test_pad_key();
    return test_end();
}

#endif
