// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jni;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.manyfish.BatchCipher;
import org.manyfish.BatchExample;
import org.manyfish.ManyfishProvider;
import org.manyfish.mode.Batch;
import org.manyfish.mode.CipherName;
import org.manyfish.mode.Form;
import org.manyfish.mode.ModeName;
import org.manyfish.mode.Results;
import org.manyfish.mode.Strings;

/** Of batches by C alone: chunks, and what is left in them. */
@EnabledIf("org.manyfish.jni.WithLibrary#isThere")
class NativeBatchTest {
    private static final Provider PROVIDER = new ManyfishProvider().configure("native");
    private static final int MIB = 1 << 20;

    private static void check(String name, int... lengths) throws GeneralSecurityException {
        final BatchExample example = new BatchExample(name, 128, new Random(31), lengths);
        final byte[][] sealed = example.encryptEach(PROVIDER);
        try (BatchCipher batch = example.batch(PROVIDER)) {
            assertArrayEquals(sealed, batch.encrypt(example.ivs, example.aads, example.texts));
            assertArrayEquals(example.texts, batch.decrypt(example.ivs, example.aads, sealed));
        }
    }

    /** More messages than a chunk has. */
    @Test
    void manyMessages() throws GeneralSecurityException {
        for (String name : BatchExample.transformations("Twofish")) {
            check(name, BatchExample.lengths(new Random(32), 2 * 2048 + 1));
        }
    }

    /** More bytes than a chunk has, in a few messages, of which one alone is too long. */
    @Test
    void longMessages() throws GeneralSecurityException {
        check("Twofish/OCB/NoPadding", MIB, 9 * MIB, 7 * MIB, 17 * MIB, 1, 40);
    }

    /** Rejected messages at the borders of chunks keep the others in their places. */
    @Test
    void rejectedMessages() throws GeneralSecurityException {
        final int[] lengths = BatchExample.lengths(new Random(33), 3 * 2048);
        final BatchExample example =
                new BatchExample("Twofish/GCM/NoPadding", 128, new Random(34), lengths);
        try (BatchCipher batch = example.batch(PROVIDER)) {
            final byte[][] sealed = batch.encrypt(example.ivs, example.aads, example.texts);
            final byte[][] expected = example.texts.clone();
            for (int i : new int[] {0, 2047, 4096, lengths.length - 1}) {
                sealed[i] = Arrays.copyOf(sealed[i], i % 2 == 0 ? 15 : sealed[i].length - 1);
                expected[i] = null;
            }
            assertArrayEquals(expected, batch.decrypt(example.ivs, example.aads, sealed));
        }
    }

    /** The buffer outside the heap, which lives on. */
    private static ByteBuffer buffer(Batch batch) throws ReflectiveOperationException {
        final Field chunk = NativeBatch.class.getDeclaredField("chunk");
        chunk.setAccessible(true);
        final Field data = Chunk.class.getDeclaredField("data");
        data.setAccessible(true);
        return ((ByteBuffer) data.get(chunk.get(batch))).duplicate().clear();
    }

    private static void isWiped(Batch batch) throws ReflectiveOperationException {
        final ByteBuffer data = buffer(batch);
        assertTrue(data.capacity() >= 3000);
        while (data.hasRemaining()) {
            assertEquals(0, data.get());
        }
    }

    /** Counts, and has no room for one. */
    private static final class Failing implements Results {
        private final byte[] room = new byte[4096];
        private final int last;
        private int n;

        Failing(int last) {
            this.last = last;
        }

        @Override
        public byte[] room(int nBytes) {
            if (n == last) {
                throw new OutOfMemoryError("planted");
            }
            return room;
        }

        @Override
        public int offset() {
            return 0;
        }

        @Override
        public void keep() {
            n++;
        }

        @Override
        public void reject() {
            n++;
        }
    }

    @Test
    void nothingIsLeft() throws ReflectiveOperationException {
        final Form form = new Form(CipherName.TWOFISH, ModeName.CBC, true, 0);
        final byte[][] texts = new byte[30][100];
        for (byte[] text : texts) {
            Arrays.fill(text, (byte) 0xA5);
        }
        final Strings ivs = Strings.of(new byte[30][16]);
        final Strings none = Strings.of(new byte[30][]);
        final Batch batch =
                NativeEngine.orNull().batch(CipherName.TWOFISH, null, form, new byte[16]);
        final Failing all = new Failing(30);
        batch.crypt(true, ivs, none, Strings.of(texts), all);
        assertEquals(30, all.n);
        isWiped(batch);
        assertThrows(
                OutOfMemoryError.class,
                () -> batch.crypt(true, ivs, none, Strings.of(texts), new Failing(7)));
        isWiped(batch);
        batch.close();
        batch.close();
        assertThrows(
                IllegalStateException.class,
                () -> batch.crypt(true, ivs, none, Strings.of(texts), new Failing(0)));
        isWiped(batch);
    }

    /** A handle of a mode without a batch, which the engine never opens, is refused. */
    @Test
    void modesWithoutBatches() {
        final Form form = new Form(CipherName.TWOFISH, ModeName.ECB, false, 0);
        try (Batch batch =
                NativeEngine.orNull().batch(CipherName.TWOFISH, null, form, new byte[16])) {
            final Strings one = Strings.of(new byte[1][16]);
            final Strings none = Strings.of(new byte[1][]);
            assertThrows(
                    IllegalStateException.class,
                    () -> batch.crypt(true, none, none, one, new Failing(1)));
        }
    }
}
