/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * GHASH by integer multiplication, on any machine. A product of integers is a product of
 * polynomials if no carry reaches a bit that counts. So each factor of 32 bits is split in four, of
 * which each has only every fourth bit: at most 8 ones meet at a place, and their sum fits in the
 * gap above it. The lowest bit of each gap is the coefficient. The time is constant where that of
 * the machine's multiplication is.
 *
 * The bits of a block, read as one big-endian number, are its coefficients with that of x^0
 * highest. Multiplying such numbers, with one x more in the key, and dividing by x^128 modulo x^128
 * + x^127 + x^126 + x^121 + 1 gives the product in the field of GHASH. [RFC8452, A]
 */
#include "../../common/bytes.h"
#include "../../common/cpu.h"
#include "../../common/wipe.h"
#include "ghash.h"

/* Blocks that share one reduction, each times its own power of H. */
enum { GROUP = 4 };

#define EVERY_FOURTH ((uint64_t)0x1111111111111111)

typedef struct element {
    uint64_t high;
    uint64_t low;
} element;

/* The nine words that Karatsuba's method, used twice, multiplies in place of sixteen. */
enum { WORDS = 9 };
typedef uint32_t operand[WORDS];

/* high, low and their sum. */
MF_INLINE void split64(uint32_t out[3], uint64_t x)
{
    out[0] = (uint32_t)(x >> 32);
    out[1] = (uint32_t)x;
    out[2] = out[0] ^ out[1];
}

MF_INLINE void split(operand out, element a)
{
    split64(out, a.high);
    split64(out + 3, a.low);
    split64(out + 6, a.high ^ a.low);
}

MF_INLINE uint64_t times(uint32_t x, uint32_t y)
{
    return (uint64_t)x * y;
}

/* The sum of the products of word j of n pairs. */
MF_INLINE uint64_t sum_of_products(const operand *a, const operand *b, unsigned j, size_t n)
{
    const uint32_t n0 = (uint32_t)EVERY_FOURTH, n1 = n0 << 1, n2 = n0 << 2, n3 = n0 << 3;
    const uint64_t m = EVERY_FOURTH;
    uint64_t z0 = 0, z1 = 0, z2 = 0, z3 = 0;

    for (size_t i = 0; i < n; i++) {
        const uint32_t x = a[i][j], x0 = x & n0, x1 = x & n1, x2 = x & n2, x3 = x & n3;
        const uint32_t y = b[i][j], y0 = y & n0, y1 = y & n1, y2 = y & n2, y3 = y & n3;

        z0 ^= times(x0, y0) ^ times(x1, y3) ^ times(x2, y2) ^ times(x3, y1);
        z1 ^= times(x0, y1) ^ times(x1, y0) ^ times(x2, y3) ^ times(x3, y2);
        z2 ^= times(x0, y2) ^ times(x1, y1) ^ times(x2, y0) ^ times(x3, y3);
        z3 ^= times(x0, y3) ^ times(x1, y2) ^ times(x2, y1) ^ times(x3, y0);
    }
    return (z0 & m) | (z1 & m << 1) | (z2 & m << 2) | (z3 & m << 3);
}

/* The sum of the products of 64 bits each: words j and j + 1 are their halves, j + 2 the sums. */
MF_INLINE element sum_of_products64(const operand *a, const operand *b, unsigned j, size_t n)
{
    const uint64_t high = sum_of_products(a, b, j, n);
    const uint64_t low = sum_of_products(a, b, j + 1, n);
    const uint64_t middle = sum_of_products(a, b, j + 2, n) ^ high ^ low;
    const element sum = {high ^ middle >> 32, low ^ middle << 32};
    return sum;
}

/* a divided by x^64: its lowest 64 bits are taken away by adding that many times the modulus. */
MF_INLINE void divide(uint64_t above[2], uint64_t lowest)
{
    above[0] ^= lowest << 63 ^ lowest << 62 ^ lowest << 57;
    above[1] ^= lowest ^ lowest >> 1 ^ lowest >> 2 ^ lowest >> 7;
}

/* The sum of n products a[i] * b[i] / x^128. */
MF_INLINE element multiply(const operand *a, const operand *b, size_t n)
{
    const element high = sum_of_products64(a, b, 0, n);
    const element low = sum_of_products64(a, b, 3, n);
    element middle = sum_of_products64(a, b, 6, n);
    middle.high ^= high.high ^ low.high;
    middle.low ^= high.low ^ low.low;

    uint64_t t[4] = {low.low, low.high ^ middle.low, high.low ^ middle.high, high.high};
    divide(t + 1, t[0]);
    divide(t + 2, t[1]);
    const element reduced = {t[3], t[2]};
    return reduced;
}

MF_INLINE element load(const uint8_t *bytes)
{
    const element a = {mf_load64_be(bytes), mf_load64_be(bytes + 8)};
    return a;
}

/* a * x, without a branch. */
MF_INLINE element times_x(element a)
{
    const uint64_t overflow = 0 - (a.high >> 63);
    const element product = {(a.high << 1 | a.low >> 63) ^ (overflow & 0xC200000000000000),
                             a.low << 1 ^ (overflow & 1)};
    return product;
}

/* The key: H^GROUP, .., H^1, each as high and low. */
static MF_NOINLINE void make_powers(uint64_t key[MF_GHASH_KEY_WORDS],
                                    const uint8_t h[MF_GHASH_BLOCK])
{
    operand first[1];
    operand power[1];
    element e = times_x(load(h));

    split(first[0], e);
    for (size_t i = GROUP; i-- > 0;) {
        key[2 * i] = e.high;
        key[2 * i + 1] = e.low;
        split(power[0], e);
        e = multiply((const operand *)first, (const operand *)power, 1);
    }
}

/* The last n powers of the key: H^n, .., H^1. */
MF_INLINE void load_powers(operand *powers, const uint64_t key[MF_GHASH_KEY_WORDS], size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const uint64_t *from = key + 2 * (GROUP - n + i);
        const element e = {from[0], from[1]};
        split(powers[i], e);
    }
}

/* Y, plus n blocks, each times its power. */
MF_INLINE element absorb_group(const operand *powers, operand *x, element y, const uint8_t *blocks,
                               size_t n)
{
    for (size_t i = 0; i < n; i++) {
        element e = load(blocks + i * MF_GHASH_BLOCK);
        if (i == 0) {
            e.high ^= y.high;
            e.low ^= y.low;
        }
        split(x[i], e);
    }
    return multiply(powers, (const operand *)x, n);
}

static MF_NOINLINE void absorb_blocks(const uint64_t key[MF_GHASH_KEY_WORDS],
                                      uint8_t y[MF_GHASH_BLOCK], const uint8_t *blocks,
                                      size_t n_blocks)
{
    operand powers[GROUP];
    operand x[GROUP];
    element e = load(y);

    load_powers(powers, key, GROUP);
    for (; n_blocks >= GROUP; n_blocks -= GROUP) {
        e = absorb_group((const operand *)powers, x, e, blocks, GROUP);
        blocks += (size_t)GROUP * MF_GHASH_BLOCK;
    }
    if (n_blocks > 0) {
        e = absorb_group((const operand *)powers + GROUP - n_blocks, x, e, blocks, n_blocks);
    }
    mf_store64_be(y, e.high);
    mf_store64_be(y + 8, e.low);
}

/* Both work on more words than there are registers, and leave more than callers wipe: 1.7 KB at
 * most, as gcc 12 and clang 14 compile them at -O1 to -O3. */
enum { STACK_BYTES = 2048 };

static void set_key(uint64_t key[MF_GHASH_KEY_WORDS], const uint8_t h[MF_GHASH_BLOCK])
{
    make_powers(key, h);
    mf_wipe_deep_stack(STACK_BYTES);
}

static void absorb(const uint64_t key[MF_GHASH_KEY_WORDS], uint8_t y[MF_GHASH_BLOCK],
                   const uint8_t *blocks, size_t n_blocks)
{
    absorb_blocks(key, y, blocks, n_blocks);
    mf_wipe_deep_stack(STACK_BYTES);
}

const mf_ghash mf_ghash_portable = {"portable", MF_CPU_ANY, set_key, absorb};
