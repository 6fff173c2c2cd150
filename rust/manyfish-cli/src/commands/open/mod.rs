// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish open`: the content of a file that another program encrypted.

pub mod copy;
pub mod entries;
mod luks;
pub mod mcrypt;
pub mod uber;
mod veracrypt;

use std::fs::File;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use manyfish_files::luks::Luks;
use manyfish_files::{Error as FileError, LIMITS, Limits, Source, Volume, within};
use manyfish_openpgp::DecryptOptions;

use entries::Program;

use super::decrypt::{self, DecryptArgs, memory, work};
use super::limit_options;
use crate::Error;
use crate::input::{Input, Reader};
use crate::output::{Content, OUT, OutputArgs, Resumed, Target, write_error};
use crate::passphrase::{Passphrase, PassphraseArgs, is_stdin};

const NOTES: &str = "\
The command knows LUKS volumes, safes of Password Safe, KeePass databases, files of mcrypt, keystores
UBER and OpenPGP messages by their first bytes. Volumes of VeraCrypt and TrueCrypt look like noise: only
the right passphrase shows what they are, and trying takes up to a minute. The input stays as it is.

--show escapes control characters on a terminal; a pipe or a file gets the texts as they are.";

const STREAM: &str = "through a pipe come messages alone; of other files name the file itself";

#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub struct OpenArgs {
    #[command(flatten)]
    output: OutputArgs,
    /// Continue the output file of a run with --resume that was interrupted
    #[arg(long, requires = "output", conflicts_with = "force")]
    resume: bool,
    #[command(flatten)]
    unlock: UnlockArgs,
    /// Show the entries with this title, passwords and keys too, and not the list of all titles
    #[arg(long, value_name = "TITLE", conflicts_with = "export")]
    show: Option<String>,
    /// Write all entries with their passwords in this form, pem for keystores
    #[arg(long, value_name = "FORM")]
    export: Option<entries::Form>,
    /// Input file
    input: PathBuf,
}

/// The options by which a file opens.
#[derive(Debug, Args)]
pub struct UnlockArgs {
    #[command(flatten)]
    pub passphrase: PassphraseArgs,
    /// Key file: LUKS takes its bytes for the passphrase, VeraCrypt and KeePass mix it with the passphrase
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
    /// Memory limit for trying a passphrase, such as 512M or 2G [default: 1G, for OpenPGP 256M]
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    max_memory: Option<u64>,
    /// Work limit for trying a passphrase, in seconds of an ordinary core [default: 60s, for OpenPGP 2s]
    #[arg(long, value_name = "SECONDS", value_parser = work)]
    max_work: Option<Duration>,
}

pub fn run(args: OpenArgs) -> Result<(), Error> {
    let found = args.unlock.look(Input::open(Some(&args.input))?)?;
    args.output.spare(args.unlock.files())?;
    found.format.check(&found.input, args.given())?;
    match found.format {
        Format::Entries(program) => entries::open(&args, program, found.input),
        Format::Luks(_) | Format::Noise => args.copy(&found),
        Format::Mcrypt => mcrypt::open(&args, &found.input),
        Format::Keystore => uber::open(&args, found.input),
        Format::Message => {
            let is_file = found.input.can_seek();
            decrypt::run(&args.into())
                .map_err(|error| if is_file { error } else { error.hint(STREAM) })
        }
    }
}

/// A file whose format is known.
pub struct Found {
    pub input: Input,
    pub header: Option<Input>,
    pub format: Format,
}

impl Found {
    /// Opens a volume; gives the passphrase as well.
    pub fn volume(&self, args: &UnlockArgs) -> Result<(Volume<File>, Passphrase), Error> {
        let Self { input, header, format } = self;
        match format {
            Format::Luks(luks) => luks::open(args, luks, input, header.as_ref()),
            Format::Noise => veracrypt::open(args, input),
            _ => Err(Error::failed(format_args!(
                "{input} is no volume, expected one of LUKS, VeraCrypt or TrueCrypt"
            ))
            .hint(format_args!("manyfish inspect {input} tells which file it is"))),
        }
    }
}

pub enum Format {
    Entries(Program),
    Luks(Box<Luks>),
    Mcrypt,
    /// Maybe one of Bouncy Castle.
    Keystore,
    Message,
    /// Maybe a volume of VeraCrypt.
    Noise,
}

impl Format {
    pub fn of(input: &Input, header: Option<&Input>) -> Result<Self, Error> {
        match (luks::found_in(header.unwrap_or(input))?, header) {
            (Some(luks), _) => Ok(Self::Luks(Box::new(luks))),
            (None, Some(header)) => Err(Error::failed(format_args!("{header} is no LUKS header"))),
            (None, None) => Ok(match Program::of(input) {
                Some(program) => Self::Entries(program),
                None if mcrypt::is_one(input) => Self::Mcrypt,
                None if uber::may_be(input) => Self::Keystore,
                None if veracrypt::may_be(input) => Self::Noise,
                None => Self::Message,
            }),
        }
    }

    /// Says in words which kind it is, and names the options for some formats alone that it has a use for.
    fn uses(&self) -> (&'static str, &'static [&'static str]) {
        match self {
            Self::Entries(Program::PasswordSafe) => {
                ("is a safe", &["--show", "--export", "--max-memory", "--max-work"])
            }
            Self::Entries(Program::KeePass) => {
                let useful = &["--key-file", "--show", "--export", "--max-memory", "--max-work"];
                ("is a KeePass database", useful)
            }
            Self::Luks(_) => {
                let useful = &["--header", "--resume", "--key-file", "--max-memory", "--max-work"];
                ("is a LUKS volume", useful)
            }
            Self::Noise => {
                let useful = &["--resume", "--key-file", "--pim", "--backup-header"];
                ("may be a VeraCrypt volume", useful)
            }
            Self::Keystore => {
                ("is a keystore", &["--show", "--export", "--max-memory", "--max-work"])
            }
            Self::Mcrypt => ("is a file of mcrypt", &[]),
            Self::Message => ("is a message", &["--max-memory", "--max-work"]),
        }
    }

    /// Fails if one of the options is given that this format has no use for.
    pub fn check(
        &self,
        input: &Input,
        options: impl IntoIterator<Item = (&'static str, bool)>,
    ) -> Result<(), Error> {
        let (kind, useful) = self.uses();
        let useless = |(option, given): &(&str, bool)| *given && !useful.contains(option);
        options.into_iter().find(useless).map_or(Ok(()), |(option, _)| {
            Err(Error::failed(format_args!("{input} {kind}, which has no use for {option}")))
        })
    }
}

impl UnlockArgs {
    /// Tells the format of a file.
    pub fn look(&self, input: Input) -> Result<Found, Error> {
        let header = self.header.as_deref().map(|path| Input::open(Some(path))).transpose()?;
        self.passphrase.check(&input)?;
        self.check_key_files(&input)?;
        let format = Format::of(&input, header.as_ref())?;
        Ok(Found { input, header, format })
    }

    /// Refuses to read a key file and something else from the same stream.
    fn check_key_files(&self, input: &Input) -> Result<(), Error> {
        let other = match self.key_file.iter().filter(|path| is_stdin(path)).count() {
            1 if self.passphrase.is_stdin() => "the passphrase",
            1 if input.is_stdin() => "the input",
            0 | 1 => return Ok(()),
            _ => "another key file",
        };
        Err(Error::usage(format_args!("standard input cannot be both a key file and {other}"))
            .hint("name a file in place of one \"-\""))
    }

    /// The files that are read beside the input.
    pub fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.passphrase.file().into_iter().chain(&self.key_file).chain(&self.header)
    }

    /// The options that only some formats have a use for, and whether they are given.
    pub fn given(&self) -> [(&'static str, bool); 6] {
        [
            ("--header", self.header.is_some()),
            ("--key-file", self.has_key_file()),
            ("--pim", self.pim.is_some()),
            ("--backup-header", self.backup_header),
            ("--max-memory", self.max_memory.is_some()),
            ("--max-work", self.max_work.is_some()),
        ]
    }

    /// The options of messages.
    pub fn options(&self) -> DecryptOptions {
        decrypt::within(self.max_memory, self.max_work)
    }

    pub fn has_key_file(&self) -> bool {
        !self.key_file.is_empty()
    }

    /// The limits that the options set, and else the default ones, unless more is asked for.
    pub fn within(&self, asked: Limits) -> Result<Limits, FileError> {
        let limits = Limits {
            memory: self.max_memory.unwrap_or(LIMITS.memory),
            work: self.max_work.unwrap_or(LIMITS.work),
        };
        within(asked, &limits).map(|()| limits)
    }
}

impl OpenArgs {
    /// The options that only some formats have a use for, and whether they are given.
    fn given(&self) -> impl Iterator<Item = (&'static str, bool)> {
        let own = [
            ("--resume", self.resume),
            ("--show", self.show.is_some()),
            ("--export", self.export.is_some()),
        ];
        self.unlock.given().into_iter().chain(own)
    }

    /// Opens a volume once it is clear where its data go, and copies them.
    fn copy(&self, found: &Found) -> Result<(), Error> {
        let input = &found.input;
        let place = if self.resume {
            Place::Old(self.output.resume(input)?)
        } else {
            Place::New(self.output.target(Content::Disk, input)?)
        };
        let (volume, _) = found.volume(&self.unlock)?;
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
        let OpenArgs { output, unlock, input, .. } = args;
        let UnlockArgs { passphrase, max_memory, max_work, .. } = unlock;
        let input = Some(input);
        Self { output, passphrase, max_memory, max_work, insecure_legacy: false, input }
    }
}

/// The first bytes of a file; `None` if there are fewer, or if it is a stream.
fn beginning<const N: usize>(input: &Input) -> Option<[u8; N]> {
    let Reader::File(file) = &input.reader else { return None };
    let mut beginning = [0; N];
    file.read_exact_at(&mut beginning, 0).is_ok().then_some(beginning)
}

pub fn file(input: &Input) -> Result<&File, Error> {
    match &input.reader {
        Reader::File(file) => Ok(file),
        Reader::Stream(_) => Err(Error::failed("the input must be a file or a device")),
    }
}

/// The same, opened once more.
fn owned(input: &Input) -> Result<File, Error> {
    let refuse = |error| Error::io(format_args!("cannot read {input}"), &error);
    file(input)?.try_clone().map_err(refuse)
}

/// An error of a file as an error of the command.
pub fn explain(error: FileError, input: &Input) -> Error {
    match error {
        FileError::Read(e) => Error::io(format_args!("cannot read {input}"), &e),
        FileError::OverLimits { asked, limits } => {
            let options = limit_options(asked, limits);
            Error::failed(error).hint(format_args!("if you trust the file, open it with {options}"))
        }
        other => {
            let hint = hint(&other).or(other.hint());
            hint.into_iter().fold(Error::failed(other), Error::hint)
        }
    }
}

/// The same where the error may be that of the output.
pub fn explain_writing(error: FileError, target: &Target, input: &Input) -> Error {
    match error {
        FileError::Write(error) => write_error(&target.name, OUT, &error),
        other => explain(other, input),
    }
}

/// The options that help.
fn hint(error: &FileError) -> Option<&'static str> {
    match error {
        FileError::Damaged(_) | FileError::Truncated { what: "LUKS header" | "key slot" } => {
            Some("if you have a backup of the header, give it with --header")
        }
        FileError::WrongPassphraseOrCodePage => Some(
            "KeePass 1 used the code page of its Windows; --passphrase-file takes the passphrase in any",
        ),
        FileError::WrongPassphraseOrFormat => Some(
            "--key-file, --pim and --backup-header give what else the volume needs; another cipher takes VeraCrypt",
        ),
        _ => None,
    }
}
