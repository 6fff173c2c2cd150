// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The owner and the permissions of a replaced file, with the sentences of the command.

use std::fs::File;
use std::io;

use manyfish_replace::Kept;

pub fn give_owner(file: &File, kept: &Kept) -> io::Result<()> {
    kept.give_owner(file).map_err(|_| cannot_be_kept("its owner and group"))
}

/// The mode, and the access list, which may also be that of the folder until now.
pub fn give_permissions(file: &File, kept: &Kept) -> io::Result<()> {
    kept.give_access_list(file).map_err(|error| {
        if kept.has_access_list() { cannot_be_kept("its access list") } else { error }
    })?;
    kept.give_mode(file)
}

fn cannot_be_kept(what: &str) -> io::Error {
    io::Error::other(format!("{what} cannot be kept; remove it first, or name another file"))
}
