// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish decrypt`: the file inside an OpenPGP message, verified.

use std::io::{self, BufReader, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use manyfish_openpgp::{self as openpgp, DecryptOptions, Decryption, Limits};

use crate::commands::explain;
use crate::error::{note, warn};
use crate::input::Input;
use crate::output::{Content, Output, OutputArgs};
use crate::passphrase::PassphraseArgs;
use crate::progress::{Clock, Progress};
use crate::{Error, size};

/// The passphrase proves less than a signature: nobody shall mistake one for the other.
const NOT_CHECKED: &str =
    "the message holds a signature, which was not checked; gpg --decrypt checks it";
/// Advice against other data behind a message. A stream has all of its plaintext by then, a file nothing.
const REMOVE_OR_STREAM: &str =
    "remove what was appended; or leave out -o, and all of the file comes before this error";
/// An older message is checked to its end before anything is written.
const REMOVE: &str = "remove what was appended";
/// Bytes of the input in one read.
const BUFFER_BYTES: usize = 64 << 10;

#[derive(Debug, Args)]
pub struct DecryptArgs {
    #[command(flatten)]
    pub output: OutputArgs,
    #[command(flatten)]
    pub passphrase: PassphraseArgs,
    /// Memory limit for trying a passphrase, such as 512M or 2G [default: 256M]
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    pub max_memory: Option<u64>,
    /// Work limit for trying a passphrase, in seconds of an ordinary core [default: 2s]
    #[arg(long, value_name = "SECONDS", value_parser = work)]
    pub max_work: Option<Duration>,
    /// Also open messages that anyone may have altered (packet type 9), or that use RIPEMD-160
    #[arg(long)]
    pub insecure_legacy: bool,
    /// Input file; "-" is standard input, the default
    pub input: Option<PathBuf>,
}

pub fn run(args: &DecryptArgs) -> Result<(), Error> {
    let input = Input::open(args.input.as_deref())?;
    args.passphrase.check(&input)?;
    args.output.spare(args.passphrase.file())?;
    let target = args.output.target(Content::Plaintext, &input)?;
    let refuse = |error| explain(error, &input.name, &target.name);

    let clock = Clock::default();
    let can_seek = input.can_seek();
    let reader = Progress::new(input.reader, input.bytes, !target.is_terminal(), &clock);
    let reader = BufReader::with_capacity(BUFFER_BYTES, reader);
    let open = if can_seek { Decryption::seekable_with } else { Decryption::with };
    let decryption = open(reader, args.options()).map_err(refuse)?;
    decryption.insecurities().into_iter().for_each(warn);
    let is_checked = decryption.is_checked();
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
        // Its hint says that the plaintext is intact.
        Err(error @ openpgp::Error::TrailingData) => {
            let error = refuse(error);
            match (output.written, target.is_stream()) {
                (true, true) => Err(error),
                (true, false) => Err(error.hint(REMOVE_OR_STREAM)),
                (false, _) => Err(error.hint(REMOVE)),
            }
        }
        Err(error) if is_checked && target.is_stream() && output.written => {
            Err(refuse(error).hint("the output so far is authentic, but incomplete"))
        }
        Err(error) => Err(refuse(error)),
    }
}

impl DecryptArgs {
    fn options(&self) -> DecryptOptions {
        let mut options = within(self.max_memory, self.max_work);
        options.insecure_legacy = self.insecure_legacy;
        options
    }
}

/// Default options with these limits, where they are given.
pub fn within(max_memory: Option<u64>, max_work: Option<Duration>) -> DecryptOptions {
    let mut options = DecryptOptions::default();
    let Limits { memory, work } = &mut options.limits;
    *memory = max_memory.unwrap_or(*memory);
    *work = max_work.unwrap_or(*work);
    options
}

pub fn memory(text: &str) -> Result<u64, String> {
    size::parse(text).ok_or_else(|| "expected a number of bytes, such as 512M or 2G".into())
}

pub fn work(text: &str) -> Result<Duration, String> {
    let seconds = text.strip_suffix('s').unwrap_or(text).parse();
    seconds.map(Duration::from_secs).map_err(|_| "expected whole seconds, such as 20s".into())
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
