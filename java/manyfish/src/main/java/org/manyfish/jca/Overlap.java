// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

import java.nio.ByteBuffer;

/** Whether two buffers share memory: Java does not tell the address of a direct one, but nearly. */
final class Overlap {
    /** The largest unit that alignmentOffset takes: it gives the address modulo this. */
    private static final int UNIT = 1 << 30;

    private Overlap() {}

    /**
     * Whether the first outBytes of out could lie where what remains of in lies. The answer may be
     * true by mistake.
     *
     * @param sameStart whether to tolerate that both begin at the same place
     */
    static boolean of(ByteBuffer out, int outBytes, ByteBuffer in, boolean sameStart) {
        final int inBytes = in.remaining();
        if (out.isDirect() != in.isDirect() || outBytes == 0 || inBytes == 0) {
            return false;
        }
        if (out.isDirect()) {
            return ofDirect(out, outBytes, in, sameStart);
        }
        if (!in.hasArray()) {
            return true; // a read-only view, of out perhaps
        }
        final long distance =
                (long) out.arrayOffset() + out.position() - in.arrayOffset() - in.position();
        return out.array() == in.array()
                && (distance == 0 ? !sameStart : distance < inBytes && -distance < outBytes);
    }

    private static boolean ofDirect(
            ByteBuffer out, int outBytes, ByteBuffer in, boolean sameStart) {
        final int inBytes = in.remaining();
        if (inBytes >= UNIT || outBytes >= UNIT) {
            return true;
        }
        final int distance =
                out.alignmentOffset(out.position(), UNIT) - in.alignmentOffset(in.position(), UNIT)
                        & UNIT - 1;
        return distance == 0 ? !sameStart : distance < inBytes || UNIT - distance < outBytes;
    }
}
