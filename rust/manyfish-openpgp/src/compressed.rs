// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Compressed data packets [RFC9580, 5.6], which GnuPG writes by default. Only read.

use std::cell::Cell;
use std::io::{self, BufReader, Read};

use crate::algorithm::PacketType;
use crate::error::{Error, Result};
use crate::read;

/// The most that may come out of a packet: this in any case, and beyond it `MOST_TIMES` its input. A
/// text never comes near, a disk full of zeros does.
pub const FREE_BYTES: u64 = crate::piece(1 << 30) as u64;
pub const MOST_TIMES: u64 = 100;

/// Hands the packets inside to `reader`, all of which it must read.
pub fn with_expanded(
    body: &mut dyn Read,
    reader: impl FnOnce(&mut dyn Read) -> Result<()>,
) -> Result<()> {
    expanded_within(FREE_BYTES, body, reader)
}

fn expanded_within(
    free: u64,
    body: &mut dyn Read,
    reader: impl FnOnce(&mut dyn Read) -> Result<()>,
) -> Result<()> {
    let algorithm = read::octet(body)?.ok_or(Error::Truncated("the compressed data"))?;
    let taken = Cell::new(0);
    let input = BufReader::new(Counted { input: body, octets: &taken });
    let decoder: Box<dyn Read + '_> = match algorithm {
        0 => Box::new(input),
        1 => Box::new(flate2::bufread::DeflateDecoder::new(input)),
        2 => Box::new(flate2::bufread::ZlibDecoder::new(input)),
        3 => Box::new(bzip2::bufread::BzDecoder::new(input)),
        other => return Err(Error::Compression(other)),
    };
    reader(&mut Expanded { decoder, free, given: 0, taken: &taken })
}

/// Counts what the decoder takes.
struct Counted<'a> {
    input: &'a mut dyn Read,
    octets: &'a Cell<u64>,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.input.read(buffer)?;
        self.octets.set(self.octets.get() + n as u64);
        Ok(n)
    }
}

/// The output of the decoder, within the limit.
struct Expanded<'a> {
    decoder: Box<dyn Read + 'a>,
    free: u64,
    given: u64,
    taken: &'a Cell<u64>,
}

impl Read for Expanded<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.decoder.read(buffer).map_err(explain)?;
        self.given += n as u64;
        if self.given.saturating_sub(self.free) / MOST_TIMES > self.taken.get() {
            return Err(Error::Bomb(MOST_TIMES).into());
        }
        Ok(n)
    }
}

/// The decoders speak of their own data in these kinds; all else comes from the input.
fn explain(error: io::Error) -> io::Error {
    use io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
    match error.kind() {
        InvalidData | InvalidInput | UnexpectedEof => {
            let problem = "its data cannot be expanded";
            Error::Malformed { packet: PacketType::COMPRESSED, problem }.into()
        }
        _ => error,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn packed(algorithm: u8, data: &[u8]) -> Vec<u8> {
        let body = vec![algorithm];
        let level = flate2::Compression::default();
        match algorithm {
            1 => {
                let mut encoder = flate2::write::DeflateEncoder::new(body, level);
                encoder.write_all(data).unwrap();
                encoder.finish().unwrap()
            }
            2 => {
                let mut encoder = flate2::write::ZlibEncoder::new(body, level);
                encoder.write_all(data).unwrap();
                encoder.finish().unwrap()
            }
            3 => {
                let mut encoder = bzip2::write::BzEncoder::new(body, bzip2::Compression::best());
                encoder.write_all(data).unwrap();
                encoder.finish().unwrap()
            }
            _ => [&body, data].concat(),
        }
    }

    fn expand(body: &[u8], free: u64) -> Result<Vec<u8>> {
        let mut data = Vec::new();
        expanded_within(free, &mut &body[..], |expanded| {
            expanded.read_to_end(&mut data)?;
            Ok(())
        })?;
        Ok(data)
    }

    #[test]
    fn each_algorithm_comes_back() {
        let data: Vec<u8> = (0..=250).cycle().take(300_000).collect();
        for algorithm in 0..4 {
            assert!(expand(&packed(algorithm, &data), 1 << 20).unwrap() == data, "{algorithm}");
            assert!(expand(&packed(algorithm, b""), 0).unwrap().is_empty(), "{algorithm}");
        }
        assert!(matches!(expand(&[9, 1], 0), Err(Error::Compression(9))));
        assert!(matches!(expand(&[], 0), Err(Error::Truncated(_))));
    }

    #[test]
    fn damaged_data_is_told() {
        let data: Vec<u8> = (0..30_000u32).flat_map(|i| (i * i).to_le_bytes()).collect();
        for algorithm in 1..4 {
            let body = packed(algorithm, &data);
            let cut = expand(&body[..body.len() / 2], 0);
            assert!(matches!(cut, Err(Error::Malformed { .. })), "{algorithm}: {cut:?}");
            let mut altered = body.clone();
            altered[1] ^= 0xff;
            let wrong = expand(&altered, 0);
            assert!(matches!(wrong, Err(Error::Malformed { .. })), "{algorithm}: {wrong:?}");
        }
    }

    /// Zeros shrink a thousandfold and more.
    #[test]
    fn a_bomb_ends_at_the_limit() {
        let zeros = vec![0; 2 << 20];
        for algorithm in 1..4 {
            let body = packed(algorithm, &zeros);
            assert!(matches!(expand(&body, 1 << 20), Err(Error::Bomb(MOST_TIMES))), "{algorithm}");
            assert!(expand(&body, 2 << 20).is_ok(), "{algorithm}");
        }
    }
}
