// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Access lists as Linux has them, in the form of the kernel. The group's bits in the mode of such a file are a limit for all
//! entries of its list, not the rights of its group.

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

/// `None` also removes the list that the folder gave.
pub fn give(file: &File, list: Option<&[u8]>) -> io::Result<()> {
    match list {
        Some(list) => Ok(fsetxattr(file, NAME, list, XattrFlags::empty())?),
        None => fremovexattr(file, NAME).or_else(absent),
    }
}

/// Fails unless the error says that the file, or its file system, has no list.
fn absent(error: Errno) -> io::Result<()> {
    match error {
        Errno::NODATA | Errno::OPNOTSUPP | Errno::NOSYS => Ok(()),
        other => Err(other.into()),
    }
}
