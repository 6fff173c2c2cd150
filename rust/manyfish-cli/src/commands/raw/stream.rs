// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Input through a mode to output: in pieces where the mode allows it.

use std::mem;

use manyfish::modes::{Cfb, Xts, cbc, cts, ecb};
use manyfish::{BLOCK_BYTES, BlockCipher};

use super::aead::{Aead, Context};
use super::job::{Direction, Job};
use super::key::RawCipher;
use super::{Pad, message};
use crate::Error;
use crate::input::Input;
use crate::output::Output;

/// Bytes of a piece: large enough that a call costs nothing.
const PIECE_BYTES: usize = 1 << 20;

impl<C: RawCipher> Job<C> {
    pub fn run(
        self,
        direction: Direction,
        input: &mut Input,
        output: &mut Output,
    ) -> Result<(), Error> {
        let mut each = |crypt: &mut dyn FnMut(&mut Piece) -> Result<(), Error>| {
            in_pieces(input, output, PIECE_BYTES, crypt)
        };
        match self {
            Self::Ecb { cipher, pads: false } => {
                each(&mut |piece| ecb_piece(&cipher, direction, piece))
            }
            Self::Ecb { cipher, pads: true } => each(&mut |piece| {
                with_zeros::<C>(direction, piece, |piece| ecb_piece(&cipher, direction, piece))
            }),
            Self::Cbc { cipher, mut iv, pad: Some(Pad::Zeros) } => each(&mut |piece| {
                let crypt = |piece: &mut Piece| cbc_piece(&cipher, &mut iv, direction, piece);
                with_zeros::<C>(direction, piece, crypt)
            }),
            Self::Cbc { cipher, mut iv, pad: None } => {
                each(&mut |piece| cbc_piece(&cipher, &mut iv, direction, piece))
            }
            Self::Cbc { cipher, mut iv, pad: Some(form) } => {
                each(&mut |piece| padded_cbc_piece(&cipher, form, &mut iv, direction, piece))
            }
            Self::Cfb { mut stream } => each(&mut |piece| cfb_piece(&mut stream, direction, piece)),
            Self::Ofb { mut stream } => each(&mut |piece| Ok(stream.crypt(&mut piece.bytes)?)),
            Self::Ctr { mut stream } => each(&mut |piece| Ok(stream.crypt(&mut piece.bytes)?)),
            Self::XtsSectors { xts, sector_bytes, first_sector } => {
                let sectors = Sectors { xts, sector_bytes, first_sector };
                sectors.run(direction, input, output)
            }
            Self::XtsUnit { xts, tweak } => output.put(&xts_unit(&xts, &tweak, direction, input)?),
            Self::Cts { cipher, variant, iv } => {
                output.put(&cts_message(&cipher, variant, &iv, direction, input)?)
            }
            Self::Aead { aead, context, mode } => {
                output.put(&aead_message(&aead, &context, &mode, direction, input)?)
            }
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
    piece_bytes: usize,
    mut crypt: impl FnMut(&mut Piece) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut piece = Piece { bytes: Vec::new(), end: 0, is_last: false };
    let mut next = Vec::new();
    input.fill(&mut next, piece_bytes)?;
    while !piece.is_last {
        mem::swap(&mut piece.bytes, &mut next);
        piece.end += piece.bytes.len() as u64;
        next.clear();
        piece.is_last = input.fill(&mut next, piece_bytes)? == 0;
        crypt(&mut piece)?;
        output.put(&piece.bytes)?;
    }
    Ok(())
}

fn ecb_piece<C: BlockCipher>(
    cipher: &C,
    direction: Direction,
    piece: &mut Piece,
) -> Result<(), Error> {
    require_whole_blocks::<C>(piece.end)
        .map_err(|error| error.hint("--mode ctr takes any length"))?;
    Ok(match direction {
        Direction::Encrypt => ecb::encrypt(cipher, &mut piece.bytes),
        Direction::Decrypt => ecb::decrypt(cipher, &mut piece.bytes),
    }?)
}

fn cbc_piece<C: BlockCipher>(
    cipher: &C,
    iv: &mut C::Block,
    direction: Direction,
    piece: &mut Piece,
) -> Result<(), Error> {
    require_whole_blocks::<C>(piece.end).map_err(|error| match direction {
        Direction::Encrypt => error.hint("--pad pads the last block"),
        Direction::Decrypt => error.hint("the ciphertext may have been cut short"),
    })?;
    Ok(match direction {
        Direction::Encrypt => cbc::encrypt(cipher, iv, &mut piece.bytes),
        Direction::Decrypt => cbc::decrypt(cipher, iv, &mut piece.bytes),
    }?)
}

fn padded_cbc_piece<C: BlockCipher>(
    cipher: &C,
    form: Pad,
    iv: &mut C::Block,
    direction: Direction,
    piece: &mut Piece,
) -> Result<(), Error> {
    if !piece.is_last {
        return cbc_piece(cipher, iv, direction, piece);
    }
    let last = &mut piece.bytes;
    if direction == Direction::Encrypt {
        return Ok(match form {
            Pad::Pkcs7 => cbc::encrypt_padded(cipher, iv, last),
            Pad::Iso => cbc::encrypt_iso_padded(cipher, iv, last),
            Pad::Zeros => unreachable!("with_zeros has them"),
        }?);
    }
    require_padded::<C>(piece.end)?;
    match form {
        Pad::Pkcs7 => cbc::decrypt_padded(cipher, iv, last),
        Pad::Iso => cbc::decrypt_iso_padded(cipher, iv, last),
        Pad::Zeros => unreachable!("with_zeros has them"),
    }
    .map_err(|error| {
        Error::failed(error).hint("check the key and the form of --pad, or leave out --pad")
    })
}

/// Fills the last block with zeros before it is encrypted; removes them after decryption, where they are less than a
/// block.
fn with_zeros<C: BlockCipher>(
    direction: Direction,
    piece: &mut Piece,
    crypt: impl FnOnce(&mut Piece) -> Result<(), Error>,
) -> Result<(), Error> {
    let block = C::BLOCK_BYTES;
    if piece.is_last && direction == Direction::Encrypt {
        let missing = piece.bytes.len().next_multiple_of(block) - piece.bytes.len();
        piece.bytes.resize(piece.bytes.len() + missing, 0);
        piece.end += missing as u64;
    }
    crypt(piece)?;
    if piece.is_last && direction == Direction::Decrypt {
        let zeros = piece.bytes.iter().rev().take(block - 1).take_while(|byte| **byte == 0).count();
        piece.bytes.truncate(piece.bytes.len() - zeros);
    }
    Ok(())
}

fn require_whole_blocks<C: BlockCipher>(n_bytes: u64) -> Result<(), Error> {
    match n_bytes % C::BLOCK_BYTES as u64 {
        0 => Ok(()),
        _ => Err(Error::failed(format_args!(
            "the input has {n_bytes} bytes, which is not a multiple of the block size of {}",
            C::BLOCK_BYTES
        ))),
    }
}

/// A padded message has at least one block, and whole blocks only.
fn require_padded<C: BlockCipher>(n_bytes: u64) -> Result<(), Error> {
    if n_bytes == 0 {
        return Err(Error::failed(
            "the input is empty, but a padded message has at least one block",
        ));
    }
    require_whole_blocks::<C>(n_bytes)
        .map_err(|error| error.hint("the ciphertext may have been cut short"))
}

fn cfb_piece(stream: &mut Cfb, direction: Direction, piece: &mut Piece) -> Result<(), Error> {
    Ok(match direction {
        Direction::Encrypt => stream.encrypt(&mut piece.bytes),
        Direction::Decrypt => stream.decrypt(&mut piece.bytes),
    }?)
}

/// Data units of equal length, numbered.
struct Sectors {
    xts: Xts,
    sector_bytes: usize,
    first_sector: u64,
}

impl Sectors {
    fn run(
        &self,
        direction: Direction,
        input: &mut Input,
        output: &mut Output,
    ) -> Result<(), Error> {
        let piece_sectors = (PIECE_BYTES / self.sector_bytes).max(1);
        let mut number = Some(self.first_sector);
        in_pieces(input, output, piece_sectors * self.sector_bytes, |piece| {
            self.require_whole(piece.end)?;
            if piece.bytes.is_empty() {
                return Ok(());
            }
            let first = number.ok_or_else(past_the_last_sector)?;
            let n_sectors = (piece.bytes.len() / self.sector_bytes) as u64;
            first.checked_add(n_sectors - 1).ok_or_else(past_the_last_sector)?;
            number = first.checked_add(n_sectors);
            Ok(match direction {
                Direction::Encrypt => {
                    self.xts.encrypt_sectors(first, self.sector_bytes, &mut piece.bytes)
                }
                Direction::Decrypt => {
                    self.xts.decrypt_sectors(first, self.sector_bytes, &mut piece.bytes)
                }
            }?)
        })
    }

    fn require_whole(&self, n_bytes: u64) -> Result<(), Error> {
        match n_bytes % self.sector_bytes as u64 {
            0 => Ok(()),
            _ => Err(Error::failed(format_args!(
                "the input has {n_bytes} bytes, which is not a multiple of the sector size of {}",
                self.sector_bytes
            ))
            .hint("to use the input as a single data unit, replace --sector-bytes by --iv HEX")),
        }
    }
}

fn past_the_last_sector() -> Error {
    Error::failed(format_args!("the input has sectors beyond number {}, the last", u64::MAX))
        .hint("check --first-sector, which counts sectors, not bytes")
}

fn xts_unit(
    xts: &Xts,
    tweak: &[u8; BLOCK_BYTES],
    direction: Direction,
    input: &mut Input,
) -> Result<Vec<u8>, Error> {
    let mut unit = message::read(input, "xts with --iv", message::MAX_UNIT_BYTES, 0)?;
    message::require_block(&unit, BLOCK_BYTES)?;
    match direction {
        Direction::Encrypt => xts.encrypt(tweak, &mut unit),
        Direction::Decrypt => xts.decrypt(tweak, &mut unit),
    }?;
    Ok(unit)
}

fn cts_message<C: BlockCipher>(
    cipher: &C,
    variant: cts::Variant,
    iv: &C::Block,
    direction: Direction,
    input: &mut Input,
) -> Result<Vec<u8>, Error> {
    let mut message = message::read(input, "cts", message::MAX_BYTES, 0)?;
    message::require_block(&message, C::BLOCK_BYTES)?;
    match direction {
        Direction::Encrypt => cts::encrypt(cipher, variant, iv, &mut message),
        Direction::Decrypt => cts::decrypt(cipher, variant, iv, &mut message),
    }?;
    Ok(message)
}

/// Nothing is released before the tag is verified.
fn aead_message(
    aead: &Aead,
    context: &Context,
    mode: &str,
    direction: Direction,
    input: &mut Input,
) -> Result<Vec<u8>, Error> {
    let tag_bytes = if direction == Direction::Encrypt { 0 } else { aead.tag_bytes() };
    let mut message = message::read(input, mode, message::MAX_BYTES, tag_bytes)?;
    match direction {
        Direction::Encrypt => aead.seal(context, &mut message)?,
        Direction::Decrypt => aead.open(context, &mut message)?,
    }
    Ok(message)
}
