// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import org.manyfish.block.BlockCipher;

/** A mode without a tag, whose last piece is one like the others. */
abstract class PlainMode extends BlockMode {
    PlainMode(BlockCipher cipher) {
        super(cipher);
    }

    @Override
    public final void finish(
            byte[] out,
            int outOffset,
            byte[] in,
            int inOffset,
            int nBytes,
            byte[] tag,
            int tagOffset,
            int tagBytes) {
        update(out, outOffset, in, inOffset, nBytes);
    }
}
