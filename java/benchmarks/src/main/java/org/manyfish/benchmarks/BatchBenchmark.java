// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.benchmarks;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.spec.AlgorithmParameterSpec;
import java.util.concurrent.TimeUnit;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.manyfish.BatchCipher;
import org.manyfish.ManyfishProvider;
import org.manyfish.PackedBytes;
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

/** Many messages under one 256-bit key by the native engine: each by a Cipher, or all at once. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 4, time = 400, timeUnit = TimeUnit.MILLISECONDS)
public class BatchBenchmark {
    /** The mode, and what is done. */
    public enum Operation {
        CBC_ENCRYPT,
        CBC_DECRYPT,
        EAX_ENCRYPT,
        GCM_ENCRYPT;

        String transformation() {
            return "Twofish/" + name().substring(0, 3) + "/NoPadding";
        }

        int ivBytes() {
            return name().startsWith("GCM") ? 12 : 16;
        }

        AlgorithmParameterSpec parameters(byte[] iv) {
            return name().startsWith("CBC")
                    ? new IvParameterSpec(iv)
                    : new GCMParameterSpec(128, iv);
        }
    }

    @Param({"init and doFinal", "arrays", "packed"})
    private String program;

    @Param private Operation operation;

    /** Of all messages. */
    @Param({"65536", "6400000"})
    private int nBytes;

    private static final SecretKey KEY = new SecretKeySpec(new byte[32], "Twofish");

    private Task task;

    /** All messages. */
    private interface Task {
        Object run() throws GeneralSecurityException;
    }

    /** 64 messages of 1 KiB, or 100,000 of 64 bytes. */
    @Setup
    public void setUp() throws GeneralSecurityException {
        final int nMessages = nBytes == 65536 ? 64 : 100000;
        final byte[][] ivs = new byte[nMessages][operation.ivBytes()];
        for (int i = 0; i < nMessages; i++) {
            for (int at = 0; at < 4; at++) {
                ivs[i][at] = (byte) (i >>> 8 * at);
            }
        }
        final byte[][] texts = new byte[nMessages][nBytes / nMessages];
        final Provider provider = new ManyfishProvider().configure("native");
        final BatchCipher batch =
                BatchCipher.getInstance(operation.transformation(), KEY, 128, provider);
        if (program.equals("arrays")) {
            task = arrays(batch, ivs, texts);
        } else if (program.equals("packed")) {
            task = packed(batch, packed(ivs), packed(texts));
        } else {
            task = oneByOne(ivs, texts, provider);
        }
    }

    private static PackedBytes packed(byte[][] arrays) {
        final ByteBuffer all = ByteBuffer.allocate(arrays.length * arrays[0].length);
        for (final byte[] array : arrays) {
            all.put(array);
        }
        return PackedBytes.ofEach(all.array(), arrays[0].length);
    }

    private Task arrays(BatchCipher batch, byte[][] ivs, byte[][] texts) {
        return operation == Operation.CBC_DECRYPT
                ? () -> batch.decrypt(ivs, texts)
                : () -> batch.encrypt(ivs, texts);
    }

    private Task packed(BatchCipher batch, PackedBytes ivs, PackedBytes texts) {
        return operation == Operation.CBC_DECRYPT
                ? () -> batch.decrypt(ivs, texts)
                : () -> batch.encrypt(ivs, texts);
    }

    private Task oneByOne(byte[][] ivs, byte[][] texts, Provider provider)
            throws GeneralSecurityException {
        final Cipher cipher = Cipher.getInstance(operation.transformation(), provider);
        final int direction =
                operation == Operation.CBC_DECRYPT ? Cipher.DECRYPT_MODE : Cipher.ENCRYPT_MODE;
        return () -> {
            final byte[][] results = new byte[texts.length][];
            for (int i = 0; i < texts.length; i++) {
                cipher.init(direction, KEY, operation.parameters(ivs[i]));
                results[i] = cipher.doFinal(texts[i]);
            }
            return results;
        };
    }

    @Benchmark
    public Object messages() throws GeneralSecurityException {
        return task.run();
    }
}
