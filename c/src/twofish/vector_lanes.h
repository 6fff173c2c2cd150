/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The layout "lanes" of vector.h: the state of a block in one lane of a register. For one block, or
 * a few.
 */
#ifndef MF_SRC_TWOFISH_VECTOR_LANES_H
#define MF_SRC_TWOFISH_VECTOR_LANES_H

#include "vector.h"

enum { LANES_BLOCKS = VEC_BYTES / 16 };

/* What a round looks up, (ROL(B, 8), ROL(B, 8), A, A) of each lane, where A and B are R0 and R1 before
 * the first round; a round leaves them in the second half. */
VEC_FN vec lanes_first_input(vec R)
{
    static const uint8_t pattern[16] = {7, 4, 5, 6, 7, 4, 5, 6, 0, 1, 2, 3, 0, 1, 2, 3};
    return vector_shuffle(R, pattern);
}

VEC_FN vec lanes_next_input(vec R)
{
    static const uint8_t pattern[16] = {15, 12, 13, 14, 15, 12, 13, 14, 8, 9, 10, 11, 8, 9, 10, 11};
    return vector_shuffle(R, pattern);
}

/* F in the second half of each lane, anything in the first. */
VEC_FN vec lanes_f(const vector_key *key, const uint32_t *K, vec input)
{
    static const uint8_t twice[16] = {NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE,
                                      0,    1,    2,    3,    0,    1,    2,    3};
    static const uint8_t once[16] = {NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE,
                                     NONE, NONE, NONE, NONE, 0,    1,    2,    3};
    const vec T = vector_g(key->S, input); /* (T1, T1, T0, T0) */
    return vec_add32(vec_add32(T, vec_load_lanes(K - 2)),
                     vec_add32(vector_shuffle(T, twice), vector_shuffle(T, once)));
}

VEC_ENTRY void lanes_encrypt(const vector_key *key, uint8_t *out, const uint8_t *in)
{
    vec R = vec_xor(vec_load_blocks(in), vec_load_lanes(key->K + INPUT_WHITENING));
    vec input = lanes_first_input(R);
    for (size_t r = 0; r < MF_TWOFISH_ROUNDS; r++) {
        VEC_RELOAD(key);
        const vec F = lanes_f(key, key->K + ROUND_SUBKEYS + 2 * r, input);
        const vec next = vec_rotl32_third(vec_xor(vec_rotl32_fourth(R, 1), F), 31);
        input = lanes_next_input(next);
        R = vec_join_halves(next, R);
    }
    R = vec_join_halves(R, R);
    vec_store_blocks(out, vec_xor(R, vec_load_lanes(key->K + OUTPUT_WHITENING)));
}

VEC_ENTRY void lanes_decrypt(const vector_key *key, uint8_t *out, const uint8_t *in)
{
    vec R = vec_xor(vec_load_blocks(in), vec_load_lanes(key->K + OUTPUT_WHITENING));
    vec input = lanes_first_input(R);
    for (size_t r = MF_TWOFISH_ROUNDS; r > 0; r--) {
        VEC_RELOAD(key);
        const vec F = lanes_f(key, key->K + ROUND_SUBKEYS + 2 * (r - 1), input);
        const vec next = vec_rotl32_fourth(vec_xor(vec_rotl32_third(R, 1), F), 31);
        input = lanes_next_input(next);
        R = vec_join_halves(next, R);
    }
    R = vec_join_halves(R, R);
    vec_store_blocks(out, vec_xor(R, vec_load_lanes(key->K + INPUT_WHITENING)));
}

#endif
