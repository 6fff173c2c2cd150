/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The choice of a kernel, and facts about kernels, for all ciphers.
 */
#include "kernel.h"

#include "text.h"

/* The environment's word on the default kernel; NAMED + i: it names kernel i. */
enum { UNREAD, UNNAMED, LEAKS, LEAKS_VALUE, NAMED };

mf_status mf_check_kernel(const mf_kernel *kernel, size_t key_bytes)
{
    if (!mf_cpu_has(kernel->cpu_features)) {
        return MF_ERROR_CPU;
    }
    return kernel->check == NULL ? MF_OK : kernel->check(key_bytes);
}

size_t mf_max_key_bytes(const mf_kernel_list *list, const mf_kernel *kernel)
{
    const bool short_keys_only =
        kernel->check != NULL && kernel->check(list->max_key_bytes) == MF_ERROR_KEY_LENGTH;
    return short_keys_only ? list->min_key_bytes : list->max_key_bytes;
}

static bool runnable(const mf_kernel_list *list, size_t index)
{
    return mf_check_kernel(list->at[index], list->min_key_bytes) == MF_OK;
}

/* The place of a kernel in the list; the end of the list if there is none of this name. */
static size_t index_of(const mf_kernel_list *list, const char *name)
{
    size_t i = 0;
    while (list->at[i] != NULL && !mf_same_text(list->at[i]->name, name)) {
        i++;
    }
    return i;
}

/* A portable kernel always runs, and those that need tables come after it. */
static size_t index_of_best(const mf_kernel_list *list)
{
    size_t i = 0;
    while (!runnable(list, i)) {
        i++;
    }
    return i;
}

static size_t read_environment(const mf_kernel_list *list)
{
    const char *name = mf_getenv(list->variable);
    const char *allowed = mf_getenv("MANYFISH_LEAKS");
    const bool may_leak = allowed != NULL && allowed[0] != '\0';

    if (may_leak && !mf_same_text(allowed, "any")) {
        return LEAKS_VALUE;
    }
    if (name == NULL || name[0] == '\0') {
        return UNNAMED;
    }
    const size_t index = index_of(list, name);
    const mf_kernel *kernel = list->at[index];
    return kernel != NULL && !kernel->constant_time && !may_leak ? LEAKS : NAMED + index;
}

/* The environment is read once; threads that read it at the same time find the same. */
static mf_status index_of_default(const mf_kernel_list *list, size_t *index)
{
    size_t named = atomic_load_explicit(list->named, memory_order_relaxed);
    if (named == UNREAD) {
        named = read_environment(list);
        atomic_store_explicit(list->named, named, memory_order_relaxed);
    }
    if (named == LEAKS || named == LEAKS_VALUE) {
        return named == LEAKS ? MF_ERROR_LEAKS : MF_ERROR_LEAKS_VALUE;
    }
    *index = named == UNNAMED ? index_of_best(list) : named - NAMED;
    return MF_OK;
}

mf_status mf_find_kernel(const mf_kernel_list *list, const char *name, size_t *index)
{
    mf_status status = MF_OK;

    if (name == NULL) {
        status = index_of_default(list, index);
    } else {
        *index = index_of(list, name);
    }
    return status == MF_OK && list->at[*index] == NULL ? MF_ERROR_KERNEL : status;
}

size_t mf_count_kernels(const mf_kernel_list *list)
{
    size_t n = 0;
    while (list->at[n] != NULL) {
        n++;
    }
    return n;
}

mf_status mf_describe_kernel(const mf_kernel_list *list, size_t index, mf_kernel_info *info)
{
    if (info == NULL) {
        return MF_ERROR_NULL;
    }
    if (index >= mf_count_kernels(list)) {
        return MF_ERROR_KERNEL;
    }
    const mf_kernel *kernel = list->at[index];
    size_t preset = 0;

    info->name = kernel->name;
    info->summary = kernel->summary;
    info->cpu_features = mf_cpu_names(kernel->cpu_features);
    info->expanded_key_bytes = kernel->expanded_key_bytes;
    info->lanes = kernel->lanes;
    info->constant_time = kernel->constant_time;
    info->max_key_bytes = mf_max_key_bytes(list, kernel);
    info->shared_bytes = kernel->shared_bytes;
    info->runnable = runnable(list, index);
    info->is_default =
        info->runnable && index_of_default(list, &preset) == MF_OK && index == preset;
    return MF_OK;
}

enum { MAX_TEXT_BYTES = 521 * 8 };

mf_status mf_selftest_bulk(const mf_cipher *cipher, size_t n_blocks)
{
    const size_t n_bytes = n_blocks * cipher->block_bytes;
    uint8_t text[MAX_TEXT_BYTES];
    uint8_t bulk[MAX_TEXT_BYTES];

    for (size_t i = 0; i < sizeof text; i++) {
        text[i] = (uint8_t)(7 * i + i / 251);
    }
    cipher->encrypt_blocks(cipher->key, bulk, text, n_blocks);
    for (size_t i = 0; i < n_bytes; i += cipher->block_bytes) {
        uint8_t single[MF_MAX_BLOCK_BYTES];
        cipher->encrypt_blocks(cipher->key, single, text + i, 1);
        if (memcmp(bulk + i, single, cipher->block_bytes) != 0) {
            return MF_ERROR_SELFTEST;
        }
    }
    cipher->decrypt_blocks(cipher->key, bulk, bulk, n_blocks);
    return memcmp(bulk, text, n_bytes) == 0 ? MF_OK : MF_ERROR_SELFTEST;
}
