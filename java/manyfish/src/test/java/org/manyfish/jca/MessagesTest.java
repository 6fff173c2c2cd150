// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import java.util.Random;
import javax.crypto.AEADBadTagException;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.manyfish.Vectors;
import org.manyfish.mode.CipherName;
import org.manyfish.mode.Engines;
import org.manyfish.mode.Mode;
import org.manyfish.mode.ModeName;

/**
 * Messages: in pieces, one after another, with associated data, altered, of wrong lengths; keys.
 */
class MessagesTest {
    private final Random random = new Random(8);

    @ParameterizedTest
    @MethodSource("org.manyfish.jca.Subject#all")
    void pieces(Subject subject) throws GeneralSecurityException {
        for (int i = 0; i < 40; i++) {
            final byte[] text = Subject.text(subject.length(Pieces.length(random)));
            final byte[] sealed = subject.encryptor().doFinal(text);
            assertArrayEquals(sealed, Pieces.through(subject.encryptor(), text, random));
            assertArrayEquals(text, Pieces.through(subject.decryptor(), sealed, random));
        }
    }

    /** getOutputSize says beforehand how many bytes come out, and how many are still to come. */
    @ParameterizedTest
    @MethodSource("org.manyfish.jca.Subject#all")
    void outputSizes(Subject subject) throws GeneralSecurityException {
        for (int i = 0; i < 40; i++) {
            final byte[] text = Subject.text(subject.length(random.nextInt(100)));
            final byte[] sealed = subject.encryptor().doFinal(text);
            final Cipher encryptor = subject.encryptor();
            final int cut = random.nextInt(text.length + 1);
            encryptor.update(text, 0, cut);
            final int said = encryptor.getOutputSize(text.length - cut);
            assertEquals(said, encryptor.doFinal(text, cut, text.length - cut).length);
            final int most = subject.decryptor().getOutputSize(sealed.length);
            assertTrue(most >= text.length && most <= text.length + 16);
        }
    }

    /** After doFinal the next message begins as init left it, where the mode allows for that. */
    @ParameterizedTest
    @MethodSource("org.manyfish.jca.Subject#all")
    void oneAfterAnother(Subject subject) throws GeneralSecurityException {
        final byte[] text = Subject.text(subject.length(100));
        final byte[] sealed = subject.encryptor().doFinal(text);
        final Cipher decryptor = subject.decryptor();
        assertArrayEquals(text, decryptor.doFinal(sealed));
        assertArrayEquals(text, Pieces.through(decryptor, sealed, random));
        decryptor.update(sealed, 0, 50);
        decryptor.init(Cipher.DECRYPT_MODE, subject.key, subject.spec());
        assertArrayEquals(text, decryptor.doFinal(sealed));
        decryptor.init(Cipher.ENCRYPT_MODE, subject.key, subject.otherSpec());
        if (!subject.mode.equals("ECB")) {
            assertTrue(!Arrays.equals(sealed, decryptor.doFinal(text)));
        }
    }

    /** A key of before is not taken for the one that init gets. */
    @ParameterizedTest
    @MethodSource("org.manyfish.jca.Subject#all")
    void anotherKey(Subject subject) throws GeneralSecurityException {
        final byte[] text = Subject.text(subject.length(100));
        final byte[] bytes = subject.key.getEncoded();
        bytes[bytes.length - 1] ^= 1;
        final Key other = new SecretKeySpec(bytes, "Twofish");
        final Cipher fresh = subject.cipher();
        fresh.init(Cipher.ENCRYPT_MODE, other, subject.spec());
        final Cipher used = subject.encryptor();
        used.doFinal(text);
        used.init(Cipher.ENCRYPT_MODE, other, subject.spec());
        assertArrayEquals(fresh.doFinal(text), used.doFinal(text));
    }

    @ParameterizedTest
    @MethodSource("org.manyfish.jca.Subject#authenticated")
    void associatedData(Subject subject) throws GeneralSecurityException {
        final byte[] text = Subject.text(100);
        final byte[] aad = Subject.text(50);
        final Cipher encryptor = subject.encryptor();
        encryptor.updateAAD(aad);
        final byte[] sealed = encryptor.doFinal(text);
        final Cipher decryptor = subject.decryptor();
        decryptor.updateAAD(aad, 0, 10);
        decryptor.updateAAD(ByteBuffer.wrap(aad, 10, 7).slice());
        decryptor.updateAAD(ByteBuffer.wrap(aad, 17, 3).asReadOnlyBuffer());
        final ByteBuffer direct = ByteBuffer.allocateDirect(30);
        direct.put(aad, 20, 30).flip();
        decryptor.updateAAD(direct);
        assertEquals(0, direct.remaining());
        assertArrayEquals(text, decryptor.doFinal(sealed));
        decryptor.updateAAD(aad); // of the next message
        assertArrayEquals(text, decryptor.doFinal(sealed));
        assertThrows(AEADBadTagException.class, () -> decryptor.doFinal(sealed));
        decryptor.update(sealed, 0, 1);
        final Exception e =
                assertThrows(IllegalStateException.class, () -> decryptor.updateAAD(aad));
        assertEquals(
                "associated data comes before the text, and update has been called",
                e.getMessage());
    }

    @ParameterizedTest
    @MethodSource("org.manyfish.jca.Subject#withoutTag")
    void noAssociatedData(Subject subject) throws GeneralSecurityException {
        final Cipher cipher = subject.encryptor();
        final Exception e =
                assertThrows(
                        UnsupportedOperationException.class, () -> cipher.updateAAD(new byte[3]));
        assertEquals(subject.mode + " has no associated data", e.getMessage());
    }

    /**
     * Any byte altered: an exception, nothing in the output, and the right message works after it.
     */
    @ParameterizedTest
    @MethodSource("org.manyfish.jca.Subject#authenticated")
    void altered(Subject subject) throws GeneralSecurityException {
        final byte[] text = Subject.text(37);
        final byte[] sealed = subject.encryptor().doFinal(text);
        final Cipher decryptor = subject.decryptor();
        for (int i = 0; i < sealed.length; i++) {
            final byte[] wrong = sealed.clone();
            wrong[i] ^= (byte) (1 << random.nextInt(8));
            final byte[] out = new byte[64];
            assertEquals(0, decryptor.update(wrong, 0, 20, out));
            assertThrows(
                    AEADBadTagException.class,
                    () -> decryptor.doFinal(wrong, 20, wrong.length - 20, out));
            assertTrue(Subject.isZero(out));
            Arrays.fill(out, (byte) 0x55);
            assertThrows(
                    AEADBadTagException.class,
                    () -> decryptor.doFinal(wrong, 0, wrong.length, out, 7));
            Arrays.fill(out, 0, 7, (byte) 0);
            Arrays.fill(out, 7 + 37, 64, (byte) 0);
            assertTrue(Subject.isZero(out), "what was decrypted is wiped");
            final byte[] inPlace = wrong.clone();
            assertThrows(
                    AEADBadTagException.class,
                    () -> decryptor.doFinal(inPlace, 0, inPlace.length, inPlace));
            assertArrayEquals(wrong, inPlace);
        }
        assertArrayEquals(text, decryptor.doFinal(sealed));
        for (int n = 0; n < 16; n++) {
            final byte[] part = Arrays.copyOf(sealed, n);
            final Exception e =
                    assertThrows(AEADBadTagException.class, () -> decryptor.doFinal(part));
            assertEquals("a message has a tag of 16 bytes; found only " + n, e.getMessage());
        }
    }

    /** Text that waited for its tag, in memory that is used again. */
    @Test
    void scratchIsWiped() throws GeneralSecurityException {
        final Subject ocb = Subject.of("OCB");
        final byte[] sealed = ocb.encryptor().doFinal(Subject.text(100));
        final Scratch scratch = new Scratch();
        final Mode mode =
                Engines.byName("java")
                        .mode(CipherName.TWOFISH, null, ModeName.OCB, ocb.key.getEncoded(), false);
        final MessageParameters parameters =
                MessageParameters.of(ocb.spec(), CipherMode.OCB, CipherName.TWOFISH);
        final ByteBuffer out = ByteBuffer.allocateDirect(100);
        new Opened(mode, parameters, scratch, false).finish(out, ByteBuffer.wrap(sealed));
        assertEquals(100, out.position());
        assertEquals(100, scratch.take(1).length);
        assertTrue(Subject.isZero(scratch.take(1)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ECB/NoPadding", "CBC/NoPadding"})
    void partsOfBlocks(String name) throws GeneralSecurityException {
        final Subject subject = Subject.of(name);
        for (final boolean encrypting : new boolean[] {true, false}) {
            final Cipher cipher = subject.cipher(encrypting);
            cipher.update(new byte[15]);
            final Exception e =
                    assertThrows(
                            IllegalBlockSizeException.class, () -> cipher.doFinal(new byte[8]));
            assertEquals(
                    "without padding the length must be a multiple of 16 bytes, not 23",
                    e.getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ECB/PKCS5Padding", "CBC/PKCS5Padding", "CTR/PKCS5Padding"})
    void wrongPadding(String name) throws GeneralSecurityException {
        final Subject subject = Subject.of(name);
        final Subject raw = Subject.of(subject.mode + "/NoPadding");
        for (int nPadding = 0; nPadding < 256; nPadding++) {
            final byte[] block = new byte[32];
            Arrays.fill(block, Math.max(0, 32 - nPadding), 32, (byte) nPadding);
            block[31] = (byte) nPadding;
            final boolean isRight = nPadding >= 1 && nPadding <= 16;
            if (isRight) {
                assertEquals(32 - nPadding, subject.decryptor().doFinal(sealed(raw, block)).length);
                block[32 - nPadding] ^= 1;
            }
            if (!isRight || nPadding > 1) {
                final byte[] wrong = sealed(raw, block);
                assertThrows(BadPaddingException.class, () -> subject.decryptor().doFinal(wrong));
            }
        }
        final Exception e =
                assertThrows(
                        IllegalBlockSizeException.class,
                        () -> subject.decryptor().doFinal(new byte[17]));
        assertEquals(
                "with padding the length must be a multiple of 16 bytes, not 17", e.getMessage());
    }

    private static byte[] sealed(Subject subject, byte[] text) throws GeneralSecurityException {
        return subject.encryptor().doFinal(text);
    }

    @Test
    void dataUnits() throws GeneralSecurityException {
        final Subject xts = Subject.of("XTS");
        for (final int nBytes : new int[] {0, 1, 15, (1 << 24) + 1}) {
            final Exception e =
                    assertThrows(
                            IllegalBlockSizeException.class,
                            () -> xts.encryptor().doFinal(new byte[nBytes]));
            assertEquals(
                    "a data unit of XTS has 16 to 16777216 bytes; found " + nBytes, e.getMessage());
        }
    }

    /** Refused as soon as it is too long; to decrypt, a tag may come with it. */
    @Test
    void longestTextOfCcm() throws GeneralSecurityException {
        final Subject ccm = Subject.of("CCM");
        final AlgorithmParameterSpec spec = ccm.spec(new byte[13]);
        final String most = "with this IV a message has at most 65535 bytes";
        final Cipher encryptor = ccm.cipher();
        encryptor.init(Cipher.ENCRYPT_MODE, ccm.key, spec);
        encryptor.update(new byte[65_500]);
        final Exception e =
                assertThrows(IllegalStateException.class, () -> encryptor.update(new byte[36]));
        assertEquals(most + ": give CCM a shorter one", e.getMessage());
        final byte[] sealed = encryptor.doFinal(new byte[35]);
        final Cipher decryptor = ccm.cipher();
        decryptor.init(Cipher.DECRYPT_MODE, ccm.key, spec);
        assertArrayEquals(new byte[65_535], decryptor.doFinal(sealed));
        final byte[] longer = Arrays.copyOf(sealed, sealed.length + 1);
        final Exception f =
                assertThrows(AEADBadTagException.class, () -> decryptor.doFinal(longer));
        assertEquals(most, f.getMessage());
    }

    @Test
    void vectorsOfXts() throws GeneralSecurityException {
        for (final Vectors.Case c : Vectors.read("twofish_xts")) {
            if (c.number("SECTOR_BYTES") != c.bytes("PT").length) {
                continue; // several data units
            }
            final Cipher cipher = cipher("XTS");
            cipher.init(Cipher.ENCRYPT_MODE, twoKeys(c), new IvParameterSpec(c.bytes("TWEAK")));
            assertArrayEquals(c.bytes("CT"), cipher.doFinal(c.bytes("PT")), c.toString());
        }
    }

    /**
     * One string of associated data, and a nonce as the last one where there are two. [RFC5297, 3]
     */
    @Test
    void vectorsOfSiv() throws GeneralSecurityException {
        int nCases = 0;
        for (final Vectors.Case c : Vectors.read("twofish_siv")) {
            final int nStrings = c.number("N_AAD");
            final boolean asNonce = nStrings == 2 && c.bytes("AAD_2").length > 0;
            if (nStrings > 1 && !asNonce || nStrings > 0 && c.bytes("AAD_1").length == 0) {
                continue; // the JCA cannot say more strings, or empty ones
            }
            final Cipher cipher = cipher("SIV");
            if (asNonce) {
                cipher.init(Cipher.ENCRYPT_MODE, twoKeys(c), new IvParameterSpec(c.bytes("AAD_2")));
            } else {
                cipher.init(Cipher.ENCRYPT_MODE, twoKeys(c));
            }
            if (nStrings > 0) {
                cipher.updateAAD(c.bytes("AAD_1"));
            }
            assertArrayEquals(
                    Vectors.bytes(c.text("TAG") + c.text("CT")),
                    cipher.doFinal(c.bytes("PT")),
                    c.toString());
            nCases++;
        }
        assertTrue(nCases > 5, "only " + nCases + " cases");
    }

    private static Cipher cipher(String mode) throws GeneralSecurityException {
        return Subject.of(mode).cipher();
    }

    private static Key twoKeys(Vectors.Case c) {
        return new SecretKeySpec(Vectors.bytes(c.text("KEY") + c.text("KEY_2")), "Twofish");
    }

    @ParameterizedTest
    @ValueSource(strings = {"CBC/PKCS5Padding", "OCB/NoPadding", "SIV/NoPadding"})
    void wrappedKeys(String name) throws GeneralSecurityException {
        final Subject subject = Subject.of(name);
        final KeyPair pair = KeyPairGenerator.getInstance("EC").generateKeyPair();
        final Key secret = new SecretKeySpec(Subject.text(24), "AES");
        assertEquals(secret, again(subject, secret, Cipher.SECRET_KEY));
        assertEquals(pair.getPublic(), again(subject, pair.getPublic(), Cipher.PUBLIC_KEY));
        assertEquals(pair.getPrivate(), again(subject, pair.getPrivate(), Cipher.PRIVATE_KEY));
        final Exception e =
                assertThrows(
                        InvalidKeyException.class,
                        () -> again(subject, secret, Cipher.PRIVATE_KEY, "EC"));
        assertEquals("what was unwrapped is no key of EC", e.getMessage());
        final Cipher unwrap = subject.cipher();
        unwrap.init(Cipher.UNWRAP_MODE, subject.key, subject.spec());
        final Exception f =
                assertThrows(
                        InvalidKeyException.class,
                        () -> unwrap.unwrap(new byte[32], "AES", Cipher.SECRET_KEY));
        assertEquals("cannot unwrap: ", f.getMessage().substring(0, 15));
        final byte[] nothing = subject.encryptor().doFinal();
        final Exception g =
                assertThrows(
                        InvalidKeyException.class,
                        () -> unwrap.unwrap(nothing, "AES", Cipher.SECRET_KEY));
        assertEquals("what was unwrapped is no key of AES", g.getMessage());
    }

    private static Key again(Subject subject, Key key, int type) throws GeneralSecurityException {
        return again(subject, key, type, key.getAlgorithm());
    }

    private static Key again(Subject subject, Key key, int type, String algorithm)
            throws GeneralSecurityException {
        final Cipher wrap = subject.cipher();
        wrap.init(Cipher.WRAP_MODE, subject.key, subject.spec());
        final Cipher unwrap = subject.cipher();
        unwrap.init(Cipher.UNWRAP_MODE, subject.key, subject.spec());
        return unwrap.unwrap(wrap.wrap(key), algorithm, type);
    }
}
