/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Twofish on vector units, written once: a kernel includes the vector type of its instruction set
 * (common/vec_*.h), then this file, and gets vector_set_key, vector_encrypt_blocks and
 * vector_decrypt_blocks. No branch and no address depends on a secret.
 *
 * All of a table of 256 bytes is read for each lookup, from registers or by loads in a fixed order;
 * what makes that fast is that it serves many bytes at once. The blocks lie in one of these layouts, each
 * a file of its own:
 *   wide   VEC_BYTES blocks. A word of the state is four registers. For g, the bytes of a position
 *          are brought together, so that each S-box works at full width.
 *   half   VEC_BYTES / 2 blocks. A word of the state is two registers. The same, with the bytes for both
 *          g of a round together; and two such halves in turn. For few registers.
 *   words  VEC_BYTES / 4 blocks. A word of the state is one register.
 *   pairs  VEC_BYTES / 8 blocks. A half of the state is one register.
 *   one    One block, the same in every lane.
 *
 * Key set-up computes q0 and q1 as the kernel says, which includes vector_q_steps.h or vector_q_tables.h
 * before the layouts.
 */
#ifndef MF_SRC_TWOFISH_VECTOR_H
#define MF_SRC_TWOFISH_VECTOR_H

#include "../common/wipe.h"
#include "kernel.h"
#include "rounds.h"
#include "schedule.h"
#include "tables/tables.h"

typedef struct vector_key {
    uint32_t K[MF_TWOFISH_SUBKEYS];
    uint32_t s_words[MF_TWOFISH_MAX_K];
    vec_table S[4]; /* the key-dependent S-boxes, without the MDS matrix */
} vector_key;

_Static_assert(sizeof(vector_key) <= MF_TWOFISH_EXPANDED_KEY_BYTES, "no room for the key");

/* The four S-boxes, each on all bytes of its position. */
typedef void vector_s_boxes(const vector_key *key, vec y[4]);

VEC_FN void vector_tables(const vector_key *key, vec y[4])
{
    VEC_UNROLL
    for (size_t j = 0; j < 4; j++) {
        y[j] = vec_lookup(&key->S[j], y[j]);
    }
}

/* The MDS matrix on bytes sorted by position. [Twofish98, 4.2] */
VEC_FN void vector_mds(vec y[4])
{
    const vec y0 = y[0];
    const vec y1 = y[1];
    const vec y2 = y[2];
    const vec y3 = y[3];
    const vec ef0 = vec_map(&mf_twofish_times_ef, y0);
    const vec ef1 = vec_map(&mf_twofish_times_ef, y1);
    const vec ef2 = vec_map(&mf_twofish_times_ef, y2);
    const vec ef3 = vec_map(&mf_twofish_times_ef, y3);
    const vec s0 = vec_map(&mf_twofish_times_5b, y0);
    const vec s1 = vec_map(&mf_twofish_times_5b, y1);
    const vec s2 = vec_map(&mf_twofish_times_5b, y2);
    const vec s3 = vec_map(&mf_twofish_times_5b, y3);
    y[0] = vec_xor(vec_xor3(y0, ef1, s2), s3);
    y[1] = vec_xor(vec_xor3(s0, ef1, ef2), y3);
    y[2] = vec_xor(vec_xor3(ef0, s1, y2), ef3);
    y[3] = vec_xor(vec_xor3(ef0, y1, ef2), s3);
}

/* A shuffle within words: byte i of the word becomes its byte b_i. */
#define IN_WORDS(b0, b1, b2, b3)                                                                   \
    {                                                                                              \
        (b0), (b1), (b2), (b3), ((b0) + 4) & 0x8F, ((b1) + 4) & 0x8F, ((b2) + 4) & 0x8F,           \
            ((b3) + 4) & 0x8F, ((b0) + 8) & 0x8F, ((b1) + 8) & 0x8F, ((b2) + 8) & 0x8F,            \
            ((b3) + 8) & 0x8F, ((b0) + 12) & 0x8F, ((b1) + 12) & 0x8F, ((b2) + 12) & 0x8F,         \
            ((b3) + 12) & 0x8F                                                                     \
    }
#define NONE 0x80

VEC_FN vec vector_shuffle(vec x, const uint8_t pattern[16])
{
    return vec_shuffle(x, vec_load_lanes(pattern));
}

/* The MDS matrix on words: its rows are 1 EF 5B 5B, 5B EF EF 1, EF 5B 1 EF and EF 1 EF 5B; of each
 * row, a shuffle, a rotation or a shift brings one factor of a kind to its place. */
VEC_FN vec vector_mds_words(vec y)
{
    static const uint8_t one[16] = IN_WORDS(0, 3, 2, 1);
    static const uint8_t ef_other[16] = IN_WORDS(NONE, 1, 0, 2); /* the rotation: 1, 2, 3, 0 */
    static const uint8_t s_each[16] = IN_WORDS(2, 0, 1, 3);      /* the shift: 3 in row 0 */

    const vec ef = vec_map(&mf_twofish_times_ef, y);
    const vec s = vec_map(&mf_twofish_times_5b, y);
    const vec a =
        vec_xor3(vector_shuffle(y, one), vector_shuffle(ef, ef_other), vec_rotl32(ef, 24));
    return vec_xor3(a, vector_shuffle(s, s_each), vec_shr32(s, 24));
}

/* --- any number of blocks --------------------------------------------------------------------- */

typedef void vector_crypt(const vector_key *key, uint8_t *out, const uint8_t *in);

/* A way to crypt n_blocks at a time. It is taken when `from` blocks are left: from this number on it
 * costs less, only partly filled, than several runs of the next narrower one. */
typedef struct vector_layout {
    vector_crypt *crypt;
    size_t n_blocks;
    size_t from;
} vector_layout;

enum { VECTOR_BUFFER_BYTES = 16 * VEC_BYTES };

/* Fewer blocks than the layout has, through a buffer. */
VEC_FN void vector_crypt_partly(const vector_layout *layout, const vector_key *key, uint8_t *out,
                                const uint8_t *in, size_t n_blocks)
{
    uint8_t buffer[VECTOR_BUFFER_BYTES];
    const size_t used = 16 * layout->n_blocks;
    memcpy(buffer, in, 16 * n_blocks);
    memset(buffer + 16 * n_blocks, 0, used - 16 * n_blocks);
    layout->crypt(key, buffer, buffer);
    memcpy(out, buffer, 16 * n_blocks);
    mf_wipe(buffer, used);
}

/* The layouts are in order, the widest first; the last one is taken from 1 block on. */
VEC_FN void vector_crypt_blocks(const vector_layout *layout, const vector_key *key, uint8_t *out,
                                const uint8_t *in, size_t n_blocks)
{
    while (n_blocks > 0) {
        while (n_blocks < layout->from) {
            layout++;
        }
        if (n_blocks < layout->n_blocks) {
            vector_crypt_partly(layout, key, out, in, n_blocks);
            return;
        }
        layout->crypt(key, out, in);
        n_blocks -= layout->n_blocks;
        in += 16 * layout->n_blocks;
        out += 16 * layout->n_blocks;
    }
}

/* --- key set-up ------------------------------------------------------------------------------- */

/* 32 words for A_0, A_1, ..., of which 20 are needed, then as many for B_0, B_1, ... */
enum { PAIRS = MF_TWOFISH_SUBKEYS / 2, HALF = 32 };

/* What is secret on the way, in one place, to be wiped by one call. */
typedef struct vector_secrets {
    uint32_t M[2][MF_TWOFISH_MAX_K]; /* M_e, M_o */
    uint32_t AB[2 * HALF];
    uint8_t box[256];
} vector_secrets;

/* The S-boxes: k layers of q and the key, and a last q [Twofish98, 4.3.2]. The first q of all bytes in
 * order is its table as it stands. */
VEC_FN void vector_s_box(vector_key *key, const vector_q *q, size_t j, uint8_t box[256], unsigned k)
{
    const uint8_t *first = mf_twofish_q[mf_twofish_q_order[k][j]];
    for (size_t at = 0; at < 256; at += 2 * VEC_BYTES) {
        vec y = vec_load(first + at);
        vec z = vec_load(first + at + VEC_BYTES);
        for (unsigned i = k; i-- > 0;) {
            const vec key_byte = vec_set32(mf_byte(key->s_words[i], (unsigned)j) * 0x01010101);
            const size_t which = mf_twofish_q_order[i][j];
            y = vector_q_of(q, which, vec_xor(y, key_byte));
            z = vector_q_of(q, which, vec_xor(z, key_byte));
        }
        vec_store(box + at, y);
        vec_store(box + at + VEC_BYTES, z);
    }
    vec_table_make(&key->S[j], box);
}

/* h of VEC_BYTES words, all at once. X has them; register i of the key words is L[i][0..3]. */
VEC_FN void vector_h(uint32_t *out, const vector_q *q, const uint32_t *X,
                     const uint32_t *const L[4], unsigned k)
{
    vec y[4];
    VEC_UNROLL
    for (size_t i = 0; i < 4; i++) {
        y[i] = vec_load(X + i * VEC_BYTES / 4);
    }
    vec_words_to_bytes(y);
    VEC_UNROLL
    for (size_t j = 0; j < 4; j++) {
        y[j] = vector_q_of(q, mf_twofish_q_order[k][j], y[j]);
    }
    for (unsigned i = k; i-- > 0;) {
        vec l[4] = {vec_set32(L[0][i]), vec_set32(L[1][i]), vec_set32(L[2][i]), vec_set32(L[3][i])};
        vec_words_to_bytes(l);
        VEC_UNROLL
        for (size_t j = 0; j < 4; j++) {
            y[j] = vector_q_of(q, mf_twofish_q_order[i][j], vec_xor(y[j], l[j]));
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
VEC_FN void vector_pht(uint32_t K[MF_TWOFISH_SUBKEYS], uint32_t AB[2 * HALF])
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

VEC_FN void vector_subkeys(uint32_t K[MF_TWOFISH_SUBKEYS], const vector_q *q, const uint8_t *key,
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
        vector_h(secrets->AB + n, q, X + n, L, k);
    }
    vector_pht(K, secrets->AB);
}

VEC_ENTRY void vector_set_key(void *expanded_key, const uint8_t *key, unsigned k)
{
    vector_key *v = expanded_key;
    vector_q q;
    vector_secrets secrets;

    vector_q_make(&q);
    mf_twofish_s_words(v->s_words, key, k);
    vector_subkeys(v->K, &q, key, &secrets, k);
    for (size_t j = 0; j < 4; j++) {
        vector_s_box(v, &q, j, secrets.box, k);
    }
    mf_wipe(&secrets, sizeof secrets);
}

#endif
