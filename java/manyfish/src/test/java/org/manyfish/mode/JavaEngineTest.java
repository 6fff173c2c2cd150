// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.mode;

import java.util.List;
import java.util.stream.Collectors;
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
        return KernelList.twofish().stream().map(Kernel::name).collect(Collectors.toList());
    }
}
