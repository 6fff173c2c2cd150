// SPDX-License-Identifier: Apache-2.0 OR MIT
//
#![doc = include_str!("../README.md")]

// From the outside in: `luks` (headers, key slots), `kdf` (passphrases), `volume` (bytes at any place of the plain
// data), `sectors` (the ciphers of disks), `source` (where the encrypted bytes come from).

mod error;
mod hash;
mod kdf;
pub mod luks;
mod sectors;
mod source;
mod volume;

pub use error::{Error, Result};
pub use hash::Hash;
pub use kdf::Kdf;
pub use manyfish_openpgp::Limits;
pub use source::Source;
pub use volume::Volume;

/// The kinds of files that this crate opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// A volume of LUKS, version 1 or 2.
    Luks,
}

impl Kind {
    /// Octets that [`Kind::of`] wants to see.
    pub const BEGINNING_BYTES: usize = 8;

    /// The kind of a file, by its beginning; `None` if it is another one.
    #[must_use]
    pub fn of(beginning: &[u8]) -> Option<Self> {
        beginning.starts_with(&luks::MAGIC).then_some(Self::Luks)
    }
}
