// SPDX-License-Identifier: Apache-2.0 OR MIT
package org.manyfish.jca;

import java.security.InvalidParameterException;
import java.security.Provider;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.manyfish.mode.CipherName;

/** All that the provider offers, by the names of Bouncy Castle and the JDK. */
public final class Services {
    private static final String PADDINGS = "NOPADDING|PKCS5PADDING|PKCS7PADDING";

    private Services() {}

    /** The services of a provider. */
    public static List<Provider.Service> of(Provider provider, Setup setup) {
        return List.of(
                cipher(provider, setup, CipherName.TWOFISH, List.of()),
                cipher(provider, setup, CipherName.DES, List.of()),
                cipher(provider, setup, CipherName.TRIPLE_DES, List.of("TripleDES", "TDEA")),
                mac(provider, setup, CipherName.TWOFISH, "TwofishCMAC", List.of("Twofish-CMAC")),
                mac(provider, setup, CipherName.DES, "DESCMAC", List.of()),
                mac(provider, setup, CipherName.TRIPLE_DES, "DESedeCMAC", List.of()),
                new Made(
                        provider,
                        "KeyGenerator",
                        "Twofish",
                        List.of(),
                        Map.of(),
                        TwofishKeyGenerator.class,
                        TwofishKeyGenerator::new),
                ivParameters(provider, "Twofish", List.of()),
                ivParameters(provider, "DES", List.of()),
                ivParameters(provider, "DESede", List.of("TripleDES", "TDEA")),
                aeadParameters(provider, "GCM"),
                aeadParameters(provider, "CCM"));
    }

    /** How the JCA calls a cipher. */
    static String algorithm(CipherName cipher) {
        switch (cipher) {
            case TWOFISH:
                return "Twofish";
            case DES:
                return "DES";
            default:
                return "DESede";
        }
    }

    private static Provider.Service cipher(
            Provider provider, Setup setup, CipherName cipher, List<String> aliases) {
        final Map<String, String> attributes =
                Map.of(
                        "SupportedModes",
                        CipherMode.names(cipher, "|"),
                        "SupportedPaddings",
                        PADDINGS,
                        "SupportedKeyFormats",
                        "RAW");
        return new Made(
                provider,
                "Cipher",
                algorithm(cipher),
                aliases,
                attributes,
                ManyfishCipher.class,
                () -> new ManyfishCipher(setup, cipher));
    }

    private static Provider.Service mac(
            Provider provider, Setup setup, CipherName cipher, String name, List<String> aliases) {
        return new Made(
                provider,
                "Mac",
                name,
                aliases,
                Map.of("SupportedKeyFormats", "RAW"),
                CmacSpi.class,
                () -> new CmacSpi(setup, cipher));
    }

    private static Provider.Service ivParameters(
            Provider provider, String name, List<String> aliases) {
        return new Made(
                provider,
                "AlgorithmParameters",
                name,
                aliases,
                Map.of(),
                IvParameters.class,
                IvParameters::new);
    }

    private static Provider.Service aeadParameters(Provider provider, String name) {
        return new Made(
                provider,
                "AlgorithmParameters",
                name,
                List.of(),
                Map.of(),
                AeadParameters.class,
                AeadParameters::new);
    }

    /** A service whose objects are made by a call, so that its package need not be exported. */
    private static final class Made extends Provider.Service {
        private final Supplier<Object> maker;

        Made(
                Provider provider,
                String type,
                String algorithm,
                List<String> aliases,
                Map<String, String> attributes,
                Class<?> implementation,
                Supplier<Object> maker) {
            super(provider, type, algorithm, implementation.getName(), aliases, attributes);
            this.maker = maker;
        }

        @Override
        public Object newInstance(Object parameter) {
            if (parameter != null) {
                throw new InvalidParameterException(getAlgorithm() + " takes no parameter here");
            }
            return maker.get();
        }
    }
}
