// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import java.nio.ByteBuffer;
import javax.crypto.AEADBadTagException;

/**
 * A mode of a block cipher with one key and one direction, message by message: start, aad any
 * number of times, update any number of times, finish. The caller has checked the arguments:
 * buffers are large enough, out and in are the same place or do not overlap, and the order is kept.
 * Not for several threads at a time.
 */
public abstract class Mode implements AutoCloseable {
    /** The unit of modes that take a message only as a whole, by finish. */
    public static final int WHOLE_MESSAGE = 0;

    /** The unit of update, in bytes: 1, the block, or WHOLE_MESSAGE (no update then). */
    public abstract int unitBytes();

    /** Begins a message. iv: the IV, nonce or tweak, in bytes of a length that the mode takes. */
    public abstract void start(byte[] iv);

    /** Associated data, before the text; only authenticated modes have it. */
    public void aad(byte[] aad, int offset, int nBytes) {
        throw new IllegalStateException("this mode has no associated data");
    }

    /** Encrypts or decrypts nBytes bytes, a multiple of the unit. */
    public abstract void update(byte[] out, int outOffset, byte[] in, int inOffset, int nBytes);

    /**
     * The same for buffers, direct ones too: all that remains in in, a multiple of the unit, goes
     * to out; both positions move.
     */
    public void update(ByteBuffer out, ByteBuffer in) {
        Buffers.updateByArrays(this, out, in);
    }

    /**
     * The last piece of a message, of any length that the mode allows, 0 too; out gets as many
     * bytes.
     *
     * @param tag where the tag is written when encrypting and read when decrypting, from tagOffset
     *     on; ignored by modes without one
     * @param tagBytes its length in bytes; 0 for modes without one
     * @throws AEADBadTagException if the tag does not fit; this piece of out is then wiped, and the
     *     caller discards what update gave
     */
    public abstract void finish(
            byte[] out,
            int outOffset,
            byte[] in,
            int inOffset,
            int nBytes,
            byte[] tag,
            int tagOffset,
            int tagBytes)
            throws AEADBadTagException;

    /** Wipes what depends on the key, as far as Java lets one. */
    @Override
    public abstract void close();
}
