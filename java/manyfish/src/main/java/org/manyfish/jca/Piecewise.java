// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.IllegalBlockSizeException;
import org.manyfish.mode.Mode;
import org.manyfish.mode.Padding;

/**
 * A message that goes through a mode as it comes, in whole units; what does not fill a unit is held
 * until there is more. How such a message ends is up to the classes below this one.
 */
abstract class Piecewise extends Message {
    final int unitBytes;
    private final byte[] held;
    private int nHeld;

    Piecewise(Mode mode, MessageParameters parameters, int unitBytes) {
        super(mode, parameters);
        this.unitBytes = unitBytes;
        this.held = new byte[unitBytes];
    }

    @Override
    final int heldBytes() {
        return nHeld;
    }

    @Override
    int updateBytes(int nBytes) {
        final int total = Math.addExact(nHeld, nBytes);
        return total - total % unitBytes;
    }

    final void checkWholeUnits(int nBytes, String when) throws IllegalBlockSizeException {
        if (Math.addExact(nHeld, nBytes) % unitBytes != 0) {
            throw new IllegalBlockSizeException(
                    when
                            + " the length must be a multiple of "
                            + unitBytes
                            + " bytes, not "
                            + textBytes(nBytes));
        }
    }

    @Override
    void take(ByteBuffer out, ByteBuffer in) {
        int nBytes = updateBytes(in.remaining());
        if (nBytes > 0 && nHeld > 0) {
            fill(in);
            mode.update(held, 0, held, 0, unitBytes);
            out.put(held);
            nHeld = 0;
            nBytes -= unitBytes;
        }
        through(out, in, nBytes);
        hold(in);
    }

    private void fill(ByteBuffer in) {
        in.get(held, nHeld, unitBytes - nHeld);
    }

    private void hold(ByteBuffer in) {
        final int nBytes = in.remaining();
        in.get(held, nHeld, nBytes);
        nHeld += nBytes;
    }

    /** nBytes bytes, whole units, past what is held. */
    private void through(ByteBuffer out, ByteBuffer in, int nBytes) {
        if (nBytes == 0) {
            return;
        }
        if (in.hasArray() && out.hasArray()) {
            mode.update(out.array(), position(out), in.array(), position(in), nBytes);
            out.position(out.position() + nBytes);
            in.position(in.position() + nBytes);
        } else {
            final int limit = in.limit();
            in.limit(in.position() + nBytes);
            mode.update(out, in);
            in.limit(limit);
        }
    }

    /** The end of the text, without padding; writes or compares the tag, if there is one. */
    final void through(ByteBuffer out, ByteBuffer in, byte[] tag) throws AEADBadTagException {
        if (nHeld == 0 && in.hasArray() && out.hasArray()) {
            final int nBytes = in.remaining();
            mode.finish(
                    out.array(),
                    position(out),
                    in.array(),
                    position(in),
                    nBytes,
                    tag,
                    0,
                    tag.length);
            out.position(out.position() + nBytes);
            in.position(in.limit());
        } else {
            take(out, in);
            finishHeld(tag);
            out.put(held, 0, nHeld);
        }
    }

    /** The bytes that take has left are the last piece of the text; returns where they lie then. */
    final byte[] finishHeld(byte[] tag) throws AEADBadTagException {
        mode.finish(held, 0, held, 0, nHeld, tag, 0, tag.length);
        return held;
    }

    /** Fills up the unit that take has left. */
    final void pad() {
        Padding.pad(held, nHeld);
        nHeld = unitBytes;
    }

    @Override
    void wipe() {
        Arrays.fill(held, (byte) 0);
        nHeld = 0;
    }
}
