// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.block;

import java.util.Arrays;

/** The key schedule of Twofish [Twofish98, 4.3]. */
final class Schedule {
    static final int SUBKEYS = 40;

    // K_0..K_3 whiten the input, K_4..K_7 the output, two a round follow.
    static final int INPUT_WHITENING = 0;
    static final int OUTPUT_WHITENING = 4;
    static final int ROUND_SUBKEYS = 8;

    private static final int RHO = 0x01010101;

    private Schedule() {}

    /** k, the key size in units of 64 bits, of a key that Twofish takes. */
    static int k(byte[] key) {
        if (key.length != 16 && key.length != 24 && key.length != 32) {
            throw new IllegalArgumentException(
                    "a Twofish key has 16, 24 or 32 bytes, this one has " + key.length);
        }
        return key.length / 8;
    }

    /** The list S of g, by the Reed-Solomon code; S[0] is what h applies last. Constant-time. */
    static int[] sWords(byte[] key) {
        final int k = k(key);
        final int[] S = new int[k];
        for (int i = 0; i < k; i++) {
            S[i] = remainder(key, 8 * (k - 1 - i));
        }
        return S;
    }

    /** The even words of a key, M_e, or if odd is 1 the odd ones, M_o. */
    static int[] everyOtherWord(byte[] key, int odd) {
        final int[] M = new int[k(key)];
        for (int i = 0; i < M.length; i++) {
            M[i] = Bytes.loadLe32(key, 8 * i + 4 * odd);
        }
        return M;
    }

    /** K_0..K_39 [Twofish98, 4.3.4], by tables. */
    static int[] subkeys(byte[] key) {
        final int[] evenM = everyOtherWord(key, 0);
        final int[] oddM = everyOtherWord(key, 1);
        final int k = evenM.length;
        final int[] K = new int[SUBKEYS];
        for (int i = 0; i < SUBKEYS; i += 2) {
            setPair(K, i, H.h(evenM, k, i * RHO), H.h(oddM, k, (i + 1) * RHO));
        }
        Arrays.fill(evenM, 0);
        Arrays.fill(oddM, 0);
        return K;
    }

    /** K_i and K_(i+1) from the two values of h. */
    static void setPair(int[] K, int i, int A, int unrotatedB) {
        final int B = Integer.rotateLeft(unrotatedB, 8);
        K[i] = A + B;
        K[i + 1] = Integer.rotateLeft(A + 2 * B, 9);
    }

    /**
     * RS times 8 bytes of key: their remainder, as a polynomial, modulo the generator x^4 + (a +
     * 1/a) x^3 + a x^2 + (a + 1/a) x + 1 of the code, highest byte first.
     */
    private static int remainder(byte[] key, int offset) {
        int r = 0;
        for (int half = 4; half >= 0; half -= 4) {
            r ^= Bytes.loadLe32(key, offset + half);
            for (int i = 0; i < 4; i++) {
                r = timesX(r);
            }
        }
        return r;
    }

    /** r(x) x modulo the generator; the field is that modulo x^8+x^6+x^3+x^2+1. */
    private static int timesX(int r) {
        final int top = r >>> 24;
        final int aTop = (top << 1 ^ -(top >>> 7) & 0x14D) & 0xFF;
        final int topOverA = top >>> 1 ^ -(top & 1) & 0x14D >>> 1;
        final int sum = aTop ^ topOverA;
        return r << 8 ^ sum << 24 ^ aTop << 16 ^ sum << 8 ^ top;
    }
}
