// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Tags of a length that was chosen with the key.

use core::fmt;
use core::ops::Deref;

/// Bytes of the longest tag.
pub const TAG_BYTES: usize = 16;

/// A tag; it derefs to its bytes. To check one, hand it to the mode: comparing bytes here takes a time
/// that tells an attacker how many of his are right.
#[derive(Clone, Copy)]
pub struct Tag {
    bytes: [u8; TAG_BYTES],
    n_bytes: usize,
}

impl Tag {
    /// Zeros, to be written to.
    pub(crate) fn zeroed(n_bytes: usize) -> Self {
        Self { bytes: [0; TAG_BYTES], n_bytes }
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[..self.n_bytes]
    }
}

impl Deref for Tag {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[..self.n_bytes]
    }
}

impl AsRef<[u8]> for Tag {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl fmt::Debug for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tag(")?;
        self.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        f.write_str(")")
    }
}
