/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The layout "one" of round.h: one block, the same in every lane. For g, the bytes of a position
 * come into one word: so a table is looked up in for a whole word, and what it finds for the other
 * words is dropped.
 *
 * F here is of its own: both words that go into g, and both that come out of it, are in one
 * register, where PHT takes two shuffles and two additions.
 */
#ifndef MF_SRC_TWOFISH_VECTOR_ONE_H
#define MF_SRC_TWOFISH_VECTOR_ONE_H

#include "round.h"

/* The input of a round's lookups: word j has byte j of A and then of ROL(B, 8), where A and B are
 * R0 and R1 before the first round; a round leaves them in the second half. */
VEC_FN vec one_first_input(vec R)
{
    static const uint8_t pattern[16] = {0, 7, 0, 7, 1, 4, 1, 4, 2, 5, 2, 5, 3, 6, 3, 6};
    return vector_shuffle(R, pattern);
}

VEC_FN vec one_next_input(vec R)
{
    static const uint8_t pattern[16] = {8, 15, 8, 15, 9, 12, 9, 12, 10, 13, 10, 13, 11, 14, 11, 14};
    return vector_shuffle(R, pattern);
}

/* Out of bytes sorted by position, which are for A and B in turn, the words (B, B, A, A): byte i of
 * each is that of position b_i. */
#define FROM(b, c) (uint8_t)((b) < 4 ? 4 * (b) + (c) : VECTOR_NONE)
#define TO_WORDS(b0, b1, b2, b3)                                                                   \
    {                                                                                              \
        FROM(b0, 1), FROM(b1, 1), FROM(b2, 1), FROM(b3, 1), FROM(b0, 1), FROM(b1, 1), FROM(b2, 1), \
            FROM(b3, 1), FROM(b0, 0), FROM(b1, 0), FROM(b2, 0), FROM(b3, 0), FROM(b0, 0),          \
            FROM(b1, 0), FROM(b2, 0), FROM(b3, 0)                                                  \
    }

/* The MDS matrix, as vector_mds_words: (T1, T1, T0, T0). */
VEC_FN vec one_mds(vec y)
{
    static const uint8_t one[16] = TO_WORDS(0, 3, 2, 1);
    static const uint8_t ef_first[16] = TO_WORDS(1, 1, 0, 0);
    static const uint8_t ef_second[16] = TO_WORDS(VECTOR_NONE, 2, 3, 2);
    static const uint8_t s_first[16] = TO_WORDS(2, 0, 1, 3);
    static const uint8_t s_second[16] = TO_WORDS(3, VECTOR_NONE, VECTOR_NONE, VECTOR_NONE);

    const vec ef = vec_map(&mf_twofish_times_ef, y);
    const vec s = vec_map(&mf_twofish_times_5b, y);
    const vec a = vec_xor(vector_shuffle(ef, ef_first), vector_shuffle(ef, ef_second));
    const vec b = vec_xor(vector_shuffle(s, s_first), vector_shuffle(s, s_second));
    return vec_xor3(a, b, vector_shuffle(y, one));
}

/* F in the second half, anything in the first. */
VEC_FN vec one_f(const vector_key *key, const uint32_t *K, vec input)
{
    static const uint8_t twice[16] = {VECTOR_NONE, VECTOR_NONE, VECTOR_NONE, VECTOR_NONE,
                                      VECTOR_NONE, VECTOR_NONE, VECTOR_NONE, VECTOR_NONE,
                                      0,           1,           2,           3,
                                      0,           1,           2,           3};
    static const uint8_t once[16] = {VECTOR_NONE, VECTOR_NONE, VECTOR_NONE, VECTOR_NONE,
                                     VECTOR_NONE, VECTOR_NONE, VECTOR_NONE, VECTOR_NONE,
                                     VECTOR_NONE, VECTOR_NONE, VECTOR_NONE, VECTOR_NONE,
                                     0,           1,           2,           3};
    const vec T = one_mds(vec_lookup_words(key->S, input));
    return vec_add32(vec_add32(T, vec_load_lanes(K - 2)),
                     vec_add32(vector_shuffle(T, twice), vector_shuffle(T, once)));
}

VEC_ENTRY void one_encrypt(const void *expanded_key, uint8_t *out, const uint8_t *in)
{
    const vector_key *key = expanded_key;
    vec R = vec_xor(vec_load_blocks(in), vec_load_lanes(key->K + INPUT_WHITENING));
    vec input = one_first_input(R);
    for (size_t r = 0; r < MF_TWOFISH_ROUNDS; r++) {
        VEC_RELOAD(key);
        const vec F = one_f(key, key->K + ROUND_SUBKEYS + 2 * r, input);
        const vec next = vec_rotl32_third(vec_xor(vec_rotl32_fourth(R, 1), F), 31);
        input = one_next_input(next);
        R = vec_join_halves(next, R);
    }
    R = vec_join_halves(R, R);
    vec_store_blocks(out, vec_xor(R, vec_load_lanes(key->K + OUTPUT_WHITENING)));
}

VEC_ENTRY void one_decrypt(const void *expanded_key, uint8_t *out, const uint8_t *in)
{
    const vector_key *key = expanded_key;
    vec R = vec_xor(vec_load_blocks(in), vec_load_lanes(key->K + OUTPUT_WHITENING));
    vec input = one_first_input(R);
    for (size_t r = MF_TWOFISH_ROUNDS; r > 0; r--) {
        VEC_RELOAD(key);
        const vec F = one_f(key, key->K + ROUND_SUBKEYS + 2 * (r - 1), input);
        const vec next = vec_rotl32_fourth(vec_xor(vec_rotl32_third(R, 1), F), 31);
        input = one_next_input(next);
        R = vec_join_halves(next, R);
    }
    R = vec_join_halves(R, R);
    vec_store_blocks(out, vec_xor(R, vec_load_lanes(key->K + INPUT_WHITENING)));
}

#endif
