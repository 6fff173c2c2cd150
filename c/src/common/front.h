/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What the front ends of all ciphers share: the check of a call on blocks, the kernel that the environment
 * names, and wiping after a call of a kernel.
 */
#ifndef MF_SRC_COMMON_FRONT_H
#define MF_SRC_COMMON_FRONT_H

#include <manyfish/common.h>

#include <stdatomic.h>

#include "bytes.h"
#include "cpu.h"
#include "text.h"
#include "wipe.h"

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

/* What the environment says of the default kernel; from MF_NAMED on: the index of the one it names. */
enum { MF_UNREAD, MF_UNNAMED, MF_LEAKS, MF_LEAKS_VALUE, MF_NAMED };

MF_INLINE size_t mf_read_environment(const char *variable, size_t (*index_of)(const char *name),
                                     bool (*leaks)(size_t index))
{
    const char *name = mf_getenv(variable);
    const char *allowed = mf_getenv("MANYFISH_LEAKS");
    const bool may_leak = allowed != NULL && allowed[0] != '\0';

    if (may_leak && !mf_same_text(allowed, "any")) {
        return MF_LEAKS_VALUE;
    }
    if (name == NULL || name[0] == '\0') {
        return MF_UNNAMED;
    }
    const size_t index = index_of(name);
    return leaks(index) && !may_leak ? MF_LEAKS : MF_NAMED + index;
}

/* Sets *index to index_of the name in this variable of the environment, or leaves it if there is none.
 * MF_ERROR_LEAKS, MF_ERROR_LEAKS_VALUE. The environment is read once, and choice, which starts as zero,
 * remembers; threads that read it at the same time find the same. */
MF_INLINE mf_status mf_named_kernel(atomic_size_t *choice, const char *variable,
                                    size_t (*index_of)(const char *name),
                                    bool (*leaks)(size_t index), size_t *index)
{
    size_t chosen = atomic_load_explicit(choice, memory_order_relaxed);
    if (chosen == MF_UNREAD) {
        chosen = mf_read_environment(variable, index_of, leaks);
        atomic_store_explicit(choice, chosen, memory_order_relaxed);
    }
    if (chosen == MF_LEAKS || chosen == MF_LEAKS_VALUE) {
        return chosen == MF_LEAKS ? MF_ERROR_LEAKS : MF_ERROR_LEAKS_VALUE;
    }
    *index = chosen == MF_UNNAMED ? *index : chosen - MF_NAMED;
    return MF_OK;
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

/* After n_blocks of a kernel that works on few_blocks in registers. More are worked on in more words than
 * there are registers, so some may be left on the stack; one block is not. */
MF_INLINE void mf_wipe_after_blocks(size_t n_blocks, size_t few_blocks, size_t n_bytes)
{
    if (n_blocks > 1 && n_blocks > few_blocks) {
        mf_wipe_used_stack(n_bytes);
    }
}

#endif
