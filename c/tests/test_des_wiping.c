/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Shows on the built library that DES leaves no secret on the stack, as test_wiping.c does for
 * Twofish: the key, the subkeys of sp2k and those of the kernel, texts and key stream. Of the
 * modes, those that have a path of their own for blocks of 8 bytes.
 */
#include "support.h"
#include "wiping.h"

#include <manyfish/mac.h>

#ifdef INTERNAL
#include "common/cpu.h"
#include "des/kernel.h"
#endif

#include <stdlib.h>
#include <string.h>

enum {
    BLOCK = MF_DES_BLOCK_BYTES,
    N_BLOCKS = 521, /* bulk path and tail of any kernel */
    DATA = N_BLOCKS * BLOCK,
};

static const char *kernel;
static size_t key_bytes;
static unsigned char key[MF_DES_MAX_KEY_BYTES], parity_key[MF_DES_MAX_KEY_BYTES];
static unsigned char plaintext[DATA], ciphertext[DATA], out[DATA];
static unsigned char iv[BLOCK], tag[BLOCK];
static unsigned flaws;
static any_key ctx, sp2k_ctx;
static mf_cipher cipher;
static mf_cfb cfb;
static mf_ctr ctr;
static mf_ofb ofb;
static mf_cmac cmac;
static mf_status status;

/* --- The secrets to search for ---------------------------------------------------------------- */

static const void *expanded_key(const any_key *k)
{
    return k->des.memory != NULL ? k->des.memory : k->des.expanded_key;
}

/* The first words of an expanded key, as many as a context would hold, without what another key has
 * too. */
static void add_expanded_key(const char *name, const any_key *k, const char *kernel_name,
                             size_t n_bytes)
{
    static unsigned char bytes[MF_DES_CONTEXT_BYTES];
    const mf_kernel_info info = info_of_kernel(&des_subject, kernel_name);
    const size_t room = sizeof k->des.expanded_key;
    const size_t size = info.expanded_key_bytes < room ? info.expanded_key_bytes : room;
    unsigned char other_key[MF_DES_MAX_KEY_BYTES];
    any_key other;

    memcpy(bytes, expanded_key(k), size);
    for (size_t i = 0; i < sizeof other_key; i++) {
        other_key[i] = key[i] ^ (unsigned char)(34 * i + 2);
    }
    CHECK_STATUS(des_subject.init(&other, kernel_name, other_key, key_bytes), MF_OK);
    for (size_t i = 0; i + 4 <= size; i += 4) {
        if (memcmp(bytes + i, (const unsigned char *)expanded_key(&other) + i, 4) == 0) {
            memset(bytes + i, 0, 4);
        }
    }
    des_subject.wipe(&other);
    add_secret(name, bytes, key_bytes == 8 ? size / 3 : size, n_bytes, 4);
}

static void collect_secrets(void)
{
    static unsigned char keystream[DATA], decrypted[DATA];

    memcpy(keystream, ciphertext, sizeof keystream);
    xor_bytes(keystream, plaintext, sizeof keystream);
    CHECK_STATUS(des_subject.decrypt(&ctx, decrypted, ciphertext, N_BLOCKS), MF_OK);
    add_secret("key", key, key_bytes, 8, 1);
    add_secret("a word of the key", key, key_bytes, 4, 4);
    add_secret("the key with other parity bits", parity_key, key_bytes, 8, 1);
    add_expanded_key("a word of a subkey", &sp2k_ctx, "sp2k", 4);
    add_expanded_key("the expanded key", &ctx, kernel, 8);
    add_secret("plaintext", plaintext, sizeof plaintext, 8, 4);
    add_secret("decrypted blocks", decrypted, sizeof decrypted, 8, 4);
    add_secret("key stream", keystream, sizeof keystream, 8, 4);
    add_secret("a subkey of CMAC", cmac.k1, BLOCK, 8, 4);
    add_secret("a subkey of CMAC", cmac.k2, BLOCK, 8, 4);
    add_secret("a chain of CMAC", cmac.chain, BLOCK, 8, 4);
}

/* --- Operations ------------------------------------------------------------------------------- */

static void do_init(void)
{
    status = des_subject.init(&ctx, kernel, key, key_bytes);
}

static void do_set_key(void)
{
    status = mf_des_set_key(&ctx.des, key, key_bytes);
}

static void do_flaws(void)
{
    status = mf_des_key_flaws(&flaws, key, key_bytes);
}

static void do_set_parity(void)
{
    status = mf_des_set_parity(parity_key, key, key_bytes);
}

static void do_encrypt_one(void)
{
    status = des_subject.encrypt(&ctx, out, plaintext, 1);
}

static void do_decrypt_one(void)
{
    status = des_subject.decrypt(&ctx, out, ciphertext, 1);
}

static void do_encrypt_blocks(void)
{
    status = des_subject.encrypt(&ctx, out, plaintext, N_BLOCKS);
}

static void do_decrypt_blocks(void)
{
    status = des_subject.decrypt(&ctx, out, ciphertext, N_BLOCKS);
}

static void do_cbc_encrypt(void)
{
    status = mf_cbc_encrypt(&cipher, iv, out, plaintext, DATA);
}

static void do_cbc_decrypt(void)
{
    status = mf_cbc_decrypt(&cipher, iv, out, ciphertext, DATA);
}

static void do_ctr(void)
{
    status = mf_ctr_init(&ctr, &cipher, iv, 64);
    status = status == MF_OK ? mf_ctr_crypt(&ctr, out, plaintext, 5) : status;
    status = status == MF_OK ? mf_ctr_crypt(&ctr, out + 5, plaintext + 5, DATA - 12) : status;
    mf_ctr_wipe(&ctr);
}

static void do_cfb(mf_status (*crypt)(mf_cfb *, void *, const void *, size_t),
                   const unsigned char *in)
{
    status = mf_cfb_init(&cfb, &cipher, iv, 64);
    status = status == MF_OK ? crypt(&cfb, out, in, 5) : status;
    status = status == MF_OK ? crypt(&cfb, out + 5, in + 5, DATA - 12) : status;
    mf_cfb_wipe(&cfb);
}

static void do_cfb_encrypt(void)
{
    do_cfb(mf_cfb_encrypt, plaintext);
}

static void do_cfb_decrypt(void)
{
    do_cfb(mf_cfb_decrypt, ciphertext);
}

static void do_ofb(void)
{
    status = mf_ofb_init(&ofb, &cipher, iv);
    status = status == MF_OK ? mf_ofb_crypt(&ofb, out, plaintext, DATA - 3) : status;
    mf_ofb_wipe(&ofb);
}

/* Without finish, so that the chain is still in cmac. */
static void do_cmac_update(void)
{
    status = mf_cmac_init(&cmac, &cipher);
    status = status == MF_OK ? mf_cmac_update(&cmac, plaintext, DATA) : status;
}

static void do_cmac_compute(void)
{
    status = mf_cmac_compute(&cmac, plaintext, DATA - 5, tag, 5);
}

/* --- Preparations: they make `ciphertext` such that it decrypts to `plaintext` in each mode --- */

static void prepare_ecb(void)
{
    status = des_subject.encrypt(&ctx, ciphertext, plaintext, N_BLOCKS);
}

static void prepare_cbc(void)
{
    unsigned char chain[BLOCK];

    memcpy(chain, iv, BLOCK);
    status = mf_cbc_encrypt(&cipher, chain, ciphertext, plaintext, DATA);
}

static void prepare_ctr(void)
{
    status = mf_ctr_init(&ctr, &cipher, iv, 64);
    status = status == MF_OK ? mf_ctr_crypt(&ctr, ciphertext, plaintext, DATA) : status;
}

static void prepare_cfb(void)
{
    status = mf_cfb_init(&cfb, &cipher, iv, 64);
    status = status == MF_OK ? mf_cfb_encrypt(&cfb, ciphertext, plaintext, DATA) : status;
}

static void prepare_ofb(void)
{
    status = mf_ofb_init(&ofb, &cipher, iv);
    status = status == MF_OK ? mf_ofb_crypt(&ofb, ciphertext, plaintext, DATA) : status;
}

static void prepare_cmac(void)
{
    prepare_ecb();
    status = status == MF_OK ? mf_cmac_init(&cmac, &cipher) : status;
}

static const struct {
    const char *name;
    operation *prepare;
    operation *run;
} operations[] = {
    {"init", prepare_ecb, do_init},
    {"another key", prepare_ecb, do_set_key},
    {"key flaws", prepare_ecb, do_flaws},
    {"set parity", prepare_ecb, do_set_parity},
    {"encrypt_blocks of 1", prepare_ecb, do_encrypt_one},
    {"decrypt_blocks of 1", prepare_ecb, do_decrypt_one},
    {"encrypt_blocks", prepare_ecb, do_encrypt_blocks},
    {"decrypt_blocks", prepare_ecb, do_decrypt_blocks},
    {"CBC encrypt", prepare_cbc, do_cbc_encrypt},
    {"CBC decrypt", prepare_cbc, do_cbc_decrypt},
    {"CTR", prepare_ctr, do_ctr},
    {"CFB encrypt", prepare_cfb, do_cfb_encrypt},
    {"CFB decrypt", prepare_cfb, do_cfb_decrypt},
    {"OFB", prepare_ofb, do_ofb},
    {"CMAC update", prepare_cmac, do_cmac_update},
    {"CMAC compute", prepare_cmac, do_cmac_compute},
};

static void set_up(operation *prepare)
{
    random_bytes(key, sizeof key);
    random_bytes(plaintext, sizeof plaintext);
    random_bytes(iv, sizeof iv);
    memset(&cmac, 0, sizeof cmac);
    CHECK_STATUS(mf_des_set_parity(parity_key, key, sizeof key), MF_OK);
    CHECK_STATUS(des_subject.init(&sp2k_ctx, "sp2k", key, key_bytes), MF_OK);
    cipher = subject_cipher(&des_subject, &ctx, kernel, key, key_bytes);
    prepare();
    CHECK_STATUS(status, MF_OK);
}

/* CBC leaves its last block in iv. */
static void run_elsewhere(operation *run)
{
    unsigned char iv_before[BLOCK];

    memcpy(iv_before, iv, BLOCK);
    run();
    memcpy(iv, iv_before, BLOCK);
}

static const wiping of_des = {set_up, run_elsewhere, collect_secrets, &status};

static void test_kernel(const char *name)
{
    kernel = name;
    for (const size_t *size = des_subject.key_sizes; *size != 0; size++) {
        key_bytes = *size;
        for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
            test_case("%s, %zu-bit key, %s", kernel, 8 * key_bytes, operations[i].name);
            check_leaves_nothing(&of_des, operations[i].prepare, operations[i].run);
        }
    }
}

/* --- Planted faults --------------------------------------------------------------------------- */

/* Through a pointer that the compiler cannot see through, so that the copy is really made. */
static void *(*volatile copy_bytes)(void *, const void *, size_t) = memcpy;

static void plant_key(void)
{
    unsigned char local[8];

    (void)copy_bytes(local, key + 8, sizeof local);
}

static void plant_word(void)
{
    uint32_t local[1];

    (void)copy_bytes(local, (const unsigned char *)expanded_key(&sp2k_ctx) + 200, sizeof local);
}

static void plant_plaintext(void)
{
    unsigned char local[BLOCK];

    (void)copy_bytes(local, plaintext + DATA - 3 * BLOCK, sizeof local);
}

static void plant_nothing(void)
{
    unsigned char local[8];

    (void)copy_bytes(local, key, sizeof local);
    mf_wipe(local, sizeof local);
}

static void test_planted(void)
{
    static const struct {
        const char *name;
        operation *run;
        bool is_fault;
    } plants[] = {
        {"a part of the key", plant_key, true},
        {"a word of a subkey", plant_word, true},
        {"a block of plaintext", plant_plaintext, true},
        {"a part of the key, then mf_wipe", plant_nothing, false},
    };

    kernel = "sp2k";
    key_bytes = 24;
    for (size_t i = 0; i < sizeof plants / sizeof plants[0]; i++) {
        test_case("planted: %s", plants[i].name);
        check_planted(&of_des, prepare_ecb, plants[i].run, plants[i].is_fault);
    }
}

#ifdef INTERNAL
/* --- The stack that kernels state in their rows (kernel.h): less than they use would leave secrets
 * there */

static const mf_des_kernel *row;
static void *row_key;
static size_t row_blocks;
static unsigned row_n_keys;

static void row_set_key(void)
{
    row->set_key(row_key, key, row_n_keys);
}

static void row_change(void)
{
    random_bytes(key, sizeof key);
    random_bytes(plaintext, sizeof plaintext);
    row_set_key();
}

static void row_encrypt(void)
{
    row->common.encrypt_blocks(row_key, out, plaintext, row_blocks);
}

static void row_decrypt(void)
{
    row->common.decrypt_blocks(row_key, out, plaintext, row_blocks);
}

static void test_stack_of_row(void)
{
    const size_t few = row->common.few_blocks > 1 ? row->common.few_blocks : 1;

    test_case("%s, %u keys, stack of set-up", row->common.name, row_n_keys);
    check_stack(row_set_key, row_change, row->common.set_key_stack);
    for (row_blocks = few + 1; row_blocks <= N_BLOCKS; row_blocks += 1 + row_blocks / 8) {
        test_case("%s, %u keys, stack of %zu blocks", row->common.name, row_n_keys, row_blocks);
        check_stack(row_encrypt, row_change, row->common.bulk_stack);
        check_stack(row_decrypt, row_change, row->common.bulk_stack);
    }
}

static void test_stack(void)
{
    for (size_t i = 0; mf_des_kernels[i] != NULL; i++) {
        row = mf_des_kernel_of(mf_des_kernels[i]);
        row_key =
            aligned_alloc(MF_DES_MEMORY_ALIGNMENT, (row->common.expanded_key_bytes + 63) / 64 * 64);
        if (mf_cpu_has(row->common.cpu_features) && CHECK(row_key != NULL)) {
            for (row_n_keys = 1; row_n_keys <= 3; row_n_keys += 2) {
                test_stack_of_row();
            }
        }
        free(row_key);
    }
}
#endif

int main(void)
{
    if (wiping_can_be_seen()) {
#ifdef INTERNAL
        test_stack();
#endif
        test_planted();
        kernels_of(&des_subject, test_kernel);
    }
    return test_end();
}
