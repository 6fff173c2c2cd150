// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Windows: a new file has the access list of its folder, and keeps it.

#![allow(clippy::unnecessary_wraps, clippy::unused_self)] // elsewhere the file system tells

use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

/// Nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept;

impl Kept {
    /// As on Unix.
    pub fn of(_: &Path, _: &Metadata) -> io::Result<Self> {
        Ok(Self)
    }

    /// Does nothing.
    pub fn give_owner(&self, _: &File) -> io::Result<()> {
        Ok(())
    }

    /// Never.
    #[must_use]
    pub fn has_access_list(&self) -> bool {
        false
    }

    /// Does nothing.
    pub fn give_access_list(&self, _: &File) -> io::Result<()> {
        Ok(())
    }

    /// Does nothing.
    pub fn give_mode(&self, _: &File) -> io::Result<()> {
        Ok(())
    }
}
