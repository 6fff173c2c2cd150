// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish;

import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.util.Arrays;
import java.util.Objects;
import javax.crypto.SecretKey;
import org.manyfish.jca.KeyedMode;
import org.manyfish.jca.Setup;
import org.manyfish.jca.Transformation;
import org.manyfish.mode.Batch;
import org.manyfish.mode.Form;
import org.manyfish.mode.ModeName;
import org.manyfish.mode.Strings;

/**
 * Many messages at a time under one key: records of a database, packets, files, entries of a safe.
 * The C library puts a message into each lane of its kernel, so that short messages, and modes in
 * which each block waits for the one before, become many times as fast. Without the C library the
 * messages are computed one after the other, with the same results.
 *
 * <p>Each message is as {@link javax.crypto.Cipher} makes it, with its tag after the ciphertext or,
 * in SIV, before it. There are the modes CBC, CTR, CFB and OFB of Twofish, DES and DESede, and EAX,
 * OCB, GCM, CCM and SIV of Twofish. PKCS5Padding is for CBC.
 *
 * <p>IV, associated data and message have the same number. An IV has, in bytes, a block (16, of DES
 * and DESede 8) in CBC, CFB and OFB; half a block to a block in CTR, where the rest counts; 1 to 15
 * in OCB; 1 or more in EAX and GCM; 7 to 13 in CCM, where the rest of 15 holds the length of the
 * text; any number in SIV. In SIV, IVs may be null, or any of them may be null, for none; elsewhere
 * each message needs an IV. Under one key no IV may be used twice to encrypt; nothing here checks
 * that. Associated data is for EAX, OCB, GCM, CCM and SIV, and may be null, or null for some
 * messages; no bytes of it are the same as none. The call does not change its arguments; nobody may
 * change them before it returns.
 *
 * <p><b>Decryption gives null for a message that cannot be decrypted</b>, and in a {@link
 * PackedBytes} one that is {@link PackedBytes#isRejected rejected}: its tag or its padding is
 * wrong, or nothing that is encrypted has its size. The other messages are not touched. Where there
 * is no tag and no padding, wrong messages are decrypted to wrong texts. In CBC, anyone who can
 * probe which padding is wrong can decrypt messages: then authenticate first.
 *
 * <p>All methods throw NullPointerException for a message that is null, and
 * IllegalArgumentException for different numbers of messages, IVs and associated data, for an IV or
 * a text of a size that the mode does not take, and for results that do not fit into an array; then
 * nothing has been computed. After close they throw IllegalStateException. Any number of threads
 * may use one; they wait for each other, so give each thread its own for speed. One holds, outside
 * the heap, at most 17 MiB, or as much as the longest message during the call.
 */
public final class BatchCipher implements AutoCloseable {
    private static final int DEFAULT_TAG_BITS = 128;

    /** Below the limit of arrays, with room for a tag, a padding and the rest of an IV. */
    private static final int MAX_BYTES = Integer.MAX_VALUE - 64;

    private final Transformation transformation;
    private final Form form;
    private final Batch batch;
    private volatile boolean closed;

    private BatchCipher(Transformation transformation, Form form, Batch batch) {
        this.transformation = transformation;
        this.form = form;
        this.batch = batch;
    }

    /**
     * A cipher with the engine and the kernel of a new {@link ManyfishProvider}, and tags of 128
     * bits.
     *
     * @param transformation as Cipher takes it, "Twofish/CBC/PKCS5Padding"
     * @param key as Cipher takes it, for SIV both keys in one; not kept
     * @return a cipher to encrypt and decrypt
     * @throws NoSuchAlgorithmException if there is no such cipher, mode or padding here
     * @throws InvalidKeyException if the cipher has no key of this size
     */
    public static BatchCipher getInstance(String transformation, SecretKey key)
            throws NoSuchAlgorithmException, InvalidKeyException {
        return getInstance(transformation, key, DEFAULT_TAG_BITS, new ManyfishProvider());
    }

    /**
     * A cipher with the engine and the kernel of a provider.
     *
     * @param transformation as above
     * @param key as above
     * @param tagBits the size of tags: in EAX 32, 40, .. 128; in GCM 32, 64, 96, 104, .. 128; in
     *     CCM 32, 48, .. 128; in OCB and SIV 128; else IllegalArgumentException; modes without a
     *     tag ignore it
     * @param provider a ManyfishProvider, else IllegalArgumentException
     * @return a cipher to encrypt and decrypt
     * @throws NoSuchAlgorithmException as above
     * @throws InvalidKeyException as above
     */
    public static BatchCipher getInstance(
            String transformation, SecretKey key, int tagBits, Provider provider)
            throws NoSuchAlgorithmException, InvalidKeyException {
        final Transformation t = Transformation.of(transformation);
        final boolean hasTag = t.mode.isAuthenticated();
        if (hasTag && !t.mode.takesTag(tagBits)) {
            throw new IllegalArgumentException(
                    t.mode + " takes a tag of " + t.mode.tagLengths() + ", not " + tagBits);
        }
        final Form form = new Form(t.cipher, t.mode.mode, t.padded, hasTag ? tagBits / 8 : 0);
        final Setup setup = setup(provider);
        final byte[] bytes = KeyedMode.bytes(key);
        try {
            final String kernel = setup.kernel(t.cipher);
            return new BatchCipher(t, form, setup.engine().batch(t.cipher, kernel, form, bytes));
        } catch (IllegalArgumentException e) {
            throw new InvalidKeyException(e.getMessage(), e);
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    static Setup setup(Provider provider) {
        if (!(provider instanceof ManyfishProvider)) {
            throw new IllegalArgumentException("expected a ManyfishProvider, found " + provider);
        }
        return ((ManyfishProvider) provider).setup();
    }

    /**
     * Encrypts messages in a mode without associated data, or without any.
     *
     * @param ivs the IV of each message
     * @param texts any sizes; CBC without padding takes whole blocks
     * @return a new array for each message: ciphertext, with tag or padding
     */
    public byte[][] encrypt(byte[][] ivs, byte[][] texts) {
        return encrypt(ivs, null, texts);
    }

    /**
     * Encrypts messages with associated data.
     *
     * @param ivs the IV of each message
     * @param aads the associated data of each message
     * @param texts as above
     * @return as above
     */
    public byte[][] encrypt(byte[][] ivs, byte[][] aads, byte[][] texts) {
        return crypt(true, ivs, aads, texts);
    }

    /**
     * Decrypts what encrypt or a Cipher made.
     *
     * @param ivs the IV of each message
     * @param messages what was encrypted
     * @return a new array for each text; null for each message that cannot be decrypted
     */
    public byte[][] decrypt(byte[][] ivs, byte[][] messages) {
        return decrypt(ivs, null, messages);
    }

    /**
     * Decrypts messages with associated data.
     *
     * @param ivs the IV of each message
     * @param aads the associated data of each message
     * @param messages as above
     * @return as above
     */
    public byte[][] decrypt(byte[][] ivs, byte[][] aads, byte[][] messages) {
        return crypt(false, ivs, aads, messages);
    }

    private byte[][] crypt(boolean encrypting, byte[][] ivs, byte[][] aads, byte[][] messages) {
        final Strings in = strings(messages, "messages");
        final ArrayResults results = new ArrayResults(in.size());
        final Strings someIvs = orNone(ivs, in.size());
        final Strings someAads = orNone(aads, in.size());
        check(encrypting, someIvs, someAads, in);
        batch.crypt(encrypting, someIvs, someAads, in, results);
        return results.arrays();
    }

    /** null for each where there are none. */
    private static Strings orNone(byte[][] arrays, int size) {
        return Strings.of(arrays == null ? new byte[size][] : arrays);
    }

    /** Strings none of which is null. */
    static Strings strings(byte[][] arrays, String name) {
        final Strings strings = Strings.of(Objects.requireNonNull(arrays, name));
        for (int i = 0; i < strings.size(); i++) {
            if (strings.array(i) == null) {
                throw new NullPointerException(name + "[" + i + "] is null");
            }
        }
        return strings;
    }

    /**
     * Encrypts packed messages in a mode without associated data, or without any.
     *
     * @param ivs the IV of each message
     * @param texts any sizes; CBC without padding takes whole blocks
     * @return in a new array, ciphertext with tag or padding of each message
     */
    public PackedBytes encrypt(PackedBytes ivs, PackedBytes texts) {
        return encrypt(ivs, null, texts);
    }

    /**
     * Encrypts packed messages with associated data.
     *
     * @param ivs the IV of each message
     * @param aads the associated data of each message
     * @param texts as above
     * @return as above
     */
    public PackedBytes encrypt(PackedBytes ivs, PackedBytes aads, PackedBytes texts) {
        return crypt(true, ivs, aads, texts);
    }

    /**
     * Decrypts what encrypt or a Cipher made.
     *
     * @param ivs the IV of each message
     * @param messages what was encrypted
     * @return in a new array, the texts; {@link PackedBytes#rejected} has the numbers of the
     *     messages that cannot be decrypted
     */
    public PackedBytes decrypt(PackedBytes ivs, PackedBytes messages) {
        return decrypt(ivs, null, messages);
    }

    /**
     * Decrypts packed messages with associated data.
     *
     * @param ivs the IV of each message
     * @param aads the associated data of each message
     * @param messages as above
     * @return as above
     */
    public PackedBytes decrypt(PackedBytes ivs, PackedBytes aads, PackedBytes messages) {
        return crypt(false, ivs, aads, messages);
    }

    private PackedBytes crypt(
            boolean encrypting, PackedBytes ivs, PackedBytes aads, PackedBytes messages) {
        final Strings in = messages.strings();
        final Strings someIvs = orNone(ivs, in.size());
        final Strings someAads = orNone(aads, in.size());
        final long nBytes = check(encrypting, someIvs, someAads, in);
        final PackedResults results = new PackedResults(in.size(), arrayBytes(nBytes));
        batch.crypt(encrypting, someIvs, someAads, in, results);
        return results.packed();
    }

    private static Strings orNone(PackedBytes packed, int size) {
        return packed == null ? Strings.of(new byte[size][]) : packed.strings();
    }

    /** A size that an array can have. */
    static int arrayBytes(long nBytes) {
        if (nBytes > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "the results have "
                            + nBytes
                            + " bytes, more than an array takes: give fewer messages at a time");
        }
        return (int) nBytes;
    }

    /** Returns the size of all results, at most. */
    private long check(boolean encrypting, Strings ivs, Strings aads, Strings messages) {
        if (closed) {
            throw new IllegalStateException("this cipher is closed, its key wiped; make another");
        }
        checkSizes("IVs", ivs, messages);
        checkSizes("strings of associated data", aads, messages);
        long resultBytes = 0;
        for (int i = 0; i < messages.size(); i++) {
            checkIv(ivs, i);
            checkAad(aads, i);
            final int nBytes = messages.nBytes(i);
            checkLength((long) ivs.nBytes(i) + aads.nBytes(i) + nBytes, i);
            if (encrypting) {
                checkText(ivs.nBytes(i), nBytes, i);
                resultBytes += form.sealedBytes(nBytes);
            } else if (form.canBeSealed(ivs.nBytes(i), nBytes)) {
                resultBytes += form.textBytes(nBytes);
            }
        }
        return resultBytes;
    }

    private static void checkSizes(String name, Strings strings, Strings messages) {
        if (strings.size() != messages.size()) {
            throw new IllegalArgumentException(
                    String.format(
                            "expected as many %s as messages, %d, found %d",
                            name, messages.size(), strings.size()));
        }
    }

    private void checkIv(Strings ivs, int i) {
        if (!transformation.mode.takesIv(ivs.nBytes(i), transformation.cipher)) {
            throw refused(
                    i,
                    "%s takes an IV of %s, not %d",
                    transformation.mode,
                    transformation.mode.ivLengths(transformation.cipher),
                    ivs.nBytes(i));
        }
    }

    private void checkAad(Strings aads, int i) {
        if (aads.array(i) != null && !transformation.mode.isAuthenticated()) {
            throw refused(i, "%s has no associated data", transformation.mode);
        }
    }

    static void checkLength(long nBytes, int i) {
        if (nBytes > MAX_BYTES) {
            throw refused(i, "%d bytes in all are too many, at most %d", nBytes, MAX_BYTES);
        }
    }

    private void checkText(int ivBytes, int nBytes, int i) {
        if (form.takes(ivBytes, nBytes)) {
            return;
        }
        if (nBytes % form.unitBytes() != 0) {
            throw refused(
                    i,
                    "%s without padding takes multiples of %d bytes, not %d",
                    ModeName.CBC,
                    form.unitBytes(),
                    nBytes);
        }
        throw refused(i, "an IV of %d bytes does not last for %d bytes", ivBytes, nBytes);
    }

    private static IllegalArgumentException refused(int i, String format, Object... found) {
        return new IllegalArgumentException("message " + i + ": " + String.format(format, found));
    }

    /** Wipes the expanded key, as far as Java lets one; a second time does nothing. */
    @Override
    public void close() {
        closed = true;
        batch.close();
    }
}
