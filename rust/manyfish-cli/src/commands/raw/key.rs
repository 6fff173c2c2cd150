// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The key of a bare mode, from the command line or from a file: one key, or two of Twofish in one piece.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use manyfish::modes::Xts;
use manyfish::{
    BLOCK_BYTES, BlockCipher, CompiledTwofish, Des, Error as Refused, Expectation,
    FAMILY_KEY_BYTES, Siv, Tables, Twofish, TwofishVariant, Variation, des,
};
use zeroize::Zeroizing;

use super::job::Direction;
use super::{Cipher, number};
use crate::commands::expect::ExpectArgs;
use crate::commands::kernels::COMPILED;
use crate::commands::{des_kernel_error, kernel_error};
use crate::error::{warn, warn_at_terminal};
use crate::hex::{self, Fault};
use crate::input::Input;
use crate::passphrase::{first_line, is_stdin, warn_if_open_to_others};
use crate::{Error, platform, saved};

const LINE_END_BYTES: usize = 2;

#[derive(Args)]
pub struct KeyArgs {
    /// Key in hexadecimal; other users can see it, and your shell remembers it
    #[arg(long, value_name = "HEX")]
    key: Option<String>,
    /// Read the key from this file; "-" is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "key")]
    key_file: Option<PathBuf>,
    /// Refuse weak keys of des and 3des [SP800-67, 3.3.2]
    #[arg(long)]
    strict_key: bool,
    /// Kernel that computes the cipher, or "compiled"; "manyfish kernels" lists them
    #[arg(long, value_name = "NAME", conflicts_with = "expect")]
    kernel: Option<String>,
    #[command(flatten)]
    expect: ExpectArgs,
    /// Twofish with this number of rounds, 1 to 124 [default: 16]; for study
    #[arg(long, value_name = "N", value_parser = number::<u32>, allow_negative_numbers = true)]
    rounds: Option<u32>,
    /// Key of a family of Twofish, 32 bytes, for study; other users can see it, and your shell remembers it
    #[arg(long, value_name = "HEX")]
    family_key: Option<String>,
    /// The first line of the key file is the key as text, which zeros fill up.
    #[arg(skip)]
    is_text: bool,
}

/// The calls of the cipher that a mode needs, for the choice of a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Work {
    /// Each block waits for the one before.
    pub is_serial: bool,
    /// Bytes of the message for each call of the cipher.
    pub bytes_per_block: u64,
    /// Each block of the message also goes through a chain that authenticates it.
    pub has_chain: bool,
    /// Blocks of a message that the mode encrypts singly: for tags, masks and derived values.
    pub single_blocks: u64,
}

impl Work {
    /// The blocks of a message can all be worked on at once.
    pub const PARALLEL: Self =
        Self { is_serial: false, bytes_per_block: 16, has_chain: false, single_blocks: 0 };
    pub const SERIAL: Self = Self { is_serial: true, ..Self::PARALLEL };
    /// One block for the subkeys, and the blocks of the message.
    pub const CMAC: Self = Self { single_blocks: 1, ..Self::SERIAL };

    /// All blocks of the message at once, and this many single blocks.
    pub const fn with_single_blocks(single_blocks: u64) -> Self {
        Self { single_blocks, ..Self::PARALLEL }
    }

    /// The same, and a chain for the tag.
    pub const fn with_chain(single_blocks: u64) -> Self {
        Self { has_chain: true, ..Self::with_single_blocks(single_blocks) }
    }

    /// The blocks that the mode makes of this many bytes.
    fn expected(self, n_bytes: u64, allowed: Expectation) -> Expectation {
        let n_blocks = n_bytes.div_ceil(self.bytes_per_block);
        let chain = if self.has_chain { n_blocks } else { 0 };
        let expected =
            allowed.total_blocks(n_blocks).single_blocks(chain.saturating_add(self.single_blocks));
        if self.is_serial { expected.serial() } else { expected }
    }
}

/// A cipher that the command can load a key for.
pub trait RawCipher: BlockCipher + Sized {
    /// Why it works in the modes of all ciphers only; None: it works in all modes.
    fn limit(cipher: Cipher) -> Option<String>;
    /// The key of the command line. `cipher` tells DES from Triple-DES.
    fn expand(args: &KeyArgs, cipher: Cipher, work: Work) -> Result<Self, Error>;
}

impl RawCipher for Twofish {
    fn limit(_: Cipher) -> Option<String> {
        None
    }

    fn expand(args: &KeyArgs, _: Cipher, work: Work) -> Result<Self, Error> {
        if args.strict_key {
            return Err(Error::usage("--strict-key is for --cipher des and 3des only")
                .hint("Twofish has no weak keys"));
        }
        let for_expected = CompiledTwofish::or_kernel_for_expected;
        args.expand(Shape::One, work, Self::new, named, for_expected)
    }
}

impl RawCipher for TwofishVariant {
    fn limit(_: Cipher) -> Option<String> {
        Some("cannot be used with --rounds or --family-key".to_owned())
    }

    fn expand(args: &KeyArgs, _: Cipher, _: Work) -> Result<Self, Error> {
        args.refuse_with_variants()?;
        let family_key = args.family_key()?;
        let key = args.load(if family_key.is_some() { Shape::One } else { Shape::Variant })?;
        let rounds = args.rounds.unwrap_or(Variation::default().rounds);
        let family_key = family_key.as_deref();
        let variation = Variation { rounds, family_key, ..Variation::default() };
        Self::new(&variation, &key).map_err(|error| match error {
            Refused::Rounds { .. } => Error::usage(format_args!("--rounds: {error}")),
            other => Error::failed(other),
        })
    }
}

impl RawCipher for Des {
    fn limit(cipher: Cipher) -> Option<String> {
        let (cipher, n_bytes) = (cipher.name(), Self::BLOCK_BYTES);
        Some(format!(
            "needs blocks of {BLOCK_BYTES} bytes, but --cipher {cipher} has blocks of {n_bytes}"
        ))
    }

    fn expand(args: &KeyArgs, cipher: Cipher, _: Work) -> Result<Self, Error> {
        if args.expect.n_bytes().is_some() {
            return Err(Error::usage("--expect is for --cipher twofish only"));
        }
        let key = args.load(if cipher == Cipher::Des { Shape::Des } else { Shape::TripleDes })?;
        if args.strict_key {
            des::check_key(&key, des::WEAK_KEYS).map_err(|error| {
                Error::failed(error).hint("leave out --strict-key to use such a key")
            })?;
        }
        let by_kernel = args.kernel.as_ref().map(|name| Self::with_kernel(name, &key));
        by_kernel.unwrap_or_else(|| Self::new(&key)).map_err(des_kernel_error)
    }
}

impl KeyArgs {
    /// Refuses to read key and message from the same stream.
    pub fn check(&self, input: &Input) -> Result<(), Error> {
        if !self.key_file.as_deref().is_some_and(is_stdin) || !input.is_stdin() {
            return Ok(());
        }
        Err(Error::usage("standard input cannot be both the key and the input")
            .hint("name a file to read as INPUT, or another --key-file"))
    }

    /// Is the cipher almost Twofish?
    pub fn names_variant(&self, cipher: Cipher) -> Result<bool, Error> {
        let names = self.rounds.is_some() || self.family_key.is_some();
        if names && cipher != Cipher::Twofish {
            return Err(Error::usage("--rounds and --family-key are for --cipher twofish only"));
        }
        Ok(names)
    }

    /// The file that holds the key.
    pub fn file(&self) -> Option<&PathBuf> {
        self.key_file.as_ref()
    }

    /// Options that are for the kernels of ciphers that others know.
    fn refuse_with_variants(&self) -> Result<(), Error> {
        let given = [
            ("--strict-key", self.strict_key),
            ("--kernel", self.kernel.is_some()),
            ("--expect", self.expect.n_bytes().is_some()),
        ];
        match given.iter().find(|(_, is_given)| *is_given) {
            None => Ok(()),
            Some((option, _)) => Err(Error::usage(format_args!(
                "{option} cannot be used with --rounds or --family-key"
            ))
            .hint("variants of Twofish have one kernel, which reads tables")),
        }
    }

    fn family_key(&self) -> Result<Option<Zeroizing<[u8; FAMILY_KEY_BYTES]>>, Error> {
        let Some(text) = &self.family_key else { return Ok(None) };
        warn_at_terminal("others can see --family-key in the list of processes");
        let digits = format!("{} hexadecimal digits", 2 * FAMILY_KEY_BYTES);
        let key = parse("--family-key", text, &digits, |n_bytes| n_bytes == FAMILY_KEY_BYTES)?;
        Ok(Some(Zeroizing::new(key.as_slice().try_into().expect("it has this length"))))
    }

    /// From now on the key file holds a text.
    pub fn take_text(&mut self) {
        self.is_text = true;
    }

    /// The key of a mode that has one.
    pub fn one<C: RawCipher>(&self, cipher: Cipher, work: Work) -> Result<C, Error> {
        C::expand(self, cipher, work)
    }

    /// The two keys of XTS. Data that exists may have two equal ones; new data shall not.
    pub fn xts(&self, work: Work, direction: Direction) -> Result<Xts, Error> {
        let (by_default, by_kernel) = (Xts::from_key, Xts::from_key_with_kernel);
        let xts =
            self.expand(Shape::Two, work, by_default, by_kernel, Xts::from_key_for_expected)?;
        match direction {
            Direction::Encrypt if xts.has_equal_keys() => {
                return Err(equal_keys(Refused::EqualKeys { mode: "XTS" }));
            }
            Direction::Decrypt if xts.has_equal_keys() => {
                warn("the two halves of this key are equal, so XTS protected this data badly");
            }
            _ => {}
        }
        Ok(xts)
    }

    /// The two keys of SIV.
    pub fn siv(&self, work: Work) -> Result<Siv, Error> {
        let (by_default, by_kernel) = (Siv::from_key, Siv::from_key_with_kernel);
        self.expand(Shape::Two, work, by_default, by_kernel, Siv::from_key_for_expected)
    }

    fn expand<T>(
        &self,
        shape: Shape,
        work: Work,
        by_default: impl Fn(&[u8]) -> Result<T, Refused>,
        by_kernel: impl Fn(&str, &[u8]) -> Result<T, Refused>,
        by_expectation: impl Fn(&Expectation, &[u8]) -> Result<T, Refused>,
    ) -> Result<T, Error> {
        if shape == Shape::Two && self.kernel.as_deref() == Some(COMPILED) {
            return Err(Error::usage("--kernel compiled is for modes with one key"));
        }
        let key = self.load(shape)?;
        let expanded = match (&self.kernel, self.expectation(work)) {
            (Some(name), _) => get_tables(name).and_then(|()| by_kernel(name, &key)),
            (None, Some(expected)) => by_expectation(&expected, &key),
            (None, None) => {
                saved::open_for_default();
                by_default(&key)
            }
        };
        expanded.map_err(|error| match error {
            Refused::EqualKeys { .. } => equal_keys(error),
            other => kernel_error(other),
        })
    }

    fn expectation(&self, work: Work) -> Option<Expectation> {
        let (allowed, _) = self.expect.expectation()?;
        Some(work.expected(self.expect.n_bytes()?, allowed))
    }

    fn load(&self, shape: Shape) -> Result<Zeroizing<Vec<u8>>, Error> {
        match (&self.key, &self.key_file) {
            (_, Some(path)) => shape.read_file(path, self.is_text),
            (Some(key), None) => {
                warn_at_terminal("others can see --key in the list of processes; use --key-file");
                shape.parse_argument(key)
            }
            (None, None) => Err(Error::usage("no key given").hint("use --key-file FILE")),
        }
    }
}

/// A key for a kernel, or for compiled keying, which is none but works as one.
fn named(kernel: &str, key: &[u8]) -> Result<Twofish, Refused> {
    if kernel != COMPILED {
        return Twofish::with_kernel(kernel, key);
    }
    CompiledTwofish::new(key).map(|compiled| compiled.as_cipher().clone())
}

/// Kernels that read tables shared by all keys get them here: from the file that `manyfish tables build` saved, or
/// computed in 1 ms, for `full-huge` in a second.
fn get_tables(kernel: &str) -> Result<(), Refused> {
    match Tables::of_kernel(kernel) {
        Some(tables) if !saved::open(tables) => tables.build(0, |_, _| true),
        _ => Ok(()),
    }
}

fn equal_keys(error: Refused) -> Error {
    Error::failed(error).hint("use two independent random keys in one piece")
}

/// The parts of a key.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// A key of Twofish.
    One,
    /// Two of equal length.
    Two,
    Des,
    TripleDes,
    /// Of a cipher that is almost Twofish.
    Variant,
}

/// Of variants: all multiples of 8 bytes from 16 to 512.
const VARIANT_SIZES: [usize; 63] = {
    let mut sizes = [16; 63];
    let mut i = 1;
    while i < sizes.len() {
        sizes[i] = sizes[i - 1] + 8;
        i += 1;
    }
    sizes
};

impl Shape {
    /// Bytes of the keys, shortest first.
    fn sizes(self) -> &'static [usize] {
        match self {
            Self::One => &[16, 24, 32],
            Self::Two => &[32, 48, 64],
            Self::Des => &[8],
            Self::TripleDes => &[16, 24],
            Self::Variant => &VARIANT_SIZES,
        }
    }

    fn fits(self, n_bytes: usize) -> bool {
        self.sizes().contains(&n_bytes)
    }

    /// Longer files hold no key.
    fn max_file_bytes(self) -> usize {
        self.sizes().iter().fold(0, |max, n_bytes| max.max(2 * n_bytes)) + LINE_END_BYTES
    }

    /// "32, 48 or 64 bytes in this mode, two keys in one", or as many hexadecimal digits.
    fn describe(self, digits_per_byte: usize, unit: &str) -> String {
        if self == Self::Variant {
            let [step, min, max] = [8, 16, 512].map(|n_bytes| n_bytes * digits_per_byte);
            return format!("{min} to {max} {unit}, a multiple of {step}");
        }
        let sizes: Vec<String> =
            self.sizes().iter().map(|n_bytes| (n_bytes * digits_per_byte).to_string()).collect();
        let (last, others) = sizes.split_last().expect("every key has a size");
        let or = if others.is_empty() { "" } else { " or " };
        let note = match self {
            Self::One | Self::Variant => "",
            Self::Two => " in this mode, two keys in one",
            Self::Des => " for --cipher des",
            Self::TripleDes => " for --cipher 3des",
        };
        format!("{}{or}{last} {unit}{note}", others.join(", "))
    }

    fn parse_argument(self, text: &str) -> Result<Zeroizing<Vec<u8>>, Error> {
        let digits = self.describe(2, "hexadecimal digits");
        parse("--key", text, &digits, |n_bytes| self.fits(n_bytes))
    }

    fn read_file(self, path: &Path, is_text: bool) -> Result<Zeroizing<Vec<u8>>, Error> {
        let is_stdin = is_stdin(path);
        let name = if is_stdin {
            "standard input".into()
        } else {
            format!("the key file {}", path.display())
        };
        let opened = if is_stdin { platform::stdin() } else { File::open(path) };
        let content = opened.and_then(|file| {
            warn_if_open_to_others(&file, &name);
            read(&file, self.max_file_bytes())
        });
        let content = content.map_err(|e| Error::io(format_args!("cannot read {name}"), &e))?;
        if is_text {
            return self.filled(first_line(&content)).ok_or_else(|| {
                let most = self.sizes().last().expect("every key has a size");
                Error::failed(format_args!("{name} should hold a text of 1 to {most} bytes"))
            });
        }
        self.parse(&content).ok_or_else(|| {
            let found = match content.len() {
                n_bytes if n_bytes <= self.max_file_bytes() => {
                    format!("{n_bytes} bytes that are neither{}", self.wrong_digit(&content))
                }
                _ => "more".to_owned(),
            };
            let bytes = self.describe(1, "bytes");
            Error::failed(format_args!(
                "{name} should hold {bytes}, or twice as many hexadecimal digits, but holds {found}"
            ))
        })
    }

    /// Digits win: a random key of 32 bytes looks like 32 digits once in 10^34.
    fn parse(self, content: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
        let digits = hex::decode(line(content)).filter(|key| self.fits(key.len()));
        let bytes = || self.fits(content.len()).then(|| Zeroizing::new(content.to_vec()));
        digits.or_else(bytes)
    }

    /// A text with zeros up to the next size. The Triple-DES of PHP's mcrypt has the longest one alone.
    fn filled(self, text: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
        let sizes = if self == Self::TripleDes { &[24] } else { self.sizes() };
        let size = *sizes.iter().find(|size| **size >= text.len())?;
        let mut key = Zeroizing::new(Vec::with_capacity(size));
        key.extend_from_slice(text);
        key.resize(size, 0);
        (!text.is_empty()).then_some(key)
    }

    /// The place of a wrong digit, in a file whose length fits digits.
    fn wrong_digit(self, content: &[u8]) -> String {
        let line = line(content);
        if self.fits(line.len() / 2) { place(line) } else { String::new() }
    }
}

/// The key that an option gives. The message does not repeat what may be most of a key.
fn parse(
    option: &str,
    text: &str,
    digits: &str,
    fits: impl Fn(usize) -> bool,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    let place = match hex::decode(text.as_bytes()) {
        Some(key) if fits(key.len()) => return Ok(key),
        Some(_) => String::new(),
        None => place(text.as_bytes()),
    };
    let found = text.chars().count();
    Err(Error::usage(format_args!("{option} takes {digits}, not these {found} characters{place}")))
}

/// The place of a wrong digit, as the end of a message.
fn place(text: &[u8]) -> String {
    match hex::fault(text) {
        fault @ Fault::Digit(_) => format!(": {fault}"),
        Fault::Odd => String::new(),
    }
}

/// The content of a file without its line end.
fn line(content: &[u8]) -> &[u8] {
    let line = content.strip_suffix(b"\n").unwrap_or(content);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Reads at most one byte more than `max`.
fn read(file: &File, max: usize) -> std::io::Result<Zeroizing<Vec<u8>>> {
    // All the space at once: a buffer that grows leaves copies behind.
    let mut content = Zeroizing::new(vec![0; 2 * max]);
    manyfish::lock(&content);
    content.clear();
    file.take(max as u64 + 1).read_to_end(&mut content)?;
    Ok(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    const COSTS: &str = "\
kernel,key_bits,set_up,ct_set_up,1,2,3,4,5,7,8,9,16,17,32,33,64,128
zero,128,7,,100,200,300,400,500,700,800,900,1600,1700,3200,3300,6400,12800
";

    /// With a block that costs 100 however it comes, a cost says how many blocks there are.
    #[test]
    fn modes_that_authenticate_by_a_chain_take_each_block_twice() {
        let allowed = Expectation::default().leaks(manyfish::Leaks::Any);
        let allowed = allowed.costs(&COSTS.parse().unwrap());
        let cost = |work: Work| work.expected(33, allowed.clone()).cost_of("zero", 16).unwrap();
        assert_eq!(cost(Work::PARALLEL), Some(7 + 300));
        assert_eq!(cost(Work::CMAC), Some(7 + 400));
        assert_eq!(cost(Work::with_single_blocks(2)), Some(7 + 500));
        assert_eq!(cost(Work::with_chain(5)), Some(7 + 1100));
    }

    fn parsed(content: &[u8]) -> Option<Vec<u8>> {
        Shape::One.parse(content).map(|key| key.to_vec())
    }

    #[test]
    fn digits_may_end_in_a_newline() {
        for end in ["", "\n", "\r\n"] {
            assert_eq!(
                parsed(format!("{}{end}", "5a".repeat(24)).as_bytes()),
                Some(vec![0x5a; 24])
            );
        }
        assert_eq!(parsed(format!("{}\n\n", "5a".repeat(24)).as_bytes()), None);
    }

    #[test]
    fn a_text_is_the_first_line_filled_up() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for content in
            ["open sesame", "open sesame\n", "open sesame\r\nnotes", "open sesame\n\nx\n"]
        {
            std::fs::write(file.path(), content).unwrap();
            let key = Shape::One.read_file(file.path(), true).unwrap();
            assert_eq!(&key[..], b"open sesame\0\0\0\0\0", "{content:?}");
        }
    }

    #[test]
    fn all_else_is_the_key_itself() {
        assert_eq!(parsed(&[b'\n'; 16]), Some(vec![b'\n'; 16]));
        assert_eq!(parsed(&[b'5'; 24]), Some(vec![b'5'; 24]), "12 bytes as digits are no key");
        assert_eq!(parsed(&[0xff; 32]), Some(vec![0xff; 32]));
    }

    #[test]
    fn of_two_readings_digits_win() {
        assert_eq!(parsed(&[b'5'; 32]), Some(vec![0x55; 16]));
    }

    #[test]
    fn other_lengths_are_refused() {
        for n_bytes in (0..=67).filter(|n_bytes| !Shape::One.fits(*n_bytes)) {
            assert_eq!(parsed(&vec![0xff; n_bytes]), None, "{n_bytes}");
        }
    }

    #[test]
    fn keys_of_variants_have_their_lengths() {
        let sizes: Vec<_> = (16..=512).step_by(8).collect();
        assert_eq!(Shape::Variant.sizes(), sizes);
        let digits = "5a".repeat(512) + "\n";
        assert_eq!(Shape::Variant.parse(digits.as_bytes()).unwrap().to_vec(), vec![0x5a; 512]);
    }

    #[test]
    fn keys_of_des_have_their_lengths() {
        let of = |shape: Shape, n_bytes: usize| shape.parse(&vec![0xff; n_bytes]).is_some();
        let fitting = |shape| (0..=50).filter(|n_bytes| of(shape, *n_bytes)).collect::<Vec<_>>();
        assert_eq!((fitting(Shape::Des), fitting(Shape::TripleDes)), (vec![8], vec![16, 24]));
        assert_eq!(Shape::Des.parse(b"0123456789abcdef\n").unwrap()[..2], [0x01, 0x23]);
    }

    #[test]
    fn two_keys_are_twice_as_long() {
        let two = |content: &[u8]| Shape::Two.parse(content).map(|key| key.to_vec());
        for n_bytes in [32, 48, 64] {
            assert_eq!(two(&vec![0xff; n_bytes]), Some(vec![0xff; n_bytes]));
            let digits = "5a".repeat(n_bytes) + "\r\n";
            assert_eq!(two(digits.as_bytes()), Some(vec![0x5a; n_bytes]));
        }
        assert_eq!(two(&[b'5'; 64]), Some(vec![0x55; 32]), "of two readings digits win");
        for n_bytes in [0, 16, 24, 31, 33, 65, 128] {
            assert_eq!(two(&vec![0xff; n_bytes]), None, "{n_bytes}");
        }
    }
}
