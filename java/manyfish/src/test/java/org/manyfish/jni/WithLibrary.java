// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jni;

/** For tests of the library, which Maven alone does not build. */
public final class WithLibrary {
    private WithLibrary() {}

    /** Whether the library is there; if not, a line says that its tests are skipped. */
    public static boolean isThere() {
        if (!NativeLibrary.available()) {
            System.out.println(
                    "skipped: the library for native speed: "
                            + NativeLibrary.refusal()
                            + "; scripts/build-java builds it");
        }
        return NativeLibrary.available();
    }
}
