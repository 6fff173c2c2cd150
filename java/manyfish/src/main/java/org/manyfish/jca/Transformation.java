// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

import java.security.NoSuchAlgorithmException;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.manyfish.mode.CipherName;

/** The names of the JCA for what there are batches of. */
public final class Transformation {
    private static final int PARTS = 3;

    public final CipherName cipher;
    public final CipherMode mode;

    /** With PKCS5Padding. */
    public final boolean padded;

    private Transformation(CipherName cipher, CipherMode mode, boolean padded) {
        this.cipher = cipher;
        this.mode = mode;
        this.padded = padded;
    }

    /**
     * A cipher, a mode and a padding, as in Twofish/CBC/PKCS5Padding.
     *
     * @throws NoSuchAlgorithmException if there are no batches of it, with what there are
     */
    public static Transformation of(String name) throws NoSuchAlgorithmException {
        final String[] parts = name.split("/", -1);
        if (parts.length != PARTS) {
            throw new NoSuchAlgorithmException(
                    "expected CIPHER/MODE/PADDING, as in Twofish/CBC/PKCS5Padding, found " + name);
        }
        final CipherName cipher = cipher(parts[0]);
        final CipherMode mode = CipherMode.byName(parts[1], cipher);
        if (mode == null || !mode.mode.hasBatch()) {
            throw new NoSuchAlgorithmException(
                    "no batches of "
                            + Services.algorithm(cipher)
                            + " in the mode "
                            + parts[1]
                            + "; there are "
                            + modes(cipher));
        }
        return new Transformation(cipher, mode, padded(parts[2], mode));
    }

    private static CipherName cipher(String name) throws NoSuchAlgorithmException {
        switch (name.toUpperCase(Locale.ROOT)) {
            case "TWOFISH":
                return CipherName.TWOFISH;
            case "DES":
                return CipherName.DES;
            case "DESEDE":
            case "TRIPLEDES":
            case "TDEA":
                return CipherName.TRIPLE_DES;
            default:
                throw new NoSuchAlgorithmException(
                        "no cipher " + name + "; there are Twofish, DES, DESede");
        }
    }

    private static String modes(CipherName cipher) {
        return Stream.of(CipherMode.values())
                .filter(mode -> mode.mode.takes(cipher) && mode.mode.hasBatch())
                .map(CipherMode::name)
                .collect(Collectors.joining(", "));
    }

    private static boolean padded(String name, CipherMode mode) throws NoSuchAlgorithmException {
        switch (name.toUpperCase(Locale.ROOT)) {
            case "NOPADDING":
                return false;
            case "PKCS5PADDING":
            case "PKCS7PADDING":
                if (mode == CipherMode.CBC) {
                    return true;
                }
                throw new NoSuchAlgorithmException(
                        "batches of " + mode + " take NoPadding only, not " + name);
            default:
                throw new NoSuchAlgorithmException(
                        "no padding " + name + "; there are NoPadding, and PKCS5Padding for CBC");
        }
    }

    /**
     * The cipher of a CMAC, as in TwofishCMAC.
     *
     * @throws NoSuchAlgorithmException if there is no such MAC
     */
    public static CipherName cmac(String name) throws NoSuchAlgorithmException {
        switch (name.toUpperCase(Locale.ROOT)) {
            case "TWOFISHCMAC":
            case "TWOFISH-CMAC":
                return CipherName.TWOFISH;
            case "DESCMAC":
                return CipherName.DES;
            case "DESEDECMAC":
                return CipherName.TRIPLE_DES;
            default:
                throw new NoSuchAlgorithmException(
                        "no MAC " + name + "; there are TwofishCMAC, DESCMAC, DESedeCMAC");
        }
    }
}
