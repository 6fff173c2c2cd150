// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.block;

import java.util.Arrays;

/** The bits of subkeys as bytes, 0 or all ones: with their signs extended they load as masks. */
final class SubkeyMasks {
    /** 32 bytes a subkey. */
    final byte[] K;

    /** Of the subkeys of rounds: each bit XOR the next higher one. */
    final byte[] steps;

    SubkeyMasks(int[] K) {
        this.K = new byte[32 * K.length];
        steps = new byte[32 * K.length];
        for (int i = 0; i < K.length; i++) {
            for (int bit = 0; bit < 32; bit++) {
                this.K[32 * i + bit] = mask(K[i], bit);
                steps[32 * i + bit] = mask(K[i] ^ K[i] >>> 1, bit);
            }
        }
    }

    private static byte mask(int x, int bit) {
        return (byte) -(x >>> bit & 1);
    }

    /** Where the masks of round r begin. */
    int round(int r) {
        return 32 * (Schedule.ROUND_SUBKEYS + 2 * r);
    }

    void wipe() {
        Arrays.fill(K, (byte) 0);
        Arrays.fill(steps, (byte) 0);
    }
}
