// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The plain data of a volume, piece by piece, and copies of them: one thread reads ahead while another writes.

use std::fs::File;
use std::io;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use manyfish_files::{Source, Volume};
use zeroize::Zeroizing;

use crate::Error;
use crate::input::Input;
use crate::output::{DOUBTFUL_BYTES, Output, Resumed, Target};
use crate::progress::{Clock, Progress};

/// One read: the cores share its decryption.
pub const PIECE_BYTES: usize = 4 << 20;
/// One is written while another is read.
const PIECES: usize = 2;
/// Zeros of this length become a hole.
const HOLE_BYTES: usize = 64 << 10;

type Piece = Zeroizing<Vec<u8>>;

/// Copies all of it.
pub fn whole(volume: &Volume<File>, target: &Target, input: &Input) -> Result<(), Error> {
    copy(volume, 0, target.create()?, !target.is_terminal(), input)
}

/// Copies all that an earlier run has not copied.
pub fn rest(volume: &Volume<File>, resumed: Resumed, input: &Input) -> Result<(), Error> {
    let refuse = |error| Error::io(format_args!("cannot read {}", resumed.name), &error);
    let there = resumed.file.n_bytes().map_err(refuse)?;
    let kept = there.saturating_sub(DOUBTFUL_BYTES);
    let piece = there.min(PIECE_BYTES as u64);
    let mut fits = there <= volume.n_bytes();
    for start in [0, kept.saturating_sub(piece)] {
        fits = fits && agree(volume, &resumed.file, start, piece).map_err(refuse)?;
    }
    if !fits {
        let name = &resumed.name;
        return Err(Error::failed(format_args!(
            "{name} does not hold the beginning of this volume"
        ))
        .hint("replace it with --force in place of --resume, or name another file with -o OUT"));
    }
    copy(volume, kept, resumed.after(kept)?, true, input)
}

/// Whether the file holds what the volume holds there.
fn agree(volume: &Volume<File>, file: &File, start: u64, n_bytes: u64) -> io::Result<bool> {
    let n_bytes = usize::try_from(n_bytes).expect("at most a piece");
    let mut copied = Zeroizing::new(vec![0; n_bytes]);
    let mut plain = Zeroizing::new(vec![0; n_bytes]);
    file.read_exact_at(&mut copied, start)?;
    volume.read_at(&mut plain, start)?;
    Ok(copied == plain)
}

fn copy(
    volume: &Volume<File>,
    start: u64,
    mut output: Output,
    shows_progress: bool,
    input: &Input,
) -> Result<(), Error> {
    pieces(volume, start, shows_progress, input, |piece| {
        piece.chunks(HOLE_BYTES).try_for_each(|part| output.put_sparse(part))
    })?;
    output.commit()
}

/// Hands on the plain data from `start` on, piece by piece; a thread reads ahead.
pub fn pieces(
    volume: &Volume<File>,
    start: u64,
    shows_progress: bool,
    input: &Input,
    mut take: impl FnMut(&[u8]) -> Result<(), Error>,
) -> Result<(), Error> {
    let clock = Clock::default();
    clock.start();
    let mut progress = Progress::new((), Some(volume.n_bytes()), shows_progress, &clock);
    progress.advance(start);
    thread::scope(|scope| {
        let (give_back, empty) = mpsc::channel();
        let (send, pieces) = mpsc::channel();
        for _ in 0..PIECES {
            let _ = give_back.send(Zeroizing::new(vec![0; PIECE_BYTES]));
        }
        let reader = scope.spawn(move || read_pieces(volume, start, &empty, &send));
        for (piece, n) in pieces {
            take(&piece[..n])?;
            progress.advance(n as u64);
            let _ = give_back.send(piece);
        }
        let read = reader.join().expect("it does not panic");
        read.map_err(|error| Error::io(format_args!("cannot read {input}"), &error))
    })
}

/// Fills pieces up to the end, or until the other side stops.
fn read_pieces(
    volume: &Volume<File>,
    start: u64,
    empty: &Receiver<Piece>,
    send: &Sender<(Piece, usize)>,
) -> io::Result<()> {
    let mut offset = start;
    for mut piece in empty {
        let n = volume.read_at(&mut piece, offset)?;
        offset += n as u64;
        if n == 0 || send.send((piece, n)).is_err() {
            break;
        }
    }
    Ok(())
}
