// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** GHASH against its definition bit by bit, above all where as many ones meet as can. */
class GhashTest {
    /** All of a kind of bit, single bits, and random ones. */
    private static List<byte[]> blocks() {
        final List<byte[]> blocks = new ArrayList<>();
        for (int pattern : new int[] {0, 0xFF, 0x11, 0x22, 0x44, 0x88, 0xF0, 0x0F}) {
            final byte[] block = new byte[16];
            Arrays.fill(block, (byte) pattern);
            blocks.add(block);
        }
        for (int bit : new int[] {0, 1, 63, 64, 127}) {
            final byte[] block = new byte[16];
            block[bit / 8] = (byte) (0x80 >> bit % 8);
            blocks.add(block);
        }
        blocks.add(Example.bytes(new Random(18), 16));
        return blocks;
    }

    @Test
    void everyPair() {
        for (byte[] h : blocks()) {
            for (byte[] x : blocks()) {
                check(h, x);
            }
        }
    }

    /** Groups of blocks, and what is left over. */
    @Test
    void severalBlocks() {
        for (byte[] h : blocks()) {
            for (int n = 0; n <= 9; n++) {
                check(h, Example.bytes(new Random(n), 16 * n));
                final byte[] ones = new byte[16 * n];
                Arrays.fill(ones, (byte) 0xFF);
                check(h, ones);
            }
        }
    }

    private static void check(byte[] h, byte[] x) {
        final Ghash ghash = new Ghash(h);
        final byte[] y = new byte[16];
        ghash.absorb(x, 0, x.length / 16);
        ghash.write(y);
        assertArrayEquals(
                byDefinition(h, x), y, Arrays.toString(h) + " times " + Arrays.toString(x));
    }

    /** [SP800-38D, 6.4] */
    private static byte[] byDefinition(byte[] h, byte[] x) {
        byte[] y = new byte[16];
        for (int i = 0; i < x.length; i += 16) {
            y = times(DefinitionTests.xor(y, Arrays.copyOfRange(x, i, i + 16)), h);
        }
        return y;
    }

    /** [SP800-38D, 6.3] */
    private static byte[] times(byte[] x, byte[] y) {
        byte[] z = new byte[16];
        byte[] v = y;
        for (int i = 0; i < 128; i++) {
            if ((x[i / 8] >> 7 - i % 8 & 1) == 1) {
                z = DefinitionTests.xor(z, v);
            }
            v = timesX(v);
        }
        return z;
    }

    /** Shifts by a bit to the right, and adds R if a one fell out. */
    private static byte[] timesX(byte[] v) {
        final byte[] shifted = new byte[16];
        for (int i = 0; i < 16; i++) {
            shifted[i] = (byte) ((v[i] & 0xFF) >>> 1 | (i > 0 ? v[i - 1] << 7 : 0));
        }
        shifted[0] ^= (byte) ((v[15] & 1) == 1 ? 0xE1 : 0);
        return shifted;
    }
}
