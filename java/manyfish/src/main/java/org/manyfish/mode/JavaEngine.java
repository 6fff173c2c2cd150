// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import java.util.Arrays;
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
    public boolean leaks(String kernel) {
        return KernelList.leaks(kernel);
    }

    @Override
    public Mode mode(
            CipherName cipher, String kernel, ModeName mode, byte[] key, boolean encrypting) {
        mode.check(cipher, key);
        if (mode.nKeys() == 2) {
            return twoKeys(mode, kernel(cipher, kernel), key, encrypting);
        }
        return oneKey(mode, kernel(cipher, kernel).expand(key), encrypting);
    }

    private static Kernel kernel(CipherName cipher, String name) {
        switch (cipher) {
            case DES:
                return KernelList.des(name);
            case TRIPLE_DES:
                return KernelList.tripleDes(name);
            default:
                return KernelList.twofish(name);
        }
    }

    private static Mode oneKey(ModeName mode, BlockCipher cipher, boolean encrypting) {
        switch (mode) {
            case ECB:
                return new Ecb(cipher, encrypting);
            case CBC:
                return new Cbc(cipher, encrypting);
            case CTR:
                return new Ctr(cipher, Ctr.WHOLE_BLOCK);
            case CFB:
                return new Cfb(cipher, encrypting);
            case CFB8:
                return new Cfb8(cipher, encrypting);
            case OFB:
                return new Ofb(cipher);
            case EAX:
                return new Eax(cipher, encrypting);
            case GCM:
                return new Gcm(cipher, encrypting);
            case CCM:
                return new Ccm(cipher, encrypting);
            case OCB:
                return new Ocb(cipher, encrypting);
            default:
                throw new IllegalArgumentException("unknown mode " + mode);
        }
    }

    private static Mode twoKeys(ModeName mode, Kernel kernel, byte[] key, boolean encrypting) {
        final int half = key.length / 2;
        final BlockCipher first = expand(kernel, key, 0, half);
        final BlockCipher second = expand(kernel, key, half, half);
        return mode == ModeName.XTS
                ? new Xts(first, second, encrypting)
                : new Siv(first, second, encrypting);
    }

    private static BlockCipher expand(Kernel kernel, byte[] key, int offset, int keyBytes) {
        final byte[] part = Arrays.copyOfRange(key, offset, offset + keyBytes);
        try {
            return kernel.expand(part);
        } finally {
            Bytes.wipe(part);
        }
    }

    @Override
    public Cmac cmac(CipherName cipher, String kernel, byte[] key) {
        return new CmacOfBlocks(kernel(cipher, kernel).expand(key));
    }

    @Override
    public Batch batch(CipherName cipher, String kernel, Form form, byte[] key) {
        if (form.isCmac()) {
            return new CmacOneByOne(form, cmac(cipher, kernel, key));
        }
        return new OneByOne(
                form,
                mode(cipher, kernel, form.mode(), key, true),
                mode(cipher, kernel, form.mode(), key, false));
    }
}
