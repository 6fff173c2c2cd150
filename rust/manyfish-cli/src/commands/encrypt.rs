// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish encrypt`: a file or a pipe into an OpenPGP message, with a passphrase.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use manyfish_openpgp::{ChunkSize, Encryption, Format, Settings};

use crate::commands::explain;
use crate::input::Input;
use crate::output::{Content, OutputArgs};
use crate::passphrase::PassphraseArgs;
use crate::progress::{Clock, Progress};
use crate::{Error, size};

const OF_FOLDER: &str = "pack it first, as in: tar c DIRECTORY | manyfish encrypt -o OUT";

#[derive(Debug, Args)]
pub struct EncryptArgs {
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    passphrase: PassphraseArgs,
    /// Write text that survives e-mail, not binary
    #[arg(short, long)]
    armor: bool,
    /// Message format; rfc4880 is weaker, but GnuPG and other programs without AEAD can read it
    #[arg(long, value_enum, default_value_t = Form::Rfc9580)]
    format: Form,
    /// Chunk size in bytes, a power of two from 64 to 4M [default: 1M]
    #[arg(long, value_name = "SIZE", value_parser = chunk_size)]
    chunk: Option<ChunkSize>,
    /// Input file; "-" is standard input, the default
    input: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    Rfc9580,
    Rfc4880,
}

impl From<Form> for Format {
    fn from(form: Form) -> Self {
        match form {
            Form::Rfc9580 => Self::Rfc9580,
            Form::Rfc4880 => Self::Rfc4880,
        }
    }
}

pub fn run(args: &EncryptArgs) -> Result<(), Error> {
    if args.format == Form::Rfc4880 && args.chunk.is_some() {
        return Err(Error::usage("messages of --format rfc4880 have no chunks")
            .hint("leave out --chunk or --format"));
    }
    let input = Input::open_hinting(args.input.as_deref(), OF_FOLDER)?;
    args.passphrase.check(&input)?;
    args.output.spare(args.passphrase.file())?;
    let content = if args.armor { Content::Armor } else { Content::Binary };
    let target = args.output.target(content, &input)?;
    let passphrase = args.passphrase.get_confirmed()?;
    let refuse = |error| explain(error, &input.name, &target.name);

    let mut settings = Settings::of(args.format.into()).map_err(refuse)?;
    settings.chunk = args.chunk.unwrap_or(settings.chunk);
    settings.armor = args.armor;
    let encryption = Encryption::new(&passphrase, settings).map_err(refuse)?;
    drop(passphrase);
    let clock = Clock::default();
    let reader = Progress::new(input.reader, input.bytes, !target.is_terminal(), &clock);
    clock.start();
    let output = encryption.run(reader, input.bytes, target.create()?).map_err(refuse)?;
    output.commit()
}

fn chunk_size(text: &str) -> Result<ChunkSize, String> {
    let chunk = size::parse(text).and_then(ChunkSize::from_bytes);
    chunk.ok_or_else(|| "expected a power of two from 64 to 4M".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunk_sizes_have_bounds() {
        let bytes = |text| chunk_size(text).map(ChunkSize::bytes);
        assert_eq!(bytes("64"), Ok(64));
        assert_eq!(bytes("4M"), Ok(4 << 20));
        for text in ["", "63", "32", "8M", "1G"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }
}
