// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Where encrypted bytes come from and go to: a file, a device, or memory.

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

/// A source that many threads may write to at any place.
pub trait Sink: Source {
    /// Writes all of `data` from byte `offset` on.
    fn write_all_at(&self, data: &[u8], offset: u64) -> io::Result<()>;

    /// Waits until all that was written is on the disk.
    fn sync(&self) -> io::Result<()>;
}

impl Source for File {
    /// Of a device too, whose metadata have no length.
    fn n_bytes(&self) -> io::Result<u64> {
        let mut file = self;
        let here = file.stream_position()?;
        let end = file.seek(SeekFrom::End(0));
        file.seek(SeekFrom::Start(here)).and(end)
    }

    #[cfg(unix)]
    fn read_exact_at(&self, out: &mut [u8], offset: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(self, out, offset)
    }

    #[cfg(windows)]
    fn read_exact_at(&self, out: &mut [u8], offset: u64) -> io::Result<()> {
        back_in_place(self, || seek_and_read(self, out, offset))
    }
}

impl Sink for File {
    #[cfg(unix)]
    fn write_all_at(&self, data: &[u8], offset: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::write_all_at(self, data, offset)
    }

    #[cfg(windows)]
    fn write_all_at(&self, data: &[u8], offset: u64) -> io::Result<()> {
        back_in_place(self, || seek_and_write(self, data, offset))
    }

    fn sync(&self) -> io::Result<()> {
        self.sync_data()
    }
}

/// Such work moves the place of the next ordinary read or write, which must stay.
#[cfg(windows)]
fn back_in_place(mut file: &File, work: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    let here = file.stream_position()?;
    let done = work();
    file.seek(SeekFrom::Start(here)).and(done)
}

#[cfg(windows)]
fn seek_and_read(file: &File, mut out: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !out.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, out, offset) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(n) => (out, offset) = (&mut out[n..], offset + n as u64),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(windows)]
fn seek_and_write(file: &File, mut data: &[u8], mut offset: u64) -> io::Result<()> {
    while !data.is_empty() {
        match std::os::windows::fs::FileExt::seek_write(file, data, offset) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(n) => (data, offset) = (&data[n..], offset + n as u64),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
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

impl<S: Sink + ?Sized> Sink for &S {
    fn write_all_at(&self, data: &[u8], offset: u64) -> io::Result<()> {
        (**self).write_all_at(data, offset)
    }

    fn sync(&self) -> io::Result<()> {
        (**self).sync()
    }
}

/// Fills `out`; [`Error::Truncated`] names what is too short for that.
pub fn read(source: &impl Source, out: &mut [u8], offset: u64, what: &'static str) -> Result<()> {
    source.read_exact_at(out, offset).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => Error::Truncated { what },
        _ => Error::Read(error),
    })
}
