// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish open`: the content of a file that another program encrypted.

mod copy;

use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use manyfish_files::luks::{self, Luks};
use manyfish_files::{Error as FileError, Limits, Source};

use super::decrypt::{self, DecryptArgs, memory, work};
use super::limit_options;
use crate::Error;
use crate::input::{Input, Reader};
use crate::output::{Content, OutputArgs, Resumed, Target};
use crate::passphrase::{PassphraseArgs, from_key_file};

#[derive(Debug, Args)]
pub struct OpenArgs {
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    passphrase: PassphraseArgs,
    /// Continue the output file of a run with --resume that was interrupted
    #[arg(long, requires = "output", conflicts_with = "force")]
    resume: bool,
    /// Use all bytes of this file as the passphrase of a LUKS volume, as cryptsetup does
    #[arg(long, value_name = "FILE", conflicts_with_all = ["passphrase", "passphrase_file"])]
    key_file: Option<PathBuf>,
    /// Read the header of a LUKS volume from this file
    #[arg(long, value_name = "FILE")]
    header: Option<PathBuf>,
    /// Memory limit for trying a passphrase, such as 512M or 2G [default: 1G for LUKS, 256M for OpenPGP]
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    max_memory: Option<u64>,
    /// Work limit for trying a passphrase, in seconds of an ordinary core [default: 60s for LUKS, 2s for OpenPGP]
    #[arg(long, value_name = "SECONDS", value_parser = work)]
    max_work: Option<Duration>,
    /// Input file
    input: PathBuf,
}

pub fn run(args: OpenArgs) -> Result<(), Error> {
    let input = Input::open(Some(&args.input))?;
    let header = args.header.as_deref().map(|path| Input::open(Some(path))).transpose()?;
    match (luks_of(header.as_ref().unwrap_or(&input))?, &header) {
        (Some(luks), _) => open_luks(&args, &luks, &input, header.as_ref()),
        (None, Some(header)) => Err(Error::failed(format_args!("{header} is no LUKS header"))),
        (None, None) if args.key_file.is_some() || args.resume => Err(Error::failed(format_args!(
            "{input} is no LUKS volume, and --key-file and --resume are for those alone"
        ))),
        (None, None) => decrypt::run(&args.into()),
    }
}

/// Any other file is opened as a message; the error then says what it is.
impl From<OpenArgs> for DecryptArgs {
    fn from(args: OpenArgs) -> Self {
        let OpenArgs { output, passphrase, max_memory, max_work, input, .. } = args;
        let input = Some(input);
        Self { output, passphrase, max_memory, max_work, insecure_legacy: false, input }
    }
}

/// The header in a file; `None` where there is none.
pub fn luks_of(input: &Input) -> Result<Option<Luks>, Error> {
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

fn open_luks(
    args: &OpenArgs,
    luks: &Luks,
    input: &Input,
    header: Option<&Input>,
) -> Result<(), Error> {
    args.passphrase.check(input)?;
    let output = if args.resume {
        Place::Old(args.output.resume(input)?)
    } else {
        Place::New(args.output.target(Content::Disk, input)?)
    };
    let limits = Limits {
        memory: args.max_memory.unwrap_or(luks::LIMITS.memory),
        work: args.max_work.unwrap_or(luks::LIMITS.work),
    };
    let asked = luks.asks_for();
    if !limits.allow(&asked) {
        return Err(explain(FileError::OverLimits { asked, limits }, input));
    }
    let passphrase = match &args.key_file {
        Some(path) => from_key_file(path)?,
        None => args.passphrase.get()?,
    };
    let header = file(header.unwrap_or(input))?;
    let volume = luks
        .open(header, file(input)?, &passphrase, &limits)
        .map_err(|error| explain(error, input))?;
    drop(passphrase);
    match output {
        Place::New(target) => copy::whole(&volume, &target, input),
        Place::Old(resumed) => copy::rest(&volume, resumed, input),
    }
}

enum Place {
    New(Target),
    Old(Resumed),
}

fn file(input: &Input) -> Result<&File, Error> {
    match &input.reader {
        Reader::File(file) => Ok(file),
        Reader::Stream(_) => Err(Error::failed("a volume must be a file or a device")),
    }
}

/// An error of a file as an error of the command.
fn explain(error: FileError, input: &Input) -> Error {
    match error {
        FileError::Read(e) => Error::io(format_args!("cannot read {input}"), &e),
        FileError::OverLimits { asked, limits } => {
            let options = limit_options(asked, limits);
            Error::failed(error)
                .hint(format_args!("if you trust the volume, open it with {options}"))
        }
        other => {
            let hint = hint(&other).or(other.hint());
            hint.into_iter().fold(Error::failed(other), Error::hint)
        }
    }
}

/// The options that help.
fn hint(error: &FileError) -> Option<&'static str> {
    match error {
        FileError::Damaged(_) | FileError::Truncated { what: "LUKS header" | "key slot" } => {
            Some("if you have a backup of the header, give it with --header")
        }
        FileError::WrongPassphrase => {
            Some("all bytes of a key file count, its last line feed too; --key-file reads it so")
        }
        _ => None,
    }
}
