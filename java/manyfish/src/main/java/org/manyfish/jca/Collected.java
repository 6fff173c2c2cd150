// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import org.manyfish.mode.Mode;

/** A message that goes through a mode as a whole: nothing comes out before the end. */
abstract class Collected extends Message {
    private final Scratch scratch;
    private byte[] held = NOTHING;
    private int nHeld;

    Collected(Mode mode, MessageParameters parameters, Scratch scratch) {
        super(mode, parameters);
        this.scratch = scratch;
    }

    @Override
    final int heldBytes() {
        return nHeld;
    }

    @Override
    final int updateBytes(int nBytes) {
        return 0;
    }

    @Override
    final boolean readsAllFirst() {
        return true;
    }

    @Override
    final void take(ByteBuffer out, ByteBuffer in) {
        final int total = Math.addExact(nHeld, in.remaining());
        if (total > held.length) {
            grow(Math.max(total, 2 * Math.min(nHeld, Integer.MAX_VALUE / 4)));
        }
        final int nBytes = in.remaining();
        in.get(held, nHeld, nBytes);
        nHeld += nBytes;
    }

    private void grow(int capacity) {
        final byte[] larger = Arrays.copyOf(held, capacity);
        Arrays.fill(held, (byte) 0);
        held = larger;
    }

    /** Where out is an array of its own the mode works there, and wipes it if the tag is wrong. */
    @Override
    final void end(ByteBuffer out, ByteBuffer in) throws AEADBadTagException {
        final int nResult = finalBytes(in.remaining());
        if (nHeld == 0 && in.hasArray() && out.hasArray() && in.array() != out.array()) {
            whole(out.array(), position(out), in.array(), position(in), in.remaining());
            out.position(out.position() + nResult);
            in.position(in.limit());
        } else {
            endByScratch(out, in, nResult);
        }
    }

    private void endByScratch(ByteBuffer out, ByteBuffer in, int nResult)
            throws AEADBadTagException {
        final byte[] result = scratch.take(nResult);
        try {
            if (nHeld == 0 && in.hasArray()) {
                whole(result, 0, in.array(), position(in), in.remaining());
                in.position(in.limit());
            } else {
                take(out, in);
                whole(result, 0, held, 0, nHeld);
            }
            out.put(result, 0, nResult);
        } finally {
            Arrays.fill(result, 0, nResult, (byte) 0);
        }
    }

    /**
     * Encrypts or decrypts a message, nBytes bytes of in from inOffset on, with its tag if it has
     * one, to out from outOffset on.
     */
    abstract void whole(byte[] out, int outOffset, byte[] in, int inOffset, int nBytes)
            throws AEADBadTagException;

    @Override
    final void wipe() {
        Arrays.fill(held, (byte) 0);
        held = NOTHING;
        nHeld = 0;
    }
}
