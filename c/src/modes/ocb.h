/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Offsets of OCB [RFC7253, 4], shared by one message and many.
 *
 * One offset after the other would take longer than a vector kernel needs for the blocks. But from
 * a multiple of 8 on, the offsets of 7 blocks differ from its own by the same sums of L_0, L_1 and
 * L_2 each time, which stay in registers: eight blocks wait for one XOR. Offsets are made twice,
 * before and after the cipher, since that is quicker than to keep them.
 */
#ifndef MF_SRC_MODES_OCB_H
#define MF_SRC_MODES_OCB_H

#include <manyfish/ocb.h>

#include "../common/block.h"
#include "check.h"

enum { MF_OCB_BLOCK = 16 };

#define MF_OCB_MAX_BLOCKS ((uint64_t)1 << MF_OCB_MASKS)

/* Of which blocks a checksum is taken on the way. */
enum mf_ocb_summed { MF_OCB_NOTHING, MF_OCB_INPUT, MF_OCB_OUTPUT };

/* Offset_i, and the checksum of the blocks so far. */
typedef struct mf_ocb_masking {
    uint64_t i;
    mf_block offset;
    mf_block sum;
} mf_ocb_masking;

/* The mask L_{ntz(i)} of block i; blocks count from 1. */
MF_INLINE mf_block mf_ocb_mask_of_block(const mf_ocb *ocb, uint64_t i)
{
    unsigned ntz = 0;
#ifdef __GNUC__
    ntz = (unsigned)__builtin_ctzll(i);
#else
    while ((i >> ntz & 1) == 0) {
        ntz++;
    }
#endif
    return mf_block_load(ocb->l[ntz]);
}

/* Block n of out = block n of in xor the offset; returns the new checksum. */
MF_INLINE mf_block mf_ocb_mask_block(uint8_t *out, const uint8_t *in, size_t n, mf_block offset,
                                     mf_block sum, enum mf_ocb_summed summed)
{
    const mf_block x = mf_block_load(in + n * MF_OCB_BLOCK);
    const mf_block y = mf_block_xor(x, offset);
    mf_block_store(out + n * MF_OCB_BLOCK, y);
    return summed == MF_OCB_NOTHING ? sum : mf_block_xor(sum, summed == MF_OCB_INPUT ? x : y);
}

/* The next n_blocks blocks, one after the other. */
MF_INLINE void mf_ocb_mask_serially(const mf_ocb *ocb, mf_ocb_masking *m, uint8_t *out,
                                    const uint8_t *in, size_t n_blocks, enum mf_ocb_summed summed)
{
    for (size_t n = 0; n < n_blocks; n++) {
        m->i++;
        m->offset = mf_block_xor(m->offset, mf_ocb_mask_of_block(ocb, m->i));
        m->sum = mf_ocb_mask_block(out, in, n, m->offset, m->sum, summed);
    }
}

/* The next 8 n_groups blocks, if i is a multiple of 8. The offset of i + r is that of i, plus L_j
 * for each bit j of the Gray code of r. */
MF_INLINE void mf_ocb_mask_groups(const mf_ocb *ocb, mf_ocb_masking *m, uint8_t *out,
                                  const uint8_t *in, size_t n_groups, enum mf_ocb_summed summed)
{
    const mf_block p1 = mf_block_load(ocb->l[0]);
    const mf_block p3 = mf_block_load(ocb->l[1]);
    const mf_block p7 = mf_block_load(ocb->l[2]);
    const mf_block p2 = mf_block_xor(p1, p3);
    const mf_block p4 = mf_block_xor(p3, p7);
    const mf_block p5 = mf_block_xor(p2, p7);
    const mf_block p6 = mf_block_xor(p1, p7);
    mf_block o = m->offset;
    mf_block sum = m->sum;

    for (size_t group = 0; group < n_groups; group++) {
        m->i += 8;
        sum = mf_ocb_mask_block(out, in, 0, mf_block_xor(o, p1), sum, summed);
        sum = mf_ocb_mask_block(out, in, 1, mf_block_xor(o, p2), sum, summed);
        sum = mf_ocb_mask_block(out, in, 2, mf_block_xor(o, p3), sum, summed);
        sum = mf_ocb_mask_block(out, in, 3, mf_block_xor(o, p4), sum, summed);
        sum = mf_ocb_mask_block(out, in, 4, mf_block_xor(o, p5), sum, summed);
        sum = mf_ocb_mask_block(out, in, 5, mf_block_xor(o, p6), sum, summed);
        o = mf_block_xor(o, p7);
        sum = mf_ocb_mask_block(out, in, 6, o, sum, summed);
        o = mf_block_xor(o, mf_ocb_mask_of_block(ocb, m->i));
        sum = mf_ocb_mask_block(out, in, 7, o, sum, summed);
        in += 8 * (size_t)MF_OCB_BLOCK;
        out += 8 * (size_t)MF_OCB_BLOCK;
    }
    m->offset = o;
    m->sum = sum;
}

/* out = in xor the offsets of n_blocks blocks after block i, whose offset is `offset`: that of the
 * last one goes to `last`. The input is added to `sum`. */
MF_INLINE void mf_ocb_mask(const mf_ocb *ocb, uint8_t last[MF_OCB_BLOCK],
                           const uint8_t offset[MF_OCB_BLOCK], uint64_t i, uint8_t *out,
                           const uint8_t *in, size_t n_blocks, uint8_t sum[MF_OCB_BLOCK],
                           enum mf_ocb_summed summed)
{
    mf_ocb_masking m = {i, mf_block_load(offset), mf_block_load(sum)};
    const size_t first = mf_min(n_blocks, (size_t)(0 - i) % 8);
    const size_t n_groups = (n_blocks - first) / 8;
    const size_t done = first + 8 * n_groups;

    mf_ocb_mask_serially(ocb, &m, out, in, first, summed);
    mf_ocb_mask_groups(ocb, &m, out + first * MF_OCB_BLOCK, in + first * MF_OCB_BLOCK, n_groups,
                       summed);
    mf_ocb_mask_serially(ocb, &m, out + done * MF_OCB_BLOCK, in + done * MF_OCB_BLOCK,
                         n_blocks - done, summed);
    mf_block_store(last, m.offset);
    mf_block_store(sum, m.sum);
}

/* sum ^= each of the blocks. */
MF_INLINE void mf_ocb_add_blocks(uint8_t sum[MF_OCB_BLOCK], const uint8_t *blocks, size_t n_blocks)
{
    mf_block total = mf_block_load(sum);
    for (size_t n = 0; n < n_blocks; n++) {
        total = mf_block_xor(total, mf_block_load(blocks + n * MF_OCB_BLOCK));
    }
    mf_block_store(sum, total);
}

/* The block to encrypt for a nonce: 7 bits for the tag length, 0 for 128; zeros; a one; the nonce,
 * without its last bits, which are returned. [RFC7253, 4.2] */
MF_INLINE unsigned mf_ocb_top(uint8_t top[MF_OCB_BLOCK], const uint8_t *nonce, size_t nonce_bytes)
{
    memset(top, 0, MF_OCB_BLOCK);
    top[MF_OCB_BLOCK - 1 - nonce_bytes] = 1;
    memcpy(top + MF_OCB_BLOCK - nonce_bytes, nonce, nonce_bytes);
    const unsigned bottom = top[MF_OCB_BLOCK - 1] & 63;
    top[MF_OCB_BLOCK - 1] &= 0xC0;
    return bottom;
}

/* Offset_0 from the encrypted block: the 128 bits of Stretch that start at bit `bottom`, which is
 * no secret. */
MF_INLINE void mf_ocb_first_offset(uint8_t offset[MF_OCB_BLOCK], const uint8_t ktop[MF_OCB_BLOCK],
                                   unsigned bottom)
{
    const unsigned byte = bottom / 8;
    const unsigned bit = bottom % 8;
    uint8_t stretch[MF_OCB_BLOCK + 8];

    memcpy(stretch, ktop, MF_OCB_BLOCK);
    mf_xor(stretch + MF_OCB_BLOCK, ktop, ktop + 1, 8);
    for (unsigned i = 0; i < MF_OCB_BLOCK; i++) {
        const unsigned pair = (unsigned)stretch[i + byte] << 8 | stretch[i + byte + 1];
        offset[i] = (uint8_t)(pair >> (8 - bit));
    }
    mf_wipe(stretch, sizeof stretch);
}

#endif
