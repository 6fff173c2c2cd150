/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A build with bad kernels of DES in it, to show that the self-test finds them and that a kernel
 * which the CPU cannot run is refused. This file takes the place of a list of kernels.
 */
#include "support.h"

#include <manyfish/study/des.h>

#include "des/kernel.h"

enum { BLOCK = MF_DES_BLOCK_BYTES };

/* Wrong in the last bit of every block. */
static void encrypt_wrong_bit(const void *expanded_key, uint8_t *out, const uint8_t *in,
                              size_t n_blocks)
{
    mf_des_sp2k.common.encrypt_blocks(expanded_key, out, in, n_blocks);
    for (size_t n = 1; n <= n_blocks; n++) {
        out[BLOCK * n - 1] ^= 1;
    }
}

/* Right block by block, wrong in the last of many. */
static void encrypt_wrong_bulk(const void *expanded_key, uint8_t *out, const uint8_t *in,
                               size_t n_blocks)
{
    mf_des_sp2k.common.encrypt_blocks(expanded_key, out, in, n_blocks);
    if (n_blocks > 1) {
        out[BLOCK * n_blocks - BLOCK] ^= 0x80;
    }
}

/* Right in the first 512 blocks, which are the most that any kernel works on at a time. */
static void decrypt_wrong_bulk(const void *expanded_key, uint8_t *out, const uint8_t *in,
                               size_t n_blocks)
{
    mf_des_sp2k.common.decrypt_blocks(expanded_key, out, in, n_blocks);
    if (n_blocks > 512) {
        out[512 * BLOCK] ^= 1;
    }
}

/* Encrypts where it should decrypt. */
static void decrypt_not_at_all(const void *expanded_key, uint8_t *out, const uint8_t *in,
                               size_t n_blocks)
{
    mf_des_sp2k.common.encrypt_blocks(expanded_key, out, in, n_blocks);
}

/* The key, except one bit. */
static void set_key_of_ones(void *expanded_key, const uint8_t *key, unsigned n_keys)
{
    uint8_t wrong[MF_DES_MAX_KEY_BYTES];

    memcpy(wrong, key, 8 * (size_t)n_keys);
    wrong[8 * n_keys - 1] |= 2;
    mf_des_sp2k.set_key(expanded_key, wrong, n_keys);
}

/* Of three keys, the third is the first: right for DES and two keys. */
static void set_two_keys(void *expanded_key, const uint8_t *key, unsigned n_keys)
{
    uint8_t wrong[MF_DES_MAX_KEY_BYTES];

    memcpy(wrong, key, 8 * (size_t)n_keys);
    memcpy(wrong + 16, wrong, 8);
    mf_des_sp2k.set_key(expanded_key, n_keys == 3 ? wrong : key, n_keys);
}

/* Triple-DES with the keys in another order. */
static void set_swapped_keys(void *expanded_key, const uint8_t *key, unsigned n_keys)
{
    uint8_t swapped[MF_DES_MAX_KEY_BYTES];

    memcpy(swapped, key, 8 * (size_t)n_keys);
    if (n_keys == 3) {
        memcpy(swapped, key + 8, 8);
        memcpy(swapped + 8, key, 8);
    }
    mf_des_sp2k.set_key(expanded_key, swapped, n_keys);
}

/* Right for DES. */
static void set_one_key(void *expanded_key, const uint8_t *key, unsigned n_keys)
{
    (void)n_keys;
    mf_des_sp2k.set_key(expanded_key, key, 1);
}

/* In memory of the caller's. */
static void encrypt_wrong_in_memory(const void *expanded_key, uint8_t *out, const uint8_t *in,
                                    size_t n_blocks)
{
    mf_des_keyed_32k.common.encrypt_blocks(expanded_key, out, in, n_blocks);
    out[0] ^= n_blocks > 1;
}

enum { N_BAD = 9, IN_MEMORY = N_BAD - 1 };

static mf_des_kernel kernels[N_BAD + 1];

const mf_kernel *const mf_des_kernels[] = {
    &kernels[0].common,
    &kernels[1].common,
    &kernels[2].common,
    &kernels[3].common,
    &kernels[4].common,
    &kernels[5].common,
    &kernels[6].common,
    &kernels[7].common,
    &kernels[8].common,
    &kernels[9].common,
    &mf_des_sp2k.common,
    &mf_des_keyed_32k.common,
    NULL,
};

static unsigned char memory[3 * 32768 + 4096];

static void plant(void)
{
    static const char *const names[N_BAD + 1] = {
        "wrong bit", "wrong bulk",   "wrong bulk back", "no decrypt",      "wrong key",
        "two keys",  "swapped keys", "one key",         "wrong in memory", "other machine"};

    for (size_t i = 0; i <= N_BAD; i++) {
        kernels[i] = i == IN_MEMORY ? mf_des_keyed_32k : mf_des_sp2k;
        kernels[i].common.name = names[i];
    }
    kernels[0].common.encrypt_blocks = encrypt_wrong_bit;
    kernels[1].common.encrypt_blocks = encrypt_wrong_bulk;
    kernels[2].common.decrypt_blocks = decrypt_wrong_bulk;
    kernels[3].common.decrypt_blocks = decrypt_not_at_all;
    kernels[4].set_key = set_key_of_ones;
    kernels[5].set_key = set_two_keys;
    kernels[6].set_key = set_swapped_keys;
    kernels[7].set_key = set_one_key;
    kernels[IN_MEMORY].common.encrypt_blocks = encrypt_wrong_in_memory;
    kernels[N_BAD].common.cpu_features = MF_CPU_NEON | MF_CPU_AVX2; /* no machine is both */
}

/* Whatever the result: nothing of a key is left. */
static void test_selftest(const char *kernel, mf_status expected)
{
    size_t n_left = 0;

    test_case("self-test of the kernel \"%s\"", kernel);
    memset(memory, 0x5A, sizeof memory);
    CHECK_STATUS(mf_des_selftest(kernel, memory, sizeof memory), expected);
    for (size_t i = 0; i < sizeof memory; i++) {
        n_left += memory[i] != 0 && memory[i] != 0x5A;
    }
    CHECK(n_left == 0);
}

static void test_other_machine(void)
{
    static const unsigned char key[16];
    mf_kernel_info info;
    size_t n_bytes = 77;
    mf_des ctx;

    test_case("a kernel that this CPU cannot run");
    CHECK_STATUS(mf_des_init_kernel(&ctx, "other machine", key, sizeof key), MF_ERROR_CPU);
    CHECK(mf_des_kernel_name(&ctx) == NULL);
    CHECK_STATUS(mf_des_init_with(&ctx, &kernels[N_BAD], key, sizeof key), MF_ERROR_CPU);
    CHECK(mf_des_kernel_name(&ctx) == NULL);
    memset(memory, 0x5A, sizeof memory);
    CHECK_STATUS(mf_des_init_in(&ctx, "other machine", memory, sizeof memory, key, sizeof key),
                 MF_ERROR_CPU);
    CHECK(mf_des_kernel_name(&ctx) == NULL);
    CHECK(all_bytes_are(memory, sizeof memory, 0x5A));
    CHECK_STATUS(mf_des_memory_bytes("other machine", sizeof key, &n_bytes), MF_ERROR_CPU);
    CHECK(n_bytes == 77);
    CHECK_STATUS(mf_des_selftest("other machine", NULL, 0), MF_ERROR_CPU);
    CHECK_STATUS(mf_des_kernel_info(N_BAD, &info), MF_OK);
    CHECK(info.cpu_features == NULL); /* mf_cpu_names has no row for this */
    CHECK(!info.runnable && !info.is_default);
}

static void test_more_memory(void)
{
    static const unsigned char key[8];
    mf_des ctx;

    test_case("a kernel that needs more memory than a context has");
    CHECK_STATUS(mf_des_init_with(&ctx, &mf_des_keyed_32k, key, 8), MF_ERROR_CAPACITY);
    CHECK(mf_des_kernel_name(&ctx) == NULL);
}

int main(void)
{
    plant();
    for (size_t i = 0; i < N_BAD; i++) {
        test_selftest(kernels[i].common.name, MF_ERROR_SELFTEST);
    }
    test_other_machine();
    test_selftest("sp2k", MF_OK);
    test_selftest("keyed-32k", MF_OK);
    test_more_memory();
    return test_end();
}
