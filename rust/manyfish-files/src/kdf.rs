// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Keys from passphrases: PBKDF2 and Argon2, as headers demand them.

use std::fmt;

use argon2::{Algorithm, Argon2, Block, Params, Version};
use blake2::Blake2s256;
use hmac::SimpleHmac;
use manyfish_openpgp::{Limits, on_wiped_threads};
use zeroize::Zeroizing;

use crate::hash::with;
use crate::{Error, Hash, Result};

/// Octets of a secret on the heap, wiped when it is dropped.
pub type Secret = Zeroizing<Vec<u8>>;

/// A secret of this length, in memory that stays out of the swap file where the system allows it.
pub fn secret(n_bytes: usize) -> Secret {
    let secret = Zeroizing::new(vec![0; n_bytes]);
    manyfish::lock(&secret);
    secret
}

/// A function that makes a key of a passphrase.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the standards")]
pub enum Kdf {
    /// \[RFC8018, 5.2\]
    Pbkdf2 { hash: Hash, iterations: u32, salt: Vec<u8> },
    /// \[RFC9106\]; memory in KiB.
    Argon2 { is_id: bool, passes: u32, memory: u32, lanes: u32, salt: Vec<u8> },
}

impl Kdf {
    /// The cost of a key of this length.
    pub(crate) fn cost(&self, key_bytes: usize) -> Limits {
        match self {
            Self::Pbkdf2 { hash, iterations, .. } => {
                // Two blocks are hashed in each iteration; the blocks have 64 octets, or 128.
                let block = if *hash == Hash::Sha512 { 128 } else { 64 };
                let blocks = key_bytes.div_ceil(hash.bytes()) as u64;
                Limits::hash(2 * block * u64::from(*iterations) * blocks)
            }
            Self::Argon2 { passes, memory, .. } => {
                Limits::argon2((*memory).into(), (*passes).into())
            }
        }
    }

    /// The key of `n_bytes` that a passphrase gives.
    pub(crate) fn derive(&self, passphrase: &[u8], n_bytes: usize) -> Result<Secret> {
        let mut key = secret(n_bytes);
        match self {
            Self::Pbkdf2 { hash, iterations, salt } => {
                pbkdf2(*hash, passphrase, salt, *iterations, &mut key);
            }
            Self::Argon2 { .. } => self.argon2(passphrase, &mut key)?,
        }
        Ok(key)
    }

    fn argon2(&self, passphrase: &[u8], key: &mut Secret) -> Result<()> {
        let Self::Argon2 { is_id, passes, memory, lanes, salt } = self else { return Ok(()) };
        let algorithm = if *is_id { Algorithm::Argon2id } else { Algorithm::Argon2i };
        let params = Params::new(*memory, *passes, *lanes, Some(key.len()));
        let params = params.map_err(bad_cost)?;
        let mut room = Zeroizing::new(Vec::<Block>::new());
        room.try_reserve_exact(params.block_count())
            .map_err(|_| Error::OutOfMemory(u64::from(*memory >> 10)))?;
        room.resize_with(params.block_count(), Block::new);
        let argon2 = Argon2::new(algorithm, Version::V0x13, params);
        on_wiped_threads(*lanes as usize, || {
            argon2.hash_password_into_with_memory(passphrase, salt, key, &mut room[..])
        })
        .map_err(bad_cost)
    }
}

fn bad_cost(error: argon2::Error) -> Error {
    Error::Damaged(format!("Argon2 refuses the numbers of a key slot: {error}"))
}

pub fn pbkdf2(hash: Hash, passphrase: &[u8], salt: &[u8], iterations: u32, key: &mut [u8]) {
    use pbkdf2::pbkdf2_hmac;
    let blake2s = |key: &mut [u8]| {
        pbkdf2::pbkdf2::<SimpleHmac<Blake2s256>>(passphrase, salt, iterations, key)
            .expect("HMAC takes keys of any length");
    };
    with!(hash, pbkdf2_hmac(passphrase, salt, iterations, key), blake2s(key));
}

/// "PBKDF2 with SHA-256, 1000 iterations"
impl fmt::Display for Kdf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pbkdf2 { hash, iterations, .. } => {
                write!(f, "PBKDF2 with {hash}, {}", count(*iterations, "iteration"))
            }
            Self::Argon2 { is_id, passes, memory, lanes, .. } => {
                let name = if *is_id { "Argon2id" } else { "Argon2i" };
                let (passes, lanes) = (count(*passes, "pass"), count(*lanes, "lane"));
                write!(f, "{name}, {passes}, {lanes}, {memory} KiB of memory")
            }
        }
    }
}

/// "1 lane", "2 passes"
fn count(n: u32, what: &str) -> String {
    let plural = match what {
        _ if n == 1 => "",
        "pass" => "es",
        _ => "s",
    };
    format!("{n} {what}{plural}")
}
