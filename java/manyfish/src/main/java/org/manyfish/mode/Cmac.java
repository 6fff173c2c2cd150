// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

/**
 * CMAC with one key: update any number of times, then finish, which begins again. Not for several
 * threads at a time.
 */
public interface Cmac extends AutoCloseable {
    /** nBytes bytes of the message, from offset on. */
    void update(byte[] in, int offset, int nBytes);

    /** Writes the tag, a block, and forgets the message. */
    void finish(byte[] tag, int tagOffset);

    /** Forgets the message. */
    void reset();

    /** Wipes what depends on the key, as far as Java lets one. */
    @Override
    void close();
}
