// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The output: standard output, a device, or a file that appears under its name only when all of it
//! is written and, on decryption, verified. Who starts the command with standard output closed loses
//! the result unsaid: Rust opens /dev/null in its place, and that is a fair place to write to.

use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use clap::Args;
use rustix::fs::{Access, access};
use tempfile::NamedTempFile;

use crate::Error;
use crate::input::Input;
use crate::signals::Unfinished;

const STDOUT: &str = "standard output";
/// The options that name outputs, as hints show them.
pub const OUT: &str = "-o OUT";
const PLOT: &str = "--plot FILE";
const BUFFER_BYTES: usize = 64 << 10;
/// New files: whatever the user's umask leaves of this.
const MODE_CIPHERTEXT: u32 = 0o666;
/// What was worth encrypting is for its owner alone.
const MODE_PLAINTEXT: u32 = 0o600;
/// What a replaced file keeps of its mode: who may read, write and run it.
const MODE_MASK: u32 = 0o777;

#[derive(Debug, Args)]
pub struct OutputArgs {
    /// Write the result to this file; standard output without it, or with "-"
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Replace the output file if it exists
    #[arg(long, requires = "output")]
    force: bool,
}

/// What is written: it decides who may read a new file, and whether a terminal may show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// A message that could be armored.
    Binary,
    Armor,
    /// Binary that has no text form.
    Bare,
    Plaintext,
}

/// Where the output goes, checked, but not yet touched.
#[derive(Debug)]
pub struct Target {
    /// As in "cannot write notes.pgp".
    pub name: String,
    kind: Kind,
    content: Content,
    /// The option that named it.
    option: &'static str,
    is_terminal: bool,
}

#[derive(Debug)]
enum Kind {
    Stdout,
    /// A pipe, a terminal, /dev/null, /dev/fd/3: written in place, since it cannot be replaced.
    Device(PathBuf),
    NewFile(PathBuf),
    /// An existing file, its links resolved, and the mode to keep.
    Replace(PathBuf, u32),
}

impl OutputArgs {
    /// Where the output goes. Refuses what cannot work, before anybody is asked for a passphrase.
    pub fn target(&self, content: Content, input: &Input) -> Result<Target, Error> {
        match self.output.as_deref() {
            // Who writes "-" insists on binary.
            Some(path) if path == Path::new("-") => {
                Target::new(STDOUT.into(), Kind::Stdout, content)
            }
            Some(path) if !is_stdout(path) => {
                let name = path.display().to_string();
                let asked = Asked { path, force: self.force, option: OUT };
                let kind = Kind::of(&asked, &name, input)?;
                Target::new(name, kind, content)?.unless_garbled()
            }
            _ => Target::new(STDOUT.into(), Kind::Stdout, content)?.unless_garbled(),
        }
    }
}

/// A path, and what was said of it.
struct Asked<'a> {
    path: &'a Path,
    force: bool,
    option: &'static str,
}

impl Target {
    /// Where a drawing goes: a file, even if the tables go to standard output. `input` may not be it.
    pub fn plot(path: &Path, force: bool, input: &Input) -> Result<Self, Error> {
        let name = path.display().to_string();
        if path == Path::new("-") || is_stdout(path) {
            return Err(Error::failed(
                "standard output is for the tables, and cannot hold the plot",
            )
            .hint(format_args!("name a file with {PLOT}")));
        }
        let kind = Kind::of(&Asked { path, force, option: PLOT }, &name, input)?;
        Ok(Self { option: PLOT, ..Self::new(name, kind, Content::Armor)? })
    }

    fn new(name: String, kind: Kind, content: Content) -> Result<Self, Error> {
        let is_terminal = kind.is_terminal().map_err(|e| write_error(&name, OUT, &e))?;
        Ok(Self { name, kind, content, option: OUT, is_terminal })
    }

    fn unless_garbled(self) -> Result<Self, Error> {
        let way_out = match self.content {
            Content::Binary => "write to a file with -o OUT, or write text with --armor",
            Content::Bare => "write to a file with -o OUT",
            Content::Armor | Content::Plaintext => return Ok(self),
        };
        if self.is_terminal {
            return Err(Error::failed("binary output would garble the terminal")
                .hint(format_args!("{way_out}; -o - insists on binary")));
        }
        Ok(self)
    }

    /// Whether a progress bar would run into the output.
    pub fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// Whether what is written stays, even if an error follows.
    pub fn is_stream(&self) -> bool {
        matches!(self.kind, Kind::Stdout | Kind::Device(_))
    }

    /// Opens the output. A file is a temporary one at first, beside the target.
    pub fn create(&self) -> Result<Output, Error> {
        let writer = match &self.kind {
            Kind::Stdout => Ok(Writer::Stream(Box::new(io::stdout()))),
            Kind::Device(path) => {
                open_in_place(path).map(|device| Writer::Stream(Box::new(device)))
            }
            Kind::NewFile(path) if self.content == Content::Plaintext => {
                Writer::new_file(path, MODE_PLAINTEXT)
            }
            Kind::NewFile(path) => Writer::new_file(path, MODE_CIPHERTEXT),
            Kind::Replace(path, mode) => Writer::replacement(path, *mode),
        };
        let writer = writer.map_err(|e| write_error(&self.name, self.option, &e))?;
        let buffer = BufWriter::with_capacity(BUFFER_BYTES, writer);
        Ok(Output { buffer, name: self.name.clone(), option: self.option })
    }
}

impl Kind {
    fn of(asked: &Asked, name: &str, input: &Input) -> Result<Self, Error> {
        match fs::metadata(asked.path) {
            Ok(found) => existing(asked, &found, input),
            Err(e) if e.kind() == io::ErrorKind::NotFound => new_file(asked),
            Err(e) => Err(write_error(name, asked.option, &e)),
        }
    }

    fn is_terminal(&self) -> io::Result<bool> {
        match self {
            Self::Stdout => Ok(io::stdout().is_terminal()),
            // No pipe is one, and to open it might mean to wait for a reader.
            Self::Device(path) if fs::metadata(path)?.file_type().is_char_device() => {
                Ok(open_in_place(path)?.is_terminal())
            }
            _ => Ok(false),
        }
    }
}

fn is_stdout(path: &Path) -> bool {
    ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|name| path == Path::new(name))
}

/// A name for what is open already. To replace the file behind it would leave whoever opened it with
/// the old one.
fn is_descriptor(path: &Path) -> bool {
    path == Path::new("/dev/stderr")
        || path.starts_with("/dev/fd")
        || path.starts_with("/proc/self/fd")
}

/// A file, which only a descriptor leads to here, may hold something already.
fn open_in_place(path: &Path) -> io::Result<File> {
    File::options().write(true).append(path.is_file()).open(path)
}

/// A failed write as an error of the command; `option` names outputs.
pub fn write_error(name: &str, option: &str, error: &io::Error) -> Error {
    let refused = Error::io(format_args!("cannot write {name}"), error);
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            refused.hint(format_args!("free some space, or name another place with {option}"))
        }
        io::ErrorKind::FileTooLarge => {
            let ways =
                format_args!("name another place with {option}, or raise the limit (ulimit -f)");
            refused.hint(ways)
        }
        _ => refused,
    }
}

fn existing(asked: &Asked, found: &Metadata, input: &Input) -> Result<Kind, Error> {
    let Asked { path, force, option } = *asked;
    let name = path.display();
    if found.is_dir() {
        return Err(Error::failed(format_args!("{name} is a directory, expected a file name")));
    }
    if found.file_type().is_block_device() && !force {
        return Err(Error::failed(format_args!(
            "{name} is a block device, and what it holds would be overwritten"
        ))
        .hint(format_args!("name a file with {option}, or overwrite the device with --force")));
    }
    if !found.is_file() || is_descriptor(path) {
        return Ok(Kind::Device(path.to_owned()));
    }
    let same = |input: &Metadata| (input.dev(), input.ino()) == (found.dev(), found.ino());
    if input.metadata.as_ref().is_some_and(same) {
        return Err(Error::failed(format_args!("{name} is both input and output"))
            .hint(format_args!("name another file with {option}")));
    }
    if !force {
        return Err(exists(&name, option));
    }
    // Through a link, the file behind it is replaced, and the link stays.
    let real =
        fs::canonicalize(path).map_err(|e| Error::io(format_args!("cannot write {name}"), &e))?;
    writable(folder(&real))?;
    Ok(Kind::Replace(real, found.permissions().mode() & MODE_MASK))
}

fn exists(name: &impl std::fmt::Display, option: &str) -> Error {
    Error::failed(format_args!("{name} exists already"))
        .hint(format_args!("name another file with {option}, or replace it with --force"))
}

/// Nothing is there, or a link to nothing.
fn new_file(asked: &Asked) -> Result<Kind, Error> {
    let Asked { path, option, .. } = *asked;
    if path.is_symlink() {
        let name = path.display();
        return Err(Error::failed(format_args!("{name} is a link to a file that does not exist"))
            .hint(format_args!("remove the link, or name the file itself with {option}")));
    }
    writable(folder(path))?;
    Ok(Kind::NewFile(path.to_owned()))
}

/// Whether the temporary file, beside the target, can be made.
fn writable(folder: &Path) -> Result<(), Error> {
    access(folder, Access::WRITE_OK | Access::EXEC_OK).map_err(|e| {
        let what = format_args!("cannot write to the folder {}", folder.display());
        Error::io(what, &e.into())
    })
}

/// An opened output. Without `commit` a file leaves no trace.
#[derive(Debug)]
pub struct Output {
    buffer: BufWriter<Writer>,
    name: String,
    option: &'static str,
}

impl Output {
    /// Writes all of `data`.
    pub fn put(&mut self, data: &[u8]) -> Result<(), Error> {
        self.buffer.write_all(data).map_err(|error| write_error(&self.name, self.option, &error))
    }

    /// Ends the output: a file is forced to disk and takes its name.
    pub fn commit(self) -> Result<(), Error> {
        let Self { buffer, name, option } = self;
        let writer = buffer.into_inner().map_err(|e| write_error(&name, option, e.error()))?;
        writer.commit().map_err(|e| match e.kind() {
            io::ErrorKind::AlreadyExists => exists(&name, option),
            _ => write_error(&name, option, &e),
        })
    }
}

impl Write for Output {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.buffer.write(data)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.buffer.flush()
    }
}

enum Writer {
    Stream(Box<dyn Write>),
    File { file: NamedTempFile, unfinished: Unfinished, target: PathBuf, replace: bool },
}

impl Writer {
    fn new_file(target: &Path, mode: u32) -> io::Result<Self> {
        Self::file(target, mode, false)
    }

    /// The umask is for new files: here, what it took from the mode is given back.
    fn replacement(target: &Path, mode: u32) -> io::Result<Self> {
        let writer = Self::file(target, mode, true)?;
        if let Self::File { file, .. } = &writer {
            file.as_file().set_permissions(Permissions::from_mode(mode))?;
        }
        Ok(writer)
    }

    fn file(target: &Path, mode: u32, replace: bool) -> io::Result<Self> {
        let folder = folder(target);
        let mode = Permissions::from_mode(mode);
        let (file, unfinished) = Unfinished::create(|| {
            tempfile::Builder::new().prefix(".manyfish-").permissions(mode).tempfile_in(folder)
        })?;
        Ok(Self::File { file, unfinished, target: target.to_owned(), replace })
    }

    fn commit(self) -> io::Result<()> {
        match self {
            Self::Stream(mut stream) => stream.flush(),
            Self::File { file, unfinished, target, replace } => {
                file.as_file().sync_all()?;
                let named =
                    if replace { file.persist(&target) } else { file.persist_noclobber(&target) };
                named.map_err(|e| e.error)?;
                drop(unfinished);
                sync_name(folder(&target))
            }
        }
    }
}

/// The directory that holds the file: renaming works only within one.
fn folder(file: &Path) -> &Path {
    match file.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// Forces the names in a folder to disk, where that can be done: not every folder may be read by who
/// may write there, nor does every file system know how. The file is in place by now.
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
            Self::File { file, .. } => file.write(data),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stream(stream) => stream.flush(),
            Self::File { file, .. } => file.flush(),
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

    /// Only asks what would be done: no device is opened.
    #[test]
    fn a_block_device_needs_force() {
        let names = fs::read_dir("/dev").unwrap().map(|entry| entry.unwrap().path());
        let found = names.filter_map(|path| fs::metadata(&path).ok().map(|found| (path, found)));
        let Some((path, found)) = found.into_iter().find(|(_, f)| f.file_type().is_block_device())
        else {
            println!("skipped: no block device in /dev");
            return;
        };
        let input = Input::open(None).unwrap();
        let asked = |force| Asked { path: &path, force, option: OUT };
        let error = existing(&asked(false), &found, &input).unwrap_err().to_string();
        let expected = "is a block device, and what it holds would be overwritten";
        assert_eq!(error, format!("{} {expected}", path.display()));
        assert!(matches!(existing(&asked(true), &found, &input), Ok(Kind::Device(_))));
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
