// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.block;

/**
 * A block cipher with one key. The caller checks that buffers are large enough, and that out and in
 * are the same place or do not overlap. Many threads at once may encrypt and decrypt, but not while
 * one closes it.
 */
public interface BlockCipher extends AutoCloseable {
    /** The size of a block in bytes: 8 or 16. */
    int blockBytes();

    /** How many blocks this cipher works on at a time: modes gather as many, or more. */
    int lanes();

    /**
     * Encrypts independent blocks.
     *
     * @param out where nBlocks blocks are written, from outOffset (bytes) on
     * @param in where they are read, from inOffset (bytes) on
     * @param nBlocks 0 or more blocks
     */
    void encryptBlocks(byte[] out, int outOffset, byte[] in, int inOffset, int nBlocks);

    /** Decrypts independent blocks; the arguments are those of {@link #encryptBlocks}. */
    void decryptBlocks(byte[] out, int outOffset, byte[] in, int inOffset, int nBlocks);

    /** Wipes the key, as far as Java lets one. The cipher is of no use afterwards. */
    @Override
    void close();
}
