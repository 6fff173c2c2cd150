// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.block;

/**
 * The function h [Twofish98, 4.3.2] by tables, for kernels that may leak. A list L has k words, of
 * which L[0] is used last.
 */
final class H {
    private H() {}

    static int h(int[] L, int k, int X) {
        return mds(
                box0(L, k, X & 0xFF),
                box1(L, k, X >>> 8 & 0xFF),
                box2(L, k, X >>> 16 & 0xFF),
                box3(L, k, X >>> 24));
    }

    /** The last q and the MDS matrix on four bytes, one a position. */
    static int mds(int y0, int y1, int y2, int y3) {
        return Tables.MDS0[y0] ^ Tables.MDS1[y1] ^ Tables.MDS2[y2] ^ Tables.MDS3[y3];
    }

    // h up to its last q, at each byte position: q, then a key byte, k times.

    static int box0(int[] L, int k, int y) {
        return last0(L[0], first0(L, k, y));
    }

    static int box1(int[] L, int k, int y) {
        return last1(L[0], first1(L, k, y));
    }

    static int box2(int[] L, int k, int y) {
        return last2(L[0], first2(L, k, y));
    }

    static int box3(int[] L, int k, int y) {
        return last3(L[0], first3(L, k, y));
    }

    // The same in two steps: all layers but the last one, and the last one.

    static int first0(int[] L, int k, int y) {
        if (k == 4) {
            y = Tables.Q_4_0[y] ^ L[3] & 0xFF;
        }
        if (k >= 3) {
            y = Tables.Q_3_0[y] ^ L[2] & 0xFF;
        }
        return Tables.Q_2_0[y] ^ L[1] & 0xFF;
    }

    static int first1(int[] L, int k, int y) {
        if (k == 4) {
            y = Tables.Q_4_1[y] ^ L[3] >>> 8 & 0xFF;
        }
        if (k >= 3) {
            y = Tables.Q_3_1[y] ^ L[2] >>> 8 & 0xFF;
        }
        return Tables.Q_2_1[y] ^ L[1] >>> 8 & 0xFF;
    }

    static int first2(int[] L, int k, int y) {
        if (k == 4) {
            y = Tables.Q_4_2[y] ^ L[3] >>> 16 & 0xFF;
        }
        if (k >= 3) {
            y = Tables.Q_3_2[y] ^ L[2] >>> 16 & 0xFF;
        }
        return Tables.Q_2_2[y] ^ L[1] >>> 16 & 0xFF;
    }

    static int first3(int[] L, int k, int y) {
        if (k == 4) {
            y = Tables.Q_4_3[y] ^ L[3] >>> 24;
        }
        if (k >= 3) {
            y = Tables.Q_3_3[y] ^ L[2] >>> 24;
        }
        return Tables.Q_2_3[y] ^ L[1] >>> 24;
    }

    static int last0(int L0, int y) {
        return Tables.Q_1_0[y] ^ L0 & 0xFF;
    }

    static int last1(int L0, int y) {
        return Tables.Q_1_1[y] ^ L0 >>> 8 & 0xFF;
    }

    static int last2(int L0, int y) {
        return Tables.Q_1_2[y] ^ L0 >>> 16 & 0xFF;
    }

    static int last3(int L0, int y) {
        return Tables.Q_1_3[y] ^ L0 >>> 24;
    }
}
