// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! The inside of the encrypted packet: the literal data packet [RFC9580, 5.9], which is the file.
//! It is written with no name and no date; those of others are read over. Others may have compressed it,
//! or signed it; signatures are not checked, but told.

use std::io::{self, Read, Write};

use crate::algorithm::PacketType;
use crate::body::{BodyReader, BodyWriter};
use crate::compressed;
use crate::error::{Error, Result};
use crate::packet::{self, Header};
use crate::read;

/// Format 'b' for binary, a file name of no octets, the date 0.
const HEADER: [u8; 6] = [b'b', 0, 0, 0, 0, 0];
const WHAT: &str = "the literal data";
/// The octets that one read and one write move.
const COPY_BYTES: usize = crate::piece(64 << 10);

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

/// The opened file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Opened {
    /// Octets of the file.
    pub bytes: u64,
    /// There is a signature inside, which **was not checked**: this crate knows no keys.
    pub signed: bool,
}

/// Copies the file out of the packets inside the encrypted one, up to their end.
pub fn copy_file(mut input: impl Read, output: &mut impl Write) -> Result<Opened> {
    let mut opened = Opened::default();
    packets(&mut input, PacketType::SEIPD, &mut opened, output)?;
    Ok(opened)
}

/// The packets inside one of type `around`: filler and signatures, and one that holds the file.
fn packets(
    input: &mut dyn Read,
    around: PacketType,
    opened: &mut Opened,
    output: &mut dyn Write,
) -> Result<()> {
    let mut found = false;
    while let Some(header) = packet::read_header(input)? {
        match header.packet {
            PacketType::LITERAL if !found => {
                let mut body = BodyReader::new(&mut *input, header.length, WHAT);
                skip_file_facts(&mut body)?;
                opened.bytes = copy(&mut body, output)?;
                found = true;
            }
            PacketType::COMPRESSED if !found && around != PacketType::COMPRESSED => {
                expand(input, header, opened, output)?;
                found = true;
            }
            PacketType::ONE_PASS_SIGNATURE | PacketType::SIGNATURE => {
                opened.signed = true;
                skip(input, header, "a signature")?;
            }
            _ if found => skip_filler(input, header, "the end of the encrypted data")?,
            _ => skip_filler(input, header, "literal data")?,
        }
    }
    if !found {
        return Err(Error::Malformed { packet: around, problem: "it holds nothing" });
    }
    Ok(())
}

/// The packets that are compressed in another. One within the other is a trick, not a message.
fn expand(
    input: &mut dyn Read,
    header: Header,
    opened: &mut Opened,
    output: &mut dyn Write,
) -> Result<()> {
    let mut body = BodyReader::new(input, header.length, "the compressed data");
    compressed::with_expanded(&mut body, |expanded| {
        packets(expanded, PacketType::COMPRESSED, opened, output)
    })?;
    read::discard(&mut body)?;
    Ok(())
}

/// After the message nothing but filler may follow.
pub fn close(mut input: impl Read) -> Result<()> {
    while let Some(header) = packet::read_header(&mut input)? {
        skip_filler(&mut input, header, "the end of the message")?;
    }
    Ok(())
}

/// Like `io::copy`, but tells a failed read from a failed write.
pub fn copy(input: &mut impl Read, output: &mut (impl Write + ?Sized)) -> Result<u64> {
    let mut buffer = vec![0; COPY_BYTES];
    let mut copied = 0;
    loop {
        let n = match input.read(&mut buffer) {
            Ok(0) => return Ok(copied),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        output.write_all(&buffer[..n]).map_err(Error::Write)?;
        copied += n as u64;
    }
}

/// Format, name and date: they do not matter here.
fn skip_file_facts(body: &mut impl Read) -> Result<()> {
    let mut format_and_name_length = [0; 2];
    read::exact(body, &mut format_and_name_length, WHAT)?;
    let [format, name_bytes] = format_and_name_length;
    // m is GnuPG's, for MIME; l and 1 are of RFC 1991.
    if !matches!(format, b'b' | b't' | b'u' | b'm' | b'l' | b'1') {
        let problem = "its format is not b, t, u, m, l or 1";
        return Err(Error::Malformed { packet: PacketType::LITERAL, problem });
    }
    let mut name_and_date = vec![0; usize::from(name_bytes) + 4];
    read::exact(body, &mut name_and_date, WHAT)
}

/// Passes over a packet that means nothing; any other is refused by its name.
pub fn skip_filler(input: &mut dyn Read, header: Header, expected: &'static str) -> Result<()> {
    match header.packet {
        PacketType::MARKER | PacketType::PADDING => {}
        other if !other.is_critical() => {}
        found => return Err(Error::UnexpectedPacket { found, expected }),
    }
    skip(input, header, "a packet without meaning")
}

fn skip(input: &mut dyn Read, header: Header, what: &'static str) -> Result<()> {
    read::discard(&mut BodyReader::new(input, header.length, what))?;
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

    fn opened(packets: &[u8]) -> Result<(Vec<u8>, Opened)> {
        let mut file = Vec::new();
        let opened = copy_file(packets, &mut file)?;
        assert_eq!(opened.bytes, file.len() as u64);
        Ok((file, opened))
    }

    fn file(packets: &[u8]) -> Result<Vec<u8>> {
        opened(packets).map(|(file, _)| file)
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

    /// A signature before or after the file, or a one-pass one around it: told, whichever it is.
    #[test]
    fn signatures_are_told() {
        let (one_pass, signature) = ([0xc4, 1, 3], [0xc2, 1, 4]);
        let plain = packet(b"ok", None);
        assert!(!opened(&plain).unwrap().1.signed);
        for signed in [
            [&signature[..], &plain].concat(),
            [&one_pass[..], &plain, &signature].concat(),
            [&[0xa3, 0], &one_pass[..], &plain, &signature].concat(),
        ] {
            let (file, opened) = opened(&signed).unwrap();
            assert!(file == b"ok" && opened.signed);
        }
    }

    #[test]
    fn everything_else_is_refused_by_name() {
        let error = |packets: &[u8]| file(packets).unwrap_err();
        assert!(matches!(error(&[0xc8, 2, 9, 1]), Error::Compression(9)));
        assert!(matches!(error(&[0xc4, 1, 1]), Error::Malformed { .. }), "a signature of nothing");
        assert!(matches!(error(&[0xd4, 1, 1]), Error::UnexpectedPacket { .. }));
        assert!(matches!(error(&[]), Error::Malformed { .. }));
        assert!(matches!(error(&[0xcb, 2, b'x', 0]), Error::Malformed { .. }));
        assert!(matches!(error(&[0xcb, 3, b'b', 9, 0]), Error::Truncated(_)));
        let twice = [packet(b"a", None), packet(b"b", None)].concat();
        let Error::UnexpectedPacket { found, .. } = error(&twice) else { panic!() };
        assert_eq!(found, PacketType::LITERAL);
    }
}
