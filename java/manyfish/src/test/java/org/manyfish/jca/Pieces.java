// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.util.Random;
import javax.crypto.Cipher;

/** Random data, and messages in random pieces. */
final class Pieces {
    private Pieces() {}

    static byte[] random(Random random, int nBytes) {
        final byte[] bytes = new byte[nBytes];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Lengths around the edges of blocks, and some beyond what kernels take at a time. */
    static int length(Random random) {
        switch (random.nextInt(4)) {
            case 0:
                return 16 * random.nextInt(5);
            case 1:
                return random.nextInt(40);
            case 2:
                return random.nextInt(700);
            default:
                return random.nextInt(9000);
        }
    }

    /** The whole message by update calls of random lengths and a doFinal. */
    static byte[] through(Cipher cipher, byte[] in, Random random) throws GeneralSecurityException {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        int done = 0;
        while (done < in.length && random.nextInt(4) != 0) {
            final int nBytes = Math.min(in.length - done, 1 + length(random) / 2);
            final byte[] piece = cipher.update(in, done, nBytes);
            if (piece != null) {
                out.writeBytes(piece);
            }
            done += nBytes;
        }
        out.writeBytes(cipher.doFinal(in, done, in.length - done));
        return out.toByteArray();
    }
}
