// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The owner and the permissions of a file.

use std::fs::{File, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};

use rustix::fs::Mode;
use rustix::process::umask;

/// Of a mode: who may read, write and run the file.
const MODE_MASK: u32 = 0o777;

/// The owner and mode that a file keeps when it is replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    mode: u32,
    owner: u32,
    group: u32,
}

impl Kept {
    pub fn of(found: &Metadata) -> Self {
        let mode = found.permissions().mode() & MODE_MASK;
        Self { mode, owner: found.uid(), group: found.gid() }
    }
}

pub fn give_owner(file: &File, kept: &Kept) -> io::Result<()> {
    let found = Kept::of(&file.metadata()?);
    if (found.owner, found.group) == (kept.owner, kept.group) {
        return Ok(());
    }
    fchown(file, Some(kept.owner), Some(kept.group)).map_err(|_| {
        io::Error::other(
            "its owner and group cannot be kept; remove it first, or name another file",
        )
    })
}

/// The umask is for new files only.
pub fn give_mode(file: &File, kept: &Kept) -> io::Result<()> {
    if Kept::of(&file.metadata()?).mode == kept.mode {
        return Ok(());
    }
    file.set_permissions(Permissions::from_mode(kept.mode))
}

/// A file system without modes refuses; it has given the file what all of its files have.
pub fn give_new_mode(file: &File, mode: u32) {
    let mask = umask(Mode::empty());
    umask(mask);
    let _ = file.set_permissions(Permissions::from_mode(mode & !mask.bits()));
}
