// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! `manyfish inspect`: a message or a volume described without its key.

use std::fmt::Write as _;
use std::io::{self, BufReader, Write};
use std::path::PathBuf;

use base16ct::lower::encode_string;
use clap::Args;
use manyfish_files::{LIMITS, kdbx, psafe3, uber};
use manyfish_openpgp::inspect::{
    AeadData, Content, Length, Packet, Report, SeipdV2, Skesk, inspect,
};
use manyfish_openpgp::{Argon2Cost, Limits, S2k, iterated_octets};

use crate::Error;
use crate::commands::open::entries::{self, Program};
use crate::commands::open::{Format, explain as explain_file, mcrypt, uber as keystore};
use crate::commands::{explain, limit_options};
use crate::error::shown;
use crate::input::Input;

const NOISE: &str = "\
nothing that its first bytes tell
  maybe a volume of VeraCrypt or TrueCrypt, which only the passphrase shows: manyfish open tries it";

#[derive(Debug, Args)]
pub struct InspectArgs {
    /// Input file; "-" is standard input, the default
    input: Option<PathBuf>,
}

/// Describes a truncated file as far as it goes, and then fails.
pub fn run(args: &InspectArgs) -> Result<(), Error> {
    let mut input = Input::open(args.input.as_deref())?;
    let text = match Format::of(&input, None)? {
        Format::Entries(program) => describe_entries(program, &mut input)?,
        Format::Luks(luks) => describe_file(&input.name, &luks.describe(), luks.asks_for()),
        Format::Keystore => {
            let file = entries::read(&mut input, keystore::MOST_BYTES)?;
            let sealed = uber::Sealed::read(&file).map_err(|e| explain_file(e, &input))?;
            describe_file(&input.name, &sealed.describe(), sealed.asks_for())
        }
        Format::Mcrypt => {
            describe_file(&input.name, &mcrypt::read(&input)?.describe(), Limits::NOTHING)
        }
        Format::Noise => format!("{}: {NOISE}\n", shown(&input.name)),
        Format::Message => return describe_message(input),
    };
    io::stdout().write_all(text.as_bytes()).map_err(Error::output)
}

fn describe_message(input: Input) -> Result<(), Error> {
    let refuse = |error| explain(error, &input.name, "standard output");
    let report = inspect(BufReader::new(input.reader)).map_err(refuse)?;
    let text = describe(&input.name, &report);
    io::stdout().write_all(text.as_bytes()).map_err(Error::output)?;
    report.error.map_or(Ok(()), |error| Err(refuse(error)))
}

fn describe(name: &str, report: &Report) -> String {
    let form = if report.armored { ", not counting the armor" } else { "" };
    let mut text = format!("{}: {}{form}\n", shown(name), count(report.bytes, "byte", "bytes"));
    for packet in &report.packets {
        describe_packet(&mut text, packet).expect("a string takes any text");
    }
    describe_cost(&mut text, report.asks_for(), "decrypt", Limits::default());
    if report.unlisted > 0 {
        let more = count(report.unlisted, "further packet", "further packets");
        writeln!(text, "not shown: {more}").expect("a string takes any text");
    }
    text
}

fn describe_file(name: &str, lines: &[String], asked: Limits) -> String {
    let mut text = format!("{}: {}\n", shown(name), lines.join("\n  "));
    describe_cost(&mut text, asked, "open", LIMITS);
    text
}

fn describe_entries(program: Program, input: &mut Input) -> Result<String, Error> {
    let file = entries::read(input, entries::MOST_BYTES)?;
    let refuse = |error| explain_file(error, input);
    let (lines, asked) = match program {
        Program::PasswordSafe => {
            let sealed = psafe3::Sealed::read(file).map_err(refuse)?;
            (sealed.describe(), sealed.asks_for())
        }
        Program::KeePass => {
            let sealed = kdbx::Sealed::read(&file).map_err(refuse)?;
            (sealed.describe(), sealed.asks_for())
        }
    };
    Ok(describe_file(&input.name, &lines, asked))
}

/// The cost of trying a passphrase, and the options of a command that allow it.
fn describe_cost(text: &mut String, asked: Limits, command: &str, limits: Limits) {
    if asked.work.is_zero() {
        return;
    }
    write!(text, "to try a passphrase: {asked}").expect("a string takes any text");
    if !limits.allow(&asked) {
        let options = limit_options(asked, limits);
        write!(text, "; {command} needs {options}").expect("a string takes any text");
    }
    text.push('\n');
}

fn describe_packet(text: &mut String, packet: &Packet) -> std::fmt::Result {
    let framing = match packet.length {
        Length::Fixed(_) => "",
        Length::Partial(_) => ", in parts",
        Length::Indeterminate => ", of unstated length",
    };
    let cut = if packet.complete { "" } else { ", truncated" };
    let (offset, kind) = (packet.offset, packet.packet);
    let bytes = count(packet.body_bytes, "byte", "bytes");
    writeln!(text, "offset {offset}: {kind}, {bytes}{framing}{cut}")?;
    for line in content_lines(packet) {
        writeln!(text, "  {line}")?;
    }
    Ok(())
}

fn content_lines(packet: &Packet) -> Vec<String> {
    match &packet.content {
        Content::Skesk(skesk) => skesk_lines(skesk),
        Content::SeipdV2(seipd) => seipd_lines(seipd, packet),
        Content::Pkesk(version) => vec![format!("version {version}, for a secret key")],
        Content::SeipdV1 => seipd_v1_lines(packet),
        Content::Aead(aead) => aead_lines(aead, packet),
        Content::Encrypted(version) => {
            version.iter().map(|version| format!("version {version}")).collect()
        }
        Content::Malformed(error) => vec![error.to_string()],
        Content::Other => Vec::new(),
    }
}

fn skesk_lines(skesk: &Skesk) -> Vec<String> {
    match skesk {
        Skesk::V6(v6) => skesk_words(
            6,
            &format!("session key encrypted with {}, {}", v6.cipher, v6.mode),
            &v6.s2k,
        ),
        Skesk::V5(v5) => skesk_words(
            5,
            &format!("session key encrypted with {}, {}", v5.cipher, v5.mode),
            &v5.s2k,
        ),
        Skesk::V4(v4) => {
            let what = if v4.holds_key() { "session key" } else { "message" };
            skesk_words(4, &format!("{what} encrypted with {}", v4.cipher), &v4.s2k)
        }
        Skesk::Other(version) => vec![format!("version {version}")],
    }
}

fn skesk_words(version: u8, what: &str, s2k: &S2k) -> Vec<String> {
    let passphrase = format!("passphrase hashed with {}", s2k_words(s2k));
    vec![format!("version {version}"), what.into(), passphrase]
}

fn s2k_words(s2k: &S2k) -> String {
    match s2k {
        S2k::Simple { hash } => format!("{hash} once, without a salt"),
        S2k::Salted { hash, salt } => format!("{hash} once, salt {}", encode_string(salt)),
        S2k::Iterated { hash, salt, count } => {
            format!("{hash} over {} bytes, salt {}", iterated_octets(*count), encode_string(salt))
        }
        S2k::Argon2(Argon2Cost { salt, passes, lanes, memory_exponent }) => format!(
            "Argon2id: {}, {}, {} of memory, salt {}",
            count(u64::from(*passes), "pass", "passes"),
            count(u64::from(*lanes), "lane", "lanes"),
            memory_words(*memory_exponent),
            encode_string(salt)
        ),
        S2k::Unknown(kind) => format!("an unknown function (S2K type {kind})"),
    }
}

/// 2^exponent KiB.
fn memory_words(exponent: u8) -> String {
    match exponent {
        0..10 => format!("{} KiB", 1 << exponent),
        10..20 => format!("{} MiB", 1 << (exponent - 10)),
        20..=31 => format!("{} GiB", 1 << (exponent - 20)),
        _ => format!("2^{exponent} KiB (not valid)"),
    }
}

fn seipd_lines(seipd: &SeipdV2, packet: &Packet) -> Vec<String> {
    let SeipdV2 { cipher, mode, chunk, salt } = seipd;
    vec![
        "version 2".into(),
        format!("{cipher}, {mode}, chunks of {} bytes", chunk.bytes()),
        chunks_words(packet),
        format!("salt {}", encode_string(salt)),
    ]
}

fn aead_lines(aead: &AeadData, packet: &Packet) -> Vec<String> {
    let AeadData { cipher, mode, chunk, nonce } = aead;
    vec![
        "version 1".into(),
        format!("{cipher}, {mode}, chunks of {} bytes", chunk.bytes()),
        chunks_words(packet),
        format!("nonce {}", encode_string(nonce)),
    ]
}

fn chunks_words(packet: &Packet) -> String {
    match packet.plaintext() {
        Some((chunks, bytes)) => {
            let chunks = count(chunks, "chunk", "chunks");
            format!("{} of plaintext in {chunks}", count(bytes, "byte", "bytes"))
        }
        None if packet.complete => "its length fits no number of chunks".into(),
        None => "the number of chunks is not known".into(),
    }
}

fn seipd_v1_lines(packet: &Packet) -> Vec<String> {
    let data = match packet.plaintext() {
        Some((_, bytes)) => {
            format!("{} of plaintext, and a SHA-1 of it (MDC)", count(bytes, "byte", "bytes"))
        }
        None if packet.complete => "it is too short for one".into(),
        None => "the length of the plaintext is not known".into(),
    };
    vec!["version 1".into(), data]
}

fn count(n: u64, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}
