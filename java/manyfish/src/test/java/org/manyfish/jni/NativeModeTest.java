// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jni;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import javax.crypto.AEADBadTagException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.manyfish.mode.CipherName;
import org.manyfish.mode.Cmac;
import org.manyfish.mode.Engine;
import org.manyfish.mode.Mode;
import org.manyfish.mode.ModeName;

/** Of the native engine alone: borders of pieces, direct buffers, and refusals. */
@EnabledIf("org.manyfish.jni.WithLibrary#isThere")
class NativeModeTest {
    /** The bytes of a piece for which an array is pinned (pinned.h). */
    private static final int PIECE_BYTES = 1 << 16;

    private static final byte[] IV = new byte[16];
    private static final Engine ENGINE = NativeEngine.orNull();

    private static byte[] random(int nBytes) {
        final byte[] bytes = new byte[nBytes];
        new Random(nBytes).nextBytes(bytes);
        return bytes;
    }

    private static Mode open(ModeName mode, boolean encrypting) {
        final byte[] key = random(32 * mode.nKeys());
        return ENGINE.mode(CipherName.TWOFISH, null, mode, key, encrypting);
    }

    private static byte[] iv(ModeName mode) {
        return mode == ModeName.ECB ? null : new byte[hasShortIv(mode) ? 12 : 16];
    }

    private static boolean hasShortIv(ModeName mode) {
        return mode == ModeName.OCB || mode == ModeName.CCM;
    }

    private static byte[] finish(Mode mode, byte[] in, byte[] tag) throws AEADBadTagException {
        final byte[] out = new byte[in.length];
        mode.finish(out, 0, in, 0, in.length, tag, 0, tag.length);
        return out;
    }

    @Test
    void piecesFitTogether() throws AEADBadTagException {
        for (ModeName name : ModeName.values()) {
            for (int nBytes : new int[] {PIECE_BYTES, PIECE_BYTES + 16, 3 * PIECE_BYTES - 16}) {
                goesRound(name, nBytes);
            }
        }
    }

    /** Whole by finish, in place and back; and by update as far as that goes. */
    private static void goesRound(ModeName name, int nBytes) throws AEADBadTagException {
        final String what = name + " " + nBytes;
        final byte[] text = random(nBytes);
        final byte[] tag = new byte[name.hasTag() ? 16 : 0];
        try (Mode encryption = open(name, true);
                Mode decryption = open(name, false)) {
            encryption.start(iv(name));
            final byte[] sealed = finish(encryption, text, tag);
            final byte[] back = sealed.clone();
            decryption.start(iv(name));
            decryption.finish(back, 0, back, 0, nBytes, tag, 0, tag.length);
            assertArrayEquals(text, back, what);
            if (encryption.unitBytes() != Mode.WHOLE_MESSAGE) {
                encryption.start(iv(name));
                encryption.update(back, 0, back, 0, nBytes);
                assertArrayEquals(sealed, back, what);
            }
        }
    }

    @Test
    void buffersOfAnyKindGiveTheSame() {
        final int nBytes = PIECE_BYTES + 48;
        final byte[] text = random(nBytes);
        final byte[] expected = new byte[nBytes];
        try (Mode mode = open(ModeName.CTR, true)) {
            mode.start(IV);
            mode.update(expected, 0, text, 0, nBytes);
            for (int kinds = 0; kinds < 4; kinds++) {
                final ByteBuffer in = buffer(kinds % 2 == 0, text.length + 6);
                in.position(3).limit(3 + nBytes);
                in.duplicate().put(text);
                final ByteBuffer out = buffer(kinds / 2 == 0, nBytes + 5);
                out.position(5);
                for (ByteBuffer source : new ByteBuffer[] {in, in.asReadOnlyBuffer()}) {
                    mode.start(IV);
                    out.position(5);
                    mode.update(out, source);
                    assertEquals(0, source.remaining());
                    assertEquals(0, out.remaining());
                    final byte[] found = new byte[nBytes];
                    out.duplicate().position(5).get(found);
                    assertArrayEquals(expected, found, "kinds " + kinds);
                }
                in.position(3);
            }
        }
    }

    /** A slice, so that an array of it has an offset. */
    private static ByteBuffer buffer(boolean direct, int nBytes) {
        final ByteBuffer whole =
                direct ? ByteBuffer.allocateDirect(nBytes + 7) : ByteBuffer.allocate(nBytes + 7);
        return whole.position(7).slice();
    }

    @Test
    void aWrongTagWipesAllOfThePiece() throws AEADBadTagException {
        for (ModeName name : ModeName.values()) {
            if (!name.hasTag()) {
                continue;
            }
            final byte[] text = random(2 * PIECE_BYTES + 5);
            final byte[] tag = new byte[16];
            try (Mode encryption = open(name, true);
                    Mode decryption = open(name, false)) {
                encryption.start(iv(name));
                final byte[] sealed = finish(encryption, text, tag);
                tag[15] ^= 1;
                decryption.start(iv(name));
                final byte[] out = new byte[text.length];
                Arrays.fill(out, (byte) 7);
                assertThrows(
                        AEADBadTagException.class,
                        () -> decryption.finish(out, 0, sealed, 0, sealed.length, tag, 0, 16));
                assertArrayEquals(new byte[text.length], out, name.name());
            }
        }
    }

    /** The first pieces are decrypted before the library looks at the tag. */
    @Test
    void aTagThatThereIsNotWipesAllOfThePiece() {
        final byte[] sealed = random(2 * PIECE_BYTES + 5);
        for (ModeName name : ModeName.values()) {
            if (!name.hasTag()) {
                continue;
            }
            try (Mode mode = open(name, false)) {
                mode.start(iv(name));
                final byte[] out = new byte[sealed.length];
                refused(
                        "tag",
                        () -> mode.finish(out, 0, sealed, 0, sealed.length, new byte[3], 0, 3));
                assertArrayEquals(new byte[sealed.length], out, name.name());
            }
        }
    }

    @Test
    void placesOutsideOfArraysAreRefused() {
        final byte[] small = new byte[16];
        final byte[] large = new byte[32];
        final ByteBuffer direct = ByteBuffer.allocateDirect(16);
        try (Mode mode = open(ModeName.CTR, true)) {
            mode.start(IV);
            outside(() -> mode.update(small, 0, large, 0, 17));
            outside(() -> mode.update(large, 0, small, 1, 16));
            outside(() -> mode.update(large, 17, small, 0, 16));
            outside(() -> mode.update(large, 0, small, 0, -1));
            outside(() -> mode.update(small, -1, large, 0, 1));
            outside(() -> mode.finish(small, 0, large, 0, 17, null, 0, 0));
            outside(() -> mode.finish(large, 0, large, 0, 32, small, 1, 16));
            outside(() -> mode.aad(small, 8, 9));
            outside(() -> mode.update(direct, ByteBuffer.allocateDirect(17)));
            outside(() -> mode.update(ByteBuffer.wrap(small), ByteBuffer.wrap(large)));
        }
        try (Cmac cmac = ENGINE.cmac(CipherName.TWOFISH, null, new byte[16])) {
            outside(() -> cmac.update(small, 1, 16));
            outside(() -> cmac.finish(small, 1));
        }
    }

    private static void outside(org.junit.jupiter.api.function.Executable call) {
        assertThrows(IndexOutOfBoundsException.class, call);
    }

    private static void refused(String text, org.junit.jupiter.api.function.Executable call) {
        final String found = assertThrows(IllegalArgumentException.class, call).getMessage();
        assertTrue(found.contains(text), found);
    }

    @Test
    void whatTheLibraryRefusesIsSaid() {
        final CipherName twofish = CipherName.TWOFISH;
        refused("key", () -> ENGINE.mode(twofish, null, ModeName.CTR, new byte[17], true));
        refused("key", () -> ENGINE.mode(twofish, null, ModeName.SIV, new byte[33], true));
        refused("key", () -> ENGINE.mode(twofish, null, ModeName.CTR, new byte[65], true));
        refused("key", () -> ENGINE.mode(CipherName.DES, null, ModeName.CTR, new byte[24], true));
        refused(
                "key",
                () -> ENGINE.mode(CipherName.TRIPLE_DES, null, ModeName.CTR, new byte[8], true));
        refused("kernel", () -> ENGINE.mode(twofish, "planted", ModeName.CTR, new byte[16], true));
        refused(
                "kernel",
                () -> ENGINE.mode(twofish, "p".repeat(99), ModeName.CTR, new byte[16], true));
        refused(
                "there are " + String.join(", ", NativeEngine.kernels(twofish)),
                () -> ENGINE.cmac(twofish, "planted", new byte[16]));
        refused(
                "16 bytes",
                () -> ENGINE.mode(CipherName.DES, null, ModeName.OCB, new byte[8], true));
        refused("halves", () -> ENGINE.mode(twofish, null, ModeName.XTS, new byte[32], true));
        assertThrows(NullPointerException.class, () -> ENGINE.cmac(twofish, null, null));
        refused("key", () -> ENGINE.cmac(twofish, null, new byte[0]));
        try (Mode mode = open(ModeName.CBC, true)) {
            refused("nonce", () -> mode.start(new byte[15]));
        }
        try (Mode mode = open(ModeName.OCB, true)) {
            mode.start(new byte[12]);
            refused("tag", () -> mode.finish(IV, 0, IV, 0, 16, new byte[17], 0, 17));
            refused("tag", () -> mode.finish(IV, 0, IV, 0, 16, new byte[8], 0, 8));
        }
    }

    @Test
    void aClosedModeSaysSo() {
        final Mode mode = open(ModeName.CTR, true);
        mode.close();
        mode.close();
        assertThrows(IllegalStateException.class, () -> mode.start(IV));
        assertThrows(IllegalStateException.class, () -> mode.update(IV, 0, IV, 0, 16));
        final Cmac cmac = ENGINE.cmac(CipherName.TWOFISH, null, new byte[16]);
        cmac.close();
        assertThrows(IllegalStateException.class, () -> cmac.update(IV, 0, 16));
    }

    @Test
    void callsOutOfOrderAreRefused() {
        try (Mode mode = open(ModeName.OCB, true)) {
            assertThrows(IllegalStateException.class, () -> mode.update(IV, 0, IV, 0, 16));
        }
        try (Mode mode = open(ModeName.SIV, true)) {
            mode.start(null);
            assertThrows(IllegalStateException.class, () -> mode.update(IV, 0, IV, 0, 16));
        }
        try (Mode mode = open(ModeName.CTR, true)) {
            mode.start(IV);
            assertThrows(IllegalStateException.class, () -> mode.aad(IV, 0, 16));
        }
    }
}
