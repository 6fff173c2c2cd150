// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import java.util.List;
import java.util.function.Consumer;
import javax.crypto.AEADBadTagException;

/** What the tests that any engine has to pass know of it; a class for each engine has them all. */
public interface EngineTests {
    Engine engine();

    /** The kernels of this engine that run here. */
    List<String> kernels(CipherName cipher);

    default void forEachKernel(CipherName cipher, Consumer<String> test) {
        final List<String> kernels = kernels(cipher);
        if (kernels.isEmpty()) {
            throw new AssertionError(
                    "no kernel of " + cipher + ": a test over them would test nothing");
        }
        kernels.forEach(test);
    }

    /** A message in one piece: out = text, then tag. */
    static byte[] seal(Mode mode, byte[] iv, byte[] aad, byte[] text, int tagBytes)
            throws AEADBadTagException {
        final byte[] out = new byte[text.length + tagBytes];
        start(mode, iv, aad);
        mode.finish(out, 0, text, 0, text.length, out, text.length, tagBytes);
        return out;
    }

    /** The same, back. */
    static byte[] open(Mode mode, byte[] iv, byte[] aad, byte[] sealed, int tagBytes)
            throws AEADBadTagException {
        final byte[] out = new byte[sealed.length - tagBytes];
        start(mode, iv, aad);
        mode.finish(out, 0, sealed, 0, out.length, sealed, out.length, tagBytes);
        return out;
    }

    /** aad: null for modes without, and for none in SIV. */
    static void start(Mode mode, byte[] iv, byte[] aad) {
        mode.start(iv);
        if (aad != null) {
            mode.aad(aad, 0, aad.length);
        }
    }
}
