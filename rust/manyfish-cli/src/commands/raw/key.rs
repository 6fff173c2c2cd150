// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The key of a bare mode, from the command line or from a file: one Twofish key, or two in one piece.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use manyfish::modes::Xts;
use manyfish::{Error as Refused, Expectation, Siv, Twofish};
use zeroize::Zeroizing;

use crate::commands::expect::ExpectArgs;
use crate::commands::kernel_error;
use crate::{Error, hex};

const LINE_END_BYTES: usize = 2;

#[derive(Args)]
pub struct KeyArgs {
    /// The key; others on this machine can see it, and your shell remembers it
    #[arg(long, value_name = "HEX")]
    key: Option<String>,
    /// The key, from a file
    #[arg(long, value_name = "FILE", conflicts_with = "key")]
    key_file: Option<PathBuf>,
    /// How to compute the cipher; "manyfish kernels" lists the names
    #[arg(long, value_name = "NAME", conflicts_with = "expect")]
    kernel: Option<String>,
    #[command(flatten)]
    expect: ExpectArgs,
}

/// What a mode asks of the cipher, for the choice of a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Work {
    /// Each block waits for the one before.
    pub is_serial: bool,
    /// Bytes of the message for each call of the cipher.
    pub bytes_per_block: u64,
    /// Each block of the message goes through a chain besides, by which it is authenticated.
    pub has_chain: bool,
    /// Blocks of a message that are encrypted by themselves: for tags, masks, and what is derived.
    pub single_blocks: u64,
}

impl Work {
    /// The blocks of a message can all be worked on at once.
    pub const PARALLEL: Self =
        Self { is_serial: false, bytes_per_block: 16, has_chain: false, single_blocks: 0 };
    pub const SERIAL: Self = Self { is_serial: true, ..Self::PARALLEL };
    /// A block that masks of the subkeys come from, and those of the message.
    pub const CMAC: Self = Self { single_blocks: 1, ..Self::SERIAL };

    /// Encryption of all blocks at once, beside so many single ones.
    pub const fn with_single_blocks(single_blocks: u64) -> Self {
        Self { single_blocks, ..Self::PARALLEL }
    }

    /// The same, and a chain for the tag.
    pub const fn with_chain(single_blocks: u64) -> Self {
        Self { has_chain: true, ..Self::with_single_blocks(single_blocks) }
    }

    /// The blocks that the mode makes of so many bytes.
    fn expected(self, n_bytes: u64, allowed: Expectation) -> Expectation {
        let n_blocks = n_bytes.div_ceil(self.bytes_per_block);
        let chain = if self.has_chain { n_blocks } else { 0 };
        let expected =
            allowed.total_blocks(n_blocks).single_blocks(chain.saturating_add(self.single_blocks));
        if self.is_serial { expected.serial() } else { expected }
    }
}

impl KeyArgs {
    /// The key of a mode that has one.
    pub fn one(&self, work: Work) -> Result<Twofish, Error> {
        self.expand(Shape::One, work, Twofish::new, Twofish::with_kernel, Twofish::for_expected)
    }

    /// The two keys of XTS.
    pub fn xts(&self, work: Work) -> Result<Xts, Error> {
        let (by_default, by_kernel) = (Xts::from_key, Xts::from_key_with_kernel);
        self.expand(Shape::Two, work, by_default, by_kernel, Xts::from_key_for_expected)
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
        let key = self.load(shape)?;
        let expanded = match (&self.kernel, self.expectation(work)) {
            (Some(name), _) => by_kernel(name, &key),
            (None, Some(expected)) => by_expectation(&expected, &key),
            (None, None) => by_default(&key),
        };
        expanded.map_err(|error| match error {
            Refused::EqualKeys { .. } => Error::failed(error)
                .hint("a key for two ciphers is twice as long, and all of it random"),
            other => kernel_error(other),
        })
    }

    fn expectation(&self, work: Work) -> Option<Expectation> {
        Some(work.expected(self.expect.n_bytes()?, self.expect.expectation()?))
    }

    fn load(&self, shape: Shape) -> Result<Zeroizing<Vec<u8>>, Error> {
        match (&self.key, &self.key_file) {
            (_, Some(path)) => shape.read_file(path),
            (Some(key), None) => shape.parse_argument(key),
            (None, None) => {
                Err(Error::usage("no key given").hint("name a file that holds it, with --key-file"))
            }
        }
    }
}

/// How many Twofish keys of equal length a key consists of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    One,
    Two,
}

impl Shape {
    fn fits(self, n_bytes: usize) -> bool {
        match self {
            Self::One => matches!(n_bytes, 16 | 24 | 32),
            Self::Two => matches!(n_bytes, 32 | 48 | 64),
        }
    }

    /// Longer files hold no key.
    fn max_file_bytes(self) -> usize {
        let digits = match self {
            Self::One => 64,
            Self::Two => 128,
        };
        digits + LINE_END_BYTES
    }

    fn parse_argument(self, text: &str) -> Result<Zeroizing<Vec<u8>>, Error> {
        let key = hex::decode(text.as_bytes()).filter(|key| self.fits(key.len()));
        key.ok_or_else(|| {
            let digits = match self {
                Self::One => "32, 48 or 64 hexadecimal digits",
                Self::Two => "64, 96 or 128 hexadecimal digits in this mode, two keys in one",
            };
            let found = text.chars().count();
            Error::usage(format_args!("--key takes {digits}, not these {found} characters"))
        })
    }

    fn read_file(self, path: &Path) -> Result<Zeroizing<Vec<u8>>, Error> {
        let content = read(path, self.max_file_bytes()).map_err(|error| {
            Error::io(format_args!("cannot read the key file {}", path.display()), &error)
        })?;
        self.parse(&content).ok_or_else(|| {
            let found = match content.len() {
                n_bytes if n_bytes <= self.max_file_bytes() => {
                    format!("{n_bytes} bytes that are neither")
                }
                _ => "more".to_owned(),
            };
            let bytes = match self {
                Self::One => "16, 24 or 32 bytes",
                Self::Two => "32, 48 or 64 bytes in this mode, two keys in one",
            };
            Error::failed(format_args!(
                "the key file {} should hold {bytes}, or twice as many hexadecimal digits, but \
                 holds {found}",
                path.display()
            ))
        })
    }

    /// Digits win: a random key of 32 bytes looks like 32 digits once in 10^34.
    fn parse(self, content: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
        let line = content.strip_suffix(b"\n").unwrap_or(content);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let digits = hex::decode(line).filter(|key| self.fits(key.len()));
        let bytes = || self.fits(content.len()).then(|| Zeroizing::new(content.to_vec()));
        digits.or_else(bytes)
    }
}

/// Reads one byte more than `max` at the most.
fn read(path: &Path, max: usize) -> std::io::Result<Zeroizing<Vec<u8>>> {
    // All the room at once: a buffer that grows leaves copies behind.
    let mut content = Zeroizing::new(Vec::with_capacity(2 * max));
    File::open(path)?.take(max as u64 + 1).read_to_end(&mut content)?;
    Ok(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    const COSTS: &str = "\
kernel,key_bits,set_up,quiet_set_up,1,2,3,4,5,7,8,9,16,17,32,33,64,128
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
