// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish decrypt`: the file inside an OpenPGP message, verified.

use std::io::{self, BufReader, Write};
use std::path::PathBuf;

use clap::Args;
use manyfish_openpgp::{self as openpgp, Decryption};

use crate::Error;
use crate::commands::explain;
use crate::error::note;
use crate::input::Input;
use crate::output::{Content, Output, OutputArgs};
use crate::passphrase::PassphraseArgs;
use crate::progress::{Clock, Progress};

/// The passphrase proves less than the signature, and nobody shall take the one for the other.
const NOT_CHECKED: &str =
    "the message is signed inside, and the signature was not checked; gpg --decrypt does";
/// What is read from the input at a time.
const BUFFER_BYTES: usize = 64 << 10;

#[derive(Debug, Args)]
pub struct DecryptArgs {
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    passphrase: PassphraseArgs,
    /// The file to read; standard input without it, or with "-"
    input: Option<PathBuf>,
}

pub fn run(args: &DecryptArgs) -> Result<(), Error> {
    let input = Input::open(args.input.as_deref())?;
    args.passphrase.check(&input)?;
    let target = args.output.target(Content::Plaintext, &input)?;
    let refuse = |error| explain(error, &input.name, &target.name);

    let clock = Clock::default();
    let can_seek = input.can_seek();
    let reader = Progress::new(input.reader, input.bytes, !target.is_terminal(), &clock);
    let reader = BufReader::with_capacity(BUFFER_BYTES, reader);
    let decryption = if can_seek { Decryption::seekable(reader) } else { Decryption::new(reader) };
    let decryption = decryption.map_err(refuse)?;
    let passphrase = args.passphrase.get()?;
    let session_key = decryption.session_key(&passphrase).map_err(refuse)?;
    drop(passphrase);
    clock.start();
    let mut output = Counted { output: target.create()?, written: false };
    match decryption.run(session_key, &mut output) {
        Ok(opened) => {
            output.output.commit()?;
            if opened.signed {
                note(NOT_CHECKED);
            }
            Ok(())
        }
        // The hint says all there is to say.
        Err(error @ openpgp::Error::TrailingData) => Err(refuse(error)),
        Err(error) if target.is_stream() && output.written => {
            Err(refuse(error).hint("what was written so far is authentic, but not all of it"))
        }
        Err(error) => Err(refuse(error)),
    }
}

/// Remembers whether anything was written.
struct Counted {
    output: Output,
    written: bool,
}

impl Write for Counted {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.written |= !data.is_empty();
        self.output.write(data)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
