// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The command line: the list of commands and the texts around it. A command's own options stand in
//! its file under `commands/`.

use std::ffi::OsString;

use clap::{Parser, Subcommand};

use crate::Error;
use crate::commands::{
    decrypt::DecryptArgs, encrypt::EncryptArgs, inspect::InspectArgs, kernels::KernelsArgs,
    raw::RawArgs, speed::SpeedArgs,
};

/// Encrypt files under Twofish, at every speed
#[derive(Debug, Parser)]
#[command(name = "manyfish", version, disable_help_subcommand = true)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Encrypt a file with a passphrase into an OpenPGP message
    Encrypt(EncryptArgs),
    /// Decrypt such a message
    Decrypt(DecryptArgs),
    /// Show how a message is made, without a key
    Inspect(InspectArgs),
    /// Encrypt or decrypt in a bare mode, for other programs
    Raw(RawArgs),
    /// List the kernels and say which one is taken
    Kernels(KernelsArgs),
    /// Measure the kernels in core cycles
    Speed(SpeedArgs),
    /// Check the known answers on every kernel
    Selftest,
}

/// Reads the command line; asked-for help is printed, and ends the process.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, Error> {
    match CommandLine::try_parse_from(arguments) {
        Ok(line) => Ok(line.command),
        Err(error) if !error.use_stderr() => error.exit(),
        Err(error) => Err(Error::usage(error.to_string())),
    }
}
