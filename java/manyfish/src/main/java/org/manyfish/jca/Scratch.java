// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

/**
 * Memory for results that nobody may see yet, the same from message to message: to get fresh memory
 * takes as long as to decrypt into it.
 */
final class Scratch {
    private static final int MAX_KEPT_BYTES = 1 << 20;

    private byte[] kept = Message.NOTHING;

    /** An array of nBytes bytes or more. The caller wipes it before the next caller takes it. */
    byte[] take(int nBytes) {
        if (nBytes <= kept.length) {
            return kept;
        }
        final byte[] fresh = new byte[nBytes];
        if (nBytes <= MAX_KEPT_BYTES) {
            kept = fresh;
        }
        return fresh;
    }
}
