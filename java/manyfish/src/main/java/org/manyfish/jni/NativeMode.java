// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jni;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import javax.crypto.AEADBadTagException;
import org.manyfish.mode.CipherName;
import org.manyfish.mode.Mode;
import org.manyfish.mode.ModeName;

/** A mode that the C library computes. One call is one crossing, whatever the length. */
final class NativeMode extends Mode {
    private static final byte[] NOTHING = new byte[0];

    private final NativeState state;
    private final int unitBytes;

    /** Whether what comes out is not to be seen before its tag was found right. */
    private final boolean opens;

    NativeMode(CipherName cipher, String kernel, ModeName mode, byte[] key, boolean encrypting) {
        state = new NativeState(this, cipher.name(), kernel, mode.name(), encrypting, key);
        unitBytes = unitBytes(cipher, mode);
        opens = mode.hasTag() && !encrypting;
    }

    private static int unitBytes(CipherName cipher, ModeName mode) {
        switch (mode) {
            case ECB:
            case CBC:
            case OCB:
                return cipher.blockBytes();
            case XTS:
            case CCM:
            case SIV:
                return WHOLE_MESSAGE;
            default:
                return 1;
        }
    }

    @Override
    public int unitBytes() {
        return unitBytes;
    }

    @Override
    public synchronized void start(byte[] iv) {
        Statuses.check(Native.start(state.handle(), iv), (iv == null ? 0 : iv.length) + " bytes");
    }

    @Override
    public synchronized void aad(byte[] aad, int offset, int nBytes) {
        Objects.checkFromIndexSize(offset, nBytes, aad.length);
        Statuses.check(Native.aad(state.handle(), aad, offset, nBytes));
    }

    @Override
    public synchronized void update(
            byte[] out, int outOffset, byte[] in, int inOffset, int nBytes) {
        Objects.checkFromIndexSize(outOffset, nBytes, out.length);
        Objects.checkFromIndexSize(inOffset, nBytes, in.length);
        Statuses.check(Native.update(state.handle(), out, outOffset, in, inOffset, nBytes));
    }

    @Override
    public void update(ByteBuffer out, ByteBuffer in) {
        if (out.isDirect() && in.isDirect()) {
            updateDirect(out, in);
        } else if (out.hasArray() && in.hasArray()) {
            updateArrays(out, in);
        } else {
            super.update(out, in);
        }
    }

    private synchronized void updateDirect(ByteBuffer out, ByteBuffer in) {
        final int nBytes = in.remaining();
        Objects.checkFromIndexSize(out.position(), nBytes, out.limit());
        Statuses.check(
                Native.updateDirect(
                        state.handle(), out, out.position(), in, in.position(), nBytes));
        Reference.reachabilityFence(out);
        Reference.reachabilityFence(in);
        advance(out, in, nBytes);
    }

    private void updateArrays(ByteBuffer out, ByteBuffer in) {
        final int nBytes = in.remaining();
        Objects.checkFromIndexSize(out.position(), nBytes, out.limit());
        update(
                out.array(),
                out.arrayOffset() + out.position(),
                in.array(),
                in.arrayOffset() + in.position(),
                nBytes);
        advance(out, in, nBytes);
    }

    private static void advance(ByteBuffer out, ByteBuffer in, int nBytes) {
        in.position(in.position() + nBytes);
        out.position(out.position() + nBytes);
    }

    @Override
    public synchronized void finish(
            byte[] out,
            int outOffset,
            byte[] in,
            int inOffset,
            int nBytes,
            byte[] tag,
            int tagOffset,
            int tagBytes)
            throws AEADBadTagException {
        final byte[] someTag = tag == null ? NOTHING : tag;
        Objects.checkFromIndexSize(outOffset, nBytes, out.length);
        Objects.checkFromIndexSize(inOffset, nBytes, in.length);
        Objects.checkFromIndexSize(tagOffset, tagBytes, someTag.length);
        boolean right = false;
        try {
            final int status =
                    Native.finish(
                            state.handle(),
                            out,
                            outOffset,
                            in,
                            inOffset,
                            nBytes,
                            someTag,
                            tagOffset,
                            tagBytes);
            right = status == Native.OK;
            if (status == Native.TAG) {
                throw new AEADBadTagException(Native.statusText(status));
            }
            Statuses.check(status, nBytes + " bytes, a tag of " + tagBytes);
        } finally {
            if (!right && opens) { // an OutOfMemoryError of the machine leaves text there, too
                Arrays.fill(out, outOffset, outOffset + nBytes, (byte) 0);
            }
        }
    }

    @Override
    public synchronized void close() {
        state.close();
    }
}
