// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jni;

import java.util.List;
import org.junit.jupiter.api.condition.EnabledIf;
import org.manyfish.mode.CipherName;
import org.manyfish.mode.DefinitionTests;
import org.manyfish.mode.Engine;
import org.manyfish.mode.ErrorTests;
import org.manyfish.mode.PeerTests;
import org.manyfish.mode.PieceTests;
import org.manyfish.mode.TagTests;
import org.manyfish.mode.VectorTests;

/** The modes in C, through the same tests as those in Java. */
@EnabledIf("org.manyfish.jni.WithLibrary#isThere")
class NativeEngineTest
        implements VectorTests, PeerTests, DefinitionTests, PieceTests, TagTests, ErrorTests {
    @Override
    public Engine engine() {
        return NativeEngine.orNull();
    }

    @Override
    public List<String> kernels(CipherName cipher) {
        return NativeEngine.kernels(cipher);
    }
}
