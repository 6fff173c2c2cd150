// SPDX-License-Identifier: Apache-2.0 OR MIT
//
#![doc = include_str!("../README.md")]

// From the outside in: `luks`, `veracrypt` (headers), `psafe3` (safes), `kdf` (passphrases), `volume` (bytes at any place
// of the plain data), `sectors` (the ciphers of disks), `source` (where the encrypted bytes come from).

mod error;
#[doc(hidden)]
pub mod fuzz;
mod hash;
mod kdf;
pub mod luks;
pub mod psafe3;
mod sectors;
mod source;
pub mod veracrypt;
mod volume;

pub use error::{Error, Result};
pub use hash::Hash;
pub use kdf::Kdf;
pub use manyfish_openpgp::Limits;
pub use source::Source;
pub use volume::Volume;
