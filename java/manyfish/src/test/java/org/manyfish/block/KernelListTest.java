// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.block;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KernelListTest {
    @AfterEach
    void clearProperty() {
        System.clearProperty(KernelList.PROPERTY);
        System.clearProperty(KernelList.LEAKS_PROPERTY);
    }

    @Test
    void theDefaultOfTwofishIsConstantTime() {
        assertEquals("bitslice", KernelList.twofish(null).name());
        assertTrue(KernelList.twofish(null).constantTime());
    }

    @Test
    void kernelsAreFoundByName() {
        for (Kernel kernel : KernelList.twofish()) {
            assertEquals(kernel, KernelList.twofish(kernel.name()));
        }
        assertEquals("sp2k", KernelList.des("sp2k").name());
        assertEquals("sp2k", KernelList.tripleDes(null).name());
    }

    @Test
    void thePropertyChangesTheDefaultOfTwofishAlone() {
        System.setProperty(KernelList.PROPERTY, "full");
        System.setProperty(KernelList.LEAKS_PROPERTY, "any");
        assertEquals("full", KernelList.twofish(null).name());
        assertEquals("zero", KernelList.twofish("zero").name());
        assertEquals("sp2k", KernelList.des(null).name());
    }

    @Test
    void thePropertyNamesNoKernelThatLeaksUnlessAnotherAllowsIt() {
        System.setProperty(KernelList.PROPERTY, "full");
        assertEquals(
                "the kernel \"full\" that the system property manyfish.kernel names is not"
                        + " constant-time: name another, or allow leaks by -Dmanyfish.leaks=any",
                refusal());
        assertEquals("full", KernelList.twofish("full").name());
        System.setProperty(KernelList.PROPERTY, "bitslice");
        assertEquals("bitslice", KernelList.twofish(null).name());
        System.setProperty(KernelList.LEAKS_PROPERTY, "all");
        assertEquals(
                "the system property manyfish.leaks takes the value any alone, not \"all\": write"
                        + " that, or leave it out",
                refusal());
    }

    private static String refusal() {
        return assertThrows(IllegalArgumentException.class, () -> KernelList.twofish((String) null))
                .getMessage();
    }

    @Test
    void anUnknownNameIsAnErrorThatNamesAll() {
        System.setProperty(KernelList.PROPERTY, "quick");
        assertEquals(
                "Twofish has no kernel \"quick\" in Java; there are bitslice, full, partial, minimal, zero"
                        + " (the name is that of the system property manyfish.kernel)",
                refusal());
        assertEquals(
                "DES has no kernel \"full\" in Java; there are sp2k",
                assertThrows(IllegalArgumentException.class, () -> KernelList.des("full"))
                        .getMessage());
    }

    @Test
    void keysOfOtherLengthsAreRefused() {
        for (int nBytes : List.of(0, 15, 17, 31, 33)) {
            for (Kernel kernel : KernelList.twofish()) {
                refuses(kernel, nBytes, "a Twofish key has 16, 24 or 32 bytes");
            }
            refuses(KernelList.des(null), nBytes, "a DES key has 8 bytes");
            refuses(KernelList.tripleDes(null), nBytes, "a Triple-DES key has 16 or 24 bytes");
        }
    }

    private static void refuses(Kernel kernel, int nBytes, String rule) {
        assertEquals(
                rule + ", this one has " + nBytes,
                assertThrows(IllegalArgumentException.class, () -> kernel.expand(new byte[nBytes]))
                        .getMessage());
    }
}
