/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "fuzz.h"

enum { MAX_REPEATS = 8 };

void fuzz_failed(const char *condition, const char *file, int line)
{
    (void)fprintf(stderr, "%s:%d: expected %s\n", file, line, condition);
    abort();
}

void fuzz_bytes(fuzz_input *input, void *out, size_t n_bytes)
{
    const size_t taken = n_bytes < input->n_bytes ? n_bytes : input->n_bytes;
    memset(out, 0, n_bytes);
    if (taken == 0)
        return;
    memcpy(out, input->data, taken);
    input->data += taken;
    input->n_bytes -= taken;
}

size_t fuzz_below(fuzz_input *input, size_t bound)
{
    unsigned char bytes[2] = {0};
    fuzz_bytes(input, bytes, bound > 256 ? 2 : 1);
    return ((size_t)bytes[1] << 8 | bytes[0]) % bound;
}

unsigned char *fuzz_buffer(size_t n_bytes)
{
    unsigned char *buffer = calloc(n_bytes > 0 ? n_bytes : 1, 1);
    REQUIRE(buffer != NULL);
    return buffer;
}

unsigned char *fuzz_text(fuzz_input *input, size_t *n_bytes)
{
    const size_t repeats = 1 + fuzz_below(input, MAX_REPEATS);
    const size_t unit = input->n_bytes;
    unsigned char *const text = fuzz_buffer(repeats * unit);
    for (size_t i = 0; i < repeats && unit > 0; i++)
        memcpy(text + i * unit, input->data, unit);
    *n_bytes = repeats * unit;
    return text;
}

void fuzz_twofish(fuzz_input *input, fuzz_cipher *out)
{
    unsigned char key[MF_TWOFISH_MAX_KEY_BYTES];
    const size_t key_bytes = 16 + 8 * fuzz_below(input, 3);
    mf_kernel_info info;
    fuzz_bytes(input, key, sizeof key);
    REQUIRE_OK(mf_twofish_kernel_info(fuzz_below(input, mf_twofish_kernel_count()), &info));
    REQUIRE_OK(
        mf_twofish_init_kernel(&out->twofish, info.runnable ? info.name : NULL, key, key_bytes));
    out->cipher = mf_twofish_cipher(&out->twofish);
}

static void any_des(fuzz_input *input, fuzz_cipher *out)
{
    unsigned char key[MF_DES_MAX_KEY_BYTES];
    const size_t key_bytes = 8 + 8 * fuzz_below(input, 3);
    mf_kernel_info info;
    fuzz_bytes(input, key, sizeof key);
    REQUIRE_OK(mf_des_kernel_info(fuzz_below(input, mf_des_kernel_count()), &info));
    const mf_status status =
        mf_des_init_kernel(&out->des, info.runnable ? info.name : NULL, key, key_bytes);
    if (status == MF_ERROR_CAPACITY) /* its tables need memory of their own */
        REQUIRE_OK(mf_des_init(&out->des, key, key_bytes));
    out->cipher = mf_des_cipher(&out->des);
}

void fuzz_any_cipher(fuzz_input *input, fuzz_cipher *out)
{
    if (fuzz_below(input, 2) == 0)
        fuzz_twofish(input, out);
    else
        any_des(input, out);
}
