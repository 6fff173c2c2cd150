// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.List;
import java.util.function.Consumer;
import javax.crypto.AEADBadTagException;

/** The engine of the tests that any engine has to pass; a class for each engine has them all. */
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

    /**
     * That each kernel makes of the text what is expected, ciphertext and tag, and takes it back.
     */
    default void checkBothWays(Example example, byte[] text, byte[] sealed) {
        forEachKernel(
                example.cipher,
                kernel -> {
                    final String what = kernel + " " + example + " text " + text.length;
                    try (Mode encryption = example.mode(engine(), kernel, true);
                            Mode decryption = example.mode(engine(), kernel, false)) {
                        assertArrayEquals(sealed, example.seal(encryption, text), what);
                        assertArrayEquals(text, example.open(decryption, sealed), what);
                    } catch (AEADBadTagException e) {
                        throw new AssertionError(what, e);
                    }
                });
    }

    /** The CMAC of a message in one piece. */
    default byte[] cmac(CipherName cipher, String kernel, byte[] key, byte[] message) {
        final byte[] tag = new byte[cipher.blockBytes()];
        try (Cmac cmac = engine().cmac(cipher, kernel, key)) {
            cmac.update(message, 0, message.length);
            cmac.finish(tag, 0);
        }
        return tag;
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
