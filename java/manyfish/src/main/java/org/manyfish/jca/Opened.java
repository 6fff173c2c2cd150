// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

import javax.crypto.AEADBadTagException;
import org.manyfish.mode.Mode;

/**
 * A message with a tag that is decrypted. Nothing of it is handed out before the tag was found
 * right; an array that it was decrypted into is wiped otherwise.
 */
final class Opened extends Collected {
    private final boolean tagComesFirst;

    Opened(Mode mode, MessageParameters parameters, Scratch scratch, boolean tagComesFirst) {
        super(mode, parameters, scratch);
        this.tagComesFirst = tagComesFirst;
    }

    @Override
    int finalBytes(int nBytes) {
        return Math.max(0, Math.addExact(heldBytes(), nBytes) - parameters.tagBytes);
    }

    /** A length that nothing encrypted has makes a forgery, whose tag is wrong at the end. */
    @Override
    void checkLength(long nBytes) {}

    @Override
    void whole(byte[] out, int outOffset, byte[] in, int inOffset, int nBytes)
            throws AEADBadTagException {
        final int tagBytes = parameters.tagBytes;
        final int nText = nBytes - tagBytes;
        if (nText < 0) {
            throw new AEADBadTagException(
                    "a message has a tag of " + tagBytes + " bytes; found only " + nBytes);
        }
        if (!parameters.hasRoomFor(nText)) {
            throw new AEADBadTagException(parameters.limit());
        }
        final int tagOffset = tagComesFirst ? inOffset : inOffset + nText;
        final int textOffset = tagComesFirst ? inOffset + tagBytes : inOffset;
        mode.finish(out, outOffset, in, textOffset, nText, in, tagOffset, tagBytes);
    }
}
