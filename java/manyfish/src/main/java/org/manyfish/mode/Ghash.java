// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import java.util.Arrays;

/**
 * GHASH [SP800-38D, 6.4] by integer multiplication. A product of integers is a product of
 * polynomials if no carry reaches a bit that counts. So each factor is split in four parts, of
 * which each has every fourth bit, moved to the same places: at most 15 ones meet at a place and
 * their sum fits in the gap above it, except the topmost place, above which there is nothing. The
 * lowest bit of each gap is the coefficient. The time is constant where that of the machine's
 * multiplication is.
 *
 * <p>Only the lower half of a product comes out so. The upper half is the lower half of the product
 * of the factors with their bits reversed, reversed.
 *
 * <p>The bits of a block, read as one big-endian number, are its coefficients with that of x^0
 * highest. Multiplying such numbers, with one x more in the key, and dividing by x^128 modulo x^128
 * + x^127 + x^126 + x^121 + 1 gives the product in the field of GHASH. [RFC8452, A]
 */
final class Ghash {
    private static final int BLOCK = 16;

    private static final long EVERY_FOURTH = 0x1111111111111111L;

    /** Blocks that share one reduction, each times its own power of H. */
    private static final int GROUP = 4;

    /** Of a block: high, low and their sum for Karatsuba's method, then the same reversed. */
    private static final int WORDS = 6;

    /**
     * Of a word: the four parts, and the sums of them that Karatsuba's method, used twice, takes.
     * So 9 multiplications do the work of 16, and GHASH takes two thirds of the time (JDK 17, Zen
     * 4).
     */
    private static final int PARTS = 9;

    /** The parts of the words of H^GROUP, .., H^1. */
    private final long[] powers = new long[GROUP * WORDS * PARTS];

    /** The words of a group of blocks. */
    private final long[] blocks = new long[GROUP * WORDS];

    /** Y of [SP800-38D, 6.4]. */
    private long high;

    private long low;

    /** h: the hash key H, a block; only read. */
    Ghash(byte[] h) {
        final long a = Bytes.load(h, 0);
        final long b = Bytes.load(h, 8);
        // times x, without a branch
        high = (a << 1 | b >>> 63) ^ (a >> 63 & 0xC200000000000000L);
        low = b << 1 ^ a >>> 63;
        splitPower(GROUP - 1);
        for (int i = GROUP - 2; i >= 0; i--) {
            split(0, high, low);
            multiply(GROUP - 1, 1);
            splitPower(i);
        }
        reset();
    }

    /** Y becomes power i. */
    private void splitPower(int i) {
        split(0, high, low);
        for (int word = 0; word < WORDS; word++) {
            final int at = PARTS * (WORDS * i + word);
            final long x = blocks[word];
            final long x0 = x & EVERY_FOURTH;
            final long x1 = x >>> 1 & EVERY_FOURTH;
            final long x2 = x >>> 2 & EVERY_FOURTH;
            final long x3 = x >>> 3 & EVERY_FOURTH;
            powers[at] = x0;
            powers[at + 1] = x1;
            powers[at + 2] = x2;
            powers[at + 3] = x3;
            powers[at + 4] = x0 ^ x1;
            powers[at + 5] = x2 ^ x3;
            powers[at + 6] = x0 ^ x2;
            powers[at + 7] = x1 ^ x3;
            powers[at + 8] = x0 ^ x1 ^ x2 ^ x3;
        }
    }

    /** The words of block i. */
    private void split(int i, long h, long l) {
        final int at = WORDS * i;
        final long reversedHigh = Long.reverse(h);
        final long reversedLow = Long.reverse(l);
        blocks[at] = h;
        blocks[at + 1] = l;
        blocks[at + 2] = h ^ l;
        blocks[at + 3] = reversedHigh;
        blocks[at + 4] = reversedLow;
        blocks[at + 5] = reversedHigh ^ reversedLow;
    }

    /** Y becomes (Y xor X) H for each of nBlocks blocks X. */
    void absorb(byte[] in, int offset, int nBlocks) {
        for (int i = 0; i < nBlocks; i += GROUP) {
            final int n = Math.min(nBlocks - i, GROUP);
            for (int j = 0; j < n; j++) {
                final int at = offset + BLOCK * (i + j);
                split(j, high ^ Bytes.load(in, at), low ^ Bytes.load(in, at + 8));
                high = 0;
                low = 0;
            }
            multiply(GROUP - n, n);
        }
    }

    /** Y becomes the sum of n blocks times powers, of which the first is number `first`. */
    private void multiply(int first, int n) {
        final long highLow = lowerProducts(first, n, 0);
        final long highHigh = upperProducts(first, n, 0);
        final long lowLow = lowerProducts(first, n, 1);
        final long lowHigh = upperProducts(first, n, 1);
        final long middleLow = lowerProducts(first, n, 2) ^ highLow ^ lowLow;
        final long middleHigh = upperProducts(first, n, 2) ^ highHigh ^ lowHigh;

        // Divided by x^64 twice: adding that many times the modulus clears the lowest 64 bits.
        final long t0 = lowLow;
        final long t1 = lowHigh ^ middleLow ^ t0 << 63 ^ t0 << 62 ^ t0 << 57;
        final long t2 = highLow ^ middleHigh ^ t0 ^ t0 >>> 1 ^ t0 >>> 2 ^ t0 >>> 7;
        low = t2 ^ t1 << 63 ^ t1 << 62 ^ t1 << 57;
        high = highHigh ^ t1 ^ t1 >>> 1 ^ t1 >>> 2 ^ t1 >>> 7;
    }

    /** The sum of the products of a word of n pairs: bits 64 to 127. */
    private long upperProducts(int first, int n, int word) {
        return Long.reverse(lowerProducts(first, n, WORDS / 2 + word)) >>> 1;
    }

    /** The same, bits 0 to 63. */
    private long lowerProducts(int first, int n, int word) {
        long z0 = 0;
        long z1 = 0;
        long z2 = 0;
        long z3 = 0;
        long z01 = 0;
        long z23 = 0;
        long z02 = 0;
        long z13 = 0;
        long z0123 = 0;
        for (int i = 0; i < n; i++) {
            final long x = blocks[WORDS * i + word];
            final long x0 = x & EVERY_FOURTH;
            final long x1 = x >>> 1 & EVERY_FOURTH;
            final long x2 = x >>> 2 & EVERY_FOURTH;
            final long x3 = x >>> 3 & EVERY_FOURTH;
            final int at = PARTS * (WORDS * (first + i) + word);
            z0 ^= x0 * powers[at];
            z1 ^= x1 * powers[at + 1];
            z2 ^= x2 * powers[at + 2];
            z3 ^= x3 * powers[at + 3];
            z01 ^= (x0 ^ x1) * powers[at + 4];
            z23 ^= (x2 ^ x3) * powers[at + 5];
            z02 ^= (x0 ^ x2) * powers[at + 6];
            z13 ^= (x1 ^ x3) * powers[at + 7];
            z0123 ^= (x0 ^ x1 ^ x2 ^ x3) * powers[at + 8];
        }
        return (z0 & EVERY_FOURTH)
                ^ ((z01 ^ z0 ^ z1) & EVERY_FOURTH) << 1
                ^ ((z02 ^ z0 ^ z2 ^ z1) & EVERY_FOURTH) << 2
                ^ ((z0123 ^ z01 ^ z23 ^ z02 ^ z13 ^ z0 ^ z1 ^ z2 ^ z3) & EVERY_FOURTH) << 3
                ^ ((z13 ^ z1 ^ z3 ^ z2) & EVERY_FOURTH) << 4
                ^ ((z23 ^ z2 ^ z3) & EVERY_FOURTH) << 5
                ^ (z3 & EVERY_FOURTH) << 6;
    }

    /** Writes Y, a block. */
    void write(byte[] y) {
        Bytes.store(y, 0, high);
        Bytes.store(y, 8, low);
    }

    /** Y becomes zero. */
    void reset() {
        high = 0;
        low = 0;
        Arrays.fill(blocks, 0);
    }

    void wipe() {
        reset();
        Arrays.fill(powers, 0);
    }
}
