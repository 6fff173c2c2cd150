// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import org.manyfish.block.BlockCipher;
import org.manyfish.block.Kernel;
import org.manyfish.block.KernelList;

/** The modes in Java, one file each, over the kernels of org.manyfish.block. */
public final class JavaEngine implements Engine {
    @Override
    public String name() {
        return "java";
    }

    @Override
    public Mode mode(
            CipherName cipher, String kernel, ModeName mode, byte[] key, boolean encrypting) {
        check(cipher, mode);
        return oneKey(mode, kernel(cipher, kernel).expand(key), encrypting);
    }

    private static void check(CipherName cipher, ModeName mode) {
        if (!mode.takes(cipher)) {
            throw new IllegalArgumentException(
                    mode + " needs a cipher with blocks of 16 bytes; " + cipher + " has "
                            + cipher.blockBytes());
        }
    }

    private static Kernel kernel(CipherName cipher, String name) {
        return KernelList.twofish(name);
    }

    private static Mode oneKey(ModeName mode, BlockCipher cipher, boolean encrypting) {
        switch (mode) {
            case ECB:
                return new Ecb(cipher, encrypting);
            case CBC:
                return new Cbc(cipher, encrypting);
            case CTR:
                return new Ctr(cipher, Ctr.WHOLE_BLOCK);
            case OCB:
                return new Ocb(cipher, encrypting);
            default:
                throw new IllegalArgumentException("unknown mode " + mode);
        }
    }

    @Override
    public Cmac cmac(CipherName cipher, String kernel, byte[] key) {
        return new CmacOfBlocks(kernel(cipher, kernel).expand(key));
    }
}
