// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jni;

/** Statuses of the C library as exceptions. */
final class Statuses {
    private Statuses() {}

    static void check(int status) {
        if (status != Native.OK) {
            throw exception(status);
        }
    }

    /** What to throw for a status that is not OK; if Java has no memory, that is thrown at once. */
    static RuntimeException exception(int status) {
        final String text = Native.statusText(status);
        switch (status) {
            case Native.KEY_LENGTH:
            case Native.KERNEL:
            case Native.CPU:
            case Native.LENGTH:
            case Native.NONCE_LENGTH:
            case Native.CAPACITY:
            case Native.BLOCK:
            case Native.TAG_LENGTH:
            case Native.TOO_LONG:
            case Native.TABLES:
                return new IllegalArgumentException(text);
            case Native.MEMORY:
                throw new OutOfMemoryError(text);
            default:
                return new IllegalStateException(text);
        }
    }
}
