/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The search for S behind sums of bits of g. A sum over texts falls apart into one part for each of
 * the four S-boxes, a lane, and each part depends on two bytes of S only. So the parts of all keys
 * of two lanes are matched with those of the other two.
 */
#include "lab.h"

#include <manyfish/study/parts.h>

#include <stdlib.h>
#include <string.h>

enum { LANES = 4, VALUES = 256, LANE_KEYS = 65536, SET_WORDS = 4 };

/* --- Each lane -------------------------------------------------------------------------------- */

static uint64_t parity(uint64_t x)
{
    x ^= x >> 32;
    x ^= x >> 16;
    x ^= x >> 8;
    x ^= x >> 4;
    return 0x6996U >> (x & 15) & 1;
}

/* The sum of the bits of a mask in the lane's column of MDS times y, for each y. */
static void fill_bits(uint8_t bits[VALUES], unsigned lane, uint32_t mask)
{
    for (uint32_t y = 0; y < VALUES; y++) {
        bits[y] = (uint8_t)parity(mf_twofish_parts_mds(y << 8 * lane) & mask);
    }
}

static void collect(uint64_t truth[SET_WORDS], const uint8_t bits[VALUES], const uint8_t *box)
{
    for (unsigned w = 0; w < SET_WORDS; w++) {
        truth[w] = 0;
        for (unsigned i = 0; i < 64; i++) {
            truth[w] |= (uint64_t)bits[box[64 * w + i]] << i;
        }
    }
}

static uint64_t sum_of_set(const uint64_t odd[2][SET_WORDS], uint64_t truth[2][SET_WORDS])
{
    uint64_t x = 0;
    for (unsigned w = 0; w < SET_WORDS; w++) {
        x ^= (odd[0][w] & truth[0][w]) ^ (odd[1][w] & truth[1][w]);
    }
    return parity(x);
}

static void add_lane(uint64_t sums[2], uint8_t bits[2][VALUES], const uint8_t *box,
                     const uint64_t (*odd)[2][SET_WORDS], size_t n_sets)
{
    uint64_t truth[2][SET_WORDS];
    collect(truth[0], bits[0], box);
    collect(truth[1], bits[1], box);
    sums[0] = sums[1] = 0;
    for (size_t s = 0; s < n_sets; s++) {
        sums[s / 64] |= sum_of_set(odd[s], truth) << s % 64;
    }
}

mf_status lab_lane_sums(uint64_t *sums, const uint32_t masks[2],
                        const uint64_t (*odd)[2][SET_WORDS], size_t n_sets)
{
    uint8_t bits[LANES][2][VALUES];
    for (unsigned lane = 0; lane < LANES; lane++) {
        fill_bits(bits[lane][0], lane, masks[0]);
        fill_bits(bits[lane][1], lane, masks[1]);
    }
    for (uint32_t key = 0; key < LANE_KEYS; key++) {
        const uint32_t S[2] = {(key & 255) * 0x01010101U, (key >> 8) * 0x01010101U};
        uint8_t box[LANES][VALUES];
        const mf_status status = mf_twofish_parts_boxes(box, S, 2);
        if (status != MF_OK) {
            return status;
        }
        for (size_t lane = 0; lane < LANES; lane++) {
            add_lane(sums + 2 * (lane * LANE_KEYS + key), bits[lane], box[lane],
                     odd + lane * n_sets, n_sets);
        }
    }
    return MF_OK;
}

/* --- Four lanes ------------------------------------------------------------------------------- */

/* A list in the order of the low 16 bits; start has the first place of each. */
typedef struct sorted_list {
    uint32_t start[LANE_KEYS + 1];
    uint64_t sum[LANE_KEYS];
    uint32_t place[LANE_KEYS];
    size_t n;
} sorted_list;

/* One element of each of two lists. */
typedef struct pair {
    uint64_t sum;
    uint32_t places;
    uint32_t next; /* 1 + number of the next pair of its chain; 0: none */
} pair;

/* Of the pairs of the first two lists 20 bits are marked. Pairs of the other two that have such
 * bits are kept, in chains by 15 bits, and met by the pairs of the first two when these are made
 * again. Nothing but marks and a few pairs has to stay in a cache. Bits of a chain end with bit 39,
 * since sums may have no more. */
enum { MARK_BITS = 20, CHAIN_BITS = 15, CHAIN_FROM = 25, PAIRS_MAX = 1 << 16 };

typedef struct workspace {
    sorted_list list[4];
    uint64_t marks[(1 << MARK_BITS) / 64];
    uint32_t chain[1 << CHAIN_BITS];
    pair kept[PAIRS_MAX];
    uint32_t n_kept;
} workspace;

static void sort_list(sorted_list *sorted, const uint64_t *list, size_t n)
{
    uint32_t *start = sorted->start;
    for (size_t i = 0; i <= LANE_KEYS; i++) {
        start[i] = 0;
    }
    for (size_t i = 0; i < n; i++) {
        start[list[i] & 65535]++;
    }
    for (size_t i = 1; i <= LANE_KEYS; i++) {
        start[i] += start[i - 1];
    }
    for (size_t i = n; i-- > 0;) {
        const uint32_t to = --start[list[i] & 65535];
        sorted->sum[to] = list[i];
        sorted->place[to] = (uint32_t)i;
    }
    sorted->n = n;
}

static size_t mark_of(uint64_t sum)
{
    return sum >> 16 & ((1 << MARK_BITS) - 1);
}

static uint32_t *chain_of(workspace *space, uint64_t sum)
{
    return &space->chain[sum >> CHAIN_FROM & ((1 << CHAIN_BITS) - 1)];
}

/* Those of `all` that make a sum with the given low bits together with `one`. */
static const uint32_t *partners(const sorted_list *all, uint64_t one, uint64_t low)
{
    return &all->start[(one ^ low) & 65535];
}

static void mark_pairs(workspace *space, uint64_t low)
{
    const sorted_list *all = &space->list[0], *some = &space->list[1];
    for (size_t i = 0; i < some->n; i++) {
        const uint32_t *part = partners(all, some->sum[i], low);
        for (uint32_t p = part[0]; p < part[1]; p++) {
            const size_t mark = mark_of(all->sum[p] ^ some->sum[i]);
            space->marks[mark / 64] |= (uint64_t)1 << mark % 64;
        }
    }
}

static bool keep_pairs(workspace *space, uint64_t low)
{
    const sorted_list *all = &space->list[2], *some = &space->list[3];
    for (size_t i = 0; i < some->n; i++) {
        const uint32_t *part = partners(all, some->sum[i], low);
        for (uint32_t p = part[0]; p < part[1]; p++) {
            const uint64_t sum = all->sum[p] ^ some->sum[i];
            const size_t mark = mark_of(sum);
            if (space->marks[mark / 64] >> mark % 64 & 1) {
                if (space->n_kept == PAIRS_MAX) {
                    return false;
                }
                uint32_t *chain = chain_of(space, sum);
                space->kept[space->n_kept] =
                    (pair){sum, all->place[p] | some->place[i] << 16, *chain};
                *chain = ++space->n_kept;
            }
        }
    }
    return true;
}

/* Where the ways that are found go. */
typedef struct results {
    uint64_t *found;
    size_t room, n;
} results;

static void meet(const workspace *space, uint32_t chain, uint64_t sum, uint32_t places, results *to)
{
    for (; chain != 0; chain = space->kept[chain - 1].next) {
        if (space->kept[chain - 1].sum == sum) {
            if (to->n < to->room) {
                to->found[to->n] = (uint64_t)space->kept[chain - 1].places << 32 | places;
            }
            to->n++;
        }
    }
}

static void meet_pairs(workspace *space, uint64_t low, results *to)
{
    const sorted_list *all = &space->list[0], *some = &space->list[1];
    for (size_t i = 0; i < some->n; i++) {
        const uint32_t *part = partners(all, some->sum[i], low);
        for (uint32_t p = part[0]; p < part[1]; p++) {
            const uint64_t sum = all->sum[p] ^ some->sum[i];
            const uint32_t chain = *chain_of(space, sum);
            if (chain != 0) {
                meet(space, chain, sum, all->place[p] | some->place[i] << 16, to);
            }
        }
    }
}

static bool join_low(workspace *space, uint64_t low, results *to)
{
    memset(space->marks, 0, sizeof space->marks);
    memset(space->chain, 0, sizeof space->chain);
    space->n_kept = 0;
    mark_pairs(space, low);
    if (!keep_pairs(space, low)) {
        return false;
    }
    meet_pairs(space, low, to);
    return true;
}

mf_status lab_join(uint64_t *found, size_t room, size_t *n_found, const uint64_t *const list[4],
                   const size_t n[4], uint32_t first, uint32_t n_sums)
{
    results to = {found, room, 0};
    workspace *space = malloc(sizeof *space);
    if (space == NULL) {
        return MF_ERROR_MEMORY;
    }
    for (unsigned i = 0; i < 4; i++) {
        sort_list(&space->list[i], list[i], n[i]);
    }
    bool fits = true;
    for (uint32_t i = 0; i < n_sums && fits; i++) {
        fits = join_low(space, first + i, &to);
    }
    free(space);
    *n_found = to.n;
    return fits ? MF_OK : MF_ERROR_LENGTH;
}

/* --- Guesses ---------------------------------------------------------------------------------- */

static void fill_tables(uint32_t table[LANES][VALUES], uint32_t columns[LANES][VALUES],
                        uint8_t box[LANES][VALUES])
{
    for (unsigned lane = 0; lane < LANES; lane++) {
        for (unsigned x = 0; x < VALUES; x++) {
            table[lane][x] = columns[lane][box[lane][x]];
        }
    }
}

static uint32_t g(uint32_t table[LANES][VALUES], uint32_t x)
{
    return table[0][x & 255] ^ table[1][x >> 8 & 255] ^ table[2][x >> 16 & 255] ^ table[3][x >> 24];
}

/* Bit 0 of T0 + T1, summed over a set. */
static uint32_t sum_of_bits(uint32_t table[LANES][VALUES], const uint32_t *halves, size_t n)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t R1 = halves[2 * i + 1];
        sum ^= g(table, halves[2 * i]) ^ g(table, R1 << 8 | R1 >> 24);
    }
    return sum & 1;
}

mf_status lab_guess(uint64_t *found, size_t room, uint64_t counts[2], uint64_t known,
                    uint32_t first, uint32_t n_guesses, const uint32_t *halves, const uint8_t *sums,
                    size_t n_sets)
{
    uint32_t columns[LANES][VALUES];
    for (unsigned lane = 0; lane < LANES; lane++) {
        for (uint32_t y = 0; y < VALUES; y++) {
            columns[lane][y] = mf_twofish_parts_mds(y << 8 * lane);
        }
    }
    counts[0] = counts[1] = 0;
    for (uint64_t guess = first; guess < (uint64_t)first + n_guesses; guess++) {
        const uint64_t all = known | guess;
        const uint32_t S[2] = {(uint32_t)all, (uint32_t)(all >> 32)};
        uint8_t box[LANES][VALUES];
        uint32_t table[LANES][VALUES];
        const mf_status status = mf_twofish_parts_boxes(box, S, 2);
        size_t set = 0;
        if (status != MF_OK) {
            return status;
        }
        fill_tables(table, columns, box);
        while (set < n_sets && sum_of_bits(table, halves + set * 2 * VALUES, VALUES) == sums[set]) {
            set++;
        }
        counts[1] += (uint64_t)(set < n_sets ? set + 1 : set) * 2 * VALUES;
        if (set == n_sets) {
            if (counts[0] < room) {
                found[counts[0]] = all;
            }
            counts[0]++;
        }
    }
    return MF_OK;
}
