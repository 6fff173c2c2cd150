/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Polynomials of low degree that vanish on S-boxes: the algebraic immunity of sums of output bits,
 * and quadratic equations between inputs and outputs.
 *
 * A vector has the values of a monomial for all 256 inputs. A polynomial that vanishes on some
 * inputs is a sum of these vectors that is 0 there, and elimination finds it. Monomials come by
 * their degrees, so the first vector that becomes 0 gives the least degree.
 */
#include "lab.h"
#include "vector.h"

enum {
    BITS = 8,
    CUBIC = 93,     /* monomials of degree 0 to 3 in the 8 input bits */
    QUADRATIC = 137 /* of degree 0 to 2 in the 8 input and the 8 output bits */
};

union row {
    lab_doubles v;
    uint64_t word[4];
};

/* Whether any bit is set, and the place of the lowest one. */
LAB_INLINE int lowest(unsigned *word, unsigned *bit, const union row *row)
{
    for (unsigned i = 0; i < 4; i++) {
        if (row->word[i]) {
            *word = i;
            *bit = (unsigned)__builtin_ctzll(row->word[i]);
            return 1;
        }
    }
    return 0;
}

/* How many rows are sums of rows before them. first: the first of these, or n. Changes the rows. */
LAB_INLINE unsigned dependent(unsigned *first, union row *rows, unsigned n)
{
    unsigned found = 0;
    *first = n;
    for (unsigned i = 0; i < n; i++) {
        unsigned word, bit;
        if (!lowest(&word, &bit, &rows[i])) {
            *first = found++ ? *first : i;
            continue;
        }
        const lab_doubles pivot = rows[i].v;
        for (unsigned j = i + 1; j < n; j++) {
            const uint64_t has = rows[j].word[word] >> bit & 1;
            rows[j].v ^= pivot & (lab_doubles){-has, -has, -has, -has};
        }
    }
    return found;
}

/* The values of the bits of x, then of those of s(x). */
static void bits_of(union row *bits, const uint8_t *box)
{
    for (unsigned i = 0; i < 2 * BITS; i++) {
        bits[i].v = (lab_doubles){0};
    }
    for (unsigned x = 0; x < 256; x++) {
        for (unsigned i = 0; i < BITS; i++) {
            bits[i].word[x / 64] |= (uint64_t)(x >> i & 1) << x % 64;
            bits[BITS + i].word[x / 64] |= (uint64_t)(box[x] >> i & 1) << x % 64;
        }
    }
}

/* All products of at most `degree` of n bits, by degree; the number of them. */
static unsigned monomials(union row *out, const union row *bits, unsigned n, unsigned degree)
{
    unsigned last[QUADRATIC] = {0}; /* one more than the highest bit of each */
    unsigned count = 1, before = 0;
    out[0].v = ~(lab_doubles){0};
    for (unsigned d = 0; d < degree; d++) {
        const unsigned end = count;
        for (unsigned i = before; i < end; i++) {
            for (unsigned bit = last[i]; bit < n; bit++) {
                out[count].v = out[i].v & bits[bit].v;
                last[count++] = bit + 1;
            }
        }
        before = end;
    }
    return count;
}

/* The degree of the n-th monomial in 8 bits. */
static unsigned degree_of(unsigned n)
{
    return n < 1 ? 0 : n < 1 + 8 ? 1 : n < 1 + 8 + 28 ? 2 : n < CUBIC ? 3 : 4;
}

static LAB_CLONES unsigned immunity(const union row *all, const union row *outputs)
{
    unsigned least = CUBIC;
    lab_doubles f = {0};
    for (unsigned b = 1; b < 256; b++) {
        f ^= outputs[__builtin_ctz(b)].v; /* Gray code: each sum once */
        for (unsigned side = 0; side < 2; side++) {
            union row rows[CUBIC];
            for (unsigned i = 0; i < least; i++) {
                rows[i].v = all[i].v & (side ? f : ~f);
            }
            dependent(&least, rows, least);
        }
    }
    return degree_of(least);
}

static LAB_CLONES unsigned quadratic(union row *rows)
{
    unsigned first;
    return dependent(&first, rows, QUADRATIC);
}

void lab_sbox_immunity(uint16_t *immune, const uint8_t *boxes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        union row bits[2 * BITS], all[CUBIC];
        bits_of(bits, boxes + 256 * i);
        monomials(all, bits, BITS, 3);
        immune[i] = (uint16_t)immunity(all, bits + BITS);
    }
}

void lab_sbox_quadratic(uint16_t *equations, const uint8_t *boxes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        union row bits[2 * BITS], all[QUADRATIC];
        bits_of(bits, boxes + 256 * i);
        monomials(all, bits, 2 * BITS, 2);
        equations[i] = (uint16_t)quadratic(all);
    }
}
