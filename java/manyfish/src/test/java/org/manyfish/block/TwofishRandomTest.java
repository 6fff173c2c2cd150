// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.block;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.bouncycastle.crypto.engines.TwofishEngine;
import org.bouncycastle.crypto.params.KeyParameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kernel of Twofish on random keys and blocks, against Bouncy Castle's Twofish. */
class TwofishRandomTest {
    private static final int BLOCK_BYTES = 16;
    private static final int MOST_BLOCKS = 300;

    static List<Kernel> kernels() {
        return KernelList.twofish();
    }

    /** Any number of blocks, at any offset, in place or not; what is around stays as it was. */
    @ParameterizedTest
    @MethodSource("kernels")
    void anyNumberOfBlocks(Kernel kernel) {
        final Random random = new Random(1);
        for (int nBlocks = 0; nBlocks <= MOST_BLOCKS; nBlocks++) {
            final byte[] key = bytes(random, 16 + 8 * random.nextInt(3));
            final byte[] text = bytes(random, 7 + BLOCK_BYTES * nBlocks + 9);
            final byte[] expected = theirs(key, text, 7, nBlocks);
            try (BlockCipher cipher = kernel.expand(key)) {
                final byte[] found = text.clone();
                cipher.encryptBlocks(found, 7, found, 7, nBlocks);
                assertArrayEquals(expected, found, nBlocks + " blocks in place");

                final byte[] apart = new byte[3 + BLOCK_BYTES * nBlocks + 2];
                cipher.encryptBlocks(apart, 3, text, 7, nBlocks);
                assertArrayEquals(
                        Arrays.copyOfRange(expected, 7, 7 + BLOCK_BYTES * nBlocks),
                        Arrays.copyOfRange(apart, 3, 3 + BLOCK_BYTES * nBlocks),
                        nBlocks + " blocks apart");

                cipher.decryptBlocks(found, 7, found, 7, nBlocks);
                assertArrayEquals(text, found, nBlocks + " blocks back in place");
                cipher.decryptBlocks(found, 7, apart, 3, nBlocks);
                assertArrayEquals(text, found, nBlocks + " blocks back");
            }
        }
    }

    private static byte[] theirs(byte[] key, byte[] text, int offset, int nBlocks) {
        final TwofishEngine engine = new TwofishEngine();
        engine.init(true, new KeyParameter(key));
        final byte[] out = text.clone();
        for (int i = 0; i < nBlocks; i++) {
            engine.processBlock(out, offset + BLOCK_BYTES * i, out, offset + BLOCK_BYTES * i);
        }
        return out;
    }

    private static byte[] bytes(Random random, int nBytes) {
        final byte[] bytes = new byte[nBytes];
        random.nextBytes(bytes);
        return bytes;
    }
}
