// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! One file a command: its options, its help, and `run`, which does it.

pub mod decrypt;
pub mod encrypt;
pub mod inspect;
pub mod kernels;
pub mod raw;
pub mod selftest;
pub mod speed;

use crate::Error;
use crate::args::Command;
use crate::openpgp;
use crate::output::write_error;

/// Runs the command that was asked for.
pub fn run(command: Command) -> Result<(), Error> {
    match command {
        Command::Encrypt(args) => encrypt::run(&args),
        Command::Decrypt(args) => decrypt::run(&args),
        Command::Inspect(args) => inspect::run(&args),
        Command::Raw(args) => raw::run(&args),
        Command::Kernels(args) => kernels::run(&args),
        Command::Speed(args) => speed::run(&args),
        Command::Selftest => selftest::run(),
    }
}

/// An error of the message format as an error of the command.
fn explain(error: openpgp::Error, input: &str, output: &str) -> Error {
    match error {
        openpgp::Error::Read(e) => Error::io(format_args!("cannot read {input}"), &e),
        openpgp::Error::Write(e) => write_error(output, &e),
        other => {
            let hint = other.hint();
            hint.into_iter().fold(Error::failed(other), Error::hint)
        }
    }
}

/// A kernel that no build has is wrong usage; one whose instructions this CPU lacks is a failure.
fn kernel_error(error: manyfish::Error) -> Error {
    let error = match error {
        manyfish::Error::UnknownKernel { .. } => Error::usage(error),
        _ => Error::failed(error),
    };
    error.hint("manyfish kernels lists the kernels of this machine")
}
