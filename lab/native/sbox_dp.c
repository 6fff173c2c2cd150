/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The largest differential probability of S-boxes [Twofish98, 7.2.1].
 *
 * A lane has one box, and vector x has s(x) of 32 boxes. For each input difference d, 128 vectors
 * hold s(x) ^ s(x ^ d), one for each pair {x, x ^ d}. They are sorted, lane by lane, by Batcher's
 * merges of odd and even places [Batcher68], and then the most frequent value is the longest run.
 * That takes a quarter of the time of counting: 32 lanes of minima and maxima against one counter
 * at a time.
 */
#include "lab.h"
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

/* The differences of the pairs {x, x ^ d} for eight x, d >= 8, sorted. */
LAB_INLINE void sort_8(lab_bytes *v, const lab_bytes *s, unsigned x, unsigned d)
{
    const lab_bytes *partners = s + ((x ^ d) & ~7u);
    lab_bytes r[8];
    for (unsigned i = 0; i < 8; i++) {
        r[i] = s[x + i] ^ partners[i ^ (d & 7)];
    }
    step(r, 8, 1, 1);
    step(r, 8, 2, 2);
    step(r, 8, 2, 1);
    step(r, 8, 4, 4);
    step(r, 8, 4, 2);
    step(r, 8, 4, 1);
    for (unsigned i = 0; i < 8; i++) {
        v[i] = r[i];
    }
}

/* All of them, sorted by eights. Of the two x the one without the highest bit of d stands for the
 * pair. */
LAB_INLINE void sort_pairs(lab_bytes *v, const lab_bytes *s, unsigned d)
{
    unsigned top = 0x80000000u >> __builtin_clz(d);
    for (unsigned first = 0; first < 256; first += 2 * top) {
        for (unsigned x = first; x < first + top; x += 8) {
            sort_8(v, s, x, d);
            v += 8;
        }
    }
}

/* The first steps of a merge, of places that are apart from each other: all of n = 16 places, or in
 * longer merges those of 8 or more, of n = 4, 8 or 16 places that are 8 apart. */
LAB_INLINE void merge_columns(lab_bytes *v, unsigned n, size_t apart)
{
    lab_bytes r[16];
    for (size_t i = 0; i < n; i++) {
        r[i] = v[apart * i];
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
        v[apart * i] = r[i];
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

LAB_INLINE void merge_all(lab_bytes *v)
{
    for (unsigned i = 0; i < PAIRS; i += 16) {
        merge_columns(v + i, 16, 1);
    }
#define MERGE(n)                                                                                   \
    for (unsigned i = 0; i < PAIRS; i += (n)) {                                                    \
        for (unsigned j = 0; j < 8; j++) {                                                         \
            merge_columns(v + i + j, (n) / 8, 8);                                                  \
        }                                                                                          \
        merge_rows(v + i, n);                                                                      \
    }
    MERGE(32)
    MERGE(64)
    MERGE(128)
#undef MERGE
}

/* The lanes of the sorted vectors that have more than n equal ones. */
LAB_INLINE void longer_run(lab_bytes *lanes, const lab_bytes *v, unsigned n)
{
    lab_bytes any = {0};
    LAB_UNROLL(8)
    for (unsigned i = 0; i < PAIRS - n; i++) {
        any |= (lab_bytes)(v[i] == v[i + n]);
    }
    *lanes = any;
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

LAB_INLINE void note_differences(struct runs *runs, const lab_bytes *s, unsigned first,
                                 unsigned end, unsigned stride)
{
    for (unsigned d = first; d < end; d += stride) {
        lab_bytes v[PAIRS];
        sort_pairs(v, s, d);
        merge_all(v);
        note_runs(runs, v);
    }
}

/* longest: 32 bytes. A difference d below 8 becomes 16 d if the halves of x are exchanged. */
static LAB_CLONES void most_frequent(uint8_t *longest, const lab_bytes *s)
{
    struct runs runs = {{0}, USUAL};
    lab_bytes exchanged[256];
    for (unsigned x = 0; x < 256; x++) {
        exchanged[x] = s[x % 16 << 4 | x >> 4];
    }
    while (!all_longer(&runs.longest, 0)) {
        note_differences(&runs, s, 8, 256, 1);
        note_differences(&runs, exchanged, 16, 128, 16);
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

void lab_sbox_dp(uint16_t *dp, const uint8_t *boxes, size_t n)
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
