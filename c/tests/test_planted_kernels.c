/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A build with bad kernels in it, to show that the self-test finds them and that a kernel which the
 * CPU cannot run is refused. This file takes the place of src/twofish/kernels.c.
 */
#include "support.h"

#include "twofish/kernel.h"

/* Wrong in the last bit of every block. */
static void encrypt_wrong_bit(const void *expanded_key, uint8_t *out, const uint8_t *in,
                              size_t n_blocks)
{
    mf_twofish_zero.common.encrypt_blocks(expanded_key, out, in, n_blocks);
    for (size_t n = 1; n <= n_blocks; n++) {
        out[16 * n - 1] ^= 1;
    }
}

/* Right block by block, wrong in the last of many. */
static void encrypt_wrong_bulk(const void *expanded_key, uint8_t *out, const uint8_t *in,
                               size_t n_blocks)
{
    mf_twofish_zero.common.encrypt_blocks(expanded_key, out, in, n_blocks);
    if (n_blocks > 1) {
        out[16 * n_blocks - 16] ^= 0x80;
    }
}

static void decrypt_wrong_bulk(const void *expanded_key, uint8_t *out, const uint8_t *in,
                               size_t n_blocks)
{
    mf_twofish_zero.common.decrypt_blocks(expanded_key, out, in, n_blocks);
    if (n_blocks > 1) {
        out[0] ^= 1;
    }
}

/* Encrypts where it should decrypt. */
static void decrypt_not_at_all(const void *expanded_key, uint8_t *out, const uint8_t *in,
                               size_t n_blocks)
{
    mf_twofish_zero.common.encrypt_blocks(expanded_key, out, in, n_blocks);
}

/* Takes the right key, except its last byte. */
static void set_wrong_key(void *expanded_key, const uint8_t *key, unsigned k)
{
    uint8_t wrong[MF_TWOFISH_MAX_KEY_BYTES];

    for (unsigned i = 0; i < 8 * k; i++) {
        wrong[i] = key[i];
    }
    wrong[8 * k - 1] = 0;
    mf_twofish_zero.set_key(expanded_key, wrong, k);
}

static mf_twofish_kernel kernels[6];

const mf_kernel *const mf_twofish_kernels[] = {
    &kernels[0].common, &kernels[1].common, &kernels[2].common,      &kernels[3].common,
    &kernels[4].common, &kernels[5].common, &mf_twofish_zero.common, NULL,
};

static void plant(void)
{
    static const char *const names[] = {"wrong bit",  "wrong bulk", "wrong bulk back",
                                        "no decrypt", "wrong key",  "other machine"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        kernels[i] = mf_twofish_zero;
        kernels[i].common.name = names[i];
    }
    kernels[0].common.encrypt_blocks = encrypt_wrong_bit;
    kernels[1].common.encrypt_blocks = encrypt_wrong_bulk;
    kernels[2].common.decrypt_blocks = decrypt_wrong_bulk;
    kernels[3].common.decrypt_blocks = decrypt_not_at_all;
    kernels[4].set_key = set_wrong_key;
    kernels[5].common.cpu_features = MF_CPU_NEON | MF_CPU_AVX2; /* no machine is both */
}

static void test_selftest(size_t index)
{
    test_case("self-test of the kernel \"%s\"", kernels[index].common.name);
    CHECK_STATUS(mf_twofish_selftest(kernels[index].common.name), MF_ERROR_SELFTEST);
}

static void test_other_machine(void)
{
    static const unsigned char key[16];
    mf_kernel_info info;
    mf_twofish ctx;

    test_case("a kernel that this CPU cannot run");
    CHECK_STATUS(mf_twofish_init_kernel(&ctx, "other machine", key, sizeof key), MF_ERROR_CPU);
    CHECK(mf_twofish_kernel_name(&ctx) == NULL);
    CHECK_STATUS(mf_twofish_init_with(&ctx, &kernels[5], key, sizeof key), MF_ERROR_CPU);
    CHECK(mf_twofish_kernel_name(&ctx) == NULL);
    CHECK_STATUS(mf_twofish_selftest("other machine"), MF_ERROR_CPU);
    CHECK_STATUS(mf_twofish_kernel_info(5, &info), MF_OK);
    CHECK(info.cpu_features == NULL); /* mf_cpu_names has no row for this */
    CHECK(!info.runnable && !info.is_default);
}

int main(void)
{
    plant();
    for (size_t i = 0; i < 5; i++) {
        test_selftest(i);
    }
    test_other_machine();
    test_case("the good kernel among them");
    CHECK_STATUS(mf_twofish_selftest("zero"), MF_OK);
    return test_end();
}
