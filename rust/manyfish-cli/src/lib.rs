// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The `manyfish` command.
//! `args.rs` is the command line, `commands/` has one file per command (the crate `manyfish-openpgp` has the
//! file format, `manyfish-bench` measures), `tuned.rs` stores the costs that `--expect` uses, `saved.rs` opens
//! the tables that `manyfish tables` saves.

mod args;
mod cache;
mod commands;
mod error;
mod hex;
mod input;
mod output;
mod passphrase;
mod platform;
mod progress;
mod saved;
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
