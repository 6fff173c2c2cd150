// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! One file per command: its options, its help, and `run`.

pub mod decrypt;
pub mod encrypt;
mod expect;
mod family;
pub mod inspect;
pub mod kernels;
#[cfg(target_os = "linux")]
pub mod mount;
pub mod moving;
pub mod open;
pub mod raw;
pub mod selftest;
pub mod speed;
pub mod tables;
pub mod tune;

use manyfish::Tables;
use manyfish_openpgp::algorithm::Cipher;
use manyfish_openpgp::{self as openpgp, Limits};

use crate::args::Command;
use crate::commands::family::Family;
use crate::commands::kernels::COMPILED;
use crate::output::{OUT, write_error};
use crate::{Error, platform, saved, size};

/// Runs the command that was asked for.
pub fn run(command: Command) -> Result<(), Error> {
    if command.has_secrets() {
        keep_secrets();
    }
    match command {
        Command::Encrypt(args) => require_default_kernel().and_then(|()| encrypt::run(&args)),
        Command::Decrypt(args) => require_default_kernel().and_then(|()| decrypt::run(&args)),
        Command::Move(args) => require_default_kernel().and_then(|()| moving::run(&args)),
        Command::Open(args) => require_default_kernel().and_then(|()| open::run(args)),
        #[cfg(target_os = "linux")]
        Command::Mount(args) => require_default_kernel().and_then(|()| mount::run(&args)),
        Command::Inspect(args) => inspect::run(&args),
        Command::Raw(args) => raw::run(args),
        Command::Kernels(args) => kernels::run(&args),
        Command::Tables(args) => tables::run(&args),
        Command::Speed(args) => speed::run(&args),
        Command::Tune(args) => tune::run(&args),
        Command::Selftest => require_default_kernel()
            .and_then(|()| require_des_kernel())
            .and_then(|()| selftest::run()),
    }
}

/// Called before any secret is read: other programs cannot read the memory, and keys stay out of the swap file as far
/// as the system permits.
fn keep_secrets() {
    platform::keep_memory_private();
    manyfish::lock_keys();
}

/// An error of the message format as an error of the command.
fn explain(error: openpgp::Error, input: &str, output: &str) -> Error {
    match error {
        openpgp::Error::Read(e) => Error::io(format_args!("cannot read {input}"), &e),
        openpgp::Error::Write(e) => write_error(output, OUT, &e),
        openpgp::Error::OverLimits { asked, limits } => {
            let options = limit_options(asked, limits);
            Error::failed(error)
                .hint(format_args!("if you trust the sender, decrypt with {options}"))
        }
        openpgp::Error::OldestForm { cipher: Some(Cipher::TWOFISH_256) | None } => Error::failed(
            error,
        )
        .hint("anyone may have altered it; manyfish decrypt --insecure-legacy opens it anyway"),
        openpgp::Error::LegacyHash => {
            Error::failed(error).hint("manyfish decrypt --insecure-legacy opens it anyway")
        }
        other => {
            let hint = other.hint();
            hint.into_iter().fold(Error::failed(other), Error::hint)
        }
    }
}

/// The options of `decrypt` that allow what a message asks for, each where the limit does not.
fn limit_options(asked: Limits, limits: Limits) -> String {
    let memory = (asked.memory > limits.memory)
        .then(|| format!("--max-memory {}", size::words(asked.memory)));
    let seconds = asked.work.as_micros().div_ceil(1_000_000);
    let work = (asked.work > limits.work).then(|| format!("--max-work {seconds}s"));
    memory.into_iter().chain(work).collect::<Vec<_>>().join(" ")
}

/// Fails early if the environment names a kernel that cannot run. `raw` notices when it expands its key.
fn require_default_kernel() -> Result<(), Error> {
    saved::open_for_default();
    manyfish::Twofish::new(&[0; 16]).map(drop).map_err(kernel_error)
}

/// The same for DES.
fn require_des_kernel() -> Result<(), Error> {
    manyfish::Des::new(&[0; 8]).map(drop).map_err(des_kernel_error)
}

fn kernel_error(error: manyfish::Error) -> Error {
    explain_kernel(error, Family::Twofish)
}

fn des_kernel_error(error: manyfish::Error) -> Error {
    explain_kernel(error, Family::Des)
}

fn explain_kernel(error: manyfish::Error, family: Family) -> Error {
    let kernels = family.kernels();
    let runnable = kernels.iter().filter(|kernel| kernel.runnable).map(|kernel| kernel.name);
    let names: Vec<_> = runnable.collect();
    compiled_by_default(&error)
        .or_else(|| without_tables(&error))
        .or_else(|| of_another_processor(&error, family))
        .unwrap_or_else(|| by_kind(error))
        .hint(format_args!("kernels that run here: {}", names.join(", ")))
        .hint(format_args!("{} describes each", family.list()))
}

/// A name that no build knows is wrong usage, as is an environment that may not name the kernel. A kernel whose
/// instructions this CPU lacks is a failure.
fn by_kind(error: manyfish::Error) -> Error {
    use manyfish::Error::{Leaks, LeaksValue, UnknownKernel};
    let (_, cause) = variable_and_cause(&error);
    let is_usage = matches!(cause, UnknownKernel { .. } | Leaks { .. } | LeaksValue { .. });
    if is_usage { Error::usage(error) } else { Error::failed(error) }
}

/// Compiled keying asks the system for memory, and is no default.
fn compiled_by_default(error: &manyfish::Error) -> Option<Error> {
    let (variable, cause) = variable_and_cause(error);
    let is_it = matches!(cause, manyfish::Error::UnknownKernel { name } if name == COMPILED);
    let error = format_args!("{variable}compiled keying cannot be the default").to_string();
    let hint = "\"manyfish raw --kernel compiled\" takes it";
    (is_it && !variable.is_empty()).then(|| Error::usage(error).hint(hint))
}

/// The kernel's shared tables can be saved.
fn without_tables(error: &manyfish::Error) -> Option<Error> {
    let (variable, cause) = variable_and_cause(error);
    let manyfish::Error::NoTables { name } = cause else { return None };
    let tables = saved::name(Tables::of_kernel(name)?);
    let hint = format_args!("\"manyfish tables build {tables}\" saves them");
    Some(Error::failed(format_args!("{variable}{cause}")).hint(hint))
}

/// A kernel that other builds have is a failure, too.
fn of_another_processor(error: &manyfish::Error, family: Family) -> Option<Error> {
    let (variable, cause) = variable_and_cause(error);
    let manyfish::Error::UnknownKernel { name } = cause else { return None };
    let processor = family.other_processor(name)?;
    Some(Error::failed(format_args!("{variable}the kernel \"{name}\" runs on {processor} only")))
}

/// The environment variable at fault, as the start of a message, and the cause.
fn variable_and_cause(error: &manyfish::Error) -> (String, &manyfish::Error) {
    match error {
        manyfish::Error::KernelVariable { variable, cause } => {
            (format!("the environment variable {variable} is wrong: "), cause)
        }
        other => (String::new(), other),
    }
}
