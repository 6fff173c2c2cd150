// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The command line: the list of commands and the texts around it. A command's own options stand in
//! its file under `commands/`.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process;

use clap::{CommandFactory, Parser, Subcommand};

use crate::Error;
#[cfg(target_os = "linux")]
use crate::commands::mount::MountArgs;
use crate::commands::{
    decrypt::DecryptArgs, encrypt::EncryptArgs, inspect::InspectArgs, kernels::KernelsArgs,
    moving::MoveArgs, open::OpenArgs, raw::RawArgs, speed::SpeedArgs, tables::TablesArgs,
    tune::TuneArgs,
};

const EXAMPLE: &str = "\
INPUT and OUT default to standard input and output. Exit status: 0 success, 1 failure, 2 wrong usage.

Example:
    $ manyfish encrypt -o notes.pgp notes.txt
    Passphrase:
    $ manyfish decrypt -o notes.txt notes.pgp";

/// Encrypt files with Twofish, the cipher of many speeds
#[derive(Parser)]
#[command(name = "manyfish", version, after_help = EXAMPLE)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Encrypt a file with a passphrase into an OpenPGP message
    Encrypt(EncryptArgs),
    /// Decrypt an OpenPGP message with its passphrase
    Decrypt(DecryptArgs),
    /// Open a file of another program: a disk, a list of passwords, or a message
    Open(OpenArgs),
    /// Write the content of an old file, such as a disk, into a file of today
    Move(MoveArgs),
    /// Show the plain sectors of a disk as a file, as long as it runs
    #[cfg(target_os = "linux")]
    Mount(MountArgs),
    /// Show how a message, a disk or a safe is encrypted, without its passphrase
    Inspect(InspectArgs),
    /// Encrypt or decrypt in a bare mode of operation, as other programs do
    Raw(RawArgs),
    /// List the kernels, and show which one is used and why
    Kernels(KernelsArgs),
    /// Save the large tables that some kernels need, check and list them
    Tables(TablesArgs),
    /// Measure the speed of the kernels in core cycles
    Speed(SpeedArgs),
    /// Benchmark the kernels and save the results for --expect
    Tune(TuneArgs),
    /// Test every kernel with known answers
    Selftest,
}

impl Command {
    /// Whether it takes a key or a passphrase.
    pub fn has_secrets(&self) -> bool {
        match self {
            Self::Encrypt(_) | Self::Decrypt(_) | Self::Open(_) | Self::Move(_) | Self::Raw(_) => {
                true
            }
            #[cfg(target_os = "linux")]
            Self::Mount(_) => true,
            _ => false,
        }
    }
}

/// The commands and their options, for manual pages and completions.
#[must_use]
pub fn definitions() -> clap::Command {
    CommandLine::command()
}

/// Reads the command line; asked-for help is printed, and ends the process.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, Error> {
    match CommandLine::try_parse_from(arguments) {
        Ok(line) => Ok(line.command),
        Err(error) if !error.use_stderr() => {
            error.print().and_then(|()| io::stdout().flush()).map_err(Error::output)?;
            process::exit(0)
        }
        Err(error) => Err(usage_error(&error)),
    }
}

/// Puts an error of the command line parser into the form of [`Error`]. The parser's text is a
/// paragraph with the error, indented ones with tips and values, and one with the usage.
fn usage_error(error: &clap::Error) -> Error {
    use clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand as NothingGiven;
    if error.kind() == NothingGiven {
        return Error::usage("no command given").hint("--help lists the commands");
    }
    let text = error.to_string();
    let mut paragraphs = text.split("\n\n").map(str::trim);
    let mut lines = paragraphs.next().unwrap_or_default().lines().map(str::trim);
    let message = lines.next().unwrap_or_default().trim_start_matches("error: ");
    let (values, missing): (Vec<_>, Vec<_>) = lines.partition(|line| line.starts_with('['));
    let message = [&[message], missing.as_slice()].concat().join(" ");
    let tips = paragraphs.flat_map(str::lines).filter_map(hint);
    let values = values.into_iter().map(|line| line.trim_matches(['[', ']']).to_owned());
    values.chain(tips).fold(Error::usage(message), Error::hint)
}

/// The lines of the parser's text that say what to do.
fn hint(line: &str) -> Option<String> {
    let line = line.trim();
    let usage = line.strip_prefix("Usage: ").map(|usage| format!("usage: {usage}"));
    usage.or_else(|| line.strip_prefix("tip: ").map(str::to_owned))
}
