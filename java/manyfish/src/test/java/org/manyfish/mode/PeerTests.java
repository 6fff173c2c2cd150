// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Random;
import org.bouncycastle.crypto.BlockCipher;
import org.bouncycastle.crypto.CipherParameters;
import org.bouncycastle.crypto.DefaultBufferedBlockCipher;
import org.bouncycastle.crypto.InvalidCipherTextException;
import org.bouncycastle.crypto.engines.DESEngine;
import org.bouncycastle.crypto.engines.DESedeEngine;
import org.bouncycastle.crypto.engines.TwofishEngine;
import org.bouncycastle.crypto.macs.CMac;
import org.bouncycastle.crypto.modes.AEADBlockCipher;
import org.bouncycastle.crypto.modes.CBCBlockCipher;
import org.bouncycastle.crypto.modes.CCMBlockCipher;
import org.bouncycastle.crypto.modes.CFBBlockCipher;
import org.bouncycastle.crypto.modes.EAXBlockCipher;
import org.bouncycastle.crypto.modes.GCMBlockCipher;
import org.bouncycastle.crypto.modes.OCBBlockCipher;
import org.bouncycastle.crypto.modes.OFBBlockCipher;
import org.bouncycastle.crypto.modes.SICBlockCipher;
import org.bouncycastle.crypto.params.AEADParameters;
import org.bouncycastle.crypto.params.KeyParameter;
import org.bouncycastle.crypto.params.ParametersWithIV;
import org.junit.jupiter.api.Test;

/** Random messages against Bouncy Castle, in every mode that it has too. */
public interface PeerTests extends EngineTests {
    int[] TEXT_BYTES = {0, 1, 15, 16, 17, 100, 1000, 4095, 4096, 4097, 8191, 8192, 8193, 70_001};

    @Test
    default void bouncyCastle() {
        final Random random = new Random(9);
        for (int n : TEXT_BYTES) {
            for (Example example : Example.ofEachMode(random, CipherName.values())) {
                if (example.name != ModeName.XTS && example.name != ModeName.SIV) {
                    final byte[] text = example.text(random, n);
                    checkBothWays(
                            example,
                            text,
                            example.name.hasTag()
                                    ? sealByPeer(example, text)
                                    : cryptByPeer(example, text));
                }
            }
        }
    }

    /** From 0xFF00 bytes on, CCM writes the length of associated data in another form. */
    @Test
    default void longAssociatedDataOfCcm() {
        final Random random = new Random(16);
        final byte[] key = Example.bytes(random, 32);
        final byte[] nonce = Example.bytes(random, 13);
        final byte[] text = Example.bytes(random, 50);
        for (int n : new int[] {0xFEFF, 0xFF00, 0x1_0001}) {
            final byte[] aad = Example.bytes(random, n);
            final Example example =
                    new Example(CipherName.TWOFISH, ModeName.CCM, key, nonce, aad, 16);
            checkBothWays(example, text, sealByPeer(example, text));
        }
    }

    private static BlockCipher peer(CipherName cipher) {
        switch (cipher) {
            case TWOFISH:
                return new TwofishEngine();
            case DES:
                return new DESEngine();
            default:
                return new DESedeEngine();
        }
    }

    private static byte[] cryptByPeer(Example example, byte[] text) {
        final BlockCipher block = peer(example.cipher);
        final KeyParameter key = new KeyParameter(example.key);
        final boolean ecb = example.name == ModeName.ECB;
        final CipherParameters parameters = ecb ? key : new ParametersWithIV(key, example.iv);
        final DefaultBufferedBlockCipher peer =
                new DefaultBufferedBlockCipher(plain(example.name, block));
        peer.init(true, parameters);
        final byte[] out = new byte[text.length];
        try {
            final int done = peer.processBytes(text, 0, text.length, out, 0);
            peer.doFinal(out, done);
        } catch (InvalidCipherTextException e) {
            throw new AssertionError(e);
        }
        return out;
    }

    private static BlockCipher plain(ModeName name, BlockCipher block) {
        final int blockBits = 8 * block.getBlockSize();
        switch (name) {
            case ECB:
                return block;
            case CBC:
                return CBCBlockCipher.newInstance(block);
            case CTR:
                return SICBlockCipher.newInstance(block);
            case CFB:
                return CFBBlockCipher.newInstance(block, blockBits);
            case CFB8:
                return CFBBlockCipher.newInstance(block, 8);
            default:
                return new OFBBlockCipher(block, blockBits);
        }
    }

    private static byte[] sealByPeer(Example example, byte[] text) {
        final AEADBlockCipher peer = authenticated(example);
        final KeyParameter key = new KeyParameter(example.key);
        peer.init(true, new AEADParameters(key, 128, example.iv, example.aad));
        final byte[] out = new byte[text.length + 16];
        try {
            final int done = peer.processBytes(text, 0, text.length, out, 0);
            peer.doFinal(out, done);
        } catch (InvalidCipherTextException e) {
            throw new AssertionError(e);
        }
        return out;
    }

    private static AEADBlockCipher authenticated(Example example) {
        switch (example.name) {
            case EAX:
                return new EAXBlockCipher(peer(example.cipher));
            case OCB:
                return new OCBBlockCipher(peer(example.cipher), peer(example.cipher));
            case CCM:
                return CCMBlockCipher.newInstance(peer(example.cipher));
            default:
                return GCMBlockCipher.newInstance(peer(example.cipher));
        }
    }

    @Test
    default void cmacOfBouncyCastle() {
        final Random random = new Random(10);
        for (CipherName cipher : CipherName.values()) {
            for (int n : TEXT_BYTES) {
                final Example example = new Example(cipher, ModeName.ECB, random);
                final byte[] message = Example.bytes(random, n);
                final CMac peer = new CMac(peer(cipher));
                final byte[] expected = new byte[cipher.blockBytes()];
                peer.init(new KeyParameter(example.key));
                peer.update(message, 0, n);
                peer.doFinal(expected, 0);
                forEachKernel(
                        cipher,
                        kernel ->
                                assertArrayEquals(
                                        expected,
                                        cmac(cipher, kernel, example.key, message),
                                        kernel + " " + example));
            }
        }
    }
}
