// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jni;

import java.lang.ref.Cleaner;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.manyfish.mode.CipherName;

/**
 * Memory of the library for one owner, wiped and freed when the owner closes it, or some time after
 * the owner has been forgotten. The owner calls from within synchronized methods: so it stays
 * reachable until the library returns, and a program that uses a cipher from two threads at a time,
 * which it must not, gets wrong results and no more.
 */
final class NativeState implements AutoCloseable {
    private static final Cleaner CLEANER = Cleaner.create();

    /**
     * States, of 5 to 11 KB each and more of a batch, before we ask Java to look for forgotten
     * ones: a javax.crypto Cipher cannot be closed, and the garbage collector sees only the few
     * bytes of it in the heap.
     */
    private static final int FEW = 1 << 13;

    private static final AtomicInteger OPEN = new AtomicInteger();
    private static volatile int limit = FEW;

    private final Memory memory = new Memory();
    private final Cleaner.Cleanable cleanable;

    /** Opens a mode for owner; the arguments are those of {@link Native#openMode}. */
    NativeState(
            Object owner,
            String cipher,
            String kernel,
            String mode,
            boolean encrypting,
            byte[] key) {
        Objects.requireNonNull(key, "key");
        lookForForgotten();
        cleanable = CLEANER.register(owner, memory); // first, so that nothing opened can be lost
        final long opened = Native.openMode(cipher, kernel, mode, encrypting, key);
        if (opened < 0) {
            cleanable.clean();
            throw refused((int) -opened, cipher, kernel, key.length);
        }
        memory.handle = opened;
        OPEN.incrementAndGet();
    }

    private static RuntimeException refused(
            int status, String cipher, String kernel, int keyBytes) {
        if (status == Native.KEY_LENGTH) {
            return Statuses.exception(status, "a key of " + keyBytes + " bytes");
        }
        if (kernel == null) {
            return Statuses.exception(status, "");
        }
        final List<String> kernels = NativeEngine.kernels(CipherName.valueOf(cipher));
        return Statuses.exception(
                status, "\"" + kernel + "\"; there are " + String.join(", ", kernels));
    }

    /** The limit moves first and by far, so that a program that holds many pays seldom. */
    private static void lookForForgotten() {
        final int open = OPEN.get();
        if (open > limit) {
            limit = 2 * open;
            System.gc();
        }
    }

    private static void closed() {
        if (OPEN.decrementAndGet() < limit / 4) {
            limit = Math.max(FEW, limit / 2);
        }
    }

    /** The handle, for one call; the owner must stay reachable until that returns. */
    long handle() {
        if (memory.handle == 0) {
            throw new IllegalStateException("expected a cipher with a key; this one is closed");
        }
        return memory.handle;
    }

    @Override
    public void close() {
        cleanable.clean();
    }

    /** The work after the owner is gone; so it must not refer to the owner. */
    private static final class Memory implements Runnable {
        private long handle;

        @Override
        public void run() {
            if (handle != 0) {
                Native.closeMode(handle);
                handle = 0;
                closed();
            }
        }
    }
}
