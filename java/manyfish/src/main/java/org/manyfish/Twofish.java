// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish;

import java.util.Arrays;
import java.util.Objects;
import org.manyfish.block.BlockCipher;
import org.manyfish.block.Kernel;
import org.manyfish.block.KernelList;

/**
 * The block cipher Twofish [Twofish98] with one key: independent blocks, for who builds a mode or
 * studies the cipher. By itself this protects nothing; for data take an authenticated mode of
 * {@link ManyfishProvider}.
 *
 * <p>Any number of threads may encrypt and decrypt at a time; nobody may while it is closed.
 */
public final class Twofish implements AutoCloseable {
    /** The size of a block in bytes. */
    public static final int BLOCK_BYTES = 16;

    /** The size of the longest key in bytes. */
    public static final int MAX_KEY_BYTES = 32;

    private final Kernel kernel;
    private final BlockCipher cipher;
    private volatile boolean closed;

    /**
     * Expands a key for the default kernel, which is constant-time: the system property
     * manyfish.kernel names another one, which may leak if the property manyfish.leaks is "any";
     * else it is an IllegalArgumentException.
     *
     * @param key of 16, 24 or 32 bytes, else IllegalArgumentException; only read, not kept
     */
    public Twofish(byte[] key) {
        this(key, null);
    }

    /**
     * Expands a key for a kernel.
     *
     * @param key as above
     * @param kernel one of {@link Kernels#twofish}, or null for the default; another name is an
     *     IllegalArgumentException
     */
    public Twofish(byte[] key, String kernel) {
        Objects.requireNonNull(key, "key");
        this.kernel = KernelList.twofish(kernel);
        cipher = this.kernel.expand(key);
    }

    /**
     * A shorter key with zeros appended up to the next of 16, 24 and 32 bytes [Twofish98, 4.3.1].
     *
     * @param key of 0 to 32 bytes, else IllegalArgumentException
     * @return a new array, which the caller wipes
     */
    public static byte[] padKey(byte[] key) {
        if (key.length > MAX_KEY_BYTES) {
            throw new IllegalArgumentException(
                    "a Twofish key has 0 to 32 bytes before it is padded, this one has "
                            + key.length);
        }
        return Arrays.copyOf(key, Math.max(16, (key.length + 7) / 8 * 8));
    }

    /**
     * The kernel that computes.
     *
     * @return its name
     */
    public String kernel() {
        return kernel.name();
    }

    /**
     * Encrypts blocks, each by itself.
     *
     * @param out where they are written: the same place as in, or one that does not overlap it
     * @param outOffset the byte of out that is the first
     * @param in where they are read
     * @param inOffset the byte of in that is the first
     * @param nBlocks 0 or more blocks of 16 bytes
     * @throws IndexOutOfBoundsException if an array is too short
     * @throws IllegalArgumentException if out and in overlap, but are not the same place
     * @throws IllegalStateException after close
     */
    public void encryptBlocks(byte[] out, int outOffset, byte[] in, int inOffset, int nBlocks) {
        check(out, outOffset, in, inOffset, nBlocks);
        cipher.encryptBlocks(out, outOffset, in, inOffset, nBlocks);
    }

    /**
     * Decrypts blocks, each by itself; errors as for {@link #encryptBlocks}.
     *
     * @param out where they are written: the same place as in, or one that does not overlap it
     * @param outOffset the byte of out that is the first
     * @param in where they are read
     * @param inOffset the byte of in that is the first
     * @param nBlocks 0 or more blocks of 16 bytes
     */
    public void decryptBlocks(byte[] out, int outOffset, byte[] in, int inOffset, int nBlocks) {
        check(out, outOffset, in, inOffset, nBlocks);
        cipher.decryptBlocks(out, outOffset, in, inOffset, nBlocks);
    }

    private void check(byte[] out, int outOffset, byte[] in, int inOffset, int nBlocks) {
        if (closed) {
            throw new IllegalStateException("this Twofish is closed, its key wiped; make another");
        }
        checkRoom("out", out, outOffset, nBlocks);
        checkRoom("in", in, inOffset, nBlocks);
        final long distance = Math.abs((long) outOffset - inOffset);
        if (out == in && distance != 0 && distance < (long) BLOCK_BYTES * nBlocks) {
            throw new IllegalArgumentException(
                    "out and in overlap: give the same place, or places apart");
        }
    }

    private static void checkRoom(String name, byte[] bytes, int offset, int nBlocks) {
        if (nBlocks < 0 || offset < 0 || offset > bytes.length - (long) BLOCK_BYTES * nBlocks) {
            throw new IndexOutOfBoundsException(
                    String.format(
                            "%d blocks of 16 bytes from %d on are not in %s, which has %d bytes",
                            nBlocks, offset, name, bytes.length));
        }
    }

    /** Wipes the expanded key, as far as Java lets one; a second time does nothing. */
    @Override
    public void close() {
        closed = true;
        cipher.close();
    }
}
