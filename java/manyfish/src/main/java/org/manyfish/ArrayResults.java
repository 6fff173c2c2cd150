// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish;

import org.manyfish.mode.Results;

/** Results in an array each; null for one that was rejected. */
final class ArrayResults implements Results {
    private final byte[][] results;
    private byte[] next;
    private int nResults;

    ArrayResults(int size) {
        results = new byte[size][];
    }

    @Override
    public byte[] room(int nBytes) {
        next = new byte[nBytes];
        return next;
    }

    @Override
    public int offset() {
        return 0;
    }

    @Override
    public void keep() {
        results[nResults++] = next;
    }

    @Override
    public void reject() {
        nResults++;
    }

    byte[][] arrays() {
        return results;
    }
}
