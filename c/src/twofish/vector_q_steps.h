/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * q0 and q1 by the steps of which they are made, on four bits each: four shuffles, where a table of 256
 * bytes takes 16 of them. A kernel includes this or vector_q_tables.h for its key set-up.
 */
#ifndef MF_SRC_TWOFISH_VECTOR_Q_STEPS_H
#define MF_SRC_TWOFISH_VECTOR_Q_STEPS_H

#include "tables/tables.h"

/* x becomes a_3 + 16 b_3. */
VEC_FN vec vector_q_begin(const mf_twofish_q_steps *q, vec x)
{
    return vec_xor(vec_shuffle(vec_load_lanes(q->t0), vec_map(&mf_twofish_q_a_1, x)),
                   vec_shuffle(vec_load_lanes(q->t1), vec_map(&mf_twofish_q_b_1, x)));
}

/* And that q of x. Whoever XORs a key byte into t3 has it XORed to the result. */
VEC_FN vec vector_q_end(const mf_twofish_q_steps *q, const uint8_t t3[16], vec ab)
{
    return vec_xor(vec_shuffle(vec_load_lanes(q->t2), vec_low_nibbles(ab)),
                   vec_shuffle(vec_load_lanes(t3), vec_high_nibbles(ab)));
}

typedef struct vector_q {
    const mf_twofish_q_steps *steps;
} vector_q;

VEC_FN void vector_q_make(vector_q *q)
{
    q->steps = mf_twofish_q_by_steps;
}

/* q0 or q1 of each byte. */
VEC_FN vec vector_q_of(const vector_q *q, size_t which, vec x)
{
    const mf_twofish_q_steps *steps = &q->steps[which];
    return vector_q_end(steps, steps->t3, vector_q_begin(steps, x));
}

#endif
