// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

import java.nio.ByteBuffer;
import javax.crypto.AEADBadTagException;
import org.manyfish.mode.Mode;

/** A message that is encrypted and followed by a tag. */
final class Sealed extends Piecewise {
    Sealed(Mode mode, MessageParameters parameters) {
        super(mode, parameters, mode.unitBytes());
    }

    @Override
    int finalBytes(int nBytes) {
        return Math.addExact(Math.addExact(heldBytes(), nBytes), parameters.tagBytes);
    }

    @Override
    void end(ByteBuffer out, ByteBuffer in) throws AEADBadTagException {
        final byte[] tag = new byte[parameters.tagBytes];
        through(out, in, tag);
        out.put(tag);
    }
}
