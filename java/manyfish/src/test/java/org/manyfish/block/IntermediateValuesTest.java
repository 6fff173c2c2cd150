// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.block;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.manyfish.Vectors;

/** The official intermediate values: S, the subkeys by tables and by circuits, g of each kernel. */
class IntermediateValuesTest {
    private static final List<Vectors.Case> CASES = Vectors.read("twofish_ecb_ival");

    @Test
    void s() {
        for (Vectors.Case c : CASES) {
            // S_(k-1), which is L_0 of h, comes first in both.
            assertArrayEquals(c.words("S"), Schedule.sWords(c.bytes("KEY")), c.toString());
        }
    }

    @Test
    void subkeys() {
        for (Vectors.Case c : CASES) {
            final byte[] key = c.bytes("KEY");
            final int[] byTables = Schedule.subkeys(key);
            final int[] byCircuits = Slices.subkeys(key);
            for (int[] K : List.of(byTables, byCircuits)) {
                assertArrayEquals(c.words("INPUT_WHITENING"), Arrays.copyOf(K, 4));
                assertArrayEquals(c.words("OUTPUT_WHITENING"), Arrays.copyOfRange(K, 4, 8));
                for (int r = 0; r < 16; r++) {
                    final int at = 8 + 2 * r;
                    assertArrayEquals(c.words("KEYS_" + r), Arrays.copyOfRange(K, at, at + 2));
                }
            }
        }
    }

    @Test
    void g() {
        for (Vectors.Case c : CASES) {
            for (Kernel kernel :
                    List.of(Zero.KERNEL, Minimal.KERNEL, Partial.KERNEL, Full.KERNEL)) {
                final OneByOne cipher = (OneByOne) kernel.expand(c.bytes("KEY"));
                for (int r = 0; r < 16; r++) {
                    final int[] R = c.words("R_" + r);
                    final int[] T = {cipher.g(R[0]), cipher.g(Integer.rotateLeft(R[1], 8))};
                    assertArrayEquals(c.words("T_" + r), T, kernel.name() + " " + c);
                }
            }
        }
    }

    @Test
    void wholeBlocks() {
        for (Vectors.Case c : CASES) {
            for (Kernel kernel : KernelList.twofish()) {
                final byte[] block = c.bytes("PT");
                kernel.expand(c.bytes("KEY")).encryptBlocks(block, 0, block, 0, 1);
                assertArrayEquals(c.bytes("CT"), block, kernel.name() + " " + c);
            }
        }
    }
}
