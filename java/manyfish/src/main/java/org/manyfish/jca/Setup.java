// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

import java.security.InvalidParameterException;
import java.security.Provider;
import org.manyfish.block.KernelList;
import org.manyfish.jni.NativeLibrary;
import org.manyfish.mode.CipherName;
import org.manyfish.mode.Engine;
import org.manyfish.mode.Engines;

/** With what a provider computes. The engine is looked for when it is needed first. */
public final class Setup {
    private final Provider provider;
    private final String engineName;
    private final String kernel;

    /**
     * @param provider to which the services belong
     * @param engineName "java", "native", or null for the better one that is there
     * @param kernel of Twofish, or null for the default
     */
    public Setup(Provider provider, String engineName, String kernel) {
        this.provider = provider;
        this.engineName = engineName;
        this.kernel = kernel;
    }

    /** InvalidParameterException, if there is no such engine or kernel. */
    public void check() {
        try {
            engine().cmac(CipherName.TWOFISH, kernel(CipherName.TWOFISH), new byte[16]).close();
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new InvalidParameterException(e.getMessage());
        }
    }

    Provider provider() {
        return provider;
    }

    public Engine engine() {
        return engineName == null ? Engines.best() : Engines.byName(engineName);
    }

    /** The name of the engine, and why it is Java where that was not asked for. */
    public String engineInWords() {
        final String name = engine().name();
        final boolean wasAsked = engineName != null || name.equals("native");
        return wasAsked ? name : name + ", since " + NativeLibrary.refusal();
    }

    /**
     * The kernel to ask the engine for, or null for its default.
     *
     * @throws IllegalArgumentException as {@link KernelList#named}
     */
    public String kernel(CipherName cipher) {
        if (cipher != CipherName.TWOFISH) {
            return null;
        }
        return kernel != null ? kernel : KernelList.named(engine()::leaks);
    }
}
