// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jni;

import java.util.ArrayList;
import java.util.List;
import org.manyfish.mode.Batch;
import org.manyfish.mode.CipherName;
import org.manyfish.mode.Cmac;
import org.manyfish.mode.Engine;
import org.manyfish.mode.Form;
import org.manyfish.mode.Mode;
import org.manyfish.mode.ModeName;

/**
 * The C library as an engine, with its own kernels. Keys and states lie in memory of the library,
 * which is wiped when they are closed, or some time after they have been forgotten.
 */
public final class NativeEngine implements Engine {
    private NativeEngine() {}

    /**
     * The engine, or null if the library is refused, or is none that can be loaded.
     *
     * @throws IllegalStateException instead of null if the property manyfish.native is true, or
     *     manyfish.library names a file and manyfish.native is not false
     */
    public static Engine orNull() {
        if (NativeLibrary.available()) {
            return new NativeEngine();
        }
        final String demand = NativeLibrary.demand();
        if (demand != null) {
            throw new IllegalStateException(
                    demand
                            + ", but there is no library: "
                            + NativeLibrary.refusal()
                            + "; name one with -Dmanyfish.library=FILE, or set neither property");
        }
        return null;
    }

    /** The names of the kernels that this machine can run, the default first. */
    public static List<String> kernels(CipherName cipher) {
        final List<String> names = new ArrayList<>();
        String name;
        for (int i = 0; (name = Native.kernel(cipher == CipherName.TWOFISH, i)) != null; i++) {
            if (!name.isEmpty()) {
                names.add(name);
            }
        }
        return names;
    }

    @Override
    public String name() {
        return "native";
    }

    @Override
    public boolean leaks(String kernel) {
        return Native.leaks(kernel);
    }

    @Override
    public Mode mode(
            CipherName cipher, String kernel, ModeName mode, byte[] key, boolean encrypting) {
        mode.check(cipher, key);
        return new NativeMode(cipher, kernel, mode, key, encrypting);
    }

    @Override
    public Cmac cmac(CipherName cipher, String kernel, byte[] key) {
        return new NativeCmac(cipher, kernel, key);
    }

    @Override
    public Batch batch(CipherName cipher, String kernel, Form form, byte[] key) {
        if (!form.isCmac()) {
            form.mode().check(cipher, key);
        }
        return new NativeBatch(cipher, kernel, form, key);
    }
}
