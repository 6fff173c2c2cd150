// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import org.manyfish.block.BlockCipher;

/** A mode with a tag, over blocks of 16 bytes. */
abstract class AuthenticatedMode extends BlockMode {
    static final int BLOCK = 16;

    final boolean encrypting;

    AuthenticatedMode(BlockCipher cipher, boolean encrypting) {
        super(cipher);
        this.encrypting = encrypting;
    }

    /** Whether the mode has tags of tagBytes bytes. */
    abstract boolean hasTagOf(int tagBytes);

    /** The last piece of the text. */
    abstract void finishText(byte[] out, int outOffset, byte[] in, int inOffset, int nBytes);

    /** Writes the tag of the message, a block. */
    abstract void computeTag(byte[] tag);

    /** Wipes what belongs to the message, not to the key. */
    abstract void forgetMessage();

    @Override
    public void finish(
            byte[] out,
            int outOffset,
            byte[] in,
            int inOffset,
            int nBytes,
            byte[] tag,
            int tagOffset,
            int tagBytes)
            throws AEADBadTagException {
        checkTagLength(tagBytes);
        final byte[] computed = new byte[BLOCK];
        boolean right = false;
        try {
            finishText(out, outOffset, in, inOffset, nBytes);
            computeTag(computed);
            if (encrypting) {
                System.arraycopy(computed, 0, tag, tagOffset, tagBytes);
            } else if (!Bytes.equal(computed, 0, tag, tagOffset, tagBytes)) {
                throw wrongTag();
            }
            right = true;
        } finally {
            Bytes.wipe(computed); // the right tag of a forgery is worth money
            forgetMessage();
            if (!right) {
                Arrays.fill(out, outOffset, outOffset + nBytes, (byte) 0);
            }
        }
    }

    final void checkTagLength(int tagBytes) {
        if (!hasTagOf(tagBytes)) {
            throw new IllegalArgumentException("the mode has no tag of " + tagBytes + " bytes");
        }
    }

    static AEADBadTagException wrongTag() {
        return new AEADBadTagException(
                "wrong tag: the key, the nonce, the data or the associated data differ");
    }
}
