// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidParameterException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import java.util.List;
import javax.crypto.KeyGeneratorSpi;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/** Makes keys for Twofish; those of 384 and 512 bits are two in one, for XTS and SIV. */
final class TwofishKeyGenerator extends KeyGeneratorSpi {
    private static final List<Integer> BITS = List.of(128, 192, 256, 384, 512);

    private int keyBits = 256;
    private SecureRandom random;

    @Override
    protected void engineInit(SecureRandom newRandom) {
        random = newRandom;
    }

    @Override
    protected void engineInit(AlgorithmParameterSpec spec, SecureRandom newRandom)
            throws InvalidAlgorithmParameterException {
        throw new InvalidAlgorithmParameterException(
                "keys of Twofish have no parameters: call init with a number of bits, or none");
    }

    @Override
    protected void engineInit(int newKeyBits, SecureRandom newRandom) {
        if (!BITS.contains(newKeyBits)) {
            throw new InvalidParameterException(
                    "a key of Twofish has 128, 192 or 256 bits, two in one have 384 or 512, not "
                            + newKeyBits);
        }
        keyBits = newKeyBits;
        random = newRandom;
    }

    @Override
    protected SecretKey engineGenerateKey() {
        final byte[] key = new byte[keyBits / 8];
        (random != null ? random : new SecureRandom()).nextBytes(key);
        try {
            return new SecretKeySpec(key, "Twofish");
        } finally {
            Arrays.fill(key, (byte) 0);
        }
    }
}
