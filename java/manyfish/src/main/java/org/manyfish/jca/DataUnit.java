// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

import javax.crypto.AEADBadTagException;
import javax.crypto.IllegalBlockSizeException;
import org.manyfish.mode.Mode;

/** A data unit of XTS: a sector of a disk. */
final class DataUnit extends Collected {
    private static final int MIN_BYTES = 16;

    /** 2^20 blocks [IEEE1619, 5.1]. */
    private static final int MAX_BYTES = 1 << 24;

    DataUnit(Mode mode, MessageParameters parameters, Scratch scratch) {
        super(mode, parameters, scratch);
    }

    @Override
    int finalBytes(int nBytes) {
        return Math.addExact(heldBytes(), nBytes);
    }

    @Override
    void checkEnd(int nBytes) throws IllegalBlockSizeException {
        final int total = finalBytes(nBytes);
        if (total < MIN_BYTES || total > MAX_BYTES) {
            throw new IllegalBlockSizeException(
                    "a data unit of XTS has "
                            + MIN_BYTES
                            + " to "
                            + MAX_BYTES
                            + " bytes; found "
                            + total);
        }
    }

    @Override
    void whole(byte[] out, int outOffset, byte[] in, int inOffset, int nBytes)
            throws AEADBadTagException {
        mode.finish(out, outOffset, in, inOffset, nBytes, NOTHING, 0, 0);
    }
}
