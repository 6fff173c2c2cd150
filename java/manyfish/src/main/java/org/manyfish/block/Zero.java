// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.block;

import java.util.Arrays;

/**
 * Zero keying [Twofish98, 5.1.1]: nothing of g is computed before it is needed. The quickest key
 * set-up and the least memory a key. Secrets index its lookup tables.
 */
final class Zero extends OneByOne {
    static final Kernel KERNEL =
            new NamedKernel("zero", "nothing precomputed; least memory", false, Zero::new);

    private final int[] S;

    private Zero(byte[] key) {
        super(Schedule.subkeys(key));
        S = Schedule.sWords(key);
    }

    @Override
    int g(int X) {
        return H.h(S, S.length, X);
    }

    @Override
    public void close() {
        super.close();
        Arrays.fill(S, 0);
    }
}
