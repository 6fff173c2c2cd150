// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import org.manyfish.block.BlockCipher;

/**
 * CMAC [SP800-38B] over a block cipher: CBC-MAC whose last block is masked with a subkey, so that
 * messages of different lengths do not fit together. A full block is held back until it is known
 * whether it is the last.
 */
final class CmacOfBlocks implements Cmac {
    private final BlockCipher cipher;
    private final int blockBytes;
    private final byte[] k1; // the names of [SP800-38B, 6]
    private final byte[] k2;
    private final byte[] chain;
    private final byte[] rest;
    private int restBytes;
    private boolean closed;

    CmacOfBlocks(BlockCipher cipher) {
        this.cipher = cipher;
        blockBytes = cipher.blockBytes();
        k1 = new byte[blockBytes];
        k2 = new byte[blockBytes];
        chain = new byte[blockBytes];
        rest = new byte[blockBytes];
        cipher.encryptBlocks(k1, 0, k1, 0, 1);
        Bytes.twice(k1, 0, k1, 0, blockBytes);
        Bytes.twice(k2, 0, k1, 0, blockBytes);
    }

    /** Another message under the key of one that there is; the cipher is the same. */
    CmacOfBlocks(CmacOfBlocks sameKey) {
        cipher = sameKey.cipher;
        blockBytes = sameKey.blockBytes;
        k1 = sameKey.k1.clone();
        k2 = sameKey.k2.clone();
        chain = new byte[blockBytes];
        rest = new byte[blockBytes];
    }

    @Override
    public void update(byte[] in, int offset, int nBytes) {
        checkOpen();
        if (nBytes == 0) {
            return;
        }
        final int first = Math.min(nBytes, blockBytes - restBytes);
        System.arraycopy(in, offset, rest, restBytes, first);
        restBytes += first;
        int done = first;
        if (done < nBytes) {
            absorb(rest, 0);
            for (; nBytes - done > blockBytes; done += blockBytes) {
                absorb(in, offset + done);
            }
            restBytes = nBytes - done;
            System.arraycopy(in, offset + done, rest, 0, restBytes);
        }
    }

    private void absorb(byte[] in, int offset) {
        Bytes.xor(chain, 0, chain, 0, in, offset, blockBytes);
        cipher.encryptBlocks(chain, 0, chain, 0, 1);
    }

    @Override
    public void finish(byte[] tag, int tagOffset) {
        checkOpen();
        final boolean full = restBytes == blockBytes;
        for (int i = restBytes; i < blockBytes; i++) {
            rest[i] = (byte) (i == restBytes ? 0x80 : 0);
        }
        Bytes.add(rest, full ? k1 : k2);
        absorb(rest, 0);
        System.arraycopy(chain, 0, tag, tagOffset, blockBytes);
        reset();
    }

    @Override
    public void reset() {
        Bytes.wipe(chain, rest);
        restBytes = 0;
    }

    /** Wipes all but the cipher, for modes that own it. */
    void wipe() {
        reset();
        Bytes.wipe(k1, k2);
    }

    /** The key is wiped then, and a tag would be one that nobody needs a key for. */
    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("this MAC is closed, its key wiped; make another");
        }
    }

    @Override
    public void close() {
        closed = true;
        wipe();
        cipher.close();
    }
}
