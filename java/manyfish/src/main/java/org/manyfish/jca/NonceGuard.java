// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

import java.security.InvalidAlgorithmParameterException;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * Refuses to encrypt under the key and the nonce of the encryption before, as the JDK does for GCM.
 */
final class NonceGuard implements Runnable {
    private byte[] key = Message.NOTHING;
    private byte[] nonce = Message.NOTHING;

    void admit(byte[] newKey, byte[] newNonce) throws InvalidAlgorithmParameterException {
        if (Arrays.equals(nonce, newNonce) && MessageDigest.isEqual(key, newKey)) {
            throw new InvalidAlgorithmParameterException(
                    "this nonce was used with this key before: each message needs one of its own");
        }
        run();
        key = newKey.clone();
        nonce = newNonce.clone();
    }

    /** Wipes the key. */
    @Override
    public void run() {
        Arrays.fill(key, (byte) 0);
        key = Message.NOTHING;
        nonce = Message.NOTHING;
    }
}
