// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The place of the output: what is there, and whether the command may write to it.

use std::fs::{self, File, Metadata};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf, is_separator};

use manyfish_replace::Kept;

use super::write_error;
use super::writer::folder;
use crate::input::Input;
use crate::{Error, platform};

/// A path with its options.
pub struct Asked<'a> {
    pub path: &'a Path,
    pub force: bool,
    pub option: &'static str,
}

#[derive(Debug)]
pub enum Kind {
    Stdout,
    /// A pipe, a terminal, /dev/null, /dev/fd/3: written in place, since it cannot be replaced.
    Device(PathBuf),
    NewFile(PathBuf),
    /// An existing file, its links resolved, and what its replacement keeps of it.
    Replace(PathBuf, Kept),
}

impl Kind {
    pub fn of(asked: &Asked, name: &str, input: &Input) -> Result<Self, Error> {
        if platform::is_device_name(asked.path) {
            return Ok(Self::Device(asked.path.to_owned()));
        }
        match fs::metadata(asked.path) {
            Ok(found) => {
                let kind = existing(asked, &found, input)?;
                if platform::is_block_device(&found) {
                    // It may be the disk around the partition that is read.
                    let _read = input.claim();
                    open_block_device(asked.path)
                        .map_err(|e| write_error(name, asked.option, &e))?;
                }
                Ok(kind)
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => new_file(asked),
            Err(e) => Err(write_error(name, asked.option, &e)),
        }
    }

    pub fn is_terminal(&self) -> io::Result<bool> {
        match self {
            Self::Stdout => Ok(io::stdout().is_terminal()),
            Self::Device(path) if platform::may_be_terminal(path)? => {
                Ok(open_in_place(path)?.is_terminal())
            }
            _ => Ok(false),
        }
    }
}

pub fn is_stdout(path: &Path) -> bool {
    ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|name| path == Path::new(name))
}

/// A name for an open descriptor. If the command replaced the file behind it, the program that opened it would
/// keep the old one.
fn is_descriptor(path: &Path) -> bool {
    path == Path::new("/dev/stderr")
        || path.starts_with("/dev/fd")
        || path.starts_with("/proc/self/fd")
}

/// Appends to a file, which only a descriptor leads to here: it may hold data already.
pub fn open_in_place(path: &Path) -> io::Result<File> {
    File::options().write(true).append(path.is_file()).open(path)
}

/// To read again what was written.
pub fn open_block_device(path: &Path) -> io::Result<File> {
    platform::open_alone(path, File::options().read(true).write(true))
}

fn existing(asked: &Asked, found: &Metadata, input: &Input) -> Result<Kind, Error> {
    let Asked { path, force, option } = *asked;
    let name = path.display();
    if found.is_dir() {
        return Err(Error::failed(format_args!("{name} is a directory, expected a file name")));
    }
    if (found.is_file() || platform::is_block_device(found)) && input.is_at(path) {
        return Err(both(&name, option));
    }
    if platform::is_block_device(found) && !force {
        return Err(Error::failed(format_args!(
            "{name} is a block device; writing destroys its contents"
        ))
        .hint(format_args!("name a file with {option}, or overwrite the device with --force")));
    }
    if !found.is_file() || is_descriptor(path) {
        return Ok(Kind::Device(path.to_owned()));
    }
    if !force {
        return Err(exists(&name, option));
    }
    // Through a link, the file behind it is replaced, and the link stays.
    let refuse = |error| Error::io(format_args!("cannot write {name}"), &error);
    let real = fs::canonicalize(path).map_err(refuse)?;
    writable(folder(&real))?;
    let kept = Kept::of(&real, found).map_err(refuse)?;
    Ok(Kind::Replace(real, kept))
}

pub fn both(name: &impl std::fmt::Display, option: &str) -> Error {
    Error::failed(format_args!("{name} is both input and output"))
        .hint(format_args!("name another file with {option}"))
}

pub fn exists(name: &impl std::fmt::Display, option: &str) -> Error {
    Error::failed(format_args!("{name} exists already"))
        .hint(format_args!("name another file with {option}, or replace it with --force"))
}

/// The place is empty, or a link to nothing.
fn new_file(asked: &Asked) -> Result<Kind, Error> {
    let Asked { path, option, .. } = *asked;
    if path.is_symlink() {
        let name = path.display();
        return Err(Error::failed(format_args!("{name} is a link to a file that does not exist"))
            .hint(format_args!("remove the link, or name the file itself with {option}")));
    }
    if names_folder(path) {
        let name = path.display();
        return Err(Error::failed(format_args!("{name} names a folder that does not exist"))
            .hint(format_args!("make the folder, and name a file in it with {option}")));
    }
    writable(folder(path))?;
    Ok(Kind::NewFile(path.to_owned()))
}

/// Whether the path ends in a separator, which `Path` ignores, and the system does not.
fn names_folder(path: &Path) -> bool {
    let text = path.as_os_str().as_encoded_bytes();
    let text = text.strip_suffix(b".").unwrap_or(text);
    text.last().is_some_and(|last| is_separator(char::from(*last)))
}

/// Tries whether a temporary file can be made beside the target.
fn writable(folder: &Path) -> Result<(), Error> {
    let refuse = |e| Error::io(format_args!("cannot write to the folder {}", folder.display()), &e);
    tempfile::tempfile_in(folder).map(drop).map_err(refuse)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::{Content, OUT, Target};

    #[test]
    fn a_separator_at_the_end_names_a_folder() {
        for path in ["new/", "a/new//", "new/."] {
            assert!(names_folder(Path::new(path)), "{path}");
        }
        for path in ["new", "a/new", "new.", "a/.new", "."] {
            assert!(!names_folder(Path::new(path)), "{path}");
        }
    }

    /// Only asks what would be done: no device is opened.
    #[test]
    fn a_block_device_needs_force() {
        let names = fs::read_dir("/dev").unwrap().map(|entry| entry.unwrap().path());
        let found = names.filter_map(|path| fs::metadata(&path).ok().map(|found| (path, found)));
        let Some((path, found)) = found.into_iter().find(|(_, f)| platform::is_block_device(f))
        else {
            println!("skipped: no block device in /dev");
            return;
        };
        let input = Input::open(None).unwrap();
        let asked = |force| Asked { path: &path, force, option: OUT };
        let error = existing(&asked(false), &found, &input).unwrap_err().to_string();
        let expected = "is a block device; writing destroys its contents";
        assert_eq!(error, format!("{} {expected}", path.display()));
        let kind = existing(&asked(true), &found, &input).unwrap();
        assert!(matches!(kind, Kind::Device(_)));
        let target = Target::new("disk".into(), kind, Content::Bare).unwrap();
        let error = target.create_readable_file().unwrap_err().to_string();
        assert_eq!(error, "disk is a block device, which takes the data of a disk alone");
        let Ok(input) = Input::open(Some(&path)) else { return };
        let error = existing(&asked(true), &found, &input).unwrap_err().to_string();
        assert_eq!(error, format!("{} is both input and output", path.display()));
    }
}
