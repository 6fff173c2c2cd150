// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import static org.manyfish.mode.CipherName.TWOFISH;

import java.util.Arrays;
import java.util.Random;
import javax.crypto.AEADBadTagException;
import org.junit.jupiter.api.Test;

/**
 * XTS and SIV, which Bouncy Castle lacks, against their definitions, written over ECB, CTR and CMAC
 * of the same engine: for long messages, of which the vectors have none.
 */
public interface DefinitionTests extends EngineTests {
    int[] LENGTHS = {16, 17, 31, 32, 33, 4095, 4096, 4097, 8192, 8208, 20_007};

    @Test
    default void xtsByDefinition() throws AEADBadTagException {
        final Random random = new Random(11);
        for (int n : LENGTHS) {
            final Example example = new Example(TWOFISH, ModeName.XTS, random);
            final byte[] text = Example.bytes(random, n);
            final byte[] expected = xts(example, text);
            checkBothWays(example, text, expected);
        }
    }

    /** One block of ECB. */
    private byte[] encrypt(byte[] key, byte[] block) {
        try (Mode ecb = engine().mode(TWOFISH, null, ModeName.ECB, key, true)) {
            return EngineTests.seal(ecb, new byte[0], null, block, 0);
        } catch (AEADBadTagException e) {
            throw new AssertionError(e);
        }
    }

    /** [IEEE1619, 5.3] */
    private byte[] xts(Example example, byte[] text) {
        final int half = example.key.length / 2;
        final byte[] key1 = Arrays.copyOf(example.key, half);
        byte[] tweak = encrypt(Arrays.copyOfRange(example.key, half, 2 * half), example.iv);
        final byte[] out = text.clone();
        final int whole = text.length / 16 * 16;
        for (int i = 0; i < whole; i += 16) {
            xtsBlock(key1, tweak, out, i);
            tweak = timesX(tweak);
        }
        // The short block takes the place of the last whole one's beginning, which becomes short.
        for (int i = whole; i < text.length; i++) {
            final byte stolen = out[i - 16];
            out[i - 16] = text[i];
            out[i] = stolen;
        }
        if (whole < text.length) {
            xtsBlock(key1, tweak, out, whole - 16);
        }
        return out;
    }

    private void xtsBlock(byte[] key1, byte[] tweak, byte[] out, int offset) {
        final byte[] block = xor(Arrays.copyOfRange(out, offset, offset + 16), tweak);
        System.arraycopy(xor(encrypt(key1, block), tweak), 0, out, offset, 16);
    }

    static byte[] xor(byte[] a, byte[] b) {
        final byte[] sum = a.clone();
        for (int i = 0; i < sum.length; i++) {
            sum[i] ^= b[i];
        }
        return sum;
    }

    /** [IEEE1619, 5.2]: the first byte is the lowest. */
    static byte[] timesX(byte[] a) {
        final byte[] product = new byte[16];
        for (int i = 0; i < 16; i++) {
            product[i] = (byte) (a[i] << 1 | (i > 0 ? (a[i - 1] & 0xFF) >>> 7 : 0));
        }
        product[0] ^= (byte) (a[15] < 0 ? 0x87 : 0);
        return product;
    }

    @Test
    default void sivByDefinition() throws AEADBadTagException {
        final Random random = new Random(12);
        for (int n : LENGTHS) {
            final Example example = new Example(TWOFISH, ModeName.SIV, random);
            final byte[] text = Example.bytes(random, n);
            checkBothWays(example, text, siv(example, text));
        }
    }

    /** [RFC5297, 2.4, 2.6] for texts of a block or more. */
    private byte[] siv(Example example, byte[] text) throws AEADBadTagException {
        final int half = example.key.length / 2;
        final byte[] k1 = Arrays.copyOf(example.key, half);
        byte[] d =
                xor(
                        twice(cmac(TWOFISH, null, k1, new byte[16])),
                        cmac(TWOFISH, null, k1, example.aad));
        if (example.iv.length > 0) {
            d = xor(twice(d), cmac(TWOFISH, null, k1, example.iv));
        }
        final byte[] last = text.clone();
        for (int i = 0; i < 16; i++) {
            last[text.length - 16 + i] ^= d[i];
        }
        final byte[] v = cmac(TWOFISH, null, k1, last);
        final byte[] q = v.clone();
        q[8] &= 0x7F;
        q[12] &= 0x7F;
        final byte[] k2 = Arrays.copyOfRange(example.key, half, 2 * half);
        try (Mode ctr = engine().mode(TWOFISH, null, ModeName.CTR, k2, true)) {
            return VectorTests.join(EngineTests.seal(ctr, q, null, text, 0), v);
        }
    }

    /** The first byte is the highest: otherwise as timesX. */
    static byte[] twice(byte[] a) {
        return reversed(timesX(reversed(a)));
    }

    static byte[] reversed(byte[] a) {
        final byte[] b = a.clone();
        for (int i = 0; i < a.length; i++) {
            b[i] = a[a.length - 1 - i];
        }
        return b;
    }
}
