// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

import java.io.IOException;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidParameterSpecException;

/** Shared by the two kinds of parameters: names of encodings, and choosing a specification. */
final class Encodings {
    private Encodings() {}

    /** Whether the encoding is RAW and not DER, which null and ASN.1 stand for too. */
    static boolean isRaw(String format) throws IOException {
        if ("RAW".equalsIgnoreCase(format)) {
            return true;
        }
        checkDer(format);
        return false;
    }

    static void checkDer(String format) throws IOException {
        if (format != null
                && !format.equalsIgnoreCase("ASN.1")
                && !format.equalsIgnoreCase("DER")) {
            throw new IOException("no encoding " + format + " of these parameters; ASN.1 is one");
        }
    }

    /** The first of these specifications that is of the wanted type. */
    static <T extends AlgorithmParameterSpec> T as(Class<T> type, AlgorithmParameterSpec... specs)
            throws InvalidParameterSpecException {
        for (final AlgorithmParameterSpec spec : specs) {
            if (type.isInstance(spec)) {
                return type.cast(spec);
            }
        }
        throw new InvalidParameterSpecException(
                "these parameters are no " + type.getName() + " but " + nameOf(specs[0]));
    }

    static String nameOf(AlgorithmParameterSpec spec) {
        return spec == null ? "null" : "a " + spec.getClass().getName();
    }

    static String hex(byte[] bytes) {
        final StringBuilder text = new StringBuilder();
        for (final byte b : bytes) {
            text.append(String.format("%02X", b));
        }
        return text.toString();
    }
}
