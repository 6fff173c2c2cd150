/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * q0 and q1 for key set-up, by tables of 256 bytes. A kernel includes this or vector_q_steps.h.
 */
#ifndef MF_SRC_TWOFISH_VECTOR_Q_TABLES_H
#define MF_SRC_TWOFISH_VECTOR_Q_TABLES_H

#include "tables/tables.h"

typedef struct vector_q {
    vec_table table[2];
} vector_q;

VEC_FN void vector_q_make(vector_q *q)
{
    vec_table_make(&q->table[0], mf_twofish_q[0]);
    vec_table_make(&q->table[1], mf_twofish_q[1]);
}

/* q0 or q1 of each byte. */
VEC_FN vec vector_q_of(const vector_q *q, size_t which, vec x)
{
    return vec_lookup(&q->table[which], x);
}

#endif
