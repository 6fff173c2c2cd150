// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.crypto.BadPaddingException;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.ShortBufferException;
import org.manyfish.mode.Mode;
import org.manyfish.mode.Padding;

/**
 * A message that is decrypted and has PKCS5Padding, so that the last block is held until the end.
 * How long the text is turns out only then: if out is too short for it, it waits here for the call
 * to be repeated with a larger one.
 */
final class Unpadded extends Piecewise {
    private ByteBuffer waitingInput;
    private ByteBuffer waitingText;

    Unpadded(Mode mode, MessageParameters parameters, int blockBytes) {
        super(mode, parameters, blockBytes);
    }

    @Override
    int updateBytes(int nBytes) {
        final int whole = super.updateBytes(nBytes);
        final boolean endsHere = whole > 0 && whole == heldBytes() + nBytes;
        return endsHere ? whole - unitBytes : whole;
    }

    @Override
    int finalBytes(int nBytes) {
        return Math.addExact(heldBytes(), nBytes);
    }

    @Override
    void take(ByteBuffer out, ByteBuffer in) {
        if (waitingText != null) {
            throw notRepeated();
        }
        super.take(out, in);
    }

    @Override
    boolean mayFinishShorter() {
        return true;
    }

    @Override
    void checkEnd(int nBytes) throws IllegalBlockSizeException {
        if (waitingText == null) {
            checkWholeUnits(nBytes, "with padding");
        }
    }

    @Override
    void end(ByteBuffer out, ByteBuffer in) throws BadPaddingException, ShortBufferException {
        final int total = finalBytes(in.remaining());
        if (waitingText != null) {
            checkRepeated(in);
        } else if (out.remaining() < total - unitBytes) {
            throw tooShort(total - unitBytes + " to " + total, out);
        } else if (out.remaining() >= total) {
            decrypt(out, in);
            return;
        } else {
            waitingText = ByteBuffer.allocate(total); // wiped by whatever happens
            decrypt(waitingText, in.duplicate());
            waitingText.flip();
            waitingInput = ByteBuffer.allocate(in.remaining()).put(in.duplicate()).flip();
        }
        deliver(out, in);
    }

    private void decrypt(ByteBuffer out, ByteBuffer in) throws BadPaddingException {
        super.take(out, in);
        if (heldBytes() > 0) {
            final byte[] last = finishHeld(NOTHING);
            out.put(last, 0, Padding.textBytes(last));
        }
    }

    private void deliver(ByteBuffer out, ByteBuffer in) throws ShortBufferException {
        final int nBytes = waitingText.remaining();
        if (out.remaining() < nBytes) {
            throw tooShort(Integer.toString(nBytes), out);
        }
        out.put(waitingText);
        in.position(in.limit());
    }

    private static ShortBufferException tooShort(String textBytes, ByteBuffer out) {
        return new ShortBufferException(
                "the text has " + textBytes + " bytes; there is room for " + out.remaining());
    }

    private void checkRepeated(ByteBuffer in) {
        if (!in.equals(waitingInput)) {
            throw notRepeated();
        }
    }

    private static IllegalStateException notRepeated() {
        return new IllegalStateException(
                "after a ShortBufferException repeat doFinal with the same input and a larger"
                        + " buffer, or call init");
    }

    @Override
    void wipe() {
        super.wipe();
        if (waitingText != null) {
            Arrays.fill(waitingText.array(), (byte) 0);
        }
        waitingText = null;
        waitingInput = null;
    }
}
