// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

/** Strings of bytes by their numbers, each in an array, or none. */
public abstract class Strings {
    /** How many there are. */
    public abstract int size();

    /** The array with string i; null if there is none. */
    public abstract byte[] array(int i);

    /** Where in the array it begins. */
    public abstract int offset(int i);

    /** Its size in bytes; 0 if there is none. */
    public abstract int nBytes(int i);

    /** A copy of string i, cut or filled up with zeros to nBytes; null if there is none. */
    public final byte[] copy(int i, int nBytes) {
        final byte[] array = array(i);
        if (array == null) {
            return null;
        }
        final byte[] copy = new byte[nBytes];
        System.arraycopy(array, offset(i), copy, 0, Math.min(nBytes, nBytes(i)));
        return copy;
    }

    /** Arrays, each a string; null for none. If others replace them, these strings stay. */
    public static Strings of(byte[][] arrays) {
        return new Arrays(arrays.clone());
    }

    /** Strings one after the other: number i is from offsets[i] to offsets[i + 1]. */
    public static Strings of(byte[] data, int[] offsets) {
        return new Packed(data, offsets);
    }

    private static final class Arrays extends Strings {
        private final byte[][] arrays;

        Arrays(byte[][] arrays) {
            this.arrays = arrays;
        }

        @Override
        public int size() {
            return arrays.length;
        }

        @Override
        public byte[] array(int i) {
            return arrays[i];
        }

        @Override
        public int offset(int i) {
            return 0;
        }

        @Override
        public int nBytes(int i) {
            return arrays[i] == null ? 0 : arrays[i].length;
        }
    }

    private static final class Packed extends Strings {
        private final byte[] data;
        private final int[] offsets;

        Packed(byte[] data, int[] offsets) {
            this.data = data;
            this.offsets = offsets;
        }

        @Override
        public int size() {
            return offsets.length - 1;
        }

        @Override
        public byte[] array(int i) {
            return data;
        }

        @Override
        public int offset(int i) {
            return offsets[i];
        }

        @Override
        public int nBytes(int i) {
            return offsets[i + 1] - offsets[i];
        }
    }
}
