// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.manyfish.mode.CipherName.DES;
import static org.manyfish.mode.CipherName.TRIPLE_DES;
import static org.manyfish.mode.CipherName.TWOFISH;

import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.manyfish.Vectors;

/** The known answers of every mode, with every kernel, both ways. */
public interface VectorTests extends EngineTests {
    @Test
    default void ecb() {
        plain(ModeName.ECB, "twofish_ecb_tbl", c -> true);
        plain(ModeName.ECB, "des_ecb", c -> true);
        plain(ModeName.ECB, "tdes_ecb", c -> true);
    }

    @Test
    default void cbc() {
        for (String file : List.of("twofish_cbc", "des_cbc", "tdes_cbc")) {
            plain(ModeName.CBC, file, c -> c.text("PADDING").equals("none"));
        }
    }

    @Test
    default void ctr() {
        plain(ModeName.CTR, "twofish_ctr", c -> c.number("COUNTER_BITS") == 128);
        plain(ModeName.CTR, "des_ctr", c -> c.number("COUNTER_BITS") == 64);
    }

    @Test
    default void cfb() {
        plain(ModeName.CFB, "twofish_cfb", c -> c.number("SEGMENT_BITS") == 128);
        plain(ModeName.CFB, "des_cfb", c -> c.number("SEGMENT_BITS") == 64);
        plain(ModeName.CFB, "tdes_cfb64", c -> c.number("SEGMENT_BITS") == 64);
    }

    @Test
    default void cfb8() {
        plain(ModeName.CFB8, "twofish_cfb", c -> c.number("SEGMENT_BITS") == 8);
        plain(ModeName.CFB8, "des_cfb", c -> c.number("SEGMENT_BITS") == 8);
    }

    @Test
    default void ofb() {
        for (String file : List.of("twofish_ofb", "des_ofb", "tdes_ofb")) {
            plain(ModeName.OFB, file, c -> true);
        }
    }

    /** A mode without a tag: those cases of a file that the predicate wants; there must be one. */
    private void plain(ModeName mode, String file, Predicate<Vectors.Case> wanted) {
        for (Vectors.Case c : cases(file, wanted)) {
            final byte[] iv = c.has("IV") ? c.bytes("IV") : new byte[0];
            check(c, new Example(cipher(c), mode, c.bytes("KEY"), iv, null, 0));
        }
    }

    private static List<Vectors.Case> cases(String file, Predicate<Vectors.Case> wanted) {
        final List<Vectors.Case> cases =
                Vectors.read(file).stream().filter(wanted).collect(Collectors.toList());
        assertTrue(cases.size() > 0, file);
        return cases;
    }

    /** Files of DES have keys of Triple-DES too. */
    private static CipherName cipher(Vectors.Case c) {
        if (c.toString().startsWith("twofish")) {
            return TWOFISH;
        }
        return c.bytes("KEY").length == 8 ? DES : TRIPLE_DES;
    }

    private void check(Vectors.Case c, Example example) {
        final byte[] tag = example.tagBytes > 0 ? c.bytes("TAG") : new byte[0];
        checkBothWays(example, c.bytes("PT"), join(c.bytes("CT"), tag));
    }

    static byte[] join(byte[] a, byte[] b) {
        final byte[] joined = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, joined, a.length, b.length);
        return joined;
    }

    /** The official Monte Carlo sets of Twofish, and the published examples of DES. */
    @Test
    default void cbcMonteCarlo() {
        for (String file : List.of("twofish_mct", "des_mct")) {
            for (Vectors.Case c : cases(file, c -> c.text("SET").startsWith("cbc"))) {
                final int n = c.has("ITERATIONS") ? c.number("ITERATIONS") : 10_000;
                forEachKernel(cipher(c), kernel -> chain(kernel, c, n));
            }
        }
    }

    /** One outer step; what goes into the next inner step is in vectors/README.md. */
    private void chain(String kernel, Vectors.Case c, int n) {
        final boolean encrypting = c.text("SET").equals("cbc_e");
        byte[] block = c.bytes(encrypting ? "PT" : "CT");
        byte[] before = c.bytes("IV");
        try (Mode mode =
                engine().mode(cipher(c), kernel, ModeName.CBC, c.bytes("KEY"), encrypting)) {
            mode.start(before);
            for (int i = 0; i < n; i++) {
                mode.update(block, 0, block, 0, block.length);
                if (encrypting && i < n - 1) {
                    final byte[] result = block;
                    block = before;
                    before = result;
                }
            }
        }
        assertArrayEquals(c.bytes(encrypting ? "CT" : "PT"), block, kernel + " " + c);
    }

    /** A case may have several sectors, whose numbers count up. */
    @Test
    default void xts() {
        for (Vectors.Case c : cases("twofish_xts", c -> true)) {
            final byte[] key = join(c.bytes("KEY"), c.bytes("KEY_2"));
            final byte[] number = c.bytes("TWEAK");
            final int n = c.number("SECTOR_BYTES");
            for (int i = 0; i < c.bytes("PT").length; i += n) {
                checkBothWays(
                        new Example(TWOFISH, ModeName.XTS, key, number, null, 0),
                        Arrays.copyOfRange(c.bytes("PT"), i, i + n),
                        Arrays.copyOfRange(c.bytes("CT"), i, i + n));
                for (int j = 0; ++number[j] == 0; j++) {}
            }
        }
    }

    @Test
    default void eax() {
        sealed(ModeName.EAX, "twofish_eax", "NONCE");
    }

    @Test
    default void ocb() {
        sealed(ModeName.OCB, "twofish_ocb", "NONCE");
    }

    @Test
    default void gcm() {
        sealed(ModeName.GCM, "twofish_gcm", "IV");
    }

    @Test
    default void ccm() {
        sealed(ModeName.CCM, "twofish_ccm", "NONCE");
    }

    /** A mode with a tag; the IV has this name. */
    private void sealed(ModeName mode, String file, String ivName) {
        for (Vectors.Case c : cases(file, c -> true)) {
            final byte[] iv = c.bytes(ivName);
            final int tagBytes = c.bytes("TAG").length;
            check(c, new Example(TWOFISH, mode, c.bytes("KEY"), iv, c.bytes("AAD"), tagBytes));
        }
    }

    /** Two strings are associated data and a nonce, which is not empty: that would be none. */
    @Test
    default void siv() {
        for (Vectors.Case c : cases("twofish_siv", VectorTests::fitsSiv)) {
            final int n = c.number("N_AAD");
            final byte[] key = join(c.bytes("KEY"), c.bytes("KEY_2"));
            final byte[] aad = n == 0 ? null : c.bytes("AAD_1");
            final byte[] nonce = n == 2 ? c.bytes("AAD_2") : new byte[0];
            check(c, new Example(TWOFISH, ModeName.SIV, key, nonce, aad, 16));
        }
    }

    private static boolean fitsSiv(Vectors.Case c) {
        final int n = c.number("N_AAD");
        return n < 2 || n == 2 && c.bytes("AAD_2").length > 0;
    }

    @Test
    default void cmac() {
        for (String file : List.of("twofish_cmac", "des_cmac")) {
            for (Vectors.Case c : cases(file, c -> true)) {
                final byte[] key = c.bytes("KEY");
                final byte[] tag = c.bytes("TAG");
                forEachKernel(
                        cipher(c),
                        kernel -> {
                            final byte[] whole = cmac(cipher(c), kernel, key, c.bytes("MSG"));
                            assertArrayEquals(
                                    tag, Arrays.copyOf(whole, tag.length), kernel + " " + c);
                        });
            }
        }
    }
}
