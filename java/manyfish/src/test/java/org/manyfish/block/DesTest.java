// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.block;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Random;
import java.util.stream.Stream;
import org.bouncycastle.crypto.BlockCipher;
import org.bouncycastle.crypto.engines.DESEngine;
import org.bouncycastle.crypto.engines.DESedeEngine;
import org.bouncycastle.crypto.params.KeyParameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.manyfish.Vectors;

/** Every kernel of DES and Triple-DES on the known answers, and against Bouncy Castle. */
class DesTest {
    private static final int BLOCK_BYTES = 8;

    private static Stream<Kernel> kernels(int keyBytes) {
        return (keyBytes == BLOCK_BYTES ? KernelList.des() : KernelList.tripleDes()).stream();
    }

    @ParameterizedTest
    @ValueSource(strings = {"des_ecb", "des_weak_keys", "tdes_ecb"})
    void knownAnswers(String file) {
        for (Vectors.Case c : Vectors.read(file)) {
            final byte[] key = c.bytes("KEY");
            kernels(key.length)
                    .forEach(
                            kernel -> {
                                final byte[] text = c.bytes("PT");
                                final int nBlocks = text.length / BLOCK_BYTES;
                                final var cipher = kernel.expand(key);
                                cipher.encryptBlocks(text, 0, text, 0, nBlocks);
                                assertArrayEquals(c.bytes("CT"), text, c.toString());
                                cipher.decryptBlocks(text, 0, text, 0, nBlocks);
                                assertArrayEquals(c.bytes("PT"), text, c.toString());
                            });
        }
    }

    /** One inner loop of each Monte Carlo set in ECB; those in CBC go through the mode. */
    @ParameterizedTest
    @ValueSource(strings = {"ecb_e", "ecb_d"})
    void monteCarlo(String set) {
        for (Vectors.Case c : Vectors.read("des_mct")) {
            if (c.text("SET").equals(set)) {
                kernels(c.bytes("KEY").length).forEach(kernel -> chain(kernel, c));
            }
        }
    }

    private static void chain(Kernel kernel, Vectors.Case c) {
        final boolean encrypting = c.text("SET").equals("ecb_e");
        final byte[] block = c.bytes(encrypting ? "PT" : "CT");
        final var cipher = kernel.expand(c.bytes("KEY"));
        for (int i = 0; i < c.number("ITERATIONS"); i++) {
            if (encrypting) {
                cipher.encryptBlocks(block, 0, block, 0, 1);
            } else {
                cipher.decryptBlocks(block, 0, block, 0, 1);
            }
        }
        assertArrayEquals(c.bytes(encrypting ? "CT" : "PT"), block, c.toString());
    }

    static Stream<Integer> keySizes() {
        return Stream.of(8, 16, 24);
    }

    /** Any number of blocks, at any offset; what is around stays as it was. */
    @ParameterizedTest
    @MethodSource("keySizes")
    void anyNumberOfBlocks(int keyBytes) {
        kernels(keyBytes).forEach(kernel -> anyNumberOfBlocks(kernel, keyBytes));
    }

    private static void anyNumberOfBlocks(Kernel kernel, int keyBytes) {
        final Random random = new Random(keyBytes);
        for (int nBlocks = 0; nBlocks <= 70; nBlocks++) {
            final byte[] key = new byte[keyBytes];
            final byte[] text = new byte[5 + BLOCK_BYTES * nBlocks + 3];
            random.nextBytes(key);
            random.nextBytes(text);
            final byte[] found = text.clone();
            final var cipher = kernel.expand(key);
            cipher.encryptBlocks(found, 5, text, 5, nBlocks);
            assertArrayEquals(theirs(key, text, 5, nBlocks), found, nBlocks + " blocks");
            cipher.decryptBlocks(found, 5, found, 5, nBlocks);
            assertArrayEquals(text, found, nBlocks + " blocks back");
        }
    }

    private static byte[] theirs(byte[] key, byte[] text, int offset, int nBlocks) {
        final BlockCipher engine = key.length == 8 ? new DESEngine() : new DESedeEngine();
        engine.init(true, new KeyParameter(key));
        final byte[] out = text.clone();
        for (int i = 0; i < nBlocks; i++) {
            final int at = offset + BLOCK_BYTES * i;
            engine.processBlock(out, at, out, at);
        }
        return out;
    }
}
