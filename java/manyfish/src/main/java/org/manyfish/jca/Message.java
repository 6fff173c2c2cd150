// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

import java.nio.ByteBuffer;
import javax.crypto.BadPaddingException;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.ShortBufferException;
import org.manyfish.mode.Mode;

/**
 * One message after another on its way through a mode, and what of it is held between two calls.
 *
 * <p>in is read to its end. out has room for what updateBytes or finalBytes says, and is the same
 * place as in or does not overlap with it: the same only while nothing is held, or where all is
 * read first. The caller ensures that. A finish that throws ends the message, except with
 * ShortBufferException.
 */
abstract class Message {
    static final byte[] NOTHING = new byte[0];

    final Mode mode;
    final MessageParameters parameters;
    private boolean started;
    private long nText;

    Message(Mode mode, MessageParameters parameters) {
        this.mode = mode;
        this.parameters = parameters;
    }

    /** How many bytes are held of what has been given. */
    abstract int heldBytes();

    /** How many bytes update gives for nBytes more. */
    abstract int updateBytes(int nBytes);

    /** How many bytes finish gives for nBytes more, at the most. */
    abstract int finalBytes(int nBytes);

    /** Whether finish may give less than finalBytes says, and checks the room itself. */
    boolean mayFinishShorter() {
        return false;
    }

    /** Refuses an end after nBytes more, because of the length of the message. */
    void checkEnd(int nBytes) throws IllegalBlockSizeException {}

    /** Whether nothing is written before all has been read, so that in and out may overlap. */
    boolean readsAllFirst() {
        return false;
    }

    /** Takes the next piece of the text. */
    final void update(ByteBuffer out, ByteBuffer in) {
        beginText(in.remaining());
        take(out, in);
    }

    /** Takes the last piece, of 0 bytes too. The next call begins another message. */
    final void finish(ByteBuffer out, ByteBuffer in)
            throws BadPaddingException, ShortBufferException {
        final int nBytes = in.remaining();
        beginText(nBytes);
        try {
            end(out, in);
        } catch (ShortBufferException e) {
            nText -= nBytes; // the call will be repeated
            throw e;
        } catch (BadPaddingException | RuntimeException e) {
            reset();
            throw e;
        }
        reset();
    }

    abstract void take(ByteBuffer out, ByteBuffer in);

    abstract void end(ByteBuffer out, ByteBuffer in)
            throws BadPaddingException, ShortBufferException;

    /** Forgets and wipes what is held. */
    abstract void wipe();

    /** Begins again, with the same parameters. */
    final void reset() {
        wipe();
        started = false;
        nText = 0;
    }

    /** Takes associated data, before the text; for authenticated modes. */
    final void aad(byte[] aad, int offset, int nBytes) {
        if (nText > 0) {
            throw new IllegalStateException(
                    "associated data comes before the text, and update has been called");
        }
        start();
        if (nBytes > 0) {
            mode.aad(aad, offset, nBytes);
        }
    }

    private void beginText(int nBytes) {
        checkLength(nText + nBytes);
        start();
        nText += nBytes;
    }

    /** Refuses a message that is too long for its IV, as soon as it is. */
    void checkLength(long nBytes) {
        if (!parameters.hasRoomFor(nBytes)) {
            throw new IllegalStateException(parameters.tooLong());
        }
    }

    private void start() {
        if (started) {
            return;
        }
        mode.start(parameters.firstBlock);
        started = true;
        if (parameters.aad.length > 0) {
            mode.aad(parameters.aad, 0, parameters.aad.length);
        }
    }

    /** How long the text is, after nBytes more. */
    final long textBytes(int nBytes) {
        return nText + nBytes;
    }

    /** Where the rest of a buffer begins in its array. */
    static int position(ByteBuffer buffer) {
        return buffer.arrayOffset() + buffer.position();
    }
}
