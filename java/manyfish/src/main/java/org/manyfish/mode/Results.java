// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

/**
 * Where the results of a batch go, one message after the other: for each either room and then keep,
 * or reject, with room before it or without.
 */
public interface Results {
    /** The array for the next result, which has nBytes bytes from offset on. */
    byte[] room(int nBytes);

    /** Where in the array of room the result begins. */
    int offset();

    /** The room holds the result. */
    void keep();

    /** The message has no result; if there was room for it, its bytes are zeros again. */
    void reject();
}
