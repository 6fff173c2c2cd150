// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import org.manyfish.jni.NativeEngine;
import org.manyfish.jni.NativeLibrary;

/** Which engine computes. */
public final class Engines {
    private static final Engine JAVA = new JavaEngine();

    private Engines() {}

    /**
     * The C library where it could be loaded, else Java.
     *
     * @throws IllegalStateException if the property manyfish.native is true and it could not
     */
    public static Engine best() {
        final Engine library = NativeEngine.orNull();
        return library != null ? library : JAVA;
    }

    /**
     * An engine by its name.
     *
     * @param name "java" or "native"
     * @throws IllegalStateException if it is "native" and could not be loaded
     */
    public static Engine byName(String name) {
        switch (name) {
            case "java":
                return JAVA;
            case "native":
                if (NativeLibrary.available()) {
                    return NativeEngine.orNull();
                }
                throw new IllegalStateException(
                        "the native engine cannot be used: " + NativeLibrary.refusal());
            default:
                throw new IllegalArgumentException(
                        "no engine \"" + name + "\"; there are \"java\" and \"native\"");
        }
    }
}
