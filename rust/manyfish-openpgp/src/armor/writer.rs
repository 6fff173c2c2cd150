// SPDX-License-Identifier: Apache-2.0 OR MIT
//
//! Octets to armor.

use std::io::{self, Write};
use std::mem;

use base64ct::{Base64, Encoding};

use super::crc24::{CRC24_START, crc24};
use super::{BEGIN, END, PAD};

/// 64 characters, as PEM has it; the standard allows up to 76.
const LINE_OCTETS: usize = 48;
const LINE_CHARACTERS: usize = LINE_OCTETS / 3 * 4;

/// Armors what is written into it. `finish` must be called.
#[derive(Debug)]
pub struct ArmorWriter<W> {
    output: W,
    /// Octets that do not fill a line yet.
    line: Vec<u8>,
    checksum: Option<u32>,
}

impl<W: Write> ArmorWriter<W> {
    pub fn new(mut output: W, with_checksum: bool) -> io::Result<Self> {
        write!(output, "{BEGIN}\n\n")?;
        let checksum = with_checksum.then_some(CRC24_START);
        Ok(Self { output, line: Vec::with_capacity(LINE_OCTETS), checksum })
    }

    pub fn finish(mut self) -> io::Result<W> {
        let rest = mem::take(&mut self.line);
        if !rest.is_empty() {
            self.write_line(&rest)?;
        }
        if let Some(checksum) = self.checksum.take() {
            self.output.write_all(&[PAD])?;
            self.write_line(&checksum.to_be_bytes()[1..])?;
        }
        writeln!(self.output, "{END}")?;
        Ok(self.output)
    }

    fn write_line(&mut self, octets: &[u8]) -> io::Result<()> {
        if let Some(checksum) = &mut self.checksum {
            *checksum = crc24(*checksum, octets);
        }
        let mut text = [0; LINE_CHARACTERS + 1];
        let end = Base64::encode(octets, &mut text).expect("a line has room for its octets").len();
        text[end] = b'\n';
        self.output.write_all(&text[..=end])
    }
}

impl<W: Write> Write for ArmorWriter<W> {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        let n = data.len().min(LINE_OCTETS - self.line.len());
        if n == LINE_OCTETS {
            self.write_line(&data[..n])?;
            return Ok(n);
        }
        self.line.extend_from_slice(&data[..n]);
        if self.line.len() == LINE_OCTETS {
            let line = mem::take(&mut self.line);
            self.write_line(&line)?;
        }
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
