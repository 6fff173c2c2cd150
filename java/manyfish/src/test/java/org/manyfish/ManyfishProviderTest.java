// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.InvalidParameterException;
import java.security.Provider;
import java.security.Security;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.StreamSupport;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.manyfish.block.KernelList;

/** The provider from outside: how it is found, named and set up; keys, CMAC, threads. */
class ManyfishProviderTest {
    private final Provider provider = new ManyfishProvider();

    @Test
    void isFound() {
        assertTrue(
                StreamSupport.stream(ServiceLoader.load(Provider.class).spliterator(), false)
                        .anyMatch(p -> p.getName().equals(ManyfishProvider.NAME)));
    }

    @Test
    void worksByName() throws GeneralSecurityException {
        Security.addProvider(new ManyfishProvider());
        try {
            final Cipher cipher = Cipher.getInstance("Twofish/OCB/NoPadding", "Manyfish");
            cipher.init(Cipher.ENCRYPT_MODE, KeyGenerator.getInstance("Twofish").generateKey());
            assertEquals(16, cipher.doFinal().length);
            assertEquals("Manyfish", cipher.getParameters().getProvider().getName());
        } finally {
            Security.removeProvider("Manyfish");
        }
    }

    /** Each service makes what it says. */
    @Test
    void everyService() throws GeneralSecurityException {
        for (final Provider.Service service : provider.getServices()) {
            assertNotNull(service.newInstance(null), service.toString());
            assertThrows(InvalidParameterException.class, () -> service.newInstance("something"));
        }
        assertEquals(12, provider.getServices().size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"TwofishCMAC", "Twofish-CMAC", "twofish-cmac", "DESCMAC", "DESedeCMAC"})
    void namesOfMacs(String name) throws GeneralSecurityException {
        assertNotNull(Mac.getInstance(name, provider));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Twofish", "TWOFISH", "DES", "DESede", "TripleDES", "TDEA"})
    void namesOfCiphers(String name) throws GeneralSecurityException {
        assertNotNull(Cipher.getInstance(name, provider));
        assertNotNull(Cipher.getInstance(name + "/cbc/pkcs5padding", provider));
    }

    @Test
    void blocks() throws GeneralSecurityException {
        assertEquals(16, Cipher.getInstance("Twofish", provider).getBlockSize());
        assertEquals(8, Cipher.getInstance("DESede", provider).getBlockSize());
    }

    @ParameterizedTest
    @ValueSource(strings = {"java", "zero", "java zero", "  java   zero "})
    void configured(String choice) throws GeneralSecurityException {
        final Provider configured = provider.configure(choice);
        assertTrue(configured.isConfigured());
        assertFalse(provider.isConfigured());
        assertEquals("Manyfish", configured.getName());
        final SecretKey key = new SecretKeySpec(new byte[32], "Twofish");
        final byte[][] blocks = new byte[2][];
        for (int i = 0; i < 2; i++) {
            final Cipher cipher = Cipher.getInstance("Twofish", i == 0 ? provider : configured);
            cipher.init(Cipher.ENCRYPT_MODE, key);
            blocks[i] = cipher.doFinal(new byte[1000]);
        }
        assertArrayEquals(blocks[0], blocks[1]);
    }

    @Test
    void tellsItsEngine() {
        assertTrue(provider.configure("java").getInfo().endsWith("; engine: java"));
        final String info = provider.getInfo();
        assertTrue(info.endsWith("; engine: native") || info.contains("; engine: java, since "));
    }

    @Test
    void configuredWrongly() {
        final Exception e =
                assertThrows(InvalidParameterException.class, () -> provider.configure("java foo"));
        assertTrue(e.getMessage().contains("\"foo\""), e.getMessage());
        assertTrue(e.getMessage().contains("zero"), e.getMessage());
        final Exception f =
                assertThrows(
                        InvalidParameterException.class,
                        () -> provider.configure("java full zero"));
        assertEquals(
                "expected an engine, a kernel or both, found \"java full zero\"", f.getMessage());
        assertThrows(InvalidParameterException.class, () -> provider.configure(" "));
    }

    /** With each engine: the properties are asked when a key is set. */
    @Test
    void propertiesNameNoKernelThatLeaksUnlessTheyAllowIt() throws GeneralSecurityException {
        final SecretKey key = new SecretKeySpec(new byte[32], "Twofish");
        for (Provider one : List.of(provider, provider.configure("java"))) {
            final Cipher cipher = Cipher.getInstance("Twofish", one);
            try {
                System.setProperty(KernelList.PROPERTY, "zero");
                final Exception e =
                        assertThrows(
                                InvalidKeyException.class,
                                () -> cipher.init(Cipher.ENCRYPT_MODE, key));
                assertTrue(e.getMessage().contains("-Dmanyfish.leaks=any"), e.getMessage());
                assertTrue(provider.configure("java zero").isConfigured());
                System.setProperty(KernelList.LEAKS_PROPERTY, "any");
                cipher.init(Cipher.ENCRYPT_MODE, key);
                System.setProperty(KernelList.LEAKS_PROPERTY, "all");
                assertThrows(
                        InvalidKeyException.class, () -> cipher.init(Cipher.DECRYPT_MODE, key));
            } finally {
                System.clearProperty(KernelList.PROPERTY);
                System.clearProperty(KernelList.LEAKS_PROPERTY);
            }
        }
    }

    @Test
    void keys() throws GeneralSecurityException {
        final KeyGenerator generator = KeyGenerator.getInstance("Twofish", provider);
        assertEquals(32, generator.generateKey().getEncoded().length);
        for (final int bits : new int[] {128, 192, 256, 384, 512}) {
            generator.init(bits);
            final SecretKey key = generator.generateKey();
            assertEquals(bits / 8, key.getEncoded().length);
            assertEquals("Twofish", key.getAlgorithm());
            assertFalse(Arrays.equals(key.getEncoded(), generator.generateKey().getEncoded()));
        }
        final Exception e = assertThrows(InvalidParameterException.class, () -> generator.init(64));
        assertEquals(
                "a key of Twofish has 128, 192 or 256 bits, two in one have 384 or 512, not 64",
                e.getMessage());
        final Exception f =
                assertThrows(
                        InvalidAlgorithmParameterException.class,
                        () -> generator.init(new IvParameterSpec(new byte[16])));
        assertEquals(
                "keys of Twofish have no parameters: call init with a number of bits, or none",
                f.getMessage());
    }

    @ParameterizedTest
    @CsvSource({"twofish_cmac, TwofishCMAC, 16", "des_cmac, DESCMAC, 8"})
    void vectorsOfCmac(String file, String name, int tagBytes) throws GeneralSecurityException {
        int nCases = 0;
        for (final Vectors.Case c : Vectors.read(file)) {
            if (c.bytes("TAG").length != tagBytes) {
                continue; // cut
            }
            final boolean triple = c.bytes("KEY").length != 8 && name.equals("DESCMAC");
            final Mac mac = Mac.getInstance(triple ? "DESedeCMAC" : name, provider);
            mac.init(new SecretKeySpec(c.bytes("KEY"), "Twofish"));
            final byte[] text = c.bytes("MSG");
            mac.update(text);
            mac.reset();
            for (int i = 0; i < text.length; i += 7) {
                mac.update(text, i, Math.min(6, text.length - i));
                if (i + 6 < text.length) {
                    mac.update(text[i + 6]);
                }
            }
            assertArrayEquals(c.bytes("TAG"), mac.doFinal(), c.toString());
            assertArrayEquals(c.bytes("TAG"), mac.doFinal(text), c.toString());
            assertEquals(tagBytes, mac.getMacLength());
            nCases++;
        }
        assertTrue(nCases > 3, "only " + nCases + " cases");
    }

    @Test
    void macsWithoutKeys() throws GeneralSecurityException {
        final Mac mac = Mac.getInstance("TwofishCMAC", provider);
        final SecretKey key = new SecretKeySpec(new byte[16], "Twofish");
        final Exception e =
                assertThrows(
                        InvalidAlgorithmParameterException.class,
                        () -> mac.init(key, new IvParameterSpec(new byte[16])));
        assertEquals("CMAC has no parameters: call init with a key alone", e.getMessage());
        assertThrows(
                InvalidKeyException.class,
                () -> mac.init(new SecretKeySpec(new byte[15], "Twofish")));
        assertThrows(InvalidKeyException.class, () -> mac.init(null));
        assertThrows(IllegalStateException.class, () -> mac.update((byte) 1));
    }

    /** Threads that share the provider and the key, each with ciphers of its own. */
    @Test
    void threads() throws InterruptedException, ExecutionException {
        final SecretKey key = new SecretKeySpec(new byte[32], "Twofish");
        final List<Callable<Integer>> tasks = new ArrayList<>();
        for (int thread = 0; thread < 8; thread++) {
            final int seed = thread;
            tasks.add(() -> exchange(key, new Random(seed)));
        }
        final ExecutorService pool = Executors.newFixedThreadPool(tasks.size());
        int nMessages = 0;
        for (final Future<Integer> result : pool.invokeAll(tasks)) {
            nMessages += result.get();
        }
        pool.shutdown();
        assertEquals(8 * 4 * 20, nMessages);
    }

    private int exchange(SecretKey key, Random random) throws GeneralSecurityException {
        int nMessages = 0;
        for (final String mode : List.of("OCB", "GCM", "EAX", "CTR")) {
            final Cipher sender = Cipher.getInstance("Twofish/" + mode + "/NoPadding", provider);
            final Cipher receiver = Cipher.getInstance("Twofish/" + mode + "/NoPadding", provider);
            for (int i = 0; i < 20; i++) {
                final byte[] text = new byte[random.nextInt(3000)];
                random.nextBytes(text);
                sender.init(Cipher.ENCRYPT_MODE, key);
                receiver.init(Cipher.DECRYPT_MODE, key, sender.getParameters());
                assertArrayEquals(text, receiver.doFinal(sender.doFinal(text)));
                nMessages++;
            }
        }
        return nMessages;
    }
}
