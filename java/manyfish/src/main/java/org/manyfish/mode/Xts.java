// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import org.manyfish.block.BlockCipher;

/**
 * XTS [IEEE1619, 5] of one data unit a message. Block j is masked before and after the cipher with
 * the tweak T_j = E_Key2(number) * x^j in GF(2^128).
 */
final class Xts extends BlockMode {
    /** 2^20 blocks. */
    static final int MAX_BYTES = 1 << 24;

    private static final int BLOCK = 16;

    private final BlockCipher tweakCipher;
    private final boolean encrypting;

    /** The tweak of the next block. */
    private final byte[] tweak = new byte[BLOCK];

    private final byte[] tweaks = new byte[PIECE_BYTES];

    Xts(BlockCipher dataCipher, BlockCipher tweakCipher, boolean encrypting) {
        super(dataCipher);
        this.tweakCipher = tweakCipher;
        this.encrypting = encrypting;
    }

    @Override
    public int unitBytes() {
        return WHOLE_MESSAGE;
    }

    /** The number of the data unit, little-endian. */
    @Override
    void begin(byte[] number) {
        checkIv("XTS", number, BLOCK);
        tweakCipher.encryptBlocks(tweak, 0, number, 0, 1);
    }

    @Override
    public void update(byte[] out, int outOffset, byte[] in, int inOffset, int nBytes) {
        throw new IllegalStateException("XTS takes a data unit as a whole, by finish");
    }

    @Override
    public void finish(
            byte[] out,
            int outOffset,
            byte[] in,
            int inOffset,
            int nBytes,
            byte[] tag,
            int tagOffset,
            int tagBytes) {
        if (nBytes < BLOCK || nBytes > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "XTS takes a data unit of 16 to " + MAX_BYTES + " bytes, not " + nBytes);
        }
        final int rest = nBytes % BLOCK;
        final int whole = rest == 0 ? nBytes : nBytes - rest - BLOCK;
        for (int i = 0; i < whole; i += PIECE_BYTES) {
            final int n = Math.min(whole - i, PIECE_BYTES);
            nextTweaks(n);
            crypt(out, outOffset + i, in, inOffset + i, 0, n);
        }
        if (rest > 0) {
            steal(out, outOffset + whole, in, inOffset + whole, rest);
        }
        Bytes.wipe(tweak, tweaks);
    }

    /** As many as nBytes hold. To multiply by x takes no branch on the secret. [IEEE1619, 5.2] */
    private void nextTweaks(int nBytes) {
        long low = Bytes.loadLittle(tweak, 0);
        long high = Bytes.loadLittle(tweak, 8);
        for (int i = 0; i < nBytes; i += BLOCK) {
            Bytes.storeLittle(tweaks, i, low);
            Bytes.storeLittle(tweaks, i + 8, high);
            final long carry = high >> 63 & 0x87;
            high = high << 1 | low >>> 63;
            low = low << 1 ^ carry;
        }
        Bytes.storeLittle(tweak, 0, low);
        Bytes.storeLittle(tweak, 8, high);
    }

    /** Blocks under the tweaks from tweakOffset on. */
    private void crypt(
            byte[] out, int outOffset, byte[] in, int inOffset, int tweakOffset, int nBytes) {
        Bytes.xor(out, outOffset, in, inOffset, tweaks, tweakOffset, nBytes);
        if (encrypting) {
            cipher.encryptBlocks(out, outOffset, out, outOffset, nBytes / BLOCK);
        } else {
            cipher.decryptBlocks(out, outOffset, out, outOffset, nBytes / BLOCK);
        }
        Bytes.xor(out, outOffset, out, outOffset, tweaks, tweakOffset, nBytes);
    }

    /**
     * Ciphertext stealing: the last whole block and the `rest` bytes after it. The short block
     * borrows its missing bytes from the other one's result. Decrypting, the two tweaks change
     * places. [IEEE1619, 5.3.2, 5.4.2]
     */
    private void steal(byte[] out, int outOffset, byte[] in, int inOffset, int rest) {
        final byte[] stolen = new byte[BLOCK];
        final byte[] joined = new byte[BLOCK];
        nextTweaks(2 * BLOCK);
        crypt(stolen, 0, in, inOffset, encrypting ? 0 : BLOCK, BLOCK);
        System.arraycopy(in, inOffset + BLOCK, joined, 0, rest);
        System.arraycopy(stolen, rest, joined, rest, BLOCK - rest);
        System.arraycopy(stolen, 0, out, outOffset + BLOCK, rest);
        crypt(out, outOffset, joined, 0, encrypting ? BLOCK : 0, BLOCK);
        Bytes.wipe(stolen, joined);
    }

    @Override
    void wipe() {
        tweakCipher.close();
        Bytes.wipe(tweak, tweaks);
    }
}
