// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import javax.crypto.AEADBadTagException;

/** A mode with key, IV and associated data, to be tried with texts. */
final class Example {
    final CipherName cipher;
    final ModeName name;
    final byte[] key;
    final byte[] iv;

    /** null for modes without. */
    final byte[] aad;

    final int tagBytes;

    Example(CipherName cipher, ModeName name, byte[] key, byte[] iv, byte[] aad, int tagBytes) {
        this.cipher = cipher;
        this.name = name;
        this.key = key;
        this.iv = iv;
        this.aad = aad;
        this.tagBytes = tagBytes;
    }

    /** Random ones of a random length. */
    Example(CipherName cipher, ModeName name, Random random) {
        this.cipher = cipher;
        this.name = name;
        key = bytes(random, name.nKeys() * keyBytes(cipher, random));
        iv = bytes(random, ivBytes(cipher, name, random));
        aad = name.hasTag() ? bytes(random, random.nextInt(70)) : null;
        tagBytes = name.hasTag() ? 16 : 0;
    }

    /** One for each mode of each of the ciphers. */
    static List<Example> ofEachMode(Random random, CipherName... ciphers) {
        final List<Example> examples = new ArrayList<>();
        for (CipherName cipher : ciphers) {
            for (ModeName name : ModeName.values()) {
                if (name.takes(cipher)) {
                    examples.add(new Example(cipher, name, random));
                }
            }
        }
        return examples;
    }

    static byte[] bytes(Random random, int nBytes) {
        final byte[] bytes = new byte[nBytes];
        random.nextBytes(bytes);
        return bytes;
    }

    private static int keyBytes(CipherName cipher, Random random) {
        switch (cipher) {
            case TWOFISH:
                return 16 + 8 * random.nextInt(3);
            case DES:
                return 8;
            default:
                return 16 + 8 * random.nextInt(2);
        }
    }

    private static int ivBytes(CipherName cipher, ModeName name, Random random) {
        switch (name) {
            case ECB:
                return 0;
            case OCB:
                return 1 + random.nextInt(15);
            case EAX:
            case SIV:
                return random.nextInt(40);
            case CCM:
                return 7 + random.nextInt(6); // after 13 a text has less than 64 KiB
            case GCM:
                return random.nextBoolean() ? 12 : 1 + random.nextInt(40);
            default:
                return cipher.blockBytes();
        }
    }

    /**
     * A text of about nBytes bytes, as the mode takes it; an eighth of it where a byte costs a
     * block.
     */
    byte[] text(Random random, int nBytes) {
        if (name == ModeName.ECB || name == ModeName.CBC) {
            return bytes(random, nBytes / cipher.blockBytes() * cipher.blockBytes());
        }
        if (name == ModeName.CFB8) {
            return bytes(random, (nBytes + 7) / 8);
        }
        return bytes(random, name == ModeName.XTS ? Math.max(nBytes, 16) : nBytes);
    }

    Mode mode(Engine engine, String kernel, boolean encrypting) {
        return engine.mode(cipher, kernel, name, key, encrypting);
    }

    void start(Mode mode) {
        EngineTests.start(mode, iv, aad);
    }

    /** A text in one piece: ciphertext, then tag. */
    byte[] seal(Mode mode, byte[] text) {
        try {
            return EngineTests.seal(mode, iv, aad, text, tagBytes);
        } catch (AEADBadTagException e) {
            throw new AssertionError(this + ": a tag cannot be wrong where it is made", e);
        }
    }

    byte[] open(Mode mode, byte[] sealed) throws AEADBadTagException {
        return EngineTests.open(mode, iv, aad, sealed, tagBytes);
    }

    @Override
    public String toString() {
        return cipher + "/" + name + " key " + Arrays.toString(key) + " IV " + Arrays.toString(iv);
    }
}
