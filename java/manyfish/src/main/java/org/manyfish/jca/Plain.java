// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

import java.nio.ByteBuffer;
import javax.crypto.AEADBadTagException;
import javax.crypto.IllegalBlockSizeException;
import org.manyfish.mode.Mode;

/** A message without padding and tag. */
final class Plain extends Piecewise {
    Plain(Mode mode, MessageParameters parameters) {
        super(mode, parameters, mode.unitBytes());
    }

    @Override
    int finalBytes(int nBytes) {
        return Math.addExact(heldBytes(), nBytes);
    }

    @Override
    void checkEnd(int nBytes) throws IllegalBlockSizeException {
        checkWholeUnits(nBytes, "without padding");
    }

    @Override
    void end(ByteBuffer out, ByteBuffer in) throws AEADBadTagException {
        through(out, in, NOTHING);
    }
}
