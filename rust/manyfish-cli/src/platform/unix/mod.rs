// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Linux, macOS, and systems like them.

mod signals;
mod temporary;
mod terminal;

use std::fs::{self, DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::fd::AsFd;
#[cfg(target_os = "linux")]
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, PermissionsExt};
use std::path::Path;

use rustix::fs::Mode;
use rustix::process::{Resource, Rlimit, geteuid, setrlimit, umask};

pub use signals::listen;
pub use temporary::{claim, create_locked, is_abandoned, link, unnamed};
pub use terminal::ask;

/// The keys that end typed input.
pub const INPUT_END: &str = "Ctrl-D";
/// A hint for files that hit a limit of the system.
pub const RAISE_FILE_LIMIT: &str = ", or raise the limit (ulimit -f)";
/// The largest page of memory in use.
const MAX_PAGE_BYTES: u64 = 64 << 10;
/// A folder, and those around it that are missing, for their owner alone.
pub fn make_private_folders(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// A file system without modes refuses; it has given the file what all of its files have.
pub fn give_new_mode(file: &File, mode: u32) {
    let mask = umask(Mode::empty());
    umask(mask);
    let _ = file.set_permissions(Permissions::from_mode(mode & !mask.bits()));
}

/// Whether others than the owner of a file may read it.
pub fn is_open_to_others(found: &Metadata) -> bool {
    found.is_file() && found.mode() & 0o044 != 0
}

/// Files that the system makes up have no blocks; they say 0, as in /proc, or a page, as in /sys,
/// whatever reading gives. A small file that is one hole says so too.
pub fn is_made_up(found: &Metadata) -> bool {
    found.blocks() == 0 && found.len() <= MAX_PAGE_BYTES
}

/// Whether others than this user and root own the file or may write it.
pub fn others_may_change(found: &Metadata) -> bool {
    found.mode() & 0o022 != 0 || ![geteuid().as_raw(), 0].contains(&found.uid())
}

pub fn is_block_device(found: &Metadata) -> bool {
    found.file_type().is_block_device()
}

/// Whether both are one block device, whatever its names.
pub fn is_same_device(a: &Metadata, b: &Metadata) -> bool {
    is_block_device(a) && is_block_device(b) && a.rdev() == b.rdev()
}

/// Opens a block device for this process alone: Linux refuses while one of its file systems is mounted, or another
/// process has it open in this way.
pub fn open_alone(device: impl AsRef<Path>, options: &mut OpenOptions) -> io::Result<File> {
    #[cfg(target_os = "linux")]
    options.custom_flags(rustix::fs::OFlags::EXCL.bits().cast_signed());
    options.open(device)
}

/// Lets the next read of what was written come from the disk, where the system can.
pub fn drop_cache(file: &File) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    rustix::fs::fadvise(file, 0, None, rustix::fs::Advice::DontNeed)?;
    let _ = file;
    Ok(())
}

/// Takes space on the disk for a file, where the system can tell beforehand whether there is enough.
pub fn reserve(file: &File, n_bytes: u64) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    match rustix::fs::fallocate(file, rustix::fs::FallocateFlags::empty(), 0, n_bytes) {
        Err(rustix::io::Errno::OPNOTSUPP) => {}
        taken => taken?,
    }
    let _ = (file, n_bytes);
    Ok(())
}

/// Whether the name alone makes it a device, in any folder.
pub fn is_device_name(_: &Path) -> bool {
    false
}

/// No pipe is a terminal, and to open it might mean to wait for a reader.
pub fn may_be_terminal(device: &Path) -> io::Result<bool> {
    Ok(fs::metadata(device)?.file_type().is_char_device())
}

/// No core dump, and no look into the memory by other programs of the same user. Nothing depends on it, so failures do not
/// matter.
pub fn keep_memory_private() {
    let nothing = Rlimit { current: Some(0), maximum: Some(0) };
    let _ = setrlimit(Resource::Core, nothing);
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
}

/// Standard input without the library's buffer, which nobody wipes.
pub fn stdin() -> io::Result<File> {
    io::stdin().as_fd().try_clone_to_owned().map(File::from)
}
