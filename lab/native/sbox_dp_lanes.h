/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The largest differential probability of S-boxes [Twofish98, 7.2.1]; the files that include this
 * choose the number of lanes.
 *
 * A lane has one box, and vector x has s(x) of all lanes. For each input difference d, 128 vectors
 * hold s(x) ^ s(x ^ d), one for each pair {x, x ^ d}. They are sorted, lane by lane, by Batcher's
 * merges of odd and even places [Batcher68], and then the most frequent value is the longest run.
 * With 32 lanes that takes a quarter of the time of counting, which has one counter at a time.
 *
 * The CPU that we measured stores one vector a cycle, and computes more minima or maxima meanwhile.
 * So merges work on 16 places, which fit into the registers if the even ones come before the odd
 * ones, and leave the last steps of longer merges to one pass over all places.
 */
#ifndef LAB_SBOX_DP_LANES_H
#define LAB_SBOX_DP_LANES_H

#include "lab.h"
#include "sbox_dp.h"
#include "vector.h"

enum {
    PAIRS = 128,
    USUAL = 4 /* Nearly all boxes have more equal pairs: at first only such runs count. */
};

/* The longest runs that were found, 0 for none. Runs up to least are not looked for. */
struct runs {
    lab_bytes longest;
    unsigned least;
};

/* --- merges of two sorted halves, of the places 0, s, 2 s, .. -------------------------------- */

LAB_INLINE void merge_4(lab_bytes *v, size_t s)
{
    lab_order(&v[0], &v[2 * s]);
    lab_order(&v[s], &v[3 * s]);
    lab_order(&v[s], &v[2 * s]);
}

/* The last step of a merge of n places. */
LAB_INLINE void order_neighbours(lab_bytes *v, size_t n, size_t s)
{
    LAB_UNROLL(16)
    for (size_t i = 1; i < n - 1; i += 2) {
        lab_order(&v[i * s], &v[(i + 1) * s]);
    }
}

LAB_INLINE void merge_8(lab_bytes *v, size_t s)
{
    merge_4(v, 2 * s);
    merge_4(v + s, 2 * s);
    order_neighbours(v, 8, s);
}

LAB_INLINE void merge_16(lab_bytes *v, size_t s)
{
    merge_8(v, 2 * s);
    merge_8(v + s, 2 * s);
    order_neighbours(v, 16, s);
}

LAB_INLINE void merge_32(lab_bytes *v)
{
    merge_16(v, 2);
    merge_16(v + 1, 2);
    order_neighbours(v, 32, 1);
}

/* In the passes the places before i wait for their last steps: a for step 1, b and c for step 2. */
LAB_INLINE void merge_64(lab_bytes *v)
{
    for (size_t i = 0; i < 4; i++) {
        merge_16(v + i, 4);
    }
    lab_bytes a = v[1], b = v[2], c = v[3];
    for (size_t i = 4; i < 64; i += 4) {
        lab_bytes x = v[i], y = v[i + 1];
        lab_order(&b, &x);
        lab_order(&c, &y);
        lab_order(&a, &b);
        lab_order(&c, &x);
        v[i - 3] = a;
        v[i - 2] = b;
        v[i - 1] = c;
        v[i] = x;
        a = y;
        b = v[i + 2];
        c = v[i + 3];
    }
    lab_order(&a, &b);
    v[61] = a;
    v[62] = b;
}

/* Here the steps 4, 2 and 1 are left. */
LAB_INLINE void merge_128(lab_bytes *v)
{
    for (size_t i = 0; i < 8; i++) {
        merge_16(v + i, 8);
    }
    lab_bytes a = v[1], b = v[2], c = v[3];
    for (size_t i = 4; i < 124; i += 8) {
        lab_bytes r[8];
        for (size_t j = 0; j < 8; j++) {
            r[j] = v[i + j];
        }
        for (size_t j = 0; j < 4; j++) {
            lab_order(&r[j], &r[j + 4]);
        }
        lab_order(&b, &r[0]);
        lab_order(&c, &r[1]);
        lab_order(&r[2], &r[4]);
        lab_order(&r[3], &r[5]);
        lab_order(&a, &b);
        lab_order(&c, &r[0]);
        lab_order(&r[1], &r[2]);
        lab_order(&r[3], &r[4]);
        v[i - 3] = a;
        v[i - 2] = b;
        v[i - 1] = c;
        for (size_t j = 0; j < 5; j++) {
            v[i + j] = r[j];
        }
        a = r[5];
        b = r[6];
        c = r[7];
    }
    lab_bytes x = v[124], y = v[125], z = v[126];
    lab_order(&b, &x);
    lab_order(&c, &y);
    lab_order(&a, &b);
    lab_order(&c, &x);
    lab_order(&y, &z);
    v[121] = a;
    v[122] = b;
    v[123] = c;
    v[124] = x;
    v[125] = y;
    v[126] = z;
}

/* --- the differences of a row ---------------------------------------------------------------- */

LAB_INLINE void sort_4(lab_bytes *v)
{
    lab_order(&v[0], &v[1]);
    lab_order(&v[2], &v[3]);
    merge_4(v, 1);
}

/* The pairs {x, x ^ d} number i to i + 7, sorted; i and d are multiples of 8. Of the two x the one
 * without the highest bit of d stands for the pair. */
LAB_INLINE void sort_8(lab_bytes *v, const lab_bytes *s, const lab_bytes *t, size_t i, unsigned d)
{
    size_t top = 0x80000000u >> __builtin_clz(d);
    size_t x = (i & (top - 1)) | (i & ~(top - 1)) << 1;
    for (size_t j = 0; j < 8; j++) {
        v[j] = s[x + j] ^ t[(x ^ d) + j];
    }
    sort_4(v);
    sort_4(v + 4);
    merge_8(v, 1);
}

LAB_INLINE void sort(lab_bytes *v, const lab_bytes *s, const lab_bytes *t, unsigned d)
{
    for (size_t i = 0; i < PAIRS; i += 16) {
        sort_8(v + i, s, t, i, d);
        sort_8(v + i + 8, s, t, i + 8, d);
        merge_16(v + i, 1);
    }
    for (size_t i = 0; i < PAIRS; i += 32) {
        merge_32(v + i);
    }
    merge_64(v);
    merge_64(v + 64);
    merge_128(v);
}

/* The lanes of the sorted vectors that have more than n equal ones. */
LAB_INLINE void longer_run(lab_bytes *lanes, const lab_bytes *v, unsigned n)
{
    lab_bytes least = v[0] ^ v[n];
    LAB_UNROLL(8)
    for (unsigned i = 1; i < PAIRS - n; i++) {
        lab_bytes change = v[i] ^ v[i + n];
        lab_lower(&least, &change);
    }
    *lanes = (lab_bytes)(least == 0);
}

LAB_INLINE int all_longer(const lab_bytes *longest, unsigned n)
{
    lab_bytes short_ones = (lab_bytes)(*longest <= (lab_bytes){0} + (uint8_t)n);
    return !lab_any(&short_ones);
}

LAB_INLINE void note_runs(struct runs *runs, const lab_bytes *v)
{
    for (unsigned n = runs->least; n < PAIRS; n++) {
        lab_bytes longer;
        longer_run(&longer, v, n);
        if (!lab_any(&longer)) {
            break;
        }
        longer &= (lab_bytes){0} + (uint8_t)(n + 1);
        lab_raise(&runs->longest, &longer);
    }
    while (runs->least < PAIRS - 1 && all_longer(&runs->longest, runs->least)) {
        runs->least++;
    }
}

/* The rows of s(x) ^ t(x ^ d). */
LAB_INLINE void note_rows(struct runs *runs, const lab_bytes *s, const lab_bytes *t, unsigned first,
                          unsigned end, unsigned step)
{
    for (unsigned d = first; d < end; d += step) {
        lab_bytes v[PAIRS];
        sort(v, s, t, d);
        note_runs(runs, v);
    }
}

/* longest: LAB_LANES bytes. With t(x) = s(x ^ low) the partners of eight neighbours are neighbours,
 * too, and the rows of s and t are those of differences d ^ low. A difference below 8 becomes 16 d
 * if the halves of x are exchanged. */
static LAB_CLONES void most_frequent(uint8_t *longest, const lab_bytes *s)
{
    struct runs runs = {{0}, USUAL};
    lab_bytes t[256];
    while (!all_longer(&runs.longest, 0)) {
        for (unsigned low = 0; low < 8; low++) {
            for (unsigned x = 0; x < 256; x++) {
                t[x] = s[x ^ low];
            }
            note_rows(&runs, s, t, 8, 256, 8);
        }
        for (unsigned x = 0; x < 256; x++) {
            t[x] = s[x % 16 << 4 | x >> 4];
        }
        note_rows(&runs, t, t, 16, 128, 16);
        if (!all_longer(&runs.longest, 0)) {
            runs.least = 0;
        }
    }
    __builtin_memcpy(longest, &runs.longest, LAB_LANES);
}

/* The boxes side by side, the last one also in lanes that are left. */
static void load_boxes(lab_bytes *s, const uint8_t *boxes, size_t n)
{
    for (size_t lane = 0; lane < LAB_LANES; lane++) {
        const uint8_t *box = boxes + 256 * (lane < n ? lane : n - 1);
        for (unsigned x = 0; x < 256; x++) {
            ((uint8_t *)&s[x])[lane] = box[x];
        }
    }
}

static void of_boxes(uint16_t *dp, const uint8_t *boxes, size_t n)
{
    for (size_t i = 0; i < n; i += LAB_LANES) {
        lab_bytes s[256];
        uint8_t longest[LAB_LANES];
        load_boxes(s, boxes + 256 * i, n - i);
        most_frequent(longest, s);
        for (size_t lane = 0; lane < LAB_LANES && i + lane < n; lane++) {
            dp[i + lane] = (uint16_t)(2 * longest[lane]);
        }
    }
}

static void of_inner(uint64_t counts[257], const uint8_t *inner, size_t n, const uint8_t *outer)
{
    lab_bytes by_lane[256], s[256];
    lab_outer_by_lane(by_lane, outer);
    for (size_t i = 0; i < n; i++) {
        for (unsigned key = 0; key < 256; key += LAB_LANES) {
            uint8_t longest[LAB_LANES];
            for (unsigned x = 0; x < 256; x++) {
                s[x] = by_lane[inner[256 * i + x] ^ key];
            }
            most_frequent(longest, s);
            for (size_t lane = 0; lane < LAB_LANES; lane++) {
                counts[2 * (size_t)longest[lane]]++;
            }
        }
    }
}

#endif
