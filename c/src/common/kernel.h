/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Facts about a kernel, the same for all ciphers, and the choice of a kernel by name, by the
 * environment, or of the best. A cipher's kernel.h adds what only its kernels have.
 */
#ifndef MF_SRC_COMMON_KERNEL_H
#define MF_SRC_COMMON_KERNEL_H

#include <manyfish/cipher.h>
#include <manyfish/common.h>

#include <stdatomic.h>

#include "bytes.h"
#include "cpu.h"
#include "wipe.h"

typedef struct mf_kernel {
    const char *name;
    const char *summary;       /* one line for the list of kernels */
    uint32_t cpu_features;     /* what it needs, of MF_CPU_...; MF_CPU_ANY runs anywhere */
    size_t expanded_key_bytes; /* for the longest key */
    size_t lanes;              /* blocks worked on at a time; any n_blocks is accepted */
    bool constant_time;        /* no branch on, no address from, key or data */
    size_t shared_bytes;       /* of tables for all keys, which check asks for; 0: it needs none */
    /* MF_OK if it can take a key of key_bytes now, else why not: first MF_ERROR_KEY_LENGTH if it
     * never can. NULL: it always can. */
    mf_status (*check)(size_t key_bytes);
    /* How many bytes of the stack the caller has to wipe, at most MF_DEEP_STACK_BYTES; 0 says up to
     * MF_STACK_BYTES. Tests of wiping measure what is left and fail where a kernel states less: */
    size_t set_key_stack; /* after set_key */
    size_t bulk_stack;    /* after more than few_blocks; 0 of them says 1 */
    size_t few_blocks;
    void (*encrypt_blocks)(const void *expanded_key, uint8_t *out, const uint8_t *in,
                           size_t n_blocks);
    void (*decrypt_blocks)(const void *expanded_key, uint8_t *out, const uint8_t *in,
                           size_t n_blocks);
} mf_kernel;

/* The kernels of a cipher, as the choice sees them. */
typedef struct mf_kernel_list {
    const mf_kernel *const *at; /* best first, NULL at the end */
    size_t min_key_bytes;       /* every kernel takes a key of this length, */
    size_t max_key_bytes;       /* most take this one */
    const char *variable;       /* of the environment: names the default */
    atomic_size_t *named;       /* what it said; starts as zero */
} mf_kernel_list;

/* MF_OK if the kernel can take a key of key_bytes here and now, or else MF_ERROR_CPU or what its
 * check says. */
mf_status mf_check_kernel(const mf_kernel *kernel, size_t key_bytes);

/* The longest key that the kernel takes, in bytes. */
size_t mf_max_key_bytes(const mf_kernel_list *list, const mf_kernel *kernel);

/* Sets *index to the place of the kernel of that name; NULL names the default: the one that the
 * environment names, else the best that runs here. Errors: MF_ERROR_KERNEL, there is none of that
 * name; for the default MF_ERROR_LEAKS and MF_ERROR_LEAKS_VALUE. Whether it can run is not looked
 * at. */
mf_status mf_find_kernel(const mf_kernel_list *list, const char *name, size_t *index);

size_t mf_count_kernels(const mf_kernel_list *list);

/* As mf_twofish_kernel_info and mf_des_kernel_info. */
mf_status mf_describe_kernel(const mf_kernel_list *list, size_t index, mf_kernel_info *info);

/* Compares the bulk path of a cipher that has a key with single blocks. n_blocks of at most 521
 * should be a prime, so that no number of lanes divides it. MF_ERROR_SELFTEST. */
mf_status mf_selftest_bulk(const mf_cipher *cipher, size_t n_blocks);

/* May a call work on n_blocks blocks? */
MF_INLINE mf_status mf_check_call(const void *ctx, bool (*has_key)(const void *ctx),
                                  size_t block_bytes, const void *out, const void *in,
                                  size_t n_blocks)
{
    if (ctx == NULL || (n_blocks > 0 && (out == NULL || in == NULL))) {
        return MF_ERROR_NULL;
    }
    if (!has_key(ctx)) {
        return MF_ERROR_NO_KEY;
    }
    if (n_blocks > SIZE_MAX / block_bytes) {
        return MF_ERROR_LENGTH;
    }
    return mf_overlap_partly(out, in, n_blocks * block_bytes) ? MF_ERROR_OVERLAP : MF_OK;
}

/* May a key be read while the n_bytes at ctx are written? Its length is known to be right. */
MF_INLINE mf_status mf_check_key(const void *ctx, size_t n_bytes, const void *key, size_t key_bytes)
{
    if (key == NULL) {
        return MF_ERROR_NULL;
    }
    return mf_overlap(ctx, n_bytes, key, key_bytes) ? MF_ERROR_OVERLAP : MF_OK;
}

/* After a call of a kernel that has used n_bytes of the stack. */
MF_INLINE void mf_wipe_used_stack(size_t n_bytes)
{
    if (n_bytes > MF_STACK_BYTES) {
        mf_wipe_deep_stack(n_bytes);
    } else {
        mf_wipe_stack();
    }
}

/* After n_blocks of a kernel that works on few_blocks in registers. More are worked on in more
 * words than there are registers, so some may be left on the stack; one block is not. */
MF_INLINE void mf_wipe_after_blocks(size_t n_blocks, size_t few_blocks, size_t n_bytes)
{
    if (n_blocks > 1 && n_blocks > few_blocks) {
        mf_wipe_used_stack(n_bytes);
    }
}

MF_INLINE void mf_kernel_encrypt(const mf_kernel *kernel, const void *expanded_key, uint8_t *out,
                                 const uint8_t *in, size_t n_blocks)
{
    kernel->encrypt_blocks(expanded_key, out, in, n_blocks);
    mf_wipe_after_blocks(n_blocks, kernel->few_blocks, kernel->bulk_stack);
}

MF_INLINE void mf_kernel_decrypt(const mf_kernel *kernel, const void *expanded_key, uint8_t *out,
                                 const uint8_t *in, size_t n_blocks)
{
    kernel->decrypt_blocks(expanded_key, out, in, n_blocks);
    mf_wipe_after_blocks(n_blocks, kernel->few_blocks, kernel->bulk_stack);
}

#endif
