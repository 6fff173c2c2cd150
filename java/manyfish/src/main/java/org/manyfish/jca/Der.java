// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** As much of DER as parameters need: strings of bytes, small integers, and one sequence. [X690] */
final class Der {
    static final int INTEGER = 0x02;
    static final int OCTET_STRING = 0x04;
    static final int SEQUENCE = 0x30;

    private Der() {}

    /** The contents behind their tag and length. */
    static byte[] encode(int tag, byte[] contents) {
        final int length = contents.length;
        final int lengthBytes = (39 - Integer.numberOfLeadingZeros(length)) / 8;
        final ByteBuffer out = ByteBuffer.allocate(2 + lengthBytes + length);
        out.put((byte) tag);
        if (length < 0x80) {
            out.put((byte) length);
        } else {
            out.put((byte) (0x80 | lengthBytes));
            for (int i = lengthBytes - 1; i >= 0; i--) {
                out.put((byte) (length >> 8 * i));
            }
        }
        out.put(contents);
        return Arrays.copyOf(out.array(), out.position());
    }

    /** The contents of the next element, which must have this tag; in moves past it. */
    static ByteBuffer decode(ByteBuffer in, int tag) throws IOException {
        if (in.remaining() < 2 || in.get() != (byte) tag) {
            throw new IOException("expected an element with the DER tag " + tag);
        }
        final int length = length(in);
        if (length < 0 || length > in.remaining()) {
            throw new IOException("expected " + length + " bytes of DER, found " + in.remaining());
        }
        final ByteBuffer contents = in.slice();
        contents.limit(length);
        in.position(in.position() + length);
        return contents;
    }

    private static int length(ByteBuffer in) throws IOException {
        final int first = in.get() & 0xFF;
        if (first < 0x80) {
            return first;
        }
        final int nBytes = first & 0x7F;
        if (nBytes < 1 || nBytes > 4 || nBytes > in.remaining()) {
            throw new IOException("expected a length in DER of at most 4 bytes, found " + nBytes);
        }
        int length = 0;
        for (int i = 0; i < nBytes; i++) {
            length = length << 8 | in.get() & 0xFF;
        }
        return length;
    }

    /** Nothing may follow. */
    static void end(ByteBuffer in) throws IOException {
        if (in.hasRemaining()) {
            throw new IOException("expected the end of DER, found " + in.remaining() + " bytes");
        }
    }

    static byte[] bytes(ByteBuffer contents) {
        final byte[] bytes = new byte[contents.remaining()];
        contents.get(bytes);
        return bytes;
    }
}
