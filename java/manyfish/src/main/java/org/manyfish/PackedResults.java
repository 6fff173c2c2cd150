// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish;

import java.util.Arrays;
import java.util.BitSet;
import org.manyfish.mode.Results;

/** Results one after the other in an array. */
final class PackedResults implements Results {
    private final byte[] data;
    private final int[] offsets;
    private final BitSet rejected = new BitSet();
    private int nextBytes;
    private int nResults;

    PackedResults(int size, int maxBytes) {
        data = new byte[maxBytes];
        offsets = new int[size + 1];
    }

    @Override
    public byte[] room(int nBytes) {
        nextBytes = nBytes;
        return data;
    }

    @Override
    public int offset() {
        return offsets[nResults];
    }

    @Override
    public void keep() {
        offsets[nResults + 1] = offsets[nResults] + nextBytes;
        nResults++;
    }

    @Override
    public void reject() {
        rejected.set(nResults);
        nextBytes = 0;
        keep();
    }

    /** The strings; the room that paddings and rejected messages left is cut off. */
    PackedBytes packed() {
        final int nBytes = offsets[nResults];
        if (nBytes == data.length) {
            return new PackedBytes(data, offsets, rejected);
        }
        final byte[] cut = Arrays.copyOf(data, nBytes);
        Arrays.fill(data, (byte) 0);
        return new PackedBytes(cut, offsets, rejected);
    }
}
