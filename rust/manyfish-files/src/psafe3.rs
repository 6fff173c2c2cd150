// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Safes of Password Safe, version 3 \[PasswordSafe\]: stretched passphrase, Twofish in CBC, HMAC over all fields. Nothing of a
//! safe can be read before its HMAC has proved right.

use digest::KeyInit;
use hmac::{Hmac, Mac};
use manyfish::modes::{cbc, ecb};
use manyfish::{Twofish, on_wiped_stack};
use manyfish_openpgp::Limits;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::kdf::{Secret, copied};
use crate::{Error, Result};

const MAGIC: &[u8] = b"PWS3";
const END: &[u8; 16] = b"PWS3-EOFPWS3-EOF";
const BLOCK: usize = 16;
const HEAD_BYTES: usize = 4 + 32 + 4 + 32 + 64 + 16;
/// Ends a header or an entry.
const END_OF_ENTRY: u8 = 0xff;
/// Length and kind of a field.
const FIELD_HEAD_BYTES: usize = 5;

/// A safe as it lies on the disk.
#[derive(Debug)]
pub struct Sealed<'a> {
    salt: &'a [u8],
    iterations: u32,
    digest: &'a [u8],
    keys: &'a [u8],
    iv: [u8; BLOCK],
    fields: &'a [u8],
    hmac: &'a [u8],
}

impl<'a> Sealed<'a> {
    /// Whether a file begins as a safe does.
    #[must_use]
    pub fn is_one(beginning: &[u8]) -> bool {
        beginning.starts_with(MAGIC)
    }

    /// The parts of a file.
    pub fn read(file: &'a [u8]) -> Result<Self> {
        if !Self::is_one(file) {
            return Err(Error::Unsupported("another format than that of Password Safe 3".into()));
        }
        let (head, rest) = file.split_at_checked(HEAD_BYTES).ok_or(TRUNCATED)?;
        let end = rest.chunks_exact(BLOCK).position(|block| block == END).ok_or(TRUNCATED)?;
        let hmac = rest.get((end + 1) * BLOCK..).unwrap_or_default();
        match hmac.len() {
            0..32 => return Err(TRUNCATED),
            32 => {}
            _ => return Err(damaged("bytes behind its end")),
        }
        Ok(Self {
            salt: &head[4..36],
            iterations: u32::from_le_bytes(head[36..40].try_into().expect("4 bytes")),
            digest: &head[40..72],
            keys: &head[72..136],
            iv: head[136..].try_into().expect("16 bytes"),
            fields: &rest[..end * BLOCK],
            hmac,
        })
    }

    /// The cost of trying a passphrase.
    #[must_use]
    pub fn asks_for(&self) -> Limits {
        Limits::hash(64 * u64::from(self.iterations))
    }

    /// How often SHA-256 stretches the passphrase.
    #[must_use]
    pub fn iterations(&self) -> u32 {
        self.iterations
    }

    /// Opens it. [`Error::OverLimits`] comes before any work.
    pub fn open(&self, passphrase: &[u8], limits: &Limits) -> Result<Safe> {
        let asked = self.asks_for();
        if !limits.allow(&asked) {
            return Err(Error::OverLimits { asked, limits: *limits });
        }
        on_wiped_stack(|| self.open_wiped(passphrase))
    }

    fn open_wiped(&self, passphrase: &[u8]) -> Result<Safe> {
        let stretched = self.stretch(passphrase);
        if *Sha256::digest(&stretched) != *self.digest {
            return Err(Error::WrongPassphrase);
        }
        let mut keys = copied(self.keys);
        ecb::decrypt(&twofish(&stretched), &mut keys).expect("whole blocks");
        let (data_key, hmac_key) = keys.split_at(32);
        let mut fields = Zeroizing::new(self.fields.to_vec());
        let mut iv = self.iv;
        cbc::decrypt(&twofish(data_key), &mut iv, &mut fields).expect("whole blocks");
        let mut hmac = Hmac::<Sha256>::new_from_slice(hmac_key).expect("a key of any length");
        for field in Fields(&fields) {
            hmac.update(field.ok_or_else(|| damaged("a field that reaches beyond its end"))?.data);
        }
        hmac.verify_slice(self.hmac).map_err(|_| damaged("its content was altered"))?;
        Ok(Safe(fields))
    }

    fn stretch(&self, passphrase: &[u8]) -> Secret {
        let mut digest = Sha256::new().chain_update(passphrase).chain_update(self.salt).finalize();
        for _ in 0..self.iterations {
            digest = Sha256::digest(digest);
        }
        copied(&digest)
    }
}

const TRUNCATED: Error = Error::Truncated { what: "safe" };

fn damaged(problem: &str) -> Error {
    Error::DamagedSafe(problem.into())
}

fn twofish(key: &[u8]) -> Twofish {
    Twofish::new(key).expect("a key of 32 bytes")
}

/// An opened safe, whose HMAC was right.
pub struct Safe(Zeroizing<Vec<u8>>);

impl Safe {
    /// Its entries, in their order.
    pub fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        let mut fields = Fields(&self.0);
        let is_in_header = |field: Option<Field>| field.is_some_and(|f| f.kind != END_OF_ENTRY);
        while fields.next().is_some_and(is_in_header) {}
        Entries(fields)
    }
}

/// Shows no secret.
impl std::fmt::Debug for Safe {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Safe").finish_non_exhaustive()
    }
}

/// An entry: a password, and what belongs to it.
#[derive(Clone)]
pub struct Entry<'a>(Vec<Field<'a>>);

impl<'a> Entry<'a> {
    /// Its fields.
    #[must_use]
    pub fn fields(&self) -> &[Field<'a>] {
        &self.0
    }

    /// The text of a field of this kind; "" if there is none.
    #[must_use]
    pub fn text(&self, kind: Kind) -> &'a str {
        let field = self.0.iter().find(|field| field.kind == kind as u8);
        field.and_then(|field| str::from_utf8(field.data).ok()).unwrap_or_default()
    }
}

/// Shows no secret.
impl std::fmt::Debug for Entry<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Entry").finish_non_exhaustive()
    }
}

/// A field of an entry.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Field<'a> {
    /// Its kind, as the format numbers them.
    pub kind: u8,
    /// Text in UTF-8, a time, a UUID, by its kind.
    pub data: &'a [u8],
}

/// Shows no secret.
impl std::fmt::Debug for Field<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Field").field("kind", &self.kind).finish_non_exhaustive()
    }
}

/// The kinds that are text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the format")]
#[repr(u8)]
pub enum Kind {
    Group = 2,
    Title = 3,
    User = 4,
    Notes = 5,
    Password = 6,
    Url = 13,
    Autotype = 14,
    RunCommand = 18,
    Email = 20,
}

/// Fields up to the end; `None` inside if the last one is longer than what is there.
struct Fields<'a>(&'a [u8]);

impl<'a> Iterator for Fields<'a> {
    type Item = Option<Field<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = first_field(self.0);
        self.0 = field.map_or(&[], |(_, rest)| rest);
        Some(field.map(|(field, _)| field))
    }
}

/// The first field, which fills whole blocks, and what follows.
fn first_field(octets: &[u8]) -> Option<(Field<'_>, &[u8])> {
    let (head, body) = octets.split_at_checked(FIELD_HEAD_BYTES)?;
    let (n_bytes, kind) = (u32::from_le_bytes(head[..4].try_into().ok()?), head[4]);
    let n_bytes = usize::try_from(n_bytes).ok()?;
    let data = body.get(..n_bytes)?;
    let padded = (FIELD_HEAD_BYTES + n_bytes).next_multiple_of(BLOCK);
    Some((Field { kind, data }, octets.get(padded..)?))
}

/// Entries up to the end; one that has no end is left out.
struct Entries<'a>(Fields<'a>);

impl<'a> Iterator for Entries<'a> {
    type Item = Entry<'a>;

    fn next(&mut self) -> Option<Entry<'a>> {
        let mut fields = Vec::new();
        loop {
            match self.0.next()?? {
                Field { kind: END_OF_ENTRY, .. } => return Some(Entry(fields)),
                field => fields.push(field),
            }
        }
    }
}
