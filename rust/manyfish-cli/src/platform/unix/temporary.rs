// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Files without a name, which Linux has, and locked ones, for which a lock says that they are in use.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::{FlockOperation, flock};
use rustix::process::geteuid;

const OWNER_ALONE: u32 = 0o600;

/// A file of this folder without a name, for its owner alone; `None` where there are none.
#[cfg(target_os = "linux")]
pub fn unnamed(folder: &Path) -> Option<File> {
    use rustix::fs::{Mode, OFlags, open};
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    let file = File::from(open(folder, flags, Mode::from_raw_mode(OWNER_ALONE)).ok()?);
    let _ = flock(&file, FlockOperation::NonBlockingLockExclusive); // for the moment that it has a name of ours
    fs::symlink_metadata(descriptor(&file)).ok().map(|_| file)
}

/// Gives it a name that nothing has.
#[cfg(target_os = "linux")]
pub fn link(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    Ok(linkat(CWD, descriptor(file), CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

/// Opens the block device of a file once more, alone.
#[cfg(target_os = "linux")]
pub fn claim(file: &File) -> Option<File> {
    super::open_alone(descriptor(file), File::options().read(true)).ok()
}

/// The name by which the system finds an open file; only with /proc.
#[cfg(target_os = "linux")]
fn descriptor(file: &File) -> String {
    use std::os::fd::AsRawFd;
    format!("/proc/self/fd/{}", file.as_raw_fd())
}

#[cfg(not(target_os = "linux"))]
pub fn unnamed(_: &Path) -> Option<File> {
    None
}

#[cfg(not(target_os = "linux"))]
pub fn link(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(target_os = "linux"))]
pub fn claim(_: &File) -> Option<File> {
    None
}

/// A new file, for its owner alone, locked as long as it is open. Not every file system has locks.
pub fn create_locked(path: &Path) -> io::Result<File> {
    let file =
        File::options().read(true).write(true).create_new(true).mode(OWNER_ALONE).open(path)?;
    let _ = flock(&file, FlockOperation::NonBlockingLockExclusive);
    Ok(file)
}

/// Whether it is a file of this user that no process has locked.
pub fn is_abandoned(path: &Path) -> bool {
    let is_own = |found: fs::Metadata| found.is_file() && found.uid() == geteuid().as_raw();
    fs::symlink_metadata(path).is_ok_and(is_own)
        && File::open(path)
            .is_ok_and(|file| flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok())
}
