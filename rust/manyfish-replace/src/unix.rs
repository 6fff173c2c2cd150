// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Linux, macOS, and systems like them.

use std::fs::{File, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::Path;

use crate::access_list;

/// Of a mode: who may read, write and run the file.
const MODE_MASK: u32 = 0o777;

/// The owner and the permissions that a file keeps when it is replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    mode: u32,
    owner: u32,
    group: u32,
    access_list: Option<Vec<u8>>,
}

impl Kept {
    /// Those of the file at `path`, of which this is the metadata. An error is that of its access list.
    pub fn of(path: &Path, found: &Metadata) -> io::Result<Self> {
        let access_list = access_list::of(path)?;
        Ok(Self { mode: mode(found), owner: found.uid(), group: found.gid(), access_list })
    }

    /// Gives the new file owner and group. Later its group might read it, so this is for an empty file.
    pub fn give_owner(&self, file: &File) -> io::Result<()> {
        let found = file.metadata()?;
        if (found.uid(), found.gid()) == (self.owner, self.group) {
            return Ok(());
        }
        fchown(file, Some(self.owner), Some(self.group))
    }

    /// Whether [`give_access_list`](Self::give_access_list) gives one; else it removes one that the folder gave.
    #[must_use]
    pub fn has_access_list(&self) -> bool {
        self.access_list.is_some()
    }

    /// Gives the new file the access list, which is to come before the mode.
    pub fn give_access_list(&self, file: &File) -> io::Result<()> {
        access_list::give(file, self.access_list.as_deref())
    }

    /// Gives the new file the mode. The umask is for new files only.
    pub fn give_mode(&self, file: &File) -> io::Result<()> {
        if mode(&file.metadata()?) == self.mode {
            return Ok(());
        }
        file.set_permissions(Permissions::from_mode(self.mode))
    }
}

fn mode(found: &Metadata) -> u32 {
    found.permissions().mode() & MODE_MASK
}
