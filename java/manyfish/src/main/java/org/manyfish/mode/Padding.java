// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import java.util.Arrays;
import javax.crypto.BadPaddingException;

/** The padding that the JCA calls PKCS5Padding, for blocks of any size. [RFC5652, 6.3] */
public final class Padding {
    private Padding() {}

    /** Fills up a block of which nBytes, not all, are the end of a text. */
    public static void pad(byte[] block, int nBytes) {
        Arrays.fill(block, nBytes, block.length, (byte) (block.length - nBytes));
    }

    /**
     * How many bytes of a block are text. The time does not depend on where the padding is wrong.
     * The error is a padding oracle for anyone who can probe it.
     */
    public static int textBytes(byte[] block) throws BadPaddingException {
        final int nPadding = block[block.length - 1] & 0xFF;
        int wrong = (nPadding - 1 | block.length - nPadding) >> 31;
        for (int i = 1; i <= block.length; i++) {
            final int inPadding = (i - 1 - nPadding) >> 31;
            wrong |= inPadding & (block[block.length - i] & 0xFF ^ nPadding);
        }
        if (wrong != 0) {
            throw new BadPaddingException(
                    "the text does not end in a padding: the key, the IV or the data differ from"
                            + " those of the encryption");
        }
        return block.length - nPadding;
    }
}
