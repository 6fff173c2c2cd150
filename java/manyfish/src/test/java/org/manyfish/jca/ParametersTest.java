// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.InvalidParameterSpecException;
import java.util.Arrays;
import java.util.Locale;
import javax.crypto.Cipher;
import javax.crypto.NoSuchPaddingException;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.PBEParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.jcajce.spec.AEADParameterSpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.manyfish.ManyfishProvider;
import org.manyfish.Vectors;
import org.manyfish.mode.CipherName;

/** Keys, IVs, tags, and AlgorithmParameters. */
class ParametersTest {
    private final Provider provider = new ManyfishProvider();
    private final SecretKey key = new SecretKeySpec(new byte[32], "Twofish");

    private Cipher cipher(String mode) throws GeneralSecurityException {
        return Cipher.getInstance("Twofish/" + mode + "/NoPadding", provider);
    }

    private String refusal(String mode, AlgorithmParameterSpec spec) {
        return assertThrows(
                        InvalidAlgorithmParameterException.class,
                        () -> cipher(mode).init(Cipher.ENCRYPT_MODE, key, spec))
                .getMessage();
    }

    @ParameterizedTest
    @CsvSource({
        "CBC, 15, 16 bytes",
        "CBC, 17, 16 bytes",
        "CFB, 0, 16 bytes",
        "CFB8, 8, 16 bytes",
        "OFB, 12, 16 bytes",
        "CTR, 7, 8 to 16 bytes",
        "CTR, 17, 8 to 16 bytes",
        "XTS, 8, 16 bytes",
        "EAX, 0, 1 byte or more",
        "GCM, 0, 1 byte or more",
        "OCB, 0, 1 to 15 bytes",
        "OCB, 16, 1 to 15 bytes",
        "CCM, 6, 7 to 13 bytes",
        "CCM, 14, 7 to 13 bytes"
    })
    void wrongIvs(String mode, int ivBytes, String lengths) {
        assertEquals(
                mode + " takes an IV of " + lengths + ", not " + ivBytes,
                refusal(mode, new IvParameterSpec(new byte[ivBytes])));
    }

    @ParameterizedTest
    @CsvSource({
        "GCM, 40, '32, 64, 96, 104, .. 128 bits'",
        "GCM, 72, '32, 64, 96, 104, .. 128 bits'",
        "GCM, 0, '32, 64, 96, 104, .. 128 bits'",
        "GCM, 136, '32, 64, 96, 104, .. 128 bits'",
        "GCM, 100, '32, 64, 96, 104, .. 128 bits'",
        "EAX, 24, '32, 40, .. 128 bits'",
        "EAX, 100, '32, 40, .. 128 bits'",
        "EAX, 136, '32, 40, .. 128 bits'",
        "CCM, 16, '32, 48, .. 128 bits'",
        "CCM, 40, '32, 48, .. 128 bits'",
        "CCM, 144, '32, 48, .. 128 bits'",
        "OCB, 64, 128 bits",
        "SIV, 96, 128 bits"
    })
    void wrongTags(String mode, int tagBits, String lengths) {
        assertEquals(
                mode + " takes a tag of " + lengths + ", not " + tagBits,
                refusal(mode, new GCMParameterSpec(tagBits, new byte[12])));
    }

    @Test
    void wrongSpecifications() {
        assertEquals(
                "ECB has no IV: call init without parameters",
                refusal("ECB", new IvParameterSpec(new byte[16])));
        final String name = GCMParameterSpec.class.getName();
        assertEquals(
                "CBC takes an IvParameterSpec, not " + name,
                refusal("CBC", new GCMParameterSpec(128, new byte[16])));
        assertEquals(
                "OCB takes an IvParameterSpec or a GCMParameterSpec, not "
                        + PBEParameterSpec.class.getName(),
                refusal("OCB", new PBEParameterSpec(new byte[8], 1)));
        // its associated data would be lost
        final AlgorithmParameterSpec aead = new AEADParameterSpec(new byte[16], 128);
        assertEquals(
                "CBC takes an IvParameterSpec, not " + AEADParameterSpec.class.getName(),
                refusal("CBC", aead));
    }

    @ParameterizedTest
    @MethodSource("org.manyfish.jca.Subject#withIv")
    void noIvToDecrypt(Subject subject) throws GeneralSecurityException {
        final Cipher cipher = subject.cipher();
        final Exception e =
                assertThrows(
                        InvalidKeyException.class,
                        () -> cipher.init(Cipher.DECRYPT_MODE, subject.key));
        final String expected =
                "to decrypt, " + subject.mode + " needs the IV of the encryption: give it to init";
        assertEquals(expected, e.getMessage());
        final Exception f =
                assertThrows(
                        InvalidAlgorithmParameterException.class,
                        () ->
                                cipher.init(
                                        Cipher.DECRYPT_MODE,
                                        subject.key,
                                        (AlgorithmParameterSpec) null));
        assertEquals(expected, f.getMessage());
        assertThrows(IllegalStateException.class, cipher::doFinal);
    }

    /** A random IV: anyone with the key and the encoded parameters can decrypt. */
    @ParameterizedTest
    @MethodSource("org.manyfish.jca.Subject#withIv")
    void randomIv(Subject subject) throws GeneralSecurityException, IOException {
        final Cipher sender = subject.cipher();
        assertNull(sender.getIV());
        assertNull(sender.getParameters());
        sender.init(Cipher.ENCRYPT_MODE, subject.key);
        final byte[] first = sender.getIV();
        sender.init(Cipher.ENCRYPT_MODE, subject.key);
        assertFalse(Arrays.equals(first, sender.getIV()));
        assertEquals(
                subject.mode.matches("GCM|CCM") ? 12 : subject.mode.equals("OCB") ? 15 : 16,
                first.length);

        sender.init(Cipher.ENCRYPT_MODE, subject.key, (SecureRandom) null);
        assertFalse(Arrays.equals(first, sender.getIV()));

        final byte[] text = Subject.text(subject.length(100));
        final byte[] sealed = sender.doFinal(text);
        final AlgorithmParameters sent = sender.getParameters();
        final String aead = subject.mode.equals("CCM") ? "CCM" : "GCM";
        assertEquals(subject.hasTag() ? aead : "Twofish", sent.getAlgorithm());
        final AlgorithmParameters received =
                AlgorithmParameters.getInstance(sent.getAlgorithm(), provider);
        received.init(sent.getEncoded());
        final Cipher receiver = subject.cipher();
        receiver.init(Cipher.DECRYPT_MODE, subject.key, received);
        assertArrayEquals(text, receiver.doFinal(sealed));
        assertArrayEquals(sender.getIV(), receiver.getIV());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ECB", "SIV"})
    void withoutIv(String mode) throws GeneralSecurityException {
        final Cipher cipher = cipher(mode);
        final Key twoKeys = new SecretKeySpec(Subject.text(32), "Twofish");
        cipher.init(Cipher.ENCRYPT_MODE, twoKeys, (SecureRandom) null);
        assertNull(cipher.getIV());
        cipher.init(Cipher.DECRYPT_MODE, twoKeys);
        assertNull(cipher.getIV());
        assertNull(cipher.getParameters());
    }

    /** Wherever a reused nonce breaks the mode; a new one or another key will do. */
    @ParameterizedTest
    @MethodSource("org.manyfish.jca.Subject#withNonce")
    void nonceTwice(Subject subject) throws GeneralSecurityException {
        final Cipher cipher = subject.encryptor();
        final Exception e =
                assertThrows(
                        InvalidAlgorithmParameterException.class,
                        () -> cipher.init(Cipher.ENCRYPT_MODE, subject.key, subject.spec()));
        assertEquals(
                "this nonce was used with this key before: each message needs one of its own",
                e.getMessage());
        cipher.init(Cipher.DECRYPT_MODE, subject.key, subject.spec());
        assertThrows(
                InvalidAlgorithmParameterException.class,
                () -> cipher.init(Cipher.WRAP_MODE, subject.key, subject.spec()));
        cipher.init(Cipher.ENCRYPT_MODE, subject.key, subject.otherSpec());
        cipher.doFinal();
        final Exception f =
                assertThrows(IllegalStateException.class, () -> cipher.update(new byte[1]));
        assertEquals(
                "a message was encrypted with this nonce: call init with another one",
                f.getMessage());
        assertThrows(IllegalStateException.class, cipher::doFinal);
        assertThrows(IllegalStateException.class, () -> cipher.updateAAD(new byte[1]));
        cipher.init(Cipher.ENCRYPT_MODE, key, subject.otherSpec());
        cipher.doFinal();
    }

    /** An end that fails has used up the nonce anyway. */
    @ParameterizedTest
    @ValueSource(strings = {"EAX", "OCB", "GCM", "CCM"})
    void nonceAfterAnError(String mode) throws GeneralSecurityException {
        final ManyfishCipher cipher =
                new ManyfishCipher(new Setup(provider, "java", null), CipherName.TWOFISH);
        cipher.engineSetMode(mode);
        cipher.engineInit(Cipher.ENCRYPT_MODE, key, null);
        cipher.engineUpdate(new byte[100], 0, 100);
        final ByteBuffer out = ByteBuffer.allocate(200).asReadOnlyBuffer();
        assertThrows(
                ReadOnlyBufferException.class,
                () -> cipher.engineDoFinal(ByteBuffer.allocate(20), out));
        assertThrows(IllegalStateException.class, () -> cipher.engineUpdate(new byte[100], 0, 100));
    }

    @Test
    void sivForgives() throws GeneralSecurityException {
        final Subject siv = Subject.of("SIV");
        final Cipher cipher = siv.encryptor();
        final byte[] first = cipher.doFinal(new byte[20]);
        assertArrayEquals(first, cipher.doFinal(new byte[20]));
        cipher.init(Cipher.ENCRYPT_MODE, siv.key, siv.spec());
        assertArrayEquals(first, cipher.doFinal(new byte[20]));
    }

    @ParameterizedTest
    @CsvSource({"CBC, 1", "CBC, 17", "CBC, 64", "XTS, 16", "XTS, 40", "SIV, 33"})
    void wrongKeyLengths(String mode, int keyBytes) throws GeneralSecurityException {
        final Cipher cipher = cipher(mode);
        final SecretKey wrong = new SecretKeySpec(new byte[keyBytes], "Twofish");
        final Exception e =
                assertThrows(
                        InvalidKeyException.class, () -> cipher.init(Cipher.ENCRYPT_MODE, wrong));
        assertFalse(e.getMessage().isEmpty());
        assertThrows(IllegalStateException.class, () -> cipher.update(new byte[16]));
    }

    @Test
    void keysWithoutBytes() throws GeneralSecurityException {
        final Cipher cipher = cipher("CBC");
        final Exception e =
                assertThrows(
                        InvalidKeyException.class,
                        () -> cipher.init(Cipher.ENCRYPT_MODE, (SecretKey) null));
        assertEquals(
                "expected a key in the format RAW, as a SecretKeySpec, found null", e.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"CTS", "CFB1", "CFB16", "CFB64", "OFB8", "OPENPGPCFB", "foo"})
    void unknownModes(String mode) {
        assertThrows(GeneralSecurityException.class, () -> cipher(mode));
        final Exception e =
                assertThrows(
                        GeneralSecurityException.class,
                        () -> new ManyfishCipher(null, CipherName.TWOFISH).engineSetMode(mode));
        assertEquals(
                "no mode "
                        + mode
                        + " of Twofish; there are ECB, CBC, CTR, SIC, CFB, CFB128, CFB8,"
                        + " OFB, OFB128, XTS, EAX, OCB, GCM, CCM, SIV",
                e.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"XTS", "EAX", "OCB", "GCM", "CCM", "SIV", "CFB8"})
    void paddingWhereThereIsNone(String mode) {
        final Exception e =
                assertThrows(
                        NoSuchPaddingException.class,
                        () -> Cipher.getInstance("Twofish/" + mode + "/PKCS5Padding", provider));
        assertEquals(mode + " takes NoPadding only, not PKCS5Padding", e.getMessage());
    }

    @Test
    void unknownPadding() {
        final Exception e =
                assertThrows(
                        NoSuchPaddingException.class,
                        () ->
                                new ManyfishCipher(null, CipherName.TWOFISH)
                                        .engineSetPadding("ISO10126Padding"));
        assertEquals(
                "no padding ISO10126Padding; there are NoPadding, PKCS5Padding, PKCS7Padding",
                e.getMessage());
    }

    /** Byte for byte what others write: Bouncy Castle for an IV, the JDK for a nonce and a tag. */
    @ParameterizedTest
    @ValueSource(ints = {96, 104, 128})
    void encodings(int tagBits) throws GeneralSecurityException, IOException {
        for (final int nBytes : new int[] {1, 12, 16, 127, 128, 255, 256, 65_535, 65_536}) {
            final byte[] iv = Subject.text(nBytes);
            same("Twofish", new BouncyCastleProvider(), new IvParameterSpec(iv), "ASN.1");
            same("Twofish", new BouncyCastleProvider(), new IvParameterSpec(iv), "RAW");
            same("GCM", new BouncyCastleProvider(), new GCMParameterSpec(tagBits, iv), "ASN.1");
            final int evenBits = tagBits / 16 * 16; // as CCM has them
            same("CCM", new BouncyCastleProvider(), new GCMParameterSpec(evenBits, iv), "ASN.1");
        }
    }

    private void same(String name, Provider other, AlgorithmParameterSpec spec, String format)
            throws GeneralSecurityException, IOException {
        final AlgorithmParameters theirs = AlgorithmParameters.getInstance(name, other);
        theirs.init(spec);
        final AlgorithmParameters ours = AlgorithmParameters.getInstance(name, provider);
        ours.init(spec);
        assertArrayEquals(theirs.getEncoded(format), ours.getEncoded(format));
        final AlgorithmParameters again = AlgorithmParameters.getInstance(name, provider);
        again.init(ours.getEncoded(format), format);
        assertArrayEquals(ours.getEncoded(), again.getEncoded());
        final byte[] iv = again.getParameterSpec(IvParameterSpec.class).getIV();
        assertArrayEquals(ours.getParameterSpec(IvParameterSpec.class).getIV(), iv);
    }

    @ParameterizedTest
    @CsvSource({
        "Twofish, 0510",
        "Twofish, 04",
        "Twofish, 0402AA",
        "Twofish, 0401AABB",
        "Twofish, 0480AA",
        "Twofish, 0485AABBCCDDEEFF",
        "Twofish, 0484FFFFFFFFAA",
        "GCM, 0401AA",
        "GCM, 30030401",
        "GCM, 30030401AA00",
        "GCM, 30060401AA020111",
        "GCM, 30070401AA02020010",
        "GCM, 30060401AA0201F0",
        "GCM, 30080401AA0201100500"
    })
    void wrongEncodings(String name, String hex) throws GeneralSecurityException {
        final AlgorithmParameters parameters = AlgorithmParameters.getInstance(name, provider);
        final Exception e =
                assertThrows(IOException.class, () -> parameters.init(Vectors.bytes(hex)));
        assertEquals("expected ", e.getMessage().substring(0, 9));
    }

    /** Parameters keep the name by which they were asked for. */
    @Test
    void lowerCaseNames() throws GeneralSecurityException {
        for (final String mode : new String[] {"GCM", "CCM"}) {
            final AlgorithmParameters parameters =
                    AlgorithmParameters.getInstance(mode.toLowerCase(Locale.ROOT), provider);
            parameters.init(new GCMParameterSpec(96, new byte[12]));
            final Cipher cipher = cipher(mode);
            cipher.init(Cipher.ENCRYPT_MODE, key, parameters);
            assertEquals(12, cipher.doFinal().length, mode);
        }
    }

    @Test
    void wrongUseOfParameters() throws GeneralSecurityException {
        final AlgorithmParameters iv = AlgorithmParameters.getInstance("Twofish", provider);
        assertThrows(
                InvalidParameterSpecException.class,
                () -> iv.init(new GCMParameterSpec(128, new byte[12])));
        assertThrows(IOException.class, () -> iv.init(new byte[16], "XML"));
        iv.init(new IvParameterSpec(new byte[] {1, (byte) 0xAB}));
        assertEquals("IV 01AB", iv.toString());
        assertThrows(
                InvalidParameterSpecException.class,
                () -> iv.getParameterSpec(GCMParameterSpec.class));
        final AlgorithmParameters gcm = AlgorithmParameters.getInstance("GCM", provider);
        assertThrows(
                InvalidParameterSpecException.class,
                () -> gcm.init(new IvParameterSpec(new byte[12])));
        assertThrows(
                InvalidParameterSpecException.class,
                () -> gcm.init(new GCMParameterSpec(136, new byte[12])));
        gcm.init(new GCMParameterSpec(104, new byte[] {7}));
        assertEquals("nonce 07, tag of 104 bits", gcm.toString());
        assertThrows(
                InvalidAlgorithmParameterException.class,
                () -> cipher("GCM").init(Cipher.ENCRYPT_MODE, key, other()));
    }

    /** Parameters that have no IV. */
    private static AlgorithmParameters other() throws GeneralSecurityException {
        final AlgorithmParameters other = AlgorithmParameters.getInstance("EC");
        other.init(new ECGenParameterSpec("secp256r1"));
        return other;
    }
}
