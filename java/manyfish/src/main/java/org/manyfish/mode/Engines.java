// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

/** Which engine computes. */
public final class Engines {
    private static final Engine JAVA = new JavaEngine();

    private Engines() {}

    /** The C library where it could be loaded, else Java. */
    public static Engine best() {
        return JAVA;
    }

    /**
     * An engine by its name.
     *
     * @param name "java" or "native"
     * @throws IllegalStateException if it is "native" and could not be loaded
     */
    public static Engine byName(String name) {
        if (name.equals(JAVA.name())) {
            return JAVA;
        }
        throw new IllegalStateException("there is no native engine");
    }
}
