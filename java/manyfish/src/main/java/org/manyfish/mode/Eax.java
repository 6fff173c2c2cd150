// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import org.manyfish.block.BlockCipher;

/**
 * EAX [EAX04]. OMAC^t of a string is CMAC of the number t, as long as a block, before the string.
 * The tag is OMAC^0 of the nonce, OMAC^1 of the associated data and OMAC^2 of the ciphertext,
 * added; and OMAC^0 of the nonce is also the first counter block.
 */
final class Eax extends AuthenticatedMode {
    static final int MIN_TAG_BYTES = 4;

    private final CmacOfBlocks aad;
    private final CmacOfBlocks text;
    private final Ctr ctr;
    private final byte[] nonceTag = new byte[BLOCK];

    Eax(BlockCipher cipher, boolean encrypting) {
        super(cipher, encrypting);
        aad = new CmacOfBlocks(cipher);
        text = new CmacOfBlocks(aad);
        ctr = new Ctr(cipher, Ctr.WHOLE_BLOCK);
    }

    @Override
    public int unitBytes() {
        return 1;
    }

    @Override
    boolean hasTagOf(int tagBytes) {
        return tagBytes >= MIN_TAG_BYTES && tagBytes <= BLOCK;
    }

    /** A nonce of any length. */
    @Override
    void begin(byte[] nonce) {
        beginOmac(text, 0);
        text.update(nonce, 0, nonce.length);
        text.finish(nonceTag, 0);
        ctr.start(nonceTag);
        beginOmac(aad, 1);
        beginOmac(text, 2);
    }

    private static void beginOmac(CmacOfBlocks cmac, int t) {
        final byte[] number = new byte[BLOCK];
        number[BLOCK - 1] = (byte) t;
        cmac.reset();
        cmac.update(number, 0, BLOCK);
    }

    @Override
    public void aad(byte[] in, int offset, int nBytes) {
        aad.update(in, offset, nBytes);
    }

    /** In pieces, so that CMAC finds in the cache what CTR has worked on. */
    @Override
    public void update(byte[] out, int outOffset, byte[] in, int inOffset, int nBytes) {
        int n;
        for (int i = 0; i < nBytes; i += n) {
            n = Math.min(nBytes - i, ctr.pieceBytes());
            if (!encrypting) {
                text.update(in, inOffset + i, n);
            }
            ctr.update(out, outOffset + i, in, inOffset + i, n);
            if (encrypting) {
                text.update(out, outOffset + i, n);
            }
        }
    }

    @Override
    void finishText(byte[] out, int outOffset, byte[] in, int inOffset, int nBytes) {
        update(out, outOffset, in, inOffset, nBytes);
    }

    @Override
    void computeTag(byte[] tag) {
        final byte[] aadTag = new byte[BLOCK];
        text.finish(tag, 0);
        aad.finish(aadTag, 0);
        Bytes.add(tag, aadTag);
        Bytes.add(tag, nonceTag);
        Bytes.wipe(aadTag);
    }

    @Override
    void forgetMessage() {
        aad.reset();
        text.reset();
        ctr.wipe();
        Bytes.wipe(nonceTag);
    }

    @Override
    void wipe() {
        forgetMessage();
        aad.wipe();
        text.wipe();
    }
}
