// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.block;

/** The key schedule of DES [FIPS46-3, appendix 1]. No branch and no address depends on a key. */
final class DesSchedule {
    static final int KEY_BYTES = 8;
    static final int ROUNDS = 16;

    private static final int HALF_BITS = 28;
    private static final long HALF_MASK = (1L << HALF_BITS) - 1;

    private DesSchedule() {}

    /**
     * Writes K_1 .. K_16, two words each, of the 8 bytes of key from an offset on. The words have
     * six bits a byte, shifted left by 2: those of S2, S4, S6, S8, then of S1, S3, S5, S7, from the
     * highest byte down.
     *
     * @param first where in K the words of K_1 go
     * @param step from there to those of K_2: 2, or -2 for subkeys in reverse
     */
    static void subkeys(int[] K, int first, int step, byte[] key, int offset) {
        final long CD = permute(Bytes.loadBe64(key, offset), 64, DesTables.PC_1);
        long C = CD >>> HALF_BITS;
        long D = CD & HALF_MASK;
        for (int r = 0; r < ROUNDS; r++) {
            C = rotateLeft(C, DesTables.LEFT_SHIFTS[r]);
            D = rotateLeft(D, DesTables.LEFT_SHIFTS[r]);
            final long bits = permute(C << HALF_BITS | D, 2 * HALF_BITS, DesTables.PC_2);
            K[first + step * r] = everyOtherSix(bits);
            K[first + step * r + 1] = everyOtherSix(bits >>> 6);
        }
    }

    /** Bit i of the result, from the highest on, is bit positions[i] of the nBits of x. */
    private static long permute(long x, int nBits, int[] positions) {
        long result = 0;
        for (int position : positions) {
            result = result << 1 | x >>> nBits - position & 1;
        }
        return result;
    }

    private static long rotateLeft(long half, int n) {
        return (half << n | half >>> HALF_BITS - n) & HALF_MASK;
    }

    /** The last six of each twelve bits, as the high bits of a byte. */
    private static int everyOtherSix(long bits) {
        int word = 0;
        for (int i = 3; i >= 0; i--) {
            word = word << 8 | (int) (bits >>> 12 * i & 63) << 2;
        }
        return word;
    }
}
