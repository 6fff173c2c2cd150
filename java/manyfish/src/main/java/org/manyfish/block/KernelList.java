// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.block;

import java.util.List;
import java.util.stream.Collectors;

/** The kernels of each cipher, the default first. */
public final class KernelList {
    /** The system property that names another default for Twofish. */
    public static final String PROPERTY = "manyfish.kernel";

    private static final List<Kernel> TWOFISH =
            List.of(Bitslice.KERNEL, Full.KERNEL, Partial.KERNEL, Zero.KERNEL);

    private KernelList() {}

    public static List<Kernel> twofish() {
        return TWOFISH;
    }

    /**
     * A kernel of Twofish.
     *
     * @param name its name, or null for the default
     * @throws IllegalArgumentException if there is none of this name
     */
    public static Kernel twofish(String name) {
        return byName("Twofish", TWOFISH, name != null ? name : System.getProperty(PROPERTY));
    }

    private static Kernel byName(String cipher, List<Kernel> kernels, String name) {
        if (name == null) {
            return kernels.get(0);
        }
        for (Kernel kernel : kernels) {
            if (kernel.name().equals(name)) {
                return kernel;
            }
        }
        throw new IllegalArgumentException(
                cipher
                        + " has no kernel \""
                        + name
                        + "\" in Java; there are "
                        + kernels.stream().map(Kernel::name).collect(Collectors.joining(", ")));
    }
}
