// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Linux, macOS, and systems like them.

mod signals;
mod terminal;

use std::fs::{self, File, Metadata, Permissions};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::Path;

use rustix::process::{Resource, Rlimit, setrlimit};

pub use signals::listen;
pub use terminal::ask;

/// What ends an input that is typed.
pub const INPUT_END: &str = "Ctrl-D";
/// What may keep a file from growing, beside its file system.
pub const RAISE_FILE_LIMIT: &str = ", or raise the limit (ulimit -f)";
/// The largest page of memory in use.
const MAX_PAGE_BYTES: u64 = 64 << 10;
/// Of a mode: who may read, write and run the file.
const MODE_MASK: u32 = 0o777;

/// What a new file gets; the umask is taken from it.
#[allow(clippy::unnecessary_wraps)] // elsewhere there are no modes
pub fn permissions(mode: u32) -> Option<Permissions> {
    Some(Permissions::from_mode(mode))
}

pub fn mode(found: &Metadata) -> u32 {
    found.permissions().mode() & MODE_MASK
}

/// Files that the system makes up have no blocks; they say 0, as in /proc, or a page, as in /sys,
/// whatever reading gives. A small file that is one hole says so too.
pub fn is_made_up(found: &Metadata) -> bool {
    found.blocks() == 0 && found.len() <= MAX_PAGE_BYTES
}

pub fn is_block_device(found: &Metadata) -> bool {
    found.file_type().is_block_device()
}

/// Whether a device, by its name alone, stands in no folder.
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
