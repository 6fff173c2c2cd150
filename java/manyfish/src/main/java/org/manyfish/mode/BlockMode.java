// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import org.manyfish.block.BlockCipher;

/** A mode in Java, over a block cipher that it owns. */
abstract class BlockMode extends Mode {
    /**
     * Modes hand blocks to the cipher in pieces of so many bytes: a multiple of what any kernel
     * works on at a time, and no more than stays in the first-level cache beside its tables.
     */
    static final int PIECE_BYTES = 4096;

    final BlockCipher cipher;
    final int blockBytes;

    BlockMode(BlockCipher cipher) {
        this.cipher = cipher;
        this.blockBytes = cipher.blockBytes();
    }

    /** Wipes all but the cipher. */
    abstract void wipe();

    @Override
    public final void close() {
        wipe();
        cipher.close();
    }

    /** What start says where it takes one length only. */
    static void checkIv(String mode, byte[] iv, int ivBytes) {
        if (iv.length != ivBytes) {
            throw new IllegalArgumentException(
                    mode + " takes an IV of " + ivBytes + " bytes, not " + iv.length);
        }
    }
}
