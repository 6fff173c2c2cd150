/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * GHASH by carry-less multiplication, written once for vectors of one or more lanes; each lane has
 * one block. A file that includes this gives the instructions first:
 *
 *   GHASH_TARGET           the attribute of a function that may use them
 *   GHASH_FN               MF_INLINE GHASH_TARGET
 *   GHASH_LANES            blocks in a vector
 *   GHASH_GROUP            blocks that share one reduction: a multiple of GHASH_LANES
 *   lane, wide             vectors of one lane, and of GHASH_LANES
 *   lane_load, wide_load   from bytes; those of each lane are reversed
 *   lane_store             the same backwards
 *   lane_from_words, lane_to_words, wide_from_words   from and to words of the key as they are
 *   *_xor                  sum
 *   *_low, *_high          products of the low and of the high 64 bits of each lane
 *   *_swap                 the 64-bit halves of each lane exchanged
 *   lane_up, lane_down     shifted by 64 bits to the high half, to the low half
 *   wide_first             a lane, and zeros in all others
 *   wide_fold              the sum of the lanes
 *
 * and takes ghash_set_key and ghash_absorb from it.
 *
 * The bits of a block, read as one big-endian number, are its coefficients with that of x^0
 * highest. Multiplying such numbers, with one x more in the key, and dividing by x^128 modulo x^128
 * + x^127 + x^126 + x^121 + 1 gives the product in the field of GHASH. [RFC8452, A]
 */
#ifndef MF_SRC_MODES_GHASH_CLMUL_H
#define MF_SRC_MODES_GHASH_CLMUL_H

#include "../../common/bytes.h"
#include "ghash.h"

/* The words of the key: H^GROUP, .., H^1, then for each the sum of its halves, twice. */
enum { GHASH_SUMS = 2 * GHASH_GROUP };
_Static_assert(4 * GHASH_GROUP <= MF_GHASH_KEY_WORDS, "the key has no room for all powers");
_Static_assert(GHASH_GROUP % GHASH_LANES == 0, "a group has a broken vector");

/* Three parts of a product or of a sum of products, by Karatsuba's method: of the low halves, of
 * the high halves, and of the sums of the halves. */
typedef struct ghash_lane_parts {
    lane low, high, middle;
} ghash_lane_parts;

typedef struct ghash_wide_parts {
    wide low, high, middle;
} ghash_wide_parts;

/* Puts the three together and divides by x^128. Twice the lowest 64 bits are taken away by adding
 * that many times the modulus, whose middle bits are those of the constant. */
GHASH_FN lane ghash_reduce(ghash_lane_parts sum)
{
    static const uint64_t words[2] = {0xC200000000000000, 0};
    const lane modulus = lane_from_words(words);
    const lane middle = lane_xor(sum.middle, lane_xor(sum.low, sum.high));
    lane low = lane_xor(sum.low, lane_up(middle));
    const lane high = lane_xor(sum.high, lane_down(middle));

    low = lane_xor(lane_swap(low), lane_low(low, modulus));
    low = lane_xor(lane_swap(low), lane_low(low, modulus));
    return lane_xor(high, low);
}

GHASH_FN ghash_lane_parts ghash_multiply(lane x, lane power, lane power_sum)
{
    const ghash_lane_parts product = {lane_low(x, power), lane_high(x, power),
                                      lane_low(lane_xor(x, lane_swap(x)), power_sum)};
    return product;
}

/* H times x, from its bytes reversed, without a branch. */
GHASH_FN lane ghash_first_power(const uint8_t h[MF_GHASH_BLOCK])
{
    const uint64_t high = mf_load64_be(h);
    const uint64_t low = mf_load64_be(h + 8);
    const uint64_t overflow = 0 - (high >> 63);
    const uint64_t words[2] = {low << 1 ^ (overflow & 1),
                               (high << 1 | low >> 63) ^ (overflow & 0xC200000000000000)};
    return lane_from_words(words);
}

static GHASH_TARGET void ghash_set_key(uint64_t key[MF_GHASH_KEY_WORDS],
                                       const uint8_t h[MF_GHASH_BLOCK])
{
    const lane first = ghash_first_power(h);
    const lane first_sum = lane_xor(first, lane_swap(first));
    lane power = first;

    for (size_t i = GHASH_GROUP; i-- > 0;) {
        lane_to_words(key + 2 * i, power);
        lane_to_words(key + GHASH_SUMS + 2 * i, lane_xor(power, lane_swap(power)));
        power = ghash_reduce(ghash_multiply(power, first, first_sum));
    }
}

/* sum += each lane of x times its power; the powers begin at the words `key`. */
GHASH_FN void ghash_add_wide(ghash_wide_parts *sum, wide x, const uint64_t *key)
{
    const wide power = wide_from_words(key);
    const wide power_sum = wide_from_words(key + GHASH_SUMS);

    sum->low = wide_xor(sum->low, wide_low(x, power));
    sum->high = wide_xor(sum->high, wide_high(x, power));
    sum->middle = wide_xor(sum->middle, wide_low(wide_xor(x, wide_swap(x)), power_sum));
}

/* A whole group: Y is added to its first block. */
GHASH_FN lane ghash_absorb_group(const uint64_t *key, lane y, const uint8_t *blocks)
{
    const wide x = wide_xor(wide_load(blocks), wide_first(y));
    const wide power = wide_from_words(key);
    const wide power_sum = wide_from_words(key + GHASH_SUMS);
    ghash_wide_parts sum = {wide_low(x, power), wide_high(x, power),
                            wide_low(wide_xor(x, wide_swap(x)), power_sum)};

    for (size_t i = GHASH_LANES; i < GHASH_GROUP; i += GHASH_LANES) {
        ghash_add_wide(&sum, wide_load(blocks + i * MF_GHASH_BLOCK), key + 2 * i);
    }
    const ghash_lane_parts folded = {wide_fold(sum.low), wide_fold(sum.high),
                                     wide_fold(sum.middle)};
    return ghash_reduce(folded);
}

/* The n_blocks < GROUP at the end, with the last n_blocks powers. */
GHASH_FN lane ghash_absorb_rest(const uint64_t *key, lane y, const uint8_t *blocks, size_t n_blocks)
{
    const uint64_t *power = key + 2 * (GHASH_GROUP - n_blocks);
    ghash_lane_parts sum = ghash_multiply(lane_xor(lane_load(blocks), y), lane_from_words(power),
                                          lane_from_words(power + GHASH_SUMS));

    for (size_t i = 1; i < n_blocks; i++) {
        power += 2;
        const ghash_lane_parts product =
            ghash_multiply(lane_load(blocks + i * MF_GHASH_BLOCK), lane_from_words(power),
                           lane_from_words(power + GHASH_SUMS));
        sum.low = lane_xor(sum.low, product.low);
        sum.high = lane_xor(sum.high, product.high);
        sum.middle = lane_xor(sum.middle, product.middle);
    }
    return ghash_reduce(sum);
}

static GHASH_TARGET void ghash_absorb(const uint64_t key[MF_GHASH_KEY_WORDS],
                                      uint8_t y[MF_GHASH_BLOCK], const uint8_t *blocks,
                                      size_t n_blocks)
{
    lane sum = lane_load(y);

    for (; n_blocks >= GHASH_GROUP; n_blocks -= GHASH_GROUP) {
        sum = ghash_absorb_group(key, sum, blocks);
        blocks += (size_t)GHASH_GROUP * MF_GHASH_BLOCK;
    }
    if (n_blocks > 0) {
        sum = ghash_absorb_rest(key, sum, blocks, n_blocks);
    }
    lane_store(y, sum);
}

#endif
