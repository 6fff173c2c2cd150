// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.block;

import java.util.function.Function;

/** A kernel as a row of a list. */
final class NamedKernel implements Kernel {
    private final String name;
    private final String summary;
    private final boolean constantTime;
    private final Function<byte[], BlockCipher> expand;

    NamedKernel(
            String name,
            String summary,
            boolean constantTime,
            Function<byte[], BlockCipher> expand) {
        this.name = name;
        this.summary = summary;
        this.constantTime = constantTime;
        this.expand = expand;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String summary() {
        return summary;
    }

    @Override
    public boolean constantTime() {
        return constantTime;
    }

    @Override
    public BlockCipher expand(byte[] key) {
        return expand.apply(key);
    }
}
