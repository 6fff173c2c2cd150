/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The whole border between choosing a Twofish kernel (twofish.c, kernels.h) and being one
 * (kernels/). To add a kernel: one file in kernels/, one row in kernels.h, one declaration in
 * twofish.h, one line in CMakeLists.txt. docs/adding-a-kernel.md walks through it.
 *
 * The caller promises: the CPU has the features; check, if there is one, has allowed the key; it
 * has 8k bytes with k = 2, 3 or 4; n_blocks of at least 1; out equals in or is disjoint; nothing
 * about alignment. The kernel promises: it cannot fail, allocates nothing, has no globals, touches
 * no byte outside its buffers, writes all of its expanded_key_bytes during set_key, and wipes its
 * temporaries there that depend on the key.
 */
#ifndef MF_SRC_TWOFISH_KERNEL_H
#define MF_SRC_TWOFISH_KERNEL_H

#include <manyfish/twofish.h>

#include "../common/kernel.h"
#include "schedule.h"

/* The room of an expanded key: each kernel asserts that its own fits. It is memory of type
 * uint32_t; read and write it as that, as bytes or as vectors. */
enum { MF_TWOFISH_EXPANDED_KEY_BYTES = sizeof(((mf_twofish *)0)->expanded_key) };

/* The constant-time kernels' help for table kernels: a key set-up without an address from the
 * key: the key schedule, and the S-boxes in plain order. A kernel that can do it has one of these
 * in its row; the first kernel that runs here and has one serves all others. */
typedef struct mf_twofish_setup {
    size_t stack; /* how many bytes of it the caller has to wipe after any of these */

    /* As mf_twofish_schedule. */
    void (*schedule)(uint32_t K[MF_TWOFISH_SUBKEYS], uint32_t S[MF_TWOFISH_MAX_K],
                     const uint8_t *key, unsigned k);

    /* The S-boxes without the last `undone` q, 1 or 2: with 1 what partial keying stores, with 2
     * what minimal keying does. */
    void (*bytes)(uint8_t box[4][256], const uint32_t *S, unsigned k, unsigned undone);

    /* The S-boxes with the MDS matrix, as full keying stores them. */
    void (*words)(uint32_t box[4][256], const uint32_t *S, unsigned k);
} mf_twofish_setup;

/* Its size is part of the binary interface: linkers copy it from a shared library into programs
 * that take its address. */
struct mf_twofish_kernel {
    mf_kernel common;              /* keys of at most MF_TWOFISH_EXPANDED_KEY_BYTES */
    const mf_twofish_setup *setup; /* for others; NULL: none */
    void (*set_key)(void *expanded_key, const uint8_t *key, unsigned k);
    /* The same for a kernel that is not constant-time, without an address from the key; NULL: it
     * has no such set-up. */
    void (*set_key_ct)(void *expanded_key, const uint8_t *key, unsigned k,
                       const mf_twofish_setup *setup);
};

/* Best first; the list ends with NULL. Defined in kernels.c, and by libmanyfish-study. */
extern const mf_kernel *const mf_twofish_kernels[];

/* The kernel whose common part this is. */
MF_INLINE const mf_twofish_kernel *mf_twofish_kernel_of(const mf_kernel *common)
{
    return (const void *)common; /* its first member */
}

/* Sets *kernel to the one of that name; NULL names the default. The errors of mf_find_kernel. */
mf_status mf_twofish_find_kernel(const mf_twofish_kernel **kernel, const char *name);

/* Expands a key of 16, 24 or 32 bytes for the kernel and wipes the stack below. The errors of
 * mf_check_kernel; expanded_key is untouched then. */
mf_status mf_twofish_expand(const mf_twofish_kernel *kernel, void *expanded_key, const void *key,
                            size_t key_bytes);

/* The same without an address from the key; also MF_ERROR_POLICY: the kernel has no such set-up. */
mf_status mf_twofish_expand_ct(const mf_twofish_kernel *kernel, void *expanded_key, const void *key,
                               size_t key_bytes);

/* The kernel whose set-up serves the others here; NULL if no kernel of this build has one. */
const mf_twofish_kernel *mf_twofish_setup_kernel(void);

#endif
