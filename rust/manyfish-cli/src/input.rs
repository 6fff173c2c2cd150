// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The input: a file or standard input, with its name for messages and its length where that is known.

use std::fmt;
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::Error;

/// The largest page of memory in use.
const MAX_PAGE_BYTES: u64 = 64 << 10;

pub struct Input {
    pub reader: Reader,
    /// As in "cannot read notes.txt".
    pub name: String,
    /// Of a regular file, where what it says of itself can be relied on.
    pub bytes: Option<u64>,
    pub metadata: Option<Metadata>,
}

impl Input {
    /// Opens a file, or standard input where there is no path or where it is "-".
    pub fn open(path: Option<&Path>) -> Result<Self, Error> {
        Self::open_hinting(path, "pack it first, as in: tar c DIRECTORY | manyfish encrypt -o OUT")
    }

    /// The same with another hint for who names a directory.
    pub fn open_hinting(path: Option<&Path>, of_folder: &str) -> Result<Self, Error> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            let name = "standard input".to_owned();
            return Ok(Self {
                reader: Reader::stream(io::stdin()),
                name,
                bytes: None,
                metadata: None,
            });
        };
        let name = path.display().to_string();
        let refuse = |error| Error::io(format_args!("cannot read {name}"), &error);
        let file = File::open(path).map_err(refuse)?;
        let metadata = file.metadata().map_err(refuse)?;
        if metadata.is_dir() {
            return Err(Error::failed(format_args!("{name} is a directory, expected a file"))
                .hint(of_folder));
        }
        let bytes = length(&metadata);
        Ok(Self { reader: Reader::File(file), name, bytes, metadata: Some(metadata) })
    }

    /// Whether it can be read a second time.
    pub fn can_seek(&self) -> bool {
        self.metadata.as_ref().is_some_and(Metadata::is_file)
    }

    /// Appends up to `n_bytes` to `buffer`, fewer only at the end, and returns how many.
    pub fn fill(&mut self, buffer: &mut Vec<u8>, n_bytes: usize) -> Result<usize, Error> {
        let limited = self.reader.by_ref().take(n_bytes as u64).read_to_end(buffer);
        limited.map_err(|error| Error::io(format_args!("cannot read {self}"), &error))
    }
}

/// What an input is read from.
pub enum Reader {
    File(File),
    Stream(Box<dyn Read>),
}

impl Reader {
    pub fn stream(stream: impl Read + 'static) -> Self {
        Self::Stream(Box::new(stream))
    }
}

impl Read for Reader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(buffer),
            Self::Stream(stream) => stream.read(buffer),
        }
    }
}

impl Seek for Reader {
    fn seek(&mut self, place: SeekFrom) -> io::Result<u64> {
        match self {
            Self::File(file) => file.seek(place),
            Self::Stream(_) => Err(io::ErrorKind::NotSeekable.into()),
        }
    }
}

/// Files that the system makes up have no blocks; they say 0, as in /proc, or a page, as in /sys,
/// whatever reading gives. A small file that is one hole says so too, and may count as unknown.
fn length(metadata: &Metadata) -> Option<u64> {
    let made_up = metadata.blocks() == 0 && metadata.len() <= MAX_PAGE_BYTES;
    Some(metadata.len()).filter(|_| metadata.is_file() && !made_up)
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
