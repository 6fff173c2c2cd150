// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import java.io.ByteArrayOutputStream;
import javax.crypto.AEADBadTagException;
import org.manyfish.block.BlockCipher;

/**
 * CCM [SP800-38C] with the formatting of its appendix A, whose names stand here: B_0 holds nonce
 * and lengths and begins the CBC-MAC, over associated data and then plaintext, each filled with
 * zeros to whole blocks. Counter block Ctr_0 masks the tag, the following ones encrypt. All lengths
 * are needed before the first byte can be authenticated.
 */
final class Ccm extends AuthenticatedMode {
    private static final int MIN_NONCE_BYTES = 7;
    private static final int MAX_NONCE_BYTES = 13;

    /** From here on the length of associated data takes four bytes, after two marks. */
    private static final int LONG_AAD_BYTES = 0xFF00;

    private final Ctr ctr;

    /** The chain of CBC-MAC. */
    private final byte[] chain = new byte[BLOCK];

    /** The first block of key stream, which masks the tag. */
    private final byte[] s0 = new byte[BLOCK];

    private final ByteArrayOutputStream aad = new ByteArrayOutputStream();
    private byte[] nonce = new byte[0];
    private int tagBytes;

    Ccm(BlockCipher cipher, boolean encrypting) {
        super(cipher, encrypting);
        ctr = new Ctr(cipher, Ctr.WHOLE_BLOCK);
    }

    @Override
    public int unitBytes() {
        return WHOLE_MESSAGE;
    }

    @Override
    boolean hasTagOf(int nBytes) {
        return nBytes % 2 == 0 && nBytes >= 4 && nBytes <= BLOCK;
    }

    @Override
    void begin(byte[] iv) {
        if (iv.length < MIN_NONCE_BYTES || iv.length > MAX_NONCE_BYTES) {
            throw new IllegalArgumentException(
                    "CCM takes a nonce of 7 to 13 bytes, not " + iv.length);
        }
        forgetMessage();
        nonce = iv.clone();
    }

    @Override
    public void aad(byte[] in, int offset, int nBytes) {
        aad.write(in, offset, nBytes);
    }

    @Override
    public void update(byte[] out, int outOffset, byte[] in, int inOffset, int nBytes) {
        throw new IllegalStateException("CCM takes a message as a whole, by finish");
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
            int nTag)
            throws AEADBadTagException {
        final long most = ModeName.CCM.maxTextBytes(nonce.length, BLOCK);
        if (nBytes > most) {
            throw new IllegalArgumentException(
                    "CCM takes at most "
                            + most
                            + " bytes with a nonce of "
                            + nonce.length
                            + ", not "
                            + nBytes);
        }
        tagBytes = nTag;
        super.finish(out, outOffset, in, inOffset, nBytes, tag, tagOffset, nTag);
    }

    /** In pieces, so that CBC-MAC finds in the cache what CTR has worked on. */
    @Override
    void finishText(byte[] out, int outOffset, byte[] in, int inOffset, int nBytes) {
        beginText(aad.toByteArray(), nBytes);
        int n;
        for (int i = 0; i < nBytes; i += n) {
            n = Math.min(nBytes - i, PIECE_BYTES);
            if (encrypting) {
                absorb(in, inOffset + i, n);
            }
            ctr.update(out, outOffset + i, in, inOffset + i, n);
            if (!encrypting) {
                absorb(out, outOffset + i, n);
            }
        }
    }

    /** All that comes before the text: B_0, the associated data, Ctr_0. [SP800-38C, A.2, A.3] */
    private void beginText(byte[] a, int nBytes) {
        final byte[] b0 = block(8 * (tagBytes / 2 - 1) + (a.length > 0 ? 0x40 : 0));
        storeLength(b0, BLOCK - 4, nBytes);
        absorb(b0, 0, BLOCK);
        if (a.length > 0) {
            absorbAad(a);
        }
        ctr.start(block(0));
        ctr.update(s0, 0, s0, 0, BLOCK);
    }

    /** A block with these flags, those of the nonce's length, and the nonce. */
    private byte[] block(int flags) {
        final byte[] block = new byte[BLOCK];
        block[0] = (byte) (flags + BLOCK - 2 - nonce.length);
        System.arraycopy(nonce, 0, block, 1, nonce.length);
        return block;
    }

    /** The associated data after its length. [SP800-38C, A.2.2] */
    private void absorbAad(byte[] a) {
        final byte[] first = new byte[BLOCK];
        final int prefixBytes = a.length < LONG_AAD_BYTES ? 2 : 6;
        storeLength(first, prefixBytes - 4, a.length);
        if (prefixBytes == 6) {
            first[0] = (byte) 0xFF;
            first[1] = (byte) 0xFE;
        }
        final int n = Math.min(a.length, BLOCK - prefixBytes);
        System.arraycopy(a, 0, first, prefixBytes, n);
        absorb(first, 0, BLOCK);
        absorb(a, n, a.length - n);
    }

    /** A length in up to four bytes from offset on, without leading zeros: a nonce may be there. */
    private static void storeLength(byte[] block, int offset, int length) {
        for (int i = 3; i >= 0 && length >>> 8 * (3 - i) != 0; i--) {
            block[offset + i] = (byte) (length >>> 8 * (3 - i));
        }
    }

    /** CBC-MAC of a string that is filled with zeros to whole blocks. */
    private void absorb(byte[] in, int offset, int nBytes) {
        int n;
        for (int i = 0; i < nBytes; i += n) {
            n = Math.min(nBytes - i, BLOCK);
            Bytes.xor(chain, 0, chain, 0, in, offset + i, n);
            cipher.encryptBlocks(chain, 0, chain, 0, 1);
        }
    }

    @Override
    void computeTag(byte[] tag) {
        Bytes.xor(tag, 0, chain, 0, s0, 0, BLOCK);
    }

    @Override
    void forgetMessage() {
        ctr.wipe();
        Bytes.wipe(chain, s0);
        aad.reset();
    }

    @Override
    void wipe() {
        forgetMessage();
    }
}
