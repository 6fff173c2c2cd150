// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! What the `manyfish` command does.
//! `args.rs` is the command line, `commands/` has one file a command (the file format is the crate
//! `manyfish-openpgp`, measuring `manyfish-bench`), `tuned.rs` keeps what the choice of a kernel goes by.

mod args;
mod commands;
mod error;
mod hex;
mod input;
mod output;
mod passphrase;
mod platform;
mod progress;
mod signals;
mod size;
mod tuned;

use std::ffi::OsString;
use std::process::ExitCode;

pub use args::definitions;
pub use error::Error;

/// Runs the command line `arguments`, the first of which is the name of the program.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    match args::parse(arguments).and_then(commands::run) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => error.report(),
    }
}
