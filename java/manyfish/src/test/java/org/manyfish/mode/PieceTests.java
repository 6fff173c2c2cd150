// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntSupplier;
import javax.crypto.AEADBadTagException;
import org.junit.jupiter.api.Test;

/** However a message is cut, and wherever it lies, it gives what one piece gives. */
public interface PieceTests extends EngineTests {
    /** More than a piece of a buffer (8192 bytes) and than one of a mode in Java (4096). */
    int LONG = 8192 + 4096 + 37;

    /** Both directions of each mode of each cipher with each kernel. */
    default void forEachMode(Random random, int textBytes, Trial trial) {
        for (Example example : Example.ofEachMode(random, CipherName.values())) {
            final byte[] text = example.text(random, textBytes);
            forEachKernel(
                    example.cipher,
                    kernel -> {
                        try (Mode encryption = example.mode(engine(), kernel, true);
                                Mode decryption = example.mode(engine(), kernel, false)) {
                            final byte[] sealed = example.seal(encryption, text);
                            assertArrayEquals(
                                    text, example.open(decryption, sealed), example.toString());
                            trial.run(example, encryption, text, sealed, true);
                            trial.run(example, decryption, sealed, text, false);
                        } catch (AEADBadTagException e) {
                            throw new AssertionError(kernel + " " + example, e);
                        }
                    });
        }
    }

    /** A trial of a mode: from gives to in one piece. */
    interface Trial {
        void run(Example example, Mode mode, byte[] from, byte[] to, boolean encrypting)
                throws AEADBadTagException;
    }

    /** Every cut into two pieces. */
    @Test
    default void twoPieces() {
        forEachMode(new Random(1), 5 * 16 + 3, PieceTests::checkEveryCut);
    }

    private static void checkEveryCut(
            Example example, Mode mode, byte[] from, byte[] to, boolean encrypting)
            throws AEADBadTagException {
        final int nBytes = Math.min(from.length, to.length);
        final int unit = mode.unitBytes();
        for (int i = 0; unit != Mode.WHOLE_MESSAGE && i <= nBytes; i += unit) {
            final int first = i;
            final byte[] out = crypt(example, mode, from, encrypting, () -> first);
            assertArrayEquals(to, out, example + " cut at " + i);
        }
    }

    @Test
    default void manyPieces() {
        forEachMode(new Random(2), LONG, PieceTests::checkRandomCuts);
    }

    private static void checkRandomCuts(
            Example example, Mode mode, byte[] from, byte[] to, boolean encrypting)
            throws AEADBadTagException {
        final Random random = new Random(from.length);
        for (int i = 0; mode.unitBytes() != Mode.WHOLE_MESSAGE && i < 5; i++) {
            final int most = i == 0 ? 100 : LONG / i;
            final byte[] out = crypt(example, mode, from, encrypting, () -> random.nextInt(most));
            assertArrayEquals(to, out, example.toString());
        }
    }

    /** A message in at most 101 pieces of the sizes given, cut to the unit, at odd places. */
    private static byte[] crypt(
            Example example, Mode mode, byte[] from, boolean encrypting, IntSupplier sizes)
            throws AEADBadTagException {
        final int tagBytes = example.tagBytes;
        final int nBytes = encrypting ? from.length : from.length - tagBytes;
        final byte[] out = new byte[3 + nBytes + tagBytes];
        final byte[] in = new byte[5 + from.length];
        System.arraycopy(from, 0, in, 5, from.length);
        startInPieces(example, mode);
        int done = 0;
        for (int i = 0; i < 100 && done < nBytes; i++) {
            final int unit = mode.unitBytes();
            final int n = Math.min(sizes.getAsInt(), nBytes - done) / unit * unit;
            mode.update(out, 3 + done, in, 5 + done, n);
            done += n;
        }
        mode.finish(
                out,
                3 + done,
                in,
                5 + done,
                nBytes - done,
                encrypting ? out : in,
                (encrypting ? 3 : 5) + nBytes,
                tagBytes);
        return Arrays.copyOfRange(out, 3, 3 + (encrypting ? nBytes + tagBytes : nBytes));
    }

    /** Associated data in three pieces. */
    private static void startInPieces(Example example, Mode mode) {
        mode.start(example.iv);
        if (example.aad != null) {
            final int a = example.aad.length / 3;
            mode.aad(example.aad, 0, a);
            mode.aad(example.aad, a, a);
            mode.aad(example.aad, 2 * a, example.aad.length - 2 * a);
        }
    }

    @Test
    default void inPlace() {
        forEachMode(new Random(3), LONG, PieceTests::checkInPlace);
    }

    private static void checkInPlace(
            Example example, Mode mode, byte[] from, byte[] to, boolean encrypting)
            throws AEADBadTagException {
        final int nBytes = Math.min(from.length, to.length);
        final byte[] buffer = Arrays.copyOf(from, nBytes + example.tagBytes);
        example.start(mode);
        int done = 0;
        if (mode.unitBytes() != Mode.WHOLE_MESSAGE) {
            done = nBytes / 3 / mode.unitBytes() * mode.unitBytes();
            mode.update(buffer, 0, buffer, 0, done);
        }
        final int left = nBytes - done;
        mode.finish(buffer, done, buffer, done, left, buffer, nBytes, example.tagBytes);
        assertArrayEquals(to, Arrays.copyOf(buffer, to.length), example.toString());
    }

    /** Heap buffers with and without an array to be seen, and direct ones. */
    @Test
    default void buffers() {
        forEachMode(new Random(4), LONG, PieceTests::checkAllBuffers);
    }

    private static void checkAllBuffers(
            Example example, Mode mode, byte[] from, byte[] to, boolean encrypting)
            throws AEADBadTagException {
        final int unit = mode.unitBytes();
        if (unit == Mode.WHOLE_MESSAGE) {
            return;
        }
        final int nBytes = Math.min(from.length, to.length);
        final int whole = nBytes / unit * unit;
        final ByteBuffer direct = ByteBuffer.allocateDirect(from.length).put(from).flip();
        final ByteBuffer heap = heapBuffer(from.length).put(from).flip();
        final List<ByteBuffer> outs =
                List.of(ByteBuffer.allocateDirect(nBytes + 7), heapBuffer(nBytes + 7));
        for (ByteBuffer in : List.of(heap, heap.asReadOnlyBuffer(), direct)) {
            for (ByteBuffer out : outs) {
                example.start(mode);
                checkBuffers(mode, out.clear().position(7), in.duplicate().limit(whole), to);
                finish(example, mode, from, to, whole, encrypting);
            }
        }
    }

    /** One that begins within its array. */
    private static ByteBuffer heapBuffer(int nBytes) {
        return ByteBuffer.allocate(5 + nBytes).position(5).slice();
    }

    private static void checkBuffers(Mode mode, ByteBuffer out, ByteBuffer in, byte[] expected) {
        final int whole = in.remaining();
        mode.update(out, in);
        assertEquals(0, in.remaining());
        assertEquals(7 + whole, out.position());
        final byte[] written = new byte[whole];
        out.position(7).get(written);
        assertArrayEquals(Arrays.copyOf(expected, whole), written);
    }

    /** The rest of a message, to see that the state is right. */
    private static void finish(
            Example example, Mode mode, byte[] from, byte[] to, int done, boolean encrypting)
            throws AEADBadTagException {
        final int nBytes = Math.min(from.length, to.length);
        final byte[] out = new byte[nBytes - done + example.tagBytes];
        mode.finish(
                out,
                0,
                from,
                done,
                nBytes - done,
                encrypting ? out : from,
                encrypting ? nBytes - done : nBytes,
                example.tagBytes);
        assertArrayEquals(
                Arrays.copyOfRange(to, done, to.length),
                Arrays.copyOf(out, to.length - done),
                example.toString());
    }

    /**
     * A message leaves nothing for the next one of the same mode, be it whole, unfinished or wrong.
     */
    @Test
    default void messageAfterMessage() {
        forEachMode(new Random(16), 100, this::checkNext);
    }

    private void checkNext(Example example, Mode mode, byte[] from, byte[] to, boolean encrypting)
            throws AEADBadTagException {
        final int tagBytes = example.tagBytes;
        final byte[] text = example.text(new Random(17), 0);
        final byte[] sealed;
        try (Mode fresh = example.mode(engine(), null, true)) {
            sealed = EngineTests.seal(fresh, example.iv, null, text, tagBytes);
        }
        example.start(mode);
        if (encrypting) {
            assertArrayEquals(sealed, EngineTests.seal(mode, example.iv, null, text, tagBytes));
        } else {
            assertArrayEquals(text, EngineTests.open(mode, example.iv, null, sealed, tagBytes));
        }
    }

    /** CMAC, of which finish begins again. */
    @Test
    default void cmacInPieces() {
        final Random random = new Random(5);
        for (CipherName cipher : CipherName.values()) {
            final byte[] key = new Example(cipher, ModeName.ECB, random).key;
            final byte[] message = Example.bytes(random, 100);
            forEachKernel(
                    cipher,
                    kernel -> {
                        try (Cmac cmac = engine().cmac(cipher, kernel, key)) {
                            checkEveryCut(cmac, message, cipher.blockBytes());
                        }
                    });
        }
    }

    private static void checkEveryCut(Cmac cmac, byte[] message, int blockBytes) {
        final byte[] expected = new byte[blockBytes];
        final byte[] tag = new byte[blockBytes];
        cmac.update(message, 0, message.length);
        cmac.finish(expected, 0);
        for (int i = 0; i <= message.length; i++) {
            cmac.update(message, 0, 17);
            cmac.reset();
            cmac.update(message, 0, i);
            cmac.update(message, i, message.length - i);
            cmac.finish(tag, 0);
            assertArrayEquals(expected, tag, "cut at " + i);
        }
    }
}
