// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Octets that are read from their beginning on.

use crate::{Error, Result};

/// The octets that are left.
pub struct Rest<'a> {
    pub octets: &'a [u8],
    /// As in "the keystore is truncated".
    what: &'static str,
}

impl<'a> Rest<'a> {
    pub fn of(octets: &'a [u8], what: &'static str) -> Self {
        Self { octets, what }
    }

    pub fn truncated(&self) -> Error {
        Error::Truncated { what: self.what }
    }

    pub fn take(&mut self, n: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.octets.split_at_checked(n).ok_or_else(|| self.truncated())?;
        self.octets = rest;
        Ok(taken)
    }

    pub fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        Ok(self.take(N)?.try_into().expect("N octets"))
    }

    pub fn byte(&mut self) -> Result<u8> {
        Ok(self.take(1)?[0])
    }
}
