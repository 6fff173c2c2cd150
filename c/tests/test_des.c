/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * DES without its kernels: bad input, memory of the caller's, flaws of keys, parity, the
 * self-test, and the modes that a cipher of 8-byte blocks does not have.
 * Argument: the folder of the vector files.
 */
#include "rsp.h"
#include "support.h"

#include <manyfish/aead.h>
#include <manyfish/mac.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = MF_DES_BLOCK_BYTES, DATA = 10 * BLOCK };

static const unsigned char some_key[MF_DES_MAX_KEY_BYTES] = {
    0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF, 0x23, 0x45, 0x67, 0x89,
    0xAB, 0xCD, 0xEF, 0x01, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF, 0x01, 0x23,
};
static const unsigned char some_block[BLOCK] = {4, 5, 6};
static mf_des ctx;
static guarded buffer;

static void set_up(void)
{
    CHECK_STATUS(mf_des_init(&ctx, some_key, 24), MF_OK);
}

static void check_no_key(void)
{
    unsigned char out[BLOCK];

    CHECK(mf_des_kernel_name(&ctx) == NULL);
    CHECK(all_bytes_are(&ctx, sizeof ctx, 0));
    CHECK_STATUS(mf_des_encrypt_blocks(&ctx, out, some_block, 1), MF_ERROR_NO_KEY);
}

/* --- Keys ------------------------------------------------------------------------------------- */

static bool is_key_size(size_t n_bytes)
{
    return n_bytes == 8 || n_bytes == 16 || n_bytes == 24;
}

static void test_key_lengths(const char *kernel)
{
    static const unsigned char long_key[64] = {1};
    size_t n_bytes_needed = 77;

    for (size_t n_bytes = 0; n_bytes <= sizeof long_key; n_bytes++) {
        if (!is_key_size(n_bytes)) {
            test_case("%s, key of %zu bytes", kernel, n_bytes);
            set_up();
            CHECK_STATUS(mf_des_init_kernel(&ctx, kernel, long_key, n_bytes), MF_ERROR_KEY_LENGTH);
            check_no_key();
            set_up();
            CHECK_STATUS(mf_des_init(&ctx, long_key, n_bytes), MF_ERROR_KEY_LENGTH);
            check_no_key();
            CHECK_STATUS(mf_des_memory_bytes(kernel, n_bytes, &n_bytes_needed),
                         MF_ERROR_KEY_LENGTH);
            CHECK(n_bytes_needed == 77);
        }
    }
}

static void test_init_with(void)
{
    mf_des named;

    test_case("init with a kernel");
    CHECK_STATUS(mf_des_init_kernel(&named, "sp2k", some_key, 24), MF_OK);
    CHECK_STATUS(mf_des_init_with(&ctx, &mf_des_sp2k, some_key, 24), MF_OK);
    CHECK_BYTES(&ctx, &named, sizeof ctx);
    mf_des_wipe(&named);
    test_case("init with a kernel, NULL");
    CHECK_STATUS(mf_des_init_with(NULL, &mf_des_sp2k, some_key, 8), MF_ERROR_NULL);
    CHECK_STATUS(mf_des_init_with(&ctx, NULL, some_key, 8), MF_ERROR_NULL);
    check_no_key();
    set_up();
    CHECK_STATUS(mf_des_init_with(&ctx, &mf_des_sp2k, NULL, 8), MF_ERROR_NULL);
    check_no_key();
    test_case("init with a kernel, key of another length");
    set_up();
    CHECK_STATUS(mf_des_init_with(&ctx, &mf_des_sp2k, some_key, 9), MF_ERROR_KEY_LENGTH);
    check_no_key();
    test_case("init with a kernel, key inside of the context");
    set_up();
    CHECK_STATUS(mf_des_init_with(&ctx, &mf_des_sp2k, &ctx, 8), MF_ERROR_OVERLAP);
    check_no_key();
}

static void test_init(void)
{
    static const char *const names[] = {"", "sp2", "sp2kk", "SP2K", "sp2k ", "full"};
    size_t n_bytes = 77;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        test_case("kernel \"%s\"", names[i]);
        set_up();
        CHECK_STATUS(mf_des_init_kernel(&ctx, names[i], some_key, 8), MF_ERROR_KERNEL);
        check_no_key();
        CHECK_STATUS(mf_des_selftest(names[i], NULL, 0), MF_ERROR_KERNEL);
        CHECK_STATUS(mf_des_memory_bytes(names[i], 8, &n_bytes), MF_ERROR_KERNEL);
        CHECK(n_bytes == 77);
    }
    test_case("init, key NULL");
    set_up();
    CHECK_STATUS(mf_des_init(&ctx, NULL, 16), MF_ERROR_NULL);
    check_no_key();
    test_case("init, context NULL");
    CHECK_STATUS(mf_des_init(NULL, some_key, 16), MF_ERROR_NULL);
    CHECK_STATUS(mf_des_init_kernel(NULL, "sp2k", some_key, 16), MF_ERROR_NULL);
    CHECK_STATUS(mf_des_memory_bytes("sp2k", 8, NULL), MF_ERROR_NULL);
    test_case("init, key inside of the context");
    set_up();
    CHECK_STATUS(mf_des_init(&ctx, (unsigned char *)&ctx + 100, 16), MF_ERROR_OVERLAP);
    check_no_key();
    test_case("no key after wiping");
    set_up();
    mf_des_wipe(&ctx);
    check_no_key();
    mf_des_wipe(NULL);
}

/* Parity bits do not matter to a kernel; two keys are three. */
static void test_equal_keys(const char *kernel)
{
    unsigned char other[MF_DES_MAX_KEY_BYTES], expected[BLOCK], found[BLOCK];
    any_key key;

    for (size_t n_bytes = 8; n_bytes <= 24; n_bytes += 8) {
        test_case("%s, %zu-bit key with other parity bits", kernel, 8 * n_bytes);
        CHECK_STATUS(des_subject.init(&key, kernel, some_key, n_bytes), MF_OK);
        CHECK_STATUS(des_subject.encrypt(&key, expected, some_block, 1), MF_OK);
        for (size_t i = 0; i < sizeof other; i++) {
            other[i] = some_key[i] ^ (i % 3 == 0);
        }
        CHECK_STATUS(des_subject.init(&key, kernel, other, n_bytes), MF_OK);
        CHECK_STATUS(des_subject.encrypt(&key, found, some_block, 1), MF_OK);
        CHECK_BYTES(found, expected, BLOCK);
    }
    test_case("%s, two keys and three", kernel);
    memcpy(other, some_key, 16);
    memcpy(other + 16, some_key, 8);
    CHECK_STATUS(des_subject.init(&key, kernel, some_key, 16), MF_OK);
    CHECK_STATUS(des_subject.encrypt(&key, expected, some_block, 1), MF_OK);
    CHECK_STATUS(des_subject.init(&key, kernel, other, 24), MF_OK);
    CHECK_STATUS(des_subject.encrypt(&key, found, some_block, 1), MF_OK);
    CHECK_BYTES(found, expected, BLOCK);
    des_subject.wipe(&key);
}

/* --- Another key in a context ----------------------------------------------------------------- */

static unsigned char large_memory[1024 * 1024];

static void init_at(mf_des *c, const char *kernel, const unsigned char *key, size_t key_bytes)
{
    if (fits_context(&des_subject, kernel)) {
        CHECK_STATUS(mf_des_init_kernel(c, kernel, key, key_bytes), MF_OK);
    } else {
        CHECK_STATUS(mf_des_init_in(c, kernel, large_memory, sizeof large_memory, key, key_bytes),
                     MF_OK);
    }
}

/* From a key of any size to one of any size; nothing of the longer one is left. */
static void check_next_key(const char *kernel, size_t from, size_t to)
{
    unsigned char expected[BLOCK], found[BLOCK], other[MF_DES_MAX_KEY_BYTES];
    mf_des fresh;

    random_bytes(other, sizeof other);
    init_at(&fresh, kernel, some_key, to);
    CHECK_STATUS(mf_des_encrypt_blocks(&fresh, expected, some_block, 1), MF_OK);
    init_at(&ctx, kernel, other, from);
    CHECK_STATUS(mf_des_set_key(&ctx, some_key, to), MF_OK);
    CHECK(strcmp(mf_des_kernel_name(&ctx), kernel) == 0);
    CHECK_STATUS(mf_des_encrypt_blocks(&ctx, found, some_block, 1), MF_OK);
    CHECK_BYTES(found, expected, BLOCK);
    if (fits_context(&des_subject, kernel)) {
        CHECK_BYTES(&ctx, &fresh, sizeof ctx);
    } else {
        mf_des_wipe(&ctx);
        CHECK(all_bytes_are(large_memory, sizeof large_memory, 0));
    }
}

static void test_set_key(const char *kernel)
{
    memset(large_memory, 0, sizeof large_memory);
    for (size_t from = 8; from <= 24; from += 8) {
        for (size_t to = 8; to <= 24; to += 8) {
            test_case("%s, from a %zu-bit key to one of %zu", kernel, 8 * from, 8 * to);
            check_next_key(kernel, from, to);
        }
    }
}

static void test_set_key_errors(void)
{
    mf_des before;
    size_t one = 0, three = 0;

    test_case("another key, bad input");
    set_up();
    before = ctx;
    CHECK_STATUS(mf_des_set_key(NULL, some_key, 8), MF_ERROR_NULL);
    CHECK_STATUS(mf_des_set_key(&ctx, NULL, 8), MF_ERROR_NULL);
    CHECK_STATUS(mf_des_set_key(&ctx, some_key, 9), MF_ERROR_KEY_LENGTH);
    CHECK_STATUS(mf_des_set_key(&ctx, (unsigned char *)&ctx + 50, 8), MF_ERROR_OVERLAP);
    CHECK_BYTES(&ctx, &before, sizeof ctx);
    mf_des_wipe(&ctx);
    CHECK_STATUS(mf_des_set_key(&ctx, some_key, 8), MF_ERROR_NO_KEY);
    check_no_key();

    test_case("another key, where there is memory for a short one");
    CHECK_STATUS(mf_des_memory_bytes("sp2k", 8, &one), MF_OK);
    CHECK_STATUS(
        mf_des_init_in(&ctx, "sp2k", large_memory, one + MF_DES_MEMORY_ALIGNMENT, some_key, 8),
        MF_OK);
    CHECK_STATUS(mf_des_set_key(&ctx, some_key, 24), MF_ERROR_CAPACITY);
    CHECK_STATUS(mf_des_set_key(&ctx, large_memory + one / 2, 8), MF_ERROR_OVERLAP);
    CHECK_STATUS(mf_des_set_key(&ctx, some_key + 8, 8), MF_OK);
    mf_des_wipe(&ctx);

    test_case("another key, where one byte is missing");
    CHECK_STATUS(mf_des_memory_bytes("sp2k", 24, &three), MF_OK);
    for (size_t more = 0; more < 2; more++) {
        const size_t n_bytes = three + MF_DES_MEMORY_ALIGNMENT - 1 + more;

        CHECK_STATUS(mf_des_init_in(&ctx, "sp2k", large_memory + 1, n_bytes, some_key, 8), MF_OK);
        CHECK_STATUS(mf_des_set_key(&ctx, some_key, 24), more == 0 ? MF_ERROR_CAPACITY : MF_OK);
        mf_des_wipe(&ctx);
    }
}

/* --- Blocks ----------------------------------------------------------------------------------- */

typedef mf_status crypt_blocks(const mf_des *key, void *out, const void *in, size_t n_blocks);

static void check_refused(crypt_blocks *crypt, void *out, const void *in, size_t n_blocks,
                          mf_status expected)
{
    CHECK_STATUS(crypt(&ctx, out, in, n_blocks), expected);
    CHECK(guarded_intact(&buffer, buffer.bytes, 0));
}

static void test_blocks(crypt_blocks *crypt)
{
    unsigned char *data = guarded_place(&buffer, 0, NULL, 0) + DATA;

    set_up();
    test_case("blocks, NULL");
    check_refused(crypt, NULL, data, 3, MF_ERROR_NULL);
    check_refused(crypt, data, NULL, 3, MF_ERROR_NULL);
    CHECK_STATUS(crypt(NULL, data, data, 1), MF_ERROR_NULL);
    CHECK_STATUS(crypt(&ctx, NULL, NULL, 0), MF_OK);
    test_case("more blocks than there are addresses");
    check_refused(crypt, data, data, SIZE_MAX / BLOCK + 1, MF_ERROR_LENGTH);
    check_refused(crypt, data, data, SIZE_MAX, MF_ERROR_LENGTH);
    for (ptrdiff_t distance = 1 - DATA; distance < DATA; distance++) {
        if (distance != 0) {
            test_case("output at %td from the input", distance);
            check_refused(crypt, data + distance, data, DATA / BLOCK, MF_ERROR_OVERLAP);
        }
    }
    test_case("blocks, no key");
    mf_des_wipe(&ctx);
    check_refused(crypt, data, data, 1, MF_ERROR_NO_KEY);
}

/* Text that ends where its memory does, for the sanitizers and valgrind to see what is read
 * beyond. */
static void test_edges(const char *kernel)
{
    static const size_t lengths[] = {1, 2, 7, 31, 63, 64, 65, 250, 513};
    any_key key;

    CHECK_STATUS(des_subject.init(&key, kernel, some_key, 24), MF_OK);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        const size_t n_bytes = lengths[i] * BLOCK;
        unsigned char *in = malloc(n_bytes), *out = malloc(n_bytes);

        test_case("%s, %zu blocks in memory for no more", kernel, lengths[i]);
        if (CHECK(in != NULL && out != NULL)) {
            random_bytes(in, n_bytes);
            CHECK_STATUS(des_subject.encrypt(&key, out, in, lengths[i]), MF_OK);
            CHECK_STATUS(des_subject.decrypt(&key, out, out, lengths[i]), MF_OK);
            CHECK_BYTES(out, in, n_bytes);
        }
        free(in);
        free(out);
    }
    des_subject.wipe(&key);
}

static void test_list(void)
{
    mf_kernel_info info;
    unsigned n_defaults = 0;

    test_case("list of kernels");
    CHECK_STATUS(mf_des_kernel_info(mf_des_kernel_count(), &info), MF_ERROR_KERNEL);
    CHECK_STATUS(mf_des_kernel_info(SIZE_MAX, &info), MF_ERROR_KERNEL);
    CHECK_STATUS(mf_des_kernel_info(0, NULL), MF_ERROR_NULL);
    set_up();
    for (size_t i = 0; i < mf_des_kernel_count(); i++) {
        CHECK_STATUS(mf_des_kernel_info(i, &info), MF_OK);
        CHECK(info.max_key_bytes == 24 && info.shared_bytes == 0 && info.cpu_features != NULL);
        n_defaults += info.is_default;
        if (info.is_default) {
            CHECK(strcmp(info.name, mf_des_kernel_name(&ctx)) == 0);
        }
    }
    CHECK(n_defaults == 1);
}

/* --- Memory of the caller's ------------------------------------------------------------------- */

static unsigned char *memory;
static size_t memory_bytes;

static void get_memory(const char *kernel, size_t key_bytes)
{
    CHECK_STATUS(mf_des_memory_bytes(kernel, key_bytes, &memory_bytes), MF_OK);
    memory_bytes += MF_DES_MEMORY_ALIGNMENT;
    memory = malloc(memory_bytes);
    CHECK(memory != NULL);
    memset(memory, 0x5A, memory_bytes);
}

static void check_memory_refused(const char *kernel, size_t n_bytes, void *place,
                                 mf_status expected)
{
    set_up();
    CHECK_STATUS(mf_des_init_in(&ctx, kernel, place, n_bytes, some_key, 8), expected);
    check_no_key();
    CHECK(all_bytes_are(memory, memory_bytes, 0x5A));
}

static void test_bad_memory(const char *kernel)
{
    test_case("%s, memory that is refused", kernel);
    get_memory(kernel, 8);
    check_memory_refused(kernel, memory_bytes - 1, memory, MF_ERROR_CAPACITY);
    check_memory_refused(kernel, 0, memory, MF_ERROR_CAPACITY);
    check_memory_refused(kernel, memory_bytes, NULL, MF_ERROR_NULL);
    check_memory_refused(kernel, memory_bytes, &ctx, MF_ERROR_OVERLAP);
    CHECK_STATUS(mf_des_init_in(NULL, kernel, memory, memory_bytes, some_key, 8), MF_ERROR_NULL);
    CHECK_STATUS(mf_des_init_in(&ctx, kernel, memory, memory_bytes, some_key, 9),
                 MF_ERROR_KEY_LENGTH);
    CHECK_STATUS(mf_des_init_in(&ctx, kernel, memory, memory_bytes, NULL, 8), MF_ERROR_NULL);
    CHECK_STATUS(mf_des_init_in(&ctx, kernel, memory, memory_bytes, memory + 1, 8),
                 MF_ERROR_OVERLAP);
    CHECK(all_bytes_are(memory, memory_bytes, 0x5A));
    free(memory);
}

/* Wherever it lies: results are right, nothing else is written, and wiping leaves nothing. */
static void test_memory_at(const char *kernel, size_t key_bytes, size_t at)
{
    unsigned char expected[BLOCK], found[BLOCK];
    mf_des reference;
    size_t needed = 0, first = 0;

    CHECK_STATUS(mf_des_memory_bytes(kernel, key_bytes, &needed), MF_OK);
    memory_bytes = needed + MF_DES_MEMORY_ALIGNMENT;
    memory = malloc(memory_bytes + at);
    if (!CHECK(memory != NULL)) {
        return;
    }
    memset(memory, 0x5A, memory_bytes + at);
    CHECK_STATUS(mf_des_init_kernel(&reference, "sp2k", some_key, key_bytes), MF_OK);
    CHECK_STATUS(mf_des_encrypt_blocks(&reference, expected, some_block, 1), MF_OK);
    set_up();
    CHECK_STATUS(mf_des_init_in(&ctx, kernel, memory + at, memory_bytes, some_key, key_bytes),
                 MF_OK);
    CHECK(strcmp(mf_des_kernel_name(&ctx), kernel) == 0);
    CHECK_STATUS(mf_des_encrypt_blocks(&ctx, found, some_block, 1), MF_OK);
    CHECK_BYTES(found, expected, BLOCK);
    mf_des_wipe(&ctx);
    while (first < memory_bytes && memory[at + first] == 0x5A) {
        first++;
    }
    CHECK(first < MF_DES_MEMORY_ALIGNMENT && all_bytes_are(memory + at + first, needed, 0));
    CHECK((uintptr_t)(memory + at + first) % MF_DES_MEMORY_ALIGNMENT == 0);
    CHECK(all_bytes_are(memory + at + first + needed, memory_bytes - first - needed, 0x5A));
    free(memory);
}

/* A copy shares the memory: it has the key while the memory has, and none afterwards. */
static void test_copy_in_memory(const char *kernel, size_t key_bytes)
{
    unsigned char expected[BLOCK], found[BLOCK] = {0};
    const unsigned char zeros[BLOCK] = {0};
    mf_des copy;
    mf_cipher cipher;
    mf_ofb ofb;

    test_case("%s, %zu-bit key, copy of a context", kernel, 8 * key_bytes);
    get_memory(kernel, key_bytes);
    CHECK_STATUS(mf_des_init_in(&ctx, kernel, memory, memory_bytes, some_key, key_bytes), MF_OK);
    copy = ctx;
    cipher = mf_des_cipher(&copy);
    CHECK_STATUS(mf_des_encrypt_blocks(&ctx, expected, some_block, 1), MF_OK);
    CHECK_STATUS(mf_des_encrypt_blocks(&copy, found, some_block, 1), MF_OK);
    CHECK_BYTES(found, expected, BLOCK);
    CHECK_STATUS(mf_ofb_init(&ofb, &cipher, some_block), MF_OK);
    mf_des_wipe(&ctx);
    memset(found, 0, sizeof found);
    CHECK(mf_des_kernel_name(&copy) == NULL);
    CHECK_STATUS(mf_des_encrypt_blocks(&copy, found, some_block, 1), MF_ERROR_NO_KEY);
    CHECK_STATUS(mf_des_decrypt_blocks(&copy, found, some_block, 1), MF_ERROR_NO_KEY);
    CHECK_STATUS(mf_ofb_crypt(&ofb, found, some_block, BLOCK), MF_ERROR_NO_KEY);
    CHECK_STATUS(mf_ofb_init(&ofb, &cipher, some_block), MF_ERROR_NO_KEY);
    CHECK_BYTES(found, zeros, BLOCK);
    CHECK_STATUS(mf_des_set_key(&copy, some_key, 8), MF_ERROR_NO_KEY);
    mf_des_wipe(&copy);
    CHECK(all_bytes_are(&copy, sizeof copy, 0));
    free(memory);
}

/* Another key in a copy is another one for all, and no wiping leaves a part of it. */
static void test_next_key_of_copy(const char *kernel, size_t from, size_t to)
{
    unsigned char expected[BLOCK], found[BLOCK];
    mf_des copy;

    test_case("%s, from a %zu-bit key to one of %zu in a copy", kernel, 8 * from, 8 * to);
    memset(large_memory, 0, sizeof large_memory);
    CHECK_STATUS(
        mf_des_init_in(&ctx, kernel, large_memory, sizeof large_memory, some_key + 24 - from, from),
        MF_OK);
    copy = ctx;
    CHECK_STATUS(mf_des_set_key(&copy, some_key, to), MF_OK);
    CHECK_STATUS(mf_des_encrypt_blocks(&copy, expected, some_block, 1), MF_OK);
    CHECK_STATUS(mf_des_encrypt_blocks(&ctx, found, some_block, 1), MF_OK);
    CHECK_BYTES(found, expected, BLOCK);
    mf_des_wipe(&ctx);
    CHECK(all_bytes_are(large_memory, sizeof large_memory, 0));
    CHECK(mf_des_kernel_name(&copy) == NULL);
    mf_des_wipe(&copy);
}

/* A copy of a context that holds its key itself has a key of its own. */
static void test_copy(const char *kernel)
{
    unsigned char expected[BLOCK], found[BLOCK];
    mf_des copy;

    test_case("%s, copy of a context without memory", kernel);
    CHECK_STATUS(mf_des_init_kernel(&ctx, kernel, some_key, 24), MF_OK);
    copy = ctx;
    CHECK_STATUS(mf_des_encrypt_blocks(&ctx, expected, some_block, 1), MF_OK);
    mf_des_wipe(&ctx);
    CHECK_STATUS(mf_des_encrypt_blocks(&copy, found, some_block, 1), MF_OK);
    CHECK_BYTES(found, expected, BLOCK);
    mf_des_wipe(&copy);
    CHECK_STATUS(mf_des_encrypt_blocks(&copy, found, some_block, 1), MF_ERROR_NO_KEY);
}

/* The same memory and the same context for one key after the other: of the earlier one nothing
 * counts. */
static void test_memory_again(const char *kernel)
{
    unsigned char expected[BLOCK], found[BLOCK];
    mf_des reference;

    get_memory(kernel, 24);
    for (size_t key_bytes = 24; key_bytes >= 8; key_bytes -= 8) {
        test_case("%s, a key of %zu bits where another one was", kernel, 8 * key_bytes);
        CHECK_STATUS(mf_des_init_kernel(&reference, "sp2k", some_key + 24 - key_bytes, key_bytes),
                     MF_OK);
        CHECK_STATUS(mf_des_encrypt_blocks(&reference, expected, some_block, 1), MF_OK);
        CHECK_STATUS(mf_des_init_in(&ctx, kernel, memory, memory_bytes, some_key + 24 - key_bytes,
                                    key_bytes),
                     MF_OK);
        CHECK_STATUS(mf_des_encrypt_blocks(&ctx, found, some_block, 1), MF_OK);
        CHECK_BYTES(found, expected, BLOCK);
    }
    mf_des_wipe(&ctx);
    free(memory);
}

static void test_memory(const char *kernel)
{
    const mf_kernel_info info = info_of_kernel(&des_subject, kernel);
    size_t n_bytes = 0;

    test_bad_memory(kernel);
    for (size_t key_bytes = 8; key_bytes <= 24; key_bytes += 8) {
        for (size_t at = 0; at < 5; at++) {
            test_case("%s, %zu-bit key in memory at +%zu", kernel, 8 * key_bytes, at);
            test_memory_at(kernel, key_bytes, at);
        }
        test_copy_in_memory(kernel, key_bytes);
        test_next_key_of_copy(kernel, 8, key_bytes);
        test_next_key_of_copy(kernel, 24, key_bytes);
    }
    test_memory_again(kernel);
    if (fits_context(&des_subject, kernel)) {
        test_copy(kernel);
    }
    test_case("%s, whether a context has room", kernel);
    CHECK_STATUS(mf_des_memory_bytes(kernel, 24, &n_bytes), MF_OK);
    CHECK(n_bytes == info.expanded_key_bytes);
    CHECK_STATUS(mf_des_init_kernel(&ctx, kernel, some_key, 24),
                 fits_context(&des_subject, kernel) ? MF_OK : MF_ERROR_CAPACITY);
}

/* --- The self-test ---------------------------------------------------------------------------- */

static void test_selftest(const char *kernel)
{
    test_case("%s, self-test", kernel);
    if (fits_context(&des_subject, kernel)) {
        CHECK_STATUS(mf_des_selftest(kernel, NULL, 0), MF_OK);
        return;
    }
    CHECK_STATUS(mf_des_selftest(kernel, NULL, 0), MF_ERROR_CAPACITY);
    get_memory(kernel, 24);
    CHECK_STATUS(mf_des_selftest(kernel, memory, memory_bytes), MF_OK);
    free(memory);
}

/* --- Flaws of keys and parity ----------------------------------------------------------------- */

static unsigned flaws_of(const void *key, size_t key_bytes)
{
    unsigned flaws = UINT32_MAX;

    CHECK_STATUS(mf_des_key_flaws(&flaws, key, key_bytes), MF_OK);
    return flaws;
}

static unsigned flaw_of_set(const char *set)
{
    if (strcmp(set, "weak") == 0) {
        return MF_DES_WEAK;
    }
    return strcmp(set, "semi-weak") == 0 ? MF_DES_SEMI_WEAK : MF_DES_POSSIBLY_WEAK;
}

/* A weak key, by itself and in each place of a long one, with all its parity bits and without. */
static void check_weak_key(const unsigned char *weak, unsigned flaw)
{
    unsigned char key[MF_DES_MAX_KEY_BYTES], bare[8];

    for (size_t i = 0; i < sizeof bare; i++) {
        bare[i] = weak[i] & 0xFE;
    }
    CHECK((flaws_of(weak, 8) & ~(unsigned)MF_DES_PARITY) == flaw);
    CHECK((flaws_of(bare, 8) & ~(unsigned)MF_DES_PARITY) == flaw);
    CHECK_STATUS(mf_des_check_key(weak, 8, flaw), MF_ERROR_WEAK_KEY);
    CHECK_STATUS(mf_des_check_key(weak, 8, 0), MF_OK);
    CHECK_STATUS(mf_des_check_key(weak, 8, 7U & ~flaw), MF_OK);
    for (size_t place = 0; place < sizeof key; place += 8) {
        memcpy(key, some_key, sizeof key);
        memcpy(key + place, weak, 8);
        CHECK((flaws_of(key, sizeof key) & 7U) == flaw);
        CHECK_STATUS(mf_des_check_key(key, sizeof key, flaw), MF_ERROR_WEAK_KEY);
    }
}

static void test_weak_keys(const char *folder)
{
    static rsp_case v;
    rsp_file file;
    unsigned n_keys = 0;

    if (!rsp_open(&file, folder, "des_weak_keys.rsp")) {
        test_skip("weak keys: no des_weak_keys.rsp in %s", folder);
        return;
    }
    while (rsp_next(&file, &v)) {
        test_case("des_weak_keys.rsp, line %u", v.line);
        CHECK(v.key.n_bytes == 8);
        check_weak_key(v.key.bytes, flaw_of_set(v.set));
        for (size_t bit = 0; bit < 64; bit++) {
            /* No two of them differ in one bit, except parity. */
            v.key.bytes[bit / 8] ^= (unsigned char)(1U << bit % 8);
            CHECK((flaws_of(v.key.bytes, 8) & 7U) == (bit % 8 == 0 ? flaw_of_set(v.set) : 0));
            v.key.bytes[bit / 8] ^= (unsigned char)(1U << bit % 8);
        }
        n_keys++;
    }
    CHECK(n_keys == 64 && !file.malformed);
    rsp_close(&file);
}

/* The key whose C and D are four bits, seven times [FIPS46-3, PC-1]. */
static void key_of_fours(unsigned char key[8], unsigned c, unsigned d)
{
    memset(key, 0, 8);
    for (unsigned i = 0; i < 28; i++) {
        const unsigned C_i = 8 * (7 - i % 8) + i / 8;
        const unsigned D_i = i < 24 ? 8 * (7 - i % 8) + 6 - i / 8 : 8 * (27 - i) + 3;

        key[C_i / 8] |= (unsigned char)((c >> i % 4 & 1) << (7 - C_i % 8));
        key[D_i / 8] |= (unsigned char)((d >> i % 4 & 1) << (7 - D_i % 8));
    }
}

/* 1: all four bits are equal; 2: the first two are the last two; 4: an even number are ones; 0:
 * none of that. */
static unsigned kind_of_four(unsigned bits)
{
    if (bits == 0 || bits == 15) {
        return 1;
    }
    if (bits == 5 || bits == 10) {
        return 2;
    }
    return bits == 3 || bits == 6 || bits == 9 || bits == 12 ? 4 : 0;
}

/* Of the 256 keys that are made of four bits each, 4 + 12 + 48 are listed [SP800-67, 3.3.2]. */
static void test_keys_of_fours(void)
{
    unsigned char key[8];
    unsigned n_listed = 0;

    for (unsigned c = 0; c < 16; c++) {
        for (unsigned d = 0; d < 16; d++) {
            const unsigned kind_c = kind_of_four(c), kind_d = kind_of_four(d);
            const unsigned larger = kind_c > kind_d ? kind_c : kind_d;
            const unsigned expected = kind_c == 0 || kind_d == 0 ? 0 : larger;

            test_case("C of %u, D of %u seven times", c, d);
            key_of_fours(key, c, d);
            CHECK((flaws_of(key, sizeof key) & 7U) == expected);
            n_listed += expected != 0;
        }
    }
    CHECK(n_listed == 64);
}

static void test_equal_parts(void)
{
    unsigned char key[MF_DES_MAX_KEY_BYTES];

    test_case("a key without flaws");
    CHECK(flaws_of(some_key, 24) == 0 && flaws_of(some_key, 16) == 0 && flaws_of(some_key, 8) == 0);
    CHECK_STATUS(mf_des_check_key(some_key, 24, UINT32_MAX), MF_OK);
    for (size_t at = 8; at < sizeof key; at += 8) {
        test_case("the parts at %zu and %zu are equal, except parity", at - 8, at);
        memcpy(key, some_key, sizeof key);
        memcpy(key + at, key + at - 8, 8);
        key[at + 3] ^= 1;
        CHECK(flaws_of(key, 24) == (MF_DES_DEGENERATE | MF_DES_PARITY));
        CHECK(flaws_of(key, 16) == (at == 8 ? MF_DES_DEGENERATE | MF_DES_PARITY : 0));
        CHECK_STATUS(mf_des_check_key(key, 24, MF_DES_DEGENERATE), MF_ERROR_WEAK_KEY);
        key[at + 3] ^= 2;
        CHECK((flaws_of(key, 24) & MF_DES_DEGENERATE) == 0);
    }
    test_case("the first and the last part are equal");
    memcpy(key, some_key, sizeof key);
    memcpy(key + 16, key, 8);
    CHECK(flaws_of(key, 24) == MF_DES_TWO_KEYS);
    CHECK(flaws_of(key, 16) == 0); /* what comes behind it does not count */
    CHECK_STATUS(mf_des_check_key(key, 24, MF_DES_TWO_KEYS), MF_ERROR_WEAK_KEY);
    CHECK_STATUS(mf_des_check_key(key, 24, MF_DES_DEGENERATE), MF_OK);
}

static void test_key_errors(void)
{
    unsigned flaws = 77;

    test_case("flaws, bad input");
    for (size_t n_bytes = 0; n_bytes < 64; n_bytes++) {
        if (!is_key_size(n_bytes)) {
            CHECK_STATUS(mf_des_key_flaws(&flaws, some_key, n_bytes), MF_ERROR_KEY_LENGTH);
            CHECK_STATUS(mf_des_check_key(some_key, n_bytes, 0), MF_ERROR_KEY_LENGTH);
        }
    }
    CHECK_STATUS(mf_des_key_flaws(&flaws, NULL, 8), MF_ERROR_NULL);
    CHECK_STATUS(mf_des_key_flaws(NULL, some_key, 8), MF_ERROR_NULL);
    CHECK_STATUS(mf_des_check_key(NULL, 8, 0), MF_ERROR_NULL);
    CHECK(flaws == 77);
}

static bool is_odd(unsigned byte)
{
    unsigned n = 0;

    for (; byte != 0; byte &= byte - 1) {
        n++;
    }
    return n % 2 == 1;
}

static void test_parity(void)
{
    unsigned char key[256], out[256], copy[256];

    test_case("parity of each byte");
    for (size_t i = 0; i < sizeof key; i++) {
        key[i] = (unsigned char)i;
    }
    CHECK_STATUS(mf_des_set_parity(out, key, sizeof key), MF_OK);
    for (size_t i = 0; i < sizeof key; i++) {
        memcpy(copy, some_key, 8);
        copy[i % 8] = key[i];
        CHECK(is_odd(out[i]) && (out[i] ^ key[i]) < 2);
        CHECK(((flaws_of(copy, 8) & MF_DES_PARITY) == 0) == is_odd(key[i]));
        CHECK_STATUS(mf_des_check_key(copy, 8, MF_DES_PARITY),
                     is_odd(key[i]) ? MF_OK : MF_ERROR_PARITY);
    }
    CHECK_STATUS(mf_des_set_parity(key, key, sizeof key), MF_OK);
    CHECK_BYTES(key, out, sizeof key);

    test_case("parity, bad input");
    CHECK_STATUS(mf_des_set_parity(NULL, key, 8), MF_ERROR_NULL);
    CHECK_STATUS(mf_des_set_parity(out, NULL, 8), MF_ERROR_NULL);
    CHECK_STATUS(mf_des_set_parity(NULL, NULL, 0), MF_OK);
    memcpy(copy, key, sizeof copy);
    CHECK_STATUS(mf_des_set_parity(key + 1, key, 8), MF_ERROR_OVERLAP);
    CHECK_STATUS(mf_des_set_parity(key, key + 7, 8), MF_ERROR_OVERLAP);
    CHECK_BYTES(key, copy, sizeof key);
}

/* --- Modes for blocks of 16 bytes ------------------------------------------------------------- */

static void test_modes(void)
{
    unsigned char data[64] = {1}, copy[64], tag[16] = {0};
    mf_cipher cipher;
    mf_xts xts;
    mf_ocb ocb;
    mf_gcm gcm;
    mf_siv siv;
    mf_ctr ctr;
    mf_cfb cfb;

    test_case("modes that need blocks of 16 bytes");
    set_up();
    cipher = mf_des_cipher(&ctx);
    CHECK_STATUS(mf_xts_init(&xts, &cipher, &cipher), MF_ERROR_BLOCK);
    CHECK_STATUS(mf_ocb_init(&ocb, &cipher), MF_ERROR_BLOCK);
    CHECK_STATUS(mf_gcm_init(&gcm, &cipher), MF_ERROR_BLOCK);
    CHECK_STATUS(mf_siv_init(&siv, &cipher, &cipher), MF_ERROR_BLOCK);
    memcpy(copy, data, sizeof data);
    CHECK_STATUS(mf_ccm_encrypt(&cipher, some_key, 12, NULL, 0, data, data, 32, tag, 8),
                 MF_ERROR_BLOCK);
    CHECK_STATUS(mf_ccm_decrypt(&cipher, some_key, 12, NULL, 0, data, data, 32, tag, 8),
                 MF_ERROR_BLOCK);
    CHECK_BYTES(data, copy, sizeof data);
    CHECK(all_bytes_are(tag, sizeof tag, 0));

    test_case("counters and segments of more than a block");
    CHECK_STATUS(mf_ctr_init(&ctr, &cipher, some_block, 128), MF_ERROR_BLOCK);
    CHECK_STATUS(mf_ctr_init(&ctr, &cipher, some_block, 64), MF_OK);
    CHECK_STATUS(mf_cfb_init(&cfb, &cipher, some_block, 128), MF_ERROR_BLOCK);
    CHECK_STATUS(mf_cfb_init(&cfb, &cipher, some_block, 64), MF_OK);
}

int main(int argc, char **argv)
{
    kernels_of(&des_subject, test_key_lengths);
    kernels_of(&des_subject, test_equal_keys);
    kernels_of(&des_subject, test_set_key);
    test_set_key_errors();
    kernels_of(&des_subject, test_memory);
    kernels_of(&des_subject, test_selftest);
    kernels_of(&des_subject, test_edges);
    test_init();
    test_init_with();
    test_blocks(mf_des_encrypt_blocks);
    test_blocks(mf_des_decrypt_blocks);
    test_list();
    test_weak_keys(argc > 1 ? argv[1] : "../vectors");
    test_keys_of_fours();
    test_equal_parts();
    test_key_errors();
    test_parity();
    test_modes();
    return test_end();
}
