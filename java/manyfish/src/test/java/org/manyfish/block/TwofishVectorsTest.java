// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.block;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.manyfish.Vectors;

/** Every kernel of Twofish on the known answers. */
class TwofishVectorsTest {
    private static final int BLOCK_BYTES = 16;

    static List<Kernel> kernels() {
        return KernelList.twofish();
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void tables(Kernel kernel) {
        each(kernel, "twofish_ecb_tbl");
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void variableKey(Kernel kernel) {
        each(kernel, "twofish_ecb_vk");
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void variableText(Kernel kernel) {
        each(kernel, "twofish_ecb_vt");
    }

    private static void each(Kernel kernel, String file) {
        for (Vectors.Case c : Vectors.read(file)) {
            try (BlockCipher cipher = kernel.expand(c.bytes("KEY"))) {
                final byte[] block = c.bytes("PT");
                cipher.encryptBlocks(block, 0, block, 0, 1);
                assertArrayEquals(c.bytes("CT"), block, c.toString());
                cipher.decryptBlocks(block, 0, block, 0, 1);
                assertArrayEquals(c.bytes("PT"), block, c.toString());
            }
        }
    }

    /** The official Monte Carlo sets in ECB; those in CBC go through the mode. */
    @ParameterizedTest
    @MethodSource("kernels")
    void monteCarlo(Kernel kernel) {
        for (Vectors.Case c : Vectors.read("twofish_mct")) {
            if (c.text("SET").startsWith("ecb")) {
                chain(kernel, c, c.text("SET").equals("ecb_e"));
            }
        }
    }

    private static void chain(Kernel kernel, Vectors.Case c, boolean encrypting) {
        final byte[] block = c.bytes(encrypting ? "PT" : "CT");
        try (BlockCipher cipher = kernel.expand(c.bytes("KEY"))) {
            for (int i = 0; i < 10_000; i++) {
                if (encrypting) {
                    cipher.encryptBlocks(block, 0, block, 0, 1);
                } else {
                    cipher.decryptBlocks(block, 0, block, 0, 1);
                }
            }
        }
        assertArrayEquals(c.bytes(encrypting ? "CT" : "PT"), block, c.toString());
    }

    /** Zeros at the end make a key of the next size [Twofish98, 4.3.1]. */
    @ParameterizedTest
    @MethodSource("kernels")
    void shortKeys(Kernel kernel) {
        for (Vectors.Case c : Vectors.read("twofish_ecb_short_keys")) {
            final byte[] key = c.bytes("KEY");
            final int nBytes = Math.max(16, (key.length + 7) / 8 * 8);
            final byte[] block = new byte[BLOCK_BYTES];
            try (BlockCipher cipher = kernel.expand(Arrays.copyOf(key, nBytes))) {
                cipher.encryptBlocks(block, 0, c.bytes("PT"), 0, 1);
            }
            assertArrayEquals(c.bytes("CT"), block, c.toString());
        }
    }
}
