// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! String to key: how a passphrase becomes a key [RFC9580, 3.7]. Argon2id is written, and the iterated
//! hash where the older form is asked for; all the hashes are read, the weak ones only in the older forms.

use argon2::{Algorithm, Argon2, Block, Params, Version};
use ripemd::Ripemd160;
use sha1::Sha1;
use sha2::digest::Digest;
use sha2::{Sha224, Sha256, Sha384, Sha512};
use zeroize::Zeroizing;

use crate::algorithm::Hash;
use crate::error::{Error, Result};
use crate::key::{KEY_BYTES, Key, on_wiped_threads};
use crate::limits::Limits;
use crate::read::Fields;

/// The octets that an iterated hash takes at a time, about.
const PIECE_BYTES: usize = 8 << 10;

/// How a passphrase becomes a key [RFC9580, 3.7.1].
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "hash and salt are what they are called")]
pub enum S2k {
    /// One hash of the passphrase.
    Simple { hash: Hash },
    /// One hash of salt and passphrase.
    Salted { hash: Hash, salt: [u8; 8] },
    /// A hash of both over and over; [`iterated_octets`] decodes the count.
    Iterated { hash: Hash, salt: [u8; 8], count: u8 },
    /// Argon2id.
    Argon2(Argon2Cost),
    /// A kind that is not known, by its number.
    Unknown(u8),
}

/// Argon2id with its cost; the memory is 2^exponent KiB [RFC9580, 3.7.1.4].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argon2Cost {
    /// Random, for one message.
    pub salt: [u8; 16],
    /// Over all the memory.
    pub passes: u8,
    /// Of memory, each for a thread of its own.
    pub lanes: u8,
    /// The memory is 2 to this, in KiB.
    pub memory_exponent: u8,
}

impl Argon2Cost {
    /// The second recommended option of [RFC9106, 4]: 3 passes, 4 lanes, 64 MiB. It fits small
    /// machines too, and the receiver must be able to pay the cost that the sender chose.
    #[must_use]
    pub fn recommended(salt: [u8; 16]) -> Self {
        Self { salt, passes: 3, lanes: 4, memory_exponent: 16 }
    }

    /// The memory in MiB, rounded down.
    #[must_use]
    pub fn memory_mib(&self) -> u64 {
        (1u64 << self.memory_exponent.min(63)) >> 10
    }

    fn params(&self) -> Result<Params> {
        if self.memory_exponent > 31 {
            return Err(Error::Argon2("the memory is above 2^31 KiB"));
        }
        let (passes, lanes) = (u32::from(self.passes), u32::from(self.lanes));
        Params::new(1 << self.memory_exponent, passes, lanes, Some(KEY_BYTES)).map_err(
            |e| match e {
                argon2::Error::TimeTooSmall => Error::Argon2("it makes no pass"),
                argon2::Error::ThreadsTooFew => Error::Argon2("it has no lane"),
                _ => Error::Argon2("the memory is below 8 KiB a lane"),
            },
        )
    }

    fn derive(&self, passphrase: &[u8]) -> Result<Key> {
        let params = self.params()?;
        let mut memory = Zeroizing::new(Vec::<Block>::new());
        memory
            .try_reserve_exact(params.block_count())
            .map_err(|_| Error::OutOfMemory(self.memory_mib()))?;
        memory.resize_with(params.block_count(), Block::new);
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        Key::filled(|key| {
            on_wiped_threads(self.lanes.into(), || {
                argon2.hash_password_into_with_memory(passphrase, &self.salt, key, &mut memory[..])
            })
            .map_err(|_| Error::Argon2("the passphrase is too long"))
        })
    }
}

impl S2k {
    /// Parses all of a specifier; one with octets left over is malformed.
    pub(crate) fn parse(fields: &mut Fields) -> Result<Self> {
        let s2k = match fields.octet()? {
            0 => Self::Simple { hash: Hash(fields.octet()?) },
            1 => Self::Salted { hash: Hash(fields.octet()?), salt: fields.array()? },
            3 => Self::Iterated {
                hash: Hash(fields.octet()?),
                salt: fields.array()?,
                count: fields.octet()?,
            },
            4 => Self::Argon2(Argon2Cost {
                salt: fields.array()?,
                passes: fields.octet()?,
                lanes: fields.octet()?,
                memory_exponent: fields.octet()?,
            }),
            other => {
                fields.rest();
                Self::Unknown(other)
            }
        };
        Ok(s2k)
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Simple { hash } => vec![0, hash.0],
            Self::Salted { hash, salt } => [&[1, hash.0], &salt[..]].concat(),
            Self::Iterated { hash, salt, count } => [&[3, hash.0], &salt[..], &[*count]].concat(),
            Self::Argon2(cost) => {
                let numbers = [cost.passes, cost.lanes, cost.memory_exponent];
                [&[4], &cost.salt[..], &numbers].concat()
            }
            Self::Unknown(kind) => vec![*kind],
        }
    }

    /// Whether it takes [`DecryptOptions::insecure_legacy`](crate::DecryptOptions::insecure_legacy).
    pub(crate) fn is_legacy(&self) -> bool {
        matches!(
            self,
            Self::Simple { hash: Hash::RIPEMD160 }
                | Self::Salted { hash: Hash::RIPEMD160, .. }
                | Self::Iterated { hash: Hash::RIPEMD160, .. }
        )
    }

    /// Whether this program can compute it.
    pub(crate) fn check(&self) -> Result<()> {
        match self {
            Self::Simple { hash } | Self::Salted { hash, .. } | Self::Iterated { hash, .. } => {
                digests(*hash).map(drop).ok_or(Error::S2kHash(*hash))
            }
            Self::Argon2(cost) => cost.params().map(drop),
            Self::Unknown(kind) => Err(Error::S2kType(*kind)),
        }
    }

    /// Its cost, where `check` finds it good. One hash of a passphrase counts as nothing.
    pub(crate) fn cost(&self) -> Limits {
        match self {
            Self::Iterated { hash, count, .. } => {
                Limits::hash(digests(*hash).unwrap_or(0) * iterated_octets(*count) as u64)
            }
            Self::Argon2(cost) => {
                Limits::argon2(1 << cost.memory_exponent.min(31), u64::from(cost.passes))
            }
            Self::Simple { .. } | Self::Salted { .. } | Self::Unknown(_) => Limits::NOTHING,
        }
    }

    /// Refuses what RFC 9580 forbids beside its own packets [RFC9580, 3.7.1.1, 3.7.2.1, 9.5].
    pub(crate) fn refuse_weak(&self) -> Result<()> {
        match self {
            Self::Simple { .. } => Err(Error::S2kSimple),
            Self::Salted { hash, .. } | Self::Iterated { hash, .. }
                if matches!(*hash, Hash::SHA1 | Hash::RIPEMD160) =>
            {
                Err(Error::S2kHash(*hash))
            }
            _ => Ok(()),
        }
    }

    /// The key for Twofish-256. Takes as long as the specifier asks for.
    pub(crate) fn derive(&self, passphrase: &[u8]) -> Result<Key> {
        match self {
            Self::Simple { hash } => hashed(*hash, &[], passphrase, 0),
            Self::Salted { hash, salt } => hashed(*hash, salt, passphrase, 0),
            Self::Iterated { hash, salt, count } => {
                hashed(*hash, salt, passphrase, iterated_octets(*count))
            }
            Self::Argon2(cost) => cost.derive(passphrase),
            Self::Unknown(kind) => Err(Error::S2kType(*kind)),
        }
    }
}

/// How many octets an iterated specifier hashes, decoded [RFC9580, 3.7.1.3]: at most 62 MiB.
#[must_use]
pub fn iterated_octets(count: u8) -> usize {
    (16 + usize::from(count & 15)) << ((count >> 4) + 6)
}

/// How many digests make a key, of the hashes that are computed here.
fn digests(hash: Hash) -> Option<u64> {
    match hash {
        Hash::SHA1 | Hash::RIPEMD160 | Hash::SHA224 => Some(2),
        Hash::SHA256 | Hash::SHA384 | Hash::SHA512 => Some(1),
        _ => None,
    }
}

fn hashed(hash: Hash, salt: &[u8], passphrase: &[u8], octets: usize) -> Result<Key> {
    match hash {
        Hash::SHA1 => hash_repeated::<Sha1>(salt, passphrase, octets),
        Hash::RIPEMD160 => hash_repeated::<Ripemd160>(salt, passphrase, octets),
        Hash::SHA224 => hash_repeated::<Sha224>(salt, passphrase, octets),
        Hash::SHA256 => hash_repeated::<Sha256>(salt, passphrase, octets),
        Hash::SHA384 => hash_repeated::<Sha384>(salt, passphrase, octets),
        Hash::SHA512 => hash_repeated::<Sha512>(salt, passphrase, octets),
        other => Err(Error::S2kHash(other)),
    }
}

/// Hashes salt and passphrase over and over, `octets` in all but at least once each. Where one digest
/// is too short for the key, further ones follow, preloaded with zeros [RFC9580, 3.7.1.1].
fn hash_repeated<H: Digest>(salt: &[u8], passphrase: &[u8], octets: usize) -> Result<Key> {
    let once = Zeroizing::new([salt, passphrase].concat());
    let left = octets.max(once.len());
    // Many units at a time: the hash takes long pieces faster.
    let length = once.len().max(1);
    let unit = Zeroizing::new(once.repeat((left / length).clamp(1, 1 + PIECE_BYTES / length)));
    Key::filled(|key| {
        for (i, part) in key.chunks_mut(<H as Digest>::output_size()).enumerate() {
            let mut hasher = H::new_with_prefix(vec![0; i]);
            let mut left = left;
            while left > 0 {
                let n = left.min(unit.len());
                hasher.update(&unit[..n]);
                left -= n;
            }
            part.copy_from_slice(&hasher.finalize()[..part.len()]);
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithm::PacketType;

    fn small(memory_exponent: u8) -> Argon2Cost {
        Argon2Cost { salt: [9; 16], passes: 1, lanes: 1, memory_exponent }
    }

    fn derive(s2k: &S2k, passphrase: &[u8]) -> Result<Key> {
        s2k.derive(passphrase)
    }

    #[test]
    fn every_kind_parses_back() {
        let (hash, salt) = (Hash::SHA256, [5; 8]);
        for s2k in [
            S2k::Simple { hash },
            S2k::Salted { hash, salt },
            S2k::Iterated { hash, salt, count: 96 },
            S2k::Argon2(small(3)),
            S2k::Unknown(77),
        ] {
            let bytes = s2k.to_bytes();
            let mut fields = Fields::new(PacketType::SKESK, &bytes);
            assert_eq!(S2k::parse(&mut fields).unwrap(), s2k);
            assert!(fields.is_empty());
        }
    }

    #[test]
    fn costs_that_are_none_are_refused_by_name() {
        let refused = |cost: Argon2Cost| S2k::Argon2(cost).check().unwrap_err().to_string();
        assert!(refused(small(32)).contains("2^31"), "above the format's limit");
        assert!(refused(small(2)).contains("8 KiB a lane"));
        assert!(refused(Argon2Cost { passes: 0, ..small(3) }).contains("no pass"));
        assert!(refused(Argon2Cost { lanes: 0, ..small(3) }).contains("no lane"));
    }

    #[test]
    fn weak_and_foreign_hashes_are_refused() {
        let salt = [1; 8];
        let simple = S2k::Simple { hash: Hash::SHA256 };
        assert!(matches!(simple.refuse_weak(), Err(Error::S2kSimple)));
        let sha1 = S2k::Salted { hash: Hash::SHA1, salt };
        assert!(matches!(sha1.refuse_weak(), Err(Error::S2kHash(Hash::SHA1))));
        let md5 = S2k::Salted { hash: Hash::MD5, salt };
        assert!(md5.refuse_weak().is_ok(), "that is for check to refuse, like any unknown hash");
        assert!(matches!(md5.check(), Err(Error::S2kHash(Hash::MD5))));
        assert!(matches!(derive(&md5, b"x"), Err(Error::S2kHash(Hash::MD5))));
    }

    /// One pass over a count below the length of salt and passphrase still hashes all of both.
    #[test]
    fn the_count_covers_whole_inputs_at_least_once() {
        let (hash, salt) = (Hash::SHA512, [1; 8]);
        let long = [b'p'; 2000];
        let iterated = |count| derive(&S2k::Iterated { hash, salt, count }, &long).unwrap();
        let salted = derive(&S2k::Salted { hash, salt }, &long).unwrap();
        assert_eq!(iterated_octets(0), 1024);
        assert_eq!(iterated_octets(255), 62 << 20);
        assert_eq!(salted[..], iterated(0)[..]);
        assert_ne!(salted[..], iterated(16)[..]);
    }

    /// SHA-224 gives 28 octets: the last four of the key are the second digest's first.
    #[test]
    fn short_digests_are_extended() {
        let key = hash_repeated::<Sha224>(&[0; 8], b"", 0).unwrap();
        assert_eq!(key[..28], Sha224::digest([0; 8])[..]);
        assert_eq!(key[28..], Sha224::digest([0; 9])[..4]);
    }
}
