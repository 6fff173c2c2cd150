/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * How alike the differences of two sequences of bytes are [Twofish99, 7.2.3].
 *
 * A lane has one pair of sequences. Each of its 20 differences is compared with those after it: the
 * first one of the most frequent value counts all others.
 */
#include "lab.h"
#include "vector.h"

#include <string.h>

enum {
    LENGTH = 20,
    KINDS = 32, /* of each figure, which is at most LENGTH */
    COPIES = 4  /* of the counters, so that an increment need not wait for the one before */
};

typedef struct tally {
    uint64_t n[COPIES][KINDS * KINDS];
} tally;

/* For each lane, one less than the number of times of the most frequent difference, and the number
 * of differences that are zero. */
LAB_INLINE void figures(uint8_t most_of[LAB_LANES], uint8_t zeros_of[LAB_LANES],
                        const lab_bytes d[LENGTH])
{
    lab_bytes most = {0}, zeros = {0};
    for (unsigned i = 0; i < LENGTH; i++) {
        lab_bytes equal = {0};
        for (unsigned j = i + 1; j < LENGTH; j++) {
            equal -= (lab_bytes)(d[i] == d[j]);
        }
        lab_raise(&most, &equal);
        zeros -= (lab_bytes)(d[i] == 0);
    }
    memcpy(most_of, &most, LAB_LANES);
    memcpy(zeros_of, &zeros, LAB_LANES);
}

/* Counts the pairs of sequence a with those of the 32 from b on that come after it. */
LAB_INLINE void count_block(tally *counters, const uint8_t *sequences, size_t a, size_t b)
{
    const uint8_t *first = sequences + a / LAB_LANES * LAB_LANES * LENGTH + a % LAB_LANES;
    lab_bytes d[LENGTH];
    uint8_t most[LAB_LANES], zeros[LAB_LANES];
    for (size_t i = 0; i < LENGTH; i++) {
        memcpy(&d[i], sequences + LENGTH * b + LAB_LANES * i, LAB_LANES);
        d[i] ^= first[LAB_LANES * i];
    }
    figures(most, zeros, d);
    for (size_t lane = a < b ? 0 : a - b + 1; lane < LAB_LANES; lane++) {
        counters->n[lane % COPIES][most[lane] * KINDS + zeros[lane]]++;
    }
}

LAB_CLONES static void count_pair_differences(tally *counters, const uint8_t *sequences, size_t n,
                                              size_t begin, size_t end)
{
    for (size_t a = begin; a < end; a++) {
        for (size_t b = a / LAB_LANES * LAB_LANES; b < n; b += LAB_LANES) {
            count_block(counters, sequences, a, b);
        }
    }
}

mf_status lab_pair_differences(uint64_t *pairs, const uint8_t *sequences, size_t n, size_t begin,
                               size_t end)
{
    tally counters = {0};
    if (n % LAB_LANES || begin > end || end > n) {
        return MF_ERROR_LENGTH;
    }
    count_pair_differences(&counters, sequences, n, begin, end);
    memset(pairs, 0, sizeof *pairs * (LENGTH + 1) * (LENGTH + 1));
    for (size_t most = 0; most < LENGTH; most++) {
        for (size_t zeros = 0; zeros <= LENGTH; zeros++) {
            for (size_t copy = 0; copy < COPIES; copy++) {
                pairs[(most + 1) * (LENGTH + 1) + zeros] += counters.n[copy][most * KINDS + zeros];
            }
        }
    }
    return MF_OK;
}
