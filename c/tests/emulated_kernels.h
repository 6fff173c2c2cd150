/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Before a kernel for x86-64 is included, to be compiled over emulated/immintrin.h, for any
 * processor. After it, EMULATED_KERNEL makes it one that runs everywhere.
 */
#ifndef MF_TEST_EMULATED_KERNELS_H
#define MF_TEST_EMULATED_KERNELS_H

/* All that kernels include of the system, and what asks for the processor, while that is known. */
#include "common/bytes.h"
#include "common/wipe.h"
#include "twofish/each.h"
#include "twofish/kernel.h"
#include "twofish/rounds.h"
#include "twofish/schedule.h"
#include "twofish/tables/each.h"
#include "twofish/tables/tables.h"

#ifndef __x86_64__
#define __x86_64__ 1
#endif

/* Without an instruction set: the compiler might take it for the emulation. */
#define VEC_FN static inline __attribute__((unused))
#define VEC_ENTRY static
#define VEC_EACH /* without inlining their number is not known, and clang warns that it cannot     \
                    unroll */
#define VEC_HIDE(x) ((void)(x))
#define VEC_HIDE_MASK(k) ((void)(k))

/* Of the functions that the kernel has defined. */
#define EMULATED_KERNEL(symbol, its_name, key_type, its_set_key, n_lanes)                          \
    const mf_twofish_kernel symbol = {                                                             \
        .common.name = its_name,                                                                   \
        .common.summary = "the source of a kernel, its instructions in plain C",                   \
        .common.cpu_features = MF_CPU_ANY,                                                         \
        .common.expanded_key_bytes = sizeof(key_type),                                             \
        .common.lanes = n_lanes,                                                                   \
        .common.constant_time = true,                                                              \
        .common.set_key_stack = MF_DEEP_STACK_BYTES,                                               \
        .common.bulk_stack = MF_DEEP_STACK_BYTES,                                                  \
        .setup = &vector_setup,                                                                    \
        .set_key = its_set_key,                                                                    \
        .common.encrypt_blocks = encrypt_blocks,                                                   \
        .common.decrypt_blocks = decrypt_blocks,                                                   \
    }

/* The same for many keys; any number of keys goes into the lanes. */
#define EMULATED_EACH(symbol, its_kernel)                                                          \
    const mf_twofish_each symbol = {                                                               \
        .kernel = its_kernel,                                                                      \
        .from = 1,                                                                                 \
        .max_blocks = 2,                                                                           \
        EACH_ROW,                                                                                  \
    }

#endif
