// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import javax.crypto.MacSpi;
import org.manyfish.mode.CipherName;
import org.manyfish.mode.Cmac;

/** CMAC over a cipher, as javax.crypto.Mac calls it. [SP800-38B] */
final class CmacSpi extends MacSpi {
    private final Setup setup;
    private final CipherName cipher;
    private Cmac cmac;
    private Cleaner.Cleanable keyed;

    CmacSpi(Setup setup, CipherName cipher) {
        this.setup = setup;
        this.cipher = cipher;
    }

    @Override
    protected int engineGetMacLength() {
        return cipher.blockBytes();
    }

    @Override
    protected void engineInit(Key key, AlgorithmParameterSpec spec)
            throws InvalidKeyException, InvalidAlgorithmParameterException {
        if (spec != null) {
            throw new InvalidAlgorithmParameterException(
                    "CMAC has no parameters: call init with a key alone");
        }
        final byte[] bytes = KeyedMode.bytes(key);
        try {
            final Cmac fresh = setup.engine().cmac(cipher, setup.kernel(cipher), bytes);
            if (keyed != null) {
                keyed.clean();
            }
            cmac = fresh;
            keyed = Wiping.when(this, fresh::close);
        } catch (IllegalArgumentException e) {
            throw new InvalidKeyException(e.getMessage(), e);
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    @Override
    protected void engineUpdate(byte input) {
        engineUpdate(new byte[] {input}, 0, 1);
    }

    @Override
    protected void engineUpdate(byte[] input, int offset, int len) {
        try {
            cmac.update(input, offset, len);
        } finally {
            Reference.reachabilityFence(this); // until here nobody may wipe it
        }
    }

    @Override
    protected byte[] engineDoFinal() {
        final byte[] tag = new byte[cipher.blockBytes()];
        try {
            cmac.finish(tag, 0);
        } finally {
            Reference.reachabilityFence(this);
        }
        return tag;
    }

    @Override
    protected void engineReset() {
        if (cmac != null) {
            cmac.reset();
        }
    }
}
