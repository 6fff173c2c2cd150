// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish raw`: a bare mode, for exchange with other programs. `key.rs` finds the key, `job.rs`
//! checks that the options fit the mode, `stream.rs`, `message.rs` and `mac.rs` do the work.

mod aead;
mod job;
mod key;
mod mac;
mod message;
mod stream;

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Subcommand, ValueEnum};
use manyfish::{Des, Twofish};

use crate::Error;
use crate::input::Input;
use crate::output::{Content, OutputArgs};
use job::{Direction, Job};
use key::{KeyArgs, RawCipher};
use mac::MacArgs;

#[derive(Args)]
pub struct RawArgs {
    #[command(subcommand)]
    command: RawCommand,
}

#[derive(Subcommand)]
enum RawCommand {
    /// Encrypt in a bare mode
    #[command(after_help = NOTES)]
    Encrypt(Options),
    /// Decrypt in a bare mode
    #[command(after_help = NOTES)]
    Decrypt(Options),
    /// Print or check the tag of a message that is not encrypted
    #[command(after_help = mac::NOTES)]
    Mac(MacArgs),
}

const NOTES: &str = "\
INPUT and OUT default to standard input and output; ciphertext goes to a terminal only with -o -.
A key file holds 32, 48 or 64 hexadecimal digits and an optional line end, or else 16, 24 or 32
bytes; for xts and siv, which take two keys in one piece, twice as many; for des 16 digits or 8
bytes, for 3des 32 or 48 digits, 16 or 24 bytes. If it can be read both ways, it is digits.

Not authenticated: ecb, cbc, ctr, ofb, cfb (cfb8, cfb1: in segments of a byte, a bit), cts (CBC with
ciphertext stealing: in plain order cs1, as in Kerberos cs3) and xts. An --iv has 16 bytes here, or 8
for des and 3des; that of xts is the tweak of a single data unit, in place of --sector-bytes.
Authenticated: ocb, eax, gcm, ccm and siv. The nonce has 1 to 15 bytes for ocb, 7 to 13 for ccm, 1
or more for gcm (12 as a rule) and for siv, which can do without, any number for eax. A tag stands
behind the ciphertext, that of siv in front; if it is wrong, nothing is written.
--expect takes constant-time kernels only, unless --leaks allows traces of the text or of any secret.
The authenticated modes and cts hold the message in memory: it has 256 MiB at most.
DES protects nothing today, and its blocks of 8 bytes make 3des leak after some gigabytes: both are for
data that has them, in all modes but xts and the authenticated ones. Parity bits are ignored, and weak
keys are taken unless --strict-key refuses them.

Examples:
    $ manyfish raw encrypt --mode ctr --key-file disk.key --iv $FIRST_BLOCK -o notes.bin notes.txt
    $ manyfish raw decrypt --mode xts --key-file disk.key --sector-bytes 512 -o disk.img disk.bin";

#[derive(Args)]
struct Options {
    /// The block cipher
    #[arg(long, value_enum, default_value_t = Cipher::Twofish)]
    cipher: Cipher,
    /// What is made of it
    #[arg(long, value_enum)]
    mode: Mode,
    #[command(flatten)]
    key: KeyArgs,
    /// Initial block or nonce of the message; see below
    #[arg(long, visible_alias = "nonce", value_name = "HEX")]
    iv: Option<String>,
    /// How many last bits of the block ctr counts in: 32, or all, which is the default
    #[arg(long, value_name = "BITS", value_parser = number::<u32>, allow_negative_numbers = true)]
    counter_bits: Option<u32>,
    /// The form of cts, by the order of the last two blocks
    #[arg(long, value_enum, value_name = "FORM")]
    cts: Option<Cts>,
    /// Bytes of a sector of xts, 16 to 16777216
    #[arg(long, value_name = "N", value_parser = number::<usize>, allow_negative_numbers = true)]
    sector_bytes: Option<usize>,
    /// Number of the first sector of xts [default: 0]
    #[arg(
        long,
        value_name = "N",
        requires = "sector_bytes",
        value_parser = number::<u64>,
        allow_negative_numbers = true
    )]
    first_sector: Option<u64>,
    /// Associated data: authenticated, not encrypted; siv takes several
    #[arg(long, value_name = "HEX")]
    aad: Vec<String>,
    /// Associated data, from a file
    #[arg(long, value_name = "FILE", conflicts_with = "aad")]
    aad_file: Option<PathBuf>,
    /// Bytes of the tag of eax, gcm and ccm [default: 16]
    #[arg(long, value_name = "N", value_parser = number::<usize>, allow_negative_numbers = true)]
    tag_bytes: Option<usize>,
    /// Fill the last block of cbc up (PKCS#7), and take the padding off again
    #[arg(long)]
    pad: bool,
    #[command(flatten)]
    output: OutputArgs,
    /// The file to read; standard input without it, or with "-"
    input: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Cipher {
    Twofish,
    Des,
    #[value(name = "3des")]
    TripleDes,
}

impl Cipher {
    /// As it is given on the command line.
    fn name(self) -> &'static str {
        match self {
            Self::Twofish => "twofish",
            Self::Des => "des",
            Self::TripleDes => "3des",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Mode {
    Ecb,
    Cbc,
    Cts,
    Cfb,
    Cfb8,
    Cfb1,
    Ofb,
    Ctr,
    Xts,
    Ocb,
    Eax,
    Gcm,
    Ccm,
    Siv,
}

impl Mode {
    /// As it is given on the command line.
    fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Cts {
    Cs1,
    Cs2,
    Cs3,
}

/// The number that an option takes, with a message of our own in place of the parser's.
pub fn number<T: FromStr>(text: &str) -> Result<T, String> {
    let bits = 8 * size_of::<T>();
    text.parse().map_err(|_| format!("expected a whole number less than 2^{bits}"))
}

pub fn run(args: &RawArgs) -> Result<(), Error> {
    match &args.command {
        RawCommand::Encrypt(options) => crypt(options, Direction::Encrypt, Content::Bare),
        RawCommand::Decrypt(options) => crypt(options, Direction::Decrypt, Content::Plaintext),
        RawCommand::Mac(args) => mac::run(args),
    }
}

fn crypt(options: &Options, direction: Direction, content: Content) -> Result<(), Error> {
    match options.cipher {
        Cipher::Twofish => crypt_with::<Twofish>(options, direction, content),
        Cipher::Des | Cipher::TripleDes => crypt_with::<Des>(options, direction, content),
    }
}

fn crypt_with<C: RawCipher>(
    options: &Options,
    direction: Direction,
    content: Content,
) -> Result<(), Error> {
    let mut input = Input::open(options.input.as_deref())?;
    options.key.check(&input)?;
    let target = options.output.target(content, &input)?;
    let job = Job::<C>::new(options, direction)?;
    let mut output = target.create()?;
    job.run(direction, &mut input, &mut output)?;
    output.commit()
}
