// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish encrypt`.

use std::path::PathBuf;

use clap::Args;

use crate::Error;

#[derive(Debug, Args)]
pub struct EncryptArgs {
    /// Write the result to this file; standard output without it, or with "-"
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Take the passphrase from the first line of this file
    #[arg(long, value_name = "FILE", conflicts_with = "passphrase")]
    passphrase_file: Option<PathBuf>,
    /// Ask for the passphrase on the terminal
    #[arg(short, long)]
    passphrase: bool,
    /// Replace the output file if it exists
    #[arg(long)]
    force: bool,
    /// Write text that survives e-mail instead of binary
    #[arg(short, long)]
    armor: bool,
    /// Bytes of plaintext in a chunk: a power of two from 64 to 4194304, K and M allowed
    #[arg(long, value_name = "SIZE", default_value = "1M")]
    chunk: String,
    /// The file to read; standard input without it, or with "-"
    input: Option<PathBuf>,
}

pub fn run(args: &EncryptArgs) -> Result<(), Error> {
    Err(Error::failed(format_args!("{args:?}")))
}
