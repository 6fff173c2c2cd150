// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import java.util.Arrays;
import org.manyfish.block.BlockCipher;

/**
 * GCM [SP800-38D]. The text is encrypted by CTR with 32 counter bits from the block J0 on; the tag
 * is GHASH of associated data, ciphertext and their lengths, plus the encrypted J0.
 */
final class Gcm extends AuthenticatedMode {
    static final long MAX_TEXT_BYTES = (1L << 36) - 32;

    /** The IV of this length becomes J0 without GHASH. */
    private static final int SHORT_IV_BYTES = 12;

    private final Ghash ghash;
    private final Ctr ctr;

    /** The first block of key stream, E(J0). */
    private final byte[] tagMask = new byte[BLOCK];

    /** A partial block that is still to be hashed. */
    private final byte[] rest = new byte[BLOCK];

    private long aadBytes;

    /** Tests set it, to come near the limit. */
    long textBytes;

    Gcm(BlockCipher cipher, boolean encrypting) {
        super(cipher, encrypting);
        final byte[] h = new byte[BLOCK];
        cipher.encryptBlocks(h, 0, h, 0, 1);
        ghash = new Ghash(h);
        Bytes.wipe(h);
        ctr = new Ctr(cipher, Ctr.LOW_32_BITS);
    }

    @Override
    public int unitBytes() {
        return 1;
    }

    @Override
    boolean hasTagOf(int tagBytes) {
        return tagBytes == 4 || tagBytes == 8 || tagBytes >= 12 && tagBytes <= BLOCK;
    }

    @Override
    void begin(byte[] iv) {
        if (iv.length == 0) {
            throw new IllegalArgumentException("GCM takes an IV of at least 1 byte, not 0");
        }
        forgetMessage();
        final byte[] j0 = firstCounter(iv);
        ctr.start(j0);
        ctr.update(tagMask, 0, tagMask, 0, BLOCK);
        Bytes.wipe(j0);
    }

    /** J0 [SP800-38D, 7.1, step 2]. */
    private byte[] firstCounter(byte[] iv) {
        final byte[] j0 = new byte[BLOCK];
        if (iv.length == SHORT_IV_BYTES) {
            System.arraycopy(iv, 0, j0, 0, SHORT_IV_BYTES);
            j0[BLOCK - 1] = 1;
        } else {
            hash(0, iv, 0, iv.length);
            hashPadding(iv.length);
            hashLengths(0, iv.length);
            ghash.write(j0);
            ghash.reset();
        }
        return j0;
    }

    /** The next nBytes bytes of a string, after hashedBytes of it. */
    private void hash(long hashedBytes, byte[] in, int offset, int nBytes) {
        final int restBytes = (int) (hashedBytes % BLOCK);
        final int first = restBytes == 0 ? 0 : Math.min(nBytes, BLOCK - restBytes);
        System.arraycopy(in, offset, rest, restBytes, first);
        if (restBytes + first == BLOCK) {
            ghash.absorb(rest, 0, 1);
        }
        final int nBlocks = (nBytes - first) / BLOCK;
        final int last = (nBytes - first) % BLOCK;
        ghash.absorb(in, offset + first, nBlocks);
        if (last > 0) {
            System.arraycopy(in, offset + nBytes - last, rest, 0, last);
        }
    }

    /** The end of a string of hashedBytes: its partial block is filled with zeros. */
    private void hashPadding(long hashedBytes) {
        final int restBytes = (int) (hashedBytes % BLOCK);
        if (restBytes > 0) {
            Arrays.fill(rest, restBytes, BLOCK, (byte) 0);
            ghash.absorb(rest, 0, 1);
        }
    }

    /** The last block of GHASH: two lengths, in bits. */
    private void hashLengths(long bytesA, long bytesB) {
        final byte[] lengths = new byte[BLOCK];
        Bytes.store(lengths, 0, 8 * bytesA);
        Bytes.store(lengths, 8, 8 * bytesB);
        ghash.absorb(lengths, 0, 1);
    }

    @Override
    public void aad(byte[] in, int offset, int nBytes) {
        hash(aadBytes, in, offset, nBytes);
        aadBytes += nBytes;
    }

    /** In pieces, so that GHASH finds in the cache what CTR has worked on. */
    @Override
    public void update(byte[] out, int outOffset, byte[] in, int inOffset, int nBytes) {
        checkLength(nBytes);
        if (textBytes == 0 && nBytes > 0) {
            hashPadding(aadBytes);
        }
        int n;
        for (int i = 0; i < nBytes; i += n) {
            n = Math.min(nBytes - i, ctr.pieceBytes());
            if (!encrypting) {
                hash(textBytes, in, inOffset + i, n);
            }
            ctr.update(out, outOffset + i, in, inOffset + i, n);
            if (encrypting) {
                hash(textBytes, out, outOffset + i, n);
            }
            textBytes += n;
        }
    }

    private void checkLength(int nBytes) {
        if (nBytes > MAX_TEXT_BYTES - textBytes) {
            throw new IllegalStateException(
                    "GCM takes at most " + MAX_TEXT_BYTES + " bytes under an IV");
        }
    }

    @Override
    void finishText(byte[] out, int outOffset, byte[] in, int inOffset, int nBytes) {
        update(out, outOffset, in, inOffset, nBytes);
    }

    @Override
    void computeTag(byte[] tag) {
        hashPadding(textBytes > 0 ? textBytes : aadBytes);
        hashLengths(aadBytes, textBytes);
        ghash.write(tag);
        Bytes.add(tag, tagMask);
    }

    @Override
    void forgetMessage() {
        ghash.reset();
        ctr.wipe();
        Bytes.wipe(tagMask, rest);
        aadBytes = 0;
        textBytes = 0;
    }

    @Override
    void wipe() {
        forgetMessage();
        ghash.wipe();
    }
}
