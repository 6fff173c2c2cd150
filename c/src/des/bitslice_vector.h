/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * From blocks to slices and back in vector registers, and the functions of a kernel made of that
 * and of bitslice.h. Before it is included: a vector type and bitslice.h.
 *
 * Eight registers are a group of VEC_BYTES blocks. First they change from blocks to bytes: one has
 * byte 0 of all of them, the next one byte 1, and so on. Then, with the same byte of eight groups,
 * bits within bytes change places with the numbers of groups. Which lane a block gets, nobody asks.
 */
#ifndef MF_SRC_DES_BITSLICE_VECTOR_H
#define MF_SRC_DES_BITSLICE_VECTOR_H

#include "bitslice.h"

enum { BLOCK = MF_DES_BLOCK_BYTES, GROUP = VEC_BYTES, LANES = 8 * GROUP };

/* Eight registers: bit j of each byte of number i becomes bit i of that of number j. */
VEC_FN void transpose_bits(vec *x)
{
    const vec by_4 = vec_set32(0x0F0F0F0F);
    const vec by_2 = vec_set32(0x33333333);
    const vec by_1 = vec_set32(0x55555555);
    vec r[8];

    VEC_UNROLL_8
    for (size_t i = 0; i < 8; i++) {
        r[i] = vec_load(x + i);
    }
    vec_exchange(&r[0], &r[4], 4, by_4);
    vec_exchange(&r[1], &r[5], 4, by_4);
    vec_exchange(&r[2], &r[6], 4, by_4);
    vec_exchange(&r[3], &r[7], 4, by_4);
    vec_exchange(&r[0], &r[2], 2, by_2);
    vec_exchange(&r[1], &r[3], 2, by_2);
    vec_exchange(&r[4], &r[6], 2, by_2);
    vec_exchange(&r[5], &r[7], 2, by_2);
    vec_exchange(&r[0], &r[1], 1, by_1);
    vec_exchange(&r[2], &r[3], 1, by_1);
    vec_exchange(&r[4], &r[5], 1, by_1);
    vec_exchange(&r[6], &r[7], 1, by_1);
    VEC_UNROLL_8
    for (size_t i = 0; i < 8; i++) {
        vec_store(x + i, r[i]);
    }
}

/* A group of blocks; byte i of them goes to x[8 * i]. */
VEC_FN void group_to_bytes(vec *x, const uint8_t *in)
{
    vec r[8];

    VEC_UNROLL_8
    for (size_t i = 0; i < 8; i++) {
        r[i] = vec_load(in + VEC_BYTES * i);
    }
    vec_blocks_to_bytes(r);
    VEC_UNROLL_8
    for (size_t i = 0; i < 8; i++) {
        vec_store(x + 8 * i, r[i]);
    }
}

VEC_FN void bytes_to_group(uint8_t *out, const vec *x)
{
    vec r[8];

    VEC_UNROLL_8
    for (size_t i = 0; i < 8; i++) {
        r[i] = vec_load(x + 8 * i);
    }
    vec_bytes_to_blocks(r);
    VEC_UNROLL_8
    for (size_t i = 0; i < 8; i++) {
        vec_store(out + VEC_BYTES * i, r[i]);
    }
}

/* The working memory. It is a variable of the outermost function, and the inner ones have no
 * arrays: so what they keep on the stack, pointers too, lies apart, as tests/machine_code wants it.
 */
typedef struct workspace {
    vec slices[SLICES];
    uint8_t group[GROUP * BLOCK]; /* one that is not full */
} workspace;

/* Lanes that are not used are 0. */
VEC_ENTRY MF_NOINLINE void load_slices(workspace *w, const uint8_t *in, size_t n_blocks)
{
    for (size_t g = 0; g < 8; g++) {
        const size_t n = n_blocks < GROUP ? n_blocks : GROUP;
        if (n == GROUP) {
            group_to_bytes(w->slices + g, in);
        } else {
            memset(w->group, 0, sizeof w->group);
            memcpy(w->group, in, n * BLOCK);
            group_to_bytes(w->slices + g, w->group);
        }
        in += n * BLOCK;
        n_blocks -= n;
    }
    for (size_t i = 0; i < 8; i++) {
        transpose_bits(w->slices + 8 * i);
    }
}

VEC_ENTRY MF_NOINLINE void store_slices(uint8_t *out, workspace *w, size_t n_blocks)
{
    for (size_t i = 0; i < 8; i++) {
        transpose_bits(w->slices + 8 * i);
    }
    for (size_t g = 0; n_blocks > 0; g++) {
        const size_t n = n_blocks < GROUP ? n_blocks : GROUP;
        if (n == GROUP) {
            bytes_to_group(out, w->slices + g);
        } else {
            bytes_to_group(w->group, w->slices + g);
            memcpy(out, w->group, n * BLOCK);
        }
        out += n * BLOCK;
        n_blocks -= n;
    }
}

VEC_ENTRY MF_NOINLINE void crypt_blocks(workspace *w, const bitslice_key *k, uint8_t *out,
                                        const uint8_t *in, size_t n_blocks, ptrdiff_t step)
{
    for (size_t n; n_blocks > 0; n_blocks -= n) {
        n = n_blocks < LANES ? n_blocks : LANES;
        load_slices(w, in, n);
        passes(w->slices, k, step);
        store_slices(out, w, n);
        in += n * BLOCK;
        out += n * BLOCK;
    }
}

VEC_ENTRY void encrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                              size_t n_blocks)
{
    workspace w;

    crypt_blocks(&w, expanded_key, out, in, n_blocks, ROUND_MASKS);
    mf_wipe(&w, sizeof w);
    mf_wipe_stack();
}

VEC_ENTRY void decrypt_blocks(const void *expanded_key, uint8_t *out, const uint8_t *in,
                              size_t n_blocks)
{
    workspace w;

    crypt_blocks(&w, expanded_key, out, in, n_blocks, -ROUND_MASKS);
    mf_wipe(&w, sizeof w);
    mf_wipe_stack();
}

#endif
