// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The input: a file or standard input, with its name for messages and its length where that is known.

use std::fmt;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Cursor, IsTerminal, Read, Seek, SeekFrom};
use std::path::Path;

use same_file::{Handle, is_same_file};

use crate::error::note;
use crate::{Error, platform};

const OF_FOLDER: &str = "name one of the files in it";

pub struct Input {
    pub reader: Reader,
    /// As in "cannot read notes.txt".
    pub name: String,
    /// The length of a regular file, where the system reports it correctly.
    pub bytes: Option<u64>,
    pub metadata: Option<Metadata>,
}

impl Input {
    /// Opens a file, or standard input if there is no path or it is "-".
    pub fn open(path: Option<&Path>) -> Result<Self, Error> {
        Self::open_hinting(path, OF_FOLDER)
    }

    /// The same with another hint for a directory.
    pub fn open_hinting(path: Option<&Path>, of_folder: &str) -> Result<Self, Error> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            return Ok(Self {
                reader: Reader::stdin(),
                name: "standard input".to_owned(),
                bytes: None,
                metadata: None,
            });
        };
        Self::of(path, File::options().read(true), "read", of_folder)
    }

    /// Opens a file to read and write it, as only one process at a time may.
    #[cfg(target_os = "linux")] // for `mount`
    pub fn open_to_write(path: &Path) -> Result<Self, Error> {
        use std::fs::TryLockError;
        let input = Self::of(path, File::options().read(true).write(true), "write", OF_FOLDER)?;
        let Reader::File(file) = &input.reader else { return Ok(input) };
        // Not every file system has locks.
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(in_use(&input.name)),
            Ok(()) | Err(TryLockError::Error(_)) => Ok(input),
        }
    }

    fn of(path: &Path, options: &OpenOptions, verb: &str, of_folder: &str) -> Result<Self, Error> {
        let name = path.display().to_string();
        let refuse = |error| Error::io(format_args!("cannot {verb} {name}"), &error);
        let file = options.open(path).map_err(refuse)?;
        let metadata = file.metadata().map_err(refuse)?;
        if metadata.is_dir() {
            return Err(Error::failed(format_args!("{name} is a directory, expected a file"))
                .hint(of_folder));
        }
        let bytes = length(&metadata);
        Ok(Self { reader: Reader::File(file), name, bytes, metadata: Some(metadata) })
    }

    /// Whether it is standard input.
    pub fn is_stdin(&self) -> bool {
        self.metadata.is_none()
    }

    /// Whether the file or the block device at this path is read.
    pub fn is_at(&self, path: &Path) -> bool {
        let Reader::File(file) = &self.reader else { return false };
        let read = file.try_clone().and_then(Handle::from_file);
        let is_same =
            matches!((read, Handle::from_path(path)), (Ok(read), Ok(found)) if read == found);
        let devices = self.metadata.as_ref().zip(fs::metadata(path).ok());
        is_same || devices.is_some_and(|(read, found)| platform::is_same_device(read, &found))
    }

    /// As long as the result lives, no other program can write to the block device that is read, nor to the disk around it,
    /// where the system can do that. `None` if it cannot, or if other programs use the device.
    pub fn claim(&self) -> Option<File> {
        let Reader::File(file) = &self.reader else { return None };
        let is_device = self.metadata.as_ref().is_some_and(platform::is_block_device);
        is_device.then(|| platform::claim(file)).flatten()
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

/// Whether both paths lead to one file or block device. Opens nothing else: the writer of a pipe would notice.
pub fn is_same(a: &Path, b: &Path) -> bool {
    let (Ok(first), Ok(second)) = (fs::metadata(a), fs::metadata(b)) else { return false };
    let are_files = first.is_file() && second.is_file();
    are_files && is_same_file(a, b).unwrap_or(false) || platform::is_same_device(&first, &second)
}

pub fn in_use(name: &str) -> Error {
    Error::failed(format_args!("{name} is in use: another program has locked it"))
        .hint("wait until that program ends, or end it")
}

/// The source of an input.
pub enum Reader {
    File(File),
    Stream(Box<dyn Read>),
}

impl Reader {
    fn stdin() -> Self {
        if io::stdin().is_terminal() {
            Self::stream(Typed::default())
        } else {
            Self::stream(io::stdin())
        }
    }

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

/// Standard input from the keyboard, read whole: the second line of a pasted message would answer the
/// question for the passphrase.
#[derive(Default)]
struct Typed {
    text: Option<Cursor<Vec<u8>>>,
}

impl Read for Typed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.text.is_none() {
            let end = platform::INPUT_END;
            note(format_args!("reading the input from this terminal; {end} ends it"));
            let mut text = Vec::new();
            io::stdin().read_to_end(&mut text)?;
            self.text = Some(Cursor::new(text));
        }
        self.text.as_mut().map_or(Ok(0), |text| text.read(buffer))
    }
}

/// Unknown where a file reports another length than reading gives.
pub fn length(metadata: &Metadata) -> Option<u64> {
    Some(metadata.len()).filter(|_| metadata.is_file() && !platform::is_made_up(metadata))
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
