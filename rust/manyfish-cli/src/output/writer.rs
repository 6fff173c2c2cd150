// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Writing: a file is a temporary one until all of it is written.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use manyfish_replace::Kept;

use super::kept::{give_owner, give_permissions};
use super::place::exists;
use super::resumed::DOUBTFUL_BYTES;
use super::temporary::Temporary;
use super::write_error;
use crate::{Error, platform};

const BUFFER_BYTES: usize = 64 << 10;
const ZEROS: [u8; 4096] = [0; 4096];

/// An opened output. Without `commit` a file leaves no trace.
#[derive(Debug)]
pub struct Output {
    buffer: BufWriter<Writer>,
    /// Zeros at the end that are not written yet.
    hole: u64,
    name: String,
    option: &'static str,
}

impl Output {
    pub fn new(writer: Writer, name: String, option: &'static str) -> Self {
        let buffer = BufWriter::with_capacity(BUFFER_BYTES, writer);
        Self { buffer, hole: 0, name, option }
    }

    /// Writes all of `data`.
    pub fn put(&mut self, data: &[u8]) -> Result<(), Error> {
        self.buffer.write_all(data).map_err(|error| write_error(&self.name, self.option, &error))
    }

    /// Writes all of `data`; in a file, zeros become a hole, which takes no space.
    pub fn put_sparse(&mut self, data: &[u8]) -> Result<(), Error> {
        let is_file = matches!(self.buffer.get_ref(), Writer::File { .. } | Writer::InPlace(_));
        if is_file && is_zeros(data) {
            self.hole += data.len() as u64;
            return Ok(());
        }
        self.skip_hole().map_err(|error| write_error(&self.name, self.option, &error))?;
        self.put(data)
    }

    fn skip_hole(&mut self) -> io::Result<()> {
        if self.hole == 0 {
            return Ok(());
        }
        self.buffer.flush()?;
        self.buffer.get_mut().skip(self.hole)?;
        self.hole = 0;
        Ok(())
    }

    /// The file behind an output that was created readable.
    pub fn file(&self) -> &File {
        match self.buffer.get_ref() {
            Writer::File { file, .. } => file.file(),
            Writer::InPlace(InPlace { file, .. }) | Writer::Device(file) => file,
            Writer::Stream(_) => unreachable!("it cannot be read"),
        }
    }

    /// Forces what was written to the disk, so that reading it again tells what the disk holds. The output was created
    /// readable.
    pub fn settle(&mut self) -> Result<&File, Error> {
        let settled = self.buffer.flush().and_then(|()| {
            self.file().sync_data()?;
            platform::drop_cache(self.file())
        });
        settled.map_err(|error| write_error(&self.name, self.option, &error))?;
        Ok(self.file())
    }

    /// Ends the output: a file is forced to disk and takes its name.
    pub fn commit(mut self) -> Result<(), Error> {
        let skipped = self.skip_hole();
        let Self { buffer, name, option, .. } = self;
        skipped.map_err(|error| write_error(&name, option, &error))?;
        let writer = buffer.into_inner().map_err(|e| write_error(&name, option, e.error()))?;
        writer.commit().map_err(|e| match e.kind() {
            io::ErrorKind::AlreadyExists => exists(&name, option),
            _ => write_error(&name, option, &e),
        })
    }
}

fn is_zeros(data: &[u8]) -> bool {
    data.chunks(ZEROS.len()).all(|part| part == &ZEROS[..part.len()])
}

impl Write for Output {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.buffer.write(data)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.buffer.flush()
    }
}

pub enum Writer {
    Stream(Box<dyn Write>),
    File {
        file: Temporary,
        target: PathBuf,
        access: Access,
    },
    /// A file that has its name already, and stays even if an error follows.
    InPlace(InPlace),
    /// A block device, whose old content holes would leave.
    Device(File),
}

/// Of such a file a crash of the system loses nothing but its end.
pub struct InPlace {
    file: File,
    /// Bytes at the end that the disk may not have yet.
    unsynced: u64,
}

impl InPlace {
    pub fn new(file: File) -> Self {
        Self { file, unsynced: 0 }
    }

    /// The file, which these bytes may now be added to.
    fn before(&mut self, n_bytes: u64) -> io::Result<&mut File> {
        if self.unsynced + n_bytes > DOUBTFUL_BYTES / 2 {
            self.file.sync_data()?;
            self.unsynced = 0;
        }
        self.unsynced += n_bytes;
        Ok(&mut self.file)
    }
}

/// The permissions of a complete file. Until then only its owner may use it.
pub enum Access {
    /// Of a new file: the mode, of which the umask is taken.
    New(u32),
    /// Of one that replaces another: what that had.
    As(Kept),
}

impl Writer {
    /// Sets the owner of the replaced file now: if the system refuses, no work is lost.
    pub fn file(target: &Path, access: Access) -> io::Result<Self> {
        let file = Temporary::new(folder(target))?;
        if let Access::As(kept) = &access {
            give_owner(file.file(), kept)?;
        }
        Ok(Self::File { file, target: target.to_owned(), access })
    }

    /// Leaves zeros out, of a file alone.
    fn skip(&mut self, n_bytes: u64) -> io::Result<()> {
        let mut file = match self {
            Self::Stream(_) | Self::Device(_) => return Ok(()),
            Self::File { file, .. } => file.file(),
            Self::InPlace(place) => place.before(n_bytes)?,
        };
        let end = file.stream_position()? + n_bytes;
        file.set_len(end)?;
        file.seek(SeekFrom::Start(end)).map(drop)
    }

    fn commit(self) -> io::Result<()> {
        match self {
            Self::Stream(mut stream) => stream.flush(),
            Self::InPlace(InPlace { file, .. }) | Self::Device(file) => file.sync_all(),
            Self::File { file, target, access } => {
                file.file().sync_all()?;
                match &access {
                    Access::New(mode) => platform::give_new_mode(file.file(), *mode),
                    Access::As(kept) => give_permissions(file.file(), kept)?,
                }
                file.persist(folder(&target), &target, matches!(access, Access::As(_)))?;
                sync_name(folder(&target))
            }
        }
    }
}

/// The directory that holds the file: renaming works only within one.
pub fn folder(file: &Path) -> &Path {
    match file.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// Forces the names in a folder to disk, where possible: a user who may write there may not always read it, and
/// not every file system can do it. The file is in place by now.
fn sync_name(folder: &Path) -> io::Result<()> {
    let Ok(folder) = File::open(folder) else { return Ok(()) };
    folder.sync_all().or_else(|e| match e.kind() {
        io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported => Ok(()),
        _ => Err(e),
    })
}

impl Write for Writer {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stream(stream) => stream.write(data),
            Self::File { file, .. } => file.file().write(data),
            Self::InPlace(place) => place.before(data.len() as u64)?.write(data),
            Self::Device(file) => file.write(data),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stream(stream) => stream.flush(),
            Self::File { file, .. } => file.file().flush(),
            Self::InPlace(InPlace { file, .. }) | Self::Device(file) => file.flush(),
        }
    }
}

impl std::fmt::Debug for Writer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn zeros_become_holes_in_a_file() {
        use std::os::unix::fs::MetadataExt;
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("sparse");
        let writer = Writer::file(&path, Access::New(0o600)).unwrap();
        let mut output = Output::new(writer, "sparse".into(), "-o OUT");
        let mut expected = Vec::new();
        for (octet, n_bytes) in [(0, 1 << 20), (7, 9), (0, 1 << 20), (7, 100_000), (0, 1 << 20)] {
            output.put_sparse(&vec![octet; n_bytes]).unwrap();
            expected.resize(expected.len() + n_bytes, octet);
        }
        output.commit().unwrap();
        assert!(std::fs::read(&path).unwrap() == expected);
        let blocks = std::fs::metadata(&path).unwrap().blocks();
        assert!(blocks * 512 < 1 << 20, "{blocks} blocks");
    }

    #[test]
    fn data_are_synced_before_they_are_far_from_the_end() {
        let file = tempfile::tempfile().unwrap();
        let mut writer = Writer::InPlace(InPlace::new(file.try_clone().unwrap()));
        for (data, hole, unsynced) in
            [(9, 20 << 20, 20 << 20 | 9), (5, 12 << 20, 12 << 20), (1, 1 << 40, 1 << 40), (3, 0, 3)]
        {
            writer.write_all(&vec![7; data]).unwrap();
            writer.skip(hole).unwrap();
            let Writer::InPlace(place) = &writer else { unreachable!() };
            assert_eq!(place.unsynced, unsynced);
        }
        assert_eq!(file.metadata().unwrap().len(), (1 << 40) + (32 << 20) + 18);
    }

    /// A folder that cannot be opened, and one of a file system that cannot sync: both say so.
    #[test]
    fn a_folder_that_cannot_sync_is_no_failure() {
        let place = tempfile::tempdir().unwrap();
        assert!(sync_name(place.path()).is_ok());
        let missing = place.path().join("missing");
        assert!(File::open(&missing).is_err() && sync_name(&missing).is_ok());
        match File::open("/proc").and_then(|folder| folder.sync_all()) {
            Err(e) if e.kind() == io::ErrorKind::InvalidInput => {
                assert!(sync_name(Path::new("/proc")).is_ok());
            }
            _ => println!("skipped: no folder here that cannot sync"),
        }
    }
}
