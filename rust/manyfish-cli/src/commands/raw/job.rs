// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The job: the options of the command, checked against the mode.

use std::fs;

use manyfish::modes::cts::Variant;
use manyfish::modes::{Cfb, Ctr, Ofb, Xts};
use manyfish::{BLOCK_BYTES, Ccm, Eax, Gcm, Ocb, TAG_BYTES, Twofish};

use super::aead::{Aead, Context};
use super::key::{RawCipher, Work};
use super::message::MAX_UNIT_BYTES;
use super::{Cipher, Cts, Mode, Options, Pad};
use crate::{Error, hex};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Encrypt,
    Decrypt,
}

/// A mode with everything that it needs.
pub enum Job<C: RawCipher> {
    Ecb { cipher: C, pads: bool },
    Cbc { cipher: C, iv: C::Block, pad: Option<Pad> },
    Cts { cipher: C, variant: Variant, iv: C::Block },
    Cfb { stream: Cfb },
    Ofb { stream: Ofb },
    Ctr { stream: Ctr },
    XtsUnit { xts: Xts, tweak: [u8; BLOCK_BYTES] },
    XtsSectors { xts: Xts, sector_bytes: usize, first_sector: u64 },
    Aead { aead: Aead, context: Context, mode: String },
}

/// Those of ciphers with blocks of any size.
const MODES_OF_ALL: &[Mode] =
    &[Mode::Ecb, Mode::Cbc, Mode::Cts, Mode::Cfb, Mode::Cfb8, Mode::Cfb1, Mode::Ofb, Mode::Ctr];

impl<C: RawCipher> Job<C> {
    pub fn new(options: &Options, direction: Direction) -> Result<Self, Error> {
        require_mode_of::<C>(options)?;
        refuse_unused(options)?;
        let work = work(options.mode, direction);
        let load = || options.key.one::<C>(options.cipher, work);
        match options.mode {
            Mode::Ecb => Ok(Self::Ecb { cipher: load()?, pads: pads_ecb(options)? }),
            Mode::Cbc => {
                let iv = block::<C>(options)?;
                Ok(Self::Cbc { cipher: load()?, iv, pad: options.pad })
            }
            Mode::Cts => cts(options, work),
            Mode::Cfb => cfb(options, work, block_bits::<C>()),
            Mode::Cfb8 => cfb(options, work, 8),
            Mode::Cfb1 => cfb(options, work, 1),
            Mode::Ncfb | Mode::Nofb => unreachable!("they were translated"),
            Mode::Ofb => {
                let iv = block::<C>(options)?;
                Ok(Self::Ofb { stream: Ofb::new(&load()?, &iv)? })
            }
            Mode::Ctr => ctr(options, work),
            Mode::Xts => xts(options, work, direction),
            Mode::Ocb | Mode::Eax | Mode::Gcm | Mode::Ccm | Mode::Siv => {
                aead(options, work, direction)
            }
        }
    }
}

/// Whether zeros fill the last block.
fn pads_ecb(options: &Options) -> Result<bool, Error> {
    match options.pad {
        None => Ok(false),
        Some(Pad::Zeros) => Ok(true),
        Some(_) => Err(Error::usage("--mode ecb takes --pad=zeros only")),
    }
}

fn block_bits<C: RawCipher>() -> u32 {
    u32::try_from(8 * C::BLOCK_BYTES).expect("64 or 128")
}

/// XTS and the authenticated modes are for Twofish.
fn require_mode_of<C: RawCipher>(options: &Options) -> Result<(), Error> {
    let Some(limit) = C::limit(options.cipher).filter(|_| !MODES_OF_ALL.contains(&options.mode))
    else {
        return Ok(());
    };
    let (mode, cipher) = (options.mode.name(), options.cipher.name());
    let subject = match options.cipher {
        Cipher::Twofish => "such a cipher".to_owned(),
        _ => format!("--cipher {cipher}"),
    };
    Err(Error::usage(format_args!("--mode {mode} {limit}"))
        .hint(format_args!("{subject} works in {}", list(MODES_OF_ALL))))
}

/// The calls of the cipher that a mode needs. EAX, CCM and SIV encrypt all blocks at once and authenticate them by a
/// chain. Taken for a chain of the message alone, EAX with tables cost up to 1.7 times what it may.
///
/// The single blocks are those of one message without associated data: EAX has one for each of three
/// strings, two for the nonce and one for masks; CCM and GCM mask the tag, CCM has a first block, and GCM
/// a key for its hash; OCB has masks, the nonce and the tag; S2V has masks and a block of zeros.
fn work(mode: Mode, direction: Direction) -> Work {
    let is_encryption = direction == Direction::Encrypt;
    match mode {
        Mode::Cbc | Mode::Cts | Mode::Cfb if is_encryption => Work::SERIAL,
        Mode::Ofb => Work::SERIAL,
        Mode::Eax => Work::with_chain(5),
        Mode::Ccm => Work::with_chain(2),
        // Under a key of its own, which takes the single blocks.
        Mode::Siv | Mode::Gcm => Work::with_single_blocks(2),
        Mode::Ocb => Work::with_single_blocks(3),
        // In cfb1 it is eight blocks per byte; the set-up counts for little there.
        Mode::Cfb8 | Mode::Cfb1 => {
            Work { is_serial: is_encryption, bytes_per_block: 1, ..Work::PARALLEL }
        }
        _ => Work::PARALLEL,
    }
}

/// The modes that use an option.
struct Use {
    option: &'static str,
    is_given: bool,
    modes: &'static [Mode],
}

/// Refuses an option that the mode does not use.
fn refuse_unused(options: &Options) -> Result<(), Error> {
    use Mode::{Cbc, Ccm, Cfb, Cfb1, Cfb8, Ctr, Eax, Gcm, Ocb, Ofb, Siv, Xts};
    let with_iv = &[Cbc, Mode::Cts, Cfb, Cfb8, Cfb1, Ofb, Ctr, Xts, Ocb, Eax, Gcm, Ccm, Siv];
    let aeads = &[Ocb, Eax, Gcm, Ccm, Siv];
    let given = |option, is_given, modes| Use { option, is_given, modes };
    let uses = [
        given("--iv", options.iv.is_some(), with_iv),
        given("--counter-bits", options.counter_bits.is_some(), &[Ctr]),
        given("--cts", options.cts.is_some(), &[Mode::Cts]),
        given("--sector-bytes", options.sector_bytes.is_some(), &[Xts]),
        given("--aad", !options.aad.is_empty(), aeads),
        given("--aad-file", options.aad_file.is_some(), aeads),
        given("--tag-bytes", options.tag_bytes.is_some(), &[Eax, Gcm, Ccm]),
        given("--pad", options.pad.is_some(), &[Mode::Ecb, Cbc]),
    ];
    match uses.iter().find(|option| option.is_given && !option.modes.contains(&options.mode)) {
        None => Ok(()),
        Some(Use { option, modes, .. }) => {
            let modes = list(modes);
            Err(Error::usage(format_args!("{option} is for --mode {modes} only")))
        }
    }
}

/// "a, b and c"
fn list(modes: &[Mode]) -> String {
    let names: Vec<_> = modes.iter().map(|mode| mode.name()).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

fn cts<C: RawCipher>(options: &Options, work: Work) -> Result<Job<C>, Error> {
    let variant = match options.cts {
        Some(Cts::Cs1) => Variant::Cs1,
        Some(Cts::Cs2) => Variant::Cs2,
        Some(Cts::Cs3) => Variant::Cs3,
        None => {
            return Err(Error::usage("this mode needs --cts").hint(
                "--cts cs1 (plain order), cs3 (last two blocks swapped, as in Kerberos), or cs2",
            ));
        }
    };
    let iv = block::<C>(options)?;
    Ok(Job::Cts { cipher: options.key.one(options.cipher, work)?, variant, iv })
}

fn cfb<C: RawCipher>(options: &Options, work: Work, segment_bits: u32) -> Result<Job<C>, Error> {
    let iv = block::<C>(options)?;
    let cipher = options.key.one::<C>(options.cipher, work)?;
    Ok(Job::Cfb { stream: Cfb::new(&cipher, &iv, segment_bits)? })
}

fn ctr<C: RawCipher>(options: &Options, work: Work) -> Result<Job<C>, Error> {
    let bits = options.counter_bits.unwrap_or_else(block_bits::<C>);
    let first = block::<C>(options)?;
    let cipher = options.key.one::<C>(options.cipher, work)?;
    let stream = Ctr::new(&cipher, &first, bits).map_err(Error::usage)?;
    Ok(Job::Ctr { stream })
}

/// Sectors, or one data unit under the tweak that is given.
fn xts<C: RawCipher>(options: &Options, work: Work, direction: Direction) -> Result<Job<C>, Error> {
    let load = || options.key.xts(work, direction);
    let Some(sector_bytes) = options.sector_bytes else {
        if options.iv.is_none() {
            return Err(Error::usage("this mode needs --sector-bytes")
                .hint("--sector-bytes 512 or 4096 for disks; --iv HEX for a single data unit"));
        }
        let tweak = block::<Twofish>(options)?;
        return Ok(Job::XtsUnit { xts: load()?, tweak });
    };
    if options.iv.is_some() {
        return Err(Error::usage("--iv cannot be used with --sector-bytes")
            .hint("number the sectors with --first-sector N"));
    }
    if !(BLOCK_BYTES..=MAX_UNIT_BYTES).contains(&sector_bytes) {
        return Err(Error::usage(format_args!(
            "--sector-bytes takes {BLOCK_BYTES} to {MAX_UNIT_BYTES}, not {sector_bytes}"
        )));
    }
    let first_sector = options.first_sector.unwrap_or_default();
    Ok(Job::XtsSectors { xts: load()?, sector_bytes, first_sector })
}

fn aead<C: RawCipher>(
    options: &Options,
    work: Work,
    direction: Direction,
) -> Result<Job<C>, Error> {
    let context = Context { nonce: nonce(options, direction)?, aad: associated_data(options)? };
    let load = || options.key.one::<Twofish>(options.cipher, work);
    let tag_bytes = options.tag_bytes.unwrap_or(TAG_BYTES);
    let aead = match options.mode {
        Mode::Eax => Eax::with_tag_bytes(&load()?, tag_bytes).map(|eax| Aead::Eax(eax, tag_bytes)),
        Mode::Gcm => Gcm::with_tag_bytes(&load()?, tag_bytes).map(|gcm| Aead::Gcm(gcm, tag_bytes)),
        Mode::Ccm => Ccm::with_tag_bytes(&load()?, tag_bytes).map(|ccm| Aead::Ccm(ccm, tag_bytes)),
        Mode::Siv => Ok(Aead::Siv(options.key.siv(work)?)),
        _ => Ok(Aead::Ocb(Ocb::new(&load()?))),
    };
    let aead = aead.map_err(|error| match error {
        manyfish::Error::TagLength { .. } => Error::usage(error),
        other => Error::failed(other),
    })?;
    Ok(Job::Aead { aead, context, mode: options.mode.name() })
}

/// The initial block of a mode, or its tweak.
fn block<C: RawCipher>(options: &Options) -> Result<C::Block, Error> {
    let n_bytes = C::BLOCK_BYTES;
    let expected = format!("{n_bytes} bytes as {} hexadecimal digits", 2 * n_bytes);
    let iv = required_iv(options, &expected)?;
    if iv.len() != n_bytes {
        return Err(wrong_iv(&format!("{n_bytes} bytes"), iv.len()));
    }
    let mut block = C::Block::default();
    block.as_mut().copy_from_slice(&iv);
    Ok(block)
}

fn nonce(options: &Options, direction: Direction) -> Result<Vec<u8>, Error> {
    let (lengths, is_good): (_, fn(usize) -> bool) = match options.mode {
        Mode::Ocb => ("1 to 15 bytes", |n_bytes| (1..=15).contains(&n_bytes)),
        Mode::Ccm => ("7 to 13 bytes", |n_bytes| (7..=13).contains(&n_bytes)),
        Mode::Gcm => ("1 byte or more", |n_bytes| n_bytes > 0),
        Mode::Siv if options.iv.is_none() => return Ok(Vec::new()),
        // To the library an empty nonce is none; to the standard it is a string like others.
        Mode::Siv => ("1 byte or more, or is left out,", |n_bytes| n_bytes > 0),
        _ => ("any number of bytes", |_| true),
    };
    let nonce = match direction {
        Direction::Encrypt => {
            required_iv(options, &format!("{lengths} that were never used with this key"))
        }
        Direction::Decrypt => required_iv(options, "the nonce that encrypted the message"),
    }?;
    if is_good(nonce.len()) { Ok(nonce) } else { Err(wrong_iv(lengths, nonce.len())) }
}

fn wrong_iv(lengths: &str, found: usize) -> Error {
    Error::usage(format_args!("--iv takes {lengths} in this mode, not {found}"))
}

fn required_iv(options: &Options, expected: &str) -> Result<Vec<u8>, Error> {
    let text = options.iv.as_deref();
    decode(
        "--iv",
        text.ok_or_else(|| {
            Error::usage("this mode needs --iv").hint(format_args!("--iv HEX: {expected}"))
        })?,
    )
}

fn associated_data(options: &Options) -> Result<Vec<Vec<u8>>, Error> {
    if let Some(path) = &options.aad_file {
        let data = fs::read(path)
            .map_err(|error| Error::io(format_args!("cannot read {}", path.display()), &error))?;
        return Ok(vec![data]);
    }
    if options.aad.len() > 1 && options.mode != Mode::Siv {
        return Err(Error::usage("only --mode siv takes --aad more than once"));
    }
    options.aad.iter().map(|text| decode("--aad", text)).collect()
}

pub fn decode(option: &str, text: &str) -> Result<Vec<u8>, Error> {
    let bytes = hex::decode(text.as_bytes()).ok_or_else(|| {
        let fault = hex::fault(text.as_bytes());
        Error::usage(format_args!(
            "{option} takes pairs of hexadecimal digits, not \"{text}\": {fault}"
        ))
    })?;
    Ok(bytes.to_vec())
}
