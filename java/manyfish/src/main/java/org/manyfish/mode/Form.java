// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

/**
 * The form of messages of a batch: ciphertext with the tag after it, before it (SIV), or with
 * padding; or the tag alone (CMAC). All sizes and places are in bytes.
 */
public final class Form {
    /** null for CMAC. */
    private final ModeName mode;

    private final int blockBytes;
    private final boolean padded;
    private final int tagBytes;

    /**
     * @param padded whether texts get PKCS5Padding, in CBC
     * @param tagBytes 0 in modes without a tag
     */
    public Form(CipherName cipher, ModeName mode, boolean padded, int tagBytes) {
        this.mode = mode;
        this.blockBytes = cipher.blockBytes();
        this.padded = padded;
        this.tagBytes = tagBytes;
    }

    /** That of CMAC. */
    public static Form cmac(CipherName cipher) {
        return new Form(cipher, null, false, cipher.blockBytes());
    }

    public boolean isCmac() {
        return mode == null;
    }

    /** The mode; null for CMAC. */
    public ModeName mode() {
        return mode;
    }

    public boolean isPadded() {
        return padded;
    }

    public int tagBytes() {
        return tagBytes;
    }

    public int blockBytes() {
        return blockBytes;
    }

    /** The unit of texts without padding. */
    public int unitBytes() {
        return mode == ModeName.CBC && !padded ? blockBytes : 1;
    }

    /** The size of an IV for the mode: a short one of CTR counts in the rest of its block. */
    public int ivBytes(int givenBytes) {
        return mode == ModeName.CTR ? blockBytes : givenBytes;
    }

    /** The size of ciphertext, padding and tag. */
    public int sealedBytes(int textBytes) {
        return textBytes + (padded ? blockBytes - textBytes % blockBytes : tagBytes);
    }

    /** Whether a text of this size can be encrypted under an IV of that one. */
    public boolean takes(int ivBytes, int textBytes) {
        return textBytes % unitBytes() == 0 && textBytes <= mode.maxTextBytes(ivBytes, blockBytes);
    }

    /** Whether anything that is encrypted under such an IV has this size. */
    public boolean canBeSealed(int ivBytes, int sealedBytes) {
        return padded
                ? sealedBytes > 0 && sealedBytes % blockBytes == 0
                : sealedBytes >= tagBytes && takes(ivBytes, sealedBytes - tagBytes);
    }

    /** The size of its text, with padding. */
    public int textBytes(int sealedBytes) {
        return sealedBytes - tagBytes;
    }

    /** Where the ciphertext begins, in what is encrypted. */
    public int textAt() {
        return mode == ModeName.SIV ? tagBytes : 0;
    }

    /** Where the tag begins, in what is encrypted of a text of textBytes. */
    public int tagAt(int textBytes) {
        return mode == ModeName.SIV ? 0 : textBytes;
    }
}
