// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish;

import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.util.Arrays;
import javax.crypto.SecretKey;
import org.manyfish.jca.KeyedMode;
import org.manyfish.jca.Setup;
import org.manyfish.jca.Transformation;
import org.manyfish.mode.Batch;
import org.manyfish.mode.CipherName;
import org.manyfish.mode.Form;
import org.manyfish.mode.Results;
import org.manyfish.mode.Strings;

/**
 * The CMAC [SP800-38B] of many messages at a time under one key, each as {@link javax.crypto.Mac}
 * makes it. As for {@link BatchCipher}, the C library makes it many times as fast; without it, one
 * message comes after the other.
 *
 * <p>All methods throw NullPointerException for a message that is null, and IllegalStateException
 * after close. Any number of threads may use one; they wait for each other, so give each thread its
 * own for speed. It needs the memory of a BatchCipher.
 */
public final class BatchMac implements AutoCloseable {
    private final Form form;
    private final Batch batch;
    private volatile boolean closed;

    private BatchMac(Form form, Batch batch) {
        this.form = form;
        this.batch = batch;
    }

    /**
     * CMAC with the engine and the kernel of a new {@link ManyfishProvider}.
     *
     * @param algorithm as Mac takes it: TwofishCMAC, DESCMAC, DESedeCMAC
     * @param key as Mac takes it; not kept
     * @return a MAC to compute and verify
     * @throws NoSuchAlgorithmException if there is no such MAC here
     * @throws InvalidKeyException if the cipher has no key of this size
     */
    public static BatchMac getInstance(String algorithm, SecretKey key)
            throws NoSuchAlgorithmException, InvalidKeyException {
        return getInstance(algorithm, key, new ManyfishProvider());
    }

    /**
     * CMAC with the engine and the kernel of a provider.
     *
     * @param algorithm as above
     * @param key as above
     * @param provider a ManyfishProvider, else IllegalArgumentException
     * @return a MAC to compute and verify
     * @throws NoSuchAlgorithmException as above
     * @throws InvalidKeyException as above
     */
    public static BatchMac getInstance(String algorithm, SecretKey key, Provider provider)
            throws NoSuchAlgorithmException, InvalidKeyException {
        final CipherName cipher = Transformation.cmac(algorithm);
        final Form form = Form.cmac(cipher);
        final Setup setup = BatchCipher.setup(provider);
        final byte[] bytes = KeyedMode.bytes(key);
        try {
            return new BatchMac(
                    form, setup.engine().batch(cipher, setup.kernel(cipher), form, bytes));
        } catch (IllegalArgumentException e) {
            throw new InvalidKeyException(e.getMessage(), e);
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    /**
     * Computes tags.
     *
     * @param messages each of any size up to 2^31 - 65 bytes, else IllegalArgumentException
     * @return a new array for each tag, 16 bytes, of DES and DESede 8
     */
    public byte[][] compute(byte[][] messages) {
        return compute(BatchCipher.strings(messages, "messages"));
    }

    private byte[][] compute(Strings messages) {
        final ArrayResults tags = new ArrayResults(messages.size());
        compute(messages, tags);
        return tags.arrays();
    }

    /**
     * Computes the tags of packed messages.
     *
     * @param messages as above
     * @return the tags, in a new array; if they do not fit into one, IllegalArgumentException
     */
    public PackedBytes compute(PackedBytes messages) {
        final Strings in = messages.strings();
        final long nBytes = (long) in.size() * form.tagBytes();
        final PackedResults tags = new PackedResults(in.size(), BatchCipher.arrayBytes(nBytes));
        compute(in, tags);
        return tags.packed();
    }

    private void compute(Strings messages, Results tags) {
        if (closed) {
            throw new IllegalStateException("this MAC is closed, its key wiped; make another");
        }
        for (int i = 0; i < messages.size(); i++) {
            BatchCipher.checkLength(messages.nBytes(i), i);
        }
        final Strings none = Strings.of(new byte[messages.size()][]);
        batch.crypt(true, none, none, messages, tags);
    }

    /**
     * Says which tags are right.
     *
     * @param messages as above
     * @param tags a tag for each message, else IllegalArgumentException; one of another size than
     *     compute gives is wrong, null too
     * @return for each message whether its tag is right
     */
    public boolean[] verify(byte[][] messages, byte[][] tags) {
        return verify(BatchCipher.strings(messages, "messages"), Strings.of(tags));
    }

    /**
     * Says which tags of packed messages are right.
     *
     * @param messages as above
     * @param tags as above
     * @return for each message whether its tag is right
     */
    public boolean[] verify(PackedBytes messages, PackedBytes tags) {
        return verify(messages.strings(), tags.strings());
    }

    private boolean[] verify(Strings messages, Strings tags) {
        if (tags.size() != messages.size()) {
            throw new IllegalArgumentException(
                    String.format(
                            "expected as many tags as messages, %d, found %d",
                            messages.size(), tags.size()));
        }
        final byte[][] expected = compute(messages);
        final boolean[] right = new boolean[expected.length];
        for (int i = 0; i < right.length; i++) {
            right[i] = MessageDigest.isEqual(expected[i], tags.copy(i, tags.nBytes(i)));
            Arrays.fill(expected[i], (byte) 0); // the right tag of a forgery is worth money
        }
        return right;
    }

    /** Wipes the expanded key, as far as Java lets one; a second time does nothing. */
    @Override
    public void close() {
        closed = true;
        batch.close();
    }
}
