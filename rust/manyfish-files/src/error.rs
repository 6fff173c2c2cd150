// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The errors of files, with one variant and one sentence each, and a hint on what to do.

use std::io;

use manyfish_openpgp::Limits;

/// A result with an [`Error`] of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The errors: the sentence of each variant says what is wrong, and [`Error::hint`] what to do.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant has its sentence")]
#[non_exhaustive]
pub enum Error {
    #[error("this is no LUKS header")]
    NotLuks,
    #[error("LUKS version {0} is not known, expected 1 or 2")]
    Version(u16),
    #[error("the LUKS header is damaged: {0}")]
    Damaged(String),
    #[error("the safe is damaged: {0}")]
    DamagedSafe(String),
    #[error("the database is damaged: {0}")]
    DamagedDatabase(String),
    #[error("the file uses {0}, which this program does not know")]
    Unknown(String, &'static str),
    #[error(
        "the database has a protected text behind the history of its entry, which this program cannot read"
    )]
    Order,
    #[error("cannot write the database: {0}")]
    CannotWrite(String),
    #[error("the new database would lack {0}")]
    Loses(String),
    #[error("the {what} is truncated")]
    Truncated { what: &'static str },
    #[error("the volume is encrypted with {0}; this program opens Twofish")]
    Cipher(String),
    #[error("the volume has no passphrase: no key slot is in use")]
    NoSlot,
    #[error("wrong passphrase")]
    WrongPassphrase,
    #[error("wrong passphrase, unless it is that of key slot {0}, which cannot be tried: {1}")]
    SlotSkipped(u32, String),
    #[error("wrong passphrase, or in another code page than UTF-8 and Windows-1252")]
    WrongPassphraseOrCodePage,
    #[error("the passphrase is not in UTF-8, as this program expects it")]
    NotUtf8,
    #[error("this is no volume of VeraCrypt or TrueCrypt with Twofish, or the passphrase is wrong")]
    WrongPassphraseOrFormat,
    #[error("trying the passphrase takes {asked}, over the limit of {limits}")]
    OverLimits { asked: Limits, limits: Limits },
    #[error("not enough memory: the passphrase needs {0} MiB")]
    OutOfMemory(u64),
    #[error("the system gives no random numbers: {0}")]
    Random(getrandom::Error),
    #[error("cannot write: {0}")]
    Write(io::Error),
    #[error(transparent)]
    Read(#[from] io::Error),
}

const CRYPTSETUP: &str = "cryptsetup opens it";

/// The error of a volume of LUKS that other programs open.
pub(crate) fn unknown_in_luks(what: impl Into<String>) -> Error {
    Error::Unknown(what.into(), CRYPTSETUP)
}

impl Error {
    /// Advice, where there is any.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Cipher(_) => Some(CRYPTSETUP),
            Self::SlotSkipped(..) => Some("cryptsetup may know that key slot"),
            Self::Unknown(_, hint) => Some(hint),
            Self::NotUtf8 => {
                Some("give it in UTF-8, or open the file with the program that made it")
            }
            Self::Order => Some(
                "open it with KeePassXC, change any entry and save it: that puts all texts in order",
            ),
            Self::Loses(_) => {
                Some("convert it with KeePassXC: Database, Database Security, Encryption Settings")
            }
            _ => None,
        }
    }
}

/// Fails if so much is asked for that it is over the limits.
pub fn within(asked: Limits, limits: &Limits) -> Result<()> {
    if limits.allow(&asked) { Ok(()) } else { Err(Error::OverLimits { asked, limits: *limits }) }
}
