// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! One file a command: its options, its help, and `run`, which does it.

pub mod decrypt;
pub mod encrypt;
mod expect;
mod family;
pub mod inspect;
pub mod kernels;
pub mod raw;
pub mod selftest;
pub mod speed;
pub mod tune;

use manyfish::KernelInfo;
use manyfish_openpgp as openpgp;

use crate::Error;
use crate::args::Command;
use crate::output::{OUT, write_error};

/// Runs the command that was asked for.
pub fn run(command: Command) -> Result<(), Error> {
    match command {
        Command::Encrypt(args) => require_default_kernel().and_then(|()| encrypt::run(&args)),
        Command::Decrypt(args) => require_default_kernel().and_then(|()| decrypt::run(&args)),
        Command::Inspect(args) => inspect::run(&args),
        Command::Raw(args) => raw::run(&args),
        Command::Kernels(args) => kernels::run(&args),
        Command::Speed(args) => speed::run(&args),
        Command::Tune(args) => tune::run(&args),
        Command::Selftest => require_default_kernel()
            .and_then(|()| require_des_kernel())
            .and_then(|()| selftest::run()),
    }
}

/// An error of the message format as an error of the command.
fn explain(error: openpgp::Error, input: &str, output: &str) -> Error {
    match error {
        openpgp::Error::Read(e) => Error::io(format_args!("cannot read {input}"), &e),
        openpgp::Error::Write(e) => write_error(output, OUT, &e),
        other => {
            let hint = other.hint();
            hint.into_iter().fold(Error::failed(other), Error::hint)
        }
    }
}

/// Says at once if the environment asks for a kernel that cannot be had. `raw` finds out with its key.
fn require_default_kernel() -> Result<(), Error> {
    manyfish::Twofish::new(&[0; 16]).map(drop).map_err(kernel_error)
}

/// The same for DES.
fn require_des_kernel() -> Result<(), Error> {
    manyfish::Des::new(&[0; 8]).map(drop).map_err(des_kernel_error)
}

fn kernel_error(error: manyfish::Error) -> Error {
    explain_kernel(error, manyfish::kernels(), "manyfish kernels")
}

fn des_kernel_error(error: manyfish::Error) -> Error {
    explain_kernel(error, manyfish::des::kernels(), "manyfish kernels --cipher des")
}

/// A kernel that no build has is wrong usage, and so is an environment that may not name it; one whose instructions this CPU lacks is a failure.
fn explain_kernel(
    error: manyfish::Error,
    kernels: impl Iterator<Item = KernelInfo>,
    list: &str,
) -> Error {
    use manyfish::Error::{KernelVariable, Leaks, LeaksValue, UnknownKernel};
    let cause = match &error {
        KernelVariable { cause, .. } => cause,
        other => other,
    };
    let is_usage = matches!(cause, UnknownKernel { .. } | Leaks { .. } | LeaksValue { .. });
    let error = if is_usage { Error::usage(error) } else { Error::failed(error) };
    let runnable = kernels.filter(|kernel| kernel.runnable);
    let names: Vec<_> = runnable.map(|kernel| kernel.name).collect();
    error
        .hint(format_args!("these run here: {}", names.join(", ")))
        .hint(format_args!("{list} says more about each"))
}
