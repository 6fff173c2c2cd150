// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.block;

import static org.manyfish.block.Schedule.INPUT_WHITENING;
import static org.manyfish.block.Schedule.OUTPUT_WHITENING;

import java.util.Arrays;

/**
 * Twofish without a look-up or a branch that depends on a secret, key set-up included: the default.
 * It works on many blocks as bit slices, on few as polynomials in words. docs/security.md says what
 * we know about the machine code that a virtual machine makes of it.
 */
final class Bitslice implements BlockCipher {
    static final Kernel KERNEL =
            new NamedKernel(
                    "bitslice", "no tables: 64 blocks in the bits of words", true, Bitslice::new);

    private static final int BLOCK_BYTES = 16;

    /** From here on the lanes of 64 are faster than one block after the other. */
    private static final int PADDED_FROM = 11;

    private final int[] S;
    private final SubkeyMasks masks;
    private final FewBlocks fewBlocks;

    private Bitslice(byte[] key) {
        S = Schedule.sWords(key);
        final int[] K = Slices.subkeys(key);
        masks = new SubkeyMasks(K);
        fewBlocks = new FewBlocks(K, S);
    }

    @Override
    public int blockBytes() {
        return BLOCK_BYTES;
    }

    @Override
    public int lanes() {
        return Slices.LANES;
    }

    /** How many blocks are best sliced: all that fill the lanes, and a rest that is not small. */
    private static int sliced(int nBlocks) {
        final int rest = nBlocks % Slices.LANES;
        return rest >= PADDED_FROM ? nBlocks : nBlocks - rest;
    }

    @Override
    public void encryptBlocks(byte[] out, int outOffset, byte[] in, int inOffset, int nBlocks) {
        final int nSliced = sliced(nBlocks);
        if (nSliced > 0) {
            encryptSliced(out, outOffset, in, inOffset, nSliced);
        }
        for (int i = nSliced; i < nBlocks; i++) {
            fewBlocks.encrypt(out, outOffset + BLOCK_BYTES * i, in, inOffset + BLOCK_BYTES * i);
        }
    }

    @Override
    public void decryptBlocks(byte[] out, int outOffset, byte[] in, int inOffset, int nBlocks) {
        final int nSliced = sliced(nBlocks);
        if (nSliced > 0) {
            decryptSliced(out, outOffset, in, inOffset, nSliced);
        }
        for (int i = nSliced; i < nBlocks; i++) {
            fewBlocks.decrypt(out, outOffset + BLOCK_BYTES * i, in, inOffset + BLOCK_BYTES * i);
        }
    }

    private void encryptSliced(byte[] out, int outOffset, byte[] in, int inOffset, int nBlocks) {
        final Slices slices = new Slices(S.length);
        try {
            slices.setList(S, -1);
            for (int i = 0; i < nBlocks; i += Slices.LANES) {
                final int n = Math.min(nBlocks - i, Slices.LANES);
                slices.load(in, inOffset + BLOCK_BYTES * i, n);
                slices.whiten(masks, INPUT_WHITENING, 0);
                slices.encryptRounds(masks);
                slices.whiten(masks, OUTPUT_WHITENING, 1);
                slices.store(out, outOffset + BLOCK_BYTES * i, n);
            }
        } finally {
            slices.wipe();
        }
    }

    private void decryptSliced(byte[] out, int outOffset, byte[] in, int inOffset, int nBlocks) {
        final Slices slices = new Slices(S.length);
        try {
            slices.setList(S, -1);
            for (int i = 0; i < nBlocks; i += Slices.LANES) {
                final int n = Math.min(nBlocks - i, Slices.LANES);
                slices.load(in, inOffset + BLOCK_BYTES * i, n);
                slices.whiten(masks, OUTPUT_WHITENING, 0);
                slices.decryptRounds(masks);
                slices.whiten(masks, INPUT_WHITENING, 1);
                slices.store(out, outOffset + BLOCK_BYTES * i, n);
            }
        } finally {
            slices.wipe();
        }
    }

    @Override
    public void close() {
        Arrays.fill(S, 0);
        masks.wipe();
        fewBlocks.wipe();
    }
}
