// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jni;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.manyfish.mode.CipherName;
import org.manyfish.mode.Engine;
import org.manyfish.mode.Mode;
import org.manyfish.mode.ModeName;

/** The life of native memory: freed when closed or forgotten, and safe among threads. */
@EnabledIf("org.manyfish.jni.WithLibrary#isThere")
class NativeStateTest {
    private static final int MANY = 100_000;

    /** One of the two parts of that many states, were it never freed, would take 120 MB. */
    private static final long FEW_BYTES = 60 << 20;

    /** All of them would take 550 MB; forgotten ones may wait, and exceptions fill the heap. */
    private static final long SOME_BYTES = 350 << 20;

    private static final Engine ENGINE = NativeEngine.orNull();

    private static Mode open() {
        return ENGINE.mode(CipherName.TWOFISH, null, ModeName.CTR, new byte[32], true);
    }

    /** The resident memory of this process in bytes. */
    private static long resident() throws IOException {
        final Path file = Path.of("/proc/self/statm");
        final boolean there = Files.exists(file);
        if (!there) {
            System.out.println("skipped: leaks of native memory: this system has no " + file);
        }
        Assumptions.assumeTrue(there);
        return Long.parseLong(Files.readString(file).split(" ")[1]) * 4096;
    }

    private static void staysSmall(long limit, Runnable one) throws IOException {
        for (int i = 0; i < MANY / 10; i++) {
            one.run();
        }
        final long before = resident();
        for (int i = 0; i < MANY; i++) {
            one.run();
            if (i % 1000 == 0) {
                LockSupport.parkNanos(1_000_000); // for the thread that frees what is forgotten
            }
        }
        final long grown = resident() - before;
        assertTrue(grown < limit, "resident memory has grown by " + (grown >> 20) + " MiB");
    }

    @Test
    void closedModesAreFreed() throws IOException {
        staysSmall(FEW_BYTES, () -> open().close());
    }

    @Test
    void forgottenModesAreFreed() throws IOException {
        staysSmall(SOME_BYTES, NativeStateTest::open);
    }

    @Test
    void refusedModesAreFreed() throws IOException {
        staysSmall(
                SOME_BYTES,
                () -> {
                    try {
                        ENGINE.mode(
                                CipherName.TWOFISH, "planted", ModeName.CTR, new byte[32], true);
                        throw new AssertionError("not refused");
                    } catch (IllegalArgumentException e) {
                        // as it should be
                    }
                });
    }

    /** Each thread its own modes: all get what one thread gets. */
    @Test
    void threadsDoNotMeet() throws Exception {
        final byte[] expected = stream();
        for (byte[] found : inThreads(8, NativeStateTest::stream)) {
            assertArrayEquals(expected, found);
        }
    }

    private static byte[] stream() {
        final byte[] bytes = new byte[300_000];
        for (int i = 0; i < 50; i++) {
            try (Mode mode = open()) {
                mode.start(new byte[16]);
                mode.update(bytes, 0, bytes, 0, bytes.length);
            }
        }
        return bytes;
    }

    /**
     * One mode used, and closed, by many at a time, which is forbidden: nothing worse than errors.
     */
    @Test
    void forbiddenSharingDoesNoHarm() throws Exception {
        for (int i = 0; i < 20; i++) {
            final Mode mode = open();
            inThreads(
                    4,
                    () -> {
                        try {
                            for (int j = 0; j < 100; j++) {
                                mode.start(new byte[16]);
                                mode.update(new byte[1000], 0, new byte[1000], 0, 1000);
                            }
                            mode.close();
                        } catch (IllegalStateException e) {
                            // closed by another thread
                        }
                        return null;
                    });
        }
    }

    private static <T> List<T> inThreads(int nThreads, Callable<T> work) throws Exception {
        final ExecutorService pool = Executors.newFixedThreadPool(nThreads);
        try {
            final List<T> results = new ArrayList<>();
            final List<Callable<T>> works = new ArrayList<>();
            for (int i = 0; i < nThreads; i++) {
                works.add(work);
            }
            for (Future<T> future : pool.invokeAll(works)) {
                results.add(future.get());
            }
            return results;
        } finally {
            pool.shutdown();
        }
    }
}
