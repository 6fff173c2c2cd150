// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import javax.crypto.AEADBadTagException;
import org.manyfish.block.BlockCipher;

/**
 * SIV [RFC5297]: S2V, which is CMAC of several strings, gives V; V without two bits is the first
 * counter block of CTR under the other key. The whole message is needed before the first byte can
 * be encrypted.
 */
final class Siv extends AuthenticatedMode {
    /** S2V under K1, the cipher of the mode itself; CTR under K2. */
    private final CmacOfBlocks cmac;

    private final Ctr ctr;

    /** CMAC of the zero block, with which S2V begins. */
    private final byte[] zeroTag = new byte[BLOCK];

    private final byte[] d = new byte[BLOCK];
    private byte[] nonce = new byte[0];
    private boolean hasAad;

    Siv(BlockCipher s2v, BlockCipher ctr, boolean encrypting) {
        super(s2v, encrypting);
        cmac = new CmacOfBlocks(s2v);
        cmac.update(zeroTag, 0, BLOCK);
        cmac.finish(zeroTag, 0);
        this.ctr = new Ctr(ctr, Ctr.WHOLE_BLOCK);
    }

    @Override
    public int unitBytes() {
        return WHOLE_MESSAGE;
    }

    @Override
    boolean hasTagOf(int tagBytes) {
        return tagBytes == BLOCK;
    }

    /** The nonce, of any length: the last string before the text. None if it is empty or null. */
    @Override
    void begin(byte[] iv) {
        forgetMessage();
        nonce = iv == null ? new byte[0] : iv.clone();
    }

    /** All calls together are one string; a call with 0 bytes makes an empty one. */
    @Override
    public void aad(byte[] in, int offset, int nBytes) {
        hasAad = true;
        cmac.update(in, offset, nBytes);
    }

    @Override
    public void update(byte[] out, int outOffset, byte[] in, int inOffset, int nBytes) {
        throw new IllegalStateException("SIV takes a message as a whole, by finish");
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
            int tagBytes)
            throws AEADBadTagException {
        if (!encrypting) {
            checkTagLength(tagBytes);
            startCtr(tag, tagOffset);
        }
        super.finish(out, outOffset, in, inOffset, nBytes, tag, tagOffset, tagBytes);
    }

    @Override
    void finishText(byte[] out, int outOffset, byte[] in, int inOffset, int nBytes) {
        addStrings();
        if (encrypting) {
            addText(in, inOffset, nBytes);
            startCtr(d, 0);
            ctr.update(out, outOffset, in, inOffset, nBytes);
        } else {
            ctr.update(out, outOffset, in, inOffset, nBytes);
            addText(out, outOffset, nBytes);
        }
    }

    /** [RFC5297, 2.4] up to the text. */
    private void addStrings() {
        System.arraycopy(zeroTag, 0, d, 0, BLOCK);
        if (hasAad) {
            addString();
        }
        if (nonce.length > 0) {
            cmac.update(nonce, 0, nonce.length);
            addString();
        }
    }

    /** D = dbl(D) ^ CMAC(string) */
    private void addString() {
        final byte[] part = new byte[BLOCK];
        cmac.finish(part, 0);
        Bytes.twice(d, 0, d, 0, BLOCK);
        Bytes.add(d, part);
        Bytes.wipe(part);
    }

    /**
     * D goes into the end of the text, or into the padded text if it is shorter than a block: V.
     */
    private void addText(byte[] text, int offset, int nBytes) {
        final int last = Math.min(nBytes, BLOCK);
        if (last == BLOCK) {
            cmac.update(text, offset, nBytes - BLOCK);
        } else {
            Bytes.twice(d, 0, d, 0, BLOCK);
            d[last] ^= (byte) 0x80;
        }
        Bytes.xor(d, 0, d, 0, text, offset + nBytes - last, last);
        cmac.update(d, 0, BLOCK);
        cmac.finish(d, 0);
    }

    /** [RFC5297, 2.5] */
    private void startCtr(byte[] v, int offset) {
        final byte[] q = new byte[BLOCK];
        System.arraycopy(v, offset, q, 0, BLOCK);
        q[8] &= 0x7F;
        q[12] &= 0x7F;
        ctr.start(q);
        Bytes.wipe(q);
    }

    @Override
    void computeTag(byte[] tag) {
        System.arraycopy(d, 0, tag, 0, BLOCK);
    }

    @Override
    void forgetMessage() {
        cmac.reset();
        ctr.wipe();
        Bytes.wipe(d);
        hasAad = false;
    }

    @Override
    void wipe() {
        forgetMessage();
        cmac.wipe();
        Bytes.wipe(zeroTag);
        ctr.close();
    }
}
