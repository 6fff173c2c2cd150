// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Packet bodies as streams: of a fixed length where it is known, in parts where it is not.
//! The same pair serves the outer (encrypted) and the inner (literal data) packet.

use std::io::{self, Read, Write};

use crate::algorithm::PacketType;
use crate::error::Error;
use crate::packet::{self, Length};

/// Our parts have 2^16 octets: one octet of framing each, little to buffer.
const PART_EXPONENT: u8 = 16;
const PART_BYTES: usize = 1 << PART_EXPONENT;
const PARTIAL: u8 = 224;

/// Reads the body of one packet, and from the input no octet more.
#[derive(Debug)]
pub struct BodyReader<R> {
    input: R,
    left: Length,
    what: &'static str,
}

impl<R: Read> BodyReader<R> {
    /// `what` names the body where it turns out truncated.
    pub fn new(input: R, length: Length, what: &'static str) -> Self {
        Self { input, left: length, what }
    }

    pub fn into_input(self) -> R {
        self.input
    }

    /// Moves to the part that holds the next octets; `false` at the end of the body.
    fn next_part(&mut self) -> Result<bool, Error> {
        while self.left == Length::Partial(0) {
            self.left = packet::read_length(&mut self.input)?;
        }
        Ok(self.left != Length::Fixed(0))
    }
}

impl<R: Read> Read for BodyReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() || !self.next_part()? {
            return Ok(0);
        }
        match &mut self.left {
            Length::Indeterminate => self.input.read(buffer),
            Length::Fixed(left) | Length::Partial(left) => {
                let most = buffer.len().min(usize::try_from(*left).unwrap_or(usize::MAX));
                match self.input.read(&mut buffer[..most])? {
                    0 => Err(Error::Truncated(self.what).into()),
                    n => {
                        *left -= n as u64;
                        Ok(n)
                    }
                }
            }
        }
    }
}

/// Writes one packet, header included. `finish` must be called.
#[derive(Debug)]
pub struct BodyWriter<W> {
    output: W,
    framing: Framing,
}

#[derive(Debug)]
enum Framing {
    Fixed { left: u64 },
    Parts { buffer: Vec<u8> },
}

impl<W: Write> BodyWriter<W> {
    /// A packet of `length` octets; in parts if that is unknown, or beyond the fixed form's 4 GiB.
    pub fn new(mut output: W, packet: PacketType, length: Option<u64>) -> io::Result<Self> {
        output.write_all(&[packet::tag_octet(packet)])?;
        let framing = match length.map(u32::try_from) {
            Some(Ok(length)) => {
                packet::write_length(&mut output, length)?;
                Framing::Fixed { left: u64::from(length) }
            }
            _ => Framing::Parts { buffer: Vec::with_capacity(PART_BYTES) },
        };
        Ok(Self { output, framing })
    }

    /// Lets `write` put octets into the output by itself, where the length of the body was stated; it
    /// says how many. `None` where the body comes in parts.
    pub fn direct<E>(
        &mut self,
        write: impl FnOnce(&mut W) -> Result<usize, E>,
    ) -> Option<Result<usize, E>> {
        let Framing::Fixed { left } = &mut self.framing else { return None };
        let written = write(&mut self.output);
        if let Ok(n) = written {
            *left = left.checked_sub(n as u64).expect("no more than the stated length");
        }
        Some(written)
    }

    /// Writes what is still to write and gives the output back.
    pub fn finish(mut self) -> io::Result<W> {
        match self.framing {
            Framing::Fixed { left } => assert_eq!(left, 0, "the stated length was not written"),
            Framing::Parts { buffer } => {
                let length = u32::try_from(buffer.len()).expect("a part fits");
                packet::write_length(&mut self.output, length)?;
                self.output.write_all(&buffer)?;
            }
        }
        Ok(self.output)
    }
}

impl<W: Write> Write for BodyWriter<W> {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        match &mut self.framing {
            Framing::Fixed { left } => {
                assert!(data.len() as u64 <= *left, "more than the stated length");
                let n = self.output.write(data)?;
                *left -= n as u64;
                Ok(n)
            }
            Framing::Parts { buffer } => {
                if buffer.len() == PART_BYTES {
                    self.output.write_all(&[PARTIAL | PART_EXPONENT])?;
                    self.output.write_all(buffer)?;
                    buffer.clear();
                }
                let n = data.len().min(PART_BYTES - buffer.len());
                buffer.extend_from_slice(&data[..n]);
                Ok(n)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: [usize; 7] = [0, 1, 191, 192, PART_BYTES - 1, PART_BYTES, 2 * PART_BYTES + 1];

    fn written(body: &[u8], length: Option<u64>) -> Vec<u8> {
        let mut writer = BodyWriter::new(Vec::new(), PacketType::LITERAL, length).unwrap();
        writer.write_all(body).unwrap();
        writer.finish().unwrap()
    }

    fn read(mut packet: &[u8]) -> io::Result<Vec<u8>> {
        let header = packet::read_header(&mut packet)?.unwrap();
        let mut body = Vec::new();
        BodyReader::new(&mut packet, header.length, "a body").read_to_end(&mut body)?;
        assert!(packet.is_empty(), "the reader stops at the end of the body");
        Ok(body)
    }

    #[test]
    fn bodies_come_back_in_both_framings() {
        for size in SIZES {
            let body: Vec<u8> = (0..251).cycle().take(size).collect();
            assert_eq!(read(&written(&body, Some(size as u64))).unwrap(), body);
            assert_eq!(read(&written(&body, None)).unwrap(), body);
        }
    }

    #[test]
    fn every_truncation_shows() {
        for packet in [written(&[7; 300], Some(300)), written(&vec![7; PART_BYTES + 300], None)] {
            for end in [1, 2, 3, packet.len() / 2, packet.len() - 301, packet.len() - 1] {
                let error = read(&packet[..end]).unwrap_err();
                assert!(matches!(Error::from(error), Error::Truncated(_)), "cut at {end}");
            }
        }
    }
}
