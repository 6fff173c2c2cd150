/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The tables that all keys share (manyfish/study/tables.h), as the kernels read them.
 *
 *   big[j][s][x]      layer 1 of h with the key byte s, and the q of layer 0, at byte position j
 *   huge[j][s][t][x]  the column of h at byte position j with a key of two words, of which byte j
 *                     is s in L_1 and t in L_0
 *
 * So a row, 256 entries long, is what one or two bytes of a key make of all x.
 */
#ifndef MF_STUDY_TABLES_H
#define MF_STUDY_TABLES_H

#include <manyfish/study/tables.h>

#include "twofish/h_function.h"
#include "twofish/schedule.h"

/* The tables, or NULL as long as they are not ready. */
const void *mf_twofish_shared(unsigned which);

/* Bytes of the tables; 0 for another number. */
size_t mf_twofish_shared_bytes(unsigned which);

/* The row of big at byte position j for the words L of a key. */
MF_INLINE const uint8_t *mf_twofish_big_row(const uint8_t *big, unsigned j, const uint32_t *L)
{
    return big + 256 * (256 * (size_t)j + mf_byte(L[1], j));
}

/* Layers k-1 to 0 of h at byte position j, as mf_twofish_layers, by a row of big. */
MF_INLINE uint32_t mf_twofish_big_layers(unsigned k, const uint8_t *row, unsigned j,
                                         const uint32_t *L, uint32_t y)
{
    if (k == 4) {
        y = mf_twofish_layer(3, j, L, y);
    }
    if (k >= 3) {
        y = mf_twofish_layer(2, j, L, y);
    }
    return row[y] ^ mf_byte(L[0], j);
}

/* The expanded key of kernel full-huge. Numbers instead of pointers, so that it outlives the
 * tables. */
typedef struct mf_twofish_huge_key {
    uint32_t K[MF_TWOFISH_SUBKEYS];
    uint32_t row[4]; /* as mf_twofish_huge_row */
} mf_twofish_huge_key;

/* The row of huge at byte position j for a key of two words, as a number of words from its
 * start. */
MF_INLINE uint32_t mf_twofish_huge_row(unsigned j, const uint32_t *L)
{
    return 256 * (0x10000 * j + 0x100 * mf_byte(L[1], j) + mf_byte(L[0], j));
}

#endif
