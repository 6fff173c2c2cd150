// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import org.manyfish.block.BlockCipher;

/**
 * OFB [SP800-38A, 6.4]: a key stream in which each block is the encryption of the one before.
 * Serial by nature; both directions are one.
 */
final class Ofb extends PlainMode {
    /** A block whose last unusedBytes bytes are still to be used. */
    private final byte[] keystream;

    private int unusedBytes;

    Ofb(BlockCipher cipher) {
        super(cipher);
        keystream = new byte[blockBytes];
    }

    @Override
    public int unitBytes() {
        return 1;
    }

    @Override
    void begin(byte[] iv) {
        checkIv("OFB", iv, blockBytes);
        System.arraycopy(iv, 0, keystream, 0, blockBytes);
        unusedBytes = 0;
    }

    @Override
    public void update(byte[] out, int outOffset, byte[] in, int inOffset, int nBytes) {
        int done = 0;
        while (done < nBytes) {
            if (unusedBytes == 0) {
                cipher.encryptBlocks(keystream, 0, keystream, 0, 1);
                unusedBytes = blockBytes;
            }
            final int n = Math.min(nBytes - done, unusedBytes);
            final int at = blockBytes - unusedBytes;
            Bytes.xor(out, outOffset + done, in, inOffset + done, keystream, at, n);
            unusedBytes -= n;
            done += n;
        }
    }

    @Override
    void wipe() {
        unusedBytes = 0;
        Bytes.wipe(keystream);
    }
}
