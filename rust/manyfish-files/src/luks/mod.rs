// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Volumes of LUKS, which cryptsetup makes: version 1 \[LUKS1\] and version 2 \[LUKS2\].

mod anti_forensic;
mod new;
mod v1;
mod v2;

use std::sync::RwLock;

use manyfish::on_wiped_stack;
use manyfish_openpgp::Limits;

use crate::error::within;
use crate::kdf::{Secret, pbkdf2, secret};
use crate::sectors::{Spec, UNIT};
use crate::source::read;
use crate::{Error, Hash, Kdf, Result, Sink, Source, Volume};
use anti_forensic::{merge, split};

pub use new::{Cipher, New};

/// The beginning of each header.
const MAGIC: [u8; 6] = *b"LUKS\xba\xbe";
const WHAT: &str = "LUKS header";
/// cryptsetup has at most 512 bits of key in 4,000 stripes, which are 250 KiB.
const MOST_MATERIAL: usize = 4 << 20;
const MOST_KEY_BYTES: usize = 64;

/// The header of a volume, checked as far as that needs no passphrase.
#[derive(Clone, Debug)]
pub struct Luks {
    version: u16,
    from_backup: bool,
    uuid: String,
    spec: Spec,
    key_bytes: usize,
    slots: Vec<Slot>,
    skipped: Vec<Skipped>,
    data: Data,
}

/// A key slot that cannot be tried, and why.
#[derive(Clone, Debug)]
struct Skipped {
    number: u32,
    problem: String,
}

impl From<(u32, Error)> for Skipped {
    fn from((number, error): (u32, Error)) -> Self {
        Self { number, problem: error.to_string() }
    }
}

/// Where the encrypted data lies, in bytes.
#[derive(Clone, Debug)]
struct Data {
    offset: u64,
    /// `None`: up to the end.
    n_bytes: Option<u64>,
    sector_bytes: usize,
    first_number: u64,
}

/// A copy of the volume key, encrypted under a passphrase.
#[derive(Clone, Debug)]
struct Slot {
    number: u32,
    volume_key_bytes: usize,
    kdf: Kdf,
    /// The cipher of the key material, and the length of its key.
    spec: Spec,
    key_bytes: usize,
    offset: u64,
    stripes: usize,
    /// The hash that the stripes are mixed with.
    mixed_by: Hash,
    digest: Digest,
}

/// A hash by which the volume key is known.
#[derive(Clone, Debug)]
struct Digest {
    hash: Hash,
    iterations: u32,
    salt: Vec<u8>,
    value: Vec<u8>,
}

impl Luks {
    /// Reads a header, which may lie in a file apart from the data. If the first copy of a header of version 2 is
    /// damaged, the second one serves.
    pub fn read(header: &impl Source) -> Result<Self> {
        let mut beginning = [0; 8];
        read(header, &mut beginning, 0, WHAT)?;
        let version = u16::from_be_bytes([beginning[6], beginning[7]]);
        match (beginning.starts_with(&MAGIC), version) {
            (true, 1) => v1::read_header(header),
            (true, 2) => v2::read_header(header),
            (true, other) => Err(Error::Version(other)),
            // The first header may be overwritten.
            (false, _) => v2::read_backup(header),
        }
    }

    /// The cost of trying a passphrase on all slots.
    #[must_use]
    pub fn asks_for(&self) -> Limits {
        self.slots.iter().fold(Limits::NOTHING, |sum, slot| {
            let digest = slot.digest.kdf().cost(slot.digest.value.len());
            sum.and(slot.kdf.cost(slot.key_bytes)).and(digest)
        })
    }

    /// A description, a fact a line.
    #[must_use]
    pub fn describe(&self) -> Vec<String> {
        let backup = if self.from_backup { ", from the second copy of the header" } else { "" };
        let mut lines = vec![
            format!("LUKS version {}{backup}, UUID {}", self.version, self.uuid),
            format!("{}, a key of {} bits", self.spec, 8 * self.key_bytes),
            format!(
                "data from byte {} on, sectors of {} bytes",
                self.data.offset, self.data.sector_bytes
            ),
        ];
        lines.extend(
            self.slots.iter().map(|slot| format!("key slot {}: {}", slot.number, slot.kdf)),
        );
        lines.extend(self.skipped.iter().map(|Skipped { number, problem }| {
            format!("key slot {number} cannot be tried: {problem}")
        }));
        lines
    }

    /// Tries the passphrase on each slot, and opens the data. [`Error::OverLimits`] comes before any work. A slot that cannot be
    /// tried is an error only if no other one opens.
    pub fn open<S: Source>(
        &self,
        header: &impl Source,
        data: S,
        passphrase: &[u8],
        limits: &Limits,
    ) -> Result<Volume<S>> {
        within(self.asks_for(), limits)?;
        if self.slots.is_empty() {
            return Err(Error::NoSlot);
        }
        let mut failed = Vec::new();
        for slot in &self.slots {
            match on_wiped_stack(|| slot.open(header, passphrase)) {
                Ok(Some(key)) => return self.volume(data, &key),
                Ok(None) => {}
                Err(error) => failed.push((slot.number, error)),
            }
        }
        Err(self.refusal(failed))
    }

    /// The error if no slot opens, and these failed.
    fn refusal(&self, failed: Vec<(u32, Error)>) -> Error {
        let all_failed = failed.len() == self.slots.len();
        let mut failed = failed.into_iter();
        match failed.next() {
            Some((_, error)) if all_failed => error,
            failed => match failed.map(Skipped::from).as_ref().or(self.skipped.first()) {
                Some(Skipped { number, problem }) => Error::SlotSkipped(*number, problem.clone()),
                None => Error::WrongPassphrase,
            },
        }
    }

    /// For the fuzzer, which finds no key that fits.
    pub(crate) fn volume_of_any_key<S: Source>(&self, source: S) -> Result<Volume<S>> {
        self.volume(source, &secret(self.key_bytes))
    }

    fn volume<S: Source>(&self, source: S, key: &Secret) -> Result<Volume<S>> {
        let Data { offset, n_bytes, sector_bytes, first_number } = self.data;
        let truncated = || Error::Truncated { what: "data" };
        let there = source.n_bytes()?.checked_sub(offset).ok_or_else(truncated)?;
        let n_bytes = n_bytes.unwrap_or(there);
        if n_bytes > there {
            return Err(truncated());
        }
        let n_bytes = n_bytes - n_bytes % sector_bytes as u64;
        let cipher = on_wiped_stack(|| self.spec.with_key(key));
        let part = RwLock::default();
        Ok(Volume { source, cipher, offset, n_bytes, sector_bytes, first_number, part })
    }
}

impl Slot {
    /// The volume key, if the passphrase fits.
    fn open(&self, header: &impl Source, passphrase: &[u8]) -> Result<Option<Secret>> {
        let n_bytes = self.volume_key_bytes;
        let slot_key = self.kdf.derive(passphrase, self.key_bytes)?;
        let mut material = secret((n_bytes * self.stripes).next_multiple_of(UNIT));
        read(header, &mut material, self.offset, "key slot")?;
        self.spec.with_key(&slot_key).decrypt(0, UNIT, &mut material);
        let key = merge(&material[..n_bytes * self.stripes], n_bytes, self.mixed_by);
        Ok(self.digest.fits(&key).then_some(key))
    }

    /// Writes the volume key under a passphrase.
    fn seal(&self, disk: &impl Sink, key: &Secret, passphrase: &[u8]) -> Result<()> {
        let slot_key = self.kdf.derive(passphrase, self.key_bytes)?;
        let mut material = split(key, self.stripes, self.mixed_by)?;
        self.spec.with_key(&slot_key).encrypt(0, UNIT, &mut material);
        disk.write_all_at(&material, self.offset).map_err(Error::Write)
    }

    fn check(self) -> Result<Self> {
        let volume_key_bytes = self.volume_key_bytes;
        let is_key = self.spec.takes_key_of(self.key_bytes);
        let material = self.stripes.checked_mul(volume_key_bytes);
        let fits = (1..=MOST_MATERIAL).contains(&material.unwrap_or(usize::MAX));
        let wrong = match self.kdf {
            Kdf::Pbkdf2 { iterations: 0, .. } => Some("PBKDF2 with no iteration".to_owned()),
            _ if !is_key => Some(format!("{} with a key of {} bytes", self.spec, self.key_bytes)),
            _ if !fits => Some(format!("{} stripes of {volume_key_bytes} bytes", self.stripes)),
            _ => None,
        };
        wrong.map_or(Ok(self), |problem| Err(damaged(format!("a key slot has {problem}"))))
    }
}

impl Digest {
    fn kdf(&self) -> Kdf {
        Kdf::Pbkdf2 { hash: self.hash, iterations: self.iterations, salt: self.salt.clone() }
    }

    fn fits(&self, key: &Secret) -> bool {
        let mut found = vec![0; self.value.len()];
        pbkdf2(self.hash, key, &self.salt, self.iterations, &mut found);
        found == self.value
    }
}

/// A key length that the cipher of the data has.
fn checked_key_bytes(spec: &Spec, key_bytes: usize) -> Result<usize> {
    if key_bytes > MOST_KEY_BYTES || !spec.takes_key_of(key_bytes) {
        return Err(damaged(format!("{spec} with a key of {key_bytes} bytes")));
    }
    Ok(key_bytes)
}

fn damaged(problem: impl Into<String>) -> Error {
    Error::Damaged(problem.into())
}
