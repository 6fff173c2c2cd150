// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Input through a mode to output: in pieces, or for ocb as a whole, since nothing of a message may
//! be released before its tag is verified.

use std::mem;

use manyfish::modes::{cbc, ecb};
use manyfish::{BLOCK_BYTES, Ocb, TAG_BYTES, Twofish};

use super::job::{Direction, Job};
use crate::Error;
use crate::input::Input;
use crate::output::Output;

/// Bytes of a piece: large enough that a call costs nothing.
const PIECE_BYTES: usize = 1 << 20;
/// The longest message of ocb, which is held in memory.
const OCB_MAX_BYTES: usize = 256 << 20;

pub fn run(
    job: Job,
    direction: Direction,
    input: &mut Input,
    output: &mut Output,
) -> Result<(), Error> {
    match job {
        Job::Ecb { cipher } => {
            in_pieces(input, output, |piece| ecb_piece(&cipher, direction, piece))
        }
        Job::Cbc { cipher, mut iv, pad: false } => {
            in_pieces(input, output, |piece| cbc_piece(&cipher, &mut iv, direction, piece))
        }
        Job::Cbc { cipher, mut iv, pad: true } => {
            in_pieces(input, output, |piece| padded_cbc_piece(&cipher, &mut iv, direction, piece))
        }
        Job::Ctr { mut stream } => {
            in_pieces(input, output, |piece| Ok(stream.crypt(&mut piece.bytes)?))
        }
        Job::Ocb { ocb, nonce, aad } => {
            let mut message = read_message(input, direction, OCB_MAX_BYTES)?;
            match direction {
                Direction::Encrypt => seal(&ocb, &nonce, &aad, &mut message)?,
                Direction::Decrypt => open(&ocb, &nonce, &aad, &mut message)?,
            }
            output.put(&message)
        }
    }
}

/// A part of the input, worked on in place.
struct Piece {
    bytes: Vec<u8>,
    /// Bytes of the input before this piece and in it.
    end: u64,
    is_last: bool,
}

/// Passes the input through `crypt`; at least one piece, of which only the last may be short.
fn in_pieces(
    input: &mut Input,
    output: &mut Output,
    mut crypt: impl FnMut(&mut Piece) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut piece = Piece { bytes: Vec::new(), end: 0, is_last: false };
    let mut next = Vec::new();
    input.fill(&mut next, PIECE_BYTES)?;
    while !piece.is_last {
        mem::swap(&mut piece.bytes, &mut next);
        piece.end += piece.bytes.len() as u64;
        next.clear();
        piece.is_last = input.fill(&mut next, PIECE_BYTES)? == 0;
        crypt(&mut piece)?;
        output.put(&piece.bytes)?;
    }
    Ok(())
}

fn ecb_piece(cipher: &Twofish, direction: Direction, piece: &mut Piece) -> Result<(), Error> {
    require_whole_blocks(piece.end).map_err(|error| error.hint("--mode ctr takes any length"))?;
    Ok(match direction {
        Direction::Encrypt => ecb::encrypt(cipher, &mut piece.bytes),
        Direction::Decrypt => ecb::decrypt(cipher, &mut piece.bytes),
    }?)
}

fn cbc_piece(
    cipher: &Twofish,
    iv: &mut cbc::Iv,
    direction: Direction,
    piece: &mut Piece,
) -> Result<(), Error> {
    require_whole_blocks(piece.end).map_err(|error| match direction {
        Direction::Encrypt => error.hint("--pad fills the last block up"),
        Direction::Decrypt => error.hint("the ciphertext may have been cut short"),
    })?;
    Ok(match direction {
        Direction::Encrypt => cbc::encrypt(cipher, iv, &mut piece.bytes),
        Direction::Decrypt => cbc::decrypt(cipher, iv, &mut piece.bytes),
    }?)
}

fn padded_cbc_piece(
    cipher: &Twofish,
    iv: &mut cbc::Iv,
    direction: Direction,
    piece: &mut Piece,
) -> Result<(), Error> {
    if !piece.is_last {
        return cbc_piece(cipher, iv, direction, piece);
    }
    match direction {
        Direction::Encrypt => Ok(cbc::encrypt_padded(cipher, iv, &mut piece.bytes)?),
        Direction::Decrypt => {
            require_padded(piece.end)?;
            cbc::decrypt_padded(cipher, iv, &mut piece.bytes)
                .map_err(|error| Error::failed(error).hint("is it the right key, without --pad?"))
        }
    }
}

fn require_whole_blocks(n_bytes: u64) -> Result<(), Error> {
    match n_bytes % BLOCK_BYTES as u64 {
        0 => Ok(()),
        excess => Err(Error::failed(format_args!(
            "the input has {n_bytes} bytes, {excess} too many for blocks of {BLOCK_BYTES}"
        ))),
    }
}

/// What padding makes is whole blocks, and at least one.
fn require_padded(n_bytes: u64) -> Result<(), Error> {
    if n_bytes == 0 {
        return Err(Error::failed("the input is empty, but --pad leaves a block at least"));
    }
    require_whole_blocks(n_bytes)
        .map_err(|error| error.hint("the ciphertext may have been cut short"))
}

/// The whole input, if it is no longer than the message may be, and its tag when decrypting.
fn read_message(input: &mut Input, direction: Direction, max: usize) -> Result<Vec<u8>, Error> {
    let limit = if direction == Direction::Encrypt { max } else { max + TAG_BYTES };
    let mut message = Vec::new();
    if input.fill(&mut message, limit + 1)? <= limit {
        return Ok(message);
    }
    Err(Error::failed(format_args!(
        "--mode ocb takes messages of up to {} MiB, and {} is longer",
        max >> 20,
        input.name
    ))
    .hint("manyfish encrypt takes files of any size"))
}

/// Encrypts the message and puts the tag behind it.
fn seal(ocb: &Ocb, nonce: &[u8], aad: &[u8], message: &mut Vec<u8>) -> Result<(), Error> {
    let tag = ocb.seal(nonce, aad, message)?;
    message.extend(tag);
    Ok(())
}

/// Takes the tag off, and decrypts the message if it fits.
fn open(ocb: &Ocb, nonce: &[u8], aad: &[u8], message: &mut Vec<u8>) -> Result<(), Error> {
    let Some((_, tag)) = message.split_last_chunk::<TAG_BYTES>() else {
        return Err(Error::failed(format_args!(
            "the input has {} bytes, less than its tag of {TAG_BYTES}",
            message.len()
        )));
    };
    let tag = *tag;
    message.truncate(message.len() - TAG_BYTES);
    Ok(ocb.open(nonce, aad, message, &tag)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(content: &'static [u8]) -> Input {
        Input { reader: Box::new(content), name: "notes".to_owned(), bytes: None, metadata: None }
    }

    fn message(content: &'static [u8], direction: Direction, max: usize) -> Result<Vec<u8>, Error> {
        read_message(&mut input(content), direction, max)
    }

    #[test]
    fn a_message_fills_its_limit() {
        assert_eq!(message(&[7; 100], Direction::Encrypt, 100).unwrap(), [7; 100]);
        assert_eq!(message(&[7; 116], Direction::Decrypt, 100).unwrap(), [7; 116]);
    }

    #[test]
    fn a_longer_message_is_refused() {
        let expected = "--mode ocb takes messages of up to 1 MiB, and notes is longer";
        for direction in [Direction::Encrypt, Direction::Decrypt] {
            let content = vec![7; (1 << 20) + TAG_BYTES + 1].leak();
            let error = message(content, direction, 1 << 20).unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
    }
}
