// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The bodies of the fuzz targets of `rust/fuzz`, which take any octets; the tests call them with the seeds. Nothing
//! may panic; an opened message must be the sealed one.

use std::io::{self, BufReader, Read, Write};
use std::time::Duration;

use crate::aead::AeadData;
use crate::algorithm::{AeadMode, Cipher, PacketType};
use crate::armor::{ArmorWriter, Dearmored};
use crate::body::BodyWriter;
use crate::chunks::Sealer;
use crate::compressed;
use crate::decryption::{DecryptOptions, Decryption};
use crate::error::Result;
use crate::inspect::inspect;
use crate::key::{KEY_BYTES, Key};
use crate::limits::Limits;
use crate::literal::{self, Opened};
use crate::message_key::twofish;
use crate::read::Fields;
use crate::s2k::S2k;
use crate::seipd::{ChunkSize, SeipdV2};
use crate::skesk::{Skesk, SkeskV6};
use crate::{NONCE_BYTES, mdc};

/// A well-formed packet for a passphrase: a salted hash, no session key in it, a tag of zeros.
const SKESK: [u8; 48] = {
    let mut packet = [0; 48];
    let head = [0xc3, 46, 6, 3 + 10 + 15, 10, 2, 10, 1, 8];
    packet.split_at_mut(head.len()).0.copy_from_slice(&head);
    packet
};

/// The same of the older form: a hash gives the key.
const OLDER_SKESK: [u8; 6] = [0xc3, 4, 4, 10, 0, 8];

/// A target: its name, as in `rust/fuzz/Cargo.toml`, and what it does.
pub type Target = (&'static str, fn(&[u8]));

/// All of this crate.
pub const TARGETS: [Target; 8] = [
    ("message", message),
    ("armor", armor),
    ("skesk", skesk),
    ("seipd_v1", |octets| inside(Container::Seipd1, octets)),
    ("seipd_v2", |octets| inside(Container::Seipd2, octets)),
    ("librepgp_ocb", |octets| inside(Container::LibrePgp(AeadMode::OCB), octets)),
    ("librepgp_eax", |octets| inside(Container::LibrePgp(AeadMode::EAX), octets)),
    ("sed", |octets| inside(Container::Sed, octets)),
];

/// Calls the target of this name.
pub fn run(target: &str, octets: &[u8]) {
    let (_, body) = TARGETS.iter().find(|(name, _)| *name == target).expect("a name of TARGETS");
    body(octets);
}

/// As a message: what `inspect` tells of it, and opened under a session key that does not fit.
fn message(octets: &[u8]) {
    if let Ok(report) = inspect(octets) {
        assert!(report.bytes <= octets.len() as u64);
    }
    let options = DecryptOptions { insecure_legacy: true, ..DecryptOptions::default() };
    let _ = open(octets, options, &mut io::sink());
}

/// As armor, and armored: in pieces of a length that the last octet says.
fn armor(octets: &[u8]) {
    let Some((last, octets)) = octets.split_last() else { return };
    let piece = 1 + usize::from(*last);
    let _ = dearmored(octets, piece);
    let mut writer = ArmorWriter::new(Vec::new(), last & 1 != 0).expect("memory can be written");
    for part in octets.chunks(piece) {
        writer.write_all(part).expect("memory can be written");
    }
    let text = writer.finish().expect("memory can be written");
    assert_eq!(dearmored(&text, piece).expect("it was just written"), octets);
}

fn dearmored(text: &[u8], piece: usize) -> Result<Vec<u8>> {
    let mut octets = Vec::new();
    let mut reader = Dearmored::new(BufReader::with_capacity(piece, text))?;
    let mut part = vec![0; piece];
    loop {
        match reader.read(&mut part)? {
            0 => return Ok(octets),
            n => octets.extend_from_slice(&part[..n]),
        }
    }
}

/// As the body of a packet for a passphrase. Where it asks for little, the passphrase is tried, and a packet that
/// is sealed by its S2K opens.
fn skesk(octets: &[u8]) {
    let Ok(packet) = Skesk::parse(octets) else { return };
    let Some(s2k) = packet.s2k() else { return };
    let again = S2k::parse(&mut Fields::new(PacketType::SKESK, &s2k.to_bytes()));
    assert_eq!(&again.expect("it was just written"), s2k);
    let little = Limits { memory: 8 << 10, work: Duration::from_micros(16) };
    if s2k.check().is_err() || !little.allow(&s2k.cost()) {
        return;
    }
    let _ = match &packet {
        Skesk::V6(packet) => packet.open(b"passphrase"),
        Skesk::V5(packet) => packet.open(b"passphrase"),
        Skesk::V4(packet) => packet.open(b"passphrase"),
        Skesk::Other(_) => return,
    };
    let key = session_key();
    if let Ok(sealed) = SkeskV6::seal(s2k.clone(), [4; NONCE_BYTES], b"passphrase", &key) {
        let parsed = Skesk::parse(&sealed.to_bytes()).expect("it was just written");
        assert_eq!(parsed, Skesk::V6(sealed.clone()));
        assert_eq!(sealed.open(b"passphrase").expect("the passphrase fits")[..], key[..]);
    }
}

/// An encrypted packet, by its form.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Container {
    Seipd1,
    Seipd2,
    LibrePgp(AeadMode),
    Sed,
}

/// As what such a packet holds: opened, it gives what the octets themselves give. The last three octets alter the
/// message: two say where, and one is added there. Then only a part of that, from its beginning, may come out.
fn inside(container: Container, octets: &[u8]) {
    let Some((inside, &[high, low, change])) = octets.split_last_chunk() else { return };
    let mut expected = Vec::new();
    let plain = literal::copy_file(inside, &mut expected);
    assert!(expected.len() as u64 <= most_bytes(inside.len()));

    let mut message = container.seal(inside).expect("memory can be written");
    let mut found = Vec::new();
    let opened = open(&message, container.options(), &mut found);
    assert_eq!(opened.as_ref().ok(), plain.as_ref().ok());
    assert!(plain.is_err() || found == expected);

    let place = usize::from(u16::from_be_bytes([high, low])) % message.len();
    message[place] ^= change;
    let mut altered = Vec::new();
    let opened = open(&message, container.options(), &mut altered);
    assert!(container == Container::Sed || found.starts_with(&altered));
    assert!(container == Container::Sed || opened.is_err() || altered == found);
}

/// The most that a compressed packet may hold.
fn most_bytes(octets: usize) -> u64 {
    compressed::FREE_BYTES + (compressed::MOST_TIMES + 1) * (octets as u64 + 1)
}

impl Container {
    fn options(self) -> DecryptOptions {
        DecryptOptions { insecure_legacy: self == Self::Sed, ..DecryptOptions::default() }
    }

    /// A message with this packet, whose chunks, if it has such, are small.
    fn seal(self, inside: &[u8]) -> io::Result<Vec<u8>> {
        match self {
            Self::Seipd1 => seipd1(inside),
            Self::Seipd2 => seipd2(inside),
            Self::LibrePgp(mode) => librepgp(mode, inside),
            Self::Sed => sed(inside),
        }
    }
}

fn seipd1(inside: &[u8]) -> io::Result<Vec<u8>> {
    let packet = BodyWriter::new(OLDER_SKESK.to_vec(), PacketType::SEIPD, None)?;
    let mut writer = mdc::Writer::new(packet, &twofish(&session_key()), &[9; 16])?;
    writer.write_all(inside)?;
    writer.finish()?.finish()
}

fn seipd2(inside: &[u8]) -> io::Result<Vec<u8>> {
    let (cipher, mode) = (Cipher::TWOFISH_256, AeadMode::OCB);
    let header = SeipdV2 { cipher, mode, chunk: small_chunk(), salt: [9; 32] };
    let mut packet = BodyWriter::new(SKESK.to_vec(), PacketType::SEIPD, None)?;
    packet.write_all(&header.to_bytes())?;
    let mut chunks = Sealer::new(packet, header.chunk, header.message_key(&session_key()));
    chunks.write_all(inside)?;
    chunks.finish()?.finish()
}

fn librepgp(mode: AeadMode, inside: &[u8]) -> io::Result<Vec<u8>> {
    let nonce = vec![9; mode.nonce_bytes().expect("a mode that is known")];
    let header = AeadData { cipher: Cipher::TWOFISH_256, mode, chunk: small_chunk(), nonce };
    let mut packet = BodyWriter::new(OLDER_SKESK.to_vec(), PacketType::AEAD, None)?;
    packet.write_all(&[1, header.cipher.0, mode.0, header.chunk.octet()])?;
    packet.write_all(&header.nonce)?;
    let mut chunks = Sealer::new(packet, header.chunk, header.message_key(&session_key()));
    chunks.write_all(inside)?;
    chunks.finish()?.finish()
}

/// CFB over a prefix, and from its last block of ciphertext over the text.
fn sed(inside: &[u8]) -> io::Result<Vec<u8>> {
    let cipher = twofish(&session_key());
    let mut prefix: mdc::Prefix = [9; mdc::PREFIX_BYTES];
    mdc::cfb(&cipher, &[0; 16]).encrypt(&mut prefix).expect("no length is too long");
    let iv = prefix.last_chunk().expect("the prefix is longer than a block");
    let mut text = inside.to_vec();
    mdc::cfb(&cipher, iv).encrypt(&mut text).expect("no length is too long");
    let mut packet = BodyWriter::new(OLDER_SKESK.to_vec(), PacketType::SED, None)?;
    packet.write_all(&prefix)?;
    packet.write_all(&text)?;
    packet.finish()
}

fn session_key() -> Key {
    Key::copied(&[7; KEY_BYTES]).expect("the length of a key")
}

fn small_chunk() -> ChunkSize {
    ChunkSize::from_bytes(64).expect("64 is a size")
}

fn open(message: &[u8], options: DecryptOptions, output: &mut impl Write) -> Result<Opened> {
    Decryption::seekable_with(io::Cursor::new(message), options)?.run(session_key(), output)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LITERAL: [u8; 10] = [0xcb, 8, b'b', 0, 0, 0, 0, 0, b'o', b'k'];

    /// Otherwise the fuzzer would stop at the first packet.
    #[test]
    fn what_is_wrapped_gets_to_the_output() {
        let [ocb, eax] = [AeadMode::OCB, AeadMode::EAX].map(Container::LibrePgp);
        for container in [Container::Seipd1, Container::Seipd2, ocb, eax, Container::Sed] {
            let message = container.seal(&LITERAL).unwrap();
            let mut output = Vec::new();
            open(&message, container.options(), &mut output).unwrap();
            assert_eq!(output, b"ok");
        }
    }
}
