// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The literal data packet [RFC9580, 5.9]: the file itself, as it stands inside the encrypted packet.
//! It is written with no name and no date; those of others are read over.

use std::io::{self, Read, Write};

use crate::algorithm::PacketType;
use crate::body::{BodyReader, BodyWriter};
use crate::error::{Error, Result};
use crate::packet::{self, Header};
use crate::read;

/// Format 'b' for binary, a file name of no octets, the date 0.
const HEADER: [u8; 6] = [b'b', 0, 0, 0, 0, 0];
const WHAT: &str = "the literal data";

/// Octets of the whole packet that holds a file of `file_bytes`; `None` where it comes in parts.
#[must_use]
pub fn packet_bytes(file_bytes: u64) -> Option<u64> {
    let body = file_bytes.checked_add(HEADER.len() as u64)?;
    let length_octets = match u32::try_from(body).ok()? {
        0..=191 => 1,
        192..=8383 => 2,
        _ => 5,
    };
    Some(1 + length_octets + body)
}

/// Begins the packet; what is written then is the file.
pub fn writer<W: Write>(output: W, file_bytes: Option<u64>) -> io::Result<BodyWriter<W>> {
    let body_bytes = file_bytes.map(|n| n.saturating_add(HEADER.len() as u64));
    let mut body = BodyWriter::new(output, PacketType::LITERAL, body_bytes)?;
    body.write_all(&HEADER)?;
    Ok(body)
}

/// Reads the packets inside the encrypted one up to the file's first octet. The reader gives the file.
pub fn open<R: Read>(mut input: R) -> Result<BodyReader<R>> {
    loop {
        let header = packet::read_header(&mut input)?
            .ok_or(Error::Malformed { packet: PacketType::SEIPD, problem: "it holds nothing" })?;
        match header.packet {
            PacketType::LITERAL => {
                let mut body = BodyReader::new(input, header.length, WHAT);
                skip_file_facts(&mut body)?;
                return Ok(body);
            }
            _ => skip_filler(&mut input, header, "literal data")?,
        }
    }
}

/// After the file only filler may follow, up to the end of the encrypted packet.
pub fn close(mut input: impl Read) -> Result<()> {
    while let Some(header) = packet::read_header(&mut input)? {
        skip_filler(&mut input, header, "the end of the encrypted data")?;
    }
    Ok(())
}

/// Format, name and date: they do not matter here.
fn skip_file_facts(body: &mut impl Read) -> Result<()> {
    let mut format_and_name_length = [0; 2];
    read::exact(body, &mut format_and_name_length, WHAT)?;
    let [format, name_bytes] = format_and_name_length;
    if !matches!(format, b'b' | b't' | b'u') {
        let problem = "its format is not b, t or u";
        return Err(Error::Malformed { packet: PacketType::LITERAL, problem });
    }
    let mut name_and_date = vec![0; usize::from(name_bytes) + 4];
    read::exact(body, &mut name_and_date, WHAT)
}

/// Passes over a packet that means nothing; any other is refused by its name.
pub fn skip_filler(input: &mut impl Read, header: Header, expected: &'static str) -> Result<()> {
    match header.packet {
        PacketType::MARKER | PacketType::PADDING => {}
        other if !other.is_critical() => {}
        PacketType::COMPRESSED => return Err(Error::Compressed),
        PacketType::ONE_PASS_SIGNATURE | PacketType::SIGNATURE => return Err(Error::Signed),
        found => return Err(Error::UnexpectedPacket { found, expected }),
    }
    read::discard(&mut BodyReader::new(input, header.length, "a packet without meaning"))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(file: &[u8], file_bytes: Option<u64>) -> Vec<u8> {
        let mut body = writer(Vec::new(), file_bytes).unwrap();
        body.write_all(file).unwrap();
        body.finish().unwrap()
    }

    fn file(mut packets: &[u8]) -> Result<Vec<u8>> {
        let mut file = Vec::new();
        open(&mut packets)?.read_to_end(&mut file)?;
        close(packets)?;
        Ok(file)
    }

    #[test]
    fn the_stated_size_is_the_real_one() {
        for size in [0, 1, 185, 186, 187, 8377, 8378, 70_000] {
            let packet = packet(&vec![7; size], Some(size as u64));
            assert_eq!(packet_bytes(size as u64), Some(packet.len() as u64));
        }
        assert_eq!(packet_bytes(u64::from(u32::MAX) - 5), None);
    }

    #[test]
    fn files_of_others_open_with_name_date_and_filler() {
        let marker = [0xca, 3, b'P', b'G', b'P'];
        let named = [0xcb, 10, b'u', 2, b'x', b'y', 1, 2, 3, 4, b'o', b'k'];
        let padding = [0xd5, 2, 9, 9];
        let unknown = [0xfc, 1, 0];
        let all = [&marker[..], &named, &padding, &unknown].concat();
        assert_eq!(file(&all).unwrap(), b"ok");
        assert_eq!(file(&[&packet(b"ok", None)[..], &marker].concat()).unwrap(), b"ok");
    }

    #[test]
    fn everything_else_is_refused_by_name() {
        let error = |packets: &[u8]| file(packets).unwrap_err();
        assert!(matches!(error(&[0xc8, 1, 1]), Error::Compressed));
        assert!(matches!(error(&[0xc4, 1, 1]), Error::Signed));
        assert!(matches!(error(&[]), Error::Malformed { .. }));
        assert!(matches!(error(&[0xcb, 2, b'x', 0]), Error::Malformed { .. }));
        assert!(matches!(error(&[0xcb, 3, b'b', 9, 0]), Error::Truncated(_)));
        let twice = [packet(b"a", None), packet(b"b", None)].concat();
        let Error::UnexpectedPacket { found, .. } = error(&twice) else { panic!() };
        assert_eq!(found, PacketType::LITERAL);
    }
}
