// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import org.manyfish.block.BlockCipher;

/**
 * CBC [SP800-38A, 6.2]. Encryption is serial by nature; decryption hands many blocks to the cipher
 * at once.
 */
final class Cbc extends PlainMode {
    private final boolean encrypting;

    /** The ciphertext block before; at first the IV. */
    private final byte[] chain;

    /** Ciphertexts that decryption still needs when out has taken their place: no secret. */
    private final byte[] before;

    Cbc(BlockCipher cipher, boolean encrypting) {
        super(cipher);
        this.encrypting = encrypting;
        chain = new byte[blockBytes];
        before = new byte[encrypting ? 0 : PIECE_BYTES];
    }

    @Override
    public int unitBytes() {
        return blockBytes;
    }

    @Override
    void begin(byte[] iv) {
        checkIv("CBC", iv, blockBytes);
        System.arraycopy(iv, 0, chain, 0, blockBytes);
    }

    @Override
    public void update(byte[] out, int outOffset, byte[] in, int inOffset, int nBytes) {
        if (encrypting) {
            encrypt(out, outOffset, in, inOffset, nBytes);
            return;
        }
        for (int i = 0; i < nBytes; i += PIECE_BYTES) {
            final int n = Math.min(nBytes - i, PIECE_BYTES);
            decryptPiece(out, outOffset + i, in, inOffset + i, n);
        }
    }

    private void encrypt(byte[] out, int outOffset, byte[] in, int inOffset, int nBytes) {
        byte[] last = chain;
        int lastOffset = 0;
        for (int i = 0; i < nBytes; i += blockBytes) {
            Bytes.xor(out, outOffset + i, in, inOffset + i, last, lastOffset, blockBytes);
            cipher.encryptBlocks(out, outOffset + i, out, outOffset + i, 1);
            last = out;
            lastOffset = outOffset + i;
        }
        System.arraycopy(last, lastOffset, chain, 0, blockBytes);
    }

    private void decryptPiece(byte[] out, int outOffset, byte[] in, int inOffset, int nBytes) {
        System.arraycopy(chain, 0, before, 0, blockBytes);
        System.arraycopy(in, inOffset, before, blockBytes, nBytes - blockBytes);
        System.arraycopy(in, inOffset + nBytes - blockBytes, chain, 0, blockBytes);
        cipher.decryptBlocks(out, outOffset, in, inOffset, nBytes / blockBytes);
        Bytes.xor(out, outOffset, out, outOffset, before, 0, nBytes);
    }

    @Override
    void wipe() {
        Bytes.wipe(chain, before);
    }
}
