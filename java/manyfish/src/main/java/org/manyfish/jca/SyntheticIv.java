// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

import javax.crypto.AEADBadTagException;
import org.manyfish.mode.Mode;

/** A message that SIV encrypts: the tag, which is the IV, comes first. [RFC5297, 2.6] */
final class SyntheticIv extends Collected {
    SyntheticIv(Mode mode, MessageParameters parameters) {
        super(mode, parameters);
    }

    @Override
    int finalBytes(int nBytes) {
        return Math.addExact(Math.addExact(heldBytes(), nBytes), parameters.tagBytes);
    }

    @Override
    byte[] whole(byte[] in, int offset, int nBytes) throws AEADBadTagException {
        final int tagBytes = parameters.tagBytes;
        final byte[] tag = new byte[tagBytes];
        final byte[] out = new byte[tagBytes + nBytes];
        mode.finish(out, tagBytes, in, offset, nBytes, tag, 0, tagBytes);
        System.arraycopy(tag, 0, out, 0, tagBytes);
        return out;
    }
}
