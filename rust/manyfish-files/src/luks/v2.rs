// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Headers of version 2 \[LUKS2, 2, 3\]: a binary one with a checksum, then JSON; both twice.

use std::collections::BTreeMap;

use base64ct::{Base64, Encoding};
use serde::Deserialize;

use super::{Data, Digest, Luks, MAGIC, Skipped, Slot, WHAT, checked_key_bytes, damaged};
use crate::error::unknown_in_luks;
use crate::kdf::Kdf;
use crate::sectors::Spec;
use crate::source::read;
use crate::{Error, Hash, Result, Source};

pub const BINARY_BYTES: usize = 4096;
pub const BACKUP_MAGIC: [u8; 6] = *b"SKUL\xba\xbe";
/// The sizes of a header, which are the places of the second one.
const SIZES: [u64; 9] =
    [16 << 10, 32 << 10, 64 << 10, 128 << 10, 256 << 10, 512 << 10, 1 << 20, 2 << 20, 4 << 20];
/// cryptsetup makes no more. Each costs time, even without iterations.
const MOST_SLOTS: usize = 32;
pub const CHECKSUM: std::ops::Range<usize> = 0x1c0..0x200;

pub fn read_header(header: &impl Source) -> Result<Luks> {
    let first = copy_at(header, 0, MAGIC);
    match first {
        Err(Error::Damaged(_) | Error::Truncated { .. }) => match read_backup(header) {
            Err(Error::NotLuks) => first,
            found => found,
        },
        _ => first,
    }
}

/// The second copy. [`Error::NotLuks`] if there is none, or a damaged one.
pub fn read_backup(header: &impl Source) -> Result<Luks> {
    let copies = SIZES.iter().map(|&place| copy_at(header, place, BACKUP_MAGIC));
    // A place that cannot be read tells nothing of what the rest is.
    let absent = |error: &Error| {
        use Error::{Damaged, NotLuks, Read, Truncated};
        matches!(error, NotLuks | Damaged(_) | Truncated { .. } | Read(_))
    };
    let mut found = copies.filter(|copy| !copy.as_ref().is_err_and(absent));
    let luks = found.next().unwrap_or(Err(Error::NotLuks))?;
    Ok(Luks { from_backup: true, ..luks })
}

fn copy_at(header: &impl Source, place: u64, magic: [u8; 6]) -> Result<Luks> {
    let mut binary = [0; BINARY_BYTES];
    read(header, &mut binary, place, WHAT)?;
    if !binary.starts_with(&magic) || binary[6..8] != [0, 2] {
        return Err(Error::NotLuks);
    }
    let number = |at: usize| u64::from_be_bytes(binary[at..at + 8].try_into().expect("8 octets"));
    let (n_bytes, own_place) = (number(8), number(0x100));
    if !SIZES.contains(&n_bytes) || own_place != place {
        return Err(damaged(format!("it has {n_bytes} bytes at {own_place}")));
    }
    let mut whole = vec![0; usize::try_from(n_bytes).expect("at most 4 MiB")];
    read(header, &mut whole, place, WHAT)?;
    let hash = Hash::named(&text(&whole[0x48..0x68]))?;
    let checksum = whole[CHECKSUM].to_vec();
    whole[CHECKSUM].fill(0);
    if !checksum.starts_with(&hash.of(&[&whole])) {
        return Err(damaged("its checksum is wrong"));
    }
    let json = whole[BINARY_BYTES..].split(|&octet| octet == 0).next().unwrap_or_default();
    let json: Json = serde_json::from_slice(json)
        .map_err(|error| damaged(format!("its JSON is wrong at byte {}", error.column())))?;
    json.luks(text(&whole[0xa8..0xd0]))
}

/// A string up to its first zero, as far as it is text.
fn text(field: &[u8]) -> String {
    let text = field.split(|&octet| octet == 0).next().unwrap_or_default();
    text.iter().filter(|octet| octet.is_ascii_graphic()).map(|&octet| char::from(octet)).collect()
}

#[derive(Deserialize)]
struct Json {
    /// Each is parsed alone, since others may open where one is unknown.
    keyslots: BTreeMap<String, serde_json::Value>,
    segments: BTreeMap<String, Segment>,
    digests: BTreeMap<String, JsonDigest>,
    #[serde(default)]
    config: Config,
}

#[derive(Default, Deserialize)]
struct Config {
    #[serde(default)]
    requirements: Requirements,
}

/// Properties that a program must know before it opens the volume [LUKS2, 3.6].
#[derive(Default, Deserialize)]
struct Requirements {
    #[serde(default)]
    mandatory: Vec<String>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Keyslot {
    Luks2 {
        key_size: usize,
        af: Af,
        area: Area,
        kdf: JsonKdf,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Af {
    stripes: usize,
    hash: String,
}

#[derive(Deserialize)]
struct Area {
    offset: String,
    encryption: Option<String>,
    key_size: Option<usize>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum JsonKdf {
    Pbkdf2 { hash: String, iterations: u32, salt: String },
    Argon2i { time: u32, memory: u32, cpus: u32, salt: String },
    Argon2id { time: u32, memory: u32, cpus: u32, salt: String },
}

#[derive(Deserialize)]
struct Segment {
    r#type: String,
    offset: String,
    size: String,
    encryption: Option<String>,
    iv_tweak: Option<String>,
    sector_size: Option<usize>,
    integrity: Option<serde::de::IgnoredAny>,
    #[serde(default)]
    flags: Vec<String>,
}

#[derive(Deserialize)]
struct JsonDigest {
    r#type: String,
    keyslots: Vec<String>,
    segments: Vec<String>,
    hash: String,
    iterations: u32,
    salt: String,
    digest: String,
}

impl Json {
    fn luks(&self, uuid: String) -> Result<Luks> {
        if self.keyslots.len() > MOST_SLOTS {
            return Err(damaged(format!("it has {} key slots", self.keyslots.len())));
        }
        let (name, segment) = self.segment()?;
        match self.config.requirements.mandatory.first() {
            Some(name) if name.contains("reencrypt") => return Err(unfinished()),
            Some(name) => return Err(unknown_in_luks(format!("the requirement {name:?}"))),
            None => {}
        }
        let spec = parsed(segment.encryption.as_deref())?;
        let (slots, skipped) = self.slots(name, &spec)?;
        let key_bytes = slots[0].volume_key_bytes;
        let data = segment.data()?;
        Ok(Luks { version: 2, from_backup: false, uuid, spec, key_bytes, slots, skipped, data })
    }

    /// The key slots of a segment under this cipher: those that can be tried, and those that cannot.
    fn slots(&self, segment: &String, spec: &Spec) -> Result<(Vec<Slot>, Vec<Skipped>)> {
        let (mut slots, mut skipped) = (Vec::new(), Vec::new());
        for (name, keyslot) in &self.keyslots {
            let digest = self
                .digests
                .values()
                .find(|digest| digest.segments.contains(segment) && digest.keyslots.contains(name));
            // Slots without a segment hold other keys, or none.
            let Some(digest) = digest else { continue };
            let number = name.parse().map_err(|_| damaged("a key slot has no number"))?;
            match slot(number, keyslot, digest, spec) {
                Ok(slot) => slots.push(slot),
                Err(error) => skipped.push((number, error)),
            }
        }
        if slots.is_empty() {
            return Err(skipped.into_iter().next().map_or(Error::NoSlot, |(_, error)| error));
        }
        Ok((slots, skipped.into_iter().map(Skipped::from).collect()))
    }

    /// The segment of the data, with its name.
    fn segment(&self) -> Result<(&String, &Segment)> {
        let current =
            |segment: &Segment| !segment.flags.iter().any(|flag| flag.starts_with("backup"));
        let mut segments = self.segments.iter().filter(|(_, segment)| current(segment));
        match (segments.next(), segments.next()) {
            (Some((_, segment)), None) if segment.integrity.is_some() => {
                Err(unknown_in_luks("an integrity mode"))
            }
            (Some((name, segment)), None) if segment.r#type == "crypt" => Ok((name, segment)),
            (Some(_), None) => Err(unknown_in_luks("a segment that is not encrypted")),
            (Some(_), Some(_)) => Err(unfinished()),
            (None, _) => Err(damaged("it has no segment")),
        }
    }
}

impl Segment {
    fn data(&self) -> Result<Data> {
        let sector_bytes = self.sector_size.unwrap_or(512);
        if ![512, 1024, 2048, 4096].contains(&sector_bytes) {
            return Err(damaged(format!("it has sectors of {sector_bytes} bytes")));
        }
        let n_bytes = match self.size.as_str() {
            "dynamic" => None,
            size => Some(number(size)?),
        };
        let first_number = self.iv_tweak.as_deref().map_or(Ok(0), number)?;
        Ok(Data { offset: number(&self.offset)?, n_bytes, sector_bytes, first_number })
    }
}

/// A slot that can be tried.
fn slot(
    number: u32,
    keyslot: &serde_json::Value,
    digest: &JsonDigest,
    spec: &Spec,
) -> Result<Slot> {
    let Ok(Keyslot::Luks2 { key_size, af, area, kdf }) = Keyslot::deserialize(keyslot) else {
        return Err(unknown_in_luks("a key slot of another form"));
    };
    let slot = Slot {
        number,
        volume_key_bytes: checked_key_bytes(spec, key_size)?,
        kdf: kdf.kdf()?,
        spec: parsed(area.encryption.as_deref()).map_err(of_slot)?,
        key_bytes: area.key_size.ok_or_else(|| damaged("a key slot has no key size"))?,
        offset: self::number(&area.offset)?,
        stripes: af.stripes,
        mixed_by: Hash::named(&af.hash)?,
        digest: digest.digest()?,
    };
    slot.check()
}

/// The error says more of the cipher of a volume.
fn of_slot(error: Error) -> Error {
    match error {
        Error::Cipher(name) => unknown_in_luks(format!("the cipher {name} for a key slot")),
        other => other,
    }
}

impl JsonDigest {
    fn digest(&self) -> Result<Digest> {
        if self.r#type != "pbkdf2" {
            return Err(unknown_in_luks(format!("a digest of type {:?}", self.r#type)));
        }
        let digest = Digest {
            hash: Hash::named(&self.hash)?,
            iterations: self.iterations,
            salt: octets(&self.salt)?,
            value: octets(&self.digest)?,
        };
        if digest.iterations == 0 || !(1..=64).contains(&digest.value.len()) {
            return Err(damaged("a digest has no iterations or a wrong length"));
        }
        Ok(digest)
    }
}

impl JsonKdf {
    fn kdf(&self) -> Result<Kdf> {
        let argon2 = |is_id, &passes, &memory, &lanes, salt| {
            Ok(Kdf::Argon2 { is_id, passes, memory, lanes, salt: octets(salt)? })
        };
        match self {
            Self::Pbkdf2 { hash, iterations, salt } => Ok(Kdf::Pbkdf2 {
                hash: Hash::named(hash)?,
                iterations: *iterations,
                salt: octets(salt)?,
            }),
            Self::Argon2i { time, memory, cpus, salt } => argon2(false, time, memory, cpus, salt),
            Self::Argon2id { time, memory, cpus, salt } => argon2(true, time, memory, cpus, salt),
        }
    }
}

fn unfinished() -> Error {
    unknown_in_luks("a reencryption that is not finished")
}

/// "twofish-xts-plain64"
fn parsed(encryption: Option<&str>) -> Result<Spec> {
    let name = encryption.ok_or_else(|| damaged("a cipher is missing"))?;
    let (cipher, mode) = name.split_once('-').unwrap_or((name, ""));
    Spec::parse(cipher, mode)
}

fn number(text: &str) -> Result<u64> {
    text.parse().map_err(|_| damaged(format!("{text:?} is no number")))
}

fn octets(base64: &str) -> Result<Vec<u8>> {
    Base64::decode_vec(base64).map_err(|_| damaged("a salt or digest is not in base64"))
}
