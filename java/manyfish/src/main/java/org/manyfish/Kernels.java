// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish;

import java.util.List;
import java.util.stream.Collectors;
import org.manyfish.block.Kernel;
import org.manyfish.block.KernelList;

/**
 * The kernels that are written in Java: ways to compute a cipher, each with its own balance of key
 * set-up, memory and speed. All give the same results.
 */
public final class Kernels {
    private Kernels() {}

    /**
     * Those of Twofish.
     *
     * @return descriptions, the default first
     */
    public static List<Description> twofish() {
        return describe(KernelList.twofish());
    }

    /**
     * Those of DES.
     *
     * @return descriptions, the default first
     */
    public static List<Description> des() {
        return describe(KernelList.des());
    }

    /**
     * Those of Triple-DES.
     *
     * @return descriptions, the default first
     */
    public static List<Description> tripleDes() {
        return describe(KernelList.tripleDes());
    }

    private static List<Description> describe(List<Kernel> kernels) {
        return kernels.stream().map(Description::new).collect(Collectors.toUnmodifiableList());
    }

    /** The facts about a kernel. */
    public static final class Description {
        private final Kernel kernel;

        private Description(Kernel kernel) {
            this.kernel = kernel;
        }

        /**
         * Its name.
         *
         * @return what {@link Twofish} and {@link ManyfishProvider#configure} take
         */
        public String name() {
            return kernel.name();
        }

        /**
         * The kernel in one line.
         *
         * @return one line
         */
        public String summary() {
            return kernel.summary();
        }

        /**
         * Whether no branch and no address depends on a key or on data.
         *
         * @return false of tables
         */
        public boolean constantTime() {
            return kernel.constantTime();
        }

        /** Name and summary. */
        @Override
        public String toString() {
            return name() + ": " + summary();
        }
    }
}
