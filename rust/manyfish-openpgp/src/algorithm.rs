// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The numbers of OpenPGP and their names: packet types, ciphers, AEAD modes, hashes [RFC9580, 5, 9].
//! A number that the standard does not know stays a valid value here: it can be named in an error.

use std::fmt;

/// Declares a newtype over the octet, its named values, and a `Display` such as "OCB (2)".
macro_rules! registry {
    ($(#[$doc:meta])* $name:ident { $($number:literal $constant:ident $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(pub u8);

        impl $name {
            $(
                #[doc = concat!("The number of \"", $text, "\".")]
                pub const $constant: Self = Self($number);
            )*

            /// The name in the standard, if it has one.
            #[must_use]
            pub fn name(self) -> Option<&'static str> {
                match self.0 {
                    $($number => Some($text),)*
                    _ => None,
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{} ({})", self.name().unwrap_or("unknown"), self.0)
            }
        }
    };
}

registry! {
    /// Packet type [RFC9580, 5]; 20 is from an older draft and from LibrePGP.
    PacketType {
        1 PKESK "public-key encrypted session key",
        2 SIGNATURE "signature",
        3 SKESK "symmetric-key encrypted session key",
        4 ONE_PASS_SIGNATURE "one-pass signature",
        5 SECRET_KEY "secret key",
        6 PUBLIC_KEY "public key",
        7 SECRET_SUBKEY "secret subkey",
        8 COMPRESSED "compressed data",
        9 SED "symmetrically encrypted data, without integrity protection",
        10 MARKER "marker",
        11 LITERAL "literal data",
        12 TRUST "trust",
        13 USER_ID "user id",
        14 PUBLIC_SUBKEY "public subkey",
        17 USER_ATTRIBUTE "user attribute",
        18 SEIPD "symmetrically encrypted and integrity protected data",
        19 MDC "modification detection code",
        20 AEAD "AEAD encrypted data of LibrePGP",
        21 PADDING "padding",
    }
}

registry! {
    /// Symmetric cipher [RFC9580, 9.3].
    Cipher {
        0 PLAINTEXT "plaintext",
        1 IDEA "IDEA",
        2 TRIPLE_DES "3DES",
        3 CAST5 "CAST5",
        4 BLOWFISH "Blowfish",
        7 AES_128 "AES-128",
        8 AES_192 "AES-192",
        9 AES_256 "AES-256",
        10 TWOFISH_256 "Twofish-256",
        11 CAMELLIA_128 "Camellia-128",
        12 CAMELLIA_192 "Camellia-192",
        13 CAMELLIA_256 "Camellia-256",
    }
}

registry! {
    /// Mode of authenticated encryption [RFC9580, 9.6].
    AeadMode {
        1 EAX "EAX",
        2 OCB "OCB",
        3 GCM "GCM",
    }
}

registry! {
    /// Hash [RFC9580, 9.5]; here only passphrases pass through it.
    Hash {
        1 MD5 "MD5",
        2 SHA1 "SHA-1",
        3 RIPEMD160 "RIPEMD-160",
        8 SHA256 "SHA-256",
        9 SHA384 "SHA-384",
        10 SHA512 "SHA-512",
        11 SHA224 "SHA-224",
        12 SHA3_256 "SHA3-256",
        14 SHA3_512 "SHA3-512",
    }
}

impl PacketType {
    /// Unknown packets of types 40 to 63 may be ignored, the lower ones may not [RFC9580, 4.3].
    #[must_use]
    pub fn is_critical(self) -> bool {
        self.0 < 40
    }
}

impl AeadMode {
    /// Octets of a full nonce [RFC9580, 9.6].
    #[must_use]
    pub fn nonce_bytes(self) -> Option<usize> {
        match self {
            Self::EAX => Some(16),
            Self::OCB => Some(15),
            Self::GCM => Some(12),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_show_with_their_names() {
        assert_eq!(Cipher::TWOFISH_256.to_string(), "Twofish-256 (10)");
        assert_eq!(AeadMode(2).to_string(), "OCB (2)");
        assert_eq!(Cipher(99).to_string(), "unknown (99)");
    }

    #[test]
    fn only_low_types_are_critical() {
        assert!(PacketType(39).is_critical());
        assert!(!PacketType(40).is_critical());
    }
}
