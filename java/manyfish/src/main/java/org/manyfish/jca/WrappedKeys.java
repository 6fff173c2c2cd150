// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/** Keys of any kind, out of the bytes that Cipher.wrap encrypted. */
final class WrappedKeys {
    private WrappedKeys() {}

    /** The key; wipes encoded, which it was made of. */
    static Key decode(byte[] encoded, String algorithm, int type)
            throws InvalidKeyException, NoSuchAlgorithmException {
        try {
            switch (type) {
                case Cipher.SECRET_KEY:
                    return new SecretKeySpec(encoded, algorithm);
                case Cipher.PUBLIC_KEY:
                    return KeyFactory.getInstance(algorithm)
                            .generatePublic(new X509EncodedKeySpec(encoded));
                case Cipher.PRIVATE_KEY:
                    return KeyFactory.getInstance(algorithm)
                            .generatePrivate(new PKCS8EncodedKeySpec(encoded));
                default:
                    throw new InvalidKeyException(
                            "expected the type SECRET_KEY, PUBLIC_KEY or PRIVATE_KEY, found "
                                    + type);
            }
        } catch (InvalidKeySpecException | IllegalArgumentException e) {
            throw new InvalidKeyException("what was unwrapped is no key of " + algorithm, e);
        } finally {
            Arrays.fill(encoded, (byte) 0);
        }
    }
}
