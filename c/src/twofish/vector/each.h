/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Many keys on vector units, one to a lane of 8 bits: byte i of a register belongs to key i. There
 * are no tables that depend on keys. The bytes of all lanes pass through q0 and q1, and the key
 * bytes of a level are XORed in between [Twofish98, 4.3.2], for the subkeys as in the rounds. No
 * branch and no address depends on a secret.
 *
 * A file in each/ includes the vector type of its instruction set (common/vec_*.h) before, defines
 * the three functions on q or takes those of each_shuffles.h, and has the row.
 */
#ifndef MF_SRC_TWOFISH_VECTOR_EACH_H
#define MF_SRC_TWOFISH_VECTOR_EACH_H

#include "../../common/bytes.h"
#include "../../common/wipe.h"
#include "../each.h"
#include "../schedule.h"
#include "../tables/each.h"
#include "../tables/tables.h"

enum { EACH_KEYS = VEC_BYTES, EACH_BYTES = 16 * EACH_KEYS };

/* A word of each key. As bytes, register j has byte j of all of them; as words, each register has
 * the words of a quarter of the keys. */
typedef struct each_word {
    vec r[4];
} each_word;

/* F of the words of a round. */
typedef struct each_f {
    each_word F0, F1;
} each_f;

/* The expanded keys, and what is worked on. */
typedef struct each_keys {
    each_word K[MF_TWOFISH_SUBKEYS];  /* words */
    each_word S[MF_TWOFISH_MAX_K];    /* bytes in the form of each_q */
    each_word M[2][MF_TWOFISH_MAX_K]; /* M_e and M_o, the same */
    uint8_t first[2][64];             /* q0 and q1 of 0, 1, 2, ..., the same */
    each_word R[4];                   /* words */
    each_f F;                         /* words */
    uint8_t buffer[EACH_BYTES];       /* a block of each key */
} each_keys;

_Static_assert(sizeof(each_keys) <= MF_TWOFISH_EACH_STATE_BYTES, "no room for the keys");

/* --- q0 and q1 -------------------------------------------------------------------------------- */

/* y, and its products with the entries EF and 5B of the MDS matrix. */
typedef struct each_products {
    vec y, ef, s;
} each_products;

/* The form is what suits the instruction set: each_enter makes it of a byte or a key byte, each_q
 * maps it to that of q0 or q1 of the byte, each_last to q0 or q1 itself, and products. It is
 * linear, so key bytes can be XORed. The kernel defines these. */
VEC_FN vec each_enter(vec x);
VEC_FN vec each_q(size_t which, vec y);
VEC_FN each_products each_last(size_t which, vec y);

/* By the steps of which q is made the form is a_1 + 16 b_1: so the linear map between two q is part
 * of the tables of the first one. */
VEC_FN vec each_enter_by_steps(vec x)
{
    return vec_map(&mf_twofish_q_mixed, x);
}

/* Two tables of 16 bytes, by the half bytes of ab. */
VEC_FN vec each_halves(const uint8_t low[16], const uint8_t high[16], vec ab)
{
    return vec_xor(vec_shuffle(vec_load_lanes(low), vec_low_nibbles(ab)),
                   vec_shuffle(vec_load_lanes(high), vec_high_nibbles(ab)));
}

/* a_3 + 16 b_3. */
VEC_FN vec each_first_steps(size_t which, vec y)
{
    const mf_twofish_q_steps *q = &mf_twofish_q_by_steps[which];
    return each_halves(q->t0, q->t1, y);
}

VEC_FN vec each_q_by_steps(size_t which, vec y)
{
    const mf_twofish_q_ends *end = &mf_twofish_q_by_ends[which];
    return each_halves(end->m2, end->m3, each_first_steps(which, y));
}

VEC_FN vec each_last_steps(size_t which, vec y)
{
    const mf_twofish_q_steps *q = &mf_twofish_q_by_steps[which];
    return each_halves(q->t2, q->t3, each_first_steps(which, y));
}

/* The products by tables of the half bytes before the last step, or by maps. */
VEC_FN each_products each_last_by_tables(size_t which, vec y)
{
    const mf_twofish_q_steps *q = &mf_twofish_q_by_steps[which];
    const mf_twofish_q_ends *end = &mf_twofish_q_by_ends[which];
    const vec ab = each_first_steps(which, y);
    const each_products products = {each_halves(q->t2, q->t3, ab),
                                    each_halves(end->ef2, end->ef3, ab),
                                    each_halves(end->s2, end->s3, ab)};
    return products;
}

VEC_FN each_products each_products_by_maps(vec y)
{
    const each_products products = {y, vec_map(&mf_twofish_times_ef, y),
                                    vec_map(&mf_twofish_times_5b, y)};
    return products;
}

/* --- h [Twofish98, 4.3.2] --------------------------------------------------------------------- */

/* The q of a level, and the key bytes below it. */
VEC_FN void each_level(vec y[4], size_t level, const each_word *L)
{
    const uint8_t *order = mf_twofish_q_order[level];
    VEC_UNROLL
    for (size_t j = 0; j < 4; j++) {
        y[j] = vec_xor(each_q(order[j], y[j]), L[level - 1].r[j]);
    }
}

/* The last q and the MDS matrix [Twofish98, 4.2]. Bytes become words. */
VEC_FN void each_matrix(vec y[4])
{
    const uint8_t *order = mf_twofish_q_order[0];
    const each_products p0 = each_last(order[0], y[0]);
    const each_products p1 = each_last(order[1], y[1]);
    const each_products p2 = each_last(order[2], y[2]);
    const each_products p3 = each_last(order[3], y[3]);
    y[0] = vec_xor(vec_xor3(p0.y, p1.ef, p2.s), p3.s);
    y[1] = vec_xor(vec_xor3(p0.s, p1.ef, p2.ef), p3.y);
    y[2] = vec_xor(vec_xor3(p0.ef, p1.s, p2.y), p3.ef);
    y[3] = vec_xor(vec_xor3(p0.ef, p1.y, p2.ef), p3.s);
    vec_bytes_to_words(y);
}

/* All after the first q and its key bytes. How long the keys are is no secret. */
VEC_FN void each_h(vec y[4], const each_word *L, unsigned k)
{
    if (k > 3) {
        each_level(y, 3, L);
    }
    if (k > 2) {
        each_level(y, 2, L);
    }
    each_level(y, 1, L);
    each_matrix(y);
}

/* --- Blocks and keys in lanes ----------------------------------------------------------------- */

/* The number of the next lane. The compiler does not know it: clang would gather several by one
 * instruction, at addresses in a register that the check of machine code (tests/machine_code) takes
 * for secret. */
VEC_FN size_t each_next(size_t i)
{
    return (size_t)mf_opaque64(i + 1);
}

/* Of blocks of 16 bytes that stand step bytes apart. */
VEC_FN void each_gather(uint8_t buffer[EACH_BYTES], const uint8_t *p, size_t step, size_t n)
{
    for (size_t i = 0; i < n; i = each_next(i)) {
        memcpy(buffer + 16 * i, p + step * i, 16);
    }
    memset(buffer + 16 * n, 0, EACH_BYTES - 16 * n);
}

/* The same for half blocks; the other halves become 0. */
VEC_FN void each_gather_halves(uint8_t buffer[EACH_BYTES], const uint8_t *p, size_t step, size_t n)
{
    memset(buffer, 0, EACH_BYTES);
    for (size_t i = 0; i < n; i = each_next(i)) {
        memcpy(buffer + 16 * i, p + step * i, 8);
    }
}

VEC_FN void each_scatter(uint8_t *p, size_t step, const uint8_t buffer[EACH_BYTES], size_t n)
{
    for (size_t i = 0; i < n; i = each_next(i)) {
        memcpy(p + step * i, buffer + 16 * i, 16);
    }
}

/* The four words of each block in the buffer. */
VEC_FN void each_load(each_word *const w[4], const uint8_t *p)
{
    for (size_t i = 0; i < 4; i++, p += sizeof(vec[4])) {
        vec r[4] = {vec_load(p), vec_load(p + VEC_BYTES), vec_load(p + 2 * VEC_BYTES),
                    vec_load(p + 3 * VEC_BYTES)};
        vec_transpose_words(r);
        VEC_UNROLL
        for (size_t j = 0; j < 4; j++) {
            w[j]->r[i] = r[j];
        }
    }
}

VEC_FN void each_load_blocks(each_word R[4], const uint8_t *p, const each_word K[4])
{
    each_word *const w[4] = {&R[0], &R[1], &R[2], &R[3]};
    each_load(w, p);
    for (size_t j = 0; j < 4; j++) {
        VEC_UNROLL
        for (size_t i = 0; i < 4; i++) {
            R[j].r[i] = vec_xor(R[j].r[i], K[j].r[i]);
        }
    }
}

/* Undoes the swap of the last round. */
VEC_FN void each_store_blocks(uint8_t *p, const each_word R[4], const each_word K[4])
{
    for (size_t i = 0; i < 4; i++, p += sizeof(vec[4])) {
        vec r[4];
        VEC_UNROLL
        for (size_t j = 0; j < 4; j++) {
            r[j] = vec_xor(R[(j + 2) & 3].r[i], K[j].r[i]);
        }
        vec_transpose_words(r);
        VEC_UNROLL
        for (size_t j = 0; j < 4; j++) {
            vec_store(p + j * VEC_BYTES, r[j]);
        }
    }
}

/* --- The key schedule [Twofish98, 4.3] -------------------------------------------------------- */

/* mf_twofish_rs_step of each lane. */
VEC_FN void each_rs_step(vec r[4])
{
    const vec top = r[3];
    const vec sum = vec_map(&mf_twofish_rs_sum, top);
    r[3] = vec_xor(r[2], sum);
    r[2] = vec_xor(r[1], vec_map(&mf_twofish_rs_a, top));
    r[1] = vec_xor(r[0], sum);
    r[0] = top;
}

/* The RS matrix on 8 key bytes, of which `low` has the first four. */
VEC_FN void each_rs(each_word *S, const each_word *low, const each_word *high)
{
    vec r[4] = {high->r[0], high->r[1], high->r[2], high->r[3]};
    for (size_t i = 0; i < 4; i++) {
        each_rs_step(r);
    }
    VEC_UNROLL
    for (size_t j = 0; j < 4; j++) {
        r[j] = vec_xor(r[j], low->r[j]);
    }
    for (size_t i = 0; i < 4; i++) {
        each_rs_step(r);
    }
    VEC_UNROLL
    for (size_t j = 0; j < 4; j++) {
        S->r[j] = each_enter(r[j]);
    }
}

VEC_FN void each_to_bytes(each_word *w)
{
    vec y[4] = {w->r[0], w->r[1], w->r[2], w->r[3]};
    vec_words_to_bytes(y);
    VEC_UNROLL
    for (size_t j = 0; j < 4; j++) {
        w->r[j] = y[j];
    }
}

VEC_FN void each_enter_word(each_word *w)
{
    VEC_UNROLL
    for (size_t j = 0; j < 4; j++) {
        w->r[j] = each_enter(w->r[j]);
    }
}

/* M_e, M_o and S. */
VEC_FN void each_key_words(each_keys *e, const uint8_t *keys, unsigned k, size_t n_keys)
{
    const size_t key_bytes = 8 * (size_t)k;

    for (size_t i = 0; i < k; i += 2) {
        each_word *const w[4] = {&e->M[0][i], &e->M[1][i], &e->M[0][i + 1], &e->M[1][i + 1]};
        if (i + 1 < k) {
            each_gather(e->buffer, keys + 8 * i, key_bytes, n_keys);
        } else {
            each_gather_halves(e->buffer, keys + 8 * i, key_bytes, n_keys);
        }
        each_load(w, e->buffer);
    }
    for (size_t i = 0; i < k; i++) {
        each_to_bytes(&e->M[0][i]);
        each_to_bytes(&e->M[1][i]);
        each_rs(&e->S[k - 1 - i], &e->M[0][i], &e->M[1][i]);
        each_enter_word(&e->M[0][i]);
        each_enter_word(&e->M[1][i]);
    }
}

/* h of i rho. Its first q is of the same byte in all lanes. */
VEC_FN void each_h_of(vec y[4], const each_keys *e, size_t i, const each_word *L, unsigned k)
{
    const uint8_t *order = mf_twofish_q_order[k];
    VEC_UNROLL
    for (size_t j = 0; j < 4; j++) {
        const vec q = vec_set32(e->first[order[j]][i] * 0x01010101U);
        y[j] = vec_xor(q, L[k - 1].r[j]);
    }
    each_h(y, L, k);
}

VEC_FN void each_subkeys(each_keys *e, unsigned k)
{
    for (size_t i = 0; i < MF_TWOFISH_SUBKEYS; i += 2) {
        vec A[4], B[4];
        each_h_of(A, e, i, e->M[0], k);
        each_h_of(B, e, i + 1, e->M[1], k);
        VEC_UNROLL
        for (size_t j = 0; j < 4; j++) {
            const vec b = vec_rotl32(B[j], 8);
            const vec sum = vec_add32(A[j], b);
            e->K[i].r[j] = sum;
            e->K[i + 1].r[j] = vec_rotl32(vec_add32(sum, b), 9);
        }
    }
}

VEC_ENTRY void each_set_keys(void *state, const uint8_t *keys, unsigned k, size_t n_keys)
{
    each_keys *e = state;
    for (size_t i = 0; i < 64; i += VEC_BYTES) {
        vec_store(e->first[0] + i, each_enter(vec_load(mf_twofish_q[0] + i)));
        vec_store(e->first[1] + i, each_enter(vec_load(mf_twofish_q[1] + i)));
    }
    each_key_words(e, keys, k, n_keys);
    each_subkeys(e, k);
}

/* --- The rounds ------------------------------------------------------------------------------- */

/* g of the words X, or of ROL(X, 8): then turn is 1. [Twofish98, 4.2] */
VEC_FN void each_g(vec T[4], const each_keys *e, const each_word *X, size_t turn, unsigned k)
{
    vec x[4] = {X->r[0], X->r[1], X->r[2], X->r[3]};
    vec_words_to_bytes(x);
    VEC_UNROLL
    for (size_t j = 0; j < 4; j++) {
        T[j] = each_enter(x[(j - turn) & 3]);
    }
    if (k > 3) {
        each_level(T, 4, e->S);
    }
    if (k > 2) {
        each_level(T, 3, e->S);
    }
    each_level(T, 2, e->S);
    each_level(T, 1, e->S);
    each_matrix(T);
}

/* F of the words R[0] and R[1] [Twofish98, 4.1]. Not inlined, since encryption and decryption share
 * it. */
VEC_ENTRY MF_NOINLINE void each_round(each_keys *e, const each_word R[2], const each_word K[2],
                                      unsigned k)
{
    vec T0[4], T1[4];
    each_g(T0, e, &R[0], 0, k);
    each_g(T1, e, &R[1], 1, k);
    VEC_UNROLL
    for (size_t i = 0; i < 4; i++) {
        const vec sum = vec_add32(T0[i], T1[i]);
        e->F.F0.r[i] = vec_add32(sum, K[0].r[i]);
        e->F.F1.r[i] = vec_add32(vec_add32(sum, T1[i]), K[1].r[i]);
    }
}

VEC_ENTRY void each_encrypt(void *state, uint8_t *out, const uint8_t *in, size_t step, unsigned k,
                            size_t n_keys)
{
    each_keys *e = state;
    each_gather(e->buffer, in, step, n_keys);
    each_load_blocks(e->R, e->buffer, e->K + INPUT_WHITENING);
    for (size_t r = 0; r < MF_TWOFISH_ROUNDS; r++) {
        each_word *C = e->R + 2 * (~r & 1);
        each_word *D = C + 1;
        each_round(e, e->R + 2 * (r & 1), e->K + ROUND_SUBKEYS + 2 * r, k);
        VEC_UNROLL
        for (size_t i = 0; i < 4; i++) {
            C->r[i] = vec_rotl32(vec_xor(C->r[i], e->F.F0.r[i]), 31);
            D->r[i] = vec_xor(vec_rotl32(D->r[i], 1), e->F.F1.r[i]);
        }
    }
    each_store_blocks(e->buffer, e->R, e->K + OUTPUT_WHITENING);
    each_scatter(out, step, e->buffer, n_keys);
}

VEC_ENTRY void each_decrypt(void *state, uint8_t *out, const uint8_t *in, size_t step, unsigned k,
                            size_t n_keys)
{
    each_keys *e = state;
    each_gather(e->buffer, in, step, n_keys);
    each_load_blocks(e->R, e->buffer, e->K + OUTPUT_WHITENING);
    for (size_t r = MF_TWOFISH_ROUNDS; r > 0; r--) {
        each_word *C = e->R + 2 * (~r & 1);
        each_word *D = C + 1;
        each_round(e, e->R + 2 * (r & 1), e->K + ROUND_SUBKEYS + 2 * (r - 1), k);
        VEC_UNROLL
        for (size_t i = 0; i < 4; i++) {
            C->r[i] = vec_xor(vec_rotl32(C->r[i], 1), e->F.F0.r[i]);
            D->r[i] = vec_rotl32(vec_xor(D->r[i], e->F.F1.r[i]), 31);
        }
    }
    each_store_blocks(e->buffer, e->R, e->K + INPUT_WHITENING);
    each_scatter(out, step, e->buffer, n_keys);
}

/* --- The row ---------------------------------------------------------------------------------- */

/* All but the numbers of keys and blocks. Of the stack it is more than any compiler uses; a test of
 * wiping searches there. */
#define EACH_ROW                                                                                   \
    .lanes = EACH_KEYS, .state_bytes = sizeof(each_keys), .stack = 3072,                           \
    .set_keys = each_set_keys, .encrypt = each_encrypt, .decrypt = each_decrypt

#endif
