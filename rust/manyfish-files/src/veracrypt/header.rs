// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The header of a volume: a salt, then 448 encrypted bytes, big-endian \[VeraCrypt, Volume Format\]; before TrueCrypt 6.0
//! shorter and without a place of the data \[TC43\].

use std::fmt;
use std::ops::Range;

use super::cascade::{CASCADES, Cascade};
use super::legacy;
use crate::kdf::{Secret, copied};
use crate::sectors::DiskCipher;
use crate::{Error, Result};

pub const HEADER_BYTES: usize = 512;
pub const SALT_BYTES: usize = 64;
/// The place of a hidden volume's header before TrueCrypt 6.0, from the end.
pub const HIDDEN_BEFORE_END: u64 = 1536;
const UNIT: u64 = 512;
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

/// The mode of the ciphers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Xts,
    Lrw,
    Cbc,
}

impl Mode {
    /// Each; VeraCrypt has the first alone.
    pub const ALL: [Self; 3] = [Self::Xts, Self::Lrw, Self::Cbc];

    pub fn name(self) -> &'static str {
        match self {
            Self::Xts => "XTS",
            Self::Lrw => "LRW",
            Self::Cbc => "CBC",
        }
    }
}

/// A header that opened.
pub struct Header {
    pub program: Program,
    pub cascade: &'static Cascade,
    pub mode: Mode,
    keys: Secret,
    version: u16,
    hidden_bytes: u64,
    start: u64,
    n_bytes: u64,
}

/// Where the data lies, and the number of its first sector.
pub struct Data {
    pub place: Range<u64>,
    pub first_number: u64,
}

impl Header {
    /// Tries all cascades with a key; of TrueCrypt in each mode.
    pub fn open(sealed: &[u8], key: &Secret, modes: &[Mode]) -> Option<Self> {
        let forms = CASCADES.iter().flat_map(|cascade| modes.iter().map(move |m| (cascade, *m)));
        forms.into_iter().find_map(|(cascade, mode)| {
            let mut plain = copied(&sealed[SALT_BYTES..]);
            let n_bytes = plain.len();
            match mode {
                Mode::Xts => cascade.xts(key).decrypt(0, n_bytes, &mut plain),
                Mode::Lrw => legacy::lrw(cascade, key).decrypt(0, n_bytes, &mut plain),
                Mode::Cbc => legacy::cbc(cascade, key).decrypt_header(&mut plain),
            }
            Self::parse(cascade, mode, &plain)
        })
    }

    /// The cipher of the data.
    pub fn cipher(&self) -> Box<dyn DiskCipher> {
        match self.mode {
            Mode::Xts => self.cascade.xts(&self.keys),
            Mode::Lrw => legacy::lrw(self.cascade, &self.keys),
            Mode::Cbc => Box::new(legacy::cbc(self.cascade, &self.keys)),
        }
    }

    fn parse(cascade: &'static Cascade, mode: Mode, plain: &[u8]) -> Option<Self> {
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
            mode,
            keys: copied(&plain[KEYS]),
            version,
            hidden_bytes: number(28),
            start: number(44),
            n_bytes: number(52),
        })
    }

    /// The place of the data in a file of this length.
    pub fn data(&self, there: u64, is_hidden: bool) -> Result<Data> {
        let truncated = || Error::Truncated { what: "data" };
        let place = match (self.version, is_hidden) {
            (4.., _) => Some(self.start).zip(self.start.checked_add(self.n_bytes)),
            (_, false) => Some((UNIT, there)),
            (_, true) => {
                let end = there.checked_sub(HIDDEN_BEFORE_END);
                end.and_then(|end| end.checked_sub(self.hidden_bytes)).zip(end)
            }
        };
        let (start, end) =
            place.filter(|&(start, end)| start <= end && end <= there).ok_or_else(truncated)?;
        if !start.is_multiple_of(UNIT) || !end.is_multiple_of(UNIT) {
            return Err(Error::Unknown(
                "data that are no whole sectors".into(),
                "VeraCrypt opens it",
            ));
        }
        let first_number = match self.mode {
            Mode::Xts => start / UNIT,
            Mode::Lrw => 0,
            Mode::Cbc => 1,
        };
        Ok(Data { place: start..end, first_number })
    }
}
