// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Packet headers [RFC9580, 4.2]: the old and the new format read, the new one written.

use std::io::{self, Read, Write};

use crate::algorithm::PacketType;
use crate::error::{Error, Result};
use crate::read;

const ALWAYS_SET: u8 = 0x80;
const NEW_FORMAT: u8 = 0x40;
const HEADER: &str = "a packet header";

/// How a header states the length of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// This many octets.
    Fixed(u64),
    /// The first part has this many octets, another length follows it [RFC9580, 4.2.1.4].
    Partial(u64),
    /// The old format's "until the end of the input" [RFC9580, 4.2.2.4].
    Indeterminate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    pub packet: PacketType,
    pub length: Length,
}

/// The first octet of a packet in the new format; it also stands in the associated data.
#[must_use]
pub const fn tag_octet(packet: PacketType) -> u8 {
    ALWAYS_SET | NEW_FORMAT | packet.0
}

/// The next header, or `None` where the input ends before it.
pub fn read_header(input: &mut (impl Read + ?Sized)) -> Result<Option<Header>> {
    let Some(tag) = read::octet(input)? else { return Ok(None) };
    if tag & ALWAYS_SET == 0 {
        return Err(Error::NotOpenPgp(format!("the octet 0x{tag:02x}, expected a packet header")));
    }
    let header = if tag & NEW_FORMAT != 0 {
        Header { packet: PacketType(tag & 0x3f), length: read_length(input)? }
    } else {
        Header { packet: PacketType(tag >> 2 & 0x0f), length: read_old_length(input, tag & 3)? }
    };
    check(header).map(Some)
}

/// Only data packets may come in parts or without a length [RFC9580, 4.2.1.4].
fn check(header: Header) -> Result<Header> {
    let Header { packet, length } = header;
    if packet.0 == 0 {
        return Err(Error::Malformed { packet, problem: "this type is reserved" });
    }
    let data = matches!(
        packet,
        PacketType::LITERAL
            | PacketType::COMPRESSED
            | PacketType::SED
            | PacketType::SEIPD
            | PacketType::AEAD
    );
    match length {
        Length::Partial(_) | Length::Indeterminate if !data => {
            Err(Error::Malformed { packet, problem: "it must have a definite length" })
        }
        Length::Partial(n) if n < 512 => {
            Err(Error::Malformed { packet, problem: "its first part is below 512 octets" })
        }
        _ => Ok(header),
    }
}

/// A length in the new format: at the front of a packet, and of each further part [RFC9580, 4.2.1].
pub fn read_length(input: &mut (impl Read + ?Sized)) -> Result<Length> {
    let first = read_number::<1>(input)?;
    Ok(match first {
        0..=191 => Length::Fixed(first),
        192..=223 => Length::Fixed(((first - 192) << 8) + read_number::<1>(input)? + 192),
        224..=254 => Length::Partial(1 << (first & 0x1f)),
        _ => Length::Fixed(read_number::<4>(input)?),
    })
}

fn read_old_length(input: &mut (impl Read + ?Sized), kind: u8) -> Result<Length> {
    Ok(match kind {
        0 => Length::Fixed(read_number::<1>(input)?),
        1 => Length::Fixed(read_number::<2>(input)?),
        2 => Length::Fixed(read_number::<4>(input)?),
        _ => Length::Indeterminate,
    })
}

fn read_number<const N: usize>(input: &mut (impl Read + ?Sized)) -> Result<u64> {
    let mut octets = [0; N];
    read::exact(input, &mut octets, HEADER)?;
    Ok(octets.iter().fold(0, |number, &octet| number << 8 | u64::from(octet)))
}

/// Writes a definite length in its shortest form.
pub fn write_length(output: &mut impl Write, length: u32) -> io::Result<()> {
    let octets = length.to_be_bytes();
    match length {
        0..=191 => output.write_all(&octets[3..]),
        192..=8383 => {
            let [.., high, low] = (length - 192).to_be_bytes();
            output.write_all(&[high + 192, low])
        }
        _ => output.write_all(&[&[255], &octets[..]].concat()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(octets: &[u8]) -> Result<Option<Header>> {
        read_header(&mut &octets[..])
    }

    fn fixed(packet: PacketType, length: u64) -> Header {
        Header { packet, length: Length::Fixed(length) }
    }

    #[test]
    fn lengths_come_back_as_written() {
        for length in [0, 1, 191, 192, 193, 8383, 8384, 65536, u32::MAX] {
            let mut octets = vec![tag_octet(PacketType::PADDING)];
            write_length(&mut octets, length).unwrap();
            let read = header(&octets).unwrap().unwrap();
            assert_eq!(read, fixed(PacketType::PADDING, u64::from(length)));
            assert!(header(&octets[..octets.len() - 1]).is_err(), "cut header of {length}");
        }
    }

    #[test]
    fn reads_the_old_format() {
        assert_eq!(header(&[0x8c, 13]).unwrap(), Some(fixed(PacketType::SKESK, 13)));
        assert_eq!(header(&[0x99, 1, 2]).unwrap(), Some(fixed(PacketType::PUBLIC_KEY, 258)));
        assert_eq!(header(&[0xa3]).unwrap().unwrap().length, Length::Indeterminate);
    }

    #[test]
    fn refuses_what_the_standard_forbids() {
        assert!(header(&[]).unwrap().is_none());
        assert!(matches!(header(b"age"), Err(Error::NotOpenPgp(_))));
        assert!(header(&[0xc0, 0]).is_err(), "packet type 0");
        assert!(header(&[0xc3, 0xe9]).is_err(), "a SKESK packet in parts");
        assert!(header(&[0xd2, 0xe8]).is_err(), "a first part of 256 octets");
        assert_eq!(header(&[0xd2, 0xe9]).unwrap().unwrap().length, Length::Partial(512));
        assert!(header(&[0x8f]).is_err(), "a SKESK packet without a length");
    }
}
