// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.manyfish.mode.CipherName.DES;
import static org.manyfish.mode.CipherName.TRIPLE_DES;
import static org.manyfish.mode.CipherName.TWOFISH;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import javax.crypto.AEADBadTagException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** An engine refuses wrong arguments, and says why. */
public interface ErrorTests extends EngineTests {
    /** The words alone: each engine writes numbers in its own way. */
    private static void refuse(Executable call) {
        final RuntimeException e = assertThrows(IllegalArgumentException.class, call);
        assertTrue(e.getMessage().contains(" "), e.getMessage());
    }

    @Test
    default void keys() {
        for (ModeName mode : ModeName.values()) {
            final int n = mode.nKeys();
            for (int keyBytes : new int[] {0, n, 15 * n, 17 * n, 33 * n}) {
                final byte[] key = Example.bytes(new Random(keyBytes), keyBytes);
                assertThrows(
                        IllegalArgumentException.class,
                        () -> engine().mode(TWOFISH, null, mode, key, true),
                        mode + " " + keyBytes);
            }
        }
        refuse(() -> engine().mode(TWOFISH, null, ModeName.SIV, new byte[33], true));
        refuse(() -> engine().mode(TWOFISH, null, ModeName.XTS, new byte[64], true));
        assertThrows(
                IllegalArgumentException.class, () -> engine().cmac(TWOFISH, null, new byte[17]));
    }

    @Test
    default void kernels() {
        refuse(() -> engine().mode(TWOFISH, "none such", ModeName.ECB, new byte[16], true));
        refuse(() -> engine().cmac(TWOFISH, "none such", new byte[16]));
    }

    /** Modes for blocks of 16 bytes. */
    @Test
    default void shortBlocks() {
        for (ModeName mode : ModeName.values()) {
            if (mode != ModeName.XTS && !mode.hasTag()) {
                continue;
            }
            refuse(() -> engine().mode(DES, null, mode, new byte[8 * mode.nKeys()], true));
            refuse(() -> engine().mode(TRIPLE_DES, null, mode, new byte[24 * mode.nKeys()], true));
        }
    }

    @Test
    default void ivs() {
        refuseIvs(ModeName.CBC, 0, 8, 15, 17);
        refuseIvs(ModeName.CTR, 0, 8, 15, 17);
        refuseIvs(ModeName.CFB, 0, 8, 15, 17);
        refuseIvs(ModeName.CFB8, 0, 8, 15, 17);
        refuseIvs(ModeName.OFB, 0, 8, 15, 17);
        refuseIvs(ModeName.XTS, 0, 8, 15, 17);
        refuseIvs(ModeName.OCB, 0, 16, 17);
        refuseIvs(ModeName.GCM, 0);
        refuseIvs(ModeName.CCM, 0, 6, 14, 16);
    }

    private void refuseIvs(ModeName name, int... lengths) {
        final byte[] key = Example.bytes(new Random(0), 16 * name.nKeys());
        try (Mode mode = engine().mode(TWOFISH, null, name, key, true)) {
            for (int n : lengths) {
                refuse(() -> mode.start(new byte[n]));
            }
        }
    }

    /** XTS, CCM and SIV take no pieces; a data unit of XTS has 16 bytes to 16 MiB. */
    @Test
    default void wholeMessages() {
        final byte[] buffer = new byte[(1 << 24) + 1];
        for (ModeName name : List.of(ModeName.XTS, ModeName.CCM, ModeName.SIV)) {
            final Example example = new Example(TWOFISH, name, new Random(0));
            try (Mode mode = example.mode(engine(), null, true)) {
                example.start(mode);
                assertThrows(
                        IllegalStateException.class, () -> mode.update(buffer, 0, buffer, 0, 16));
            }
        }
        final Example xts = new Example(TWOFISH, ModeName.XTS, new Random(0));
        for (int n : new int[] {0, 15, buffer.length}) {
            try (Mode mode = xts.mode(engine(), null, true)) {
                xts.start(mode);
                refuse(() -> mode.finish(buffer, 0, buffer, 0, n, buffer, 0, 0));
            }
        }
        assertTrue(Arrays.equals(new byte[buffer.length], buffer), "nothing was written");
    }

    /** Two bytes say the length of a text beside a nonce of 13, and three beside one of 12. */
    @Test
    default void longestTextsOfCcm() throws AEADBadTagException {
        final byte[] buffer = new byte[(1 << 24) + 16];
        try (Mode mode = engine().mode(TWOFISH, null, ModeName.CCM, new byte[16], true)) {
            for (int q : new int[] {2, 3}) {
                final int n = 1 << 8 * q;
                mode.start(new byte[15 - q]);
                refuse(() -> mode.finish(buffer, 0, buffer, 0, n, buffer, n, 16));
            }
            assertTrue(Arrays.equals(new byte[buffer.length], buffer), "nothing was written");
            final int most = (1 << 16) - 1;
            mode.start(new byte[13]);
            mode.finish(buffer, 0, buffer, 0, most, buffer, most, 16);
        }
    }

    /** A key that has been wiped encrypts nothing. */
    @Test
    default void closedModes() {
        for (Example example : Example.ofEachMode(new Random(0), CipherName.values())) {
            final Mode mode = example.mode(engine(), null, true);
            mode.close();
            mode.close();
            assertThrows(IllegalStateException.class, () -> mode.start(example.iv));
        }
    }

    /** Nor does it authenticate, so that a thread which waits while another closes gets no tag. */
    @Test
    default void closedMacs() {
        final Cmac cmac = engine().cmac(TWOFISH, null, new byte[16]);
        cmac.close();
        cmac.close();
        assertThrows(IllegalStateException.class, () -> cmac.update(new byte[1], 0, 1));
        assertThrows(IllegalStateException.class, () -> cmac.finish(new byte[16], 0));
    }

    /** Modes without a tag have no associated data. */
    @Test
    default void noAssociatedData() {
        for (Example example : Example.ofEachMode(new Random(0), TWOFISH)) {
            if (!example.name.hasTag()) {
                try (Mode mode = example.mode(engine(), null, true)) {
                    example.start(mode);
                    assertThrows(IllegalStateException.class, () -> mode.aad(new byte[1], 0, 1));
                }
            }
        }
    }
}
