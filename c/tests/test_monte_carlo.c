/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The official Monte Carlo sets: 4 sets x 3 key sizes x 400 outer steps of 10,000 chained blocks,
 * the rules being those of vectors/README.md. The default kernel goes through all of them and is
 * compared with our file, which keeps five outer steps of each, the last among them: each step
 * starts from the results of the one before. The other kernels repeat the kept steps.
 * Argument: the folder of the vector files.
 */
#include "rsp.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

enum {
    BLOCK = MF_TWOFISH_BLOCK_BYTES,
    N_SETS = 4,
    N_SIZES = 3,
    N_OUTER = 400,
    N_INNER = 10000,
    N_KEPT = 5
};

typedef mf_status crypt_mode(const mf_cipher *cipher, void *iv, void *out, const void *in,
                             size_t n_bytes);

static mf_status ecb_encrypt(const mf_cipher *cipher, void *iv, void *out, const void *in,
                             size_t n_bytes)
{
    (void)iv;
    return mf_ecb_encrypt(cipher, out, in, n_bytes);
}

static mf_status ecb_decrypt(const mf_cipher *cipher, void *iv, void *out, const void *in,
                             size_t n_bytes)
{
    (void)iv;
    return mf_ecb_decrypt(cipher, out, in, n_bytes);
}

typedef struct monte_carlo_set {
    const char *name;
    crypt_mode *crypt;
    bool encrypts;
    bool crosses; /* the next input is the result before the last, not the last */
} monte_carlo_set;

static const monte_carlo_set sets[N_SETS] = {
    {"ecb_e", ecb_encrypt, true, false},
    {"ecb_d", ecb_decrypt, false, false},
    {"cbc_e", mf_cbc_encrypt, true, true},
    {"cbc_d", mf_cbc_decrypt, false, false},
};

/* One outer step: what goes in, and the last result. */
typedef struct outer_step {
    bool known;
    unsigned char key[MF_TWOFISH_MAX_KEY_BYTES];
    unsigned char iv[BLOCK];
    unsigned char input[BLOCK];
    unsigned char result[BLOCK];
} outer_step;

static outer_step kept[N_SETS][N_SIZES][N_OUTER];

/* --- Reading -------------------------------------------------------------------------------- */

static void load_kept_case(const rsp_case *v)
{
    const size_t size = v->key.n_bytes / 8 - 2;

    test_case("twofish_mct.rsp, line %u", v->line);
    for (size_t set = 0; set < N_SETS; set++) {
        if (strcmp(v->set, sets[set].name) == 0 && CHECK(size < N_SIZES && v->outer < N_OUTER)) {
            outer_step *step = &kept[set][size][v->outer];

            step->known = CHECK(v->pt.n_bytes == BLOCK && v->ct.n_bytes == BLOCK);
            memcpy(step->key, v->key.bytes, v->key.n_bytes);
            memcpy(step->iv, v->iv.bytes, BLOCK);
            memcpy(step->input, sets[set].encrypts ? v->pt.bytes : v->ct.bytes, BLOCK);
            memcpy(step->result, sets[set].encrypts ? v->ct.bytes : v->pt.bytes, BLOCK);
            return;
        }
    }
    FAIL("SET is one of ecb_e, ecb_d, cbc_e, cbc_d");
}

static bool load_kept(const char *folder)
{
    static rsp_case v;
    rsp_file file;
    unsigned n_cases = 0;

    if (!rsp_open(&file, folder, "twofish_mct.rsp")) {
        test_skip("no twofish_mct.rsp in %s", folder);
        return false;
    }
    while (rsp_next(&file, &v)) {
        load_kept_case(&v);
        n_cases++;
    }
    CHECK(!file.malformed);
    CHECK(n_cases == N_SETS * N_SIZES * N_KEPT);
    rsp_close(&file);
    return true;
}

/* --- Running -------------------------------------------------------------------------------- */

/* Runs the inner steps of one outer step: fills in its result and makes the next one. */
static void run_step(const char *kernel, const monte_carlo_set *set, size_t key_bytes,
                     outer_step *step, outer_step *next)
{
    unsigned char iv[BLOCK];
    unsigned char last_two[2 * BLOCK]; /* as one string: the result before the last, the last */
    unsigned char input[BLOCK];
    mf_twofish ctx;
    const mf_cipher cipher = twofish_cipher(&ctx, kernel, step->key, key_bytes);
    mf_status status = MF_OK;

    memcpy(iv, step->iv, BLOCK);
    memcpy(input, step->input, BLOCK);
    memcpy(last_two + BLOCK, step->iv, BLOCK); /* what a set that crosses takes second */
    for (int j = 0; j < N_INNER && status == MF_OK; j++) {
        memcpy(last_two, last_two + BLOCK, BLOCK);
        status = set->crypt(&cipher, iv, last_two + BLOCK, input, BLOCK);
        memcpy(input, set->crosses ? last_two : last_two + BLOCK, BLOCK);
    }
    CHECK_STATUS(status, MF_OK);
    mf_twofish_wipe(&ctx);

    memcpy(step->result, last_two + BLOCK, BLOCK);
    memset(next, 0, sizeof *next);
    memcpy(next->key, step->key, key_bytes);
    xor_bytes(next->key, last_two + 2 * BLOCK - key_bytes, key_bytes);
    memcpy(next->iv, iv, BLOCK); /* CBC has left the last ciphertext there */
    memcpy(next->input, input, BLOCK);
}

static void compare_step(const outer_step *found, const outer_step *expected, size_t key_bytes)
{
    if (expected->known) {
        CHECK_BYTES(found->key, expected->key, key_bytes);
        CHECK_BYTES(found->iv, expected->iv, BLOCK);
        CHECK_BYTES(found->input, expected->input, BLOCK);
        CHECK_BYTES(found->result, expected->result, BLOCK);
    }
}

/* All outer steps, each from the results of the one before. */
static void run_chain(const char *kernel, size_t set, size_t size, unsigned n_outer)
{
    const size_t key_bytes = key_sizes[size];
    outer_step step, next;

    memset(&step, 0, sizeof step);
    for (unsigned outer = 0; outer < n_outer; outer++) {
        test_case("%s, %s, %zu-bit key, step %u of the chain", kernel, sets[set].name,
                  8 * key_bytes, outer);
        run_step(kernel, &sets[set], key_bytes, &step, &next);
        compare_step(&step, &kept[set][size][outer], key_bytes);
        step = next;
    }
}

/* The kept steps, each from its own key and input. */
static void run_kept(const char *kernel, size_t set, size_t size)
{
    const size_t key_bytes = key_sizes[size];

    for (unsigned outer = 0; outer < N_OUTER; outer++) {
        outer_step step = kept[set][size][outer];
        outer_step next;

        if (step.known && (outer == N_OUTER - 1 || !test_quick())) {
            test_case("%s, %s, %zu-bit key, step %u by itself", kernel, sets[set].name,
                      8 * key_bytes, outer);
            run_step(kernel, &sets[set], key_bytes, &step, &next);
            compare_step(&step, &kept[set][size][outer], key_bytes);
        }
    }
}

static void run_all_kept(const char *kernel)
{
    for (size_t set = 0; set < N_SETS; set++) {
        for (size_t size = 0; size < N_SIZES; size++) {
            if (takes_key(kernel, key_sizes[size])) {
                run_kept(kernel, set, size);
            }
        }
    }
}

static const char *default_kernel(void)
{
    mf_kernel_info info = {.is_default = false};

    for (size_t i = 0; !info.is_default && mf_twofish_kernel_info(i, &info) == MF_OK; i++) {
    }
    return info.name;
}

int main(int argc, char **argv)
{
    const unsigned n_outer = test_quick() ? 1 : N_OUTER;

    if (!load_kept(argc > 1 ? argv[1] : "../vectors")) {
        return test_end();
    }
    for (size_t set = 0; set < N_SETS; set++) {
        for (size_t size = 0; size < N_SIZES; size++) {
            run_chain(default_kernel(), set, size, n_outer);
        }
    }
    every_kernel(run_all_kept);
    return test_end();
}
