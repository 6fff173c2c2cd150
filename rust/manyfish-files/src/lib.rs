// SPDX-License-Identifier: Apache-2.0 OR MIT
//
#![doc = include_str!("../README.md")]

// From the outside in: `luks`, `veracrypt` (headers), `psafe3` and `kdbx` (passwords), `mcrypt`, `uber`, `kdf`
// (passphrases), `rest` (parsing), `volume` (bytes at any place of the plain data), `sectors`, `lrw` and `xts` (the ciphers of disks),
// `blocks` (the ciphers in them), `source` (where the encrypted bytes come from and go to).

mod blocks;
pub mod entries;
mod error;
#[doc(hidden)]
pub mod fuzz;
mod hash;
pub mod kdbx;
mod kdf;
mod lrw;
pub mod luks;
pub mod mcrypt;
pub mod psafe3;
mod rest;
mod sectors;
mod source;
pub mod uber;
pub mod veracrypt;
mod volume;
mod xts;

pub use error::{Error, Result, within};
pub use hash::Hash;
pub use kdf::Kdf;
pub use manyfish_openpgp::Limits;
pub use source::{Sink, Source};
pub use volume::Volume;

/// Limits for files of one's own: cryptsetup asks for up to 1 GiB, and some seconds for each of its slots.
pub const LIMITS: Limits = Limits { memory: 1 << 30, work: std::time::Duration::from_secs(60) };
