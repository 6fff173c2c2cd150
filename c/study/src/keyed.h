/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Shared by the kernels whose tables contain the key: to XOR a subkey to the index of a table
 * is to put the table in another order.
 */
#ifndef MF_STUDY_KEYED_H
#define MF_STUDY_KEYED_H

#include <manyfish/study/des.h>

#include "des/rounds.h"
#include "des/tables/tables.h"

/* In front of the tables, which so begin where a line of the cache does. */
typedef struct mf_des_keyed_head {
    uint32_t n_keys;
    uint32_t unused[MF_DES_MEMORY_ALIGNMENT / sizeof(uint32_t) - 1];
} mf_des_keyed_head;

MF_INLINE void mf_des_keyed_head_set(mf_des_keyed_head *head, unsigned n_keys)
{
    memset(head, 0, sizeof *head);
    head->n_keys = n_keys;
}

/* The tables of a round have round_bytes and lie right behind the head. */
MF_INLINE mf_des_rounds mf_des_keyed_rounds(const void *expanded_key, size_t round_bytes)
{
    const mf_des_keyed_head *head = expanded_key;
    const mf_des_rounds rounds = {NULL, head + 1, round_bytes,
                                  head->n_keys * (size_t)MF_DES_ROUNDS};
    return rounds;
}

/* The six bits of a subkey for S_(n+1). */
MF_INLINE unsigned mf_des_keyed_bits(unsigned n, const mf_des_subkey K)
{
    return K[1 - n % 2] >> (26 - 8 * (n / 2)) & 63;
}

/* sp[n] in the orders that the last two bits of a subkey may give it; nothing of these is
 * secret. */
typedef struct mf_des_orders {
    uint32_t box[4][64];
} mf_des_orders;

MF_INLINE void mf_des_orders_of(mf_des_orders *o, unsigned n)
{
    for (unsigned x = 0; x < 64; x++) {
        for (unsigned last = 0; last < 4; last++) {
            o->box[last][x ^ last] = mf_des_sp[n][x];
        }
    }
}

/* The box with six bits of a subkey in front of it. Four words are moved at a time, which the
 * orders make possible: word by word, the boxes of a key took 12,600 and 11,500 cycles (gcc, clang,
 * Zen 4), so 5,500 and 4,500. */
MF_INLINE void mf_des_keyed_box(uint32_t box[64], const mf_des_orders *o, unsigned bits)
{
    const uint32_t *order = o->box[bits % 4];

    MF_DES_UNROLL
    for (unsigned x = 0; x < 64; x += 4) {
        memcpy(&box[x], &order[x ^ (bits & 60)], 4 * sizeof(uint32_t));
    }
}

#endif
