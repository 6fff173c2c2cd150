/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The layout "half" of vector.h with the S-boxes by the steps of q, for keys of 128 bits: three levels
 * take 12 shuffles, where the table of an S-box takes 16. Only with instructions for linear maps is that
 * less work, and with longer keys it is more.
 */
#ifndef MF_SRC_TWOFISH_VECTOR_STEPS_H
#define MF_SRC_TWOFISH_VECTOR_STEPS_H

#include "vector_half.h"

enum { STEPS_K = 2, STEPS_LEVELS = STEPS_K + 1 };

typedef struct steps_key {
    vector_key by_tables; /* the first, so that a pointer to it is one to all */
    uint8_t t3[STEPS_LEVELS][4]
              [16]; /* t3 of the q of each level and byte, the key byte XORed into it */
    uint32_t k;
} steps_key;

_Static_assert(sizeof(steps_key) <= MF_TWOFISH_EXPANDED_KEY_BYTES, "no room for the key");

VEC_ENTRY void steps_set_key(void *expanded_key, const uint8_t *key, unsigned k)
{
    steps_key *s = expanded_key;
    vector_set_key(&s->by_tables, key, k);
    s->k = k;
    for (unsigned i = 0; i < STEPS_LEVELS; i++) {
        for (unsigned j = 0; j < 4; j++) {
            const uint32_t b = i == 0 ? 0 : mf_byte(s->by_tables.s_words[i - 1], j);
            const vec t3 = vec_load_lanes(mf_twofish_q_by_steps[mf_twofish_q_order[i][j]].t3);
            vec_store_blocks(s->t3[i][j], vec_xor(t3, vec_set32(b * 0x01010101)));
        }
    }
}

/* The four at once: while one waits, the others have work to do. */
VEC_FN void steps_level(const steps_key *key, size_t level, vec y[4])
{
    const uint8_t *order = mf_twofish_q_order[level];
    VEC_UNROLL
    for (size_t j = 0; j < 4; j++) {
        y[j] = vector_q_begin(&mf_twofish_q_by_steps[order[j]], y[j]);
    }
    VEC_UNROLL
    for (size_t j = 0; j < 4; j++) {
        y[j] = vector_q_end(&mf_twofish_q_by_steps[order[j]], key->t3[level][j], y[j]);
    }
}

VEC_FN void steps_s_boxes(const vector_key *key, vec y[4])
{
    const steps_key *s = (const steps_key *)(const void *)key;
    steps_level(s, 2, y);
    steps_level(s, 1, y);
    steps_level(s, 0, y);
}

VEC_ENTRY void steps_half_encrypt(const vector_key *key, uint8_t *out, const uint8_t *in)
{
    half_encrypt_by(steps_s_boxes, key, out, in);
}

VEC_ENTRY void steps_half_decrypt(const vector_key *key, uint8_t *out, const uint8_t *in)
{
    half_decrypt_by(steps_s_boxes, key, out, in);
}

VEC_ENTRY void steps_two_halves_encrypt(const vector_key *key, uint8_t *out, const uint8_t *in)
{
    two_halves_encrypt_by(steps_s_boxes, key, out, in);
}

VEC_ENTRY void steps_two_halves_decrypt(const vector_key *key, uint8_t *out, const uint8_t *in)
{
    two_halves_decrypt_by(steps_s_boxes, key, out, in);
}

#endif
