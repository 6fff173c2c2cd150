// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish raw mac`: the tag of a message, printed or checked.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use manyfish::{Cmac, TAG_BYTES};

use super::key::{KeyArgs, Work};
use super::number;
use crate::input::Input;
use crate::{Error, hex};

/// What is read from the input at a time.
const PIECE_BYTES: usize = 64 << 10;

pub const NOTES: &str = "\
INPUT defaults to standard input. The tag is printed as hexadecimal digits; with --check nothing is
printed, and the exit status says whether the tag is right.

Example:
    $ manyfish raw mac --mode cmac --key-file mac.key notes.txt";

#[derive(Args)]
pub struct MacArgs {
    /// What is made of the block cipher
    #[arg(long, value_enum)]
    mode: Mode,
    #[command(flatten)]
    key: KeyArgs,
    /// Bytes of the tag, 1 to 16; below 8 a forger may simply guess [default: 16]
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "check",
        value_parser = number::<usize>,
        allow_negative_numbers = true
    )]
    tag_bytes: Option<usize>,
    /// Compare the message's tag with this one
    #[arg(long, value_name = "HEX")]
    check: Option<String>,
    /// The file to read; standard input without it, or with "-"
    input: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Mode {
    Cmac,
}

pub fn run(args: &MacArgs) -> Result<(), Error> {
    let Mode::Cmac = args.mode;
    let expected = args.check.as_deref().map(parse).transpose()?;
    let tag_bytes = expected.as_ref().map(Vec::len).or(args.tag_bytes).unwrap_or(TAG_BYTES);
    let mut cmac =
        Cmac::with_tag_bytes(&args.key.one(Work::CMAC)?, tag_bytes).map_err(Error::usage)?;
    update(&mut cmac, &mut Input::open(args.input.as_deref())?)?;
    match expected {
        None => writeln!(io::stdout(), "{}", hex::encode(&cmac.finish())).map_err(Error::output),
        Some(tag) => cmac.verify(&tag).map_err(|_| {
            Error::failed("wrong tag: the key or the message differ from what was authenticated")
        }),
    }
}

fn parse(text: &str) -> Result<Vec<u8>, Error> {
    let tag = hex::decode(text.as_bytes()).ok_or_else(|| {
        Error::usage(format_args!("--check takes pairs of hexadecimal digits, not \"{text}\""))
    })?;
    Ok(tag.to_vec())
}

fn update(cmac: &mut Cmac, input: &mut Input) -> Result<(), Error> {
    let mut piece = Vec::with_capacity(PIECE_BYTES);
    while input.fill(&mut piece, PIECE_BYTES)? > 0 {
        cmac.update(&piece)?;
        piece.clear();
    }
    Ok(())
}
