/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The front end of DES and Triple-DES: checks, choice of the kernel, wiping, self-test. The work is
 * done behind kernel.h.
 */
#include <manyfish/des.h>

#include "kernel.h"
#include "tables/known_answers.h"

enum { BLOCK_BYTES = MF_DES_BLOCK_BYTES };

_Static_assert(sizeof(mf_des) == MF_DES_CONTEXT_BYTES, "mf_des has padding");

static const void *expanded_key(const mf_des *ctx)
{
    return ctx->memory != NULL ? ctx->memory : ctx->expanded_key;
}

/* Copies of a context share memory of the caller's, so what became of the key there is seen there
 * alone: the number of keys is its first word (kernel.h), which is 0 after wiping, and no
 * secret. */
static uint32_t n_keys(const mf_des *ctx)
{
    return *(const uint32_t *)expanded_key(ctx);
}

static bool has_key(const void *ctx)
{
    const mf_des *des = ctx;
    return des != NULL && des->kernel != NULL && n_keys(des) != 0;
}

/* --- Kernels ---------------------------------------------------------------------------------- */

static atomic_size_t named_kernel;

static const mf_kernel_list kernels = {
    .at = mf_des_kernels,
    .min_key_bytes = 8,
    .max_key_bytes = MF_DES_MAX_KEY_BYTES,
    .variable = "MANYFISH_DES_KERNEL",
    .named = &named_kernel,
};

static bool fits_context(const mf_des_kernel *kernel)
{
    return kernel->common.expanded_key_bytes <= MF_DES_EXPANDED_KEY_BYTES;
}

/* NULL names the default. Errors: those of mf_find_kernel, and MF_ERROR_CPU. */
static mf_status find_kernel(const mf_des_kernel **kernel, const char *name)
{
    size_t index = 0;
    const mf_status status = mf_find_kernel(&kernels, name, &index);

    *kernel = mf_des_kernel_of(mf_des_kernels[index]);
    return status == MF_OK ? mf_check_kernel(&(*kernel)->common, 8) : status;
}

/* --- Setting a key ---------------------------------------------------------------------------- */

static bool is_key_size(size_t key_bytes)
{
    return key_bytes == 8 || key_bytes == 16 || key_bytes == 24;
}

static size_t key_room(const mf_des_kernel *kernel, size_t key_bytes)
{
    return key_bytes == 8 ? kernel->one_key_bytes : kernel->common.expanded_key_bytes;
}

static mf_status check_key(const mf_des *ctx, const void *key, size_t key_bytes)
{
    if (!is_key_size(key_bytes)) {
        return MF_ERROR_KEY_LENGTH;
    }
    return mf_check_key(ctx, sizeof *ctx, key, key_bytes);
}

/* Two keys are three, of which the third is the first [FIPS46-3]. */
static void set_key(const mf_des_kernel *kernel, void *expanded_key, const uint8_t *key,
                    size_t key_bytes)
{
    uint8_t three[MF_DES_MAX_KEY_BYTES];

    if (key_bytes == 16) {
        memcpy(three, key, 16);
        memcpy(three + 16, key, 8);
        kernel->set_key(expanded_key, three, 3);
        mf_wipe(three, sizeof three);
    } else {
        kernel->set_key(expanded_key, key, (unsigned)(key_bytes / 8));
    }
    mf_wipe_used_stack(kernel->common.set_key_stack);
}

static mf_status check_init(const mf_des *ctx, const mf_des_kernel *kernel, const void *key,
                            size_t key_bytes)
{
    if (kernel == NULL) {
        return MF_ERROR_NULL;
    }
    mf_status status = check_key(ctx, key, key_bytes);
    if (status == MF_OK) {
        status = mf_check_kernel(&kernel->common, key_bytes);
    }
    return status == MF_OK && !fits_context(kernel) ? MF_ERROR_CAPACITY : status;
}

mf_status mf_des_init_with(mf_des *ctx, const mf_des_kernel *kernel, const void *key,
                           size_t key_bytes)
{
    if (ctx == NULL) {
        return MF_ERROR_NULL;
    }
    const mf_status status = check_init(ctx, kernel, key, key_bytes);
    if (status != MF_OK) {
        mf_wipe(ctx, sizeof *ctx);
        return status;
    }
    /* Of an earlier key no byte is left: the kernel writes over the first part, and we over the
     * rest. */
    const size_t used = key_room(kernel, key_bytes);
    mf_wipe((unsigned char *)ctx->expanded_key + used, sizeof ctx->expanded_key - used);
    ctx->kernel = kernel;
    ctx->memory = NULL;
    ctx->memory_bytes = 0;
    set_key(kernel, ctx->expanded_key, key, key_bytes);
    return MF_OK;
}

mf_status mf_des_init(mf_des *ctx, const void *key, size_t key_bytes)
{
    return mf_des_init_kernel(ctx, NULL, key, key_bytes);
}

mf_status mf_des_init_kernel(mf_des *ctx, const char *kernel, const void *key, size_t key_bytes)
{
    const mf_des_kernel *found = NULL;

    if (ctx == NULL) {
        return MF_ERROR_NULL;
    }
    const mf_status status = find_kernel(&found, kernel);
    if (status != MF_OK) {
        mf_wipe(ctx, sizeof *ctx);
        return status;
    }
    return mf_des_init_with(ctx, found, key, key_bytes);
}

/* --- Memory of the caller's ------------------------------------------------------------------- */

static void *aligned(void *memory)
{
    const uintptr_t past = (uintptr_t)memory % MF_DES_MEMORY_ALIGNMENT;
    return (unsigned char *)memory + (past == 0 ? 0 : MF_DES_MEMORY_ALIGNMENT - past);
}

static mf_status check_memory(const mf_des *ctx, const mf_des_kernel *kernel, const void *memory,
                              size_t memory_bytes, const void *key, size_t key_bytes)
{
    if (memory_bytes < key_room(kernel, key_bytes) + MF_DES_MEMORY_ALIGNMENT) {
        return MF_ERROR_CAPACITY;
    }
    if (memory == NULL) {
        return MF_ERROR_NULL;
    }
    return mf_overlap(memory, memory_bytes, ctx, sizeof *ctx) ||
                   mf_overlap(memory, memory_bytes, key, key_bytes)
               ? MF_ERROR_OVERLAP
               : MF_OK;
}

mf_status mf_des_init_in(mf_des *ctx, const char *kernel, void *memory, size_t memory_bytes,
                         const void *key, size_t key_bytes)
{
    const mf_des_kernel *found = NULL;

    if (ctx == NULL) {
        return MF_ERROR_NULL;
    }
    mf_status status = check_key(ctx, key, key_bytes);
    if (status == MF_OK) {
        status = find_kernel(&found, kernel);
    }
    if (status == MF_OK) {
        status = check_memory(ctx, found, memory, memory_bytes, key, key_bytes);
    }
    mf_wipe(ctx, sizeof *ctx);
    if (status == MF_OK) {
        ctx->kernel = found;
        ctx->memory = aligned(memory);
        ctx->memory_bytes = memory_bytes - MF_DES_MEMORY_ALIGNMENT;
        set_key(found, ctx->memory, key, key_bytes);
    }
    return status;
}

static mf_status check_next_key(const mf_des *ctx, const void *key, size_t key_bytes)
{
    if (ctx == NULL) {
        return MF_ERROR_NULL;
    }
    if (!has_key(ctx)) {
        return MF_ERROR_NO_KEY;
    }
    const mf_status status = check_key(ctx, key, key_bytes);
    if (status != MF_OK || ctx->memory == NULL) {
        return status;
    }
    if (mf_overlap(ctx->memory, ctx->memory_bytes, key, key_bytes)) {
        return MF_ERROR_OVERLAP;
    }
    return key_room(ctx->kernel, key_bytes) <= ctx->memory_bytes ? MF_OK : MF_ERROR_CAPACITY;
}

/* The size of the expanded key that ctx has. */
static size_t used_bytes(const mf_des *ctx)
{
    return key_room(ctx->kernel, 8 * (size_t)n_keys(ctx));
}

mf_status mf_des_set_key(mf_des *ctx, const void *key, size_t key_bytes)
{
    const mf_status status = check_next_key(ctx, key, key_bytes);

    if (status == MF_OK) {
        unsigned char *bytes = ctx->memory != NULL ? ctx->memory : (void *)ctx->expanded_key;
        const size_t used = key_room(ctx->kernel, key_bytes);
        const size_t used_before = used_bytes(ctx);

        if (used < used_before) {
            mf_wipe(bytes + used, used_before - used);
        }
        set_key(ctx->kernel, bytes, key, key_bytes);
    }
    return status;
}

mf_status mf_des_memory_bytes(const char *kernel, size_t key_bytes, size_t *n_bytes)
{
    const mf_des_kernel *found = NULL;

    if (n_bytes == NULL) {
        return MF_ERROR_NULL;
    }
    if (!is_key_size(key_bytes)) {
        return MF_ERROR_KEY_LENGTH;
    }
    const mf_status status = find_kernel(&found, kernel);
    if (status == MF_OK) {
        *n_bytes = key_room(found, key_bytes);
    }
    return status;
}

/* --- Blocks ----------------------------------------------------------------------------------- */

static void encrypt(const void *ctx, uint8_t *out, const uint8_t *in, size_t n_blocks)
{
    const mf_des *des = ctx;
    mf_kernel_encrypt(&des->kernel->common, expanded_key(des), out, in, n_blocks);
}

static void decrypt(const void *ctx, uint8_t *out, const uint8_t *in, size_t n_blocks)
{
    const mf_des *des = ctx;
    mf_kernel_decrypt(&des->kernel->common, expanded_key(des), out, in, n_blocks);
}

mf_status mf_des_encrypt_blocks(const mf_des *ctx, void *out, const void *in, size_t n_blocks)
{
    const mf_status status = mf_check_call(ctx, has_key, BLOCK_BYTES, out, in, n_blocks);
    if (status == MF_OK && n_blocks > 0) {
        encrypt(ctx, out, in, n_blocks);
    }
    return status;
}

mf_status mf_des_decrypt_blocks(const mf_des *ctx, void *out, const void *in, size_t n_blocks)
{
    const mf_status status = mf_check_call(ctx, has_key, BLOCK_BYTES, out, in, n_blocks);
    if (status == MF_OK && n_blocks > 0) {
        decrypt(ctx, out, in, n_blocks);
    }
    return status;
}

void mf_des_wipe(mf_des *ctx)
{
    if (ctx != NULL) {
        if (ctx->memory != NULL && has_key(ctx)) {
            mf_wipe(ctx->memory, used_bytes(ctx));
        }
        mf_wipe(ctx, sizeof *ctx);
    }
}

/* --- What is there ---------------------------------------------------------------------------- */

const char *mf_des_kernel_name(const mf_des *ctx)
{
    return has_key(ctx) ? ctx->kernel->common.name : NULL;
}

mf_cipher mf_des_cipher(const mf_des *ctx)
{
    /* The modes ask has_key before they call the others. */
    const mf_cipher cipher = {BLOCK_BYTES, ctx, has_key, encrypt, decrypt};
    return cipher;
}

size_t mf_des_kernel_count(void)
{
    return mf_count_kernels(&kernels);
}

mf_status mf_des_kernel_info(size_t index, mf_kernel_info *info)
{
    return mf_describe_kernel(&kernels, index, info);
}

/* --- Self-test -------------------------------------------------------------------------------- */

/* Where a key goes that the self-test sets. */
typedef struct place {
    mf_des *ctx;
    const char *kernel;
    void *memory;
    size_t memory_bytes;
    bool in_context;
} place;

static mf_status init_at(const place *p, const uint8_t *key, size_t key_bytes)
{
    return p->in_context
               ? mf_des_init_kernel(p->ctx, p->kernel, key, key_bytes)
               : mf_des_init_in(p->ctx, p->kernel, p->memory, p->memory_bytes, key, key_bytes);
}

/* The chain of tables/known_answers.h. */
static mf_status selftest_key_size(const place *p, size_t key_bytes,
                                   const uint8_t expected[BLOCK_BYTES])
{
    uint8_t key[MF_DES_MAX_KEY_BYTES];
    uint8_t text[BLOCK_BYTES] = {0};
    uint8_t back[BLOCK_BYTES];

    memcpy(key, mf_des_known_answer_key, sizeof key);
    for (int step = 0; step < MF_DES_KNOWN_ANSWER_STEPS; step++) {
        uint8_t before[BLOCK_BYTES];
        const mf_status status = init_at(p, key, key_bytes);
        if (status != MF_OK) {
            return status;
        }
        memcpy(before, text, BLOCK_BYTES);
        encrypt(p->ctx, text, text, 1);
        decrypt(p->ctx, back, text, 1);
        if (memcmp(back, before, BLOCK_BYTES) != 0) {
            return MF_ERROR_SELFTEST;
        }
        for (size_t i = 0; i < key_bytes; i++) {
            key[i] ^= text[i % BLOCK_BYTES];
        }
    }
    return memcmp(text, expected, BLOCK_BYTES) == 0 ? MF_OK : MF_ERROR_SELFTEST;
}

mf_status mf_des_selftest(const char *kernel, void *memory, size_t memory_bytes)
{
    enum { BULK_BLOCKS = 521 }; /* a prime above the lanes of any kernel */
    const size_t n = sizeof mf_des_known_answers / sizeof mf_des_known_answers[0];
    const mf_des_kernel *found = NULL;
    mf_status status = find_kernel(&found, kernel);
    mf_des ctx = {0};
    const mf_cipher cipher = mf_des_cipher(&ctx);
    place p = {&ctx, kernel, memory, memory_bytes, true};

    for (size_t i = 0; i < n && status == MF_OK; i++) {
        p.in_context = fits_context(found);
        status = selftest_key_size(&p, mf_des_known_answers[i].key_bytes,
                                   mf_des_known_answers[i].ciphertext);
        if (status == MF_OK) {
            status = mf_selftest_bulk(&cipher, BULK_BLOCKS);
        }
    }
    mf_des_wipe(&ctx);
    return status;
}
