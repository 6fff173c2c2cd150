// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.block;

import static org.manyfish.block.Schedule.INPUT_WHITENING;
import static org.manyfish.block.Schedule.OUTPUT_WHITENING;
import static org.manyfish.block.Schedule.ROUND_SUBKEYS;
import static org.manyfish.block.Schedule.SUBKEYS;

import java.util.Arrays;

/**
 * Twofish block by block without look-ups: the eight bytes that both g of a round work on stand in
 * one word, and all their 4-bit permutations are evaluated together, as polynomials.
 */
final class FewBlocks {
    private static final long HIGH_HALVES = 0xF0F0F0F0F0F0F0F0L;

    private final int[] K;

    /** S; in the upper halves S for the bytes of R_1, which is not rotated before g but after. */
    private final long[] L;

    FewBlocks(int[] K, int[] S) {
        this.K = K;
        L = new long[S.length];
        for (int i = 0; i < L.length; i++) {
            L[i] = pair(S[i], Integer.rotateRight(S[i], 8));
        }
    }

    void wipe() {
        Arrays.fill(K, 0);
        Arrays.fill(L, 0);
    }

    void encrypt(byte[] out, int outOffset, byte[] in, int inOffset) {
        final int[] K = this.K;
        int R0 = Bytes.loadLe32(in, inOffset) ^ K[INPUT_WHITENING];
        int R1 = Bytes.loadLe32(in, inOffset + 4) ^ K[INPUT_WHITENING + 1];
        int R2 = Bytes.loadLe32(in, inOffset + 8) ^ K[INPUT_WHITENING + 2];
        int R3 = Bytes.loadLe32(in, inOffset + 12) ^ K[INPUT_WHITENING + 3];
        for (int i = ROUND_SUBKEYS; i < SUBKEYS; i += 2) {
            final long T = bothG(R0, R1);
            final int T0 = (int) T;
            final int T1 = (int) (T >>> 32);
            final int newR0 = Integer.rotateRight(R2 ^ T0 + T1 + K[i], 1);
            final int newR1 = Integer.rotateLeft(R3, 1) ^ T0 + 2 * T1 + K[i + 1];
            R2 = R0;
            R3 = R1;
            R0 = newR0;
            R1 = newR1;
        }
        Bytes.storeLe32(out, outOffset, R2 ^ K[OUTPUT_WHITENING]);
        Bytes.storeLe32(out, outOffset + 4, R3 ^ K[OUTPUT_WHITENING + 1]);
        Bytes.storeLe32(out, outOffset + 8, R0 ^ K[OUTPUT_WHITENING + 2]);
        Bytes.storeLe32(out, outOffset + 12, R1 ^ K[OUTPUT_WHITENING + 3]);
    }

    void decrypt(byte[] out, int outOffset, byte[] in, int inOffset) {
        final int[] K = this.K;
        int R2 = Bytes.loadLe32(in, inOffset) ^ K[OUTPUT_WHITENING];
        int R3 = Bytes.loadLe32(in, inOffset + 4) ^ K[OUTPUT_WHITENING + 1];
        int R0 = Bytes.loadLe32(in, inOffset + 8) ^ K[OUTPUT_WHITENING + 2];
        int R1 = Bytes.loadLe32(in, inOffset + 12) ^ K[OUTPUT_WHITENING + 3];
        for (int i = SUBKEYS - 2; i >= ROUND_SUBKEYS; i -= 2) {
            final long T = bothG(R2, R3);
            final int T0 = (int) T;
            final int T1 = (int) (T >>> 32);
            final int oldR2 = Integer.rotateLeft(R0, 1) ^ T0 + T1 + K[i];
            final int oldR3 = Integer.rotateRight(R1 ^ T0 + 2 * T1 + K[i + 1], 1);
            R0 = R2;
            R1 = R3;
            R2 = oldR2;
            R3 = oldR3;
        }
        Bytes.storeLe32(out, outOffset, R0 ^ K[INPUT_WHITENING]);
        Bytes.storeLe32(out, outOffset + 4, R1 ^ K[INPUT_WHITENING + 1]);
        Bytes.storeLe32(out, outOffset + 8, R2 ^ K[INPUT_WHITENING + 2]);
        Bytes.storeLe32(out, outOffset + 12, R3 ^ K[INPUT_WHITENING + 3]);
    }

    private static long pair(int low, int high) {
        return low & 0xFFFFFFFFL | (long) high << 32;
    }

    /** T_0, and in the upper half T_1. */
    private long bothG(int R0, int R1) {
        long x = pair(R0, R1);
        for (int level = L.length; level > 0; level--) {
            x = q(x, level) ^ L[level - 1];
        }
        x = q(x, 0);
        final long once = divide(x);
        final long twice = divide(once);
        final long both = x ^ twice;
        return pair(
                mds((int) both, (int) once, (int) twice),
                mds(upperTurned(both), upperTurned(once), upperTurned(twice)));
    }

    private static int upperTurned(long x) {
        return Integer.rotateLeft((int) (x >>> 32), 8);
    }

    /**
     * The q of a level of h, on eight bytes: twice the halves a, b of each byte are mixed, to a ^ b
     * and a ^ ROR4(b, 1) ^ 8a, and go through a 4-bit permutation each [Twofish98, 4.3.5]. The
     * second time the new a and b come out the other way round, as the bytes want them.
     */
    private static long q(long x, int level) {
        x =
                polynomials(
                        FormTables.FORMS[2 * level],
                        (x ^ x << 4) & HIGH_HALVES ^ (x >>> 4 ^ x >>> 1) & ~HIGH_HALVES,
                        x << 3 & 0x0808080808080808L);
        return polynomials(
                FormTables.FORMS[2 * level + 1],
                x ^ (x >>> 4 & ~HIGH_HALVES ^ x << 3 & HIGH_HALVES),
                x << 7 & 0x8080808080808080L);
    }

    /**
     * The polynomials with coefficients c on each half byte of x, by Horner's rule; `late` is still
     * to be XORed into the top bits, which are used last: results are waited for.
     */
    private static long polynomials(long[] c, long x, long late) {
        final long x0 = spreadBit(x, 0);
        final long x1 = spreadBit(x, 1);
        final long x2 = spreadBit(x, 2);
        final long x3 = spreadBit(x ^ late, 3);
        final long f = c[0] ^ x0 & c[1] ^ x1 & (c[2] ^ x0 & c[3]);
        final long f2 = c[4] ^ x0 & c[5] ^ x1 & (c[6] ^ x0 & c[7]);
        final long f3 = c[8] ^ x0 & c[9] ^ x1 & (c[10] ^ x0 & c[11]);
        final long f23 = c[12] ^ x0 & c[13] ^ x1 & c[14];
        return f ^ x2 & f2 ^ (x3 & f3 ^ x2 & x3 & f23);
    }

    /** One bit of each half byte of x, spread over the half byte. */
    private static long spreadBit(long x, int bit) {
        final long low = x >>> bit & 0x1111111111111111L;
        return (low << 4) - low;
    }

    /** Each byte divided by x in the field of the MDS matrix. */
    private static long divide(long x) {
        final long low = x & 0x0101010101010101L;
        return x >>> 1 & 0x7F7F7F7F7F7F7F7FL ^ (low << 8) - low & 0xB4B4B4B4B4B4B4B4L;
    }

    /** The MDS matrix times y, from y + y / x^2, y / x and y / x^2; see HCircuits.mds. */
    private static int mds(int both, int once, int twice) {
        final int pairs = both ^ Integer.rotateLeft(both, 16);
        final int oddBytes = (twice ^ twice >>> 16) & 0xFF00; // bytes 1 and 3 change places
        return pairs
                ^ Integer.rotateLeft(pairs, 8)
                ^ twice
                ^ oddBytes
                ^ oddBytes << 16
                ^ Integer.rotateRight(once, 8)
                ^ once & 0xFF00
                ^ once << 16 & 0xFF0000
                ^ once << 8 & 0xFF000000;
    }
}
