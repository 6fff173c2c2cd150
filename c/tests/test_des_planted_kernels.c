/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A build with bad kernels of DES in it, to show that the self-test finds them. This file takes the place of
 * src/des/kernels.c.
 */
#include "support.h"

#include "des/kernel.h"

extern const mf_des_kernel mf_des_sp2k;

enum { BLOCK = MF_DES_BLOCK_BYTES };

/* Wrong in the last bit of every block. */
static void encrypt_wrong_bit(const void *expanded_key, uint8_t *out, const uint8_t *in,
                              size_t n_blocks)
{
    mf_des_sp2k.encrypt_blocks(expanded_key, out, in, n_blocks);
    for (size_t n = 1; n <= n_blocks; n++) {
        out[BLOCK * n - 1] ^= 1;
    }
}

/* Right block by block, wrong in the last of many. */
static void encrypt_wrong_bulk(const void *expanded_key, uint8_t *out, const uint8_t *in,
                               size_t n_blocks)
{
    mf_des_sp2k.encrypt_blocks(expanded_key, out, in, n_blocks);
    if (n_blocks > 1) {
        out[BLOCK * (n_blocks - 1)] ^= 0x80;
    }
}

static void decrypt_wrong_bulk(const void *expanded_key, uint8_t *out, const uint8_t *in,
                               size_t n_blocks)
{
    mf_des_sp2k.decrypt_blocks(expanded_key, out, in, n_blocks);
    if (n_blocks > 1) {
        out[0] ^= 1;
    }
}

/* Encrypts where it should decrypt. */
static void decrypt_not_at_all(const void *expanded_key, uint8_t *out, const uint8_t *in,
                               size_t n_blocks)
{
    mf_des_sp2k.encrypt_blocks(expanded_key, out, in, n_blocks);
}

/* Takes the right key, but for one bit of its last byte that is not for parity. */
static void set_wrong_key(void *expanded_key, const uint8_t *key, unsigned n_keys)
{
    uint8_t wrong[MF_DES_MAX_KEY_BYTES];

    memcpy(wrong, key, 8 * (size_t)n_keys);
    wrong[8 * n_keys - 1] ^= 2;
    mf_des_sp2k.set_key(expanded_key, wrong, n_keys);
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

enum { N_BAD = 6 };

static mf_des_kernel kernels[N_BAD + 1];

const mf_des_kernel *const mf_des_kernels[] = {
    &kernels[0], &kernels[1], &kernels[2],  &kernels[3], &kernels[4],
    &kernels[5], &kernels[6], &mf_des_sp2k, NULL,
};

static void plant(void)
{
    static const char *const names[N_BAD + 1] = {"wrong bit",    "wrong bulk", "wrong bulk back",
                                                 "no decrypt",   "wrong key",  "swapped keys",
                                                 "other machine"};

    for (size_t i = 0; i <= N_BAD; i++) {
        kernels[i] = mf_des_sp2k;
        kernels[i].name = names[i];
    }
    kernels[0].encrypt_blocks = encrypt_wrong_bit;
    kernels[1].encrypt_blocks = encrypt_wrong_bulk;
    kernels[2].decrypt_blocks = decrypt_wrong_bulk;
    kernels[3].decrypt_blocks = decrypt_not_at_all;
    kernels[4].set_key = set_wrong_key;
    kernels[5].set_key = set_swapped_keys;
    kernels[N_BAD].cpu_features = MF_CPU_NEON | MF_CPU_AVX2; /* no machine is both */
}

static void test_other_machine(void)
{
    static const unsigned char key[8];
    mf_kernel_info info;
    mf_des ctx;

    test_case("a kernel that this CPU cannot run");
    CHECK_STATUS(mf_des_init_kernel(&ctx, "other machine", key, sizeof key), MF_ERROR_CPU);
    CHECK(mf_des_kernel_name(&ctx) == NULL);
    CHECK_STATUS(mf_des_selftest("other machine", NULL, 0), MF_ERROR_CPU);
    CHECK_STATUS(mf_des_kernel_info(N_BAD, &info), MF_OK);
    CHECK(info.cpu_features == NULL); /* mf_cpu_names has no row for this */
    CHECK(!info.runnable && !info.is_default);
}

int main(void)
{
    plant();
    for (size_t i = 0; i < N_BAD; i++) {
        test_case("self-test of the kernel \"%s\"", kernels[i].name);
        CHECK_STATUS(mf_des_selftest(kernels[i].name, NULL, 0), MF_ERROR_SELFTEST);
    }
    test_other_machine();
    test_case("the good kernel among them");
    CHECK_STATUS(mf_des_selftest("sp2k", NULL, 0), MF_OK);
    return test_end();
}
