/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The key schedule by the big shared tables: h as in schedule.c, but two layers of q are one
 * lookup.
 */
#ifndef MF_STUDY_TABLES_256K_H
#define MF_STUDY_TABLES_256K_H

#include <manyfish/common.h>

#include "tables.h"
#include "twofish/schedule.h"

/* One list of words for h: its rows of big, and the words. */
typedef struct mf_twofish_big_list {
    const uint8_t *row[4];
    uint32_t L[MF_TWOFISH_MAX_K];
} mf_twofish_big_list;

MF_INLINE void mf_twofish_big_list_of(mf_twofish_big_list *list, const uint8_t *big, unsigned k,
                                      const uint8_t *key)
{
    for (unsigned i = 0; i < k; i++) {
        list->L[i] = mf_load32_le(key + 8 * (size_t)i);
    }
    for (unsigned j = 0; j < 4; j++) {
        list->row[j] = mf_twofish_big_row(big, j, list->L);
    }
}

/* h of a word in which all bytes are x. */
MF_INLINE uint32_t mf_twofish_big_h(unsigned k, const mf_twofish_big_list *list, uint32_t x)
{
    return mf_twofish_mds_multiply(mf_twofish_big_layers(k, list->row[0], 0, list->L, x),
                                   mf_twofish_big_layers(k, list->row[1], 1, list->L, x),
                                   mf_twofish_big_layers(k, list->row[2], 2, list->L, x),
                                   mf_twofish_big_layers(k, list->row[3], 3, list->L, x));
}

/* As mf_twofish_schedule. */
MF_INLINE void mf_twofish_big_schedule(uint32_t K[MF_TWOFISH_SUBKEYS], uint32_t S[MF_TWOFISH_MAX_K],
                                       const uint8_t *big, const uint8_t *key, unsigned k)
{
    mf_twofish_big_list lists[2];

    mf_twofish_s_words(S, key, k);
    mf_twofish_big_list_of(&lists[0], big, k, key);
    mf_twofish_big_list_of(&lists[1], big, k, key + 4);
    for (uint32_t i = 0; i < MF_TWOFISH_SUBKEYS; i += 2) {
        const uint32_t A = mf_twofish_big_h(k, &lists[0], i);
        const uint32_t B = mf_rotl32(mf_twofish_big_h(k, &lists[1], i + 1), 8);
        K[i] = A + B;
        K[i + 1] = mf_rotl32(A + 2 * B, 9);
    }
    mf_wipe(lists, sizeof lists);
}

#endif
