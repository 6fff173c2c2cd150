// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

import javax.crypto.AEADBadTagException;
import org.manyfish.mode.Mode;

/** A message that is encrypted as a whole, with its tag before it [RFC5297, 2.6] or after it. */
final class SealedWhole extends Collected {
    private final boolean tagComesFirst;

    SealedWhole(Mode mode, MessageParameters parameters, Scratch scratch, boolean tagComesFirst) {
        super(mode, parameters, scratch);
        this.tagComesFirst = tagComesFirst;
    }

    @Override
    int finalBytes(int nBytes) {
        return Math.addExact(Math.addExact(heldBytes(), nBytes), parameters.tagBytes);
    }

    @Override
    void whole(byte[] out, int outOffset, byte[] in, int inOffset, int nBytes)
            throws AEADBadTagException {
        final byte[] tag = new byte[parameters.tagBytes];
        final int textOffset = tagComesFirst ? outOffset + tag.length : outOffset;
        mode.finish(out, textOffset, in, inOffset, nBytes, tag, 0, tag.length);
        System.arraycopy(tag, 0, out, tagComesFirst ? outOffset : outOffset + nBytes, tag.length);
    }
}
