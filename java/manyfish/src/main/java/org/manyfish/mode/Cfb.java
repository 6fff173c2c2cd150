// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import org.manyfish.block.BlockCipher;

/**
 * CFB [SP800-38A, 6.3] with segments of a whole block, of which the last may be short. Encryption
 * is serial by nature. Decryption knows all input blocks beforehand, since they are ciphertext, and
 * hands many of them to the cipher at once.
 */
final class Cfb extends PlainMode {
    private final boolean encrypting;

    /** The input block I_j; within a block: ciphertext so far, then unusedBytes of key stream. */
    private final byte[] input;

    private int unusedBytes;
    private final byte[] piece;

    Cfb(BlockCipher cipher, boolean encrypting) {
        super(cipher);
        this.encrypting = encrypting;
        input = new byte[blockBytes];
        piece = new byte[encrypting ? 0 : PIECE_BYTES];
    }

    @Override
    public int unitBytes() {
        return 1;
    }

    @Override
    void begin(byte[] iv) {
        checkIv("CFB", iv, blockBytes);
        System.arraycopy(iv, 0, input, 0, blockBytes);
        unusedBytes = 0;
    }

    @Override
    public void update(byte[] out, int outOffset, byte[] in, int inOffset, int nBytes) {
        int done = cryptUnused(out, outOffset, in, inOffset, nBytes);
        if (!encrypting) {
            final int whole = (nBytes - done) / blockBytes * blockBytes;
            decryptBlocks(out, outOffset + done, in, inOffset + done, whole);
            done += whole;
        }
        while (done < nBytes) {
            cipher.encryptBlocks(input, 0, input, 0, 1);
            unusedBytes = blockBytes;
            done += cryptUnused(out, outOffset + done, in, inOffset + done, nBytes - done);
        }
    }

    /** Up to the end of the present block: the key stream used becomes ciphertext. */
    private int cryptUnused(byte[] out, int outOffset, byte[] in, int inOffset, int nBytes) {
        final int n = Math.min(nBytes, unusedBytes);
        final int at = blockBytes - unusedBytes;
        if (encrypting) {
            Bytes.xor(input, at, input, at, in, inOffset, n);
            System.arraycopy(input, at, out, outOffset, n);
        } else {
            decryptUnused(out, outOffset, in, inOffset, at, n);
        }
        unusedBytes -= n;
        return n;
    }

    /** Byte by byte, since out may be in. */
    private void decryptUnused(byte[] out, int outOffset, byte[] in, int inOffset, int at, int n) {
        for (int i = 0; i < n; i++) {
            final byte ciphertext = in[inOffset + i];
            out[outOffset + i] = (byte) (ciphertext ^ input[at + i]);
            input[at + i] = ciphertext;
        }
    }

    /** Input block j is the ciphertext of block j - 1. */
    private void decryptBlocks(byte[] out, int outOffset, byte[] in, int inOffset, int nBytes) {
        for (int i = 0; i < nBytes; i += PIECE_BYTES) {
            final int n = Math.min(nBytes - i, PIECE_BYTES);
            System.arraycopy(input, 0, piece, 0, blockBytes);
            System.arraycopy(in, inOffset + i, piece, blockBytes, n - blockBytes);
            System.arraycopy(in, inOffset + i + n - blockBytes, input, 0, blockBytes);
            cipher.encryptBlocks(piece, 0, piece, 0, n / blockBytes);
            Bytes.xor(out, outOffset + i, in, inOffset + i, piece, 0, n);
        }
    }

    @Override
    void wipe() {
        unusedBytes = 0;
        Bytes.wipe(input, piece);
    }
}
