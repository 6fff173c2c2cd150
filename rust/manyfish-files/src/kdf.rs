// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Keys from passphrases: PBKDF2 and Argon2, as headers demand them.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use argon2::{Algorithm, Argon2, Block, Params, Version};
use blake2::Blake2s256;
use digest::{FixedOutput, KeyInit, Update};
use hmac::{EagerHash, Hmac, SimpleHmac};
use manyfish_openpgp::{Limits, on_wiped_threads};
use zeroize::Zeroizing;

use crate::hash::with;
use crate::{Error, Hash, Result};

/// Iterations between looks at whether to stop.
const STEP: u32 = 4096;

/// Octets of a secret on the heap, wiped when it is dropped.
pub type Secret = Zeroizing<Vec<u8>>;

/// A secret of this length, in memory that stays out of the swap file where the system allows it.
pub fn secret(n_bytes: usize) -> Secret {
    let secret = Zeroizing::new(vec![0; n_bytes]);
    manyfish::lock(&secret);
    secret
}

/// A new secret.
pub fn random(n_bytes: usize) -> Result<Secret> {
    let mut octets = secret(n_bytes);
    getrandom::fill(&mut octets).map_err(Error::Random)?;
    Ok(octets)
}

/// A secret of its own, with these octets.
pub fn copied(octets: &[u8]) -> Secret {
    let mut copy = secret(octets.len());
    copy.copy_from_slice(octets);
    copy
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
        self.derive_until(&AtomicBool::new(false), passphrase, n_bytes)
    }

    /// The same; once `stop` is true the key is of no use.
    pub(crate) fn derive_until(
        &self,
        stop: &AtomicBool,
        passphrase: &[u8],
        n_bytes: usize,
    ) -> Result<Secret> {
        let mut key = secret(n_bytes);
        match self {
            Self::Pbkdf2 { hash, iterations, salt } => {
                pbkdf2_until(stop, *hash, passphrase, salt, *iterations, &mut key);
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
    pbkdf2_until(&AtomicBool::new(false), hash, passphrase, salt, iterations, key);
}

/// The same, until `stop` is true: the key is then of no use.
fn pbkdf2_until(
    stop: &AtomicBool,
    hash: Hash,
    passphrase: &[u8],
    salt: &[u8],
    iterations: u32,
    key: &mut [u8],
) {
    fn hmac<D: EagerHash>(
        stop: &AtomicBool,
        passphrase: &[u8],
        salt: &[u8],
        n: u32,
        key: &mut [u8],
    ) {
        iterated::<Hmac<D>>(stop, passphrase, salt, n, key);
    }
    let blake2s = |key: &mut [u8]| {
        iterated::<SimpleHmac<Blake2s256>>(stop, passphrase, salt, iterations, key);
    };
    with!(hash, hmac(stop, passphrase, salt, iterations, key), blake2s(key));
}

/// \[RFC8018, 5.2\]. The crate pbkdf2 has the same, but cannot be stopped.
fn iterated<P: KeyInit + Update + FixedOutput + Clone>(
    stop: &AtomicBool,
    passphrase: &[u8],
    salt: &[u8],
    iterations: u32,
    key: &mut [u8],
) {
    let prf = P::new_from_slice(passphrase).expect("HMAC takes keys of any length");
    key.fill(0);
    for (part, number) in key.chunks_mut(P::output_size()).zip(1_u32..) {
        let mut u = prf.clone().chain(salt).chain(number.to_be_bytes()).finalize_fixed();
        part.iter_mut().zip(&u).for_each(|(sum, octet)| *sum ^= octet);
        for n in 1..iterations {
            u = prf.clone().chain(&u).finalize_fixed();
            part.iter_mut().zip(&u).for_each(|(sum, octet)| *sum ^= octet);
            if n.is_multiple_of(STEP) && stop.load(Ordering::Relaxed) {
                return;
            }
        }
    }
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
                write_argon2(f, name, *passes, *lanes, *memory)
            }
        }
    }
}

/// "Argon2id, 2 passes, 1 lane, 64 KiB of memory"
pub fn write_argon2(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    passes: impl Into<u64>,
    lanes: impl Into<u64>,
    memory_kib: impl Into<u64>,
) -> fmt::Result {
    let (passes, lanes) = (count(passes, "pass"), count(lanes, "lane"));
    write!(f, "{name}, {passes}, {lanes}, {} KiB of memory", memory_kib.into())
}

/// "1 lane", "2 passes"
pub fn count(n: impl Into<u64>, what: &str) -> String {
    let n = n.into();
    let plural = match what {
        _ if n == 1 => "",
        "pass" => "es",
        _ => "s",
    };
    format!("{n} {what}{plural}")
}
