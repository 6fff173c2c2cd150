// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.NoSuchAlgorithmException;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import java.util.Locale;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.CipherSpi;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.NoSuchPaddingException;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import org.manyfish.mode.CipherName;
import org.manyfish.mode.Mode;

/**
 * A cipher in any mode and padding, as javax.crypto.Cipher calls it. It reads the arguments of init
 * and checks the order of calls; text goes through a Message. The behaviour is that of the JDK's
 * own ciphers where they have any.
 */
final class ManyfishCipher extends CipherSpi {
    private final Setup setup;
    private final CipherName cipher;
    private final KeyedMode keyed = new KeyedMode();
    private final NonceGuard guard = new NonceGuard();
    private final Scratch scratch = new Scratch();

    private CipherMode mode = CipherMode.ECB;
    private boolean padding = true;

    private MessageParameters parameters;
    private Message message;
    private boolean encrypting;
    private boolean spent;

    ManyfishCipher(Setup setup, CipherName cipher) {
        this.setup = setup;
        this.cipher = cipher;
        Wiping.when(this, keyed);
        Wiping.when(this, guard);
    }

    @Override
    protected void engineSetMode(String name) throws NoSuchAlgorithmException {
        mode = CipherMode.byName(name, cipher);
        if (mode == null) {
            throw new NoSuchAlgorithmException(
                    "no mode "
                            + name
                            + " of "
                            + Services.algorithm(cipher)
                            + "; there are "
                            + CipherMode.names(cipher, ", "));
        }
        padding = mode.shape == CipherMode.Shape.PADDABLE;
    }

    @Override
    protected void engineSetPadding(String name) throws NoSuchPaddingException {
        switch (name.toUpperCase(Locale.ROOT)) {
            case "NOPADDING":
                padding = false;
                return;
            case "PKCS5PADDING":
            case "PKCS7PADDING":
                if (mode.shape == CipherMode.Shape.PADDABLE) {
                    padding = true;
                    return;
                }
                throw new NoSuchPaddingException(mode + " takes NoPadding only, not " + name);
            default:
                throw new NoSuchPaddingException(
                        "no padding " + name + "; there are NoPadding, PKCS5Padding, PKCS7Padding");
        }
    }

    @Override
    protected int engineGetBlockSize() {
        return cipher.blockBytes();
    }

    @Override
    protected int engineGetKeySize(Key key) throws InvalidKeyException {
        final byte[] bytes = KeyedMode.bytes(key);
        Arrays.fill(bytes, (byte) 0);
        return 8 * bytes.length;
    }

    @Override
    protected int engineGetOutputSize(int inputLen) {
        return message.finalBytes(inputLen);
    }

    @Override
    protected byte[] engineGetIV() {
        return parameters == null || parameters.iv.length == 0 ? null : parameters.iv.clone();
    }

    @Override
    protected AlgorithmParameters engineGetParameters() {
        final byte[] iv = engineGetIV();
        if (iv == null) {
            return null;
        }
        try {
            if (mode.isAuthenticated()) {
                return with(
                        mode.parametersName(), new GCMParameterSpec(8 * parameters.tagBytes, iv));
            }
            return with(Services.algorithm(cipher), new IvParameterSpec(iv));
        } catch (GeneralSecurityException e) {
            throw new ProviderException("the provider misses parameters of its own", e);
        }
    }

    private AlgorithmParameters with(String name, AlgorithmParameterSpec spec)
            throws GeneralSecurityException {
        final AlgorithmParameters result = AlgorithmParameters.getInstance(name, setup.provider());
        result.init(spec);
        return result;
    }

    @Override
    protected void engineInit(int opmode, Key key, SecureRandom random) throws InvalidKeyException {
        try {
            engineInit(opmode, key, (AlgorithmParameterSpec) null, random);
        } catch (InvalidAlgorithmParameterException e) {
            throw new InvalidKeyException(e.getMessage(), e);
        }
    }

    @Override
    protected void engineInit(int opmode, Key key, AlgorithmParameters from, SecureRandom random)
            throws InvalidKeyException, InvalidAlgorithmParameterException {
        engineInit(opmode, key, from == null ? null : MessageParameters.spec(from, mode), random);
    }

    @Override
    protected void engineInit(int opmode, Key key, AlgorithmParameterSpec spec, SecureRandom random)
            throws InvalidKeyException, InvalidAlgorithmParameterException {
        forget();
        final boolean toEncrypt = opmode == Cipher.ENCRYPT_MODE || opmode == Cipher.WRAP_MODE;
        final byte[] keyBytes = KeyedMode.bytes(key);
        try {
            final MessageParameters given = parameters(spec, toEncrypt, random);
            final Mode engine = keyed.get(setup, cipher, mode, keyBytes, toEncrypt);
            if (toEncrypt && mode.needsFreshNonce()) {
                guard.admit(keyBytes, given.iv);
            }
            begin(engine, given, toEncrypt);
        } finally {
            Arrays.fill(keyBytes, (byte) 0);
        }
    }

    private void forget() {
        if (message != null) {
            message.reset();
        }
        message = null;
        parameters = null;
    }

    private MessageParameters parameters(
            AlgorithmParameterSpec spec, boolean toEncrypt, SecureRandom random)
            throws InvalidAlgorithmParameterException {
        if (spec != null) {
            return MessageParameters.of(spec, mode, cipher);
        }
        if (!toEncrypt && !mode.goesWithoutIv()) {
            throw new InvalidAlgorithmParameterException(
                    "to decrypt, " + mode + " needs the IV of the encryption: give it to init");
        }
        return MessageParameters.random(mode, cipher, random);
    }

    private void begin(Mode engine, MessageParameters given, boolean toEncrypt) {
        parameters = given;
        encrypting = toEncrypt;
        spent = false;
        message = newMessage(engine);
    }

    private Message newMessage(Mode engine) {
        switch (mode.shape) {
            case WHOLE:
                return new DataUnit(engine, parameters, scratch);
            case AUTHENTICATED:
                if (!encrypting) {
                    return new Opened(engine, parameters, scratch, mode.tagComesFirst());
                }
                return engine.unitBytes() == Mode.WHOLE_MESSAGE
                        ? new SealedWhole(engine, parameters, scratch, mode.tagComesFirst())
                        : new Sealed(engine, parameters);
            default:
                if (!padding) {
                    return new Plain(engine, parameters);
                }
                return encrypting
                        ? new Padded(engine, parameters, cipher.blockBytes())
                        : new Unpadded(engine, parameters, cipher.blockBytes());
        }
    }

    @Override
    protected void engineUpdateAAD(byte[] src, int offset, int len) {
        if (!mode.isAuthenticated()) {
            throw new UnsupportedOperationException(mode + " has no associated data");
        }
        checkNotSpent();
        try {
            message.aad(src, offset, len);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    protected void engineUpdateAAD(ByteBuffer src) {
        if (src.hasArray()) {
            engineUpdateAAD(src.array(), src.arrayOffset() + src.position(), src.remaining());
            src.position(src.limit());
        } else {
            final byte[] aad = new byte[src.remaining()];
            src.get(aad);
            engineUpdateAAD(aad, 0, aad.length);
        }
    }

    private void checkNotSpent() {
        if (spent) {
            throw new IllegalStateException(
                    "a message was encrypted with this nonce: call init with another one");
        }
    }

    @Override
    protected byte[] engineUpdate(byte[] input, int inputOffset, int inputLen) {
        final ByteBuffer out = ByteBuffer.allocate(message.updateBytes(inputLen));
        boolean handedOut = false;
        try {
            update(ByteBuffer.wrap(input, inputOffset, inputLen), out);
            handedOut = true;
        } catch (ShortBufferException e) {
            throw new ProviderException("update gave more than it said", e);
        } finally {
            wipeUnless(handedOut, out);
        }
        return out.array();
    }

    @Override
    protected int engineUpdate(
            byte[] input, int inputOffset, int inputLen, byte[] output, int outputOffset)
            throws ShortBufferException {
        return update(ByteBuffer.wrap(input, inputOffset, inputLen), room(output, outputOffset));
    }

    @Override
    protected int engineUpdate(ByteBuffer input, ByteBuffer output) throws ShortBufferException {
        return update(input, output);
    }

    @Override
    protected byte[] engineDoFinal(byte[] input, int inputOffset, int inputLen)
            throws IllegalBlockSizeException, BadPaddingException {
        final ByteBuffer out = ByteBuffer.allocate(message.finalBytes(inputLen));
        boolean handedOut = false;
        try {
            final int nBytes = finish(wrap(input, inputOffset, inputLen), out);
            handedOut = nBytes == out.capacity();
            return handedOut ? out.array() : Arrays.copyOf(out.array(), nBytes);
        } catch (ShortBufferException e) {
            throw new ProviderException("doFinal gave more than it said", e);
        } finally {
            wipeUnless(handedOut, out);
        }
    }

    @Override
    protected int engineDoFinal(
            byte[] input, int inputOffset, int inputLen, byte[] output, int outputOffset)
            throws ShortBufferException, IllegalBlockSizeException, BadPaddingException {
        return finish(wrap(input, inputOffset, inputLen), room(output, outputOffset));
    }

    @Override
    protected int engineDoFinal(ByteBuffer input, ByteBuffer output)
            throws ShortBufferException, IllegalBlockSizeException, BadPaddingException {
        return finish(input, output);
    }

    private static void wipeUnless(boolean handedOut, ByteBuffer out) {
        if (!handedOut) {
            Arrays.fill(out.array(), (byte) 0);
        }
    }

    /** Cipher gives null where doFinal has no input. */
    private static ByteBuffer wrap(byte[] input, int offset, int nBytes) {
        return input == null ? ByteBuffer.allocate(0) : ByteBuffer.wrap(input, offset, nBytes);
    }

    private static ByteBuffer room(byte[] output, int offset) throws ShortBufferException {
        if (offset > output.length) {
            throw new ShortBufferException("the output ends before its offset " + offset);
        }
        return ByteBuffer.wrap(output, offset, output.length - offset);
    }

    private int update(ByteBuffer in, ByteBuffer out) throws ShortBufferException {
        checkNotSpent();
        try {
            return Transfer.update(message, in, out);
        } finally {
            Reference.reachabilityFence(this); // until here nobody may wipe the mode
        }
    }

    private int finish(ByteBuffer in, ByteBuffer out)
            throws ShortBufferException, IllegalBlockSizeException, BadPaddingException {
        checkNotSpent();
        boolean over = true;
        try {
            return Transfer.finish(message, in, out);
        } catch (ShortBufferException e) {
            over = false;
            throw e;
        } finally {
            spent = over && encrypting && mode.needsFreshNonce();
            Reference.reachabilityFence(this);
        }
    }

    @Override
    protected byte[] engineWrap(Key key) throws IllegalBlockSizeException, InvalidKeyException {
        final byte[] encoded = key.getEncoded();
        if (encoded == null) {
            throw new InvalidKeyException("cannot wrap a key that has no encoding");
        }
        try {
            return engineDoFinal(encoded, 0, encoded.length);
        } catch (BadPaddingException e) {
            throw new ProviderException("encryption minds no padding", e);
        } finally {
            Arrays.fill(encoded, (byte) 0);
        }
    }

    @Override
    protected Key engineUnwrap(byte[] wrappedKey, String algorithm, int type)
            throws InvalidKeyException, NoSuchAlgorithmException {
        final byte[] encoded;
        try {
            encoded = engineDoFinal(wrappedKey, 0, wrappedKey.length);
        } catch (IllegalBlockSizeException | BadPaddingException e) {
            throw new InvalidKeyException("cannot unwrap: " + e.getMessage(), e);
        }
        return WrappedKeys.decode(encoded, algorithm, type);
    }
}
