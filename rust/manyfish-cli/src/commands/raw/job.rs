// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! What is to be done: the options of the command, checked against the mode.

use manyfish::modes::{Ctr, cbc::Iv};
use manyfish::{BLOCK_BYTES, Ocb, Twofish};

use super::{Cipher, Mode, Options, key};
use crate::{Error, hex};

const DEFAULT_COUNTER_BITS: u32 = 128;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Encrypt,
    Decrypt,
}

/// A mode with everything that it needs.
pub enum Job {
    Ecb { cipher: Twofish },
    Cbc { cipher: Twofish, iv: Iv, pad: bool },
    Ctr { stream: Ctr },
    Ocb { ocb: Ocb, nonce: Vec<u8>, aad: Vec<u8> },
}

impl Job {
    pub fn new(options: &Options, direction: Direction) -> Result<Self, Error> {
        let Options { mode, pad, .. } = *options;
        refuse_unused(options)?;
        let Cipher::Twofish = options.cipher;
        let load = || {
            key::load(
                options.key.as_deref(),
                options.key_file.as_deref(),
                options.kernel.as_deref(),
            )
        };
        Ok(match mode {
            Mode::Ecb => Self::Ecb { cipher: load()? },
            Mode::Cbc => Self::Cbc { iv: block(options)?, cipher: load()?, pad },
            Mode::Ctr => {
                let bits = options.counter_bits.unwrap_or(DEFAULT_COUNTER_BITS);
                let first = block(options)?;
                Self::Ctr { stream: Ctr::new(&load()?, &first, bits).map_err(Error::usage)? }
            }
            Mode::Ocb => Self::Ocb {
                nonce: nonce(options, direction)?,
                aad: decode("--aad", options.aad.as_deref().unwrap_or_default())?,
                ocb: Ocb::new(&load()?),
            },
        })
    }
}

/// An option that the mode does not look at is a mistake.
fn refuse_unused(options: &Options) -> Result<(), Error> {
    let unused = [
        ("--iv", options.iv.is_some() && options.mode == Mode::Ecb, "cbc, ctr and ocb"),
        ("--counter-bits", options.counter_bits.is_some() && options.mode != Mode::Ctr, "ctr"),
        ("--aad", options.aad.is_some() && options.mode != Mode::Ocb, "ocb"),
        ("--pad", options.pad && options.mode != Mode::Cbc, "cbc"),
    ];
    match unused.iter().find(|(_, is_unused, _)| *is_unused) {
        None => Ok(()),
        Some((option, _, modes)) => {
            Err(Error::usage(format_args!("{option} is for --mode {modes} only")))
        }
    }
}

/// The initial block of cbc or ctr.
fn block(options: &Options) -> Result<[u8; BLOCK_BYTES], Error> {
    let iv = iv(options, "16 bytes as 32 hexadecimal digits")?;
    iv.as_slice().try_into().map_err(|_| {
        Error::usage(format_args!("--iv takes 16 bytes in this mode, not {}", iv.len()))
    })
}

fn nonce(options: &Options, direction: Direction) -> Result<Vec<u8>, Error> {
    let expected = match direction {
        Direction::Encrypt => "1 to 15 bytes that were never used with this key",
        Direction::Decrypt => "the nonce that the message was encrypted with",
    };
    let nonce = iv(options, expected)?;
    if (1..BLOCK_BYTES).contains(&nonce.len()) {
        return Ok(nonce);
    }
    Err(Error::usage(format_args!("--iv takes 1 to 15 bytes in this mode, not {}", nonce.len())))
}

fn iv(options: &Options, expected: &str) -> Result<Vec<u8>, Error> {
    let text = options.iv.as_deref();
    decode(
        "--iv",
        text.ok_or_else(|| {
            Error::usage("this mode needs --iv").hint(format_args!("--iv HEX: {expected}"))
        })?,
    )
}

fn decode(option: &str, text: &str) -> Result<Vec<u8>, Error> {
    let bytes = hex::decode(text.as_bytes());
    let bytes = bytes.ok_or_else(|| {
        Error::usage(format_args!("{option} takes pairs of hexadecimal digits, not \"{text}\""))
    })?;
    Ok(bytes.to_vec())
}
