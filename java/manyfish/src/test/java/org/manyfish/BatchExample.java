// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish;

import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** Random messages of a transformation, and what Cipher makes of them one by one. */
public final class BatchExample {
    private static final List<String> PLAIN =
            List.of("CBC/NoPadding", "CBC/PKCS5Padding", "CTR", "CFB", "OFB");
    private static final List<String> AUTHENTICATED = List.of("EAX", "OCB", "GCM", "CCM", "SIV");

    public final String transformation;
    public final SecretKey key;
    public final byte[][] ivs;

    /** null in modes without. */
    public final byte[][] aads;

    public final byte[][] texts;
    private final int tagBits;
    private final String algorithm;
    private final String mode;

    /**
     * @param name a transformation
     * @param lengths of the texts, rounded down where the mode wants blocks
     */
    public BatchExample(String name, int tagBits, Random random, int... lengths) {
        this.transformation = name;
        this.tagBits = tagBits;
        algorithm = name.split("/")[0];
        mode = name.split("/")[1];
        key = new SecretKeySpec(bytes(random, keyBytes(random)), algorithm);
        ivs = new byte[lengths.length][];
        aads = hasTag() ? new byte[lengths.length][] : null;
        texts = new byte[lengths.length][];
        final int unit = name.endsWith("CBC/NoPadding") ? blockBytes() : 1;
        for (int i = 0; i < lengths.length; i++) {
            ivs[i] = iv(random);
            texts[i] = bytes(random, lengths[i] / unit * unit);
            if (hasTag()) {
                aads[i] = random.nextInt(4) == 0 ? null : bytes(random, random.nextInt(50));
            }
        }
    }

    /** All transformations of a cipher. */
    public static List<String> transformations(String algorithm) {
        final List<String> names = new ArrayList<>();
        for (String mode : PLAIN) {
            names.add(algorithm + "/" + mode + (mode.contains("/") ? "" : "/NoPadding"));
        }
        if (algorithm.equals("Twofish")) {
            AUTHENTICATED.forEach(mode -> names.add(algorithm + "/" + mode + "/NoPadding"));
        }
        return names;
    }

    /** Mostly short, some around the borders of blocks, a few long. */
    public static int[] lengths(Random random, int n) {
        final int[] lengths = new int[n];
        Arrays.setAll(lengths, i -> random.nextInt(random.nextInt(8) == 0 ? 2000 : 70));
        return lengths;
    }

    private boolean hasTag() {
        return AUTHENTICATED.contains(mode);
    }

    private int blockBytes() {
        return algorithm.equals("Twofish") ? 16 : 8;
    }

    private int keyBytes(Random random) {
        final int nKeys = mode.equals("SIV") ? 2 : 1;
        final int more = 8 * random.nextInt(algorithm.equals("Twofish") ? 3 : 2);
        return algorithm.equals("DES") ? 8 : nKeys * (16 + more);
    }

    /** In CTR short ones too, which count in the rest of the block. */
    private byte[] iv(Random random) {
        final int block = blockBytes();
        switch (mode) {
            case "SIV":
                return random.nextInt(4) == 0 ? null : bytes(random, random.nextInt(30));
            case "OCB":
                return bytes(random, 1 + random.nextInt(15));
            case "CCM":
                return bytes(random, 7 + random.nextInt(7));
            case "EAX":
            case "GCM":
                return bytes(random, random.nextBoolean() ? 12 : 1 + random.nextInt(30));
            case "CTR":
                return bytes(random, block - random.nextInt(2) * random.nextInt(block / 2 - 1));
            default:
                return bytes(random, block);
        }
    }

    static byte[] bytes(Random random, int nBytes) {
        final byte[] bytes = new byte[nBytes];
        random.nextBytes(bytes);
        return bytes;
    }

    public BatchCipher batch(Provider provider) throws GeneralSecurityException {
        return BatchCipher.getInstance(transformation, key, tagBits, provider);
    }

    /** By Cipher, one message after the other. */
    public byte[][] encryptEach(Provider provider) throws GeneralSecurityException {
        final byte[][] sealed = new byte[texts.length][];
        Cipher cipher = Cipher.getInstance(transformation, provider);
        for (int i = 0; i < texts.length; i++) {
            if (hasTag()) { // a short nonce may come twice
                cipher = Cipher.getInstance(transformation, provider);
            }
            sealed[i] = encrypt(cipher, i);
        }
        return sealed;
    }

    private byte[] encrypt(Cipher cipher, int i) throws GeneralSecurityException {
        if (ivs[i] == null || hasTag() && ivs[i].length == 0) {
            cipher.init(Cipher.ENCRYPT_MODE, key);
        } else if (hasTag()) {
            cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(tagBits, ivs[i]));
        } else {
            cipher.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(ivs[i]));
        }
        if (hasTag() && aads[i] != null) {
            cipher.updateAAD(aads[i]);
        }
        return cipher.doFinal(texts[i]);
    }

    /** Messages in one array, with other bytes before and after them. */
    public static PackedBytes pack(byte[][] strings) {
        final ByteArrayOutputStream data = new ByteArrayOutputStream();
        final int[] offsets = new int[strings.length + 1];
        data.write(1);
        for (int i = 0; i < strings.length; i++) {
            offsets[i] = data.size();
            if (strings[i] != null) {
                data.writeBytes(strings[i]);
            }
        }
        offsets[strings.length] = data.size();
        data.write(2);
        return PackedBytes.of(data.toByteArray(), offsets);
    }

    public static byte[][] unpack(PackedBytes packed) {
        final byte[][] strings = new byte[packed.size()][];
        Arrays.setAll(strings, packed::get);
        return strings;
    }

    @Override
    public String toString() {
        return transformation + ", tag " + tagBits + ", " + texts.length + " messages";
    }
}
