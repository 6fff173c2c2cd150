// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! A file until it is complete. It has no name where the file system knows such files: then nothing can
//! stay behind, however the command ends. Elsewhere its name says what it is, nobody else can read it, and
//! a later run removes those that a killed one left.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::time::Duration;

use tempfile::NamedTempFile;

use crate::platform;
use crate::signals::{self, Unfinished};

const PREFIX: &str = ".manyfish-";
const SUFFIX: &str = ".tmp";
/// A younger file may not be locked yet by the command that has made it.
const STALE_AFTER: Duration = Duration::from_secs(60);

pub enum Temporary {
    Unnamed(File),
    Named(NamedTempFile, Unfinished),
}

impl Temporary {
    pub fn new(folder: &Path) -> io::Result<Self> {
        signals::listen();
        remove_stale(folder);
        platform::unnamed(folder)
            .map_or_else(|| Self::named(folder), |file| Ok(Self::Unnamed(file)))
    }

    fn named(folder: &Path) -> io::Result<Self> {
        let (file, unfinished) = name_in(folder, platform::create_locked)?;
        Ok(Self::Named(file, unfinished))
    }

    pub fn file(&self) -> &File {
        match self {
            Self::Unnamed(file) => file,
            Self::Named(file, _) => file.as_file(),
        }
    }

    /// Gives it the name `target`, which is in `folder`.
    pub fn persist(self, folder: &Path, target: &Path, replace: bool) -> io::Result<()> {
        let (path, unfinished) = match self {
            Self::Unnamed(file) if !replace => return platform::link(&file, target),
            Self::Unnamed(file) => {
                let (linked, unfinished) = name_in(folder, |path| platform::link(&file, path))?;
                (linked.into_temp_path(), unfinished)
            }
            // Windows renames no file that is open alone to its owner.
            Self::Named(file, unfinished) => (file.into_temp_path(), unfinished),
        };
        let named = if replace { path.persist(target) } else { path.persist_noclobber(target) };
        drop(unfinished);
        named.map_err(|refused| refused.error)
    }
}

/// Makes a file under a new name.
fn name_in<F>(
    folder: &Path,
    make: impl FnMut(&Path) -> io::Result<F>,
) -> io::Result<(NamedTempFile<F>, Unfinished)> {
    let mut builder = tempfile::Builder::new();
    let builder = builder.prefix(PREFIX).suffix(SUFFIX);
    Unfinished::create(|| builder.make_in(folder, make))
}

/// Removes the files that killed runs of this user have left. Ignores failures.
fn remove_stale(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_ours = name.to_str().is_some_and(|n| n.starts_with(PREFIX) && n.ends_with(SUFFIX));
        if is_ours && is_old(&entry) && platform::is_abandoned(&entry.path()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn is_old(entry: &fs::DirEntry) -> bool {
    let written = entry.metadata().and_then(|found| found.modified());
    written.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > STALE_AFTER))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::time::SystemTime;

    fn names(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    fn check_persist(make: impl Fn(&Path) -> Temporary) {
        let place = tempfile::tempdir().unwrap();
        let (folder, target) = (place.path(), place.path().join("file"));
        let write = |text: &str, replace| {
            let file = make(folder);
            file.file().write_all(text.as_bytes()).unwrap();
            file.persist(folder, &target, replace)
        };
        write("first", false).unwrap();
        assert_eq!(write("no", false).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&target).unwrap(), b"first");
        write("second", true).unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"second");
        drop(make(folder));
        assert_eq!(names(folder), 1, "nothing stays behind");
    }

    #[test]
    fn either_kind_gets_its_name_when_asked() {
        check_persist(|folder| Temporary::new(folder).unwrap());
        check_persist(|folder| Temporary::named(folder).unwrap());
    }

    #[test]
    fn a_later_run_removes_what_a_killed_one_left() {
        let place = tempfile::tempdir().unwrap();
        let long_ago = SystemTime::now() - 2 * STALE_AFTER;
        let make = |name: &str| {
            let file = File::create(place.path().join(name)).unwrap();
            file.set_modified(long_ago).unwrap();
        };
        let busy = Temporary::named(place.path()).unwrap();
        busy.file().set_modified(long_ago).unwrap();
        for name in [".manyfish-dead.tmp", ".manyfish-mine", "notes.tmp"] {
            make(name);
        }
        File::create(place.path().join(".manyfish-young.tmp")).unwrap();
        remove_stale(place.path());
        assert!(!place.path().join(".manyfish-dead.tmp").exists());
        assert_eq!(names(place.path()), 4, "one at work, a young one, and two that are not ours");
    }
}
