/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Key set-up on vector units [Twofish98, 4.3]: q, the S-boxes, h, the subkeys; and the same for
 * table kernels, whose S-boxes are written in plain order, before or after the last q and the MDS
 * matrix (kernel.h).
 */
#ifndef MF_SRC_TWOFISH_VECTOR_KEY_H
#define MF_SRC_TWOFISH_VECTOR_KEY_H

#include "round.h"

/* --- q0 and q1 -------------------------------------------------------------------------------- */

/* By the steps of which they are made, on four bits each: four shuffles. x becomes a_3 + 16 b_3. */
VEC_FN vec vector_q_begin(const mf_twofish_q_steps *q, vec x)
{
    return vec_xor(vec_shuffle(vec_load_lanes(q->t0), vec_map(&mf_twofish_q_a_1, x)),
                   vec_shuffle(vec_load_lanes(q->t1), vec_map(&mf_twofish_q_b_1, x)));
}

/* And that q of x. A key byte XORed into t3 is XORed to the result. */
VEC_FN vec vector_q_end(const mf_twofish_q_steps *q, const uint8_t t3[16], vec ab)
{
    return vec_xor(vec_shuffle(vec_load_lanes(q->t2), vec_low_nibbles(ab)),
                   vec_shuffle(vec_load_lanes(t3), vec_high_nibbles(ab)));
}

VEC_FN vec vector_q_by_steps(size_t which, vec x)
{
    const mf_twofish_q_steps *q = &mf_twofish_q_by_steps[which];
    return vector_q_end(q, q->t3, vector_q_begin(q, x));
}

/* q0 or q1 of each byte. The kernel defines it: by steps, or by a lookup in 256 bytes where that
 * takes less. */
VEC_FN vec vector_q(size_t which, vec x);

/* --- Key set-up ------------------------------------------------------------------------------- */

/* 32 words for A_0, A_1, ..., of which 20 are needed, then as many for B_0, B_1, ... */
enum { PAIRS = MF_TWOFISH_SUBKEYS / 2, HALF = 32 };

/* The secret intermediate values, in one place, so that one call wipes them. */
typedef struct vector_secrets {
    uint32_t M[2][MF_TWOFISH_MAX_K]; /* M_e, M_o */
    uint32_t AB[2 * HALF];
    uint8_t box[256];
} vector_secrets;

/* The S-boxes: k layers of q and the key, and a last q [Twofish98, 4.3.2]. The first q of all bytes
 * in order is its table as it stands. */
VEC_FN void vector_s_box(vector_key *key, size_t j, uint8_t box[256], unsigned k)
{
    const uint8_t *first = mf_twofish_q[mf_twofish_q_order[k][j]];
    for (size_t at = 0; at < 256; at += 2 * VEC_BYTES) {
        vec y = vec_load(first + at);
        vec z = vec_load(first + at + VEC_BYTES);
        for (unsigned i = k; i-- > 0;) {
            const vec key_byte = vec_set32(mf_byte(key->s_words[i], (unsigned)j) * 0x01010101);
            const size_t which = mf_twofish_q_order[i][j];
            y = vector_q(which, vec_xor(y, key_byte));
            z = vector_q(which, vec_xor(z, key_byte));
        }
        vec_store(box + at, y);
        vec_store(box + at + VEC_BYTES, z);
    }
    vec_table_make(&key->S[j], box);
}

/* h of VEC_BYTES words, all at once. X has them; register i of the key words is L[i][0..3]. */
VEC_FN void vector_h(uint32_t *out, const uint32_t *X, const uint32_t *const L[4], unsigned k)
{
    vec y[4];
    VEC_UNROLL
    for (size_t i = 0; i < 4; i++) {
        y[i] = vec_load(X + i * VEC_BYTES / 4);
    }
    vec_words_to_bytes(y);
    VEC_UNROLL
    for (size_t j = 0; j < 4; j++) {
        y[j] = vector_q(mf_twofish_q_order[k][j], y[j]);
    }
    for (unsigned i = k; i-- > 0;) {
        vec l[4] = {vec_set32(L[0][i]), vec_set32(L[1][i]), vec_set32(L[2][i]), vec_set32(L[3][i])};
        vec_words_to_bytes(l);
        VEC_UNROLL
        for (size_t j = 0; j < 4; j++) {
            y[j] = vector_q(mf_twofish_q_order[i][j], vec_xor(y[j], l[j]));
        }
    }
    vector_mds(y);
    vec_bytes_to_words(y);
    VEC_UNROLL
    for (size_t i = 0; i < 4; i++) {
        vec_store(out + i * VEC_BYTES / 4, y[i]);
    }
}

/* A_i and B_i before the rotation, out of AB; K is made of them. [Twofish98, 4.3.3] */
VEC_FN void vector_subkeys_of(uint32_t K[MF_TWOFISH_SUBKEYS], uint32_t AB[2 * HALF])
{
    uint32_t *even = AB;
    uint32_t *odd = AB + HALF;
    for (size_t i = 0; i < HALF; i += VEC_BYTES / 4) {
        const vec A = vec_load(even + i);
        const vec B = vec_rotl32(vec_load(odd + i), 8);
        const vec sum = vec_add32(A, B);
        vec_store(even + i, sum);
        vec_store(odd + i, vec_rotl32(vec_add32(sum, B), 9));
    }
    for (size_t i = 0; i < PAIRS; i++) {
        K[2 * i] = even[i];
        K[2 * i + 1] = odd[i];
    }
}

/* Eight words i rho, (i + 2) rho, ... */
#define RHO_8(i)                                                                                   \
    (i) * 0x01010101U, ((i) + 2) * 0x01010101U, ((i) + 4) * 0x01010101U, ((i) + 6) * 0x01010101U,  \
        ((i) + 8) * 0x01010101U, ((i) + 10) * 0x01010101U, ((i) + 12) * 0x01010101U,               \
        ((i) + 14) * 0x01010101U

VEC_FN void vector_subkeys(uint32_t K[MF_TWOFISH_SUBKEYS], const uint8_t *key,
                           vector_secrets *secrets, unsigned k)
{
    static const uint32_t X[2 * HALF] = {RHO_8(0), RHO_8(16), RHO_8(32), RHO_8(48),
                                         RHO_8(1), RHO_8(17), RHO_8(33), RHO_8(49)};
    uint32_t(*const M)[MF_TWOFISH_MAX_K] = secrets->M;

    for (size_t i = 0; i < k; i++) {
        M[0][i] = mf_load32_le(key + 8 * i);
        M[1][i] = mf_load32_le(key + 8 * i + 4);
    }
    for (size_t n = 0; n < (size_t)2 * HALF; n += VEC_BYTES) {
        const uint32_t *const L[4] = {M[n / HALF], M[(n + VEC_BYTES / 4) / HALF],
                                      M[(n + VEC_BYTES / 2) / HALF],
                                      M[(n + 3 * VEC_BYTES / 4) / HALF]};
        vector_h(secrets->AB + n, X + n, L, k);
    }
    vector_subkeys_of(K, secrets->AB);
}

VEC_ENTRY void vector_set_key(void *expanded_key, const uint8_t *key, unsigned k)
{
    vector_key *v = expanded_key;
    vector_secrets secrets;

    mf_twofish_s_words(v->s_words, key, k);
    vector_subkeys(v->K, key, &secrets, k);
    for (size_t j = 0; j < 4; j++) {
        vector_s_box(v, j, secrets.box, k);
    }
    mf_wipe(&secrets, sizeof secrets);
}

/* --- Set-up of table kernels ------------------------------------------------------------------ */

VEC_ENTRY void setup_schedule(uint32_t K[MF_TWOFISH_SUBKEYS], uint32_t S[MF_TWOFISH_MAX_K],
                              const uint8_t *key, unsigned k)
{
    vector_secrets secrets;

    mf_twofish_s_words(S, key, k);
    vector_subkeys(K, key, &secrets, k);
    mf_wipe(&secrets, sizeof secrets);
}

/* S-box j of bytes that have passed its first q. */
VEC_FN vec setup_box(vec y, size_t j, const uint32_t *S, unsigned k, unsigned undone)
{
    for (unsigned i = k; i-- > undone;) {
        const vec key_byte = vec_set32(mf_byte(S[i], (unsigned)j) * 0x01010101);
        y = vector_q(mf_twofish_q_order[i][j], vec_xor(y, key_byte));
    }
    if (undone > 0) {
        y = vec_xor(y, vec_set32(mf_byte(S[undone - 1], (unsigned)j) * 0x01010101));
    }
    return y;
}

VEC_ENTRY void setup_bytes(uint8_t box[4][256], const uint32_t *S, unsigned k, unsigned undone)
{
    for (size_t j = 0; j < 4; j++) {
        const uint8_t *first = mf_twofish_q[mf_twofish_q_order[k][j]];
        for (size_t at = 0; at < 256; at += VEC_BYTES) {
            vec_store(box[j] + at, setup_box(vec_load(first + at), j, S, k, undone));
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

VEC_FN void setup_words_of(uint32_t box[256], size_t j, const uint32_t *S, unsigned k)
{
    const vec first = setup_first_bytes();
    for (uint32_t at = 0; at < 256; at += (uint32_t)VEC_BYTES) {
        const vec x = vec_xor(first, vec_set32(at * 0x01010101));
        vec r[4];
        setup_column(r, j, setup_box(vector_q(mf_twofish_q_order[k][j], x), j, S, k, 0));
        vec_bytes_to_words(r);
        VEC_UNROLL
        for (size_t i = 0; i < 4; i++) {
            vec_store(box + at + i * VEC_BYTES / 4, r[i]);
        }
    }
}

VEC_ENTRY void setup_words(uint32_t box[4][256], const uint32_t *S, unsigned k)
{
    setup_words_of(box[0], 0, S, k);
    setup_words_of(box[1], 1, S, k);
    setup_words_of(box[2], 2, S, k);
    setup_words_of(box[3], 3, S, k);
}

/* As much as any of the vector kernels says of its own set-up. */
static const mf_twofish_setup vector_setup = {
    .stack = 3072,
    .schedule = setup_schedule,
    .bytes = setup_bytes,
    .words = setup_words,
};

#endif
