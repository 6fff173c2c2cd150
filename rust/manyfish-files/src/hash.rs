// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Hashes, by the names that headers have.

use std::fmt;

use blake2::Blake2s256;
use digest::{Digest, DynDigest};
use ripemd::Ripemd160;
use sha1::Sha1;
use sha2::{Sha256, Sha512};
use streebog::Streebog512;
use whirlpool::Whirlpool;
use zeroize::Zeroizing;

use crate::Result;
use crate::error::unknown_in_luks;

/// A hash function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hash {
    /// MD5, which old programs have.
    Md5,
    /// SHA-1 \[FIPS180-4\].
    Sha1,
    /// SHA-256 \[FIPS180-4\].
    Sha256,
    /// SHA-512 \[FIPS180-4\].
    Sha512,
    /// RIPEMD-160.
    Ripemd160,
    /// Whirlpool.
    Whirlpool,
    /// BLAKE2s with 256 bits.
    Blake2s,
    /// Streebog with 512 bits.
    Streebog,
}

/// Calls a generic function with the type of a hash. BLAKE2s has an expression of its own: HMAC takes it otherwise.
macro_rules! with {
    ($hash:expr, $function:ident($($argument:expr),*), $blake2s:expr) => {
        match $hash {
            $crate::Hash::Md5 => $function::<md5::Md5>($($argument),*),
            $crate::Hash::Sha1 => $function::<sha1::Sha1>($($argument),*),
            $crate::Hash::Sha256 => $function::<sha2::Sha256>($($argument),*),
            $crate::Hash::Sha512 => $function::<sha2::Sha512>($($argument),*),
            $crate::Hash::Ripemd160 => $function::<ripemd::Ripemd160>($($argument),*),
            $crate::Hash::Whirlpool => $function::<whirlpool::Whirlpool>($($argument),*),
            $crate::Hash::Blake2s => $blake2s,
            $crate::Hash::Streebog => $function::<streebog::Streebog512>($($argument),*),
        }
    };
}
pub(crate) use with;

impl Hash {
    /// By the name that headers have.
    pub(crate) fn named(name: &str) -> Result<Self> {
        match name {
            "md5" => Ok(Self::Md5),
            "sha1" => Ok(Self::Sha1),
            "sha256" => Ok(Self::Sha256),
            "sha512" => Ok(Self::Sha512),
            "ripemd160" => Ok(Self::Ripemd160),
            "whirlpool" => Ok(Self::Whirlpool),
            other => Err(unknown_in_luks(format!("the hash {other:?}"))),
        }
    }

    pub(crate) fn bytes(self) -> usize {
        match self {
            Self::Md5 => <md5::Md5 as Digest>::output_size(),
            Self::Sha1 => <Sha1 as Digest>::output_size(),
            Self::Sha256 => <Sha256 as Digest>::output_size(),
            Self::Sha512 => <Sha512 as Digest>::output_size(),
            Self::Ripemd160 => <Ripemd160 as Digest>::output_size(),
            Self::Whirlpool => <Whirlpool as Digest>::output_size(),
            Self::Blake2s => <Blake2s256 as Digest>::output_size(),
            Self::Streebog => <Streebog512 as Digest>::output_size(),
        }
    }

    /// A hash of pieces to come.
    pub(crate) fn start(self) -> Box<dyn DynDigest> {
        fn start<D: Digest + DynDigest + 'static>() -> Box<dyn DynDigest> {
            Box::new(<D as Digest>::new())
        }
        with!(self, start(), start::<Blake2s256>())
    }

    /// The hash of several pieces, one after the other.
    pub(crate) fn of(self, pieces: &[&[u8]]) -> Zeroizing<Vec<u8>> {
        fn hash<D: Digest>(pieces: &[&[u8]]) -> Zeroizing<Vec<u8>> {
            let mut state = D::new();
            for piece in pieces {
                state.update(piece);
            }
            Zeroizing::new(state.finalize().to_vec())
        }
        with!(self, hash(pieces), hash::<Blake2s256>(pieces))
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Md5 => "MD5",
            Self::Sha1 => "SHA-1",
            Self::Sha256 => "SHA-256",
            Self::Sha512 => "SHA-512",
            Self::Ripemd160 => "RIPEMD-160",
            Self::Whirlpool => "Whirlpool",
            Self::Blake2s => "BLAKE2s",
            Self::Streebog => "Streebog",
        })
    }
}
