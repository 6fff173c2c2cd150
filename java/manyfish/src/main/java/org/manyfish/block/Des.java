// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.block;

import java.util.Arrays;

/**
 * DES and Triple-DES [FIPS46-3] with eight tables of 64 words, in which each S-box comes with the
 * permutation P behind it [KarnThread]. Secrets index its lookup tables: for old data only, where
 * nobody measures times. Parity bits of keys are ignored.
 */
final class Des implements BlockCipher {
    static final Kernel KERNEL =
            new NamedKernel("sp2k", "S-boxes and P in tables of 2 KB", false, Des::oneKey);
    static final Kernel TRIPLE_KERNEL =
            new NamedKernel("sp2k", "S-boxes and P in tables of 2 KB", false, Des::threeKeys);

    private static final int BLOCK_BYTES = 8;
    private static final int WORDS = 2 * DesSchedule.ROUNDS;

    /** Two words a round; the subkeys of the second key of three backwards. */
    private final int[] K;

    private Des(int nKeys) {
        K = new int[WORDS * nKeys];
    }

    private static Des oneKey(byte[] key) {
        if (key.length != DesSchedule.KEY_BYTES) {
            throw new IllegalArgumentException("a DES key has 8 bytes, this one has " + key.length);
        }
        final Des des = new Des(1);
        DesSchedule.subkeys(des.K, 0, 2, key, 0);
        return des;
    }

    /** Of two keys the first one is the third one too. */
    private static Des threeKeys(byte[] key) {
        if (key.length != 2 * DesSchedule.KEY_BYTES && key.length != 3 * DesSchedule.KEY_BYTES) {
            throw new IllegalArgumentException(
                    "a Triple-DES key has 16 or 24 bytes, this one has " + key.length);
        }
        final Des des = new Des(3);
        DesSchedule.subkeys(des.K, 0, 2, key, 0);
        DesSchedule.subkeys(des.K, 2 * WORDS - 2, -2, key, 8);
        DesSchedule.subkeys(des.K, 2 * WORDS, 2, key, key.length == 16 ? 0 : 16);
        return des;
    }

    @Override
    public int blockBytes() {
        return BLOCK_BYTES;
    }

    @Override
    public int lanes() {
        return 1;
    }

    @Override
    public void encryptBlocks(byte[] out, int outOffset, byte[] in, int inOffset, int nBlocks) {
        each(out, outOffset, in, inOffset, nBlocks, 0, 2);
    }

    @Override
    public void decryptBlocks(byte[] out, int outOffset, byte[] in, int inOffset, int nBlocks) {
        each(out, outOffset, in, inOffset, nBlocks, K.length - 2, -2);
    }

    private void each(
            byte[] out, int outOffset, byte[] in, int inOffset, int nBlocks, int first, int step) {
        for (int i = 0; i < BLOCK_BYTES * nBlocks; i += BLOCK_BYTES) {
            final long block = Bytes.loadBe64(in, inOffset + i);
            Bytes.storeBe64(out, outOffset + i, crypt(block, first, step));
        }
    }

    /** One block, by the subkeys from K[first] on. */
    private long crypt(long block, int first, int step) {
        final int[] K = this.K;
        final long halves = initialPermutation(block);
        int L = (int) (halves >>> 32);
        int R = (int) halves;
        int at = first;
        for (int pass = 0; pass < K.length; pass += WORDS) {
            for (int r = 0; r < DesSchedule.ROUNDS; r += 2) {
                L ^= f(R, K[at], K[at + 1]);
                R ^= f(L, K[at + step], K[at + step + 1]);
                at += 2 * step;
            }
            // Between two passes the permutations cancel out: what is left is the swap.
            final int swapped = L;
            L = R;
            R = swapped;
        }
        return finalPermutation(L, R);
    }

    /** P(S(E(R) ^ K)); all halves are rotated left by 3, so that six bits begin a byte. */
    private static int f(int R, int evenK, int oddK) {
        final int even = R ^ evenK;
        final int odd = Integer.rotateRight(R, 4) ^ oddK;
        return DesTables.SP2[even >>> 26]
                ^ DesTables.SP4[even >>> 18 & 63]
                ^ DesTables.SP6[even >>> 10 & 63]
                ^ DesTables.SP8[even >>> 2 & 63]
                ^ DesTables.SP1[odd >>> 26]
                ^ DesTables.SP3[odd >>> 18 & 63]
                ^ DesTables.SP5[odd >>> 10 & 63]
                ^ DesTables.SP7[odd >>> 2 & 63];
    }

    // IP and its inverse, after R. Outerbridge: each step swaps the bits that the halves have under
    // a mask and a shift [Schneier94, p. 478].

    private static long initialPermutation(long block) {
        long x = swap(block, 4, 0x0F0F0F0F);
        x = swap(x, 16, 0x0000FFFF);
        x = swap(Long.rotateLeft(x, 32), 2, 0x33333333);
        x = swap(x, 8, 0x00FF00FF);
        x = swap(Long.rotateLeft(x, 32), 1, 0x55555555);
        return pair(Integer.rotateLeft((int) (x >>> 32), 3), Integer.rotateLeft((int) x, 3));
    }

    private static long finalPermutation(int L, int R) {
        long x = pair(Integer.rotateRight(L, 3), Integer.rotateRight(R, 3));
        x = swap(x, 1, 0x55555555);
        x = swap(Long.rotateLeft(x, 32), 8, 0x00FF00FF);
        x = swap(x, 2, 0x33333333);
        x = swap(Long.rotateLeft(x, 32), 16, 0x0000FFFF);
        return swap(x, 4, 0x0F0F0F0F);
    }

    /** Swaps the bits of the upper half under mask << shift with those of the lower under mask. */
    private static long swap(long x, int shift, long mask) {
        final long difference = (x >>> 32 + shift ^ x) & mask;
        return x ^ difference ^ difference << 32 + shift;
    }

    private static long pair(int high, int low) {
        return (long) high << 32 | low & 0xFFFFFFFFL;
    }

    @Override
    public void close() {
        Arrays.fill(K, 0);
    }
}
