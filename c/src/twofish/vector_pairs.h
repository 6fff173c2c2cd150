/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The layout "pairs" of vector.h: the words R0 and R1 of a block are 8 bytes of one register, R2 and R3
 * the same 8 bytes of another. For one block, or a few.
 *
 * Here each step waits for the one before, so what is not needed is left out: R1 and R3 stay rotated by 8
 * to the left, as g wants R1, since the words turn in each round anyway.
 */
#ifndef MF_SRC_TWOFISH_VECTOR_PAIRS_H
#define MF_SRC_TWOFISH_VECTOR_PAIRS_H

#include "vector.h"

enum { PAIRS_BLOCKS = VEC_BYTES / 8, PAIRS_HALF = PAIRS_BLOCKS / 2 };

/* R0, R1 and R2, R3. */
typedef struct pairs {
    vec R01, R23;
} pairs;

/* Twice two words, for vec_load_lanes. */
#define PAIRS_OF(even, odd)                                                                        \
    {                                                                                              \
        (even), (odd), (even), (odd)                                                               \
    }

/* F0 and F1 of a round [Twofish98, 4.2]: (T0, 2 T1) + (T1, T0) + K. */
VEC_FN vec pairs_f(const vector_key *key, const vec_places *places, const uint32_t *K, vec R01)
{
    static const uint32_t doubling[4] = PAIRS_OF(0, 1);

    const vec T = vector_mds_words(vec_lookup_places(key->S, places, R01));
    const vec doubled = vec_shl32_each(T, vec_load_lanes(doubling));
    return vec_add32(vec_add32(doubled, vec_load_pair(K)), vec_swap_words(T));
}

/* The words of R23 turn by the numbers in `before` to the left, take F, and turn by those in `after`. */
VEC_FN pairs pairs_round(pairs x, vec F, const uint32_t before[4], const uint32_t after[4])
{
    const vec turned = vec_rotl32_each(x.R23, vec_load_lanes(before));
    const pairs y = {vec_rotl32_each(vec_xor(turned, F), vec_load_lanes(after)), x.R01};
    return y;
}

/* Of n_blocks; what is loaded for the others is 0. */
VEC_FN pairs pairs_load(const uint8_t *in, const uint32_t whitening[4], size_t n_blocks)
{
    static const uint32_t turn[4] = PAIRS_OF(0, 8);
    const vec by = vec_load_lanes(turn);
    const vec K = vec_load_lanes(whitening);
    const size_t first = n_blocks < PAIRS_HALF ? n_blocks : PAIRS_HALF;
    const vec a = vec_rotl32_each(vec_xor(vec_load_some(in, first), K), by);
    const vec b = vec_rotl32_each(vec_xor(vec_load_some(in + 16 * first, n_blocks - first), K), by);
    const pairs x = {vec_first_halves(a, b), vec_second_halves(a, b)};
    return x;
}

/* The last swap is undone. */
VEC_FN void pairs_store(uint8_t *out, const uint32_t whitening[4], pairs x, size_t n_blocks)
{
    static const uint32_t turn[4] = PAIRS_OF(0, 24);
    const vec by = vec_load_lanes(turn);
    const vec K = vec_load_lanes(whitening);
    const size_t first = n_blocks < PAIRS_HALF ? n_blocks : PAIRS_HALF;
    const vec a = vec_rotl32_each(vec_first_halves(x.R23, x.R01), by);
    const vec b = vec_rotl32_each(vec_second_halves(x.R23, x.R01), by);
    vec_store_some(out, vec_xor(a, K), first);
    vec_store_some(out + 16 * first, vec_xor(b, K), n_blocks - first);
}

/* At most PAIRS_BLOCKS. */
VEC_ENTRY void pairs_encrypt_few(const vector_key *key, uint8_t *out, const uint8_t *in,
                                 size_t n_blocks)
{
    static const uint32_t before[4] = PAIRS_OF(0, 1 + 24);
    static const uint32_t after[4] = PAIRS_OF(31, 8);

    const vec_places places = vec_places_all();
    pairs x = pairs_load(in, key->K + INPUT_WHITENING, n_blocks);
    for (size_t r = 0; r < MF_TWOFISH_ROUNDS; r++) {
        const vec F = pairs_f(key, &places, key->K + ROUND_SUBKEYS + 2 * r, x.R01);
        x = pairs_round(x, F, before, after);
    }
    pairs_store(out, key->K + OUTPUT_WHITENING, x, n_blocks);
}

VEC_ENTRY void pairs_decrypt_few(const vector_key *key, uint8_t *out, const uint8_t *in,
                                 size_t n_blocks)
{
    static const uint32_t before[4] = PAIRS_OF(1, 24);
    static const uint32_t after[4] = PAIRS_OF(0, 31 + 8);

    const vec_places places = vec_places_all();
    pairs x = pairs_load(in, key->K + OUTPUT_WHITENING, n_blocks);
    for (size_t r = MF_TWOFISH_ROUNDS; r > 0; r--) {
        const vec F = pairs_f(key, &places, key->K + ROUND_SUBKEYS + 2 * (r - 1), x.R01);
        x = pairs_round(x, F, before, after);
    }
    pairs_store(out, key->K + INPUT_WHITENING, x, n_blocks);
}

VEC_ENTRY void pairs_encrypt(const vector_key *key, uint8_t *out, const uint8_t *in)
{
    pairs_encrypt_few(key, out, in, PAIRS_BLOCKS);
}

VEC_ENTRY void pairs_decrypt(const vector_key *key, uint8_t *out, const uint8_t *in)
{
    pairs_decrypt_few(key, out, in, PAIRS_BLOCKS);
}

#endif
