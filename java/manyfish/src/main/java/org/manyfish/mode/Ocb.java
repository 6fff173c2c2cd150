// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import org.manyfish.block.BlockCipher;

/**
 * OCB3 [RFC7253] with tags of 16 bytes. Names are those of the RFC, section 4. Block i is masked
 * with Offset_i = Offset_{i-1} xor L_{ntz(i)}; many blocks go through the cipher at once.
 */
final class Ocb extends AuthenticatedMode {
    static final int MAX_NONCE_BYTES = 15;

    /** Enough for 2^48 blocks under one nonce, more than a call can ever give. */
    private static final int MASKS = 48;

    private final byte[] lStar = new byte[BLOCK];
    private final byte[] lDollar = new byte[BLOCK];
    private final byte[] l = new byte[MASKS * BLOCK];

    /** Offset_i of a text or of associated data, and i. */
    private static final class Offset {
        final byte[] last = new byte[BLOCK];
        long i;
    }

    private final Offset text = new Offset();
    private final byte[] checksum = new byte[BLOCK];
    private final Offset aad = new Offset();
    private final byte[] aadSum = new byte[BLOCK];
    private final byte[] aadRest = new byte[BLOCK];
    private int aadRestBytes;
    private final byte[] offsets = new byte[PIECE_BYTES];

    Ocb(BlockCipher cipher, boolean encrypting) {
        super(cipher, encrypting);
        makeMasks();
    }

    /** All the masks of a key. [RFC7253, 4.1] */
    private void makeMasks() {
        cipher.encryptBlocks(lStar, 0, lStar, 0, 1);
        Bytes.twice(lDollar, 0, lStar, 0, BLOCK);
        Bytes.twice(l, 0, lDollar, 0, BLOCK);
        for (int i = BLOCK; i < l.length; i += BLOCK) {
            Bytes.twice(l, i, l, i - BLOCK, BLOCK);
        }
    }

    @Override
    public int unitBytes() {
        return BLOCK;
    }

    @Override
    boolean hasTagOf(int tagBytes) {
        return tagBytes == BLOCK;
    }

    /** Offset_0: the 128 bits of Stretch that start at bit `bottom` of the nonce. [RFC7253, 4.2] */
    @Override
    void begin(byte[] nonce) {
        if (nonce.length < 1 || nonce.length > MAX_NONCE_BYTES) {
            throw new IllegalArgumentException(
                    "OCB takes a nonce of 1 to " + MAX_NONCE_BYTES + " bytes, not " + nonce.length);
        }
        forgetMessage();
        // 7 bits for the tag length, 0 for 128; zeros; a one; the nonce
        final byte[] top = new byte[BLOCK];
        top[BLOCK - 1 - nonce.length] = 1;
        System.arraycopy(nonce, 0, top, BLOCK - nonce.length, nonce.length);
        final int bottom = top[BLOCK - 1] & 63;
        top[BLOCK - 1] &= (byte) 0xC0;
        cipher.encryptBlocks(top, 0, top, 0, 1);
        final long s0 = Bytes.load(top, 0);
        final long s1 = Bytes.load(top, 8);
        final long s2 = s0 ^ Bytes.load(top, 1);
        Bytes.store(text.last, 0, s0 << bottom | s1 >>> 1 >>> 63 - bottom);
        Bytes.store(text.last, 8, s1 << bottom | s2 >>> 1 >>> 63 - bottom);
        Bytes.wipe(top);
    }

    /** The offsets of the next nBlocks blocks. */
    private void nextOffsets(Offset offset, int nBlocks) {
        long o0 = Bytes.load(offset.last, 0);
        long o1 = Bytes.load(offset.last, 8);
        long i = offset.i;
        for (int at = 0; at < nBlocks * BLOCK; at += BLOCK) {
            i++;
            final int mask = Long.numberOfTrailingZeros(i) * BLOCK;
            o0 ^= Bytes.load(l, mask);
            o1 ^= Bytes.load(l, mask + 8);
            Bytes.store(offsets, at, o0);
            Bytes.store(offsets, at + 8, o1);
        }
        offset.i = i;
        Bytes.store(offset.last, 0, o0);
        Bytes.store(offset.last, 8, o1);
    }

    @Override
    public void aad(byte[] in, int offset, int nBytes) {
        final int first = Math.min(nBytes, BLOCK - aadRestBytes);
        System.arraycopy(in, offset, aadRest, aadRestBytes, first);
        aadRestBytes += first;
        if (aadRestBytes < BLOCK) {
            return;
        }
        hashBlocks(aadRest, 0, 1);
        final int nBlocks = (nBytes - first) / BLOCK;
        hashBlocks(in, offset + first, nBlocks);
        aadRestBytes = (nBytes - first) % BLOCK;
        System.arraycopy(in, offset + nBytes - aadRestBytes, aadRest, 0, aadRestBytes);
    }

    /** HASH of [RFC7253, 4.1] over whole blocks. */
    private void hashBlocks(byte[] in, int offset, int nBlocks) {
        final int pieceBlocks = PIECE_BYTES / BLOCK;
        for (int i = 0; i < nBlocks; i += pieceBlocks) {
            final int n = Math.min(nBlocks - i, pieceBlocks);
            nextOffsets(aad, n);
            Bytes.xor(offsets, 0, offsets, 0, in, offset + i * BLOCK, n * BLOCK);
            cipher.encryptBlocks(offsets, 0, offsets, 0, n);
            Bytes.addBlocks(aadSum, offsets, 0, n);
        }
    }

    @Override
    public void update(byte[] out, int outOffset, byte[] in, int inOffset, int nBytes) {
        for (int i = 0; i < nBytes; i += PIECE_BYTES) {
            final int n = Math.min(nBytes - i, PIECE_BYTES);
            cryptPiece(out, outOffset + i, in, inOffset + i, n / BLOCK);
        }
    }

    /** [RFC7253, 4.2, 4.3] */
    private void cryptPiece(byte[] out, int outOffset, byte[] in, int inOffset, int nBlocks) {
        nextOffsets(text, nBlocks);
        if (encrypting) {
            Bytes.addBlocks(checksum, in, inOffset, nBlocks);
        }
        Bytes.xor(out, outOffset, in, inOffset, offsets, 0, nBlocks * BLOCK);
        if (encrypting) {
            cipher.encryptBlocks(out, outOffset, out, outOffset, nBlocks);
        } else {
            cipher.decryptBlocks(out, outOffset, out, outOffset, nBlocks);
        }
        Bytes.xor(out, outOffset, out, outOffset, offsets, 0, nBlocks * BLOCK);
        if (!encrypting) {
            Bytes.addBlocks(checksum, out, outOffset, nBlocks);
        }
    }

    @Override
    void finishText(byte[] out, int outOffset, byte[] in, int inOffset, int nBytes) {
        final int rest = nBytes % BLOCK;
        final int whole = nBytes - rest;
        update(out, outOffset, in, inOffset, whole);
        if (rest > 0) {
            cryptRest(out, outOffset + whole, in, inOffset + whole, rest);
        }
    }

    /**
     * The partial block at the end, 1 to 15 bytes, goes into the checksum padded with a one bit.
     */
    private void cryptRest(byte[] out, int outOffset, byte[] in, int inOffset, int nBytes) {
        final byte[] pad = new byte[BLOCK];
        Bytes.add(text.last, lStar);
        cipher.encryptBlocks(pad, 0, text.last, 0, 1);
        if (encrypting) {
            Bytes.xor(checksum, 0, checksum, 0, in, inOffset, nBytes);
        }
        Bytes.xor(out, outOffset, in, inOffset, pad, 0, nBytes);
        if (!encrypting) {
            Bytes.xor(checksum, 0, checksum, 0, out, outOffset, nBytes);
        }
        checksum[nBytes] ^= (byte) 0x80;
        Bytes.wipe(pad);
    }

    @Override
    void computeTag(byte[] tag) {
        hashRest();
        Bytes.xor(tag, 0, checksum, 0, text.last, 0, BLOCK);
        Bytes.add(tag, lDollar);
        cipher.encryptBlocks(tag, 0, tag, 0, 1);
        Bytes.add(tag, aadSum);
    }

    /** Ends HASH with the partial block of associated data. [RFC7253, 4.1] */
    private void hashRest() {
        if (aadRestBytes == 0) {
            return;
        }
        final byte[] block = new byte[BLOCK];
        System.arraycopy(aadRest, 0, block, 0, aadRestBytes);
        block[aadRestBytes] = (byte) 0x80;
        Bytes.add(block, aad.last);
        Bytes.add(block, lStar);
        cipher.encryptBlocks(block, 0, block, 0, 1);
        Bytes.add(aadSum, block);
        Bytes.wipe(block);
    }

    @Override
    void forgetMessage() {
        Bytes.wipe(text.last, checksum, aad.last, aadSum, aadRest, offsets);
        text.i = 0;
        aad.i = 0;
        aadRestBytes = 0;
    }

    @Override
    void wipe() {
        forgetMessage();
        Bytes.wipe(lStar, lDollar, l);
    }
}
