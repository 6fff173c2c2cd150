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

/// Runs the command that was asked for.
pub fn run(command: Command) -> Result<(), Error> {
    match command {
        Command::Encrypt(args) => encrypt::run(&args),
        Command::Decrypt(args) => decrypt::run(&args),
        Command::Inspect(args) => inspect::run(&args),
        Command::Raw(args) => raw::run(args),
        Command::Kernels(args) => kernels::run(&args),
        Command::Speed(args) => speed::run(&args),
        Command::Selftest => selftest::run(),
    }
}
