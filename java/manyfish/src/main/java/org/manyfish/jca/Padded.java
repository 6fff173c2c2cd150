// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

import java.nio.ByteBuffer;
import javax.crypto.AEADBadTagException;
import org.manyfish.mode.Mode;

/** A message that is encrypted with PKCS5Padding. */
final class Padded extends Piecewise {
    Padded(Mode mode, MessageParameters parameters, int blockBytes) {
        super(mode, parameters, blockBytes);
    }

    @Override
    int finalBytes(int nBytes) {
        return Math.addExact(updateBytes(nBytes), unitBytes);
    }

    @Override
    void end(ByteBuffer out, ByteBuffer in) throws AEADBadTagException {
        take(out, in);
        pad();
        out.put(finishHeld(NOTHING));
    }
}
