// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.benchmarks;

/** The C library on memory of its own: what Java can reach at best. */
final class CLibrary {
    static {
        System.load(System.getProperty("manyfish.benchmarks.library"));
    }

    private CLibrary() {}

    /** Sets the key, and seals a message of nBytes bytes for ocb_decrypt; returns a status. */
    static native int open(int nBytes);

    /** One message; returns a status. */
    static native int run(int operation, int nBytes);
}
