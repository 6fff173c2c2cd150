// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import org.manyfish.mode.Mode;

/** A message that goes through a mode as a whole: nothing comes out before the end. */
abstract class Collected extends Message {
    private byte[] held = NOTHING;
    private int nHeld;

    Collected(Mode mode, MessageParameters parameters) {
        super(mode, parameters);
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

    @Override
    final void end(ByteBuffer out, ByteBuffer in) throws AEADBadTagException {
        final byte[] result;
        if (nHeld == 0 && in.hasArray()) {
            final int nBytes = in.remaining();
            result = whole(in.array(), in.arrayOffset() + in.position(), nBytes);
            in.position(in.limit());
        } else {
            take(out, in);
            result = whole(held, 0, nHeld);
        }
        out.put(result);
        Arrays.fill(result, (byte) 0);
    }

    /** Encrypts or decrypts a message, nBytes bytes from offset on, with its tag if it has one. */
    abstract byte[] whole(byte[] in, int offset, int nBytes) throws AEADBadTagException;

    @Override
    final void wipe() {
        Arrays.fill(held, (byte) 0);
        held = NOTHING;
        nHeld = 0;
    }
}
