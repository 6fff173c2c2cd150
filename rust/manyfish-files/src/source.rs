// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Where encrypted bytes come from: a file, a device, or memory.

use std::fs::File;
use std::io::{self, Seek, SeekFrom};

use crate::{Error, Result};

/// Bytes that many threads may read at any place.
pub trait Source: Send + Sync {
    /// How many there are.
    fn n_bytes(&self) -> io::Result<u64>;

    /// Fills `out` from byte `offset` on; an error of kind `UnexpectedEof` if there are too few.
    fn read_exact_at(&self, out: &mut [u8], offset: u64) -> io::Result<()>;
}

impl Source for File {
    /// Of a device too, whose metadata have no length.
    fn n_bytes(&self) -> io::Result<u64> {
        let mut file = self;
        file.seek(SeekFrom::End(0))
    }

    #[cfg(unix)]
    fn read_exact_at(&self, out: &mut [u8], offset: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(self, out, offset)
    }

    #[cfg(windows)]
    fn read_exact_at(&self, mut out: &mut [u8], mut offset: u64) -> io::Result<()> {
        while !out.is_empty() {
            match std::os::windows::fs::FileExt::seek_read(self, out, offset) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(n) => (out, offset) = (&mut out[n..], offset + n as u64),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

impl Source for [u8] {
    fn n_bytes(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }

    fn read_exact_at(&self, out: &mut [u8], offset: u64) -> io::Result<()> {
        let start = usize::try_from(offset).ok();
        let end = start.and_then(|start| start.checked_add(out.len()));
        let found = start.zip(end).and_then(|(start, end)| self.get(start..end));
        out.copy_from_slice(found.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

impl Source for Vec<u8> {
    fn n_bytes(&self) -> io::Result<u64> {
        self.as_slice().n_bytes()
    }

    fn read_exact_at(&self, out: &mut [u8], offset: u64) -> io::Result<()> {
        self.as_slice().read_exact_at(out, offset)
    }
}

impl<S: Source + ?Sized> Source for &S {
    fn n_bytes(&self) -> io::Result<u64> {
        (**self).n_bytes()
    }

    fn read_exact_at(&self, out: &mut [u8], offset: u64) -> io::Result<()> {
        (**self).read_exact_at(out, offset)
    }
}

/// Fills `out`; [`Error::Truncated`] names what is too short for that.
pub fn read(source: &impl Source, out: &mut [u8], offset: u64, what: &'static str) -> Result<()> {
    source.read_exact_at(out, offset).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => Error::Truncated { what },
        _ => Error::Read(error),
    })
}
