// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish raw`: a bare mode of operation, as other programs have it. `key.rs` finds the key, `job.rs`
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
use manyfish::{Des, Twofish, TwofishVariant};

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
    /// Encrypt in a bare mode of operation
    #[command(after_help = NOTES)]
    Encrypt(Options),
    /// Decrypt in a bare mode of operation
    #[command(after_help = NOTES)]
    Decrypt(Options),
    /// Print or check the tag (MAC) of an unencrypted message
    #[command(after_help = mac::NOTES)]
    Mac(MacArgs),
}

const NOTES: &str = "\
INPUT and OUT default to standard input and output. Only -o - writes ciphertext to a terminal.
A key file holds the key as hexadecimal digits with an optional line end, or as bytes. Twofish takes
16, 24 or 32 bytes (32, 48 or 64 digits); xts and siv take two such keys in one piece. des takes 8
bytes (16 digits), 3des 16 or 24 (32 or 48 digits). The command tries digits first.

These modes do not authenticate: ecb, cbc, ctr, ofb, cfb, cfb8 and cfb1 (cfb with segments of a byte
or a bit), cts (CBC with ciphertext stealing; cs1 keeps the order, Kerberos uses cs3) and xts. Their
--iv has 16 bytes, or 8 for des and 3des. In xts, --iv replaces --sector-bytes: it is the tweak of a
single data unit.
These modes authenticate: ocb, eax, gcm, ccm and siv. The nonce has 1 to 15 bytes in ocb, 7 to 13 in
ccm, at least 1 in gcm (usually 12), any number in eax; siv needs none. The tag follows the ciphertext,
but in siv it comes first. If the tag is wrong, the command writes nothing.
--expect uses constant-time kernels only, unless --leaks allows others.
The authenticated modes and cts hold the message in memory, at most 256 MiB.
DES protects nothing today, and 3des leaks after some gigabytes because its blocks have 8 bytes: use
them for existing data only. They work in all modes except xts and the authenticated ones. The command
ignores parity bits, and refuses weak keys only with --strict-key.

--rounds and --family-key make ciphers that are almost Twofish, for study [Twofish98, 11.7, 11.8]: we claim
no security for them, and no other program knows them. The authors meant a family key to make no variant
substantially weaker than Twofish; fewer rounds are weaker. With --rounds, and without --family-key, the key
may have any multiple of 8 bytes from 16 to 512. They work in all modes except xts and the authenticated ones.

--like php-mcrypt: the key file holds the text that was the key in its first line; zeros fill it up to the next
size, for 3des to 24 bytes. Zeros fill the last block of ecb and cbc; when decrypting, the command removes
those at the end, fewer than a block has bytes. cfb is CFB of bytes, ncfb CFB of blocks, and nofb OFB.

Examples:
    $ manyfish raw encrypt --mode ctr --key-file disk.key --iv $FIRST_BLOCK -o notes.bin notes.txt
    $ manyfish raw decrypt --mode xts --key-file disk.key --sector-bytes 512 -o disk.img disk.bin";

#[derive(Args)]
struct Options {
    /// Block cipher
    #[arg(long, value_enum, default_value_t = Cipher::Twofish)]
    cipher: Cipher,
    /// Mode of operation
    #[arg(long, value_enum)]
    mode: Mode,
    #[command(flatten)]
    key: KeyArgs,
    /// Initialization vector or nonce of the message; see below
    #[arg(long, visible_alias = "nonce", value_name = "HEX")]
    iv: Option<String>,
    /// Width of the counter of ctr: 32, or the whole block, which is the default
    #[arg(long, value_name = "BITS", value_parser = number::<u32>, allow_negative_numbers = true)]
    counter_bits: Option<u32>,
    /// Variant of cts: the order of the last two blocks
    #[arg(long, value_enum, value_name = "FORM")]
    cts: Option<Cts>,
    /// Sector size of xts in bytes, 16 to 16777216
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
    /// Associated data: authenticated, not encrypted; siv takes it several times
    #[arg(long, value_name = "HEX")]
    aad: Vec<String>,
    /// Read the associated data from this file
    #[arg(long, value_name = "FILE", conflicts_with = "aad")]
    aad_file: Option<PathBuf>,
    /// Tag size of eax, gcm and ccm in bytes [default: 16]
    #[arg(long, value_name = "N", value_parser = number::<usize>, allow_negative_numbers = true)]
    tag_bytes: Option<usize>,
    /// Take keys, padding and the names of modes as another program did; see below
    #[arg(long, value_enum, value_name = "PROGRAM", conflicts_with = "pad")]
    like: Option<Like>,
    /// Pad the last block of cbc; when decrypting, remove the padding [without FORM: pkcs7]
    #[arg(
        long,
        value_enum,
        value_name = "FORM",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "pkcs7"
    )]
    pad: Option<Pad>,
    #[command(flatten)]
    output: OutputArgs,
    /// Input file; "-" is standard input, the default
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
    /// Its name on the command line.
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
    #[value(hide = true)]
    Ncfb,
    Ofb,
    #[value(hide = true)]
    Nofb,
    Ctr,
    Xts,
    Ocb,
    Eax,
    Gcm,
    Ccm,
    Siv,
}

impl Mode {
    /// Its name on the command line.
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Pad {
    Pkcs7,
    Iso, // ISO/IEC 7816-4
    Zeros,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Like {
    PhpMcrypt,
}

/// The number that an option takes, with a message of our own in place of the parser's.
pub fn number<T: FromStr>(text: &str) -> Result<T, String> {
    let bits = 8 * size_of::<T>();
    text.parse().map_err(|_| format!("expected a whole number below 2^{bits}"))
}

pub fn run(args: RawArgs) -> Result<(), Error> {
    match args.command {
        RawCommand::Encrypt(options) => crypt(options, Direction::Encrypt, Content::Bare),
        RawCommand::Decrypt(options) => crypt(options, Direction::Decrypt, Content::Plaintext),
        RawCommand::Mac(args) => mac::run(&args),
    }
}

fn crypt(mut options: Options, direction: Direction, content: Content) -> Result<(), Error> {
    options.translate()?;
    let is_variant = options.key.names_variant(options.cipher)?;
    match options.cipher {
        Cipher::Twofish if is_variant => crypt_with::<TwofishVariant>(&options, direction, content),
        Cipher::Twofish => crypt_with::<Twofish>(&options, direction, content),
        Cipher::Des | Cipher::TripleDes => crypt_with::<Des>(&options, direction, content),
    }
}

impl Options {
    /// Replaces what another program meant by what it is called here.
    fn translate(&mut self) -> Result<(), Error> {
        let mode = self.mode.name();
        let Some(Like::PhpMcrypt) = self.like else {
            return match self.mode {
                Mode::Ncfb | Mode::Nofb => {
                    Err(Error::usage(format_args!("--mode {mode} is for --like php-mcrypt only"))
                        .hint("without it, ncfb is called cfb, and nofb is called ofb"))
                }
                _ => Ok(()),
            };
        };
        (self.mode, self.pad) = match self.mode {
            Mode::Ecb | Mode::Cbc => (self.mode, Some(Pad::Zeros)),
            Mode::Cfb => (Mode::Cfb8, None),
            Mode::Ncfb => (Mode::Cfb, None),
            Mode::Nofb => (Mode::Ofb, None),
            _ => {
                return Err(Error::usage(format_args!("--like php-mcrypt has no --mode {mode}"))
                    .hint("it has ecb, cbc, cfb, ncfb and nofb"));
            }
        };
        self.key.take_text();
        Ok(())
    }
}

fn crypt_with<C: RawCipher>(
    options: &Options,
    direction: Direction,
    content: Content,
) -> Result<(), Error> {
    let mut input = Input::open(options.input.as_deref())?;
    options.key.check(&input)?;
    options.output.spare(options.key.file().into_iter().chain(&options.aad_file))?;
    let target = options.output.target(content, &input)?;
    let job = Job::<C>::new(options, direction)?;
    let mut output = target.create()?;
    job.run(direction, &mut input, &mut output)?;
    output.commit()
}
