// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish open`: the content of a file that another program encrypted.

use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use clap::Args;
use manyfish_files::luks::{self, Luks};
use manyfish_files::{Error as FileError, Limits, Source, Volume};
use zeroize::Zeroizing;

use super::decrypt::{self, DecryptArgs, memory, work};
use super::limit_options;
use crate::Error;
use crate::input::{Input, Reader};
use crate::output::{Content, OutputArgs, Target};
use crate::passphrase::{PassphraseArgs, from_key_file};
use crate::progress::{Clock, Progress};

/// As much as one read decrypts: a share for each core.
const PIECE_BYTES: usize = 4 << 20;
/// One is written while another is read.
const PIECES: usize = 2;
/// Zeros of this length become a hole.
const HOLE_BYTES: usize = 64 << 10;

#[derive(Debug, Args)]
pub struct OpenArgs {
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    passphrase: PassphraseArgs,
    /// Use all bytes of this file as the passphrase of a LUKS volume, as cryptsetup does
    #[arg(long, value_name = "FILE", conflicts_with_all = ["passphrase", "passphrase_file"])]
    key_file: Option<PathBuf>,
    /// Read the header of a LUKS volume from this file
    #[arg(long, value_name = "FILE")]
    header: Option<PathBuf>,
    /// Memory limit for trying a passphrase, such as 512M or 2G [default: 1G for LUKS, 256M for OpenPGP]
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    max_memory: Option<u64>,
    /// Work limit for trying a passphrase, in seconds of an ordinary core [default: 60s for LUKS, 2s for OpenPGP]
    #[arg(long, value_name = "SECONDS", value_parser = work)]
    max_work: Option<Duration>,
    /// Input file
    input: PathBuf,
}

pub fn run(args: OpenArgs) -> Result<(), Error> {
    let input = Input::open(Some(&args.input))?;
    let header = args.header.as_deref().map(|path| Input::open(Some(path))).transpose()?;
    match (luks_of(header.as_ref().unwrap_or(&input))?, &header) {
        (Some(luks), _) => open_luks(&args, &luks, &input, header.as_ref()),
        (None, Some(header)) => Err(Error::failed(format_args!("{header} is no LUKS header"))),
        (None, None) if args.key_file.is_some() => Err(Error::failed(format_args!(
            "{input} is no LUKS volume, and --key-file is for those alone"
        ))),
        (None, None) => decrypt::run(&args.into()),
    }
}

/// Any other file is opened as a message; the error then says what it is.
impl From<OpenArgs> for DecryptArgs {
    fn from(args: OpenArgs) -> Self {
        let OpenArgs { output, passphrase, max_memory, max_work, input, .. } = args;
        let input = Some(input);
        Self { output, passphrase, max_memory, max_work, insecure_legacy: false, input }
    }
}

/// The header in a file; `None` where there is none.
pub fn luks_of(input: &Input) -> Result<Option<Luks>, Error> {
    let Reader::File(file) = &input.reader else { return Ok(None) };
    match Luks::read(file) {
        Ok(luks) => Ok(Some(luks)),
        Err(FileError::NotLuks | FileError::Truncated { .. }) if !begins_as_luks(file) => Ok(None),
        // Pipes are no places for volumes.
        Err(FileError::Read(e)) if e.kind() == io::ErrorKind::NotSeekable => Ok(None),
        Err(error) => Err(explain(error, input)),
    }
}

fn begins_as_luks(file: &File) -> bool {
    let mut beginning = [0; 4];
    file.read_exact_at(&mut beginning, 0).is_ok() && beginning == *b"LUKS"
}

fn open_luks(
    args: &OpenArgs,
    luks: &Luks,
    input: &Input,
    header: Option<&Input>,
) -> Result<(), Error> {
    args.passphrase.check(input)?;
    let target = args.output.target(Content::Disk, input)?;
    let limits = Limits {
        memory: args.max_memory.unwrap_or(luks::LIMITS.memory),
        work: args.max_work.unwrap_or(luks::LIMITS.work),
    };
    let asked = luks.asks_for();
    if !limits.allow(&asked) {
        return Err(explain(FileError::OverLimits { asked, limits }, input));
    }
    let passphrase = match &args.key_file {
        Some(path) => from_key_file(path)?,
        None => args.passphrase.get()?,
    };
    let header = file(header.unwrap_or(input))?;
    let volume = luks
        .open(header, file(input)?, &passphrase, &limits)
        .map_err(|error| explain(error, input))?;
    drop(passphrase);
    copy(&volume, &target, input)
}

fn file(input: &Input) -> Result<&File, Error> {
    match &input.reader {
        Reader::File(file) => Ok(file),
        Reader::Stream(_) => Err(Error::failed("a volume must be a file or a device")),
    }
}

/// One thread reads ahead while this one writes.
fn copy(volume: &Volume<&File>, target: &Target, input: &Input) -> Result<(), Error> {
    let clock = Clock::default();
    clock.start();
    let mut progress = Progress::new((), Some(volume.n_bytes()), !target.is_terminal(), &clock);
    let mut output = target.create()?;
    thread::scope(|scope| {
        let (give_back, empty) = mpsc::channel();
        let (send, pieces) = mpsc::channel();
        for _ in 0..PIECES {
            let _ = give_back.send(Zeroizing::new(vec![0; PIECE_BYTES]));
        }
        let reader = scope.spawn(move || read_pieces(volume, &empty, &send));
        for (piece, n) in pieces {
            piece[..n].chunks(HOLE_BYTES).try_for_each(|part| output.put_sparse(part))?;
            progress.advance(n);
            let _ = give_back.send(piece);
        }
        let read = reader.join().expect("it does not panic");
        read.map_err(|error| Error::io(format_args!("cannot read {input}"), &error))?;
        output.commit()
    })
}

type Piece = Zeroizing<Vec<u8>>;

/// Fills pieces up to the end, or until the other side stops.
fn read_pieces(
    volume: &Volume<&File>,
    empty: &Receiver<Piece>,
    send: &Sender<(Piece, usize)>,
) -> io::Result<()> {
    let mut offset = 0;
    for mut piece in empty {
        let n = volume.read_at(&mut piece, offset)?;
        offset += n as u64;
        if n == 0 || send.send((piece, n)).is_err() {
            break;
        }
    }
    Ok(())
}

/// An error of a file as an error of the command.
fn explain(error: FileError, input: &Input) -> Error {
    match error {
        FileError::Read(e) => Error::io(format_args!("cannot read {input}"), &e),
        FileError::OverLimits { asked, limits } => {
            let options = limit_options(asked, limits);
            Error::failed(error)
                .hint(format_args!("if you trust the volume, open it with {options}"))
        }
        other => {
            let hint = hint(&other).or(other.hint());
            hint.into_iter().fold(Error::failed(other), Error::hint)
        }
    }
}

/// The options that help.
fn hint(error: &FileError) -> Option<&'static str> {
    match error {
        FileError::Damaged(_) | FileError::Truncated { what: "LUKS header" | "key slot" } => {
            Some("if you have a backup of the header, give it with --header")
        }
        FileError::WrongPassphrase => {
            Some("all bytes of a key file count, its last line feed too; --key-file reads it so")
        }
        _ => None,
    }
}
