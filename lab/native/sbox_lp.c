/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The largest linear approximation of S-boxes [Twofish98, 7.2.1].
 *
 * A lane has one output mask b: 256 vectors, one for each x, hold the sign of b.s(x) for 32 masks,
 * and one Walsh transform over x serves all of them, without a shuffle. Bytes are enough: after
 * seven of the eight levels a sum has at most 128 terms, +128 and -128 are one byte, and the
 * magnitude of that is right. The last level is not computed, as max(|u + v|, |u - v|) = |u| + |v|.
 * This is 256, and therefore 0 in a byte, only if b.s(x) is affine; then all its other sums are 0,
 * by Parseval; otherwise one of them is not, so a maximum of 0 means 256.
 */
#include "lab.h"
#include "vector.h"

enum { SIGNS = 2 * LAB_LANES };

/* sign[y + 32 p]: of mask bits 0..4 against those of y, times (-1)^p; a lane is a mask. */
LAB_INLINE void make_signs(lab_bytes *sign)
{
    for (unsigned y = 0; y < LAB_LANES; y++) {
        for (unsigned b = 0; b < LAB_LANES; b++) {
            unsigned odd = (unsigned)__builtin_popcount(y & b) & 1;
            sign[y][b] = (uint8_t)(1 - 2 * odd);
            sign[y + LAB_LANES][b] = (uint8_t)(2 * odd - 1);
        }
    }
}

/* One level: all pairs of v[0..n) that are step apart. */
LAB_INLINE void level(lab_bytes *v, unsigned n, unsigned step)
{
    LAB_UNROLL(8)
    for (unsigned i = 0; i < n; i++) {
        if (!(i & step)) {
            lab_bytes a = v[i], b = v[i + step];
            v[i] = a + b;
            v[i + step] = a - b;
        }
    }
}

/* Three levels of 8 vectors. In groups of 8 they stay in registers, of which there are 16. */
LAB_INLINE void three_levels(lab_bytes *v)
{
    level(v, 8, 1);
    level(v, 8, 2);
    level(v, 8, 4);
}

/* Levels 0..2 of the transform of one box for 32 masks. index[x] is that of the sign of s(x). */
LAB_INLINE void low_levels(lab_bytes *sum, const lab_bytes *sign, const uint8_t *index)
{
    for (unsigned first = 0; first < 256; first += 8) {
        lab_bytes v[8];
        for (unsigned i = 0; i < 8; i++) {
            v[i] = sign[index[first + i]];
        }
        three_levels(v);
        for (unsigned i = 0; i < 8; i++) {
            sum[first + i] = v[i];
        }
    }
}

/* Levels 3..5. */
LAB_INLINE void middle_levels(lab_bytes *sum)
{
    for (unsigned i = 0; i < 32; i++) {
        lab_bytes v[8], *at = sum + (i / 8 * 64 + i % 8);
        for (size_t j = 0; j < 8; j++) {
            v[j] = at[8 * j];
        }
        three_levels(v);
        for (size_t j = 0; j < 8; j++) {
            at[8 * j] = v[j];
        }
    }
}

/* Levels 6 and 7: the largest magnitudes modulo 256. */
LAB_INLINE void high_levels(lab_bytes *most, const lab_bytes *sum)
{
    lab_bytes largest = {0};
    for (unsigned first = 0; first < 64; first++) {
        lab_bytes v[4];
        for (size_t j = 0; j < 4; j++) {
            v[j] = sum[first + 64 * j];
        }
        level(v, 4, 1);
        for (unsigned i = 0; i < 4; i++) {
            lab_magnitude(&v[i]);
        }
        for (unsigned i = 0; i < 2; i++) {
            lab_bytes both = v[i] + v[i + 2];
            lab_raise(&largest, &both);
        }
    }
    *most = largest;
}

LAB_INLINE unsigned largest(const uint8_t *box, const lab_bytes *sign)
{
    unsigned result = 0;
    for (unsigned high = 0; high < 256; high += LAB_LANES) {
        uint8_t index[256];
        lab_bytes sum[256], most;
        for (unsigned x = 0; x < 256; x++) {
            uint8_t chosen = box[x] & (uint8_t)high;
            uint8_t odd = (uint8_t)(chosen ^ chosen >> 1 ^ chosen >> 2) & LAB_LANES;
            index[x] = (uint8_t)(box[x] % LAB_LANES | odd);
        }
        low_levels(sum, sign, index);
        middle_levels(sum);
        high_levels(&most, sum);
        for (unsigned b = high == 0; b < LAB_LANES; b++) {
            unsigned w = most[b] == 0 ? 256 : most[b];
            result = w > result ? w : result;
        }
    }
    return result;
}

static LAB_CLONES void lp_of_boxes(uint16_t *lp, const uint8_t *boxes, size_t n)
{
    lab_bytes sign[SIGNS];
    make_signs(sign);
    for (size_t i = 0; i < n; i++) {
        lp[i] = (uint16_t)largest(boxes + 256 * i, sign);
    }
}

void lab_sbox_lp(uint16_t *lp, const uint8_t *boxes, size_t n)
{
    lp_of_boxes(lp, boxes, n);
}
