// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

/**
 * Many messages at a time under one key. One thread at a time computes; others wait. The caller has
 * checked the IVs, and the lengths of what is encrypted.
 */
public interface Batch extends AutoCloseable {
    /**
     * Encrypts or decrypts messages, or computes their CMAC.
     *
     * @param encrypting the direction; for CMAC true
     * @param ivs the IV, nonce or none of each message
     * @param aads the associated data of each; of no bytes it is none, as in javax.crypto.Cipher
     * @param messages texts to encrypt, or what was made of them
     * @param results gets a result for each message, in their order; it rejects those that cannot
     *     be decrypted, for their length, their tag or their padding
     */
    void crypt(boolean encrypting, Strings ivs, Strings aads, Strings messages, Results results);

    /** Wipes what depends on the key, as far as Java lets one. */
    @Override
    void close();
}
