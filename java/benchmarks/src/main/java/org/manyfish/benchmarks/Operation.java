// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.benchmarks;

import java.security.spec.AlgorithmParameterSpec;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;

/** The operations that all programs measure; c_library.c has the same in the same order. */
public enum Operation {
    CTR("CTR", Cipher.ENCRYPT_MODE),
    OCB_ENCRYPT("OCB", Cipher.ENCRYPT_MODE),
    OCB_DECRYPT("OCB", Cipher.DECRYPT_MODE),
    GCM_ENCRYPT("GCM", Cipher.ENCRYPT_MODE),
    CBC_ENCRYPT("CBC", Cipher.ENCRYPT_MODE),
    CBC_DECRYPT("CBC", Cipher.DECRYPT_MODE);

    final String mode;
    final int direction;

    Operation(String mode, int direction) {
        this.mode = mode;
        this.direction = direction;
    }

    String transformation() {
        return "Twofish/" + mode + "/NoPadding";
    }

    boolean isAuthenticated() {
        return mode.equals("OCB") || mode.equals("GCM");
    }

    /** Parameters with the nonce that has this number; it may be used once. */
    AlgorithmParameterSpec parameters(long number) {
        final byte[] nonce = new byte[isAuthenticated() ? 12 : 16];
        for (int i = 0; i < 8; i++) {
            nonce[i] = (byte) (number >>> 8 * i);
        }
        return isAuthenticated() ? new GCMParameterSpec(128, nonce) : new IvParameterSpec(nonce);
    }
}
