// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import org.manyfish.block.BlockCipher;

/** ECB: each block by itself; reveals which blocks are equal [SP800-38A, 6.1]. */
final class Ecb extends PlainMode {
    private final boolean encrypting;

    Ecb(BlockCipher cipher, boolean encrypting) {
        super(cipher);
        this.encrypting = encrypting;
    }

    @Override
    public int unitBytes() {
        return blockBytes;
    }

    /** There is no IV: any value, null too, is ignored. */
    @Override
    void begin(byte[] iv) {}

    @Override
    public void update(byte[] out, int outOffset, byte[] in, int inOffset, int nBytes) {
        if (encrypting) {
            cipher.encryptBlocks(out, outOffset, in, inOffset, nBytes / blockBytes);
        } else {
            cipher.decryptBlocks(out, outOffset, in, inOffset, nBytes / blockBytes);
        }
    }

    @Override
    void wipe() {}
}
