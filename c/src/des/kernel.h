/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The whole border between choosing a DES kernel (des.c, kernels.h) and being one (kernels/). To
 * add a kernel: one file in kernels/, one row in kernels.h, one declaration in des.h, one line in
 * CMakeLists.txt.
 *
 * The caller promises: the CPU has the features; n_keys of 1, or of 3, of which the second is for
 * decryption in the middle; n_blocks of at least 1; out equals in or is disjoint; nothing about the
 * alignment of key, out and in. The kernel promises: it cannot fail, allocates nothing, has no
 * globals, touches no byte outside its buffers, ignores parity bits, writes all of the expanded key
 * during set_key, and wipes its temporaries there that depend on the key. The first word of the
 * expanded key is n_keys, by which des.c sees that there is a key, and how long it is.
 */
#ifndef MF_SRC_DES_KERNEL_H
#define MF_SRC_DES_KERNEL_H

#include <manyfish/des.h>

#include "../common/kernel.h"

/* The room of an expanded key in a context: memory of type uint32_t, aligned for that. A kernel
 * whose expanded key is larger works in memory of the caller's, which is aligned to
 * MF_DES_MEMORY_ALIGNMENT. */
enum { MF_DES_EXPANDED_KEY_BYTES = sizeof(((mf_des *)0)->expanded_key) };

enum { MF_DES_ROUNDS = 16 };

/* Its size is part of the binary interface: linkers copy it from a shared library into programs
 * that take its address. */
struct mf_des_kernel {
    mf_kernel common;     /* keys of at most MF_DES_EXPANDED_KEY_BYTES, or it takes memory of the
                             caller's */
    size_t one_key_bytes; /* size of the expanded key for one key */
    void (*set_key)(void *expanded_key, const uint8_t *key, unsigned n_keys);
};

/* Best first; the list ends with NULL. Defined in kernels.c, and by libmanyfish-study. */
extern const mf_kernel *const mf_des_kernels[];

/* The kernel whose common part this is. */
MF_INLINE const mf_des_kernel *mf_des_kernel_of(const mf_kernel *common)
{
    return (const void *)common; /* its first member */
}

#endif
