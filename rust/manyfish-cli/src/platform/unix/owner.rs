// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The owner and the permissions of a file.

use std::fs::{File, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::Path;

use rustix::fs::Mode;
use rustix::process::umask;

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
    pub fn of(path: &Path, found: &Metadata) -> io::Result<Self> {
        let access_list = access_list::of(path)?;
        Ok(Self { mode: mode(found), owner: found.uid(), group: found.gid(), access_list })
    }
}

fn mode(found: &Metadata) -> u32 {
    found.permissions().mode() & MODE_MASK
}

pub fn give_owner(file: &File, kept: &Kept) -> io::Result<()> {
    let found = file.metadata()?;
    if (found.uid(), found.gid()) == (kept.owner, kept.group) {
        return Ok(());
    }
    fchown(file, Some(kept.owner), Some(kept.group)).map_err(|_| {
        io::Error::other(
            "its owner and group cannot be kept; remove it first, or name another file",
        )
    })
}

/// The mode, and the access list, which may also be that of the folder until now. The umask is for new files only.
pub fn give_mode(file: &File, kept: &Kept) -> io::Result<()> {
    access_list::give(file, kept.access_list.as_deref())?;
    if mode(&file.metadata()?) == kept.mode {
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

/// Access lists as Linux has them, in the form of the kernel. The group's bits in the mode of such a file are a limit for all
/// entries of its list, not the rights of its group.
#[cfg(target_os = "linux")]
mod access_list {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    use rustix::fs::{XattrFlags, fremovexattr, fsetxattr, getxattr};
    use rustix::io::Errno;

    const NAME: &str = "system.posix_acl_access";
    /// The most that Linux takes.
    const MOST_BYTES: usize = 64 << 10;

    /// `None` if the file has none.
    pub fn of(path: &Path) -> io::Result<Option<Vec<u8>>> {
        let mut list = vec![0; MOST_BYTES];
        match getxattr(path, NAME, &mut list[..]) {
            Ok(n_bytes) => Ok(Some(list[..n_bytes].to_vec())),
            Err(error) => absent(error).map(|()| None),
        }
    }

    pub fn give(file: &File, list: Option<&[u8]>) -> io::Result<()> {
        let Some(list) = list else { return fremovexattr(file, NAME).or_else(absent) };
        fsetxattr(file, NAME, list, XattrFlags::empty()).map_err(|_| {
            io::Error::other(
                "its access list cannot be kept; remove it first, or name another file",
            )
        })
    }

    /// Fails unless the error says that the file, or its file system, has no list.
    fn absent(error: Errno) -> io::Result<()> {
        match error {
            Errno::NODATA | Errno::OPNOTSUPP | Errno::NOSYS => Ok(()),
            other => Err(other.into()),
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod access_list {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    #[allow(clippy::unnecessary_wraps)] // Linux may fail
    pub fn of(_: &Path) -> io::Result<Option<Vec<u8>>> {
        Ok(None)
    }

    #[allow(clippy::unnecessary_wraps)] // Linux may fail
    pub fn give(_: &File, _: Option<&[u8]>) -> io::Result<()> {
        Ok(())
    }
}
