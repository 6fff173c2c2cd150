// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.manyfish.mode.CipherName;
import org.manyfish.mode.ModeName;

/**
 * The modes as the JCA has them: names, paddings, IVs and tags. This is the one table that says
 * which transformations there are.
 */
public enum CipherMode {
    // the IV in bytes for blocks of 16: the least, the most, and of one that is made here
    ECB(ModeName.ECB, Shape.PADDABLE, 0, 0, 0),
    CBC(ModeName.CBC, Shape.PADDABLE, 16, 16, 16),
    /** Shorter IVs are those of Bouncy Castle: the bytes that are left count blocks, from 0. */
    CTR(ModeName.CTR, Shape.PADDABLE, 8, 16, 16, "SIC"),
    CFB(ModeName.CFB, Shape.PADDABLE, 16, 16, 16, "CFB128", "CFB64"),
    /** Without padding: the JDK would pad to a block, Bouncy Castle to a byte. */
    CFB8(ModeName.CFB8, Shape.PLAIN, 16, 16, 16),
    OFB(ModeName.OFB, Shape.PADDABLE, 16, 16, 16, "OFB128", "OFB64"),
    XTS(ModeName.XTS, Shape.WHOLE, 16, 16, 16),
    EAX(ModeName.EAX, Shape.AUTHENTICATED, 1, CipherMode.ANY, 16),
    OCB(ModeName.OCB, Shape.AUTHENTICATED, 1, 15, 15),
    GCM(ModeName.GCM, Shape.AUTHENTICATED, 1, CipherMode.ANY, 12),
    /** A random nonce has 12 bytes, as in Bouncy Castle: enough for texts of 16 MiB. */
    CCM(ModeName.CCM, Shape.AUTHENTICATED, 7, 13, 12),
    SIV(ModeName.SIV, Shape.AUTHENTICATED, 0, CipherMode.ANY, 0);

    /** How a message goes through a mode, and with which paddings. */
    enum Shape {
        /** Piece by piece, with PKCS5Padding or without. */
        PADDABLE,
        /** Piece by piece, without padding. */
        PLAIN,
        /** All of it at once, without padding. */
        WHOLE,
        /**
         * With associated data and a tag; what is decrypted is kept until the tag has been found
         * right.
         */
        AUTHENTICATED
    }

    private static final int ANY = Integer.MAX_VALUE;

    public final ModeName mode;
    final Shape shape;
    private final int minIvBytes;
    private final int maxIvBytes;
    private final int randomIvBytes;
    private final List<String> aliases;

    CipherMode(
            ModeName mode,
            Shape shape,
            int minIvBytes,
            int maxIvBytes,
            int randomIvBytes,
            String... aliases) {
        this.mode = mode;
        this.shape = shape;
        this.minIvBytes = minIvBytes;
        this.maxIvBytes = maxIvBytes;
        this.randomIvBytes = randomIvBytes;
        this.aliases = List.of(aliases);
    }

    /** The mode of this name for a cipher, or null; the case of letters does not count. */
    static CipherMode byName(String name, CipherName cipher) {
        final String upper = name.toUpperCase(Locale.ROOT);
        return all(cipher)
                .filter(m -> m.names(cipher).anyMatch(upper::equals))
                .findFirst()
                .orElse(null);
    }

    /** The names of all modes that a cipher has, for messages and the attributes of services. */
    static String names(CipherName cipher, String separator) {
        return all(cipher).flatMap(m -> m.names(cipher)).collect(Collectors.joining(separator));
    }

    private static Stream<CipherMode> all(CipherName cipher) {
        return Stream.of(values()).filter(m -> m.mode.takes(cipher));
    }

    /** CFB128 is CFB where a block has 128 bits, and CFB64 where it has 64. */
    private Stream<String> names(CipherName cipher) {
        final String bits = Integer.toString(8 * cipher.blockBytes());
        return Stream.concat(
                Stream.of(name()),
                aliases.stream().filter(alias -> alias.equals("SIC") || alias.endsWith(bits)));
    }

    public boolean isAuthenticated() {
        return shape == Shape.AUTHENTICATED;
    }

    /** The name of the parameters of an authenticated mode, as Bouncy Castle has it. */
    String parametersName() {
        return this == CCM ? "CCM" : "GCM";
    }

    /** Whether a nonce that is used twice under one key breaks the mode. */
    boolean needsFreshNonce() {
        return isAuthenticated() && this != SIV;
    }

    /** Whether the tag stands before the text, not after it. [RFC5297, 2.6] */
    boolean tagComesFirst() {
        return this == SIV;
    }

    boolean hasIv() {
        return maxIvBytes > 0;
    }

    /** Whether messages can be decrypted without an IV. */
    boolean goesWithoutIv() {
        return minIvBytes == 0;
    }

    /** How long an IV is that is made here, in bytes. */
    int randomIvBytes(CipherName cipher) {
        return scaled(randomIvBytes, cipher);
    }

    public boolean takesIv(int nBytes, CipherName cipher) {
        return nBytes >= scaled(minIvBytes, cipher) && nBytes <= scaled(maxIvBytes, cipher);
    }

    /** Which IVs are taken, in words. */
    public String ivLengths(CipherName cipher) {
        final int min = scaled(minIvBytes, cipher);
        if (maxIvBytes == ANY) {
            return min + (min == 1 ? " byte" : " bytes") + " or more";
        }
        final int max = scaled(maxIvBytes, cipher);
        return (min == max ? "" : min + " to ") + max + " bytes";
    }

    /** The way out for a message that is too long for its IV. */
    String forLongerTexts() {
        return this == CTR ? "give CTR a whole block as IV" : "give " + this + " a shorter one";
    }

    /** In modes for smaller blocks too, the length of the IV depends on the block. */
    private static int scaled(int nBytes, CipherName cipher) {
        return nBytes == ANY ? ANY : nBytes * cipher.blockBytes() / 16;
    }

    /** Which tags are taken; other modes would cut theirs into other tags. [SP800-38D, 5.2.1.2] */
    public boolean takesTag(int nBits) {
        switch (this) {
            case EAX:
                return nBits % 8 == 0 && nBits >= 32 && nBits <= 128;
            case CCM:
                return nBits % 16 == 0 && nBits >= 32 && nBits <= 128;
            case GCM:
                return nBits == 32 || nBits == 64 || nBits % 8 == 0 && nBits >= 96 && nBits <= 128;
            default:
                return nBits == 128;
        }
    }

    /** The same in words. */
    public String tagLengths() {
        switch (this) {
            case EAX:
                return "32, 40, .. 128 bits";
            case CCM:
                return "32, 48, .. 128 bits";
            case GCM:
                return "32, 64, 96, 104, .. 128 bits";
            default:
                return "128 bits";
        }
    }
}
