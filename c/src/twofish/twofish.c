/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The front end of Twofish: checks, choice of the kernel, wiping, self-test. The work is done
 * behind kernel.h.
 */
#include <manyfish/twofish.h>

#include "kernel.h"
#include "tables/known_answers.h"

enum { BLOCK_BYTES = MF_TWOFISH_BLOCK_BYTES };

_Static_assert(sizeof(mf_twofish) == MF_TWOFISH_CONTEXT_BYTES, "mf_twofish has padding");

static bool has_key(const void *ctx)
{
    const mf_twofish *twofish = ctx;
    return twofish != NULL && twofish->kernel != NULL;
}

static atomic_size_t named_kernel;

static const mf_kernel_list kernels = {
    .at = mf_twofish_kernels,
    .min_key_bytes = 16,
    .max_key_bytes = MF_TWOFISH_MAX_KEY_BYTES,
    .variable = "MANYFISH_KERNEL",
    .named = &named_kernel,
};

mf_status mf_twofish_find_kernel(const mf_twofish_kernel **kernel, const char *name)
{
    size_t index = 0;
    const mf_status status = mf_find_kernel(&kernels, name, &index);

    *kernel = mf_twofish_kernel_of(mf_twofish_kernels[index]);
    return status;
}

const mf_twofish_kernel *mf_twofish_setup_kernel(void)
{
    for (size_t i = 0; mf_twofish_kernels[i] != NULL; i++) {
        const mf_twofish_kernel *kernel = mf_twofish_kernel_of(mf_twofish_kernels[i]);
        if (kernel->setup != NULL && mf_check_kernel(&kernel->common, 16) == MF_OK) {
            return kernel;
        }
    }
    return NULL;
}

mf_status mf_twofish_expand(const mf_twofish_kernel *kernel, void *expanded_key, const void *key,
                            size_t key_bytes)
{
    const mf_status status = mf_check_kernel(&kernel->common, key_bytes);

    if (status == MF_OK) {
        kernel->set_key(expanded_key, key, (unsigned)(key_bytes / 8));
        mf_wipe_used_stack(kernel->common.set_key_stack);
    }
    return status;
}

mf_status mf_twofish_expand_ct(const mf_twofish_kernel *kernel, void *expanded_key, const void *key,
                               size_t key_bytes)
{
    if (kernel->common.constant_time) {
        return mf_twofish_expand(kernel, expanded_key, key, key_bytes);
    }
    const mf_status status = mf_check_kernel(&kernel->common, key_bytes);
    if (status != MF_OK) {
        return status;
    }
    const mf_twofish_kernel *by = kernel->set_key_ct == NULL ? NULL : mf_twofish_setup_kernel();
    if (by == NULL) {
        return MF_ERROR_POLICY;
    }
    kernel->set_key_ct(expanded_key, key, (unsigned)(key_bytes / 8), by->setup);
    mf_wipe_used_stack(by->setup->stack);
    return MF_OK;
}

/* A key that must not lie in the n_bytes at ctx. */
static mf_status check_key(const void *ctx, size_t n_bytes, const void *key, size_t key_bytes)
{
    if (key_bytes != 16 && key_bytes != 24 && key_bytes != 32) {
        return MF_ERROR_KEY_LENGTH;
    }
    return mf_check_key(ctx, n_bytes, key, key_bytes);
}

typedef mf_status expand(const mf_twofish_kernel *kernel, void *expanded_key, const void *key,
                         size_t key_bytes);

/* If the status is MF_OK so far; else ctx is wiped. */
static mf_status init(mf_twofish *ctx, mf_status status, const mf_twofish_kernel *kernel,
                      const void *key, size_t key_bytes, expand *expand_key)
{
    if (status == MF_OK) {
        status = expand_key(kernel, ctx->expanded_key, key, key_bytes);
    }
    if (status != MF_OK) {
        mf_twofish_wipe(ctx);
        return status;
    }
    /* Of an earlier key no byte is left: the kernel has written over the first part, and we do over
     * the rest. */
    const size_t used = kernel->common.expanded_key_bytes;
    mf_wipe((unsigned char *)ctx->expanded_key + used, sizeof ctx->expanded_key - used);
    ctx->kernel = kernel;
    return MF_OK;
}

mf_status mf_twofish_init_with(mf_twofish *ctx, const mf_twofish_kernel *kernel, const void *key,
                               size_t key_bytes)
{
    if (ctx == NULL || kernel == NULL) {
        mf_twofish_wipe(ctx);
        return MF_ERROR_NULL;
    }
    const mf_status status = check_key(ctx, sizeof *ctx, key, key_bytes);
    return init(ctx, status, kernel, key, key_bytes, mf_twofish_expand);
}

size_t mf_twofish_memory_bytes(const mf_twofish_kernel *kernel)
{
    return kernel == NULL ? 0 : MF_TWOFISH_KEY_MEMORY_BYTES(kernel->common.expanded_key_bytes);
}

static mf_status check_init_in(const mf_twofish **ctx, const void *memory, size_t memory_bytes,
                               const mf_twofish_kernel *kernel, const void *key, size_t key_bytes)
{
    if (ctx == NULL || memory == NULL || kernel == NULL) {
        return MF_ERROR_NULL;
    }
    if (memory_bytes < mf_twofish_memory_bytes(kernel)) {
        return MF_ERROR_CAPACITY;
    }
    if (mf_overlap(memory, memory_bytes, ctx, sizeof(mf_twofish *))) {
        return MF_ERROR_OVERLAP;
    }
    const mf_status status = check_key(memory, memory_bytes, key, key_bytes);
    return status == MF_OK ? mf_check_kernel(&kernel->common, key_bytes) : status;
}

mf_status mf_twofish_init_in(const mf_twofish **ctx, void *memory, size_t memory_bytes,
                             const mf_twofish_kernel *kernel, const void *key, size_t key_bytes)
{
    mf_status status = check_init_in(ctx, memory, memory_bytes, kernel, key, key_bytes);

    if (status == MF_OK) {
        const uintptr_t past = (uintptr_t)memory % sizeof(void *);
        mf_twofish *place =
            (void *)((unsigned char *)memory + (past == 0 ? 0 : sizeof(void *) - past));
        mf_wipe(memory, memory_bytes);
        status = mf_twofish_expand(kernel, place->expanded_key, key, key_bytes);
        place->kernel = kernel;
        *ctx = place;
    } else if (ctx != NULL) {
        *ctx = NULL;
    }
    return status;
}

static mf_status init_named(mf_twofish *ctx, const char *name, const void *key, size_t key_bytes,
                            expand *expand_key)
{
    const mf_twofish_kernel *kernel = NULL;

    if (ctx == NULL) {
        return MF_ERROR_NULL;
    }
    mf_status status = check_key(ctx, sizeof *ctx, key, key_bytes);
    if (status == MF_OK) {
        status = mf_twofish_find_kernel(&kernel, name);
    }
    return init(ctx, status, kernel, key, key_bytes, expand_key);
}

mf_status mf_twofish_init(mf_twofish *ctx, const void *key, size_t key_bytes)
{
    return init_named(ctx, NULL, key, key_bytes, mf_twofish_expand);
}

mf_status mf_twofish_init_kernel(mf_twofish *ctx, const char *kernel, const void *key,
                                 size_t key_bytes)
{
    return init_named(ctx, kernel, key, key_bytes, mf_twofish_expand);
}

mf_status mf_twofish_init_kernel_ct_set_up(mf_twofish *ctx, const char *kernel, const void *key,
                                           size_t key_bytes)
{
    return init_named(ctx, kernel, key, key_bytes, mf_twofish_expand_ct);
}

mf_status mf_twofish_pad_key(unsigned char padded[MF_TWOFISH_MAX_KEY_BYTES], size_t *padded_bytes,
                             const void *key, size_t key_bytes)
{
    if (padded == NULL || padded_bytes == NULL || (key == NULL && key_bytes > 0)) {
        return MF_ERROR_NULL;
    }
    if (key_bytes > MF_TWOFISH_MAX_KEY_BYTES) {
        return MF_ERROR_KEY_LENGTH;
    }
    if (mf_overlap(padded, MF_TWOFISH_MAX_KEY_BYTES, key, key_bytes)) {
        return MF_ERROR_OVERLAP;
    }
    memset(padded, 0, MF_TWOFISH_MAX_KEY_BYTES);
    if (key_bytes > 0) {
        memcpy(padded, key, key_bytes);
    }
    *padded_bytes = key_bytes <= 16 ? 16 : key_bytes <= 24 ? 24 : 32;
    return MF_OK;
}

static void encrypt(const void *ctx, uint8_t *out, const uint8_t *in, size_t n_blocks)
{
    const mf_twofish *twofish = ctx;
    mf_kernel_encrypt(&twofish->kernel->common, twofish->expanded_key, out, in, n_blocks);
}

static void decrypt(const void *ctx, uint8_t *out, const uint8_t *in, size_t n_blocks)
{
    const mf_twofish *twofish = ctx;
    mf_kernel_decrypt(&twofish->kernel->common, twofish->expanded_key, out, in, n_blocks);
}

mf_status mf_twofish_encrypt_blocks(const mf_twofish *ctx, void *out, const void *in,
                                    size_t n_blocks)
{
    const mf_status status = mf_check_call(ctx, has_key, BLOCK_BYTES, out, in, n_blocks);
    if (status == MF_OK && n_blocks > 0) {
        encrypt(ctx, out, in, n_blocks);
    }
    return status;
}

mf_status mf_twofish_decrypt_blocks(const mf_twofish *ctx, void *out, const void *in,
                                    size_t n_blocks)
{
    const mf_status status = mf_check_call(ctx, has_key, BLOCK_BYTES, out, in, n_blocks);
    if (status == MF_OK && n_blocks > 0) {
        decrypt(ctx, out, in, n_blocks);
    }
    return status;
}

void mf_twofish_wipe(mf_twofish *ctx)
{
    if (ctx != NULL) {
        mf_wipe(ctx, sizeof *ctx);
    }
}

const char *mf_twofish_kernel_name(const mf_twofish *ctx)
{
    return has_key(ctx) ? ctx->kernel->common.name : NULL;
}

mf_cipher mf_twofish_cipher(const mf_twofish *ctx)
{
    /* The modes ask has_key before they call the others. */
    const mf_cipher cipher = {BLOCK_BYTES, ctx, has_key, encrypt, decrypt};
    return cipher;
}

size_t mf_twofish_kernel_count(void)
{
    return mf_count_kernels(&kernels);
}

mf_status mf_twofish_kernel_info(size_t index, mf_kernel_info *info)
{
    return mf_describe_kernel(&kernels, index, info);
}

/* The table chain of the official known answers [Twofish98, A]: key and plaintext start as zeros;
 * each step takes the last ciphertext as plaintext, and the last plaintext in front of the key. */
static mf_status selftest_key_size(mf_twofish *ctx, const mf_twofish_kernel *kernel,
                                   size_t key_bytes, const uint8_t expected[BLOCK_BYTES])
{
    uint8_t key[BLOCK_BYTES + MF_TWOFISH_MAX_KEY_BYTES] = {0};
    uint8_t text[BLOCK_BYTES] = {0};
    uint8_t back[BLOCK_BYTES];

    for (int step = 0; step < MF_TWOFISH_KNOWN_ANSWER_STEPS; step++) {
        mf_status status = mf_twofish_init_with(ctx, kernel, key, key_bytes);
        if (status != MF_OK) {
            return status;
        }
        memmove(key + BLOCK_BYTES, key, MF_TWOFISH_MAX_KEY_BYTES);
        memcpy(key, text, BLOCK_BYTES);
        encrypt(ctx, text, text, 1);
        decrypt(ctx, back, text, 1);
        if (memcmp(back, key, BLOCK_BYTES) != 0) {
            return MF_ERROR_SELFTEST;
        }
    }
    return memcmp(text, expected, BLOCK_BYTES) == 0 ? MF_OK : MF_ERROR_SELFTEST;
}

mf_status mf_twofish_selftest(const char *kernel)
{
    enum { BULK_BLOCKS = 67 }; /* a prime above the lanes of any kernel */
    const size_t n = sizeof mf_twofish_known_answers / sizeof mf_twofish_known_answers[0];
    const mf_twofish_kernel *found = NULL;
    mf_status status = mf_twofish_find_kernel(&found, kernel);
    mf_twofish ctx = {0};
    const mf_cipher cipher = mf_twofish_cipher(&ctx);

    if (status == MF_OK) {
        status = mf_check_kernel(&found->common, 16);
    }
    for (size_t i = 0; i < n && status == MF_OK; i++) {
        const size_t key_bytes = mf_twofish_known_answers[i].key_bytes;
        if (key_bytes > mf_max_key_bytes(&kernels, &found->common)) {
            continue;
        }
        status = selftest_key_size(&ctx, found, key_bytes, mf_twofish_known_answers[i].ciphertext);
        if (status == MF_OK) {
            status = mf_selftest_bulk(&cipher, BULK_BLOCKS);
        }
    }
    mf_twofish_wipe(&ctx);
    return status;
}
