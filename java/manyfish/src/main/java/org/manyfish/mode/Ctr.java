// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import org.manyfish.block.BlockCipher;

/**
 * CTR [SP800-38A, 6.5]: a key stream from encrypted counters, with the standard incrementing
 * function of its appendix B.1 on the low 32 bits or on the whole block. Both directions are one.
 */
final class Ctr extends PlainMode {
    static final long WHOLE_BLOCK = -1;
    static final long LOW_32_BITS = 0xFFFFFFFFL;

    /** Which bits of low count; what carries out of WHOLE_BLOCK goes to high. */
    private final long counting;

    /** The next counter block; those of 8 bytes are in low. */
    private long high;

    private long low;
    private final byte[] keystream = new byte[PIECE_BYTES];

    /** A block of key stream whose last unusedBytes bytes are still to be used. */
    private final byte[] rest;

    private int unusedBytes;

    Ctr(BlockCipher cipher, long counting) {
        super(cipher);
        this.counting = counting;
        rest = new byte[blockBytes];
    }

    @Override
    public int unitBytes() {
        return 1;
    }

    @Override
    void begin(byte[] iv) {
        checkIv("CTR", iv, blockBytes);
        high = Bytes.load(iv, 0);
        low = Bytes.load(iv, blockBytes - 8);
        unusedBytes = 0;
    }

    /** How many bytes fill the buffer of key stream from where the last call stopped. */
    int pieceBytes() {
        return unusedBytes + PIECE_BYTES;
    }

    @Override
    public void update(byte[] out, int outOffset, byte[] in, int inOffset, int nBytes) {
        int done = cryptByRest(out, outOffset, in, inOffset, nBytes);
        while (nBytes - done >= blockBytes) {
            final int n = Math.min(nBytes - done, PIECE_BYTES) / blockBytes * blockBytes;
            nextKeystream(keystream, n);
            Bytes.xor(out, outOffset + done, in, inOffset + done, keystream, 0, n);
            done += n;
        }
        if (done < nBytes) {
            nextKeystream(rest, blockBytes);
            unusedBytes = blockBytes;
            cryptByRest(out, outOffset + done, in, inOffset + done, nBytes - done);
        }
    }

    /** Uses up what the last call left of its last block of key stream; returns the bytes done. */
    private int cryptByRest(byte[] out, int outOffset, byte[] in, int inOffset, int nBytes) {
        final int n = Math.min(nBytes, unusedBytes);
        Bytes.xor(out, outOffset, in, inOffset, rest, blockBytes - unusedBytes, n);
        unusedBytes -= n;
        return n;
    }

    private void nextKeystream(byte[] blocks, int nBytes) {
        nextCounters(blocks, nBytes);
        cipher.encryptBlocks(blocks, 0, blocks, 0, nBytes / blockBytes);
    }

    /** EAX and SIV compute the first counter block from the key: so none decides a branch. */
    private void nextCounters(byte[] blocks, int nBytes) {
        long h = high;
        long l = low;
        for (int i = 0; i < nBytes; i += blockBytes) {
            Bytes.store(blocks, i, h);
            Bytes.store(blocks, i + blockBytes - 8, l);
            final long next = l & ~counting | l + 1 & counting;
            h += (l & ~next) >>> 63;
            l = next;
        }
        high = h;
        low = l;
    }

    @Override
    void wipe() {
        high = 0;
        low = 0;
        unusedBytes = 0;
        Bytes.wipe(keystream, rest);
    }
}
