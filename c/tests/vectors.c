/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The loop over files, cases and kernels of vectors.h.
 */
#include "vectors.h"

static const char *folder;
static const vector_file *files;
static size_t n_files;

/* A key of 16, 24 or 32 bytes is not changed by the padding. */
static mf_cipher padded_cipher(mf_twofish *ctx, const char *kernel, const rsp_bytes *key)
{
    unsigned char padded[MF_TWOFISH_MAX_KEY_BYTES] = {0};
    size_t padded_bytes = 0;

    CHECK(key->present);
    CHECK_STATUS(mf_twofish_pad_key(padded, &padded_bytes, key->bytes, key->n_bytes), MF_OK);
    return twofish_cipher(ctx, kernel, padded, padded_bytes);
}

mf_cipher vector_cipher(mf_twofish *ctx, const mf_cipher *same_kernel, const rsp_bytes *key)
{
    const mf_twofish *other = (const mf_twofish *)same_kernel->key;

    return padded_cipher(ctx, mf_twofish_kernel_name(other), key);
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
        mf_twofish ctx;
        mf_cipher cipher;

        test_case("%s, %s, line %u", kernel, which->name, v.line);
        cipher = padded_cipher(&ctx, kernel, &v.key);
        which->body(&cipher, &v);
        mf_twofish_wipe(&ctx);
        any = true;
    }
    test_case("%s, %s, read to its end, line %u", kernel, which->name, file.line);
    CHECK(any && !file.malformed);
    rsp_close(&file);
}

static void test_kernel(const char *kernel)
{
    for (size_t i = 0; i < n_files; i++) {
        check_file(kernel, &files[i]);
    }
}

int test_vector_files(int argc, char **argv, const vector_file *all, size_t n_all)
{
    rsp_file first;

    files = all;
    n_files = n_all;
    folder = argc > 1 ? argv[1] : "../vectors";
    if (!rsp_open(&first, folder, files[0].name)) {
        test_skip("no vector files in %s (the known answers of mf_twofish_selftest still run)",
                  folder);
        return test_end();
    }
    rsp_close(&first);
    each_kernel(test_kernel);
    return test_end();
}
