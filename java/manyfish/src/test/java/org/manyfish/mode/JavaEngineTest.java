// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.manyfish.block.Kernel;
import org.manyfish.block.KernelList;

/** The modes in Java. */
class JavaEngineTest
        implements VectorTests, PeerTests, DefinitionTests, PieceTests, TagTests, ErrorTests {
    @Override
    public Engine engine() {
        return new JavaEngine();
    }

    @Override
    public List<String> kernels(CipherName cipher) {
        return list(cipher).stream().map(Kernel::name).collect(Collectors.toList());
    }

    private static List<Kernel> list(CipherName cipher) {
        switch (cipher) {
            case DES:
                return KernelList.des();
            case TRIPLE_DES:
                return KernelList.tripleDes();
            default:
                return KernelList.twofish();
        }
    }

    /** Messages name what was expected and what was found. */
    @Test
    void messages() {
        assertMessage(
                "OCB takes a nonce of 1 to 15 bytes, not 16", () -> start(ModeName.OCB, 16, 16));
        assertMessage(
                "GCM takes an IV of at least 1 byte, not 0", () -> start(ModeName.GCM, 16, 0));
        assertMessage("CBC takes an IV of 16 bytes, not 8", () -> start(ModeName.CBC, 16, 8));
        assertMessage(
                "SIV takes two keys of the cipher in one piece, not 33 bytes",
                () -> start(ModeName.SIV, 33, 0));
        assertMessage(
                "the two keys of XTS must differ; the halves of this key are equal",
                () -> start(ModeName.XTS, 32, 16));
        assertMessage(
                "OCB needs a cipher with blocks of 16 bytes; DES has 8",
                () -> engine().mode(CipherName.DES, null, ModeName.OCB, new byte[8], true));
    }

    private static void assertMessage(String expected, Executable call) {
        assertEquals(expected, assertThrows(IllegalArgumentException.class, call).getMessage());
    }

    private void start(ModeName name, int keyBytes, int ivBytes) {
        try (Mode mode = engine().mode(CipherName.TWOFISH, null, name, new byte[keyBytes], true)) {
            mode.start(new byte[ivBytes]);
        }
    }
}
