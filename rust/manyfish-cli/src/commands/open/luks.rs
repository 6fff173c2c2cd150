// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! LUKS volumes.

use std::fs::File;
use std::io;

use manyfish_files::luks::Luks;
use manyfish_files::{Error as FileError, Volume};

use super::{UnlockArgs, beginning, explain, file, owned};
use crate::Error;
use crate::input::{Input, Reader};
use crate::passphrase::{Passphrase, from_key_file};

/// cryptsetup reads no longer key files.
const MOST_KEY_FILE_BYTES: usize = 8 << 20;
const KEY_FILE: &str =
    "all bytes of a key file count, its last line feed too; --key-file reads it so";

/// The header in a file; `None` where there is none.
pub fn found_in(input: &Input) -> Result<Option<Luks>, Error> {
    let Reader::File(file) = &input.reader else { return Ok(None) };
    match Luks::read(file) {
        Ok(luks) => Ok(Some(luks)),
        Err(FileError::NotLuks | FileError::Truncated { .. })
            if beginning(input) != Some(*b"LUKS") =>
        {
            Ok(None)
        }
        // Pipes are no places for volumes.
        Err(FileError::Read(e)) if e.kind() == io::ErrorKind::NotSeekable => Ok(None),
        Err(error) => Err(explain(error, input)),
    }
}

pub fn open(
    args: &UnlockArgs,
    luks: &Luks,
    input: &Input,
    header: Option<&Input>,
) -> Result<(Volume<File>, Passphrase), Error> {
    let limits = args.within(luks.asks_for()).map_err(|error| explain(error, input))?;
    let passphrase = match &args.key_file[..] {
        [] => args.passphrase.get()?,
        [_] if args.passphrase.is_given() => {
            let message = "a LUKS volume takes a key file or a passphrase, not both";
            return Err(Error::usage(message));
        }
        [path] => from_key_file(path, MOST_KEY_FILE_BYTES)?,
        _ => return Err(Error::usage("a LUKS volume takes one key file")),
    };
    let header = file(header.unwrap_or(input))?;
    let opened = luks.open(header, owned(input)?, &passphrase, &limits);
    let volume = opened.map_err(|error| {
        let is_wrong = matches!(error, FileError::WrongPassphrase | FileError::SlotSkipped(..));
        let error = explain(error, input);
        if is_wrong { error.hint(KEY_FILE) } else { error }
    })?;
    Ok((volume, passphrase))
}
