// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jni;

/** Statuses of the C library as exceptions. */
final class Statuses {
    private Statuses() {}

    /** Throws what a status means, unless it is OK; found is what was refused, in a few words. */
    static void check(int status, String found) {
        if (status != Native.OK) {
            throw exception(status, found);
        }
    }

    /** The same where there is nothing to name. */
    static void check(int status) {
        check(status, "");
    }

    /** The exception for a status that is not OK. Throws at once if Java has no memory. */
    static RuntimeException exception(int status, String found) {
        final String text =
                Native.statusText(status) + (found.isEmpty() ? "" : " (found " + found + ")");
        switch (status) {
            case Native.KEY_LENGTH:
            case Native.LENGTH:
            case Native.KERNEL:
            case Native.CPU:
            case Native.NONCE_LENGTH:
            case Native.CAPACITY:
            case Native.TOO_LONG:
            case Native.BLOCK:
            case Native.TAG_LENGTH:
            case Native.TABLES:
            case Native.LEAKS:
            case Native.LEAKS_VALUE:
                return new IllegalArgumentException(text);
            case Native.MEMORY:
                throw new OutOfMemoryError(text);
            default:
                return new IllegalStateException(text);
        }
    }
}
