// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Byte buffers for modes that compute on arrays. */
final class Buffers {
    /** A multiple of every unit, small enough for the first-level cache. */
    private static final int PIECE_BYTES = 8192;

    private Buffers() {}

    static void updateByArrays(Mode mode, ByteBuffer out, ByteBuffer in) {
        if (out.hasArray() && in.hasArray()) {
            updateArrays(mode, out, in);
        } else {
            updateByCopies(mode, out, in);
        }
    }

    private static void updateArrays(Mode mode, ByteBuffer out, ByteBuffer in) {
        final int nBytes = in.remaining();
        mode.update(
                out.array(),
                out.arrayOffset() + out.position(),
                in.array(),
                in.arrayOffset() + in.position(),
                nBytes);
        out.position(out.position() + nBytes);
        in.position(in.position() + nBytes);
    }

    private static void updateByCopies(Mode mode, ByteBuffer out, ByteBuffer in) {
        final byte[] piece = new byte[Math.min(in.remaining(), PIECE_BYTES)];
        while (in.hasRemaining()) {
            final int nBytes = Math.min(in.remaining(), piece.length);
            in.get(piece, 0, nBytes);
            mode.update(piece, 0, piece, 0, nBytes);
            out.put(piece, 0, nBytes);
        }
        Arrays.fill(piece, (byte) 0);
    }
}
