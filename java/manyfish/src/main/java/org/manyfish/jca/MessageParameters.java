// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

import java.lang.reflect.InvocationTargetException;
import java.security.AlgorithmParameters;
import java.security.InvalidAlgorithmParameterException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidParameterSpecException;
import java.util.Arrays;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import org.manyfish.mode.CipherName;

/** The parameters of a message: an IV, the length of its tag, associated data. Checked. */
final class MessageParameters {
    private static final int DEFAULT_TAG_BITS = 128;
    private static final byte[] NONE = new byte[0];

    /** The IV, nonce or tweak; empty where there is none. */
    final byte[] iv;

    /** The length of the tag, 0 in modes without one. */
    final int tagBytes;

    /** Associated data that came with the parameters. */
    final byte[] aad;

    /** The first block of the mode: the IV, in CTR filled up to a block by a counter. */
    final byte[] firstBlock;

    private final CipherMode mode;
    private final long maxTextBytes;

    private MessageParameters(
            byte[] iv, int tagBits, byte[] aad, CipherMode mode, CipherName cipher) {
        this.iv = iv;
        this.tagBytes = mode.isAuthenticated() ? tagBits / 8 : 0;
        this.aad = aad == null ? NONE : aad;
        this.firstBlock =
                Arrays.copyOf(iv, mode == CipherMode.CTR ? cipher.blockBytes() : iv.length);
        this.mode = mode;
        this.maxTextBytes = mode.mode.maxTextBytes(iv.length, cipher.blockBytes());
    }

    /** Whether a text of this size has room beside the IV. */
    boolean hasRoomFor(long textBytes) {
        return textBytes <= maxTextBytes;
    }

    /** How long a text may be, in words. */
    String limit() {
        return "with this IV a message has at most " + maxTextBytes + " bytes";
    }

    /** The refusal of a longer text, in words. */
    String tooLong() {
        return limit() + ": " + mode.forLongerTexts();
    }

    /**
     * Parameters with a random IV, or none in modes that have or want none.
     *
     * @param random may be null
     */
    static MessageParameters random(CipherMode mode, CipherName cipher, SecureRandom random) {
        final byte[] iv = new byte[mode.randomIvBytes(cipher)];
        if (iv.length > 0) {
            (random != null ? random : new SecureRandom()).nextBytes(iv);
        }
        return new MessageParameters(iv, DEFAULT_TAG_BITS, NONE, mode, cipher);
    }

    /** Parameters of another provider, or ours: by whichever specification they can be had. */
    static AlgorithmParameterSpec spec(AlgorithmParameters parameters, CipherMode mode)
            throws InvalidAlgorithmParameterException {
        try {
            return mode.isAuthenticated() && parameters.getAlgorithm().matches("(?i)GCM|CCM")
                    ? parameters.getParameterSpec(GCMParameterSpec.class)
                    : parameters.getParameterSpec(IvParameterSpec.class);
        } catch (InvalidParameterSpecException e) {
            throw new InvalidAlgorithmParameterException(
                    "expected parameters with an IV for "
                            + mode
                            + ", found those of "
                            + parameters.getAlgorithm(),
                    e);
        }
    }

    /** Reads IvParameterSpec, GCMParameterSpec, and AEADParameterSpec of Bouncy Castle. */
    static MessageParameters of(AlgorithmParameterSpec spec, CipherMode mode, CipherName cipher)
            throws InvalidAlgorithmParameterException {
        if (!mode.hasIv()) {
            throw new InvalidAlgorithmParameterException(
                    mode + " has no IV: call init without parameters");
        }
        if (spec instanceof GCMParameterSpec && mode.isAuthenticated()) {
            final GCMParameterSpec gcm = (GCMParameterSpec) spec;
            return checked(gcm.getIV(), gcm.getTLen(), NONE, mode, cipher);
        }
        final Class<?> aead = bouncyCastleAead(spec);
        if (aead != null && mode.isAuthenticated()) {
            return checked(
                    (byte[]) call(aead, "getNonce", spec),
                    (int) call(aead, "getMacSizeInBits", spec),
                    (byte[]) call(aead, "getAssociatedData", spec),
                    mode,
                    cipher);
        }
        if (spec instanceof IvParameterSpec && aead == null) {
            final byte[] iv = ((IvParameterSpec) spec).getIV();
            return checked(iv, DEFAULT_TAG_BITS, NONE, mode, cipher);
        }
        throw new InvalidAlgorithmParameterException(
                mode
                        + " takes an IvParameterSpec"
                        + (mode.isAuthenticated() ? " or a GCMParameterSpec" : "")
                        + ", not "
                        + spec.getClass().getName());
    }

    private static MessageParameters checked(
            byte[] iv, int tagBits, byte[] aad, CipherMode mode, CipherName cipher)
            throws InvalidAlgorithmParameterException {
        if (!mode.takesIv(iv.length, cipher)) {
            throw new InvalidAlgorithmParameterException(
                    mode + " takes an IV of " + mode.ivLengths(cipher) + ", not " + iv.length);
        }
        if (mode.isAuthenticated() && !mode.takesTag(tagBits)) {
            throw new InvalidAlgorithmParameterException(
                    mode + " takes a tag of " + mode.tagLengths() + ", not " + tagBits);
        }
        return new MessageParameters(iv, tagBits, aad, mode, cipher);
    }

    /**
     * Its class in spec's ancestry, or null. There need be no Bouncy Castle to compile or run this.
     */
    private static Class<?> bouncyCastleAead(AlgorithmParameterSpec spec) {
        Class<?> c = spec.getClass();
        while (c != null && !c.getName().equals("org.bouncycastle.jcajce.spec.AEADParameterSpec")) {
            c = c.getSuperclass();
        }
        return c;
    }

    private static Object call(Class<?> type, String getter, AlgorithmParameterSpec spec)
            throws InvalidAlgorithmParameterException {
        try {
            return type.getMethod(getter).invoke(spec);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            throw new InvalidAlgorithmParameterException(
                    "cannot read "
                            + type.getName()
                            + " by "
                            + getter
                            + "(): use a GCMParameterSpec and updateAAD",
                    e);
        }
    }
}
