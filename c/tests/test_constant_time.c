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
/* Before the names of constant_time.h, which parameters in it have too. */
#include "twofish/kernel.h"

#include "constant_time.h"
#include "study.h"

#include <manyfish/twofish_choice.h>

#include <string.h>
#include <valgrind/valgrind.h>

/* --- Kernels ---------------------------------------------------------------------------------- */

static const subject *tested;

static const size_t counts[] = {1, 2, 5, 16, 33, 64, 100, 140, 0};
static const size_t des_counts[] = {1, 3, 64, 150, 257, MAX_BYTES / 8, 0};

static void test_constant_time_kernel(const char *name, size_t key_bytes)
{
    const size_t block = tested->block_bytes;
    any_key ctx;

    for (const size_t *n = block == BLOCK ? counts : des_counts; *n != 0; n++) {
        test_case("%s, %zu-bit key, %zu blocks", name, 8 * key_bytes, *n);
        new_secrets();
        watch();
        CHECK_STATUS(tested->init(&ctx, name, key, key_bytes), MF_OK);
        CHECK_STATUS(tested->encrypt(&ctx, out, text, *n), MF_OK);
        CHECK_STATUS(tested->decrypt(&ctx, back, out, *n), MF_OK);
        check_silent();
        CHECK(is_secret(out, *n * block) && is_secret(back, *n * block));
        check_same_text(*n * block);
    }
    tested->wipe(&ctx);
}

/* The negative control: these address tables by secrets, in each of their three functions. */
static void test_table_kernel(const char *name, size_t key_bytes)
{
    any_key ctx;

    test_case("%s, %zu-bit key, must be reported", name, 8 * key_bytes);
    new_secrets();
    watch();
    CHECK_STATUS(tested->init(&ctx, name, key, key_bytes), MF_OK);
    CHECK(n_reported() > 0);
    watch();
    CHECK_STATUS(tested->encrypt(&ctx, out, text, 1), MF_OK);
    CHECK(n_reported() > 0);
    watch();
    CHECK_STATUS(tested->decrypt(&ctx, out, text, 1), MF_OK);
    CHECK(n_reported() > 0);
    tested->wipe(&ctx);
}

/* Many keys: all in lanes, and a rest one after the other. */
static void test_each(const char *name, size_t key_bytes)
{
    enum { N_KEYS = 64 + 1 };
    static unsigned char many[N_KEYS * MF_TWOFISH_MAX_KEY_BYTES];

    test_case("%s, %d keys of %zu bits", name, N_KEYS, 8 * key_bytes);
    new_secrets();
    random_bytes(many, sizeof many);
    mark_secret(many, sizeof many);
    watch();
    CHECK_STATUS(mf_twofish_encrypt_each(name, out, text, 1, many, key_bytes, N_KEYS), MF_OK);
    CHECK_STATUS(mf_twofish_decrypt_each(name, back, out, 1, many, key_bytes, N_KEYS), MF_OK);
    check_silent();
    CHECK(is_secret(out, (size_t)N_KEYS * BLOCK) && is_secret(back, (size_t)N_KEYS * BLOCK));
    check_same_text((size_t)N_KEYS * BLOCK);
}

/* The constant-time set-up of a kernel whose other functions are not, by each that offers one. */
static void test_ct_set_up(const mf_twofish_kernel *by, const mf_twofish_kernel *kernel,
                           size_t key_bytes)
{
    static mf_twofish ctx;

    test_case("%s, set up by %s, %zu-bit key", kernel->common.name, by->common.name, 8 * key_bytes);
    new_secrets();
    watch();
    kernel->set_key_ct(ctx.expanded_key, key, (unsigned)(key_bytes / 8), by->setup);
    check_silent();
    CHECK(is_secret(ctx.expanded_key, 4 * MF_TWOFISH_SUBKEYS));
    CHECK(kernel->common.expanded_key_bytes < 1024 ||
          is_secret(&ctx.expanded_key[MF_TWOFISH_SUBKEYS], 1024));
    mark_public(&ctx, sizeof ctx);
}

static void test_ct_set_ups(void)
{
    for (size_t i = 0; mf_twofish_kernels[i] != NULL; i++) {
        const mf_twofish_kernel *by = mf_twofish_kernel_of(mf_twofish_kernels[i]);
        for (size_t j = 0; mf_twofish_kernels[j] != NULL; j++) {
            const mf_twofish_kernel *kernel = mf_twofish_kernel_of(mf_twofish_kernels[j]);
            if (by->setup != NULL && mf_cpu_has(by->common.cpu_features) &&
                kernel->set_key_ct != NULL) {
                test_ct_set_up(by, kernel, 16);
                test_ct_set_up(by, kernel, 24);
                test_ct_set_up(by, kernel, 32);
            }
        }
    }
}

/* Through the front end, which adds what it does itself. */
static void test_ct_init(const char *name, size_t key_bytes)
{
    mf_twofish ctx;

    test_case("%s, %zu-bit key, constant-time set-up", name, 8 * key_bytes);
    new_secrets();
    watch();
    const mf_status status = mf_twofish_init_kernel_ct_set_up(&ctx, name, key, key_bytes);
    check_silent();
    CHECK(status == MF_OK || status == MF_ERROR_POLICY);
    CHECK(status == MF_ERROR_POLICY || is_secret(ctx.expanded_key, 4 * MF_TWOFISH_SUBKEYS));
    mf_twofish_wipe(&ctx);
}

static void test_ct_compiled(size_t key_bytes)
{
    test_case("compiled keying, %zu-bit key, constant-time set-up", 8 * key_bytes);
    new_secrets();
    watch();
    (void)compiled_cipher(true, key, key_bytes);
    check_silent();
}

static void test_modes_over_kernel(const char *name)
{
    any_key ctx;

    new_secrets();
    const mf_cipher cipher = subject_cipher(tested, &ctx, name, key, 16);
    test_modes(&cipher, name);
    tested->wipe(&ctx);
}

static void test_kernel(const char *name)
{
    const bool constant_time = info_of_kernel(tested, name).constant_time;

    for (const size_t *size = tested->key_sizes; *size != 0; size++) {
        if (constant_time) {
            test_constant_time_kernel(name, *size);
        } else {
            test_table_kernel(name, *size);
        }
        if (!constant_time && tested == &twofish_subject) {
            test_ct_init(name, *size);
        }
        if (constant_time && tested == &twofish_subject) {
            test_each(name, *size);
        }
    }
    /* Modes see no more of a kernel than its functions, and emulated ones are slow. */
    if (constant_time && strncmp(name, "emulated", 8) != 0) {
        test_modes_over_kernel(name);
    }
}

/* --- Other ways to set a key ----------------------------------------------------------------- */

static _Alignas(void *) unsigned char memory[1 << 14]; /* for an expanded key of the caller */

static void check_twofish_key(const mf_twofish *ctx)
{
    CHECK_STATUS(mf_twofish_encrypt_blocks(ctx, out, text, 1), MF_OK);
    CHECK(is_secret(out, BLOCK));
}

static void test_twofish_init(size_t key_bytes)
{
    const mf_twofish_expectation expected = {.n_blocks = 1000};
    const mf_twofish *in_memory = NULL;
    mf_twofish ctx;

    test_case("ways to set a key of Twofish, %zu bits", 8 * key_bytes);
    new_secrets();
    watch();
    CHECK_STATUS(mf_twofish_init(&ctx, key, key_bytes), MF_OK);
    check_twofish_key(&ctx);
    CHECK_STATUS(mf_twofish_init_for(&ctx, key, key_bytes, &expected), MF_OK);
    check_twofish_key(&ctx);
    CHECK_STATUS(mf_twofish_init_with(&ctx, &mf_twofish_bitslice, key, key_bytes), MF_OK);
    check_twofish_key(&ctx);
    CHECK_STATUS(
        mf_twofish_init_in(&in_memory, memory, sizeof memory, &mf_twofish_bitslice, key, key_bytes),
        MF_OK);
    check_twofish_key(in_memory);
    check_silent();
    mf_twofish_wipe(&ctx);
}

static void check_des_key(const mf_des *ctx)
{
    CHECK_STATUS(mf_des_encrypt_blocks(ctx, out, text, 1), MF_OK);
    CHECK(is_secret(out, MF_DES_BLOCK_BYTES));
}

static void test_des_init(size_t key_bytes)
{
    mf_des ctx;

    test_case("ways to set a key of DES, %zu bits", 8 * key_bytes);
    new_secrets();
    watch();
    CHECK_STATUS(mf_des_init(&ctx, key, key_bytes), MF_OK);
    check_des_key(&ctx);
    CHECK_STATUS(mf_des_set_key(&ctx, key + 1, key_bytes), MF_OK);
    check_des_key(&ctx);
    CHECK_STATUS(mf_des_init_with(&ctx, &mf_des_bitslice, key, key_bytes), MF_OK);
    check_des_key(&ctx);
    CHECK_STATUS(mf_des_init_in(&ctx, "bitslice", memory, sizeof memory, key, key_bytes), MF_OK);
    check_des_key(&ctx);
    check_silent();
    mf_des_wipe(&ctx);
}

/* --- Keys of DES ------------------------------------------------------------------------------ */

static void test_des_keys(void)
{
    unsigned char odd[MF_DES_MAX_KEY_BYTES];
    unsigned flaws = 0;

    test_case("flaws and parity of a DES key");
    new_secrets();
    watch();
    CHECK_STATUS(mf_des_key_flaws(&flaws, key, sizeof odd), MF_OK);
    CHECK_STATUS(mf_des_set_parity(odd, key, sizeof odd), MF_OK);
    CHECK_STATUS(mf_des_check_key(odd, sizeof odd, MF_DES_PARITY), MF_OK);
    check_silent();
    CHECK(is_secret(odd, sizeof odd));
}

/* --- The rest of the library ------------------------------------------------------------------ */

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

/* --- Planted faults --------------------------------------------------------------------------- */

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
    tested = &twofish_subject;
    each_kernel(test_kernel);
    tested = &des_subject;
    kernels_of(tested, test_kernel);
    for (const size_t *n = twofish_subject.key_sizes; *n != 0; n++) {
        test_twofish_init(*n);
    }
    for (const size_t *n = des_subject.key_sizes; *n != 0; n++) {
        test_des_init(*n);
    }
    test_des_keys();
    test_ct_set_ups();
    for (const size_t *n = key_sizes; *n != 0 && has_compiled_keying(); n++) {
        test_ct_compiled(*n);
    }
    test_modes_over_toys();
    test_pad_key();
    return test_end();
}
