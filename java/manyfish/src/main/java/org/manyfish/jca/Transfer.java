// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.crypto.BadPaddingException;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.ShortBufferException;

/**
 * Text between the caller's buffers and a message: it sees to room and overlap, as Message wants
 * it. If there is too little room, neither buffer nor message is changed.
 */
final class Transfer {
    private Transfer() {}

    /** Returns how many bytes were put into out. */
    static int update(Message message, ByteBuffer in, ByteBuffer out) throws ShortBufferException {
        final int nBytes = message.updateBytes(in.remaining());
        checkRoom(out, nBytes);
        final ByteBuffer source = source(message, in, out, nBytes);
        final int start = out.position();
        try {
            message.update(out, source);
        } finally {
            wipeCopy(source, in);
        }
        in.position(in.limit());
        return out.position() - start;
    }

    /** The same with the last piece. */
    static int finish(Message message, ByteBuffer in, ByteBuffer out)
            throws ShortBufferException, IllegalBlockSizeException, BadPaddingException {
        message.checkEnd(in.remaining());
        final int nBytes = message.finalBytes(in.remaining());
        if (!message.mayFinishShorter()) {
            checkRoom(out, nBytes);
        }
        final ByteBuffer source = source(message, in, out, nBytes);
        final int start = out.position();
        try {
            message.finish(out, source);
        } finally {
            wipeCopy(source, in);
        }
        in.position(in.limit());
        return out.position() - start;
    }

    private static void checkRoom(ByteBuffer out, int nBytes) throws ShortBufferException {
        if (out.remaining() < nBytes) {
            throw new ShortBufferException(
                    "the output has " + nBytes + " bytes; there is room for " + out.remaining());
        }
    }

    /**
     * The buffer to read instead of in: the same place, or a copy where out would be written over
     * it.
     */
    private static ByteBuffer source(Message message, ByteBuffer in, ByteBuffer out, int outBytes) {
        final boolean inPlace = message.heldBytes() == 0;
        if (message.readsAllFirst() || !Overlap.of(out, outBytes, in, inPlace)) {
            return in.duplicate();
        }
        return ByteBuffer.allocate(in.remaining()).put(in.duplicate()).flip();
    }

    private static void wipeCopy(ByteBuffer source, ByteBuffer in) {
        final boolean isCopy =
                source.hasArray() && (!in.hasArray() || source.array() != in.array());
        if (isCopy) {
            Arrays.fill(source.array(), (byte) 0);
        }
    }
}
