// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.block;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The kernels of each cipher, the default first. */
public final class KernelList {
    /** The system property that names another default for Twofish. */
    public static final String PROPERTY = "manyfish.kernel";

    /** The system property that lets it name a kernel that leaks, if it is "any". */
    public static final String LEAKS_PROPERTY = "manyfish.leaks";

    private static final List<Kernel> TWOFISH =
            List.of(Bitslice.KERNEL, Full.KERNEL, Partial.KERNEL, Minimal.KERNEL, Zero.KERNEL);

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
     * The kernel of Twofish that the system properties name as the default, or null.
     *
     * @param leaks says of a name whether it is that of a kernel that is not constant-time
     * @throws IllegalArgumentException if it leaks, and the properties do not allow that
     */
    public static String named(Predicate<String> leaks) {
        final String name = System.getProperty(PROPERTY);
        final String allowed = System.getProperty(LEAKS_PROPERTY);
        if (allowed != null && !allowed.equals("any")) {
            throw new IllegalArgumentException(
                    "the system property "
                            + LEAKS_PROPERTY
                            + " takes the value any alone, not \""
                            + allowed
                            + "\": write that, or leave it out");
        }
        if (name != null && allowed == null && leaks.test(name)) {
            throw new IllegalArgumentException(
                    "the kernel \""
                            + name
                            + "\" that the system property "
                            + PROPERTY
                            + " names is not constant-time: name another, or allow leaks by -D"
                            + LEAKS_PROPERTY
                            + "=any");
        }
        return name;
    }

    /** Is this the name of a kernel of Twofish that is not constant-time? */
    public static boolean leaks(String name) {
        return TWOFISH.stream()
                .anyMatch(kernel -> kernel.name().equals(name) && !kernel.constantTime());
    }

    /**
     * A kernel of Twofish.
     *
     * @param name its name, or null for the default
     * @throws IllegalArgumentException if there is none of this name, or as {@link #named}
     */
    public static Kernel twofish(String name) {
        final String wanted = name == null ? named(KernelList::leaks) : null;
        if (wanted == null) {
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

    /** A kernel of DES; as {@link #twofish(String)}, but without the properties. */
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
