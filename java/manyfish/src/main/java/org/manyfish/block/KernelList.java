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

    private static final List<Kernel> DES = List.of(Des.KERNEL);
    private static final List<Kernel> TRIPLE_DES = List.of(Des.TRIPLE_KERNEL);

    private KernelList() {}

    public static List<Kernel> twofish() {
        return TWOFISH;
    }

    public static List<Kernel> des() {
        return DES;
    }

    public static List<Kernel> tripleDes() {
        return TRIPLE_DES;
    }

    /**
     * A kernel of Twofish.
     *
     * @param name its name, or null for the default
     * @throws IllegalArgumentException if there is none of this name
     */
    public static Kernel twofish(String name) {
        final String wanted = System.getProperty(PROPERTY);
        if (name != null || wanted == null) {
            return byName("Twofish", TWOFISH, name);
        }
        try {
            return byName("Twofish", TWOFISH, wanted);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    e.getMessage() + " (the name is that of the system property " + PROPERTY + ")",
                    e);
        }
    }

    /** A kernel of DES; as {@link #twofish(String)}, but without the property. */
    public static Kernel des(String name) {
        return byName("DES", DES, name);
    }

    /** A kernel of Triple-DES, likewise. */
    public static Kernel tripleDes(String name) {
        return byName("Triple-DES", TRIPLE_DES, name);
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
