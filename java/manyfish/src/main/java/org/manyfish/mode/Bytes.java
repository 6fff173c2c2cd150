// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Operations of the modes on bytes, eight at a time where there are eight. Nothing here branches on
 * the bytes, or reads at a place that depends on them.
 */
final class Bytes {
    private static final VarHandle BIG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LITTLE =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private Bytes() {}

    static long load(byte[] from, int offset) {
        return (long) BIG.get(from, offset);
    }

    static void store(byte[] to, int offset, long x) {
        BIG.set(to, offset, x);
    }

    static long loadLittle(byte[] from, int offset) {
        return (long) LITTLE.get(from, offset);
    }

    static void storeLittle(byte[] to, int offset, long x) {
        LITTLE.set(to, offset, x);
    }

    /** out = a xor b, nBytes bytes; out may be a or b. */
    static void xor(
            byte[] out, int outOffset, byte[] a, int aOffset, byte[] b, int bOffset, int nBytes) {
        final int whole = nBytes & ~7;
        for (int i = 0; i < whole; i += 8) {
            final long x = (long) LITTLE.get(a, aOffset + i) ^ (long) LITTLE.get(b, bOffset + i);
            LITTLE.set(out, outOffset + i, x);
        }
        for (int i = whole; i < nBytes; i++) {
            out[outOffset + i] = (byte) (a[aOffset + i] ^ b[bOffset + i]);
        }
    }

    /** sum ^= b, as many bytes as sum has. */
    static void add(byte[] sum, byte[] b) {
        xor(sum, 0, sum, 0, b, 0, sum.length);
    }

    /** sum, 16 bytes, ^= each of nBlocks blocks. */
    static void addBlocks(byte[] sum, byte[] blocks, int offset, int nBlocks) {
        long s0 = loadLittle(sum, 0);
        long s1 = loadLittle(sum, 8);
        for (int i = offset; i < offset + 16 * nBlocks; i += 16) {
            s0 ^= loadLittle(blocks, i);
            s1 ^= loadLittle(blocks, i + 8);
        }
        storeLittle(sum, 0, s0);
        storeLittle(sum, 8, s1);
    }

    /**
     * Multiplies a block by x, the first bit being the highest power: modulo x^128 + x^7 + x^2 + x
     * + 1, or for 8 bytes x^64 + x^4 + x^3 + x + 1. out may be in. [RFC7253, 2] [SP800-38B, 5.3]
     */
    static void twice(byte[] out, int outOffset, byte[] in, int inOffset, int blockBytes) {
        final long high = load(in, inOffset);
        if (blockBytes == 8) {
            store(out, outOffset, high << 1 ^ (high >> 63 & 0x1B));
            return;
        }
        final long low = load(in, inOffset + 8);
        store(out, outOffset, high << 1 | low >>> 63);
        store(out, outOffset + 8, low << 1 ^ (high >> 63 & 0x87));
    }

    /** Whether nBytes bytes are equal, in a time that does not tell where they differ. */
    static boolean equal(byte[] a, int aOffset, byte[] b, int bOffset, int nBytes) {
        int difference = 0;
        for (int i = 0; i < nBytes; i++) {
            difference |= a[aOffset + i] ^ b[bOffset + i];
        }
        return difference == 0;
    }

    static void wipe(byte[]... secrets) {
        for (final byte[] secret : secrets) {
            Arrays.fill(secret, (byte) 0);
        }
    }
}
