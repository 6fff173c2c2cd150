// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.block;

/** Transposing 64 by 64 bits: words of blocks become words of slices, and back. */
final class Transposition {
    private Transposition() {}

    /** Bit j of word i becomes bit i of word j. */
    static void transpose(long[] x) {
        for (int i = 0; i < 8; i++) {
            eight(x, i, 8, 32, 0x00000000FFFFFFFFL, 0x0000FFFF0000FFFFL, 0x00FF00FF00FF00FFL);
        }
        for (int i = 0; i < 64; i += 8) {
            eight(x, i, 1, 4, 0x0F0F0F0F0F0F0F0FL, 0x3333333333333333L, 0x5555555555555555L);
        }
    }

    /**
     * Three of the six steps, on eight words with `stride` between them. A step exchanges the upper
     * half of each field of 2 * shift bits of a word with the lower half of that of another.
     */
    private static void eight(
            long[] x, int i, int stride, int shift, long mask, long mask2, long mask3) {
        for (int n = 0; n < 4; n++) {
            exchange(x, i + n * stride, i + (n + 4) * stride, shift, mask);
        }
        for (int n = 0; n < 8; n += 4) {
            exchange(x, i + n * stride, i + (n + 2) * stride, shift / 2, mask2);
            exchange(x, i + (n + 1) * stride, i + (n + 3) * stride, shift / 2, mask2);
        }
        for (int n = 0; n < 8; n += 2) {
            exchange(x, i + n * stride, i + (n + 1) * stride, shift / 4, mask3);
        }
    }

    private static void exchange(long[] x, int a, int b, int shift, long lowerHalves) {
        final long difference = (x[a] >>> shift ^ x[b]) & lowerHalves;
        x[b] ^= difference;
        x[a] ^= difference << shift;
    }
}
