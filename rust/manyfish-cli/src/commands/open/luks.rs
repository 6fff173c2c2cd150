// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! LUKS volumes.

use std::fs::File;
use std::io;

use manyfish_files::luks::{LIMITS, Luks};
use manyfish_files::{Error as FileError, Source, Volume};

use super::{OpenArgs, explain, file};
use crate::Error;
use crate::input::{Input, Reader};
use crate::passphrase::from_key_file;

const KEY_FILE: &str =
    "all bytes of a key file count, its last line feed too; --key-file reads it so";

/// The header in a file; `None` where there is none.
pub fn found_in(input: &Input) -> Result<Option<Luks>, Error> {
    let Reader::File(file) = &input.reader else { return Ok(None) };
    match Luks::read(file) {
        Ok(luks) => Ok(Some(luks)),
        Err(FileError::NotLuks | FileError::Truncated { .. }) if !begins_as_luks(file) => Ok(None),
        // Pipes are no places for volumes.
        Err(FileError::Read(e)) if e.kind() == io::ErrorKind::NotSeekable => Ok(None),
        Err(error) => Err(explain(error, input)),
    }
}

fn begins_as_luks(file: &File) -> bool {
    let mut beginning = [0; 4];
    file.read_exact_at(&mut beginning, 0).is_ok() && beginning == *b"LUKS"
}

pub fn open<'a>(
    args: &OpenArgs,
    luks: &Luks,
    input: &'a Input,
    header: Option<&Input>,
) -> Result<Volume<&'a File>, Error> {
    let limits = args.limits(LIMITS);
    let asked = luks.asks_for();
    if !limits.allow(&asked) {
        return Err(explain(FileError::OverLimits { asked, limits }, input));
    }
    let passphrase = match &args.key_file[..] {
        [] => args.passphrase.get()?,
        [_] if args.passphrase.is_given() => {
            let message = "a LUKS volume takes a key file or a passphrase, not both";
            return Err(Error::usage(message));
        }
        [path] => from_key_file(path)?,
        _ => return Err(Error::usage("a LUKS volume takes one key file")),
    };
    let header = file(header.unwrap_or(input))?;
    let opened = luks.open(header, file(input)?, &passphrase, &limits);
    opened.map_err(|error| {
        let is_wrong = matches!(error, FileError::WrongPassphrase);
        let error = explain(error, input);
        if is_wrong { error.hint(KEY_FILE) } else { error }
    })
}
