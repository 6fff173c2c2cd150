// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.block;

import java.util.Arrays;

/**
 * Minimal keying [Twofish98, 5.1.1]: as partial keying, but the tables stop one layer earlier; that
 * layer is done for each block. Secrets index its lookup tables.
 */
final class Minimal extends OneByOne {
    static final Kernel KERNEL =
            new NamedKernel(
                    "minimal", "S-boxes less one layer in 1 KB of tables", false, Minimal::new);

    /** The word of the layer that is left to do. */
    private int S0;

    private final byte[] box = new byte[1024];

    private Minimal(byte[] key) {
        super(Schedule.subkeys(key));
        final int[] S = Schedule.sWords(key);
        for (int x = 0; x < 256; x++) {
            box[x] = (byte) H.first0(S, S.length, x);
            box[256 + x] = (byte) H.first1(S, S.length, x);
            box[512 + x] = (byte) H.first2(S, S.length, x);
            box[768 + x] = (byte) H.first3(S, S.length, x);
        }
        S0 = S[0];
        Arrays.fill(S, 0);
    }

    @Override
    int g(int X) {
        return H.mds(
                H.last0(S0, box[X & 0xFF] & 0xFF),
                H.last1(S0, box[256 + (X >>> 8 & 0xFF)] & 0xFF),
                H.last2(S0, box[512 + (X >>> 16 & 0xFF)] & 0xFF),
                H.last3(S0, box[768 + (X >>> 24)] & 0xFF));
    }

    @Override
    public void close() {
        super.close();
        S0 = 0;
        Arrays.fill(box, (byte) 0);
    }
}
