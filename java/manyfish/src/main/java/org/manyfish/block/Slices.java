// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.block;

import java.util.Arrays;

/**
 * Twofish on bit slices: slice i of a word holds bit i of 64 blocks, one in each bit, its lane. One
 * of these is the working memory of one call.
 */
final class Slices {
    static final int LANES = 64;

    /** The bits of the lanes' numbers: bit n of LANE_BITS[i] is bit i of n, from 6 on 0. */
    private static final long[] LANE_BITS = {
        0xAAAAAAAAAAAAAAAAL,
        0xCCCCCCCCCCCCCCCCL,
        0xF0F0F0F0F0F0F0F0L,
        0xFF00FF00FF00FF00L,
        0xFFFF0000FFFF0000L,
        0xFFFFFFFF00000000L,
        0,
        0
    };

    private static final int BLOCK_BYTES = 16;

    /** A word of each block of 32 slices; R_0 and R_1, then R_2 and R_3. */
    private final long[][] halves = new long[2][64];

    /** T_0 and T_1. */
    private final long[] T = new long[64];

    /** The list of h, a mask for each bit; see HCircuits. */
    private final long[] L;

    private final int k;

    Slices(int k) {
        this.k = k;
        L = new long[32 * k];
    }

    void wipe() {
        Arrays.fill(halves[0], 0);
        Arrays.fill(halves[1], 0);
        Arrays.fill(T, 0);
        Arrays.fill(L, 0);
    }

    /** Makes words the list of h, in some lanes; the others keep theirs. */
    void setList(int[] words, long lanes) {
        for (int i = 0; i < 32 * k; i++) {
            final int x = words[i / 32] ^ HCircuits.NEGATED[i / 32];
            L[i] = L[i] & ~lanes | -(x >>> i % 32 & 1L) & lanes;
        }
    }

    // --- blocks ---

    /** Reads up to 64 blocks; lanes without one hold zeros. */
    void load(byte[] in, int offset, int nBlocks) {
        for (int half = 0; half < 2; half++) {
            final long[] x = halves[half];
            for (int i = 0; i < nBlocks; i++) {
                x[i] = Bytes.loadLe64(in, offset + BLOCK_BYTES * i + 8 * half);
            }
            Arrays.fill(x, nBlocks, LANES, 0);
            Transposition.transpose(x);
        }
    }

    /** Writes them. The halves change places, which undoes the swap of the last round. */
    void store(byte[] out, int offset, int nBlocks) {
        for (int half = 0; half < 2; half++) {
            final long[] x = halves[1 - half];
            Transposition.transpose(x);
            for (int i = 0; i < nBlocks; i++) {
                Bytes.storeLe64(out, offset + BLOCK_BYTES * i + 8 * half, x[i]);
            }
        }
    }

    /** XORs four subkeys into the state, of which the first two meet the half `first`. */
    void whiten(SubkeyMasks masks, int firstSubkey, int first) {
        for (int half = 0; half < 2; half++) {
            final long[] x = halves[first ^ half];
            final int from = 32 * (firstSubkey + 2 * half);
            for (int i = 0; i < 64; i++) {
                x[i] ^= masks.K[from + i];
            }
        }
    }

    // --- rounds ---

    void encryptRounds(SubkeyMasks masks) {
        for (int r = 0; r < 16; r++) {
            bothG(halves[r % 2]);
            encryptSums(halves[1 - r % 2], masks, r);
        }
    }

    void decryptRounds(SubkeyMasks masks) {
        for (int r = 15; r >= 0; r--) {
            bothG(halves[1 - r % 2]);
            decryptSums(halves[r % 2], masks, r);
        }
    }

    private void bothG(long[] x) {
        g(0, x, 0);
        g(1, x, 1);
    }

    /** g of word i of x rotated left by 8 * turn bits, into T_i. */
    private void g(int i, long[] x, int turn) {
        final int at = 32 * i;
        HCircuits.box0(T, at, x, at + 8 * (4 - turn & 3), L, k);
        HCircuits.box1(T, at + 8, x, at + 8 * (1 - turn), L, k);
        HCircuits.box2(T, at + 16, x, at + 8 * (2 - turn), L, k);
        HCircuits.box3(T, at + 24, x, at + 8 * (3 - turn), L, k);
        HCircuits.mds(T, at);
    }

    /**
     * Adds F_0 and F_1 to a half: its first word C becomes ROR(C ^ F_0, 1), its second word D
     * becomes ROL(D, 1) ^ F_1.
     *
     * <p>Additions carry from slice to slice. Where a subkey is added, the carry is kept XORed with
     * the bit of the subkey that it meets, which saves a gate.
     */
    private void encryptSums(long[] half, SubkeyMasks masks, int r) {
        final long[] T = this.T;
        final byte[] K = masks.K;
        final byte[] steps = masks.steps;
        final int at = masks.round(r);
        long carry0 = 0;
        long carry1 = 0;
        long keyCarry0 = K[at];
        long keyCarry1 = K[at + 32];
        long below1 = 0;
        long belowD = half[63];
        long bottom = 0;
        for (int i = 0; i < 32; i++) {
            final long T0 = T[i];
            final long T1 = T[32 + i];
            final long sum0 = T0 ^ T1 ^ carry0;
            carry0 = (T0 ^ carry0) & (T1 ^ carry0) ^ carry0;
            final long sum1 = T0 ^ below1 ^ carry1;
            carry1 = (T0 ^ carry1) & (below1 ^ carry1) ^ carry1;
            below1 = T1;
            final long F0 = sum0 ^ keyCarry0;
            keyCarry0 = (sum0 ^ K[at + i]) & keyCarry0 ^ steps[at + i];
            final long F1 = sum1 ^ keyCarry1;
            keyCarry1 = (sum1 ^ K[at + 32 + i]) & keyCarry1 ^ steps[at + 32 + i];
            final long D = half[32 + i];
            half[32 + i] = belowD ^ F1;
            belowD = D;
            final long C = half[i] ^ F0;
            if (i == 0) {
                bottom = C;
            } else {
                half[i - 1] = C;
            }
        }
        half[31] = bottom;
    }

    /** The inverse: C becomes ROL(C, 1) ^ F_0, D becomes ROR(D ^ F_1, 1). */
    private void decryptSums(long[] half, SubkeyMasks masks, int r) {
        final long[] T = this.T;
        final byte[] K = masks.K;
        final byte[] steps = masks.steps;
        final int at = masks.round(r);
        long carry0 = 0;
        long carry1 = 0;
        long keyCarry0 = K[at];
        long keyCarry1 = K[at + 32];
        long below1 = 0;
        long belowC = half[31];
        long bottom = 0;
        for (int i = 0; i < 32; i++) {
            final long T0 = T[i];
            final long T1 = T[32 + i];
            final long sum0 = T0 ^ T1 ^ carry0;
            carry0 = (T0 ^ carry0) & (T1 ^ carry0) ^ carry0;
            final long sum1 = T0 ^ below1 ^ carry1;
            carry1 = (T0 ^ carry1) & (below1 ^ carry1) ^ carry1;
            below1 = T1;
            final long F0 = sum0 ^ keyCarry0;
            keyCarry0 = (sum0 ^ K[at + i]) & keyCarry0 ^ steps[at + i];
            final long F1 = sum1 ^ keyCarry1;
            keyCarry1 = (sum1 ^ K[at + 32 + i]) & keyCarry1 ^ steps[at + 32 + i];
            final long C = half[i];
            half[i] = belowC ^ F0;
            belowC = C;
            final long D = half[32 + i] ^ F1;
            if (i == 0) {
                bottom = D;
            } else {
                half[31 + i] = D;
            }
        }
        half[63] = bottom;
    }

    // --- the key ---

    /**
     * The subkeys [Twofish98, 4.3.4], by h of 40 words in as many lanes: in lane n all bytes of the
     * word are n. Even lanes take the even words of the key, odd lanes the odd ones.
     */
    static int[] subkeys(byte[] key) {
        final int[] evenM = Schedule.everyOtherWord(key, 0);
        final int[] oddM = Schedule.everyOtherWord(key, 1);
        final Slices slices = new Slices(evenM.length);
        slices.setList(evenM, ~LANE_BITS[0]);
        slices.setList(oddM, LANE_BITS[0]);
        for (int i = 0; i < 32; i++) {
            slices.halves[0][i] = LANE_BITS[i % 8];
        }
        slices.g(0, slices.halves[0], 0);
        final long[] h = slices.T;
        Transposition.transpose(h);
        final int[] K = new int[Schedule.SUBKEYS];
        for (int i = 0; i < K.length; i += 2) {
            Schedule.setPair(K, i, (int) h[i], (int) h[i + 1]);
        }
        slices.wipe();
        Arrays.fill(evenM, 0);
        Arrays.fill(oddM, 0);
        return K;
    }
}
