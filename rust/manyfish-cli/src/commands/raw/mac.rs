// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish raw mac`: the tag of a message, printed or checked.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use manyfish::{Cmac, Des, Twofish, TwofishVariant};

use super::job::decode;
use super::key::{KeyArgs, RawCipher, Work};
use super::{Cipher, number};
use crate::input::Input;
use crate::{Error, hex};

/// Bytes of the input in one read.
const PIECE_BYTES: usize = 64 << 10;

pub const NOTES: &str = "\
INPUT defaults to standard input. The command prints the tag as hexadecimal digits; with --check it
prints nothing, and the exit status says whether the tag is right.
--rounds and --family-key make ciphers that are almost Twofish, for study: we claim no security for them.

Example:
    $ manyfish raw mac --mode cmac --key-file mac.key notes.txt";

#[derive(Args)]
pub struct MacArgs {
    /// Block cipher; use des and 3des for existing data only
    #[arg(long, value_enum, default_value_t = Cipher::Twofish)]
    cipher: Cipher,
    /// MAC algorithm
    #[arg(long, value_enum)]
    mode: Mode,
    #[command(flatten)]
    key: KeyArgs,
    /// Tag size in bytes, at most a block, which is the default; tags below 8 bytes can be guessed
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "check",
        value_parser = number::<usize>,
        allow_negative_numbers = true
    )]
    tag_bytes: Option<usize>,
    /// Check the message against this tag
    #[arg(long, value_name = "HEX")]
    check: Option<String>,
    /// Input file; "-" is standard input, the default
    input: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Mode {
    Cmac,
}

pub fn run(args: &MacArgs) -> Result<(), Error> {
    let Mode::Cmac = args.mode;
    let expected = args.check.as_deref().map(|text| decode("--check", text)).transpose()?;
    let tag_bytes = expected.as_ref().map(Vec::len).or(args.tag_bytes);
    let mut input = Input::open(args.input.as_deref())?;
    args.key.check(&input)?;
    let is_variant = args.key.names_variant(args.cipher)?;
    let mut cmac = match args.cipher {
        Cipher::Twofish if is_variant => start::<TwofishVariant>(args, tag_bytes),
        Cipher::Twofish => start::<Twofish>(args, tag_bytes),
        Cipher::Des | Cipher::TripleDes => start::<Des>(args, tag_bytes),
    }?;
    update(&mut cmac, &mut input)?;
    match expected {
        None => writeln!(io::stdout(), "{}", hex::encode(&cmac.finish())).map_err(Error::output),
        Some(tag) => cmac.verify(&tag).map_err(|_| {
            Error::failed("wrong tag: the key or the message is not the authenticated one")
        }),
    }
}

fn start<C: RawCipher>(args: &MacArgs, tag_bytes: Option<usize>) -> Result<Cmac, Error> {
    let cipher = args.key.one::<C>(args.cipher, Work::CMAC)?;
    Cmac::with_tag_bytes(&cipher, tag_bytes.unwrap_or(C::BLOCK_BYTES)).map_err(Error::usage)
}

fn update(cmac: &mut Cmac, input: &mut Input) -> Result<(), Error> {
    let mut piece = Vec::with_capacity(PIECE_BYTES);
    while input.fill(&mut piece, PIECE_BYTES)? > 0 {
        cmac.update(&piece)?;
        piece.clear();
    }
    Ok(())
}
