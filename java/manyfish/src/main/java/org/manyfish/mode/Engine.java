// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

/** Computes the ciphers: Java (JavaEngine), or the C library where it could be loaded. */
public interface Engine {
    /** "java" or "native". */
    String name();

    /** Is this the name of a kernel of Twofish, of this engine, that is not constant-time? */
    boolean leaks(String kernel);

    /**
     * A mode with a key.
     *
     * @param cipher Twofish, DES or Triple-DES
     * @param kernel the name of a kernel of this engine, or null for the default, which is
     *     constant-time
     * @param mode which mode
     * @param key the key, or for XTS and SIV both keys one after the other; only read, not kept;
     *     lengths that the cipher does not take are IllegalArgumentException
     * @param encrypting the direction
     */
    Mode mode(CipherName cipher, String kernel, ModeName mode, byte[] key, boolean encrypting);

    /** CMAC [SP800-38B] with a key; the arguments are those of {@link #mode}. */
    Cmac cmac(CipherName cipher, String kernel, byte[] key);

    /**
     * Many messages at a time under one key.
     *
     * @param form the mode, one that has a batch, and what its messages are; the other arguments
     *     are those of {@link #mode}
     */
    Batch batch(CipherName cipher, String kernel, Form form, byte[] key);
}
