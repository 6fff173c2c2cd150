/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * GHASH [SP800-38D, 6.4]: Y becomes (Y xor X) * H in GF(2^128) for each block X. This is the whole
 * border between those who need it and the ways to multiply. To add one: a file NAME.c here, a row
 * in ghash.c, a line in CMakeLists.txt.
 *
 * All variants are constant-time: H, Y and the blocks decide neither branches nor addresses.
 */
#ifndef MF_SRC_MODES_GHASH_H
#define MF_SRC_MODES_GHASH_H

#include <stddef.h>
#include <stdint.h>

enum { MF_GHASH_BLOCK = 16, MF_GHASH_KEY_WORDS = 64 };

/* The caller promises: the CPU has the features; nothing about alignment. Keys of one variant say
 * nothing to another. */
typedef struct mf_ghash {
    const char *name;
    uint32_t cpu_features; /* bits of common/cpu.h */
    /* Makes of H what absorb needs. */
    void (*set_key)(uint64_t key[MF_GHASH_KEY_WORDS], const uint8_t h[MF_GHASH_BLOCK]);
    /* Any n_blocks, 0 too. Words that depend on the key may be left on the stack: the caller ends
     * with mf_wipe_stack. */
    void (*absorb)(const uint64_t key[MF_GHASH_KEY_WORDS], uint8_t y[MF_GHASH_BLOCK],
                   const uint8_t *blocks, size_t n_blocks);
} mf_ghash;

/* Best first, the portable one last; the list ends with NULL. */
extern const mf_ghash *const mf_ghash_variants[];

/* The first that this CPU can run. */
const mf_ghash *mf_ghash_best(void);

#endif
