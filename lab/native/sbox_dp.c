/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The largest differential probability of S-boxes [Twofish98, 7.2.1].
 *
 * A lane has one input difference d: 128 vectors hold s(x) ^ s(x ^ d) for 32 differences, one
 * vector for each pair {x, x ^ d}. They are sorted, lane by lane, by Batcher's merges of odd and
 * even places [Batcher68], and then the most frequent value is the longest run. That takes a
 * quarter of the time of counting: 32 lanes of minima and maxima against one counter at a time.
 */
#include "lab.h"
#include "vector.h"

enum {
    PAIRS = 128,
    USUAL = 4 /* Nearly all boxes have more equal pairs: one test in place of four. */
};

/* The source of the differences of one box.
 * all[b][m]      s(32 b + m) in all lanes
 * swapped[b][m]  s(32 b + (lane ^ m)) */
struct box {
    lab_bytes all[8][LAB_LANES];
    lab_bytes swapped[8][LAB_LANES];
};

/* Swaps lanes whose numbers differ by step, a power of two. */
LAB_INLINE void swap_lanes(lab_bytes *out, const lab_bytes *in, unsigned step)
{
    if (step == 1) {
        lab_halves v = (lab_halves)*in;
        *out = (lab_bytes)(v << 8 | v >> 8);
    } else if (step == 2) {
        lab_words v = (lab_words)*in;
        *out = (lab_bytes)(v << 16 | v >> 16);
    } else if (step == 4) {
        lab_doubles v = (lab_doubles)*in;
        *out = (lab_bytes)(v << 32 | v >> 32);
    } else {
        lab_doubles v = (lab_doubles)*in;
        *out = step == 8 ? (lab_bytes)(lab_doubles){v[1], v[0], v[3], v[2]}
                         : (lab_bytes)(lab_doubles){v[2], v[3], v[0], v[1]};
    }
}

LAB_INLINE void load_box(struct box *box, const uint8_t *s)
{
    for (size_t b = 0; b < 8; b++) {
        for (unsigned m = 0; m < LAB_LANES; m++) {
            box->all[b][m] = (lab_bytes){0} + s[LAB_LANES * b + m];
        }
        __builtin_memcpy(&box->swapped[b][0], s + LAB_LANES * b, LAB_LANES);
        for (unsigned step = 1; step < LAB_LANES; step *= 2) {
            for (unsigned m = 0; m < step; m++) {
                swap_lanes(&box->swapped[b][m + step], &box->swapped[b][m], step);
            }
        }
    }
}

/* Step k of merging sorted runs of p places, for all such runs in n places. */
LAB_INLINE void step(lab_bytes *r, unsigned n, unsigned p, unsigned k)
{
    LAB_UNROLL(16)
    for (unsigned i = 0; i < n; i++) {
        int compared = k == p ? !(i & p) : i & k && i % (2 * p) + k < 2 * p;
        if (compared) {
            lab_order(&r[i], &r[i + k]);
        }
    }
}

/* v = a ^ b, sorted. */
LAB_INLINE void sort_16(lab_bytes *v, const lab_bytes *a, const lab_bytes *b)
{
    lab_bytes r[16];
    for (unsigned i = 0; i < 16; i++) {
        r[i] = a[i] ^ b[i];
    }
    step(r, 16, 1, 1);
    step(r, 16, 2, 2);
    step(r, 16, 2, 1);
    step(r, 16, 4, 4);
    step(r, 16, 4, 2);
    step(r, 16, 4, 1);
    step(r, 16, 8, 8);
    step(r, 16, 8, 4);
    step(r, 16, 8, 2);
    step(r, 16, 8, 1);
    for (unsigned i = 0; i < 16; i++) {
        v[i] = r[i];
    }
}

/* The steps of a merge that are 8 or more: those of n = 4, 8 or 16 places that are 8 apart. */
LAB_INLINE void merge_columns(lab_bytes *v, unsigned n)
{
    lab_bytes r[16];
    for (size_t i = 0; i < n; i++) {
        r[i] = v[8 * i];
    }
    step(r, n, n / 2, n / 2);
    step(r, n, n / 2, n / 4);
    if (n >= 8) {
        step(r, n, n / 2, n / 8);
    }
    if (n >= 16) {
        step(r, n, n / 2, n / 16);
    }
    for (size_t i = 0; i < n; i++) {
        v[8 * i] = r[i];
    }
}

/* The steps 4, 2, 1 of a merge of n places, in one pass from the first to the last: of the places
 * before i, c waits for step 1, a and b for step 2. */
LAB_INLINE void merge_rows(lab_bytes *v, unsigned n)
{
    lab_bytes c = v[1], a = v[2], b = v[3];
    for (unsigned i = 4; i < n - 4; i += 8) {
        lab_bytes r[8];
        for (unsigned j = 0; j < 8; j++) {
            r[j] = v[i + j];
        }
        lab_order(&r[0], &r[4]);
        lab_order(&r[1], &r[5]);
        lab_order(&r[2], &r[6]);
        lab_order(&r[3], &r[7]);
        lab_order(&a, &r[0]);
        lab_order(&b, &r[1]);
        lab_order(&r[2], &r[4]);
        lab_order(&r[3], &r[5]);
        lab_order(&c, &a);
        lab_order(&b, &r[0]);
        lab_order(&r[1], &r[2]);
        lab_order(&r[3], &r[4]);
        v[i - 3] = c;
        v[i - 2] = a;
        v[i - 1] = b;
        for (unsigned j = 0; j < 5; j++) {
            v[i + j] = r[j];
        }
        c = r[5];
        a = r[6];
        b = r[7];
    }
    lab_bytes x = v[n - 4], y = v[n - 3], z = v[n - 2];
    lab_order(&a, &x);
    lab_order(&b, &y);
    lab_order(&c, &a);
    lab_order(&b, &x);
    lab_order(&y, &z);
    v[n - 7] = c;
    v[n - 6] = a;
    v[n - 5] = b;
    v[n - 4] = x;
    v[n - 3] = y;
    v[n - 2] = z;
}

/* s(x) ^ s(x ^ d) of all pairs for d = lane, where it depends on the lane which x stand for their
 * pairs. Lane 0 has no pairs and gets 128 different values. */
LAB_INLINE void load_low_pairs(lab_bytes *v, const struct box *box)
{
    lab_bytes mask[5] = {{0}};
    for (unsigned lane = 1; lane < LAB_LANES; lane++) {
        mask[31 - __builtin_clz(lane)][lane] = 0xff;
    }
    for (unsigned b = 0; b < 8; b++) {
        LAB_UNROLL(16)
        for (unsigned i = 0; i < 16; i++) {
            lab_bytes sum = {(uint8_t)(16 * b + i)};
            for (unsigned t = 0; t < 5; t++) {
                unsigned low = i & ((1u << t) - 1);
                unsigned m = (i - low) << 1 | low;
                sum |= (box->all[b][m] ^ box->swapped[b][m]) & mask[t];
            }
            *v++ = sum;
        }
    }
}

/* The pairs for d = lane, sorted by sixteens. */
LAB_INLINE void sort_low_pairs(lab_bytes *v, const struct box *box)
{
    lab_bytes zero[16] = {{0}};
    load_low_pairs(v, box);
    for (unsigned i = 0; i < PAIRS; i += 16) {
        sort_16(v + i, v + i, zero);
    }
}

/* The same for d = 32 high + lane, high > 0. Of the two x the one without the highest bit of high
 * stands for the pair. */
LAB_INLINE void sort_pairs(lab_bytes *v, const struct box *box, unsigned high)
{
    unsigned top = high >= 4 ? 4 : high >= 2 ? 2 : 1;
    for (unsigned b = 0; b < 8; b++) {
        if (!(b & top)) {
            sort_16(v, &box->all[b][0], &box->swapped[b ^ high][0]);
            sort_16(v + 16, &box->all[b][16], &box->swapped[b ^ high][16]);
            v += LAB_LANES;
        }
    }
}

LAB_INLINE void merge_all(lab_bytes *v)
{
#define MERGE(n)                                                                                   \
    for (unsigned i = 0; i < PAIRS; i += (n)) {                                                    \
        for (unsigned j = 0; j < 8; j++) {                                                         \
            merge_columns(v + i + j, (n) / 8);                                                     \
        }                                                                                          \
        merge_rows(v + i, n);                                                                      \
    }
    MERGE(32)
    MERGE(64)
    MERGE(128)
#undef MERGE
}

/* Whether some lane of the sorted vectors has more than n equal ones. */
LAB_INLINE int longer_run(const lab_bytes *v, unsigned n)
{
    lab_bytes any = {0};
    LAB_UNROLL(8)
    for (unsigned i = 0; i < PAIRS - n; i++) {
        any |= (lab_bytes)(v[i] == v[i + n]);
    }
    return lab_any(&any) != 0;
}

LAB_INLINE unsigned most_frequent(const uint8_t *s)
{
    struct box box;
    lab_bytes v[PAIRS];
    unsigned most = 1;
    load_box(&box, s);
    for (unsigned high = 0; high < 8; high++) {
        if (high == 0) {
            sort_low_pairs(v, &box);
        } else {
            sort_pairs(v, &box, high);
        }
        merge_all(v);
        if (high == 0 && longer_run(v, USUAL)) {
            most = USUAL + 1;
        }
        while (most < PAIRS && longer_run(v, most)) {
            most++;
        }
    }
    return 2 * most;
}

static LAB_CLONES void dp_of_boxes(uint16_t *dp, const uint8_t *boxes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        dp[i] = (uint16_t)most_frequent(boxes + 256 * i);
    }
}

void lab_sbox_dp(uint16_t *dp, const uint8_t *boxes, size_t n)
{
    dp_of_boxes(dp, boxes, n);
}
