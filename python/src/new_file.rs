// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! A file that appears under its name only when all of it is written and, on decryption, verified.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use manyfish_replace::Kept;
use pyo3::exceptions::{PyFileExistsError, PyIsADirectoryError, PyOSError, PyValueError};
use pyo3::prelude::*;
use tempfile::NamedTempFile;

use crate::files::os_error;

const BUFFER_BYTES: usize = 64 << 10;
/// The numbers of these errors on all systems that Python runs on.
const EEXIST: i32 = 17;
const EISDIR: i32 = 21;

/// Written beside its target, under another name until `commit`; dropped without it, it leaves no trace.
pub struct NewFile {
    buffer: BufWriter<NamedTempFile>,
    target: PathBuf,
    /// Of the file that it replaces.
    kept: Option<Kept>,
    replace: bool,
}

impl NewFile {
    /// Refuses what cannot work, before the slow part.
    pub fn check(path: &Path, overwrite: bool, source: Option<&Path>) -> PyResult<()> {
        let found = match fs::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            found => found.map_err(|error| os_error(error, Some(path)))?,
        };
        let name = path.as_os_str().to_owned();
        if found.is_dir() {
            return Err(PyIsADirectoryError::new_err((
                EISDIR,
                "expected the name of a file",
                name,
            )));
        }
        if source.is_some_and(|source| is_same(source, path)) {
            let message = format!("{} is both src and dst", path.display());
            return Err(PyValueError::new_err(message));
        }
        if !overwrite {
            return Err(exists(path));
        }
        if !found.is_file() {
            let message =
                format!("{} cannot be replaced; open it and pass the file object", path.display());
            return Err(PyOSError::new_err(message));
        }
        Ok(())
    }

    /// Creates the unfinished file. Decrypted text (`secret`) is for its owner alone; a file that replaces another gets
    /// its owner, or is refused, and at the end its permissions.
    pub fn create(path: &Path, overwrite: bool, secret: bool) -> io::Result<Self> {
        let replaced = if overwrite { fs::metadata(path).ok() } else { None };
        // Through a link, the file behind it is replaced, and the link stays.
        let target = if replaced.is_some() { fs::canonicalize(path)? } else { path.to_path_buf() };
        let kept = replaced.map(|found| Kept::of(&target, &found)).transpose()?;
        let file = temporary(folder(&target), if secret { 0o600 } else { 0o666 })?;
        if let Some(kept) = &kept {
            kept.give_owner(file.as_file())?;
        }
        let buffer = BufWriter::with_capacity(BUFFER_BYTES, file);
        Ok(Self { buffer, target, kept, replace: overwrite })
    }

    /// Forces the file to disk and gives it its name.
    pub fn commit(self) -> io::Result<()> {
        let Self { buffer, target, kept, replace } = self;
        let file = buffer.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.as_file().sync_all()?;
        if let Some(kept) = &kept {
            kept.give_access_list(file.as_file())?;
            kept.give_mode(file.as_file())?;
        }
        let named = if replace { file.persist(&target) } else { file.persist_noclobber(&target) };
        named.map_err(|refused| match refused.error {
            error if error.kind() == io::ErrorKind::AlreadyExists => {
                io::Error::other(exists(&target))
            }
            error => error,
        })?;
        sync_name(folder(&target));
        Ok(())
    }
}

impl Write for NewFile {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.buffer.write(data)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.buffer.flush()
    }
}

/// A new file under a name that nobody has. The umask takes from its mode.
#[cfg_attr(not(unix), expect(unused_variables, reason = "only Unix has modes"))]
fn temporary(folder: &Path, mode: u32) -> io::Result<NamedTempFile> {
    let mut options = File::options();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
    let mut number = None;
    let open = |path: &Path| options.open(path).inspect_err(|error| number = error.raw_os_error());
    let created = tempfile::Builder::new().prefix(".manyfish-").make_in(folder, open);
    // Its own error names a file that nobody has asked for.
    created.map_err(|error| number.map_or(error, io::Error::from_raw_os_error))
}

fn exists(path: &Path) -> PyErr {
    let sentence = "it exists already; overwrite=True replaces it";
    PyFileExistsError::new_err((EEXIST, sentence, path.as_os_str().to_owned()))
}

/// Two names of one file. Another hard link to it is not: replacing that leaves the source alone.
fn is_same(one: &Path, other: &Path) -> bool {
    matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}

/// The directory that holds the file: renaming works only within one.
fn folder(file: &Path) -> &Path {
    match file.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// Forces the names in a folder to disk, where the system can do that. The file is in place by now.
fn sync_name(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}
