/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Many keys, a few blocks under each: every kernel against one key after the other by the kernel
 * that is nearest to the definition, all numbers of keys up to three times the lanes, in place and
 * apart, at odd addresses, and nothing written outside; the vector files in one call; bad input.
 * Argument: the folder of the vector files.
 */
#include "rsp.h"
#include "support.h"

#ifdef INTERNAL
#include "twofish/each.h"
#endif

#include <stdint.h>
#include <string.h>

enum {
    BLOCK = MF_TWOFISH_BLOCK_BYTES,
    MAX_LANES = 64,
    MAX_KEYS = 3 * MAX_LANES + 1,
    MAX_BLOCKS = 2,
    MANY_BLOCKS = 200, /* more than any way takes in lanes */
    MAX_BYTES = MAX_KEYS * MAX_BLOCKS * BLOCK,
    ODD = 3
};

_Static_assert(MAX_BYTES + ODD <= GUARDED_BYTES, "more than the buffers hold");

typedef mf_status each_function(const char *kernel, void *out, const void *in, size_t n_blocks,
                                const void *keys, size_t key_bytes, size_t n_keys);

typedef struct direction {
    const char *name;
    each_function *crypt;
    mf_status (*singly)(const mf_twofish *ctx, void *out, const void *in, size_t n_blocks);
} direction;

static const direction directions[] = {
    {"encrypt", mf_twofish_encrypt_each, mf_twofish_encrypt_blocks},
    {"decrypt", mf_twofish_decrypt_each, mf_twofish_decrypt_blocks},
};

enum { N_DIRECTIONS = sizeof directions / sizeof directions[0] };

static unsigned char key_buffer[MAX_KEYS * MF_TWOFISH_MAX_KEY_BYTES + ODD];
static unsigned char *const keys = key_buffer + ODD;
static unsigned char text[MAX_BYTES], expected[MAX_BYTES];
static guarded in_buffer, out_buffer;

/* One key after the other, by the kernel `zero`. */
static void compute_expected(const direction *d, unsigned char *out, const unsigned char *in,
                             size_t n_blocks, size_t key_bytes, size_t n_keys)
{
    mf_twofish ctx;

    for (size_t i = 0; i < n_keys; i++) {
        const size_t at = i * n_blocks * BLOCK;
        CHECK_STATUS(mf_twofish_init_kernel(&ctx, "zero", keys + i * key_bytes, key_bytes), MF_OK);
        CHECK_STATUS(d->singly(&ctx, out + at, in + at, n_blocks), MF_OK);
    }
    mf_twofish_wipe(&ctx);
}

/* --- Random keys and blocks ------------------------------------------------------------------- */

static void compare(const direction *d, const char *kernel, size_t n_blocks, size_t key_bytes,
                    size_t n_keys)
{
    const size_t n_bytes = n_keys * n_blocks * BLOCK;
    unsigned char *in = guarded_place(&in_buffer, 1, text, n_bytes);
    unsigned char *out = guarded_place(&out_buffer, ODD, NULL, 0);

    test_case("%s, %s, %zu keys of %zu bits, %zu blocks each", kernel, d->name, n_keys,
              8 * key_bytes, n_blocks);
    CHECK_STATUS(d->crypt(kernel, out, in, n_blocks, keys, key_bytes, n_keys), MF_OK);
    CHECK_BYTES(out, expected, n_bytes);
    CHECK(guarded_intact(&in_buffer, in, 0));
    CHECK(guarded_intact(&out_buffer, out, n_bytes));
    CHECK_STATUS(d->crypt(kernel, in, in, n_blocks, keys, key_bytes, n_keys), MF_OK);
    CHECK_BYTES(in, expected, n_bytes);
    CHECK(guarded_intact(&in_buffer, in, n_bytes));
}

/* Of the numbers of keys those around the lanes, if all would take long. */
static bool is_telling_number(size_t n_keys, size_t lanes)
{
    return !test_quick() || n_keys <= 6 || (n_keys + 1) % lanes <= 2;
}

static void test_random_keys(const char *kernel, const direction *d, size_t key_bytes)
{
    const size_t lanes = info_of_kernel(&twofish_subject, kernel).lanes;
    const size_t most = lanes < MAX_LANES ? 3 * lanes + 1 : MAX_KEYS;

    for (size_t n_blocks = 1; n_blocks <= MAX_BLOCKS; n_blocks++) {
        random_bytes(key_buffer, sizeof key_buffer);
        random_bytes(text, sizeof text);
        compute_expected(d, expected, text, n_blocks, key_bytes, most);
        for (size_t n_keys = 0; n_keys <= most; n_keys++) {
            if (is_telling_number(n_keys, lanes)) {
                compare(d, kernel, n_blocks, key_bytes, n_keys);
            }
        }
    }
}

/* With this many blocks the keys are better expanded one after the other. */
static void test_many_blocks(const char *kernel, const direction *d, size_t key_bytes)
{
    enum { N_KEYS = 3, N_BYTES = N_KEYS * MANY_BLOCKS * BLOCK };
    static unsigned char in[N_BYTES], out[N_BYTES], right[N_BYTES];

    test_case("%s, %s, %zu-bit keys, %d blocks each", kernel, d->name, 8 * key_bytes, MANY_BLOCKS);
    random_bytes(key_buffer, sizeof key_buffer);
    random_bytes(in, sizeof in);
    compute_expected(d, right, in, MANY_BLOCKS, key_bytes, N_KEYS);
    CHECK_STATUS(d->crypt(kernel, out, in, MANY_BLOCKS, keys, key_bytes, N_KEYS), MF_OK);
    CHECK_BYTES(out, right, sizeof out);
}

static void test_kernel(const char *kernel)
{
    for (size_t i = 0; i < N_DIRECTIONS; i++) {
        for (const size_t *key_bytes = key_sizes; *key_bytes != 0; key_bytes++) {
            if (takes_key(kernel, *key_bytes)) {
                test_random_keys(kernel, &directions[i], *key_bytes);
                test_many_blocks(kernel, &directions[i], *key_bytes);
            }
        }
    }
}

/* --- The vector files ------------------------------------------------------------------------- */

static const char *folder;
static const char *const files[] = {"twofish_ecb_tbl.rsp", "twofish_ecb_vk.rsp",
                                    "twofish_ecb_vt.rsp", "twofish_ecb_ival.rsp"};

enum { N_FILES = sizeof files / sizeof files[0], MAX_CASES = 1024 };

/* The cases of all files, of one length of key. */
static size_t read_cases(unsigned char pt[][BLOCK], unsigned char ct[][BLOCK],
                         unsigned char (*key)[MF_TWOFISH_MAX_KEY_BYTES], size_t key_bytes)
{
    static rsp_case v;
    size_t n = 0;

    for (size_t i = 0; i < N_FILES; i++) {
        rsp_file file;
        if (!CHECK(rsp_open(&file, folder, files[i]))) {
            continue;
        }
        while (rsp_next(&file, &v) && CHECK(n < MAX_CASES)) {
            if (v.key.n_bytes == key_bytes) {
                memcpy((unsigned char *)key + n * key_bytes, v.key.bytes, key_bytes);
                memcpy(pt[n], v.pt.bytes, BLOCK);
                memcpy(ct[n], v.ct.bytes, BLOCK);
                n++;
            }
        }
        CHECK(!file.malformed);
        rsp_close(&file);
    }
    return n;
}

static void test_vectors(const char *kernel)
{
    static unsigned char key[MAX_CASES][MF_TWOFISH_MAX_KEY_BYTES];
    static unsigned char pt[MAX_CASES][BLOCK], ct[MAX_CASES][BLOCK], out[MAX_CASES][BLOCK];

    for (const size_t *key_bytes = key_sizes; *key_bytes != 0; key_bytes++) {
        if (takes_key(kernel, *key_bytes)) {
            test_case("%s, the vectors for keys of %zu bits", kernel, 8 * *key_bytes);
            const size_t n = read_cases(pt, ct, key, *key_bytes);
            CHECK(n > MAX_LANES);
            CHECK_STATUS(mf_twofish_encrypt_each(kernel, out, pt, 1, key, *key_bytes, n), MF_OK);
            CHECK_BYTES(out, ct, n * BLOCK);
            CHECK_STATUS(mf_twofish_decrypt_each(kernel, out, ct, 1, key, *key_bytes, n), MF_OK);
            CHECK_BYTES(out, pt, n * BLOCK);
        }
    }
}

/* --- Bad input -------------------------------------------------------------------------------- */

static void test_refusals(const direction *d)
{
    static unsigned char buffer[4 * BLOCK], before[4 * BLOCK];
    static const unsigned char some_keys[2 * MF_TWOFISH_MAX_KEY_BYTES] = {1, 2, 3};
    const size_t too_many = SIZE_MAX / BLOCK;

    test_case("%s, refusals", d->name);
    random_bytes(buffer, sizeof buffer);
    memcpy(before, buffer, sizeof buffer);
    for (size_t n = 0; n < 40; n++) {
        const bool right = n == 16 || n == 24 || n == 32;
        CHECK_STATUS(d->crypt(NULL, buffer, buffer, 0, some_keys, n, 2),
                     right ? MF_OK : MF_ERROR_KEY_LENGTH);
        CHECK_STATUS(d->crypt(NULL, NULL, NULL, 1, NULL, n, 0),
                     right ? MF_OK : MF_ERROR_KEY_LENGTH);
    }
    CHECK_STATUS(d->crypt(NULL, NULL, buffer, 1, some_keys, 16, 2), MF_ERROR_NULL);
    CHECK_STATUS(d->crypt(NULL, buffer, NULL, 1, some_keys, 16, 2), MF_ERROR_NULL);
    CHECK_STATUS(d->crypt(NULL, buffer, buffer, 1, NULL, 16, 2), MF_ERROR_NULL);
    CHECK_STATUS(d->crypt(NULL, buffer, buffer, 2, some_keys, 16, too_many), MF_ERROR_LENGTH);
    CHECK_STATUS(d->crypt(NULL, buffer, buffer, too_many, some_keys, 16, 2), MF_ERROR_LENGTH);
    CHECK_STATUS(d->crypt(NULL, buffer, buffer, 1, some_keys, 32, too_many), MF_ERROR_LENGTH);
    CHECK_STATUS(d->crypt(NULL, buffer + 1, buffer, 1, some_keys, 16, 2), MF_ERROR_OVERLAP);
    CHECK_STATUS(d->crypt(NULL, buffer, buffer + BLOCK, 1, some_keys, 16, 2), MF_ERROR_OVERLAP);
    CHECK_STATUS(d->crypt(NULL, buffer, buffer, 1, buffer, 16, 2), MF_ERROR_OVERLAP);
    CHECK_STATUS(d->crypt(NULL, buffer, buffer, 1, buffer + 2 * BLOCK - 1, 16, 2),
                 MF_ERROR_OVERLAP);
    CHECK_STATUS(d->crypt("none", buffer, buffer, 1, some_keys, 16, 2), MF_ERROR_KERNEL);
    CHECK_BYTES(buffer, before, sizeof buffer);
    CHECK_STATUS(d->crypt(NULL, buffer, buffer, 1, buffer + 2 * BLOCK, 16, 2), MF_OK);
    CHECK(memcmp(buffer, before, 2 * BLOCK) != 0);
    CHECK_BYTES(buffer + 2 * BLOCK, before + 2 * BLOCK, 2 * BLOCK);
}

/* Keys may lie in the blocks that are read. */
static void test_default(const direction *d)
{
    test_case("%s, the default kernel, keys that are the blocks", d->name);
    random_bytes(keys, MAX_KEYS * BLOCK);
    compute_expected(d, expected, keys, 1, BLOCK, MAX_KEYS);
    CHECK_STATUS(d->crypt(NULL, text, keys, 1, keys, BLOCK, MAX_KEYS), MF_OK);
    CHECK_BYTES(text, expected, MAX_KEYS * BLOCK);
}

/* A kernel that cannot run here is refused. */
static void test_missing_features(void)
{
    unsigned char block[BLOCK] = {0};

    for (size_t i = 0; i < mf_twofish_kernel_count(); i++) {
        mf_kernel_info info;
        CHECK_STATUS(mf_twofish_kernel_info(i, &info), MF_OK);
        if (!info.runnable && info.shared_bytes == 0) {
            test_case("%s, which cannot run here", info.name);
            CHECK_STATUS(mf_twofish_encrypt_each(info.name, block, block, 1, keys, 16, 1),
                         MF_ERROR_CPU);
        }
    }
}

#ifdef INTERNAL
/* Under a wrong name a variant would never be chosen, and all tests would hold without it. */
static void test_names(void)
{
    for (size_t i = 0; mf_twofish_each_variants[i] != NULL; i++) {
        test_case("the variant of the kernel %s", mf_twofish_each_variants[i]->kernel);
        CHECK(info_of_kernel(&twofish_subject, mf_twofish_each_variants[i]->kernel).constant_time);
        CHECK(mf_twofish_each_variants[i]->lanes <= MAX_LANES);
    }
}
#endif

int main(int argc, char **argv)
{
    rsp_file first;

    each_kernel(test_kernel);
    folder = argc > 1 ? argv[1] : "../vectors";
    if (rsp_open(&first, folder, files[0])) {
        rsp_close(&first);
        each_kernel(test_vectors);
    } else {
        test_skip("no vector files in %s", folder);
    }
    for (size_t i = 0; i < N_DIRECTIONS; i++) {
        test_refusals(&directions[i]);
        test_default(&directions[i]);
    }
    test_missing_features();
#ifdef INTERNAL
    test_names();
#endif
    return test_end();
}
