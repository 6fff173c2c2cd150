// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import javax.crypto.AEADBadTagException;
import org.junit.jupiter.api.Test;

/** Whatever is changed of a message with a tag is noticed, and nothing of it comes out. */
public interface TagTests extends EngineTests {
    private static List<Example> examples(Random random) {
        return Example.ofEachMode(random, CipherName.TWOFISH).stream()
                .filter(example -> example.name.hasTag())
                .collect(Collectors.toList());
    }

    /** Every bit of ciphertext, tag, associated data and nonce. */
    @Test
    default void everyBit() throws AEADBadTagException {
        final Random random = new Random(6);
        for (Example example : examples(random)) {
            final byte[] text = example.text(random, 40);
            try (Mode encryption = example.mode(engine(), null, true);
                    Mode decryption = example.mode(engine(), null, false)) {
                final byte[] sealed = example.seal(encryption, text);
                for (byte[] part : List.of(sealed, example.aad, example.iv)) {
                    refuseEveryBit(example, decryption, sealed, part);
                }
                assertArrayEquals(text, example.open(decryption, sealed), example.toString());
            }
        }
    }

    private static void refuseEveryBit(Example example, Mode mode, byte[] sealed, byte[] part) {
        for (int bit = 0; bit < 8 * part.length; bit++) {
            part[bit / 8] ^= (byte) (1 << bit % 8);
            refuse(example, mode, sealed);
            part[bit / 8] ^= (byte) (1 << bit % 8);
        }
    }

    /** That the mode says so, and leaves zeros, in place too. */
    private static void refuse(Example example, Mode mode, byte[] sealed) {
        final int nBytes = sealed.length - 16;
        final byte[] buffer = sealed.clone();
        example.start(mode);
        assertThrows(
                AEADBadTagException.class,
                () -> mode.finish(buffer, 0, buffer, 0, nBytes, buffer, nBytes, 16),
                example.toString());
        assertArrayEquals(new byte[nBytes], Arrays.copyOf(buffer, nBytes), example.toString());
    }

    /** Another key, a shorter text, and the same strings cut at another place. */
    @Test
    default void otherMessages() {
        final Random random = new Random(7);
        for (Example example : examples(random)) {
            final byte[] sealed;
            try (Mode encryption = example.mode(engine(), null, true)) {
                sealed = example.seal(encryption, example.text(random, 33));
            }
            try (Mode decryption = example.mode(engine(), null, false)) {
                refuse(example, decryption, Arrays.copyOf(sealed, sealed.length - 1));
                refuse(example, decryption, Arrays.copyOfRange(sealed, 1, sealed.length));
                refuse(example, decryption, Arrays.copyOf(sealed, 16));
            }
            example.key[example.key.length - 1] ^= 1;
            try (Mode decryption = example.mode(engine(), null, false)) {
                refuse(example, decryption, sealed);
            }
        }
    }

    /** A tag of a length that the mode does not have is no tag: none at all, above all. */
    @Test
    default void tagLengths() {
        final Random random = new Random(8);
        for (Example example : examples(random)) {
            try (Mode encryption = example.mode(engine(), null, true);
                    Mode decryption = example.mode(engine(), null, false)) {
                for (int tagBytes : wrongLengths(example.name)) {
                    refuseLength(example, encryption, tagBytes);
                    refuseLength(example, decryption, tagBytes);
                }
            }
        }
    }

    private static List<Integer> wrongLengths(ModeName name) {
        final List<Integer> lengths = new ArrayList<>(List.of(0, 1, 2, 3, 17));
        if (name == ModeName.CCM) {
            lengths.addAll(List.of(5, 7, 9, 11, 13, 15));
        } else if (name != ModeName.EAX) {
            lengths.addAll(List.of(5, 6, 7, 9, 10, 11));
        }
        if (name == ModeName.OCB || name == ModeName.SIV) {
            lengths.addAll(List.of(4, 8, 12, 15));
        }
        return lengths;
    }

    private static void refuseLength(Example example, Mode mode, int tagBytes) {
        final byte[] buffer = new byte[64];
        example.start(mode);
        assertThrows(
                IllegalArgumentException.class,
                () -> mode.finish(buffer, 0, buffer, 0, 16, buffer, 16, tagBytes),
                example + ", tag " + tagBytes);
        assertArrayEquals(new byte[64], buffer, example.toString());
    }
}
