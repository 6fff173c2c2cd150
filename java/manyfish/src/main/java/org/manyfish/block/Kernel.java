// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.block;

/** One way to compute a cipher: what it stores for a key, and what it leaks. */
public interface Kernel {
    /** The name by which it is asked for, as in C: "zero", "partial", "full", "bitslice", ... */
    String name();

    /** One line for a list of kernels. */
    String summary();

    /** Whether no branch and no address depends on a key or on data. */
    boolean constantTime();

    /**
     * Expands a key.
     *
     * @param key of a length that the cipher takes, else IllegalArgumentException; only read, not
     *     kept
     */
    BlockCipher expand(byte[] key);
}
