// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

import java.security.InvalidKeyException;
import java.security.Key;
import java.security.MessageDigest;
import java.util.Arrays;
import org.manyfish.mode.CipherName;
import org.manyfish.mode.Mode;

/**
 * A mode with the key of the last init. Authenticated modes want an init for each message, mostly
 * with the same key: it is not expanded again then.
 */
public final class KeyedMode implements Runnable {
    private byte[] key = Message.NOTHING;
    private boolean encrypting;
    private Mode mode;

    /**
     * The mode with this key and direction. A mode that was handed out before must no longer be
     * used.
     */
    Mode get(Setup setup, CipherName cipher, CipherMode name, byte[] newKey, boolean toEncrypt)
            throws InvalidKeyException {
        if (mode != null && encrypting == toEncrypt && MessageDigest.isEqual(key, newKey)) {
            return mode;
        }
        run();
        try {
            mode = setup.engine().mode(cipher, setup.kernel(cipher), name.mode, newKey, toEncrypt);
        } catch (IllegalArgumentException e) {
            throw new InvalidKeyException(e.getMessage(), e);
        }
        key = newKey.clone();
        encrypting = toEncrypt;
        return mode;
    }

    /** The bytes of a key, a copy. */
    public static byte[] bytes(Key key) throws InvalidKeyException {
        final byte[] bytes = key == null ? null : key.getEncoded();
        if (bytes == null || !"RAW".equalsIgnoreCase(key.getFormat())) {
            throw new InvalidKeyException(
                    "expected a key in the format RAW, as a SecretKeySpec, found "
                            + (key == null ? "null" : key.getClass().getName()));
        }
        return bytes;
    }

    /** Wipes key and mode. */
    @Override
    public void run() {
        Arrays.fill(key, (byte) 0);
        key = Message.NOTHING;
        if (mode != null) {
            mode.close();
            mode = null;
        }
    }
}
