// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The public class: what it refuses, and that the rest goes to the kernels. */
class TwofishTest {
    private static final byte[] KEY = new byte[16];

    @Test
    void allKernelsAgree() {
        final byte[] text = new byte[16 * 100];
        new Random(1).nextBytes(text);
        final byte[] expected = new byte[text.length];
        new Twofish(KEY, "zero").encryptBlocks(expected, 0, text, 0, 100);
        for (Kernels.Description kernel : Kernels.twofish()) {
            try (Twofish twofish = new Twofish(KEY, kernel.name())) {
                assertEquals(kernel.name(), twofish.kernel());
                final byte[] found = text.clone();
                twofish.encryptBlocks(found, 0, found, 0, 100);
                assertArrayEquals(expected, found, kernel.toString());
                twofish.decryptBlocks(found, 0, found, 0, 100);
                assertArrayEquals(text, found, kernel.toString());
            }
        }
    }

    @Test
    void kernelsAreDescribed() {
        assertEquals(
                "bitslice full partial minimal zero",
                Kernels.twofish().stream()
                        .map(Kernels.Description::name)
                        .collect(Collectors.joining(" ")));
        assertEquals(true, Kernels.twofish().get(0).constantTime());
        assertEquals(false, Kernels.des().get(0).constantTime());
        assertEquals(
                "sp2k: S-boxes and P in tables of 2 KB", Kernels.tripleDes().get(0).toString());
    }

    @Test
    void shortKeysArePadded() {
        for (Vectors.Case c : Vectors.read("twofish_ecb_short_keys")) {
            final byte[] block = c.bytes("PT");
            new Twofish(Twofish.padKey(c.bytes("KEY"))).encryptBlocks(block, 0, block, 0, 1);
            assertArrayEquals(c.bytes("CT"), block, c.toString());
        }
        assertEquals(
                "a Twofish key has 0 to 32 bytes before it is padded, this one has 33",
                assertThrows(IllegalArgumentException.class, () -> Twofish.padKey(new byte[33]))
                        .getMessage());
    }

    @Test
    void buffersThatAreTooShortAreRefused() {
        final Twofish twofish = new Twofish(KEY);
        final byte[] two = new byte[32];
        assertEquals(
                "2 blocks of 16 bytes from 1 on are not in out, which has 32 bytes",
                refusal(() -> twofish.encryptBlocks(two, 1, new byte[33], 0, 2)));
        assertEquals(
                "3 blocks of 16 bytes from 0 on are not in in, which has 32 bytes",
                refusal(() -> twofish.decryptBlocks(new byte[48], 0, two, 0, 3)));
        refusal(() -> twofish.encryptBlocks(two, -1, two, -1, 1));
        refusal(() -> twofish.encryptBlocks(two, 0, two, 0, -1));
        refusal(() -> twofish.encryptBlocks(two, 0, two, 0, Integer.MAX_VALUE));
    }

    private static String refusal(org.junit.jupiter.api.function.Executable call) {
        return assertThrows(IndexOutOfBoundsException.class, call).getMessage();
    }

    @Test
    void overlappingBuffersAreRefused() {
        final Twofish twofish = new Twofish(KEY);
        final byte[] bytes = new byte[64];
        for (int distance : new int[] {1, 16, 31}) {
            final String message =
                    assertThrows(
                                    IllegalArgumentException.class,
                                    () -> twofish.encryptBlocks(bytes, distance, bytes, 0, 2))
                            .getMessage();
            assertEquals("out and in overlap: give the same place, or places apart", message);
        }
        twofish.encryptBlocks(bytes, 32, bytes, 0, 2);
    }

    @Test
    void aClosedOneIsRefused() {
        final Twofish twofish = new Twofish(KEY);
        twofish.close();
        twofish.close();
        final byte[] block = new byte[16];
        assertEquals(
                "this Twofish is closed, its key wiped; make another",
                assertThrows(
                                IllegalStateException.class,
                                () -> twofish.encryptBlocks(block, 0, block, 0, 1))
                        .getMessage());
    }

    @Test
    void manyThreadsMayUseOneKey() {
        final byte[] expected = new byte[16 * 80];
        for (Kernels.Description kernel : Kernels.twofish()) {
            final Twofish twofish = new Twofish(KEY, kernel.name());
            twofish.encryptBlocks(expected, 0, new byte[expected.length], 0, 80);
            IntStream.range(0, 200)
                    .parallel()
                    .forEach(
                            i -> {
                                final byte[] found = new byte[expected.length];
                                twofish.encryptBlocks(found, 0, found, 0, 80);
                                assertArrayEquals(expected, found);
                            });
        }
    }
}
