// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish;

import java.security.InvalidParameterException;
import java.security.Provider;
import org.manyfish.jca.Services;
import org.manyfish.jca.Setup;
import org.manyfish.jni.NativeLibrary;

/**
 * Twofish, and DES for old data, for javax.crypto: Cipher, Mac, KeyGenerator and
 * AlgorithmParameters by the names that Bouncy Castle uses.
 *
 * <p>It computes by the C library where that can be loaded, else in Java; either way by a kernel
 * that is constant-time. {@link #configure} makes a provider with another choice.
 */
public final class ManyfishProvider extends Provider {
    /** The name of this provider, for Cipher.getInstance. */
    public static final String NAME = "Manyfish";

    private static final long serialVersionUID = 1;
    private static final String INFO = "Twofish in all its modes, CMAC; DES and Triple-DES";

    /** Whether {@link #configure} made it. */
    private final boolean configured;

    private final transient Setup setup;

    /** The provider with its defaults. */
    public ManyfishProvider() {
        this(null, null);
    }

    private ManyfishProvider(String engine, String kernel) {
        super(NAME, NativeLibrary.VERSION, INFO);
        configured = engine != null || kernel != null;
        setup = new Setup(this, engine, kernel);
        Services.of(this, setup).forEach(this::putService);
    }

    /**
     * A provider that computes by an engine and a kernel of your choice.
     *
     * @param choice an engine ("java" or "native"), a kernel of Twofish ("full"), or both with a
     *     space between ("java full"); kernels that leak are taken too
     * @throws InvalidParameterException if there is no such engine or kernel here
     */
    @Override
    public Provider configure(String choice) {
        String engine = null;
        String kernel = null;
        for (final String word : choice.trim().split("\\s+")) {
            if (word.equals("java") || word.equals("native")) {
                engine = word;
            } else if (kernel == null) {
                kernel = word;
            } else {
                throw new InvalidParameterException(
                        "expected an engine, a kernel or both, found \"" + choice + "\"");
            }
        }
        new Setup(null, engine, kernel).check();
        return new ManyfishProvider(engine, kernel);
    }

    /** With what it computes. */
    Setup setup() {
        return setup;
    }

    /** The provider's algorithms, and which engine computes it: "native", or "java" and why. */
    @Override
    public String getInfo() {
        return setup == null ? INFO : INFO + "; engine: " + setup.engineInWords();
    }

    @Override
    public boolean isConfigured() {
        return configured;
    }
}
