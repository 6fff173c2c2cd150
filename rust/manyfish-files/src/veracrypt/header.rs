// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The header of a volume: a salt, then 448 bytes in XTS, big-endian \[VeraCrypt, Volume Format\].

use std::fmt;
use std::ops::Range;

use super::cascade::{CASCADES, Cascade};
use crate::kdf::{Secret, copied};
use crate::{Error, Result};

pub const HEADER_BYTES: usize = 512;
pub const SALT_BYTES: usize = 64;
/// In the decrypted part.
const KEYS: Range<usize> = 192..448;
const FIELDS: Range<usize> = 0..188;

/// The program that made a volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// VeraCrypt.
    VeraCrypt,
    /// TrueCrypt.
    TrueCrypt,
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::VeraCrypt => "VeraCrypt",
            Self::TrueCrypt => "TrueCrypt",
        })
    }
}

/// A header that opened.
pub struct Header {
    pub program: Program,
    pub cascade: &'static Cascade,
    pub keys: Secret,
    version: u16,
    start: u64,
    n_bytes: u64,
}

impl Header {
    /// Tries all cascades with a key.
    pub fn open(sealed: &[u8], key: &Secret) -> Option<Self> {
        CASCADES.iter().find_map(|cascade| {
            let mut plain = copied(&sealed[SALT_BYTES..]);
            cascade.with_keys(key).ok()?.decrypt_unit(0, &mut plain);
            Self::parse(cascade, &plain)
        })
    }

    fn parse(cascade: &'static Cascade, plain: &[u8]) -> Option<Self> {
        let program = match &plain[..4] {
            b"VERA" => Program::VeraCrypt,
            b"TRUE" => Program::TrueCrypt,
            _ => return None,
        };
        let number = |at: usize| u64::from_be_bytes(plain[at..at + 8].try_into().expect("8 bytes"));
        let checksum =
            |at: usize| u32::from_be_bytes(plain[at..at + 4].try_into().expect("4 bytes"));
        let version = u16::from_be_bytes([plain[4], plain[5]]);
        let fits = crc32fast::hash(&plain[KEYS]) == checksum(8)
            && (version < 4 || crc32fast::hash(&plain[FIELDS]) == checksum(FIELDS.end));
        fits.then(|| Self {
            program,
            cascade,
            keys: copied(&plain[KEYS]),
            version,
            start: number(44),
            n_bytes: number(52),
        })
    }

    /// The place of the data.
    pub fn data(&self, there: u64) -> Result<Range<u64>> {
        if self.version < 4 {
            return Err(Error::Unsupported("the format of TrueCrypt before 6.0".into()));
        }
        let end = self.start.checked_add(self.n_bytes).filter(|&end| end <= there);
        let end = end.ok_or(Error::Truncated { what: "data" })?;
        if !self.start.is_multiple_of(512) || !self.n_bytes.is_multiple_of(512) {
            return Err(Error::Unsupported("data that are no whole sectors".into()));
        }
        Ok(self.start..end)
    }
}
