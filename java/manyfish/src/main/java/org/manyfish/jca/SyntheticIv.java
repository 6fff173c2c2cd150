// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

import javax.crypto.AEADBadTagException;
import org.manyfish.mode.Mode;

/** A message that SIV encrypts: the tag, which is the IV, comes first. [RFC5297, 2.6] */
final class SyntheticIv extends Collected {
    SyntheticIv(Mode mode, MessageParameters parameters, Scratch scratch) {
        super(mode, parameters, scratch);
    }

    @Override
    int finalBytes(int nBytes) {
        return Math.addExact(Math.addExact(heldBytes(), nBytes), parameters.tagBytes);
    }

    @Override
    void whole(byte[] out, int outOffset, byte[] in, int inOffset, int nBytes)
            throws AEADBadTagException {
        final byte[] tag = new byte[parameters.tagBytes];
        mode.finish(out, outOffset + tag.length, in, inOffset, nBytes, tag, 0, tag.length);
        System.arraycopy(tag, 0, out, outOffset, tag.length);
    }
}
