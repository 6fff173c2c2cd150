// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.manyfish.jni.NativeEngine;
import org.manyfish.jni.NativeLibrary;
import org.manyfish.mode.CipherName;

/** Many messages at a time against Cipher and Mac for one, with each engine and kernel. */
class BatchCipherTest {
    private static final SecretKey KEY = new SecretKeySpec(new byte[32], "Twofish");
    private static final List<String> ENGINES = engines();

    private static List<String> engines() {
        if (NativeLibrary.available()) {
            return List.of("java", "native");
        }
        System.out.println("skipped: batches by C: " + NativeLibrary.refusal());
        return List.of("java");
    }

    private static Provider provider(String choice) {
        return new ManyfishProvider().configure(choice);
    }

    /** Each engine with each of its kernels of Twofish. */
    private static List<String> kernels() {
        final List<String> choices = new ArrayList<>();
        Kernels.twofish().forEach(kernel -> choices.add("java " + kernel.name()));
        if (ENGINES.contains("native")) {
            for (String kernel : NativeEngine.kernels(CipherName.TWOFISH)) {
                choices.add("native " + kernel);
            }
        }
        return choices;
    }

    @Test
    void twofish() throws GeneralSecurityException {
        final Random random = new Random(21);
        for (String kernel : kernels()) {
            for (String name : BatchExample.transformations("Twofish")) {
                final int n = 1 + random.nextInt(150);
                likeEach(provider(kernel), name, 128, random, BatchExample.lengths(random, n));
            }
        }
    }

    @Test
    void des() throws GeneralSecurityException {
        final Random random = new Random(22);
        for (String engine : ENGINES) {
            for (String cipher : List.of("DES", "DESede")) {
                for (String name : BatchExample.transformations(cipher)) {
                    final int[] lengths = BatchExample.lengths(random, 550); // the lanes are 512
                    likeEach(provider(engine), name, 128, random, lengths);
                }
            }
        }
    }

    @Test
    void shortTags() throws GeneralSecurityException {
        final Random random = new Random(23);
        for (String engine : ENGINES) {
            final int[] lengths = BatchExample.lengths(random, 70);
            likeEach(provider(engine), "Twofish/EAX/NoPadding", 40, random, lengths);
            likeEach(provider(engine), "Twofish/GCM/NoPadding", 96, random, lengths);
            likeEach(provider(engine), "Twofish/CCM/NoPadding", 48, random, lengths);
        }
    }

    private static void likeEach(
            Provider provider, String name, int tagBits, Random random, int... lengths)
            throws GeneralSecurityException {
        final BatchExample example = new BatchExample(name, tagBits, random, lengths);
        final String what = provider.getInfo() + ": " + example;
        final byte[][] sealed = example.encryptEach(provider);
        try (BatchCipher batch = example.batch(provider)) {
            final byte[][] found = batch.encrypt(example.ivs, example.aads, example.texts);
            assertArrayEquals(sealed, found, what);
            final byte[][] back = batch.decrypt(example.ivs, example.aads, found);
            assertArrayEquals(example.texts, back, what);
            packed(batch, example, sealed, what);
            faults(batch, example, sealed, random, what);
        }
    }

    /** The same in one array. */
    private static void packed(
            BatchCipher batch, BatchExample example, byte[][] sealed, String what) {
        final PackedBytes ivs = BatchExample.pack(example.ivs);
        final PackedBytes aads = example.aads == null ? null : BatchExample.pack(example.aads);
        final PackedBytes texts = BatchExample.pack(example.texts);
        final PackedBytes found = batch.encrypt(ivs, aads, texts);
        assertArrayEquals(sealed, BatchExample.unpack(found), what);
        final PackedBytes back = batch.decrypt(ivs, aads, found);
        assertArrayEquals(example.texts, BatchExample.unpack(back), what);
        assertEquals(
                back.data().length, back.offset(back.size() - 1) + back.length(back.size() - 1));
        assertEquals(0, back.rejected().length, what);
    }

    /** A fifth of the messages changed: those are rejected, where that can be, and no other. */
    private static void faults(
            BatchCipher batch, BatchExample example, byte[][] sealed, Random random, String what) {
        final byte[][] changed = sealed.clone();
        final byte[][] expected = example.texts.clone();
        for (int i = 0; i < changed.length; i++) {
            if (random.nextInt(5) == 0) {
                changed[i] = fault(sealed[i], random);
                expected[i] = null;
            }
        }
        final byte[][] found = batch.decrypt(example.ivs, example.aads, changed);
        for (int i = 0; i < changed.length; i++) {
            if (expected[i] != null || mustFail(example, changed[i])) {
                assertArrayEquals(expected[i], found[i], what + " number " + i);
            }
        }
        packedFaults(batch, example, changed, found, what);
    }

    private static byte[] fault(byte[] sealed, Random random) {
        final byte[] changed =
                random.nextBoolean() || sealed.length == 0
                        ? sealed.clone()
                        : Arrays.copyOf(sealed, random.nextInt(sealed.length));
        if (changed.length > 0 && changed.length == sealed.length) {
            changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return changed;
    }

    /** Tags of 40 bits and more are wrong; a padding may be right by chance. */
    private static boolean mustFail(BatchExample example, byte[] sealed) {
        if (example.aads != null) {
            return true;
        }
        final int block = example.transformation.startsWith("Twofish") ? 16 : 8;
        return example.transformation.contains("CBC") && sealed.length % block != 0;
    }

    private static void packedFaults(
            BatchCipher batch,
            BatchExample example,
            byte[][] changed,
            byte[][] expected,
            String what) {
        final PackedBytes aads = example.aads == null ? null : BatchExample.pack(example.aads);
        final PackedBytes found =
                batch.decrypt(BatchExample.pack(example.ivs), aads, BatchExample.pack(changed));
        assertArrayEquals(expected, BatchExample.unpack(found), what);
        final int[] rejected =
                IntStream.range(0, expected.length).filter(i -> expected[i] == null).toArray();
        assertArrayEquals(rejected, found.rejected(), what);
    }

    /** A wrong padding, which by chance alone is rare. */
    @Test
    void wrongPaddings() throws GeneralSecurityException {
        final byte[][] ivs = new byte[100][16];
        final byte[][] texts = new byte[100][16];
        for (int i = 0; i < 100; i++) {
            texts[i][15] = (byte) (i % 2 == 0 ? 1 : 17 + i);
        }
        for (String engine : ENGINES) {
            final Provider provider = provider(engine);
            try (BatchCipher plain =
                            BatchCipher.getInstance("Twofish/CBC/NoPadding", KEY, 0, provider);
                    BatchCipher padded =
                            BatchCipher.getInstance("Twofish/CBC/PKCS5Padding", KEY, 0, provider)) {
                final byte[][] found = padded.decrypt(ivs, plain.encrypt(ivs, texts));
                for (int i = 0; i < 100; i++) {
                    assertArrayEquals(i % 2 == 0 ? new byte[15] : null, found[i], engine + i);
                }
            }
        }
    }

    @Test
    void noMessages() throws GeneralSecurityException {
        for (String engine : ENGINES) {
            try (BatchCipher ocb = ocb(engine)) {
                assertEquals(0, ocb.encrypt(new byte[0][], new byte[0][]).length);
                final PackedBytes none = PackedBytes.of(new byte[0], new int[1]);
                assertEquals(0, ocb.decrypt(none, none).size());
            }
        }
    }

    private static BatchCipher ocb(String engine) throws GeneralSecurityException {
        return BatchCipher.getInstance("Twofish/OCB/NoPadding", KEY, 128, provider(engine));
    }

    private static void refused(String expected, Executable call) {
        final Exception e = assertThrows(IllegalArgumentException.class, call);
        assertEquals(expected, e.getMessage());
    }

    @Test
    void wrongArguments() throws GeneralSecurityException {
        for (String engine : ENGINES) {
            final byte[][] three = new byte[3][16];
            final byte[][] odd = {new byte[16], new byte[15], new byte[16]};
            final BatchCipher cbc =
                    BatchCipher.getInstance("Twofish/CBC/NoPadding", KEY, 0, provider(engine));
            refused(
                    "expected as many IVs as messages, 3, found 2",
                    () -> cbc.encrypt(new byte[2][16], three));
            refused(
                    "message 1: CBC takes an IV of 16 bytes, not 15",
                    () -> cbc.encrypt(odd, three));
            refused(
                    "message 1: CBC takes an IV of 16 bytes, not 15",
                    () -> cbc.decrypt(BatchExample.pack(odd), BatchExample.pack(three)));
            refused(
                    "message 0: CBC takes an IV of 16 bytes, not 0",
                    () -> cbc.encrypt(null, three));
            refused(
                    "message 1: CBC without padding takes multiples of 16 bytes, not 15",
                    () -> cbc.encrypt(three, odd));
            refused(
                    "message 0: CBC has no associated data",
                    () -> cbc.encrypt(three, three, three));
            final byte[][] hole = {new byte[16], null, new byte[16]};
            assertEquals(
                    "messages[1] is null",
                    assertThrows(NullPointerException.class, () -> cbc.encrypt(three, hole))
                            .getMessage());
            cbc.close();
            assertEquals(
                    "this cipher is closed, its key wiped; make another",
                    assertThrows(IllegalStateException.class, () -> cbc.encrypt(three, three))
                            .getMessage());
            final BatchCipher ctr =
                    BatchCipher.getInstance("Twofish/CTR/NoPadding", KEY, 0, provider(engine));
            refused(
                    "message 0: an IV of 15 bytes does not last for 4081 bytes",
                    () -> ctr.encrypt(new byte[1][15], new byte[1][4081]));
            ctr.encrypt(new byte[1][15], new byte[1][4080]);
            assertNull(ctr.decrypt(new byte[1][15], new byte[1][4081])[0]);
            ctr.close();
            final BatchCipher ccm =
                    BatchCipher.getInstance("Twofish/CCM/NoPadding", KEY, 64, provider(engine));
            refused(
                    "message 0: an IV of 13 bytes does not last for 65536 bytes",
                    () -> ccm.encrypt(new byte[1][13], new byte[1][65_536]));
            ccm.encrypt(new byte[1][13], new byte[1][65_535]);
            assertNull(ccm.decrypt(new byte[1][13], new byte[1][65_536 + 8])[0]);
            refused(
                    "message 0: CCM takes an IV of 7 to 13 bytes, not 6",
                    () -> ccm.encrypt(new byte[1][6], new byte[1][1]));
            ccm.close();
        }
    }

    @Test
    void wrongNames() {
        unknown("expected CIPHER/MODE/PADDING, as in Twofish/CBC/PKCS5Padding, found CBC", "CBC");
        unknown("no cipher AES; there are Twofish, DES, DESede", "AES/CBC/NoPadding");
        unknown(
                "no batches of Twofish in the mode XTS;"
                        + " there are CBC, CTR, CFB, OFB, EAX, OCB, GCM, CCM, SIV",
                "Twofish/XTS/NoPadding");
        unknown(
                "no batches of DESede in the mode OCB; there are CBC, CTR, CFB, OFB",
                "DESede/OCB/NoPadding");
        unknown("batches of CTR take NoPadding only, not PKCS5Padding", "Twofish/CTR/PKCS5Padding");
        unknown(
                "no padding Zeros; there are NoPadding, and PKCS5Padding for CBC",
                "Twofish/CBC/Zeros");
        assertThrows(NoSuchAlgorithmException.class, () -> BatchMac.getInstance("HMAC", KEY));
    }

    private static void unknown(String expected, String name) {
        final Exception e =
                assertThrows(
                        NoSuchAlgorithmException.class, () -> BatchCipher.getInstance(name, KEY));
        assertEquals(expected, e.getMessage());
    }

    @Test
    void wrongKeysAndTags() {
        for (String engine : ENGINES) {
            final Provider provider = provider(engine);
            final SecretKey key = new SecretKeySpec(new byte[17], "Twofish");
            for (String name : BatchExample.transformations("Twofish")) {
                assertThrows(
                        InvalidKeyException.class,
                        () -> BatchCipher.getInstance(name, key, 128, provider));
            }
            assertThrows(
                    InvalidKeyException.class,
                    () -> BatchMac.getInstance("TwofishCMAC", key, provider));
            refused(
                    "OCB takes a tag of 128 bits, not 96",
                    () -> BatchCipher.getInstance("Twofish/OCB/NoPadding", KEY, 96, provider));
        }
        assertThrows(
                IllegalArgumentException.class,
                () -> BatchCipher.getInstance("Twofish/OCB/NoPadding", KEY, 128, null));
    }

    @Test
    void cmac() throws GeneralSecurityException {
        final Random random = new Random(24);
        for (String engine : ENGINES) {
            for (String cipher : List.of("Twofish", "DES", "DESede")) {
                final int[] lengths = BatchExample.lengths(random, 300);
                cmac(
                        provider(engine),
                        new BatchExample(cipher + "/CTR/NoPadding", 0, random, lengths));
            }
        }
    }

    private static void cmac(Provider provider, BatchExample example)
            throws GeneralSecurityException {
        final String name = example.transformation.split("/")[0] + "CMAC";
        final Mac mac = Mac.getInstance(name, provider);
        mac.init(example.key);
        final byte[][] expected = new byte[example.texts.length][];
        Arrays.setAll(expected, i -> mac.doFinal(example.texts[i]));
        final PackedBytes texts = BatchExample.pack(example.texts);
        final BatchMac batch = BatchMac.getInstance(name, example.key, provider);
        final byte[][] tags = batch.compute(example.texts);
        assertArrayEquals(expected, tags, name);
        assertArrayEquals(expected, BatchExample.unpack(batch.compute(texts)), name);
        final boolean[] right = new boolean[tags.length];
        Arrays.fill(right, true);
        assertArrayEquals(right, batch.verify(texts, BatchExample.pack(tags)), name);
        tags[3][0] ^= 1;
        tags[5] = Arrays.copyOf(tags[5], tags[5].length - 1);
        tags[6] = new byte[0];
        tags[7] = null;
        for (int i : new int[] {3, 5, 6, 7}) {
            right[i] = false;
        }
        assertArrayEquals(right, batch.verify(example.texts, tags), name);
        refused(
                "expected as many tags as messages, 300, found 1",
                () -> batch.verify(example.texts, new byte[1][16]));
        batch.close();
        assertThrows(IllegalStateException.class, () -> batch.compute(texts));
    }

    @Test
    void manyThreadsMayUseOne() throws GeneralSecurityException {
        final BatchExample example =
                new BatchExample(
                        "Twofish/OCB/NoPadding",
                        128,
                        new Random(25),
                        BatchExample.lengths(new Random(25), 200));
        for (String engine : ENGINES) {
            try (BatchCipher ocb = example.batch(provider(engine))) {
                final byte[][] sealed = ocb.encrypt(example.ivs, example.aads, example.texts);
                IntStream.range(0, 20)
                        .parallel()
                        .forEach(
                                i ->
                                        assertArrayEquals(
                                                example.texts,
                                                ocb.decrypt(example.ivs, example.aads, sealed)));
            }
        }
    }

    @Test
    void packedBytes() {
        final byte[] data = {1, 2, 3, 4, 5, 6};
        final PackedBytes packed = PackedBytes.of(data, new int[] {1, 3, 3, 6});
        assertEquals(3, packed.size());
        assertArrayEquals(new byte[] {2, 3}, packed.get(0));
        assertArrayEquals(new byte[0], packed.get(1));
        assertArrayEquals(new byte[] {4, 5, 6}, packed.get(2));
        assertArrayEquals(new int[] {1, 3, 3, 6}, packed.offsets());
        assertEquals(3, packed.offset(2));
        assertEquals(3, packed.length(2));
        assertTrue(packed.data() == data && !packed.isRejected(1));
        assertArrayEquals(new byte[] {3, 4}, PackedBytes.ofEach(data, 2).get(1));
        assertThrows(IndexOutOfBoundsException.class, () -> packed.get(3));
        assertThrows(IndexOutOfBoundsException.class, () -> packed.isRejected(3));
    }

    @Test
    void packedBytesThatAreNone() {
        final byte[] data = new byte[6];
        refused(
                "expected n + 1 offsets for n strings, found none",
                () -> PackedBytes.of(data, new int[0]));
        refused(
                "offset 2 is 3, less than that before it, 4",
                () -> PackedBytes.of(data, new int[] {1, 4, 3, 6}));
        refused(
                "expected strings of 4 bytes each, found 6 bytes in all",
                () -> PackedBytes.ofEach(data, 4));
        for (int[] outside : new int[][] {{-1, 3}, {0, 7}}) {
            assertThrows(IndexOutOfBoundsException.class, () -> PackedBytes.of(data, outside));
        }
        assertThrows(
                IllegalArgumentException.class, () -> PackedBytes.of(data, new int[] {0, 9, 6}));
    }

    /** The caller may go on with the array of offsets. */
    @Test
    void offsetsAreCopied() {
        final int[] offsets = {0, 2};
        final PackedBytes packed = PackedBytes.of(new byte[4], offsets);
        offsets[1] = 100;
        assertEquals(2, packed.length(0));
        assertNull(
                new PackedBytes(new byte[0], new int[2], java.util.BitSet.valueOf(new long[] {1}))
                        .get(0));
    }
}
