// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.manyfish.ManyfishProvider;
import org.manyfish.jni.NativeLibrary;

/** A transformation with a key and parameters: what the tests of all modes run over. */
final class Subject {
    private static final List<Provider> PROVIDERS = providers();
    private static final List<String> PADDABLE = List.of("ECB", "CBC", "CTR", "CFB", "OFB");
    private static final List<String> OTHERS =
            List.of("CFB8", "XTS", "EAX", "OCB", "GCM", "CCM", "SIV");

    final String mode;
    final String padding;
    final SecretKey key;
    private final Provider provider;
    private final byte[] iv;

    private Subject(Provider provider, String mode, String padding) {
        this.provider = provider;
        this.mode = mode;
        this.padding = padding;
        final Random random = new Random(4);
        final int keyBytes = mode.equals("XTS") || mode.equals("SIV") ? 64 : 32;
        key = new SecretKeySpec(Pieces.random(random, keyBytes), "Twofish");
        iv = Pieces.random(random, mode.matches("GCM|OCB|CCM") ? 12 : 16);
    }

    /** A provider for each engine that there is. */
    static List<Provider> providers() {
        final Provider provider = new ManyfishProvider();
        if (NativeLibrary.available()) {
            return List.of(provider.configure("java"), provider.configure("native"));
        }
        System.out.println("skipped: the provider with C: " + NativeLibrary.refusal());
        return List.of(provider.configure("java"));
    }

    /** All transformations, with each engine. */
    static Stream<Subject> all() {
        return PROVIDERS.stream().flatMap(Subject::all);
    }

    private static Stream<Subject> all(Provider provider) {
        return Stream.concat(
                PADDABLE.stream().map(m -> new Subject(provider, m, "PKCS5Padding")),
                Stream.concat(PADDABLE.stream(), OTHERS.stream())
                        .map(m -> new Subject(provider, m, "NoPadding")));
    }

    /** The first one with a name that begins so: "CBC", "CBC/NoPadding". */
    static Subject of(String name) {
        return all().filter(s -> s.toString().startsWith(name)).findFirst().orElseThrow();
    }

    static Stream<Subject> authenticated() {
        return all().filter(Subject::hasTag);
    }

    static Stream<Subject> withNonce() {
        return authenticated().filter(s -> !s.mode.equals("SIV"));
    }

    static Stream<Subject> withIv() {
        return all().filter(s -> !s.mode.matches("ECB|SIV"));
    }

    static Stream<Subject> withoutTag() {
        return all().filter(s -> !s.hasTag());
    }

    boolean hasTag() {
        return mode.matches("EAX|OCB|GCM|CCM|SIV");
    }

    /** A length near to n that a message may have. */
    int length(int n) {
        if (padding.equals("NoPadding") && mode.matches("ECB|CBC")) {
            return n / 16 * 16;
        }
        return mode.equals("XTS") ? Math.max(n, 16) : n;
    }

    AlgorithmParameterSpec spec() {
        return spec(iv);
    }

    /** A specification with this nonce or IV, or null where there is none. */
    AlgorithmParameterSpec spec(byte[] nonce) {
        if (mode.equals("ECB")) {
            return null;
        }
        return hasTag() ? new GCMParameterSpec(128, nonce) : new IvParameterSpec(nonce);
    }

    /** Another nonce of the same length. */
    AlgorithmParameterSpec otherSpec() {
        final byte[] other = iv.clone();
        other[0] ^= 1;
        return spec(other);
    }

    Cipher cipher() throws GeneralSecurityException {
        return Cipher.getInstance("Twofish/" + mode + "/" + padding, provider);
    }

    Cipher encryptor() throws GeneralSecurityException {
        final Cipher cipher = cipher();
        cipher.init(Cipher.ENCRYPT_MODE, key, spec());
        return cipher;
    }

    Cipher decryptor() throws GeneralSecurityException {
        final Cipher cipher = cipher();
        cipher.init(Cipher.DECRYPT_MODE, key, spec());
        return cipher;
    }

    Cipher cipher(boolean encrypting) throws GeneralSecurityException {
        return encrypting ? encryptor() : decryptor();
    }

    /** The input of a cipher of this direction, from a text. */
    byte[] input(boolean encrypting, byte[] text) throws GeneralSecurityException {
        return encrypting ? text : encryptor().doFinal(text);
    }

    @Override
    public String toString() {
        return mode + "/" + padding;
    }

    static byte[] text(int nBytes) {
        return Pieces.random(new Random(nBytes), nBytes);
    }

    static boolean isZero(byte[] bytes) {
        return Arrays.equals(bytes, new byte[bytes.length]);
    }
}
