// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

/** The block ciphers. */
public enum CipherName {
    TWOFISH(16),
    DES(8),
    TRIPLE_DES(8);

    private final int blockBytes;

    CipherName(int blockBytes) {
        this.blockBytes = blockBytes;
    }

    /** The size of a block in bytes. */
    public int blockBytes() {
        return blockBytes;
    }
}
