// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! An output file that has its name from the start. A later run goes on where an earlier one stopped.

use std::fs::{File, TryLockError};
use std::io::{self, Seek, SeekFrom};
use std::path::Path;

use super::place::both;
use super::writer::{InPlace, Writer};
use super::{OUT, Output, write_error};
use crate::input::{Input, in_use};
use crate::{Error, platform};

/// The end of an interrupted file is written again: a crash of the system may have lost it.
pub const DOUBTFUL_BYTES: u64 = 64 << 20;

pub struct Resumed {
    pub file: File,
    /// As in "cannot write disk.img".
    pub name: String,
}

impl Resumed {
    /// Opens the file, or makes a new one that only its owner can read.
    pub fn open(path: &Path, input: &Input) -> Result<Self, Error> {
        let name = path.display().to_string();
        if input.is_at(path) {
            return Err(both(&name, OUT));
        }
        let refuse = |error| write_error(&name, OUT, &error);
        let file = match File::options().read(true).write(true).open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => platform::create_locked(path),
            found => found,
        };
        let file = file.map_err(refuse)?;
        let found = file.metadata().map_err(refuse)?;
        if !found.is_file() {
            return Err(Error::failed(format_args!("{name} is no regular file"))
                .hint("only such a file can be continued: leave --resume out"));
        }
        // An empty file agrees with every volume, and anybody may have made it.
        if platform::is_open_to_others(&found) || platform::others_may_change(&found) {
            return Err(Error::failed(format_args!("others may read or change {name}"))
                .hint("chmod 600 it if it is of a run before this one, or write to another file"));
        }
        // Two runs at once would cut off each other's ends.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(in_use(&name));
        }
        Ok(Self { file, name })
    }

    /// Continues behind byte `n_bytes`; the rest goes.
    pub fn after(mut self, n_bytes: u64) -> Result<Output, Error> {
        let cut =
            self.file.set_len(n_bytes).and_then(|()| self.file.seek(SeekFrom::Start(n_bytes)));
        cut.map_err(|error| write_error(&self.name, OUT, &error))?;
        Ok(Output::new(Writer::InPlace(InPlace::new(self.file)), self.name, OUT))
    }
}
