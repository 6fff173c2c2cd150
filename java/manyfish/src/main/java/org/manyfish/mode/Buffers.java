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
