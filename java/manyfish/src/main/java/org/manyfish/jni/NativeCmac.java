// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jni;

import java.util.Objects;
import org.manyfish.mode.CipherName;
import org.manyfish.mode.Cmac;

/** CMAC that the C library computes. */
final class NativeCmac implements Cmac {
    private static final byte[] NOTHING = new byte[0];

    private final NativeState state;
    private final int tagBytes;

    NativeCmac(CipherName cipher, String kernel, byte[] key) {
        state = new NativeState(this, cipher.name(), kernel, "CMAC", true, key);
        tagBytes = cipher.blockBytes();
    }

    @Override
    public synchronized void update(byte[] in, int offset, int nBytes) {
        Objects.checkFromIndexSize(offset, nBytes, in.length);
        Statuses.check(Native.aad(state.handle(), in, offset, nBytes));
    }

    @Override
    public synchronized void finish(byte[] tag, int tagOffset) {
        Objects.checkFromIndexSize(tagOffset, tagBytes, tag.length);
        Statuses.check(
                Native.finish(state.handle(), NOTHING, 0, NOTHING, 0, 0, tag, tagOffset, tagBytes));
    }

    @Override
    public synchronized void reset() {
        Statuses.check(Native.start(state.handle(), NOTHING));
    }

    @Override
    public synchronized void close() {
        state.close();
    }
}
