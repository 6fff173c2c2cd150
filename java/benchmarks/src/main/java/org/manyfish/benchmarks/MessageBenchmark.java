// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.benchmarks;

import java.security.GeneralSecurityException;
import java.security.Provider;
import java.util.concurrent.TimeUnit;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.manyfish.ManyfishProvider;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One message after the other under one 256-bit key, each by init with a nonce of its own and
 * doFinal, as programs call a javax.crypto.Cipher. The C library has its key set before.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 700, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 400, timeUnit = TimeUnit.MILLISECONDS)
public class MessageBenchmark {
    /** "C library", "Bouncy Castle", or what ManyfishProvider.configure takes. */
    @Param({"C library", "native", "native full", "java bitslice", "java full", "Bouncy Castle"})
    private String program;

    @Param private Operation operation;

    @Param("65536")
    private int nBytes;

    private static final SecretKey KEY = new SecretKeySpec(new byte[32], "Twofish");

    private Task task;

    /** One message. */
    private interface Task {
        int run() throws GeneralSecurityException;
    }

    @Setup
    public void setUp() throws GeneralSecurityException {
        if (program.equals("C library")) {
            task = cLibrary();
        } else {
            final Provider provider =
                    program.equals("Bouncy Castle")
                            ? new BouncyCastleProvider()
                            : new ManyfishProvider().configure(program);
            task = cipher(Cipher.getInstance(operation.transformation(), provider));
        }
    }

    private Task cLibrary() {
        final int opened = CLibrary.open(nBytes);
        final int ran = CLibrary.run(operation.ordinal(), nBytes);
        if (opened != 0 || ran != 0) {
            throw new IllegalStateException("the C library fails: " + opened + ", " + ran);
        }
        return () -> CLibrary.run(operation.ordinal(), nBytes);
    }

    private Task cipher(Cipher cipher) throws GeneralSecurityException {
        return operation == Operation.OCB_DECRYPT ? opening(cipher) : sealing(cipher);
    }

    private Task sealing(Cipher cipher) {
        final byte[] in = new byte[nBytes];
        final byte[] out = new byte[nBytes + 16];
        final long[] number = {0};
        return () -> {
            cipher.init(operation.direction, KEY, operation.parameters(number[0]++));
            return cipher.doFinal(in, 0, nBytes, out, 0);
        };
    }

    /** The same message again and again, which decryption may have. */
    private Task opening(Cipher cipher) throws GeneralSecurityException {
        cipher.init(Cipher.ENCRYPT_MODE, KEY, operation.parameters(0));
        final byte[] sealed = cipher.doFinal(new byte[nBytes]);
        final byte[] out = new byte[nBytes];
        return () -> {
            cipher.init(Cipher.DECRYPT_MODE, KEY, operation.parameters(0));
            return cipher.doFinal(sealed, 0, sealed.length, out, 0);
        };
    }

    @Benchmark
    public int message() throws GeneralSecurityException {
        return task.run();
    }
}
