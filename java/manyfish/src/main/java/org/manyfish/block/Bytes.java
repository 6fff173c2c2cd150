// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.block;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Words in byte arrays, at any offset in bytes. Twofish is little-endian, DES big-endian. */
final class Bytes {
    private static final VarHandle INT_LE =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG_LE =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG_BE =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private Bytes() {}

    static int loadLe32(byte[] bytes, int offset) {
        return (int) INT_LE.get(bytes, offset);
    }

    static void storeLe32(byte[] bytes, int offset, int x) {
        INT_LE.set(bytes, offset, x);
    }

    static long loadLe64(byte[] bytes, int offset) {
        return (long) LONG_LE.get(bytes, offset);
    }

    static void storeLe64(byte[] bytes, int offset, long x) {
        LONG_LE.set(bytes, offset, x);
    }

    static long loadBe64(byte[] bytes, int offset) {
        return (long) LONG_BE.get(bytes, offset);
    }

    static void storeBe64(byte[] bytes, int offset, long x) {
        LONG_BE.set(bytes, offset, x);
    }
}
