// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish open`: the content of a file that another program encrypted.

mod copy;
pub mod luks;
pub mod safe;
mod veracrypt;

use std::fs::File;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use manyfish_files::luks::Luks;
use manyfish_files::{Error as FileError, Limits, Volume};

use super::decrypt::{self, DecryptArgs, memory, work};
use super::limit_options;
use crate::Error;
use crate::input::{Input, Reader};
use crate::output::{Content, OutputArgs, Resumed, Target};
use crate::passphrase::PassphraseArgs;

const NOTES: &str = "\
LUKS volumes, safes of Password Safe and OpenPGP messages are known by their first bytes. Volumes of
VeraCrypt and TrueCrypt look like noise: only the right passphrase shows what they are, and trying takes
up to a minute. The input stays as it is.";

#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub struct OpenArgs {
    #[command(flatten)]
    output: OutputArgs,
    /// Continue the output file of a run with --resume that was interrupted
    #[arg(long, requires = "output", conflicts_with = "force")]
    resume: bool,
    #[command(flatten)]
    passphrase: PassphraseArgs,
    /// Key file of a volume: LUKS takes its bytes for the passphrase, VeraCrypt mixes any number with it
    #[arg(long, value_name = "FILE")]
    key_file: Vec<PathBuf>,
    /// Personal iterations multiplier of a VeraCrypt volume
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pim: Option<u32>,
    /// Use the second header of a VeraCrypt or TrueCrypt volume, which lies at its end
    #[arg(long)]
    backup_header: bool,
    /// Read the header of a LUKS volume from this file
    #[arg(long, value_name = "FILE")]
    header: Option<PathBuf>,
    /// Show the entries of a safe with this title, passwords too; without it, the command lists all titles
    #[arg(long, value_name = "TITLE", conflicts_with = "export")]
    show: Option<String>,
    /// Write all entries of a safe with their passwords in this form
    #[arg(long, value_name = "FORM")]
    export: Option<safe::Form>,
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
    args.passphrase.check(&input)?;
    match Format::of(&input, header.as_ref())? {
        Format::Safe => {
            let of_disks = ["--key-file", "--resume", "--pim", "--backup-header"];
            args.refuse("is a safe", &of_disks)?;
            safe::open(&args, input)
        }
        Format::Luks(found) => {
            args.refuse("is a LUKS volume", &["--pim", "--backup-header", "--show", "--export"])?;
            args.copy(&input, || luks::open(&args, &found, &input, header.as_ref()))
        }
        Format::Noise => {
            args.refuse(
                "may be a VeraCrypt volume",
                &["--max-memory", "--max-work", "--show", "--export"],
            )?;
            args.copy(&input, || veracrypt::open(&args, &input))
        }
        Format::Message => {
            let of_others =
                ["--key-file", "--resume", "--pim", "--backup-header", "--show", "--export"];
            args.refuse("is a message", &of_others)?;
            decrypt::run(&args.into())
        }
    }
}

enum Format {
    Safe,
    Luks(Box<Luks>),
    Message,
    /// Maybe a volume of VeraCrypt.
    Noise,
}

impl Format {
    fn of(input: &Input, header: Option<&Input>) -> Result<Self, Error> {
        match (luks::found_in(header.unwrap_or(input))?, header) {
            (Some(luks), _) => Ok(Self::Luks(Box::new(luks))),
            (None, Some(header)) => Err(Error::failed(format_args!("{header} is no LUKS header"))),
            (None, None) if safe::is_one(input) => Ok(Self::Safe),
            (None, None) if veracrypt::may_be(input) => Ok(Self::Noise),
            (None, None) => Ok(Self::Message),
        }
    }
}

impl OpenArgs {
    /// Fails if one of the options is given, which this kind of file has no use for.
    fn refuse(&self, kind: &str, options: &[&str]) -> Result<(), Error> {
        let given = |option: &&&str| match **option {
            "--key-file" => !self.key_file.is_empty(),
            "--resume" => self.resume,
            "--pim" => self.pim.is_some(),
            "--backup-header" => self.backup_header,
            "--show" => self.show.is_some(),
            "--export" => self.export.is_some(),
            "--max-memory" => self.max_memory.is_some(),
            _ => self.max_work.is_some(),
        };
        options.iter().find(given).map_or(Ok(()), |option| {
            let input = self.input.display();
            Err(Error::failed(format_args!("{input} {kind}, which has no use for {option}")))
        })
    }

    /// The limits that the options set, and else the default ones.
    fn limits(&self, default: Limits) -> Limits {
        Limits {
            memory: self.max_memory.unwrap_or(default.memory),
            work: self.max_work.unwrap_or(default.work),
        }
    }

    /// Opens a volume once it is clear where its data go, and copies them.
    fn copy<'a>(
        &self,
        input: &Input,
        open: impl FnOnce() -> Result<Volume<&'a File>, Error>,
    ) -> Result<(), Error> {
        let place = if self.resume {
            Place::Old(self.output.resume(input)?)
        } else {
            Place::New(self.output.target(Content::Disk, input)?)
        };
        let volume = open()?;
        match place {
            Place::New(target) => copy::whole(&volume, &target, input),
            Place::Old(resumed) => copy::rest(&volume, resumed, input),
        }
    }
}

enum Place {
    New(Target),
    Old(Resumed),
}

/// The error of `decrypt` says what another file is.
impl From<OpenArgs> for DecryptArgs {
    fn from(args: OpenArgs) -> Self {
        let OpenArgs { output, passphrase, max_memory, max_work, input, .. } = args;
        let input = Some(input);
        Self { output, passphrase, max_memory, max_work, insecure_legacy: false, input }
    }
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
        FileError::WrongPassphraseOrFormat => Some(
            "--key-file, --pim and --backup-header give what else the volume needs; another cipher takes VeraCrypt",
        ),
        _ => None,
    }
}
