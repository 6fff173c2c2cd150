// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.Provider;
import java.security.ProviderException;
import java.security.Security;
import java.security.spec.AlgorithmParameterSpec;
import java.util.ArrayList;
import java.util.List;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.manyfish.ManyfishProvider;

/**
 * Every sequence of three calls after an init ends the same with the JDK's AES as with our Twofish:
 * in as many bytes, or in an exception of the same class.
 */
class LikeTheJdkTest {
    private static final int SEALED = 0;

    /** A cipher, what it is called with, and how many bytes it has given for a message. */
    private static final class Subject {
        private final String mode;
        private final Cipher cipher;
        private final Key key;
        private final byte[] sealed;
        private int sequence;
        private int given;

        Subject(String algorithm, String mode, Provider provider) throws GeneralSecurityException {
            this.mode = mode;
            key = new SecretKeySpec(new byte[16], algorithm);
            cipher = Cipher.getInstance(algorithm + "/" + mode, provider);
            final Cipher sender = Cipher.getInstance(algorithm + "/" + mode, provider);
            sender.init(Cipher.ENCRYPT_MODE, key, spec(SEALED));
            sealed = sender.doFinal(new byte[48]);
        }

        /** Nonces to encrypt with are of one sequence. */
        AlgorithmParameterSpec spec(int nonce) {
            final byte[] iv = new byte[mode.startsWith("GCM") ? 12 : 16];
            ByteBuffer.wrap(iv).putInt(nonce == SEALED ? 0 : sequence).putInt(nonce);
            if (mode.startsWith("ECB")) {
                return null;
            }
            return mode.startsWith("GCM") ? new GCMParameterSpec(128, iv) : new IvParameterSpec(iv);
        }

        String init(int opmode, Key withKey, AlgorithmParameterSpec spec)
                throws GeneralSecurityException {
            given = 0;
            cipher.init(opmode, withKey, spec);
            return "iv " + (cipher.getIV() == null ? -1 : cipher.getIV().length);
        }

        /** Where held bytes come out is nobody's business, but where each block must have come. */
        String update(int nBytes) {
            given += nBytes;
            return mode.endsWith("PKCS5Padding") || mode.startsWith("GCM") ? "" : "given " + nBytes;
        }

        /** When two things are wrong, the JDK speaks of the room before it speaks of the order. */
        String updateWithTooLittleRoom() {
            try {
                return update(cipher.update(new byte[32], 0, 32, new byte[15]));
            } catch (ShortBufferException | IllegalStateException e) {
                return "refused";
            }
        }

        String last(int nBytes) {
            final int total = given + nBytes;
            given = 0;
            return "in all " + total;
        }

        private static int length(byte[] bytes) {
            return bytes == null ? 0 : bytes.length;
        }
    }

    /** One call and what came of it. */
    @FunctionalInterface
    private interface Call {
        String on(Subject s) throws GeneralSecurityException;
    }

    private static final List<Call> STARTS =
            List.of(
                    s -> s.init(Cipher.ENCRYPT_MODE, s.key, s.spec(1)),
                    s -> s.init(Cipher.DECRYPT_MODE, s.key, s.spec(SEALED)));

    private static final List<Call> CALLS =
            List.of(
                    STARTS.get(0),
                    STARTS.get(1),
                    s -> s.init(Cipher.ENCRYPT_MODE, s.key, s.spec(2)),
                    s -> s.init(Cipher.ENCRYPT_MODE, s.key, null),
                    s -> {
                        s.cipher.init(Cipher.DECRYPT_MODE, s.key);
                        return "without iv";
                    },
                    s -> s.init(Cipher.ENCRYPT_MODE, null, s.spec(3)),
                    s -> s.update(Subject.length(s.cipher.update(new byte[5]))),
                    s -> s.update(Subject.length(s.cipher.update(new byte[32]))),
                    Subject::updateWithTooLittleRoom,
                    s -> s.last(s.cipher.doFinal().length),
                    s -> s.last(s.cipher.doFinal(new byte[27]).length),
                    s -> s.last(s.cipher.doFinal(s.sealed).length),
                    s -> s.last(s.cipher.doFinal(s.sealed, 0, s.sealed.length, new byte[48], 0)),
                    s -> "out " + (s.given + s.cipher.getOutputSize(27)),
                    s -> {
                        s.cipher.updateAAD(new byte[3]);
                        return "aad";
                    });

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ECB/NoPadding",
                "ECB/PKCS5Padding",
                "CBC/NoPadding",
                "CBC/PKCS5Padding",
                "CTR/NoPadding",
                "GCM/NoPadding"
            })
    void everySequence(String mode) throws GeneralSecurityException {
        final List<String> seen = new ArrayList<>();
        final Provider jdk = Security.getProvider("SunJCE");
        final Provider ours = new ManyfishProvider();
        final Subject aes = new Subject("AES", mode, jdk);
        final Subject twofish = new Subject("Twofish", mode, ours);
        for (int n = 0; n < STARTS.size() * CALLS.size() * CALLS.size() * CALLS.size(); n++) {
            final List<Call> calls = sequence(n);
            aes.sequence = n + 1;
            twofish.sequence = n + 1;
            final String theirs = run(aes, calls);
            assertEquals(theirs, run(twofish, calls), mode);
            seen.add(theirs);
        }
        assertTrue(seen.stream().distinct().count() > 1000, "too few different outcomes");
    }

    private static List<Call> sequence(int n) {
        final int calls = CALLS.size();
        return List.of(
                STARTS.get(n / calls / calls / calls),
                CALLS.get(n / calls / calls % calls),
                CALLS.get(n / calls % calls),
                CALLS.get(n % calls));
    }

    /**
     * The outcomes, with the numbers of the calls, so that a failure tells which they were. It ends
     * where a doFinal fails: the JCA leaves open what the cipher does afterwards.
     */
    private static String run(Subject subject, List<Call> calls) {
        final StringBuilder outcomes = new StringBuilder();
        for (final Call call : calls) {
            outcomes.append(CALLS.indexOf(call)).append(": ");
            try {
                outcomes.append(call.on(subject));
            } catch (IllegalBlockSizeException | BadPaddingException | ShortBufferException e) {
                return outcomes.append("refused").toString(); // more than one may be true
            } catch (ProviderException e) {
                return outcomes.append("refused").toString(); // JDK 17: shorter than its tag
            } catch (GeneralSecurityException | RuntimeException e) {
                outcomes.append(e.getClass().getSimpleName());
            }
            outcomes.append("; ");
        }
        return outcomes.toString();
    }
}
