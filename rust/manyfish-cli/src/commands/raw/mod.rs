// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish raw`: a bare mode, for exchange with other programs. `key.rs` finds the key, `job.rs`
//! checks that the options fit the mode, `stream.rs` does the work.

mod job;
mod key;
mod stream;

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use crate::Error;
use crate::input::Input;
use crate::output::{Content, OutputArgs};
use job::{Direction, Job};

#[derive(Args)]
pub struct RawArgs {
    #[command(subcommand)]
    command: RawCommand,
}

#[derive(Subcommand)]
enum RawCommand {
    /// Encrypt in a bare mode
    #[command(after_help = NOTES)]
    Encrypt(Options),
    /// Decrypt in a bare mode
    #[command(after_help = NOTES)]
    Decrypt(Options),
}

const NOTES: &str = "\
INPUT and OUT default to standard input and output; ciphertext goes to a terminal only with -o -.
A key file holds 32, 48 or 64 hexadecimal digits and an optional line end, or else 16, 24 or 32
bytes. If it can be read both ways, it is digits.
Only ocb notices changes. It puts a tag of 16 bytes behind the message, which must fit in memory.

Example:
    $ manyfish raw encrypt --mode ctr --key-file disk.key --iv $FIRST_BLOCK -o notes.bin notes.txt";

#[derive(Args)]
struct Options {
    /// The block cipher
    #[arg(long, value_enum, default_value_t = Cipher::Twofish)]
    cipher: Cipher,
    /// What is made of it
    #[arg(long, value_enum)]
    mode: Mode,
    /// The key; others on this machine can see it, and your shell remembers it
    #[arg(long, value_name = "HEX")]
    key: Option<String>,
    /// The key, from a file
    #[arg(long, value_name = "FILE", conflicts_with = "key")]
    key_file: Option<PathBuf>,
    /// First block of cbc and ctr (16 bytes), nonce of ocb (1 to 15 bytes)
    #[arg(long, value_name = "HEX")]
    iv: Option<String>,
    /// How many last bits of the block ctr counts in, 32 or 128 [default: 128]
    #[arg(long, value_name = "BITS")]
    counter_bits: Option<u32>,
    /// Associated data of ocb: authenticated, not encrypted
    #[arg(long, value_name = "HEX")]
    aad: Option<String>,
    /// How to compute the cipher; "manyfish kernels" lists the names
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// Fill the last block of cbc up (PKCS#7), and take the padding off again
    #[arg(long)]
    pad: bool,
    #[command(flatten)]
    output: OutputArgs,
    /// Read this file
    input: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Cipher {
    Twofish,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Mode {
    Ecb,
    Cbc,
    Ctr,
    Ocb,
}

pub fn run(args: &RawArgs) -> Result<(), Error> {
    let (options, direction) = match &args.command {
        RawCommand::Encrypt(options) => (options, Direction::Encrypt),
        RawCommand::Decrypt(options) => (options, Direction::Decrypt),
    };
    let content = match direction {
        Direction::Encrypt => Content::Bare,
        Direction::Decrypt => Content::Plaintext,
    };
    let job = Job::new(options, direction)?;
    let mut input = Input::open(options.input.as_deref())?;
    let mut output = options.output.target(content, &input)?.create()?;
    stream::run(job, direction, &mut input, &mut output)?;
    output.commit()
}
