// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The errors of messages, with one variant and one sentence each, and a hint on what to do.
//! The sentences know nothing of file names and of the terminal.

use std::io;

use crate::algorithm::{AeadMode, Cipher, Hash, PacketType};
use crate::limits::Limits;

/// A result with an [`Error`] of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The errors: the sentence of each variant says what is wrong, and [`Error::hint`] what to do.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant has its sentence")]
#[non_exhaustive]
pub enum Error {
    #[error("the input is empty, expected an OpenPGP message")]
    Empty,
    #[error("this is not an OpenPGP message: it begins with {0}")]
    NotOpenPgp(String),
    #[error("this is armored text of type {0}, expected \"PGP MESSAGE\"")]
    OtherArmor(String),
    #[error("this is an armored message in UTF-16, expected plain ASCII")]
    Utf16,
    #[error("there is other text before the armor, which begins in line {line}")]
    TextBeforeArmor { line: u64 },
    #[error("line {line} of the armor is not valid: expected a header or an empty line")]
    ArmorHeader { line: u64 },
    #[error("line {line} of the armor is not valid: {problem}")]
    Armor { line: u64, problem: &'static str },

    #[error("the message is truncated: it ends in {0}")]
    Truncated(&'static str),
    #[error("there is other data after the end of the message")]
    TrailingData,
    #[error("there is other data after the end of the message, which nothing protects")]
    TrailingDataUnchecked,
    #[error("the {packet} packet is not valid: {problem}")]
    Malformed { packet: PacketType, problem: &'static str },
    #[error("found a packet of type {found}, expected {expected}")]
    UnexpectedPacket { found: PacketType, expected: &'static str },
    #[error("version {version} of the {packet} packet is not known")]
    Version { packet: PacketType, version: u8 },

    #[error("wrong passphrase")]
    WrongPassphrase,
    #[error("chunk {chunk} of the message was altered (plaintext from byte {offset} on)")]
    Altered { chunk: u64, offset: u64 },
    #[error("the end of the message was altered: the final tag does not fit its length")]
    AlteredEnd,
    #[error("wrong passphrase, or the message was altered: this format cannot tell which")]
    WrongOrAltered,

    #[error("the {what} is encrypted with {found}, expected {}", Cipher::TWOFISH_256)]
    OtherCipher { what: &'static str, found: Cipher },
    #[error("the {what} uses the mode EAX (1), which this version cannot open; it opens OCB (2)")]
    Eax { what: &'static str },
    #[error("the {what} uses the mode GCM (3), which this version cannot open; it opens OCB (2)")]
    Gcm { what: &'static str },
    #[error("the {what} uses the unknown mode {found}, expected {}", AeadMode::OCB)]
    OtherMode { what: &'static str, found: AeadMode },
    #[error("the {what} is encrypted with {found}, expected {}", Cipher::TWOFISH_256)]
    OtherCipherOlder { what: &'static str, found: Cipher },
    #[error("the message is {}in the oldest format, which does not detect changes (packet type 9)", under(*cipher))]
    OldestForm { cipher: Option<Cipher> },
    #[error(
        "the {} packet has version {version}, which does not fit this kind of message, \
         expected version {expected}",
        PacketType::SKESK
    )]
    MixedForms { version: u8, expected: &'static str },
    #[error("the message is encrypted to a public key; no passphrase can open it")]
    PublicKeyOnly,
    #[error("the message is not encrypted")]
    NotEncrypted,
    #[error("the message has no packet that a passphrase opens")]
    NoPassphrase,
    #[error("the message has more than {0} packets for passphrases")]
    TooManyPassphrases(usize),
    #[error("the message uses an unknown compression (algorithm {0})")]
    Compression(u8),
    #[error("the message expands to more than {0} times its size")]
    Bomb(u64),

    #[error("unknown way to derive the key from the passphrase (S2K type {0})")]
    S2kType(u8),
    #[error("the passphrase is hashed without a salt (S2K type 0), which is unsafe")]
    S2kSimple,
    #[error("the passphrase is hashed with {0}, expected SHA-256 or another of the SHA-2 family")]
    S2kHash(Hash),
    #[error("the passphrase is hashed with {}, which is no longer trusted", Hash::RIPEMD160)]
    LegacyHash,
    #[error("the Argon2 settings are not valid: {0}")]
    Argon2(&'static str),
    #[error("the message asks for {asked}, the limits are {limits}")]
    OverLimits { asked: Limits, limits: Limits },
    #[error("not enough memory: Argon2 needs {0} MiB")]
    OutOfMemory(u64),

    #[error("cancelled")]
    Cancelled,
    #[error("the input changed while it was being read")]
    InputChanged,
    #[error("the operating system gave no random numbers: {0}")]
    Random(getrandom::Error),
    #[error("cannot use a temporary file: {0}")]
    Spool(io::Error),
    #[error("cannot read: {0}")]
    Read(io::Error),
    #[error("cannot write: {0}")]
    Write(io::Error),
}

const OPENS_RFC9580: &str = "sq decrypt of Sequoia 2 opens it";
const OPENS_AES: &str =
    "sq decrypt of Sequoia 2, OpenPGP.js or Bouncy Castle opens AES in this form";
const OPENS_CAMELLIA: &str =
    "sq decrypt of Sequoia 2, or Bouncy Castle, opens Camellia in this form";
const OPENS_OLDER: &str = "gpg --decrypt opens it";
const NEWER: &str = "it is damaged, or a newer program made it";

/// The cipher, if the message names it, for the middle of a sentence.
fn under(cipher: Option<Cipher>) -> String {
    cipher.map_or_else(String::new, |cipher| format!("encrypted with {cipher} "))
}

/// The program that opens another cipher in the format of RFC 9580, which allows no short blocks.
fn other_cipher(found: Cipher) -> Option<&'static str> {
    match found {
        Cipher::AES_128 | Cipher::AES_192 | Cipher::AES_256 => Some(OPENS_AES),
        Cipher::CAMELLIA_128 | Cipher::CAMELLIA_192 | Cipher::CAMELLIA_256 => Some(OPENS_CAMELLIA),
        named if named.name().is_some() => None,
        _ => Some(NEWER),
    }
}

impl Error {
    /// Advice, if the user can do something.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::NotOpenPgp(_) => "another program may have made it, or it is not encrypted",
            Self::OtherArmor(_) => "use gpg or sq for keys and signatures",
            Self::Utf16 => "a shell redirection changed it; write with -o FILE instead",
            Self::TextBeforeArmor { .. } => {
                "remove the text before -----BEGIN, and marks such as \"> \" before each line"
            }
            Self::ArmorHeader { .. } => "put back the empty line between the headers and the data",
            Self::Truncated(_) => "the transfer or the disk cut off its end; get the file again",
            Self::TrailingData => "the message itself is intact; something was appended to it",
            Self::WrongPassphrase => {
                "if the passphrase is right, the beginning of the message was altered"
            }
            Self::Altered { .. } | Self::AlteredEnd | Self::Armor { .. } => {
                "get the file again from its source"
            }
            Self::OtherCipher { found, .. } => return other_cipher(*found),
            Self::OtherCipherOlder { found, .. } if found.name().is_some() => OPENS_OLDER,
            Self::WrongOrAltered => "if the passphrase is right, get the file again",
            Self::Bomb(_) => "if you trust the sender, gpg --decrypt opens it at any size",
            Self::Spool(_) => "free some space, or name another folder in TMPDIR",
            Self::OldestForm { cipher: Some(Cipher::TWOFISH_256) | None } => {
                "anyone may have altered it; the option insecure_legacy opens it anyway"
            }
            Self::OldestForm { .. } => "gpg --decrypt --ignore-mdc-error opens it, altered or not",
            Self::LegacyHash => "the option insecure_legacy opens it anyway",
            Self::Eax { .. } | Self::Gcm { .. } | Self::S2kSimple | Self::S2kHash(Hash::SHA1) => {
                OPENS_RFC9580
            }
            Self::S2kHash(found) if found.name().is_some() => OPENS_OLDER,
            Self::OtherMode { .. }
            | Self::OtherCipherOlder { .. }
            | Self::Compression(_)
            | Self::S2kHash(_)
            | Self::S2kType(_)
            | Self::Version { .. } => NEWER,
            Self::MixedForms { .. } => {
                "the standard forbids this pair of packets; ask the sender to encrypt it again"
            }
            Self::OverLimits { .. } => "if you trust the sender, raise the limits",
            Self::PublicKeyOnly => "gpg --decrypt or sq decrypt opens it with the secret key",
            Self::NotEncrypted => "gpg --decrypt or sq verify shows what is inside",
            Self::InputChanged => "copy the file first, or pipe it in",
            _ => return None,
        })
    }
}

/// Unpacks an error of this crate that came through `std::io::Read`.
impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        match error.downcast::<Self>() {
            Ok(own) => own,
            Err(foreign) => Self::Read(foreign),
        }
    }
}

impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Read(inner) | Error::Write(inner) => inner,
            other => Self::other(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_errors_survive_the_way_through_io() {
        let there = io::Error::from(Error::Altered { chunk: 3, offset: 192 });
        assert!(matches!(Error::from(there), Error::Altered { chunk: 3, offset: 192 }));
        let full = io::Error::from(io::ErrorKind::StorageFull);
        assert!(matches!(Error::from(full), Error::Read(_)));
    }
}
