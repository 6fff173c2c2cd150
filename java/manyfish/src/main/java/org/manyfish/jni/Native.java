// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jni;

import java.nio.ByteBuffer;

/**
 * The functions of the library, as they are. The caller has checked that offsets and lengths, all
 * in bytes, lie within the arrays, that handles are open, and that one thread at a time uses a
 * handle. Functions that return an int return a status of the C library, 0 for success.
 */
final class Native {
    /**
     * Statuses that are not reported in the same way as others; the numbers are those of common.h.
     */
    static final int OK = 0;

    static final int KEY_LENGTH = 2;
    static final int LENGTH = 3;
    static final int KERNEL = 6;
    static final int CPU = 7;
    static final int TAG = 8;
    static final int PADDING = 9;
    static final int NONCE_LENGTH = 10;
    static final int CAPACITY = 11;
    static final int TOO_LONG = 13;
    static final int BLOCK = 14;
    static final int TAG_LENGTH = 16;
    static final int TABLES = 18;
    static final int MEMORY = 19;
    static final int LEAKS = 26;
    static final int LEAKS_VALUE = 27;

    /**
     * The integers that say where a message of {@link #many} lies: place and length in bytes of IV,
     * associated data (of length 0 it is none), text and tag.
     */
    static final int IV_AT = 0;

    static final int IV_BYTES = 1;
    static final int AAD_AT = 2;
    static final int AAD_BYTES = 3;
    static final int TEXT_AT = 4;
    static final int TEXT_BYTES = 5;
    static final int TAG_AT = 6;

    /** Set by the call: a status times -1 of this message, else for padded text its length. */
    static final int RESULT = 7;

    /** How many integers a message has. */
    static final int PLACE_INTS = 8;

    private Native() {}

    /** The version of the library. */
    static native String version();

    /** The sentence for a status. */
    static native String statusText(int status);

    /**
     * The kernel with this index of Twofish or else of DES, best first: "" if it cannot be used
     * here, null if there is none.
     */
    static native String kernel(boolean twofish, int index);

    /** Is this the name of a kernel of Twofish that is not constant-time? */
    static native boolean leaks(String kernel);

    /**
     * A mode with a key, or CMAC.
     *
     * @param cipher the name of a CipherName
     * @param kernel the name of a kernel, or null for the default
     * @param mode the name of a ModeName, or "CMAC", or "CBC_PADDED"
     * @return a handle, or a status times -1
     */
    static native long openMode(
            String cipher, String kernel, String mode, boolean encrypting, byte[] key);

    /** Wipes and frees. The handle is of no use afterwards. */
    static native void closeMode(long handle);

    /** Begins a message; iv may be null or empty for modes without one. */
    static native int start(long handle, byte[] iv);

    /** A piece of the associated data; for CMAC, of the message. */
    static native int aad(long handle, byte[] aad, int offset, int nBytes);

    /** Encrypts or decrypts, in pieces for which the arrays are pinned. */
    static native int update(
            long handle, byte[] out, int outOffset, byte[] in, int inOffset, int nBytes);

    /** The same for direct buffers. */
    static native int updateDirect(
            long handle,
            ByteBuffer out,
            int outPosition,
            ByteBuffer in,
            int inPosition,
            int nBytes);

    /** The last piece; tag is written or compared by modes that have one. */
    static native int finish(
            long handle,
            byte[] out,
            int outOffset,
            byte[] in,
            int inOffset,
            int nBytes,
            byte[] tag,
            int tagOffset,
            int tagBytes);

    /**
     * Many whole messages, each in place.
     *
     * @param places PLACE_INTS integers for each of nMessages messages
     * @param data a direct buffer
     * @param tagBytes of each message; 0 for modes without a tag
     * @return a status of the whole call; each message has one of its own
     */
    static native int many(
            long handle,
            boolean encrypting,
            int[] places,
            int nMessages,
            ByteBuffer data,
            int tagBytes);

    /** Wipes the first nBytes bytes of a direct buffer. */
    static native void wipe(ByteBuffer data, int nBytes);
}
