// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import org.manyfish.mode.Strings;

/**
 * Strings of bytes, one after the other in one array: messages of a {@link BatchCipher} or {@link
 * BatchMac} without an array for each.
 *
 * <p>String i has the bytes from offsets[i] up to, not including, offsets[i + 1]. The array is that
 * of the caller, not a copy: if it changes, the strings change. Threads may share one that does
 * not.
 */
public final class PackedBytes {
    private final byte[] data;
    private final int[] offsets;
    private final BitSet rejected;

    /** Takes both arrays as they are. */
    PackedBytes(byte[] data, int[] offsets, BitSet rejected) {
        this.data = data;
        this.offsets = offsets;
        this.rejected = rejected;
    }

    /**
     * Strings in an array.
     *
     * @param data the strings; bytes before the first and after the last one do not count
     * @param offsets for n strings n + 1 places in data, none less than the one before it; copied
     * @return the strings, in data itself
     * @throws IllegalArgumentException if there is no offset, or one is less than that before it
     * @throws IndexOutOfBoundsException if one is not in data, nor at its end
     */
    public static PackedBytes of(byte[] data, int[] offsets) {
        Objects.requireNonNull(data, "data");
        final int[] copy = offsets.clone();
        if (copy.length == 0) {
            throw new IllegalArgumentException("expected n + 1 offsets for n strings, found none");
        }
        if (copy[0] < 0 || copy[copy.length - 1] > data.length) {
            throw new IndexOutOfBoundsException(
                    String.format(
                            "offsets from %d to %d are not in data, which has %d bytes",
                            copy[0], copy[copy.length - 1], data.length));
        }
        for (int i = 1; i < copy.length; i++) {
            if (copy[i] < copy[i - 1]) {
                throw new IllegalArgumentException(
                        String.format(
                                "offset %d is %d, less than that before it, %d",
                                i, copy[i], copy[i - 1]));
            }
        }
        return new PackedBytes(data, copy, new BitSet());
    }

    /**
     * Strings of the same size, as IVs are.
     *
     * @param data the strings, all of it
     * @param eachBytes the size of a string in bytes, 1 or more
     * @return the strings, in data itself
     * @throws IllegalArgumentException if data does not consist of strings of this size
     */
    public static PackedBytes ofEach(byte[] data, int eachBytes) {
        if (eachBytes < 1 || data.length % eachBytes != 0) {
            throw new IllegalArgumentException(
                    String.format(
                            "expected strings of %d bytes each, found %d bytes in all",
                            eachBytes, data.length));
        }
        final int[] offsets = new int[data.length / eachBytes + 1];
        Arrays.setAll(offsets, i -> i * eachBytes);
        return new PackedBytes(data, offsets, new BitSet());
    }

    /**
     * How many strings there are.
     *
     * @return their number, with those that were rejected
     */
    public int size() {
        return offsets.length - 1;
    }

    /**
     * The array with all strings.
     *
     * @return not a copy
     */
    public byte[] data() {
        return data;
    }

    /**
     * Where the strings lie in data.
     *
     * @return a copy: n + 1 offsets; the last one is the end of the last string
     */
    public int[] offsets() {
        return offsets.clone();
    }

    /**
     * Where a string begins in data.
     *
     * @param i its number, else IndexOutOfBoundsException
     * @return the place of its first byte
     */
    public int offset(int i) {
        return offsets[Objects.checkIndex(i, size())];
    }

    /**
     * The size of a string.
     *
     * @param i its number, else IndexOutOfBoundsException
     * @return bytes, 0 of one that was rejected
     */
    public int length(int i) {
        return offsets[Objects.checkIndex(i, size()) + 1] - offsets[i];
    }

    /**
     * A string.
     *
     * @param i its number, else IndexOutOfBoundsException
     * @return a copy; null if it was rejected
     */
    public byte[] get(int i) {
        final int offset = offset(i);
        return isRejected(i) ? null : Arrays.copyOfRange(data, offset, offset + length(i));
    }

    /**
     * Whether this is the result of {@link BatchCipher#decrypt(PackedBytes, PackedBytes)} for a
     * message that cannot be decrypted. Such a string has no bytes; others may have none either.
     *
     * @param i its number, else IndexOutOfBoundsException
     * @return false of all strings that are no result of decryption
     */
    public boolean isRejected(int i) {
        return rejected.get(Objects.checkIndex(i, size()));
    }

    /**
     * The numbers of all messages that were rejected.
     *
     * @return the least first; empty if all are right
     */
    public int[] rejected() {
        return rejected.stream().toArray();
    }

    Strings strings() {
        return Strings.of(data, offsets);
    }
}
