// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import org.manyfish.block.BlockCipher;

/**
 * CFB [SP800-38A, 6.3] with segments of one byte: one block is encrypted for each byte. Decryption
 * hands many of them to the cipher at once.
 */
final class Cfb8 extends PlainMode {
    private final boolean encrypting;

    /** The input block: the last bytes of IV and ciphertext so far. */
    private final byte[] input;

    private final byte[] output;

    /** Input block and ciphertext of a piece: each block of it is an input block. */
    private final byte[] stream;

    Cfb8(BlockCipher cipher, boolean encrypting) {
        super(cipher);
        this.encrypting = encrypting;
        input = new byte[blockBytes];
        output = new byte[encrypting ? blockBytes : PIECE_BYTES];
        stream = new byte[encrypting ? 0 : blockBytes + PIECE_BYTES / blockBytes];
    }

    @Override
    public int unitBytes() {
        return 1;
    }

    @Override
    void begin(byte[] iv) {
        checkIv("CFB8", iv, blockBytes);
        System.arraycopy(iv, 0, input, 0, blockBytes);
    }

    @Override
    public void update(byte[] out, int outOffset, byte[] in, int inOffset, int nBytes) {
        if (encrypting) {
            encrypt(out, outOffset, in, inOffset, nBytes);
            return;
        }
        final int pieceBytes = PIECE_BYTES / blockBytes;
        for (int i = 0; i < nBytes; i += pieceBytes) {
            final int n = Math.min(nBytes - i, pieceBytes);
            decryptPiece(out, outOffset + i, in, inOffset + i, n);
        }
    }

    private void encrypt(byte[] out, int outOffset, byte[] in, int inOffset, int nBytes) {
        for (int i = 0; i < nBytes; i++) {
            cipher.encryptBlocks(output, 0, input, 0, 1);
            final byte segment = (byte) (in[inOffset + i] ^ output[0]);
            System.arraycopy(input, 1, input, 0, blockBytes - 1);
            input[blockBytes - 1] = segment;
            out[outOffset + i] = segment;
        }
    }

    private void decryptPiece(byte[] out, int outOffset, byte[] in, int inOffset, int nBytes) {
        System.arraycopy(input, 0, stream, 0, blockBytes);
        System.arraycopy(in, inOffset, stream, blockBytes, nBytes);
        for (int i = 0; i < nBytes; i++) {
            System.arraycopy(stream, i, output, i * blockBytes, blockBytes);
        }
        System.arraycopy(stream, nBytes, input, 0, blockBytes);
        cipher.encryptBlocks(output, 0, output, 0, nBytes);
        for (int i = 0; i < nBytes; i++) {
            out[outOffset + i] = (byte) (in[inOffset + i] ^ output[i * blockBytes]);
        }
    }

    @Override
    void wipe() {
        Bytes.wipe(input, output, stream);
    }
}
