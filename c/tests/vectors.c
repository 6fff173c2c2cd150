/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The loop over files, cases and kernels of vectors.h. Compiled keying, which has a type of its
 * own, goes through it as if it were one more kernel.
 */
#include "vectors.h"
#include "study.h"

#include <string.h>

static const char *folder;
static const subject *tested;
static const char *kernel_under_test;
static const vector_file *files;
static size_t n_files;

static const char compiled[] = "compiled";

/* A key of 16, 24 or 32 bytes is not changed by the padding. */
static mf_cipher padded_cipher(any_key *ctx, const rsp_bytes *key)
{
    unsigned char padded[MF_TWOFISH_MAX_KEY_BYTES] = {0};
    size_t padded_bytes = 0;

    CHECK_STATUS(mf_twofish_pad_key(padded, &padded_bytes, key->bytes, key->n_bytes), MF_OK);
    if (kernel_under_test == compiled) {
        mf_twofish_wipe(&ctx->twofish);
        return compiled_cipher(false, padded, padded_bytes);
    }
    return subject_cipher(tested, ctx, kernel_under_test, padded, padded_bytes);
}

mf_cipher vector_cipher(any_key *ctx, const rsp_bytes *key)
{
    CHECK(key->present);
    return tested == &twofish_subject
               ? padded_cipher(ctx, key)
               : subject_cipher(tested, ctx, kernel_under_test, key->bytes, key->n_bytes);
}

static bool kernel_takes(size_t key_bytes)
{
    return kernel_under_test == compiled ||
           key_bytes <= info_of_kernel(tested, kernel_under_test).max_key_bytes;
}

static void check_file(const char *kernel, const vector_file *which)
{
    static rsp_case v;
    rsp_file file;
    bool any = false;

    if (!rsp_open(&file, folder, which->name)) {
        test_case("%s, %s", kernel, which->name);
        FAIL("the file can be opened");
        return;
    }
    while (rsp_next(&file, &v)) {
        any_key ctx;
        mf_cipher cipher;

        any = true;
        if (!kernel_takes(v.key.n_bytes)) {
            continue;
        }
        test_case("%s, %s, line %u", kernel, which->name, v.line);
        cipher = vector_cipher(&ctx, &v.key);
        which->body(&cipher, &v);
        tested->wipe(&ctx);
    }
    test_case("%s, %s, read to its end, line %u", kernel, which->name, file.line);
    CHECK(any && !file.malformed);
    rsp_close(&file);
}

static void test_kernel(const char *kernel)
{
    kernel_under_test = kernel;
    for (size_t i = 0; i < n_files; i++) {
        if (files[i].of == tested) {
            check_file(kernel, &files[i]);
        }
    }
}

static bool any_file_of(const subject *s)
{
    for (size_t i = 0; i < n_files; i++) {
        if (files[i].of == s) {
            return true;
        }
    }
    return false;
}

static void test_files_of(const subject *s)
{
    tested = s;
    if (any_file_of(s)) {
        kernels_of(s, test_kernel);
    }
}

int test_vector_files(int argc, char **argv, const vector_file *all, size_t n_all)
{
    rsp_file first;

    files = all;
    n_files = n_all;
    folder = argc > 1 ? argv[1] : "../vectors";
    if (!rsp_open(&first, folder, files[0].name)) {
        test_skip("no vector files in %s (the known answers of the self-tests still run)", folder);
        return test_end();
    }
    rsp_close(&first);
    test_files_of(&des_subject);
    test_files_of(&twofish_subject);
    if (has_compiled_keying()) {
        test_kernel(compiled);
    }
    return test_end();
}
