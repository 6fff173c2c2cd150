// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.spec.AlgorithmParameterSpec;
import java.util.List;
import java.util.Random;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.jcajce.spec.AEADParameterSpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The same code with our provider and with that of Bouncy Castle: random messages, both ways. */
class BouncyCastleTest {
    private static final int N_MESSAGES = 60;

    private final List<Provider> engines = Subject.providers();
    private Provider ours = engines.get(0);
    private final Provider theirs = new BouncyCastleProvider();
    private final Random random = new Random(20);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Twofish", "Twofish/ECB/PKCS5Padding", "Twofish/ECB/NoPadding",
                "Twofish/CBC/PKCS5Padding", "Twofish/CBC/PKCS7Padding", "Twofish/CBC/NoPadding",
                "Twofish/CTR/NoPadding", "Twofish/CTR/PKCS5Padding", "Twofish/SIC/NoPadding",
                "Twofish/CFB/NoPadding", "Twofish/CFB/PKCS5Padding", "Twofish/CFB128/NoPadding",
                "Twofish/CFB8/NoPadding", "Twofish/OFB/NoPadding", "Twofish/OFB/PKCS5Padding",
                "Twofish/OFB128/NoPadding", "twofish/cbc/pkcs5padding"
            })
    void plainModes(String transformation) throws GeneralSecurityException {
        for (int i = 0; i < N_MESSAGES; i++) {
            ours = engines.get(i % engines.size());
            final SecretKey key = key("Twofish", 16 + 8 * random.nextInt(3));
            final boolean hasIv = !transformation.matches("Twofish(/ECB.*)?");
            final IvParameterSpec iv = hasIv ? iv(16) : null;
            final int unit = transformation.matches(".*(ECB|CBC)/NoPadding") ? 16 : 1;
            exchange(transformation, key, iv, unit);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 9, 12, 15})
    void shortIvsOfCtr(int ivBytes) throws GeneralSecurityException {
        for (int i = 0; i < 10; i++) {
            final SecretKey key = key("Twofish", 32);
            final IvParameterSpec iv = iv(ivBytes);
            final byte[] text = Pieces.random(random, random.nextInt(4080));
            assertArrayEquals(
                    init(theirs, "Twofish/CTR/NoPadding", Cipher.ENCRYPT_MODE, key, iv)
                            .doFinal(text),
                    init(ours, "Twofish/CTR/NoPadding", Cipher.ENCRYPT_MODE, key, iv)
                            .doFinal(text));
        }
    }

    @Test
    void shortIvsOfCtrEnd() throws GeneralSecurityException {
        final Cipher cipher =
                init(
                        ours,
                        "Twofish/CTR/NoPadding",
                        Cipher.ENCRYPT_MODE,
                        key("Twofish", 16),
                        iv(15));
        cipher.update(new byte[255 * 16]);
        final Exception e =
                assertThrows(IllegalStateException.class, () -> cipher.update(new byte[17]));
        assertEquals(
                "with this IV a message has at most 4080 bytes: give CTR a whole block as IV",
                e.getMessage());
    }

    private void exchange(
            String transformation, SecretKey key, AlgorithmParameterSpec spec, int unit)
            throws GeneralSecurityException {
        final int nBytes = Pieces.length(random) / unit * unit;
        final byte[] text = Pieces.random(random, nBytes);
        final String name = transformation + ", " + nBytes + " bytes";
        final Cipher ourCipher = init(ours, transformation, Cipher.ENCRYPT_MODE, key, spec);
        final byte[] cipherText = Pieces.through(ourCipher, text, random);
        final Cipher theirCipher = init(theirs, transformation, Cipher.ENCRYPT_MODE, key, spec);
        assertArrayEquals(theirCipher.doFinal(text), cipherText, name);
        final Cipher back = init(ours, transformation, Cipher.DECRYPT_MODE, key, spec);
        assertArrayEquals(text, Pieces.through(back, cipherText, random), name);
    }

    @ParameterizedTest
    @CsvSource({
        "GCM, 12, 128",
        "GCM, 1, 96",
        "GCM, 40, 104",
        "GCM, 16, 32",
        "EAX, 16, 128",
        "EAX, 3, 64",
        "EAX, 100, 72",
        "OCB, 15, 128",
        "OCB, 12, 128",
        "OCB, 1, 128",
        "CCM, 7, 128",
        "CCM, 12, 112",
        "CCM, 13, 32"
    })
    void authenticatedModes(String mode, int nonceBytes, int tagBits)
            throws GeneralSecurityException {
        final String transformation = "Twofish/" + mode + "/NoPadding";
        for (int i = 0; i < N_MESSAGES; i++) {
            ours = engines.get(i % engines.size());
            final SecretKey key = key("Twofish", 16 + 8 * random.nextInt(3));
            final byte[] nonce = Pieces.random(random, nonceBytes);
            final byte[] aad = Pieces.random(random, random.nextInt(3) * random.nextInt(50));
            final byte[] text = Pieces.random(random, Pieces.length(random));
            final AlgorithmParameterSpec gcm = new GCMParameterSpec(tagBits, nonce);
            final AlgorithmParameterSpec aead = new AEADParameterSpec(nonce, tagBits, aad.clone());

            final Cipher theirCipher = init(theirs, transformation, Cipher.ENCRYPT_MODE, key, gcm);
            theirCipher.updateAAD(aad);
            final byte[] sealed = theirCipher.doFinal(text);
            final Cipher ourCipher = init(ours, transformation, Cipher.ENCRYPT_MODE, key, aead);
            assertArrayEquals(sealed, Pieces.through(ourCipher, text, random));
            final Cipher back = init(ours, transformation, Cipher.DECRYPT_MODE, key, gcm);
            back.updateAAD(aad);
            assertArrayEquals(text, Pieces.through(back, sealed, random));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"CBC", "CTR", "GCM", "OCB", "EAX", "CCM"})
    void parametersOfTheOther(String mode) throws GeneralSecurityException {
        final String transformation = "Twofish/" + mode + "/NoPadding";
        final SecretKey key = key("Twofish", 32);
        final AlgorithmParameterSpec spec =
                mode.matches("CBC|CTR")
                        ? iv(16)
                        : new GCMParameterSpec(128, Pieces.random(random, 12));
        final byte[] text = Pieces.random(random, 64);
        final Cipher sender = init(theirs, transformation, Cipher.ENCRYPT_MODE, key, spec);
        final AlgorithmParameters parameters = sender.getParameters();
        final Cipher receiver = Cipher.getInstance(transformation, ours);
        receiver.init(Cipher.DECRYPT_MODE, key, parameters);
        assertArrayEquals(text, receiver.doFinal(sender.doFinal(text)));
        assertEquals(parameters.getAlgorithm(), receiver.getParameters().getAlgorithm());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ECB", "CBC", "CTR", "CFB", "CFB64", "CFB8", "OFB", "OFB64"})
    void des(String mode) throws GeneralSecurityException {
        for (final String padding : new String[] {"NoPadding", "PKCS5Padding"}) {
            if (mode.equals("CFB8") && padding.equals("PKCS5Padding")) {
                continue;
            }
            final boolean blocks = padding.equals("NoPadding") && mode.matches("ECB|CBC");
            for (int i = 0; i < N_MESSAGES / 4; i++) {
                ours = engines.get(i % engines.size());
                final IvParameterSpec iv = mode.equals("ECB") ? null : iv(8);
                final String rest = "/" + mode + "/" + padding;
                exchange("DES" + rest, key("DES", 8), iv, blocks ? 8 : 1);
                exchange("DESede" + rest, key("DESede", 24), iv, blocks ? 8 : 1);
                exchange("DESede" + rest, key("DESede", 16), iv, blocks ? 8 : 1);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"DESedeCMAC, 24", "DESCMAC, 8"})
    void cmac(String name, int keyBytes) throws GeneralSecurityException {
        for (int i = 0; i < N_MESSAGES; i++) {
            ours = engines.get(i % engines.size());
            final SecretKey key = key("DESede", keyBytes);
            final byte[] text = Pieces.random(random, Pieces.length(random));
            final Mac mac = Mac.getInstance(name, theirs);
            mac.init(key);
            final Mac ourMac = Mac.getInstance(name, ours);
            ourMac.init(key);
            assertArrayEquals(mac.doFinal(text), ourMac.doFinal(text));
        }
    }

    private SecretKey key(String algorithm, int nBytes) {
        return new SecretKeySpec(Pieces.random(random, nBytes), algorithm);
    }

    private IvParameterSpec iv(int nBytes) {
        return new IvParameterSpec(Pieces.random(random, nBytes));
    }

    private static Cipher init(
            Provider provider,
            String transformation,
            int opmode,
            SecretKey key,
            AlgorithmParameterSpec spec)
            throws GeneralSecurityException {
        final Cipher cipher = Cipher.getInstance(transformation, provider);
        cipher.init(opmode, key, spec);
        return cipher;
    }
}
