/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Finds the kernel that costs least for the work to do.
 *
 * A kernel that computes much for each key pays when many blocks follow; one that works on many
 * blocks at a time needs them all at once [Twofish98, 5.1]. Say how many blocks a key is expected
 * to see, how many come in one call, and what may leak: mf_twofish_init_for takes the kernel with
 * the least sum of
 *
 *     set-up + calls
 *
 * as a table of costs has it. One such table is part of the library, measured on one machine,
 * and good to know which kernel beats which. A table of your own machine knows better: `manyfish
 * tune` measures it, and prints the figures as text.
 *
 * A table kernel can be set up in two ways (mf_twofish_init_kernel_ct_set_up). Where vector units
 * compute the S-boxes, the one without an address from the key is mostly the quicker one too: it is
 * taken where it costs less, and wherever keys must not leak.
 *
 * All kernels give the same results, so a wrong expectation costs time, and nothing else.
 * <manyfish/common.h> has the conventions: overlap, NULL, threads, undefined behaviour.
 */
#ifndef MANYFISH_TWOFISH_CHOICE_H
#define MANYFISH_TWOFISH_CHOICE_H

#include <manyfish/twofish.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The secrets that timing and cache may reveal. */
typedef enum mf_leaks {
    MF_LEAK_NONE = 0, /* nothing: constant-time kernels only */
    MF_LEAK_TEXT = 1, /* addresses from text and subkeys, while a block is worked on; the set-up
                         from a key is constant-time. For texts that the one who can watch the cache
                         may know */
    MF_LEAK_ANY = 2   /* addresses from keys and texts: nobody else can watch this processor's
                         cache */
} mf_leaks;

/* The numbers of blocks in a call that have a figure in a table of costs: where kernels have steps,
 * and one after. */
#define MF_COST_CALLS 14
#define MF_COST_CALL_BLOCKS                                                                        \
    {                                                                                              \
        1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 32, 33, 64, 128                                            \
    }
#define MF_COST_NAME_BYTES 24
#define MF_COST_KERNELS 24

/* The costs of one kernel, in any unit that is the same for all of a table; 0 means unknown. The
 * index of a key size is 0, 1, 2 for 128, 192, 256 bits. */
typedef struct mf_twofish_cost {
    char kernel[MF_COST_NAME_BYTES];  /* ends with a zero byte */
    uint32_t set_up[3];               /* mf_twofish_init_kernel */
    uint32_t ct_set_up[3];            /* a constant-time set-up of a kernel that is not */
    uint32_t calls[3][MF_COST_CALLS]; /* a call of MF_COST_CALL_BLOCKS blocks, each after the
                                         other */
} mf_twofish_cost;

/* A table of costs, caller-owned and readable. No kernel has two rows. */
typedef struct mf_twofish_costs {
    size_t struct_bytes; /* sizeof(mf_twofish_costs); another one is of another version */
    size_t n_kernels;    /* at most MF_COST_KERNELS */
    mf_twofish_cost kernels[MF_COST_KERNELS];
} mf_twofish_costs;

/* The work that a key will do. All zero bytes mean: no blocks known of, in one call, any memory for
 * the key but no shared tables, no leak. */
typedef struct mf_twofish_expectation {
    uint64_t n_blocks; /* under this key, in calls of blocks_per_call; above 2^31 it counts as
                          2^31 */
    uint64_t blocks_per_call; /* 1: each waits for the one before, as in CBC encryption and CMAC; 0:
                                 all at once, as in ECB, CTR, OCB, XTS, and in CBC decryption */
    size_t max_key_bytes; /* of a context that may be filled for a key, so of the cache; 0: any */
    mf_leaks leaks;
    const mf_twofish_costs *costs; /* NULL: those of the library */
    uint64_t n_single_blocks; /* under this key in addition, each in a call of its own: EAX and CCM
                                 encrypt each block of a message at once with others, and a second
                                 one in a chain. Above 2^31 it counts as 2^31 */
    size_t max_shared_bytes;  /* of tables that all keys share (<manyfish/study/tables.h>): those up
                                 to this size may be used if they are ready; 0: none */
} mf_twofish_expectation;

typedef struct mf_twofish_choice {
    const char *kernel; /* as mf_twofish_init_kernel takes it; static storage */
    bool ct_set_up;     /* take mf_twofish_init_kernel_ct_set_up: it must be, or it costs less */
    uint64_t cost;      /* in the unit of the table; UINT64_MAX if the table does not know */
} mf_twofish_choice;

/* Chooses. Of two kernels that cost the same the better one by mf_twofish_kernel_info is taken; one
 * that the table does not know is taken only if it knows none of those allowed. MANYFISH_KERNEL has
 * no effect here.
 *   choice     is filled; untouched on an error
 *   key_bytes  16, 24 or 32
 * MF_ERROR_NULL, MF_ERROR_KEY_LENGTH; MF_ERROR_VERSION if struct_bytes of the costs is not the size
 * that they have in this library; MF_ERROR_POLICY if no kernel that runs here keeps within leaks,
 * max_key_bytes and max_shared_bytes, or if leaks is no mf_leaks. Takes some hundred cycles. */
MF_API MF_MUST_CHECK mf_status mf_twofish_choose(mf_twofish_choice *choice, size_t key_bytes,
                                                 const mf_twofish_expectation *expectation);

/* Chooses, then expands the key as mf_twofish_init_kernel or mf_twofish_init_kernel_ct_set_up does;
 * mf_twofish_kernel_name tells what was taken. On an error ctx holds no key.
 * Errors of mf_twofish_choose; MF_ERROR_OVERLAP if key overlaps ctx. */
MF_API MF_MUST_CHECK mf_status mf_twofish_init_for(mf_twofish *ctx, const void *key,
                                                   size_t key_bytes,
                                                   const mf_twofish_expectation *expectation);

/* The expected cost of one kernel, with the cheaper of the allowed set-ups; the kernel need not run
 * here.
 *   cost  set, in the unit of the table; to UINT64_MAX if the table does not know. Untouched on an
 *         error
 * MF_ERROR_NULL, MF_ERROR_KEY_LENGTH, MF_ERROR_VERSION, MF_ERROR_KERNEL (no such name),
 * MF_ERROR_POLICY (it leaks or fills more than the expectation allows). */
MF_API MF_MUST_CHECK mf_status mf_twofish_expected_cost(uint64_t *cost, const char *kernel,
                                                        size_t key_bytes,
                                                        const mf_twofish_expectation *expectation);

/* The costs that are part of the library: those that NULL stands for. ct_set_up is that of the
 * vector unit, or the circuits, which would serve here.
 *   costs  is filled, except struct_bytes, which says how large it is
 * MF_ERROR_NULL, MF_ERROR_VERSION (struct_bytes is another). */
MF_API MF_MUST_CHECK mf_status mf_twofish_shipped_costs(mf_twofish_costs *costs);

#ifdef __cplusplus
}
#endif

#endif
