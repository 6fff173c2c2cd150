// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The content of a file, as far as it shows without a key: its packets one by one. Also for messages that
//! cannot be opened here, and for those that are cut off.

use std::cell::Cell;
use std::io::{self, BufRead, Read};

use crate::algorithm::PacketType;
use crate::armor::Dearmored;
use crate::body::BodyReader;
use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::mdc;
use crate::packet::{self, Header};
use crate::read::Fields;
use crate::seipd;

pub use crate::aead::AeadData;
pub use crate::packet::Length;
pub use crate::seipd::SeipdV2;
pub use crate::skesk::{Skesk, SkeskV4, SkeskV5, SkeskV6};

/// Enough for every field that is shown; the rest of a body is only counted.
const HEAD_BYTES: usize = 1024;
/// A file of tiny packets fills neither memory nor screen; the others are counted.
const MAX_PACKETS: usize = 1000;

/// The packets found, and the error at which the reading stopped, if any.
#[derive(Debug)]
pub struct Report {
    /// The message was text.
    pub armored: bool,
    /// In their order; up to a thousand.
    pub packets: Vec<Packet>,
    /// Packets that were read, but are beyond what is listed.
    pub unlisted: u64,
    /// Octets that were read, without armor.
    pub bytes: u64,
    /// Why the reading stopped before the end.
    pub error: Option<Error>,
}

impl Report {
    /// The cost of trying a passphrase on all packets for passphrases together.
    #[must_use]
    pub fn asks_for(&self) -> Limits {
        let contents = || self.packets.iter().map(|packet| &packet.content);
        let skesks = contents().filter_map(|content| match content {
            Content::Skesk(skesk) => Some(skesk),
            _ => None,
        });
        let data = contents().find_map(|content| match content {
            Content::Aead(data) => Some(data),
            _ => None,
        });
        Limits::asked_by(skesks, data)
    }
}

/// A packet, as far as it was there.
#[derive(Debug)]
pub struct Packet {
    /// Of the header, in the octets without armor.
    pub offset: u64,
    /// Its type.
    pub packet: PacketType,
    /// How its header states the length.
    pub length: Length,
    /// Octets of the body that are there.
    pub body_bytes: u64,
    /// The body is all there.
    pub complete: bool,
    /// Its fields.
    pub content: Content,
}

impl Packet {
    /// Chunks and plaintext octets of a packet of chunks, where its length is that of some; of the older
    /// form, whose data is one piece, the octets.
    #[must_use]
    pub fn plaintext(&self) -> Option<(u64, u64)> {
        match &self.content {
            _ if !self.complete => None,
            Content::SeipdV2(header) => {
                header.chunk.plaintext(self.body_bytes, seipd::HEADER_BYTES)
            }
            Content::Aead(header) => header.chunk.plaintext(self.body_bytes, header.header_bytes()),
            Content::SeipdV1 => Some((1, self.body_bytes.checked_sub(mdc::OVERHEAD_BYTES)?)),
            _ => None,
        }
    }
}

/// The visible part of a packet.
#[derive(Debug)]
pub enum Content {
    /// A session key under a passphrase.
    Skesk(Skesk),
    /// Encrypted data in chunks.
    SeipdV2(SeipdV2),
    /// A public-key encrypted session key, by its version.
    Pkesk(u8),
    /// Encrypted data of the older form.
    SeipdV1,
    /// Encrypted data in chunks, as LibrePGP has them.
    Aead(AeadData),
    /// Any other encrypted data, by its version if it has one.
    Encrypted(Option<u8>),
    /// A packet whose fields are of no interest here.
    Other,
    /// Too short or contradictory for its type.
    Malformed(Error),
}

/// Lists the packets of `input`. Fails only where not even the first can be read.
///
/// ```
/// use manyfish_openpgp::algorithm::PacketType;
/// use manyfish_openpgp::{Settings, encrypt, inspect::inspect};
///
/// let message = encrypt(b"correct horse", Settings::new()?, &b"battery"[..], Vec::new())?;
/// let types: Vec<_> = inspect(&message[..])?.packets.iter().map(|found| found.packet).collect();
/// assert_eq!(types, [PacketType::SKESK, PacketType::SEIPD]);
/// # Ok::<(), manyfish_openpgp::Error>(())
/// ```
pub fn inspect(input: impl BufRead) -> Result<Report> {
    let read_bytes = Cell::new(0);
    let input = Dearmored::new(input)?;
    let armored = input.is_armored();
    let mut input = Counted { input, bytes: &read_bytes };
    let mut packets = Vec::new();
    let mut unlisted = 0;
    let error = loop {
        let offset = read_bytes.get();
        match packet::read_header(&mut input) {
            Ok(None) => break None,
            Err(error) if packets.is_empty() => return Err(error),
            Err(error) => break Some(error),
            Ok(Some(header)) => {
                let (packet, error) = read_packet(&mut input, offset, header);
                if packets.len() < MAX_PACKETS {
                    packets.push(packet);
                } else {
                    unlisted += 1;
                }
                if error.is_some() {
                    break error;
                }
            }
        }
    };
    Ok(Report { armored, packets, unlisted, bytes: read_bytes.get(), error })
}

fn read_packet(input: &mut impl Read, offset: u64, header: Header) -> (Packet, Option<Error>) {
    let Header { packet, length } = header;
    let mut head = Vec::new();
    let mut body = BodyReader::new(input, length, "its last packet");
    let (body_bytes, error) = read_body(&mut body, &mut head);
    let content = content(packet, &head).unwrap_or_else(Content::Malformed);
    let complete = error.is_none();
    (Packet { offset, packet, length, body_bytes, complete, content }, error)
}

/// Keeps the head, counts all of it, also where it ends in an error.
fn read_body(body: &mut impl Read, head: &mut Vec<u8>) -> (u64, Option<Error>) {
    let mut buffer = [0; 8192];
    let mut bytes = 0;
    loop {
        match body.read(&mut buffer) {
            Ok(0) => return (bytes, None),
            Ok(n) => {
                head.extend_from_slice(&buffer[..n.min(HEAD_BYTES - head.len())]);
                bytes += n as u64;
            }
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return (bytes, Some(error.into())),
        }
    }
}

fn content(packet: PacketType, head: &[u8]) -> Result<Content> {
    let mut fields = Fields::new(packet, head);
    Ok(match packet {
        PacketType::SKESK => Content::Skesk(Skesk::parse(head)?),
        PacketType::PKESK => Content::Pkesk(fields.octet()?),
        PacketType::SED => Content::Encrypted(None),
        PacketType::SEIPD if head.first() == Some(&seipd::VERSION) => {
            Content::SeipdV2(SeipdV2::read(&mut &head[1..])?)
        }
        PacketType::SEIPD if head.first() == Some(&mdc::VERSION) => Content::SeipdV1,
        PacketType::SEIPD => Content::Encrypted(Some(fields.octet()?)),
        PacketType::AEAD => Content::Aead(AeadData::read(&mut &head[..])?),
        _ => Content::Other,
    })
}

/// Counts what passes, for the offsets.
struct Counted<'a, R> {
    input: R,
    bytes: &'a Cell<u64>,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.input.read(buffer)?;
        self.bytes.set(self.bytes.get() + n as u64);
        Ok(n)
    }
}
