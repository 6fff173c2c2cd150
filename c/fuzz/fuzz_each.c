/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Many keys, some blocks under each, by every kernel: the same as one key after the other, from
 * place to place and in place.
 */
#include "fuzz.h"

enum { MAX_KEYS = 200, MAX_BLOCKS = 12 };

typedef struct each {
    const char *kernel; /* NULL: the default one */
    size_t key_bytes, n_keys, n_blocks;
    unsigned char *keys, *text;
} each;

/* Octets of the input over and over; two keys or blocks differ. */
static unsigned char *repeated(const fuzz_input *input, size_t unit, size_t count)
{
    unsigned char *const bytes = fuzz_buffer(unit * count);
    for (size_t i = 0; i < unit * count; i++)
        bytes[i] = input->n_bytes > 0 ? input->data[i % input->n_bytes] : 0;
    for (size_t i = 0; i < count; i++)
        for (size_t octet = 0; octet < 2; octet++)
            bytes[i * unit + octet] ^= (unsigned char)(i >> 8 * octet);
    return bytes;
}

static each any_each(fuzz_input *input)
{
    each e = {0};
    mf_kernel_info info;
    REQUIRE_OK(mf_twofish_kernel_info(fuzz_below(input, mf_twofish_kernel_count()), &info));
    e.kernel = info.runnable ? info.name : NULL;
    e.key_bytes = 16 + 8 * fuzz_below(input, 3);
    e.n_keys = fuzz_below(input, MAX_KEYS + 1);
    e.n_blocks = fuzz_below(input, MAX_BLOCKS + 1);
    e.keys = repeated(input, e.key_bytes, e.n_keys);
    e.text = repeated(input, 16, e.n_blocks * e.n_keys);
    return e;
}

/* One key after the other, by a kernel that has no other way. */
static void one_by_one(const each *e, bool decrypt, unsigned char *out)
{
    const size_t part = 16 * e->n_blocks;
    mf_twofish ctx;
    for (size_t i = 0; i < e->n_keys; i++) {
        REQUIRE_OK(mf_twofish_init_kernel(&ctx, "zero", e->keys + i * e->key_bytes, e->key_bytes));
        REQUIRE_OK((decrypt ? mf_twofish_decrypt_blocks : mf_twofish_encrypt_blocks)(
            &ctx, out + i * part, e->text + i * part, e->n_blocks));
    }
}

static void compare(const each *e, bool decrypt)
{
    const size_t n_bytes = 16 * e->n_blocks * e->n_keys;
    unsigned char *const expected = fuzz_buffer(n_bytes), *const found = fuzz_buffer(n_bytes);
    one_by_one(e, decrypt, expected);
    REQUIRE_OK((decrypt ? mf_twofish_decrypt_each : mf_twofish_encrypt_each)(
        e->kernel, found, e->text, e->n_blocks, e->keys, e->key_bytes, e->n_keys));
    REQUIRE(memcmp(found, expected, n_bytes) == 0);
    REQUIRE_OK((decrypt ? mf_twofish_encrypt_each : mf_twofish_decrypt_each)(
        e->kernel, found, found, e->n_blocks, e->keys, e->key_bytes, e->n_keys));
    REQUIRE(memcmp(found, e->text, n_bytes) == 0);
    free(expected);
    free(found);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    fuzz_input input = {data, n_bytes};
    const bool decrypt = fuzz_below(&input, 2) == 1;
    each e = any_each(&input);
    compare(&e, decrypt);
    free(e.keys);
    free(e.text);
    return 0;
}
