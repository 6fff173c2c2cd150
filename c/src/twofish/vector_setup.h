/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Key set-up for table kernels (kernel.h) on vector units: that of vector.h, but the S-boxes are written in
 * plain order, before or after the last q and the MDS matrix. A kernel includes it after the layouts.
 */
#ifndef MF_SRC_TWOFISH_VECTOR_SETUP_H
#define MF_SRC_TWOFISH_VECTOR_SETUP_H

#include "vector.h"

VEC_ENTRY void setup_schedule(uint32_t K[MF_TWOFISH_SUBKEYS], uint32_t S[MF_TWOFISH_MAX_K],
                              const uint8_t *key, unsigned k)
{
    vector_q q;
    vector_secrets secrets;

    vector_q_make(&q);
    mf_twofish_s_words(S, key, k);
    vector_subkeys(K, &q, key, &secrets, k);
    mf_wipe(&secrets, sizeof secrets);
}

/* S-box j of bytes that have passed its first q. */
VEC_FN vec setup_box(const vector_q *q, vec y, size_t j, const uint32_t *S, unsigned k,
                     unsigned undone)
{
    for (unsigned i = k; i-- > undone;) {
        const vec key_byte = vec_set32(mf_byte(S[i], (unsigned)j) * 0x01010101);
        y = vector_q_of(q, mf_twofish_q_order[i][j], vec_xor(y, key_byte));
    }
    if (undone > 0) {
        y = vec_xor(y, vec_set32(mf_byte(S[undone - 1], (unsigned)j) * 0x01010101));
    }
    return y;
}

VEC_ENTRY void setup_bytes(uint8_t box[4][256], const uint32_t *S, unsigned k, unsigned undone)
{
    vector_q q;

    vector_q_make(&q);
    for (size_t j = 0; j < 4; j++) {
        const uint8_t *first = mf_twofish_q[mf_twofish_q_order[k][j]];
        for (size_t at = 0; at < 256; at += VEC_BYTES) {
            vec_store(box[j] + at, setup_box(&q, vec_load(first + at), j, S, k, undone));
        }
    }
}

#define WORDS_8(i) (i), (i) + 1, (i) + 2, (i) + 3, (i) + 4, (i) + 5, (i) + 6, (i) + 7

/* The bytes 0 to VEC_BYTES - 1 in the order that vec_bytes_to_words makes plain. */
VEC_FN vec setup_first_bytes(void)
{
    static const uint32_t words[64] = {WORDS_8(0),  WORDS_8(8),  WORDS_8(16), WORDS_8(24),
                                       WORDS_8(32), WORDS_8(40), WORDS_8(48), WORDS_8(56)};
    vec r[4];
    VEC_UNROLL
    for (size_t i = 0; i < 4; i++) {
        r[i] = vec_load(words + i * VEC_BYTES / 4);
    }
    vec_words_to_bytes(r);
    return r[0];
}

/* Column j of the MDS matrix times each byte. [Twofish98, 4.2] */
VEC_FN void setup_column(vec r[4], size_t j, vec y)
{
    const vec ef = vec_map(&mf_twofish_times_ef, y);
    const vec s = vec_map(&mf_twofish_times_5b, y);
    const bool odd = (j & 1) != 0;
    r[0] = j == 0 ? y : j == 1 ? ef : s;
    r[1] = j == 0 ? s : j == 3 ? y : ef;
    r[2] = j == 1 ? s : j == 2 ? y : ef;
    r[3] = !odd ? ef : j == 1 ? y : s;
}

VEC_FN void setup_words_of(uint32_t box[256], const vector_q *q, size_t j, const uint32_t *S,
                           unsigned k)
{
    const vec first = setup_first_bytes();
    for (uint32_t at = 0; at < 256; at += (uint32_t)VEC_BYTES) {
        const vec x = vec_xor(first, vec_set32(at * 0x01010101));
        vec r[4];
        setup_column(r, j, setup_box(q, vector_q_of(q, mf_twofish_q_order[k][j], x), j, S, k, 0));
        vec_bytes_to_words(r);
        VEC_UNROLL
        for (size_t i = 0; i < 4; i++) {
            vec_store(box + at + i * VEC_BYTES / 4, r[i]);
        }
    }
}

VEC_ENTRY void setup_words(uint32_t box[4][256], const uint32_t *S, unsigned k)
{
    vector_q q;

    vector_q_make(&q);
    setup_words_of(box[0], &q, 0, S, k);
    setup_words_of(box[1], &q, 1, S, k);
    setup_words_of(box[2], &q, 2, S, k);
    setup_words_of(box[3], &q, 3, S, k);
}

/* As much as any of the vector kernels says of its own set-up. */
static const mf_twofish_setup vector_setup = {
    .stack = 3072,
    .schedule = setup_schedule,
    .bytes = setup_bytes,
    .words = setup_words,
};

#endif
