// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import org.manyfish.block.BlockCipher;

/** A mode in Java, over a block cipher that it owns. */
abstract class BlockMode extends Mode {
    /**
     * The bytes of a piece that modes hand to the cipher: a multiple of what any kernel works on at
     * a time, and no more than stays in the first-level cache beside its tables.
     */
    static final int PIECE_BYTES = 4096;

    final BlockCipher cipher;
    final int blockBytes;
    private boolean closed;

    BlockMode(BlockCipher cipher) {
        this.cipher = cipher;
        this.blockBytes = cipher.blockBytes();
    }

    /** A closed mode has a key of zeros, under which nothing must be encrypted. */
    @Override
    public final void start(byte[] iv) {
        if (closed) {
            throw new IllegalStateException("the mode has been closed");
        }
        begin(iv);
    }

    /** Starts a message in this mode. */
    abstract void begin(byte[] iv);

    /** Wipes all but the cipher. */
    abstract void wipe();

    @Override
    public final void close() {
        closed = true;
        wipe();
        cipher.close();
    }

    /** Refuses an IV of another length, in modes that take one length only. */
    static void checkIv(String mode, byte[] iv, int ivBytes) {
        if (iv.length != ivBytes) {
            throw new IllegalArgumentException(
                    mode + " takes an IV of " + ivBytes + " bytes, not " + iv.length);
        }
    }
}
