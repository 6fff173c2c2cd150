// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jni;

import org.manyfish.mode.Batch;
import org.manyfish.mode.CipherName;
import org.manyfish.mode.Form;
import org.manyfish.mode.Results;
import org.manyfish.mode.Strings;

/**
 * A batch that the C library computes, a chunk of messages by one call. They are copied into memory
 * outside the heap and computed there, so that no array is pinned.
 */
final class NativeBatch implements Batch {
    private final NativeState state;
    private final Form form;
    private final Chunk chunk;

    NativeBatch(CipherName cipher, String kernel, Form form, byte[] key) {
        state = new NativeState(this, cipher.name(), kernel, name(form), true, key);
        this.form = form;
        chunk = new Chunk(form);
    }

    private static String name(Form form) {
        return form.isCmac() ? "CMAC" : form.isPadded() ? "CBC_PADDED" : form.mode().name();
    }

    @Override
    public synchronized void crypt(
            boolean encrypting, Strings ivs, Strings aads, Strings messages, Results results) {
        try {
            int first = 0;
            while (first < messages.size()) {
                final int end = chunk.fill(encrypting, ivs, aads, messages, first);
                chunk.crypt(state.handle(), encrypting);
                chunk.drain(encrypting, ivs, messages, first, end, results);
                first = end;
            }
        } finally {
            chunk.wipe();
        }
    }

    @Override
    public synchronized void close() {
        state.close();
    }
}
