// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.block;

import static org.manyfish.block.Schedule.INPUT_WHITENING;
import static org.manyfish.block.Schedule.OUTPUT_WHITENING;
import static org.manyfish.block.Schedule.ROUND_SUBKEYS;
import static org.manyfish.block.Schedule.SUBKEYS;

import java.util.Arrays;

/** The rounds of Twofish [Twofish98, 4.1, 4.2], block by block; a kernel brings its g. */
abstract class OneByOne implements BlockCipher {
    static final int BLOCK_BYTES = 16;

    final int[] K;

    OneByOne(int[] K) {
        this.K = K;
    }

    abstract int g(int X);

    @Override
    public final int blockBytes() {
        return BLOCK_BYTES;
    }

    @Override
    public int lanes() {
        return 1;
    }

    @Override
    public void encryptBlocks(byte[] out, int outOffset, byte[] in, int inOffset, int nBlocks) {
        for (int i = 0; i < nBlocks; i++) {
            encryptBlock(out, outOffset + BLOCK_BYTES * i, in, inOffset + BLOCK_BYTES * i);
        }
    }

    @Override
    public void decryptBlocks(byte[] out, int outOffset, byte[] in, int inOffset, int nBlocks) {
        for (int i = 0; i < nBlocks; i++) {
            decryptBlock(out, outOffset + BLOCK_BYTES * i, in, inOffset + BLOCK_BYTES * i);
        }
    }

    private void encryptBlock(byte[] out, int outOffset, byte[] in, int inOffset) {
        final int[] K = this.K;
        int R0 = Bytes.loadLe32(in, inOffset) ^ K[INPUT_WHITENING];
        int R1 = Bytes.loadLe32(in, inOffset + 4) ^ K[INPUT_WHITENING + 1];
        int R2 = Bytes.loadLe32(in, inOffset + 8) ^ K[INPUT_WHITENING + 2];
        int R3 = Bytes.loadLe32(in, inOffset + 12) ^ K[INPUT_WHITENING + 3];
        for (int i = ROUND_SUBKEYS; i < SUBKEYS; i += 2) {
            final int T0 = g(R0);
            final int T1 = g(Integer.rotateLeft(R1, 8));
            final int newR0 = Integer.rotateRight(R2 ^ (T0 + T1 + K[i]), 1);
            final int newR1 = Integer.rotateLeft(R3, 1) ^ (T0 + 2 * T1 + K[i + 1]);
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

    private void decryptBlock(byte[] out, int outOffset, byte[] in, int inOffset) {
        final int[] K = this.K;
        int R2 = Bytes.loadLe32(in, inOffset) ^ K[OUTPUT_WHITENING];
        int R3 = Bytes.loadLe32(in, inOffset + 4) ^ K[OUTPUT_WHITENING + 1];
        int R0 = Bytes.loadLe32(in, inOffset + 8) ^ K[OUTPUT_WHITENING + 2];
        int R1 = Bytes.loadLe32(in, inOffset + 12) ^ K[OUTPUT_WHITENING + 3];
        for (int i = SUBKEYS - 2; i >= ROUND_SUBKEYS; i -= 2) {
            final int T0 = g(R2);
            final int T1 = g(Integer.rotateLeft(R3, 8));
            final int oldR2 = Integer.rotateLeft(R0, 1) ^ (T0 + T1 + K[i]);
            final int oldR3 = Integer.rotateRight(R1 ^ (T0 + 2 * T1 + K[i + 1]), 1);
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

    @Override
    public void close() {
        Arrays.fill(K, 0);
    }
}
