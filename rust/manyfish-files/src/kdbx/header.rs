// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The outer header of a KeePass database: cipher and cost, which it tells without its passphrase.

use std::collections::BTreeMap;
use std::fmt;

use manyfish_openpgp::Limits;

use crate::kdf::{count, write_argon2};
use crate::{Error, Result};

const MAGIC: [u8; 4] = [0x03, 0xd9, 0xa2, 0x9a];
/// The second word: KDB of KeePass 1, KDBX of KeePass 2.
const KDB: u64 = 0xb54b_fb65;
const KDBX: u64 = 0xb54b_fb67;

/// Fields of KDBX.
const END: u8 = 0;
const CIPHER: u8 = 2;
const ROUNDS: u8 = 6;
const KDF: u8 = 11;

const CIPHERS: [(&str, &str); 3] = [
    ("31c1f2e6bf714350be5805216afc5aff", "AES-256"),
    ("ad68f29f576f4bb9a36ad47af965346c", "Twofish"),
    ("d6038a2b8b6f4cb5a524339a31dbb59a", "ChaCha20"),
];
const KDFS: [(&str, &str); 4] = [
    ("c9d9f39a628a4460bf740d08c18a4fea", AES),
    ("7c02bb8279a74ac0927d114a00648238", AES),
    ("ef636ddf8c29444b91f7a9a403e30a0c", "Argon2d"),
    ("9e298b1956db4773b23dfc3ec6f0a1e6", "Argon2id"),
];
const AES: &str = "AES";
/// The crate keepass starts a thread for each.
const MOST_LANES: u64 = 255;

/// The parts that matter before the passphrase is tried.
#[derive(Debug)]
pub struct Header<'a> {
    /// "KDBX 4.1".
    pub format: String,
    pub cipher: &'static str,
    pub kdf: Kdf,
    /// The octets of KDBX 3 whose hash may stand in the encrypted part. (KDBX 4 has an HMAC in front.)
    pub hashed: Option<&'a [u8]>,
}

/// A function that makes a key of a passphrase.
#[derive(Debug)]
pub enum Kdf {
    /// AES encrypts 32 bytes this often.
    Aes { rounds: u64 },
    /// Memory in bytes.
    Argon2 { name: &'static str, passes: u64, memory: u64, lanes: u64 },
}

impl<'a> Header<'a> {
    pub fn begins(beginning: &[u8]) -> bool {
        beginning.starts_with(&MAGIC)
            && number(beginning.get(4..8)).is_some_and(|word| [KDB, KDBX].contains(&word))
    }

    pub fn read(file: &'a [u8]) -> Result<Self> {
        match number(file.get(4..8)) {
            Some(word) if word == KDB => kdb(file),
            _ => kdbx(file),
        }
    }
}

/// KeePass 1: fields of fixed places.
fn kdb(file: &[u8]) -> Result<Header<'_>> {
    let word = |at: usize| number(file.get(at..at + 4)).ok_or(TRUNCATED);
    let cipher = match word(8)? {
        flags if flags & 2 != 0 => "AES-256",
        flags if flags & 8 != 0 => "Twofish",
        flags => return Err(unknown(&format!("another cipher (flags {flags})"))),
    };
    Ok(Header { format: "KDB".into(), cipher, kdf: Kdf::Aes { rounds: word(120)? }, hashed: None })
}

/// KeePass 2: fields with numbers and lengths.
fn kdbx(file: &[u8]) -> Result<Header<'_>> {
    let version = |at: usize| number(file.get(at..at + 2)).ok_or(TRUNCATED);
    let (minor, major) = (version(8)?, version(10)?);
    let (fields, behind) = match major {
        3 => fields(&file[12..], 2)?,
        4 => fields(&file[12..], 4)?,
        _ => return Err(unknown(&format!("version {major} of its format"))),
    };
    let field = |kind: u8| fields.get(&kind).copied().ok_or_else(|| damaged("a field is missing"));
    let kdf = match major {
        3 => Kdf::Aes { rounds: number(Some(field(ROUNDS)?)).ok_or_else(bad_kdf)? },
        _ => dictionary(field(KDF)?)?,
    };
    let cipher = named("the cipher", &CIPHERS, field(CIPHER)?)?;
    let hashed = (major == 3).then(|| &file[..file.len() - behind.len()]);
    Ok(Header { format: format!("KDBX {major}.{minor}"), cipher, kdf, hashed })
}

type Fields<'a> = BTreeMap<u8, &'a [u8]>;

/// All fields up to the last one, and what follows. Their lengths are numbers of `length_bytes`. A field that comes
/// twice would be read in one way here, and maybe in another one elsewhere.
fn fields(mut rest: &[u8], length_bytes: usize) -> Result<(Fields<'_>, &[u8])> {
    let mut fields = Fields::new();
    loop {
        let (kind, data, behind) = field(rest, length_bytes).ok_or(TRUNCATED)?;
        match kind {
            END => return Ok((fields, behind)),
            _ if fields.insert(kind, data).is_some() => {
                return Err(damaged("a field comes twice"));
            }
            _ => rest = behind,
        }
    }
}

/// Its kind, its content, and what follows.
fn field(octets: &[u8], length_bytes: usize) -> Option<(u8, &[u8], &[u8])> {
    let (&kind, rest) = octets.split_first()?;
    let (length, rest) = rest.split_at_checked(length_bytes)?;
    let (data, rest) = rest.split_at_checked(usize::try_from(number(Some(length))?).ok()?)?;
    Some((kind, data, rest))
}

/// The numbers of a KDF in KDBX 4: a version, then types, names and values up to a zero.
fn dictionary(octets: &[u8]) -> Result<Kdf> {
    let mut values = BTreeMap::new();
    let mut rest = octets.get(2..).ok_or_else(bad_kdf)?;
    while rest.first().is_some_and(|kind| *kind != 0) {
        let (_, name, behind) = field(rest, 4).ok_or_else(bad_kdf)?;
        // A value begins with its length: as a field does behind its kind.
        let with_kind = &rest[rest.len() - behind.len() - 1..];
        let (_, value, behind) = field(with_kind, 4).ok_or_else(bad_kdf)?;
        if values.insert(name, value).is_some() {
            return Err(bad_kdf());
        }
        rest = behind;
    }
    let value = |name: &str| values.get(name.as_bytes()).copied();
    let of = |name| number(value(name)).ok_or_else(bad_kdf);
    let uuid = value("$UUID").ok_or_else(bad_kdf)?;
    match named("the key derivation", &KDFS, uuid)? {
        AES => Ok(Kdf::Aes { rounds: of("R")? }),
        _ if of("P")? > MOST_LANES => Err(unknown(&format!("Argon2 with {} lanes", of("P")?))),
        name => Ok(Kdf::Argon2 { name, passes: of("I")?, memory: of("M")?, lanes: of("P")? }),
    }
}

/// A number of up to 8 octets, the last of which counts most.
fn number(octets: Option<&[u8]>) -> Option<u64> {
    let octets = octets.filter(|octets| octets.len() <= 8)?;
    Some(octets.iter().rev().fold(0, |number, octet| number << 8 | u64::from(*octet)))
}

fn named(what: &str, table: &[(&str, &'static str)], uuid: &[u8]) -> Result<&'static str> {
    let digits = base16ct::lower::encode_string(&uuid[..uuid.len().min(16)]);
    let found = table.iter().find(|(known, _)| *known == digits);
    found.map(|(_, name)| *name).ok_or_else(|| unknown(&format!("{what} {digits}")))
}

const TRUNCATED: Error = Error::Truncated { what: "database" };

fn damaged(problem: &str) -> Error {
    Error::DamagedDatabase(problem.into())
}

fn bad_kdf() -> Error {
    damaged("the numbers of its key derivation make no sense")
}

pub fn unknown(what: &str) -> Error {
    Error::Unknown(what.into(), "KeePass opens it")
}

impl Kdf {
    /// A round of AES counts as a hash of as many bytes.
    pub fn cost(&self) -> Limits {
        match *self {
            Self::Aes { rounds } => Limits::hash(rounds.saturating_mul(32)),
            Self::Argon2 { passes, memory, .. } => Limits::argon2(memory >> 10, passes),
        }
    }
}

impl fmt::Display for Kdf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Aes { rounds } => write!(f, "AES, {}", count(*rounds, "round")),
            Self::Argon2 { name, passes, memory, lanes } => {
                write_argon2(f, name, *passes, *lanes, memory >> 10)
            }
        }
    }
}
