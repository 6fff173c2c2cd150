// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.manyfish.mode.CipherName.TWOFISH;

import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import javax.crypto.AEADBadTagException;
import org.junit.jupiter.api.Test;
import org.manyfish.Vectors;

/** The known answers of every mode, with every kernel, both ways. */
public interface VectorTests extends EngineTests {
    @Test
    default void ecb() {
        plain(TWOFISH, ModeName.ECB, "twofish_ecb_tbl", c -> true);
    }

    @Test
    default void cbc() {
        plain(TWOFISH, ModeName.CBC, "twofish_cbc", c -> c.text("PADDING").equals("none"));
    }

    @Test
    default void ctr() {
        plain(TWOFISH, ModeName.CTR, "twofish_ctr", c -> c.number("COUNTER_BITS") == 128);
    }

    @Test
    default void cfb() {
        plain(TWOFISH, ModeName.CFB, "twofish_cfb", c -> c.number("SEGMENT_BITS") == 128);
        plain(TWOFISH, ModeName.CFB8, "twofish_cfb", c -> c.number("SEGMENT_BITS") == 8);
    }

    @Test
    default void ofb() {
        plain(TWOFISH, ModeName.OFB, "twofish_ofb", c -> true);
    }

    /** A case may have several sectors, whose numbers count up. */
    @Test
    default void xts() {
        for (Vectors.Case c : cases("twofish_xts", c -> true)) {
            final byte[] key = join(c.bytes("KEY"), c.bytes("KEY_2"));
            final byte[] number = c.bytes("TWEAK");
            final int n = c.number("SECTOR_BYTES");
            for (int i = 0; i < c.bytes("PT").length; i += n) {
                final byte[] text = Arrays.copyOfRange(c.bytes("PT"), i, i + n);
                final byte[] sealed = Arrays.copyOfRange(c.bytes("CT"), i, i + n);
                check(TWOFISH, ModeName.XTS, c, key, number, null, text, sealed, 0);
                for (int j = 0; ++number[j] == 0; j++) {}
            }
        }
    }

    @Test
    default void eax() {
        sealed(ModeName.EAX, "twofish_eax", "NONCE");
    }

    @Test
    default void gcm() {
        sealed(ModeName.GCM, "twofish_gcm", "IV");
    }

    /** Two strings are associated data and a nonce; an empty nonce would be none. */
    @Test
    default void siv() {
        for (Vectors.Case c : cases("twofish_siv", VectorTests::fitsSiv)) {
            final int n = c.number("N_AAD");
            check(
                    TWOFISH,
                    ModeName.SIV,
                    c,
                    join(c.bytes("KEY"), c.bytes("KEY_2")),
                    n == 2 ? c.bytes("AAD_2") : null,
                    n == 0 ? null : c.bytes("AAD_1"),
                    c.bytes("PT"),
                    join(c.bytes("CT"), c.bytes("TAG")),
                    16);
        }
    }

    private static boolean fitsSiv(Vectors.Case c) {
        final int n = c.number("N_AAD");
        return n < 2 || n == 2 && c.bytes("AAD_2").length > 0;
    }

    @Test
    default void ocb() {
        sealed(ModeName.OCB, "twofish_ocb", "NONCE");
    }

    /** Those cases of a file that the predicate wants; there must be one. */
    static List<Vectors.Case> cases(String file, Predicate<Vectors.Case> wanted) {
        final List<Vectors.Case> cases =
                Vectors.read(file).stream().filter(wanted).collect(Collectors.toList());
        assertTrue(cases.size() > 0, file);
        return cases;
    }

    /** A mode without a tag. */
    private void plain(
            CipherName cipher, ModeName mode, String file, Predicate<Vectors.Case> wanted) {
        for (Vectors.Case c : cases(file, wanted)) {
            final byte[] iv = c.has("IV") ? c.bytes("IV") : null;
            check(cipher, mode, c, c.bytes("KEY"), iv, null, c.bytes("PT"), c.bytes("CT"), 0);
        }
    }

    /** A mode with one; the IV has this name. */
    private void sealed(ModeName mode, String file, String ivName) {
        for (Vectors.Case c : cases(file, c -> true)) {
            check(
                    TWOFISH,
                    mode,
                    c,
                    c.bytes("KEY"),
                    c.bytes(ivName),
                    c.bytes("AAD"),
                    c.bytes("PT"),
                    join(c.bytes("CT"), c.bytes("TAG")),
                    c.bytes("TAG").length);
        }
    }

    private void check(
            CipherName cipher,
            ModeName name,
            Vectors.Case c,
            byte[] key,
            byte[] iv,
            byte[] aad,
            byte[] text,
            byte[] sealed,
            int tagBytes) {
        forEachKernel(
                cipher,
                kernel -> {
                    final String what = kernel + " " + c;
                    try (Mode encryption = engine().mode(cipher, kernel, name, key, true);
                            Mode decryption = engine().mode(cipher, kernel, name, key, false)) {
                        assertArrayEquals(
                                sealed,
                                EngineTests.seal(encryption, iv, aad, text, tagBytes),
                                what);
                        assertArrayEquals(
                                text,
                                EngineTests.open(decryption, iv, aad, sealed, tagBytes),
                                what);
                    } catch (AEADBadTagException e) {
                        throw new AssertionError(what, e);
                    }
                });
    }

    static byte[] join(byte[] a, byte[] b) {
        final byte[] joined = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, joined, a.length, b.length);
        return joined;
    }

    @Test
    default void cmac() {
        cmac(TWOFISH, "twofish_cmac");
    }

    private void cmac(CipherName cipher, String file) {
        for (Vectors.Case c : cases(file, c -> true)) {
            final byte[] message = c.bytes("MSG");
            final byte[] tag = c.bytes("TAG");
            forEachKernel(
                    cipher,
                    kernel -> {
                        final byte[] computed = new byte[cipher.blockBytes()];
                        try (Cmac cmac = engine().cmac(cipher, kernel, c.bytes("KEY"))) {
                            cmac.update(message, 0, message.length);
                            cmac.finish(computed, 0);
                        }
                        assertArrayEquals(
                                tag, Arrays.copyOf(computed, tag.length), kernel + " " + c);
                    });
        }
    }
}
