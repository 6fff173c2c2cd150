// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.ShortBufferException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Arrays and buffers of all kinds, at the same place, overlapping, and too short. */
class BuffersTest {
    private static final int N_BYTES = 700;
    private static final List<Integer> LENGTHS = List.of(0, 1, 16, 31, 100, 1000);
    private static final List<Integer> SHIFTS = List.of(-40, -16, -5, -1, 0, 1, 7, 16, 33);
    private static final List<Integer> HELD = List.of(0, 5, 16, 21);

    /** How memory for a buffer is had. */
    private enum Kind {
        HEAP {
            @Override
            ByteBuffer allocate(int nBytes) {
                return ByteBuffer.allocate(nBytes);
            }
        },
        SLICE {
            @Override
            ByteBuffer allocate(int nBytes) {
                final ByteBuffer all = ByteBuffer.allocate(nBytes + 20);
                all.position(13);
                final ByteBuffer slice = all.slice();
                slice.limit(nBytes);
                return slice;
            }
        },
        DIRECT {
            @Override
            ByteBuffer allocate(int nBytes) {
                return ByteBuffer.allocateDirect(nBytes);
            }
        };

        abstract ByteBuffer allocate(int nBytes);
    }

    @ParameterizedTest
    @MethodSource("org.manyfish.jca.Subject#all")
    void overlappingArrays(Subject subject) throws GeneralSecurityException {
        for (final boolean encrypting : new boolean[] {true, false}) {
            for (final int held : HELD) {
                for (final int shift : SHIFTS) {
                    overlapping(subject, encrypting, held, shift, Kind.HEAP);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("org.manyfish.jca.Subject#all")
    void overlappingDirectBuffers(Subject subject) throws GeneralSecurityException {
        for (final boolean encrypting : new boolean[] {true, false}) {
            for (final int held : HELD) {
                for (final int shift : SHIFTS) {
                    overlapping(subject, encrypting, held, shift, Kind.DIRECT);
                }
            }
        }
    }

    /**
     * After held bytes, the rest is read from a place, and written shift bytes before or behind it.
     */
    private static void overlapping(
            Subject subject, boolean encrypting, int held, int shift, Kind kind)
            throws GeneralSecurityException {
        final byte[] input = subject.input(encrypting, Subject.text(subject.length(N_BYTES)));
        final byte[] expected = subject.cipher(encrypting).doFinal(input);
        final Cipher cipher = subject.cipher(encrypting);
        final byte[] first = bytes(cipher.update(input, 0, held));
        final ByteBuffer memory = kind.allocate(N_BYTES + 300);
        final int inStart = 100;
        final ByteBuffer in = memory.duplicate();
        in.position(inStart);
        in.put(input, held, input.length - held);
        in.flip();
        in.position(inStart);
        final ByteBuffer out = memory.duplicate();
        out.position(inStart + shift);
        cipher.doFinal(shift % 2 == 0 ? in : in.asReadOnlyBuffer(), out);
        assertArrayEquals(
                expected,
                join(first, between(memory, inStart + shift, out.position())),
                subject + " " + encrypting + " held " + held + " shift " + shift);
    }

    @ParameterizedTest
    @MethodSource("org.manyfish.jca.Subject#all")
    void overlappingInUpdate(Subject subject) throws GeneralSecurityException {
        for (final int shift : SHIFTS) {
            final byte[] text = Subject.text(subject.length(N_BYTES));
            final byte[] expected = subject.encryptor().doFinal(text);
            final byte[] memory = new byte[N_BYTES + 300];
            System.arraycopy(text, 5, memory, 100, text.length - 5);
            final Cipher cipher = subject.encryptor();
            final byte[] first = bytes(cipher.update(text, 0, 5));
            final int n = cipher.update(memory, 100, text.length - 5, memory, 100 + shift);
            final byte[] second = Arrays.copyOfRange(memory, 100 + shift, 100 + shift + n);
            assertArrayEquals(expected, join(join(first, second), cipher.doFinal()));
        }
    }

    @ParameterizedTest
    @MethodSource("org.manyfish.jca.Subject#all")
    void allKinds(Subject subject) throws GeneralSecurityException {
        for (final Kind inKind : Kind.values()) {
            for (final Kind outKind : Kind.values()) {
                for (final int length : LENGTHS) {
                    for (final boolean encrypting : new boolean[] {true, false}) {
                        oneKind(subject, encrypting, length, inKind, outKind);
                    }
                }
            }
        }
    }

    private static void oneKind(
            Subject subject, boolean encrypting, int length, Kind inKind, Kind outKind)
            throws GeneralSecurityException {
        final byte[] input = subject.input(encrypting, Subject.text(subject.length(length)));
        final byte[] expected = subject.cipher(encrypting).doFinal(input);
        final Cipher cipher = subject.cipher(encrypting);
        final ByteBuffer in = inKind.allocate(input.length);
        in.put(input).flip();
        final ByteBuffer out = outKind.allocate(expected.length + 32);
        final int cut = input.length / 3;
        in.limit(cut);
        final ByteBuffer first = in.asReadOnlyBuffer();
        assertEquals(cipher.update(first, out), out.position());
        assertEquals(cut, first.position());
        in.position(cut).limit(input.length);
        cipher.doFinal(in, out);
        assertEquals(input.length, in.position());
        assertArrayEquals(expected, between(out, 0, out.position()), subject.toString());
    }

    @ParameterizedTest
    @MethodSource("org.manyfish.jca.Subject#all")
    void tooShort(Subject subject) throws GeneralSecurityException {
        for (final boolean encrypting : new boolean[] {true, false}) {
            for (final Kind kind : Kind.values()) {
                final byte[] input = subject.input(encrypting, Subject.text(subject.length(75)));
                final byte[] expected = subject.cipher(encrypting).doFinal(input);
                final Cipher cipher = subject.cipher(encrypting);
                final ByteBuffer in = ByteBuffer.wrap(input);
                final ByteBuffer out = kind.allocate(expected.length + 32);
                out.position(3);
                for (int room = 0; room < expected.length; room += 1 + room / 9) {
                    out.limit(3 + room);
                    assertThrows(ShortBufferException.class, () -> cipher.doFinal(in, out));
                    assertEquals(0, in.position());
                    assertEquals(3, out.position());
                }
                out.limit(3 + expected.length);
                assertEquals(expected.length, cipher.doFinal(in, out), subject.toString());
                assertArrayEquals(expected, between(out, 3, out.position()));
            }
        }
    }

    @Test
    void messagesOfTooShort() throws GeneralSecurityException {
        final Subject gcm = Subject.of("GCM");
        final Exception e =
                assertThrows(
                        ShortBufferException.class,
                        () -> gcm.encryptor().doFinal(new byte[5], 0, 5, new byte[20]));
        assertEquals("the output has 21 bytes; there is room for 20", e.getMessage());
        final Subject cbc = Subject.of("CBC");
        final byte[] sealed = cbc.encryptor().doFinal(new byte[20]);
        final Cipher cipher = cbc.decryptor();
        final Exception f =
                assertThrows(
                        ShortBufferException.class,
                        () -> cipher.doFinal(sealed, 0, 32, new byte[19]));
        assertEquals("the text has 20 bytes; there is room for 19", f.getMessage());
        final Exception g =
                assertThrows(
                        ShortBufferException.class,
                        () -> cbc.decryptor().doFinal(sealed, 0, 32, new byte[15]));
        assertEquals("the text has 16 to 32 bytes; there is room for 15", g.getMessage());
    }

    /** A caller who does not repeat the call with the padding gets an error that says so. */
    @Test
    void notRepeated() throws GeneralSecurityException {
        final Subject cbc = Subject.of("CBC");
        final byte[] sealed = cbc.encryptor().doFinal(new byte[20]);
        final byte[] other = cbc.encryptor().doFinal(new byte[21]);
        final Cipher cipher = cbc.decryptor();
        assertThrows(ShortBufferException.class, () -> cipher.doFinal(sealed, 0, 32, new byte[19]));
        final Exception e =
                assertThrows(IllegalStateException.class, () -> cipher.update(new byte[16]));
        assertEquals(
                "after a ShortBufferException repeat doFinal with the same input and a larger buffer,"
                        + " or call init",
                e.getMessage());
        assertThrows(IllegalStateException.class, () -> cipher.doFinal(other));
        cipher.init(Cipher.DECRYPT_MODE, cbc.key, cbc.spec());
        assertArrayEquals(new byte[21], cipher.doFinal(other));
    }

    private static byte[] bytes(byte[] piece) {
        return piece == null ? new byte[0] : piece;
    }

    private static byte[] join(byte[] a, byte[] b) {
        final byte[] all = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, all, a.length, b.length);
        return all;
    }

    private static byte[] between(ByteBuffer buffer, int from, int to) {
        final byte[] bytes = new byte[to - from];
        final ByteBuffer view = buffer.duplicate();
        view.limit(view.capacity());
        view.position(from);
        view.get(bytes);
        return bytes;
    }
}
