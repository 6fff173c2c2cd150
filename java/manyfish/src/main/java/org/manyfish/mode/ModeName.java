// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

/** The modes, each by what its IV, its unit and its tag are. */
public enum ModeName {
    ECB,
    CBC,
    /** The whole block counts, big-endian. */
    CTR,
    /** Segments of a whole block. */
    CFB,
    /** Segments of one byte. */
    CFB8,
    OFB,
    /** One data unit a message; the IV is the tweak. The key is Key1, then Key2 [IEEE1619, 5.1]. */
    XTS,
    EAX,
    OCB,
    GCM,
    /** One message by finish, since its lengths come first in what is authenticated. */
    CCM,
    /**
     * The tag is made of key, associated data and text [RFC5297]. All associated data of a message
     * is one string, and none if aad is never called; the IV is one more string, a nonce, and none
     * if it is empty or null. The key is K1, then K2.
     */
    SIV;

    /** Whether update and finish authenticate, and finish has a tag. */
    public boolean hasTag() {
        return this == EAX || this == OCB || this == GCM || this == CCM || this == SIV;
    }

    /** Whether there is a {@link Batch} of the mode. */
    public boolean hasBatch() {
        return this != ECB && this != CFB8 && this != XTS;
    }

    /**
     * How much a message may have: until the counter beside a short IV of CTR has come round, less
     * a block for a padding; and what the bytes beside a nonce of CCM can say. [SP800-38C, A.1]
     */
    public long maxTextBytes(int ivBytes, int blockBytes) {
        switch (this) {
            case CTR:
                return counted(blockBytes - ivBytes, blockBytes);
            case CCM:
                return counted(blockBytes - 1 - ivBytes, 1);
            default:
                return Long.MAX_VALUE;
        }
    }

    private static long counted(int counterBytes, int unitBytes) {
        return counterBytes == 0 || counterBytes > 6
                ? Long.MAX_VALUE
                : ((1L << 8 * counterBytes) - 1) * unitBytes;
    }

    /** How many keys of the cipher make one of the mode: 1 or 2. */
    public int nKeys() {
        return this == XTS || this == SIV ? 2 : 1;
    }

    /** Whether the mode is defined for the blocks of the cipher. */
    public boolean takes(CipherName cipher) {
        return cipher.blockBytes() == 16 || !(hasTag() || this == XTS);
    }

    /**
     * Refuses a cipher that the mode is not for, and two keys that are no two; how long keys are,
     * the cipher checks.
     *
     * @param key all of it, in one piece
     * @throws IllegalArgumentException with what was expected
     */
    public void check(CipherName cipher, byte[] key) {
        if (!takes(cipher)) {
            throw new IllegalArgumentException(
                    this
                            + " needs a cipher with blocks of 16 bytes; "
                            + cipher
                            + " has "
                            + cipher.blockBytes());
        }
        final int half = key.length / 2;
        if (nKeys() == 2 && 2 * half != key.length) {
            throw new IllegalArgumentException(
                    this
                            + " takes two keys of the cipher in one piece, not "
                            + key.length
                            + " bytes");
        }
        if (this == XTS && Bytes.equal(key, 0, key, half, half)) {
            throw new IllegalArgumentException(
                    "the two keys of XTS must differ; the halves of this key are equal");
        }
    }
}
