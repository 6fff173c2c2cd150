// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.block;

import java.util.Arrays;

/**
 * Partial keying [Twofish98, 5.1.1]: the four key-dependent S-boxes as 256 bytes each; their last q
 * and the MDS matrix come from fixed tables. Secrets index its lookup tables.
 */
final class Partial extends OneByOne {
    static final Kernel KERNEL =
            new NamedKernel("partial", "S-boxes in 1 KB of tables", false, Partial::new);

    private final byte[] box = new byte[1024];

    private Partial(byte[] key) {
        super(Schedule.subkeys(key));
        final int[] S = Schedule.sWords(key);
        for (int x = 0; x < 256; x++) {
            box[x] = (byte) H.box0(S, S.length, x);
            box[256 + x] = (byte) H.box1(S, S.length, x);
            box[512 + x] = (byte) H.box2(S, S.length, x);
            box[768 + x] = (byte) H.box3(S, S.length, x);
        }
        Arrays.fill(S, 0);
    }

    @Override
    int g(int X) {
        return H.mds(
                box[X & 0xFF] & 0xFF,
                box[256 + (X >>> 8 & 0xFF)] & 0xFF,
                box[512 + (X >>> 16 & 0xFF)] & 0xFF,
                box[768 + (X >>> 24)] & 0xFF);
    }

    @Override
    public void close() {
        super.close();
        Arrays.fill(box, (byte) 0);
    }
}
