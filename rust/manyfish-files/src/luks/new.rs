// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! New volumes of LUKS version 2 \[LUKS2\], with one key slot.

use std::fmt;

use base64ct::{Base64, Encoding};
use manyfish::on_wiped_stack;
use serde_json::json;

use super::v2::{BACKUP_MAGIC, BINARY_BYTES, CHECKSUM};
use super::{Data, Digest, Luks, MAGIC, Slot};
use crate::kdf::{Secret, pbkdf2, random};
use crate::sectors::{Spec, UNIT};
use crate::{Error, Hash, Kdf, Result, Sink, Volume};

/// Two keys of 256 bits.
const KEY_BYTES: usize = 64;
const SALT_BYTES: usize = 32;
const STRIPES: usize = 4000;
/// One copy of the header; the second one follows it, then the key slots, then the data, as cryptsetup has them.
const HEADER_BYTES: usize = 16 << 10;
const SLOTS_OFFSET: u64 = 2 * HEADER_BYTES as u64;
const DATA_OFFSET: u64 = 16 << 20;
const MODE: &str = "xts-plain64";
const HASH: &str = "sha256";
/// The volume key is random: these add nothing to its strength.
const DIGEST_ITERATIONS: u32 = 1000;

/// The cipher of a new volume, in XTS under two keys of 256 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Cipher {
    #[default]
    Aes,
    Twofish,
}

/// The properties of a new volume.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct New {
    /// Its cipher.
    pub cipher: Cipher,
    /// The memory that Argon2id takes, in KiB.
    pub memory: u32,
    /// Its passes over the memory.
    pub passes: u32,
}

impl Default for New {
    /// Two seconds of an ordinary core, as cryptsetup takes.
    fn default() -> Self {
        Self { cipher: Cipher::Aes, memory: 512 << 10, passes: 4 }
    }
}

impl New {
    /// The length of header and key slots, in bytes; the data follow.
    pub const HEADER_BYTES: u64 = DATA_OFFSET;

    /// Makes a volume of a disk, up to whose end it goes. The old content is lost.
    pub fn create<S: Sink>(&self, disk: S, passphrase: &[u8]) -> Result<Volume<S>> {
        on_wiped_stack(|| {
            let key = random(KEY_BYTES)?;
            let luks = self.luks(&key)?;
            luks.slots[0].seal(&disk, &key, passphrase)?;
            for (place, magic) in [(0, MAGIC), (HEADER_BYTES, BACKUP_MAGIC)] {
                let header = luks.header(place as u64, magic)?;
                disk.write_all_at(&header, place as u64).map_err(Error::Write)?;
            }
            luks.volume(disk, &key)
        })
    }

    fn luks(&self, key: &Secret) -> Result<Luks> {
        let spec = Spec::parse(&self.cipher.to_string(), MODE)?;
        let salt = random(SALT_BYTES)?.to_vec();
        let kdf =
            Kdf::Argon2 { is_id: true, passes: self.passes, memory: self.memory, lanes: 4, salt };
        let slot = Slot {
            number: 0,
            volume_key_bytes: KEY_BYTES,
            kdf,
            spec: spec.clone(),
            key_bytes: KEY_BYTES,
            offset: SLOTS_OFFSET,
            stripes: STRIPES,
            mixed_by: Hash::named(HASH)?,
            digest: Digest::of(key)?,
        };
        let data = Data { offset: DATA_OFFSET, n_bytes: None, sector_bytes: UNIT, first_number: 0 };
        let (version, from_backup, uuid, key_bytes) = (2, false, uuid()?, KEY_BYTES);
        let (slots, skipped) = (vec![slot], vec![]);
        Ok(Luks { version, from_backup, uuid, spec, key_bytes, slots, skipped, data })
    }
}

impl Digest {
    fn of(key: &Secret) -> Result<Self> {
        let (hash, salt) = (Hash::named(HASH)?, random(SALT_BYTES)?.to_vec());
        let mut value = vec![0; hash.bytes()];
        pbkdf2(hash, key, &salt, DIGEST_ITERATIONS, &mut value);
        Ok(Self { hash, iterations: DIGEST_ITERATIONS, salt, value })
    }
}

impl Luks {
    /// A copy of the header for this place [LUKS2, 2].
    fn header(&self, place: u64, magic: [u8; 6]) -> Result<Vec<u8>> {
        let mut header = vec![0; HEADER_BYTES];
        let json = self.json().to_string();
        let salt = random(64)?;
        let fields: [(usize, &[u8]); 9] = [
            (0, &magic),
            (6, &self.version.to_be_bytes()),
            (8, &(HEADER_BYTES as u64).to_be_bytes()),
            (0x10, &1_u64.to_be_bytes()),
            (0x48, HASH.as_bytes()),
            (0x68, &salt),
            (0xa8, self.uuid.as_bytes()),
            (0x100, &place.to_be_bytes()),
            (BINARY_BYTES, json.as_bytes()),
        ];
        for (at, field) in fields {
            header[at..at + field.len()].copy_from_slice(field);
        }
        let checksum = Hash::named(HASH)?.of(&[&header]);
        header[CHECKSUM][..checksum.len()].copy_from_slice(&checksum);
        Ok(header)
    }

    /// [LUKS2, 3]; numbers of 64 bits are text there.
    fn json(&self) -> serde_json::Value {
        let slot = &self.slots[0];
        let Kdf::Argon2 { passes, memory, lanes, salt, .. } = &slot.kdf else {
            unreachable!("a new slot has Argon2")
        };
        let slot_bytes = (slot.stripes * self.key_bytes).next_multiple_of(4096);
        json!({
            "keyslots": {"0": {
                "type": "luks2",
                "key_size": self.key_bytes,
                "af": {"type": "luks1", "stripes": slot.stripes, "hash": HASH},
                "area": {
                    "type": "raw",
                    "offset": slot.offset.to_string(),
                    "size": slot_bytes.to_string(),
                    "encryption": slot.spec.to_string(),
                    "key_size": slot.key_bytes,
                },
                "kdf": {
                    "type": "argon2id",
                    "time": passes,
                    "memory": memory,
                    "cpus": lanes,
                    "salt": Base64::encode_string(salt),
                },
            }},
            "tokens": {},
            "segments": {"0": {
                "type": "crypt",
                "offset": self.data.offset.to_string(),
                "size": "dynamic",
                "iv_tweak": self.data.first_number.to_string(),
                "encryption": self.spec.to_string(),
                "sector_size": self.data.sector_bytes,
            }},
            "digests": {"0": {
                "type": "pbkdf2",
                "keyslots": ["0"],
                "segments": ["0"],
                "hash": HASH,
                "iterations": slot.digest.iterations,
                "salt": Base64::encode_string(&slot.digest.salt),
                "digest": Base64::encode_string(&slot.digest.value),
            }},
            "config": {
                "json_size": (HEADER_BYTES - BINARY_BYTES).to_string(),
                "keyslots_size": (DATA_OFFSET - SLOTS_OFFSET).to_string(),
            },
        })
    }
}

/// A random one [RFC9562, 5.4].
fn uuid() -> Result<String> {
    let mut octets = random(16)?;
    octets[6] = octets[6] & 0x0f | 0x40;
    octets[8] = octets[8] & 0x3f | 0x80;
    let mut text = base16ct::lower::encode_string(&octets);
    for place in [20, 16, 12, 8] {
        text.insert(place, '-');
    }
    Ok(text)
}

/// As dm-crypt names it.
impl fmt::Display for Cipher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Aes => "aes",
            Self::Twofish => "twofish",
        })
    }
}
